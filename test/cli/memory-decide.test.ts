import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { promptText, startFakeProvider } from '@palimpsest/core/testing';
import { runHere } from '../support/command-line.ts';
import { fine, inMemoryHome, type MemoryHome } from '../support/memory-command.ts';
import { chatFile } from '../support/small-session.ts';

const texts = async ({ json }: MemoryHome): Promise<readonly string[]> =>
  (await json(['show'])).entries.map(({ text }) => text);

/** The rules do not know whether the second takes the place of the first. */
const doubtful = [
  'Invoices are mailed by the night job after the close.',
  'Invoices are mailed by hand after the close, no night job.',
];

describe('M5: what comes without a person at a terminal', () => {
  it('waits, and says that it is not remembered', () =>
    inMemoryHome(async (home) => {
      const { stdout } = await fine(home.program(['add', 'Use yarn.']));
      assert.match(
        stdout,
        /^NOT remembered yet: it waits for a person at a terminal\n {2}palimpsest memory approve e1$/m,
      );
      assert.deepEqual(await texts(home), []);
      const { pending } = await home.json(['pending']);
      assert.deepEqual(
        pending.map(({ id, text, source, would }) => [id, text, source, would]),
        [['e1', 'Use yarn.', 'own-tool', 'add']],
      );
      const { stdout: page } = await fine(home.person(['show']));
      assert.match(page, /^waits for you {2}palimpsest memory approve ID, or reject ID\n {2}e1 {3}Use yarn\./);
    }));

  it('cannot approve itself, take back or forget anything', () =>
    inMemoryHome(async (home) => {
      await home.program(['add', 'Use yarn.']);
      for (const args of [
        ['approve', 'e1'],
        ['undo', 'a1'],
        ['forget', 'e1'],
      ]) {
        const { code, stderr } = await home.program(args);
        assert.equal(code, 2);
        assert.match(stderr, /expected --yes/);
      }
      assert.deepEqual(await texts(home), []);
      assert.equal((await home.json(['pending'])).pending.length, 1);
    }));

  it('would replace or remove exactly what it named, and says so', () =>
    inMemoryHome(async (home) => {
      await fine(home.person(['add', 'The port is 80.']));
      await fine(home.person(['add', 'The host is plum.']));
      await fine(home.program(['replace', 'e1', 'The port is 81.']));
      await fine(home.program(['remove', 'e2']));
      assert.deepEqual(await texts(home), ['The port is 80.', 'The host is plum.']);
      assert.deepEqual(
        (await home.json(['pending'])).pending.map(({ would }) => would),
        ['replace', 'remove'],
      );
      const { stdout } = await home.person(['pending']);
      assert.match(stdout, /would replace e1 \(The port is 80\.\)/);
      assert.match(stdout, /would remove e2/);
      await fine(home.person(['approve', 'e3', 'e4']));
      assert.deepEqual(await texts(home), ['The port is 81.']);
    }));
});

describe('M5: palimpsest memory approve and reject', () => {
  it('make it the word of the person, or keep it out, and decide nothing where an id is wrong', () =>
    inMemoryHome(async (home) => {
      await home.program(['add', 'Use yarn.']);
      await home.program(['add', 'Use npm.']);
      const wrong = await home.person(['approve', 'e1', 'e9']);
      assert.equal(wrong.code, 2);
      assert.match(wrong.stderr, /got "e9": these wait: e1, e2\. Nothing was decided/);
      assert.equal((await home.json(['pending'])).pending.length, 2);
      await fine(home.person(['approve', 'e2']));
      await fine(home.person(['reject', 'e1', '--reason', 'We left yarn.']));
      const [entry] = (await home.json(['show'])).entries;
      assert.deepEqual([entry?.text, entry?.source], ['Use npm.', 'person']);
      assert.match((await home.person(['history', 'e1'])).stdout, /you: reject\n {6}We left yarn\./);
      assert.match((await home.person(['pending'])).stderr, /nothing waits for you/);
    }));

  it('say of what does not fit that it was not remembered', () =>
    inMemoryHome(async (home) => {
      await fine(home.person(['add', 'a'.repeat(2_000)]));
      await fine(home.program(['add', 'b'.repeat(400)]));
      const { code, stdout } = await home.person(['approve', 'e2']);
      assert.equal(code, 1);
      assert.match(stdout, /e2:\nnot remembered:[\s\S]*characters/);
      assert.equal((await home.json(['pending'])).pending.length, 1);
    }));
});

describe('M1: palimpsest memory history, undo and forget', () => {
  it('tell each act with its reason, and take one back in the files too', () =>
    inMemoryHome(async (home) => {
      await fine(home.person(['add', '--user', 'Tea, not coffee.']));
      await fine(home.person(['replace', 'e1', 'Coffee, not tea.']));
      const { stdout } = await fine(home.person(['history']));
      assert.match(stdout, /^a2 {4}\d{4}-\d\d-\d\d \d\d:\d\d {2}you: replace\n {6}.*\n {6}\+ e2 .*\n {6}- e1 /);
      await fine(home.person(['undo', 'a2']));
      assert.equal(home.read('USER.md'), 'Tea, not coffee.');
      assert.match((await home.person(['history'])).stdout, /a2 .*\(taken back by a3\)/);
      const again = await home.person(['undo', 'a2']);
      assert.equal(again.code, 3);
      assert.equal((await home.person(['undo', 'a99'])).code, 2);
      assert.match((await home.person(['history', '--limit', '1'])).stderr, /showing the last 1 acts/);
    }));

  it('do not show or undo acts of another project', () =>
    inMemoryHome(async (home) => {
      await fine(home.person(['add', 'The bike is red.'], { cwd: home.bike }));
      assert.match((await home.person(['history'])).stderr, /nothing was done yet/);
      assert.equal((await home.person(['undo', 'a1'])).code, 2);
      assert.equal((await home.person(['history', 'e1'])).code, 2);
      await fine(home.person(['undo', 'a1', '--project', home.bike]));
    }));

  it('delete a text for good where the person says yes', () =>
    inMemoryHome(async (home) => {
      await fine(home.person(['add', '--user', 'Plum pudding.']));
      assert.match((await home.person(['forget', 'e1'], { input: 'n\n' })).stdout, /nothing was deleted/);
      assert.equal(home.read('USER.md'), 'Plum pudding.');
      await fine(home.person(['forget', 'e1'], { input: 'y\n' }));
      assert.equal(home.read('USER.md'), '');
      for (const args of [['history'], ['show', '--all']])
        assert.ok(!(await home.person([...args, '--json'])).stdout.includes('pudding'));
    }));
});

describe('M1: palimpsest memory curate', () => {
  it('says first what it would do and why, does it, and lets one act be taken back', () =>
    inMemoryHome(async (home) => {
      await fine(home.person(['add', 'The dev server runs on port 5174.']));
      await fine(home.person(['add', 'the dev server runs on port 5174']));
      const plan = await home.json(['curate', '--dry-run']);
      assert.equal((plan.plan as readonly unknown[]).length, 1);
      assert.equal((await texts(home)).length, 2);
      const { stdout } = await fine(home.person(['curate']));
      assert.match(stdout, /the curator: merge\n {6}.*says the same as/);
      assert.equal((await texts(home)).length, 1);
      await fine(home.person(['undo', 'a3']));
      assert.equal((await texts(home)).length, 2);
      await fine(home.person(['curate']));
      assert.match((await home.person(['curate'])).stdout, /everything is in order/);
    }));

  it('asks a model about what is in doubt where one is named or configured, and none with --no-summarizer', async () => {
    await using provider = await startFakeProvider({
      apiKey: 'test-key',
      script: (request) => {
        const { pairs } = JSON.parse(/\{"pairs"[^\n]*/.exec(promptText(request))?.[0] ?? '{"pairs":[]}');
        const verdicts = pairs.map(({ pair, notes }: { pair: number; notes: { id: string; text: string }[] }) => ({
          ...{ pair, verdict: 'contradiction', keep: notes[1]?.id },
          quotes: Object.fromEntries(notes.map(({ id, text }) => [id, text])),
        }));
        return { text: JSON.stringify({ verdicts }) };
      },
    });
    await inMemoryHome(async (home) => {
      const env = { PALIMPSEST_API_KEY: 'test-key' };
      for (const text of doubtful) await fine(home.person(['add', text], { env }));
      const model = ['--summarizer', 'm', '--base-url', provider.baseUrl('openai-chat')];
      const plain = await fine(home.person(['curate', '--dry-run', '--no-summarizer', '--json'], { env }));
      assert.deepEqual(JSON.parse(plain.stdout).plan, []);
      assert.equal(provider.requests.length, 0);
      const refused = await fine(home.person(['curate', '--json', ...model], { env: { PALIMPSEST_API_KEY: 'no' } }));
      assert.match(JSON.parse(refused.stdout).modelError, /401/);
      const asked = await fine(home.person(['curate', '--json', ...model], { env }));
      assert.equal(JSON.parse(asked.stdout).acts.length, 1, asked.stdout);
      assert.equal((await texts(home)).length, 1);
    });
  });

  it('leaves what belongs to another project alone', () =>
    inMemoryHome(async (home) => {
      const there = { cwd: home.bike };
      await fine(home.person(['add', 'The dev server runs on port 5174.'], there));
      await fine(home.person(['add', 'the dev server runs on port 5174'], there));
      assert.deepEqual((await home.json(['curate', '--dry-run'])).plan, []);
    }));
});

describe('M1: palimpsest memory episodes', () => {
  it('are written for conversations that have none, and found by their words', () =>
    inMemoryHome(async (home) => {
      const env = { HOME: home.home };
      await fine(runHere(['import', '-'], { cwd: home.oven, env, input: chatFile(3) }));
      assert.match((await home.person(['episodes'])).stderr, /no episode matches; --write writes/);
      const { written, episodes } = await home.json(['episodes', '--write']);
      assert.equal(written, 1);
      assert.match(JSON.stringify(episodes), /empty row/);
      assert.equal((await home.json(['episodes', '--write'])).written, 0);
      const found = await home.json(['episodes', 'parser']);
      assert.equal((found.episodes as readonly unknown[]).length, 1);
      assert.deepEqual((await home.json(['episodes', 'zeppelin'])).episodes, []);
      assert.deepEqual((await home.json(['episodes', '--project', home.bike])).episodes, []);
    }));
});
