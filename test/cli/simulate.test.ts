import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { inFolder, type Outcome, runHere, runProcess } from '../support/command-line.ts';
import { assertGolden } from '../support/golden.ts';

/** What these make of the example does not depend on what a handoff says. */
const stable = 'clear-each-turn,clear-when-cold,never';
const wide = { env: { COLUMNS: '100' } };

describe('simulate', () => {
  let report: Outcome;
  before(async () => {
    report = await runHere(['simulate', '--example', '--context-length', '200k', '--policy', stable], wide);
  });

  it('C4 shows dollars, hit rate, rewrites and losses of every policy in a table and a chart', () => {
    assert.equal(report.code, 0);
    assertGolden('cli/golden/simulate-example.txt', report.stdout);
  });

  it('C4 compares ours with those of others, and marks where a policy stops', async () => {
    const { stdout } = await runHere(['simulate', '--example', '--context-length', '16k'], wide);
    for (const name of ['planned', 'threshold', 'compress-50', 'compress-75', 'compress-90', 'clear-in-batches'])
      assert.match(stdout, new RegExp(`^  ${name} +\\$\\d+\\.\\d+ +\\d+ %`, 'm'));
    assert.match(
      stdout,
      /^ {2}never +\$[\d.]+\+ [\s\S]*its\s+figures\s+end\s+there:\s+never\s+in\s+1\s+of\s+1\s+conversation\.$/m,
    );
    assert.match(stdout, /^Cheapest policy that never stops: planned/m);
  });

  it('C4 says what it assumes', () => {
    assert.match(report.stderr, /has no times/);
    assert.match(report.stderr, /using the prices and cache rules of claude-sonnet-5/);
  });

  it('C4 names every policy in full on a screen of 80 columns, also beside one that stops', async () => {
    const { stdout } = await runHere(['simulate', '--example', '--context-length', '16k'], { columns: 80 });
    for (const name of ['planned-late', 'compress-75', 'clear-in-batches', 'never'])
      assert.match(stdout, new RegExp(`^ {2}${name} +\\$\\d`, 'm'));
    assert.ok(stdout.split('\n').every((line) => line.length <= 80));
  });

  it('C4 draws in ASCII where only that is safe', async () => {
    const args = ['simulate', '--example', '--context-length', '16k', '--policy', 'planned'];
    const { stdout } = await runHere(args, { env: { LANG: 'C' } });
    assert.match(stdout, /planned {2}\.+w+#+ \$/);
    assert.ok(!/[^\x00-\x7f]/.test(stdout));
  });

  it('C4 adds up the transcripts of a folder, for each model that is asked for', async () => {
    const talk = JSON.stringify([
      { role: 'user', content: 'hello there' },
      { role: 'assistant', content: 'hello' },
    ]);
    const files = { 'a.json': talk, 'b.json': talk, 'c.json': '{"not": "a transcript"}' };
    const models = 'claude-opus-4-8,gpt-5.5';
    const args = ['simulate', '.', '--model', models, '--json'];
    const { code, stdout } = await inFolder(files, (cwd) => runHere(args, { cwd }));
    assert.equal(code, 0);
    const { models: simulated, notes } = JSON.parse(stdout);
    const shown = simulated.map((one: Simulated) => [one.model, one.rules.name, one.conversations, one.calls]);
    assert.deepEqual(shown, [
      ['claude-opus-4-8', 'anthropic-5m', 2, 2],
      ['gpt-5.5', 'openai', 2, 2],
    ]);
    assert.match(notes.join('\n'), /skipped c\.json/);
  });

  it('C4 compares nothing where nothing was called, and says so', async () => {
    const files = { 'asked.json': '[{"role":"user","content":"hello there"}]' };
    const { code, stdout, stderr } = await inFolder(files, (cwd) => runHere(['simulate', 'asked.json'], { cwd }));
    assert.equal(code, 0);
    assert.match(stderr, /it has no answer of an assistant, so there is no call to replay/);
    assert.ok(stdout.includes('0 calls') && !/Cheapest|\$/.test(stdout), stdout);
  });

  it('C4 says that nothing differs where the whole conversation fits, and names no cheapest', async () => {
    const args = ['simulate', '--example', '--context-length', '1M', '--policy', 'planned,threshold,never'];
    const { code, stdout } = await runHere(args);
    assert.equal(code, 0);
    assert.match(stdout, /All policies cost the same/);
    assert.ok(!stdout.includes('Cheapest'), stdout);
  });

  it('C4 says that the window never fills, with a window that it does fill, and which policies tie', async () => {
    const said = (words: string): string => words.replaceAll(/\s+/g, ' ');
    const wide = said((await runHere(['simulate', '--example'])).stdout);
    assert.match(wide, /Cheapest policy that never stops: planned .* never cost the same\./);
    const [, window = ''] =
      /The largest prompt has [\d,]+ tokens, and compression starts at 500,000 of 1,000,000: try --context-length (\d+k)\./.exec(
        wide,
      ) ?? [];
    const { models } = JSON.parse(
      (await runHere(['simulate', '--example', '--context-length', window, '--policy', 'threshold', '--json'])).stdout,
    );
    assert.ok(models[0].policies[0].compressions > 0, window);
  });

  it('C1 places breakpoints as --layout says, where the cache looks at them', async () => {
    const simulated = async (...more: readonly string[]) => {
      const args = ['simulate', '--example', '--policy', 'never', '--json', ...more];
      const [model] = JSON.parse((await runHere(args)).stdout).models;
      return { layout: model.layout, cached: model.policies[0].cacheReadTokens };
    };
    const usual = await simulated();
    const others = await simulated('--layout', 'system_and_3');
    assert.deepEqual([usual.layout, others.layout], ['turns', 'system_and_3']);
    assert.deepEqual(await simulated('--layout', 'turns'), usual);
    // The example has a step with more results than Anthropic looks back over, or none: it never gets better by that.
    assert.ok(others.cached > 0 && others.cached <= usual.cached);
    assert.equal((await simulated('--model', 'gpt-5.5', '--layout', 'turns')).layout, undefined);
    const wrong = await runProcess(['simulate', '--example', '--layout', 'four']);
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /--layout.*system_and_3, turns/s);
  });

  it('C2 takes the life of the cache from the configuration', async () => {
    const args = ['simulate', '--example', '--policy', 'never', '--json'];
    const { stdout } = await runHere(args, { env: { PALIMPSEST_MODEL_CACHE_TTL: '1h' } });
    const [{ rules }] = JSON.parse(stdout).models;
    assert.equal(rules.ttlSeconds, 3_600);
  });

  it('C4 ends with exit code 130 after a Ctrl-C', async () => {
    const onInterrupt = (listener: () => void): (() => void) => {
      setImmediate(listener);
      return () => undefined;
    };
    const { code, stderr } = await runHere(['simulate', '--example'], { onInterrupt });
    assert.equal(code, 130);
    assert.match(stderr, /interrupted: nothing was written/);
  });

  it('says what is wrong with a policy, a model or a file', async () => {
    const policy = await runProcess(['simulate', '--example', '--policy', 'cheapest']);
    assert.equal(policy.code, 2);
    assert.match(policy.stderr, /the policies are planned, /);
    const model = await runHere(['simulate', '--example', '--model', 'my-model']);
    assert.equal(model.code, 2);
    assert.match(model.stderr, /"my-model": name another one/);
    for (const flag of ['--policy', '--model']) {
      const none = await runHere(['simulate', '--example', flag, ' ,']);
      assert.equal(none.code, 2, none.stdout);
      assert.match(none.stderr, new RegExp(`expected names after ${flag}, .*got " ,"`));
    }
    const file = await runHere(['simulate', 'missing.jsonl']);
    assert.equal(file.code, 3);
    assert.match(file.stderr, /missing\.jsonl/);
  });
});

interface Simulated {
  readonly model: string;
  readonly rules: { readonly name: string };
  readonly conversations: number;
  readonly calls: number;
}
