import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Outcome, runHere } from '../support/command-line.ts';
import { at, type Setting, withProvider } from './with-provider.ts';

type Compress = (...words: readonly string[]) => Promise<Outcome>;

/** A store with one conversation of thirty turns, and a provider that writes summaries. */
const inStore = (use: (compress: Compress, setting: Setting) => Promise<void>): Promise<void> =>
  withProvider(async (setting) => {
    const { cwd } = setting;
    const env = { PALIMPSEST_API_KEY: 'test-key' };
    const imported = await runHere(['import', 'chat.json', '--title', 'Thirty turns'], { cwd, env });
    assert.equal(imported.code, 0, imported.stderr);
    const target = ['--target', '3000'];
    await use(
      (...words) => runHere(['sessions', 'compress', 'Thirty turns', ...target, ...words], { cwd, env }),
      setting,
    );
  });

const sessionsOf = async ({ cwd }: Setting): Promise<string> =>
  (await runHere(['sessions', 'show', 'Thirty turns'], { cwd })).stdout;

describe('L2: palimpsest sessions compress', () => {
  it('ends the session with the reason compression and goes on in a smaller one', () =>
    inStore(async (compress, setting) => {
      const { code, stdout, stderr } = await compress();
      assert.equal(code, 0, stderr);
      assert.match(stdout, /→|->/);
      assert.match(await sessionsOf(setting), /compression +\d+\n.*open/);
    }));

  it('tells of the sessions in its JSON document', () =>
    inStore(async (compress) => {
      const { stdout } = await compress('--json');
      const { command, session, status, handoff } = JSON.parse(stdout);
      assert.equal(command, 'sessions compress');
      assert.equal(status, 'compressed');
      assert.equal(session.parentId, session.before);
      assert.ok(handoff.covers.length > 10);
    }));

  it('L6: gives everything that was said back afterwards', () =>
    inStore(async (compress, { cwd }) => {
      const exported = (): Promise<Outcome> => runHere(['sessions', 'export', 'Thirty turns'], { cwd });
      const before = await exported();
      await compress();
      assert.equal((await exported()).stdout, before.stdout);
    }));

  it('F2: leaves the conversation as it is when the key is refused, and says why', () =>
    inStore(async (_, setting) => {
      const before = await sessionsOf(setting);
      const args = [
        'sessions',
        'compress',
        'Thirty turns',
        '--target',
        '3000',
        '--summarizer',
        'm',
        ...at(setting.provider),
      ];
      const env = { PALIMPSEST_API_KEY: 'a-wrong-key' };
      const { code, stdout } = await runHere(args, { cwd: setting.cwd, env });
      assert.equal(code, 5);
      assert.match(stdout, /no summary[\s\S]*refused the key\s+\(401\)/);
      assert.equal(await sessionsOf(setting), before);
    }));

  it('L5: counts what the model used', () =>
    inStore(async (compress, setting) => {
      const { code, stderr } = await compress(...at(setting.provider));
      assert.equal(code, 0, stderr);
      const { stdout } = await runHere(['sessions', 'show', 'Thirty turns', '--json'], { cwd: setting.cwd });
      assert.match(stdout, /"calls": [1-9]/);
    }));

  it('says which conversations there are for a title that nobody gave', () =>
    inStore(async (_, { cwd }) => {
      const { code, stderr } = await runHere(['sessions', 'compress', 'Forty turns'], { cwd });
      assert.equal(code, 2);
      assert.match(stderr, /no conversation has .*sessions list/);
    }));
});
