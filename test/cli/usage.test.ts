import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openStore } from '../../packages/core/src/store/open-store.ts';
import { inFolder, type Outcome, runHere, type TerminalOptions } from '../support/command-line.ts';
import { assertGolden } from '../support/golden.ts';
import { chatFile } from '../support/small-session.ts';
import { rollout } from '../support/usage-log.ts';

const id = '019f1111-5c0a-7a31-9b44-0d1e2f3a4b5c';
const log = rollout(id, 'Why is the oven timer late?', [
  { day: 2, prompt: 20_000, cached: 0, output: 500 },
  { day: 2, prompt: 21_000, cached: 20_000, output: 700 },
  { day: 3, prompt: 90_000, cached: 89_000, output: 1_500, model: 'gpt-5.4-mini' },
]);

type Usage = (args: readonly string[], options?: TerminalOptions) => Promise<Outcome>;

const withLog = (use: (usage: Usage, cwd: string) => Promise<void>): Promise<void> =>
  inFolder({ 'log.jsonl': log }, async (cwd) => {
    const { code, stderr } = await runHere(['import', 'log.jsonl', '--store', 's.db'], { cwd });
    assert.equal(code, 0, stderr);
    await use((args, options = {}) => runHere(['usage', '--store', 's.db', ...args], { cwd, ...options }), cwd);
  });

describe('palimpsest usage', () => {
  it('U2 says what the last active conversation used and cost, what the cache saved, and how full its context is', () =>
    withLog(async (usage) => {
      const { code, stdout, stderr } = await usage([]);
      assert.deepEqual([code, stderr], [0, '']);
      assertGolden('cli/golden/usage.txt', stdout);
    }));

  it('U2 gives programs the same figures', () =>
    withLog(async (usage) => {
      const { stdout } = await usage([id, '--json']);
      const { totals, cost, savings, context, calls } = JSON.parse(stdout);
      assert.deepEqual(
        [totals.calls, totals.inputTokens, totals.cacheReadTokens, totals.outputTokens],
        [3, 22_000, 109_000, 2_700],
      );
      // By the list: 5 and 0.50 for a million read, 30 written; of the small one 0.75, 0.075 and 4.50.
      const priced = (21_000 * 5 + 20_000 * 0.5 + 1_200 * 30 + 1_000 * 0.75 + 89_000 * 0.075 + 1_500 * 4.5) / 1e6;
      assert.equal(cost.status, 'whole');
      assert.ok(Math.abs(cost.amount - priced) < 1e-9);
      assert.ok(Math.abs(savings.saved - (20_000 * 4.5 + 89_000 * 0.675) / 1e6) < 1e-9);
      assert.deepEqual([context.reportedTokens, context.addedTokens], [90_000, 0]);
      assert.equal(calls.length, 2);
    }));

  it('U2 never shows a part of the price as the whole', () =>
    withLog(async (usage, cwd) => {
      {
        await using store = await openStore({ path: join(cwd, 's.db') });
        const [row] = await store.sessions.list();
        const tokens = {
          inputTokens: 10,
          outputTokens: 1,
          cacheReadTokens: 0,
          cacheWriteTokens: 0,
          reasoningTokens: 0,
        };
        const call = { sessionId: row?.tip.id ?? '', model: 'nobody/knows', task: 'summary', ...tokens };
        await store.usage.add([call, { ...call, costUsd: 0, isPartial: true }]);
      }
      const { stdout } = await usage([]);
      assert.match(stdout, /price +at least ~\$0\.17 by list prices/);
      assert.match(stdout, /the price of 1 of 5 calls is unknown/);
      assert.match(stdout, /the report of 1 of 5 calls is incomplete/);
      assert.match(stdout, /nobody\/knows \(summary\) .*~?\$0\.00\+/);
      const { cost } = JSON.parse((await usage(['--json'])).stdout);
      assert.equal(cost.status, 'part');
    }));

  it('U2 says so where nothing was counted, and what is wrong with what was asked', () =>
    inFolder({ 'chat.json': chatFile(2) }, async (cwd) => {
      const none = await runHere(['usage'], { cwd });
      assert.equal(none.code, 3);
      assert.match(none.stderr, /There is no store/);
      await runHere(['import', 'chat.json'], { cwd });
      assert.match((await runHere(['usage'], { cwd })).stdout, /no calls/);
      assert.equal((await runHere(['usage', 'nobody'], { cwd })).code, 2);
    }));

  it('U2 shows the last active conversation without SESSION, and has no second way to say so', () =>
    withLog(async (usage, cwd) => {
      {
        await using store = await openStore({ path: join(cwd, 's.db') });
        const { id } = await store.sessions.create({ source: 'cli', title: 'The newest one' });
        await store.messages.append(id, [{ role: 'user', parts: [{ type: 'text', text: 'hello' }] }]);
      }
      assert.match((await usage([])).stdout, /^The newest one\n/);
      const last = await usage(['--last']);
      assert.equal(last.code, 2);
      assert.match(last.stderr, /unknown option '--last'/);
    }));

  it('U2 sends nothing of a name to the terminal that could change it', () =>
    inFolder({}, async (cwd) => {
      await using store = await openStore({ path: join(cwd, 's.db') });
      const { id } = await store.sessions.create({ source: 'bad\u001b[31m\u0007', project: '/x\u001b[31m' });
      await store.messages.append(id, [{ role: 'user', parts: [{ type: 'text', text: 'hello\u001b[31m' }] }]);
      const { stdout } = await runHere(['usage', '--store', 's.db'], { cwd });
      assert.ok(stdout.includes('bad\\x1b[31m\\x07') && !/[\u001b\u0007]/.test(stdout), JSON.stringify(stdout));
    }));
});
