import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { inFolder, type Outcome, runHere, type TerminalOptions } from '../support/command-line.ts';
import { assertGolden } from '../support/golden.ts';
import { rollout } from '../support/usage-log.ts';

const call = { prompt: 40_000, cached: 30_000, output: 1_000 };
const logs = {
  'oven.jsonl': rollout('019f1111-d27a-7922-bc85-6667a164e1c3', 'Why is the oven timer late?', [
    ...[2, 2, 3, 5, 9].map((day) => ({ ...call, day })),
    { ...call, day: 9, prompt: 120_000, model: 'gpt-5.4-mini' },
  ]),
  'bread.jsonl': rollout('019f2222-d27a-7922-bc85-6667a164e1c3', 'Which <flour>?', [
    { ...call, day: 5, model: 'bakery-1' },
  ]),
};
const march = ['--since', '2026-03-01', '--until', '2026-03-10'];

type Insights = (args: readonly string[], options?: TerminalOptions) => Promise<Outcome>;

const withLogs = (use: (insights: Insights, cwd: string) => Promise<void>): Promise<void> =>
  inFolder(logs, async (cwd) => {
    const { code, stderr } = await runHere(['import', '.', '--store', 's.db'], { cwd });
    assert.equal(code, 0, stderr);
    await use((args, options = {}) => runHere(['insights', '--store', 's.db', ...args], { cwd, ...options }), cwd);
  });

/** A session of that folder, with one call of now. */
async function addCall(store: Store, { project }: { readonly project: string }): Promise<void> {
  const { id } = await store.sessions.create({ source: 'library', project });
  await store.messages.append(id, [{ role: 'user', parts: [{ type: 'text', text: 'Why is the oven timer late?' }] }]);
  const tokens = { inputTokens: 100, outputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
  await store.usage.add({ sessionId: id, model: 'gpt-5.5', task: 'turn', ...tokens, costUsd: 0.5 });
}

describe('palimpsest insights', () => {
  it('U2 shows price, savings, models, sources, days and the largest conversations', () =>
    withLogs(async (insights) => {
      const { code, stdout, stderr } = await insights(march);
      assert.deepEqual([code, stderr], [0, '']);
      assertGolden('cli/golden/insights.txt', stdout.replaceAll(/\b01[0-9a-f]{6}-[0-9a-f]{4,}\b/g, 'ID'));
    }));

  it('U2 no line is wider than the terminal, with colours or without, in ASCII too', () =>
    withLogs(async (insights) => {
      for (const columns of [60, 80, 120]) {
        for (const env of [{}, { LANG: 'C' }]) {
          const { stdout } = await insights(march, { isTerminal: true, columns, env });
          const plain = stdout.replaceAll(/\u001b\[\d+m/g, '');
          assert.notEqual(plain, stdout);
          const widest = Math.max(...plain.split('\n').map((line) => line.length));
          assert.ok(widest <= columns, `${widest} of ${columns}\n${plain}`);
        }
      }
    }));

  it('U2 gives programs every group and every day', () =>
    withLogs(async (insights) => {
      const { stdout } = await insights([...march, '--json']);
      const { totals, cost, models, sources, days, largest } = JSON.parse(stdout);
      assert.deepEqual([totals.calls, totals.unpriced, cost.status], [7, 1, 'part']);
      assert.deepEqual(
        models.map(({ name, calls }: { name: string; calls: number }) => [name, calls]),
        [
          ['openai/gpt-5.5', 5],
          ['openai/gpt-5.4-mini', 1],
          ['openai/bakery-1', 1],
        ],
      );
      assert.deepEqual([sources.length, days.length, largest.length], [1, 10, 2]);
      assert.deepEqual(
        days.map(({ calls }: { calls: number }) => calls),
        [0, 2, 1, 0, 2, 0, 0, 0, 2, 0],
      );
    }));

  it('U2 shows one table whole with --by', () =>
    withLogs(async (insights) => {
      const { stdout } = await insights([...march, '--by', 'day']);
      const days = [...stdout.matchAll(/^ +(2026-\d\d-\d\d) /gm)].map(([, day]) => day);
      assert.deepEqual(days, ['2026-03-02', '2026-03-03', '2026-03-05', '2026-03-09']);
      const wrong = await insights(['--by', 'moon']);
      assert.equal(wrong.code, 2);
    }));

  it('U2 says when something was used where nothing was in the time asked for', () =>
    withLogs(async (insights) => {
      const { code, stdout, stderr } = await insights([]);
      assert.deepEqual([code, stdout], [0, '']);
      assert.match(stderr, /nothing was used from .*; calls were counted from 2026-03-02 to 2026-03-09: --since/);
    }));

  it('U2 writes a page that needs no network and no script, with a table beside every chart, and nothing unescaped', () =>
    withLogs(async (insights, cwd) => {
      const { stdout } = await insights([...march, '--html']);
      assert.equal(stdout, 'wrote palimpsest-insights.html\n');
      const page = readFileSync(join(cwd, 'palimpsest-insights.html'), 'utf8');
      assert.ok(!/<script|<link|<img|@import|url\(|https?:/i.test(page));
      assert.match(page, /<!doctype html>\n<html lang="en">/);
      assert.match(page, /prefers-color-scheme: dark/);
      assert.ok(!page.includes('<flour>') && page.includes('&lt;flour&gt;'));
      const figures = page.match(/<figure.*?<\/figure>/gs) ?? [];
      assert.equal(figures.length, 2);
      for (const figure of figures) assert.match(figure, /role="img" aria-label="[^"]+".*<table>/s);
      assert.match(page, /2026-03-09: ~\$0\.17\nopenai\/gpt-5\.5/);
      assert.match(page, /<dt>Price<\/dt><dd>~\$0\.55\+<small>at least, by list prices/);
      const opened = [...page.matchAll(/<(section|figure|table|tr|td|g|svg|div|dl|details|ul|main)\b/g)].map(
        ([, tag]) => tag,
      );
      const closed = [...page.matchAll(/<\/(section|figure|table|tr|td|g|svg|div|dl|details|ul|main)>/g)].map(
        ([, tag]) => tag,
      );
      assert.deepEqual(opened.sort(), closed.sort());
    }));

  it('U2 says of which calls the savings are, and never what a part would have cost without a cache as the whole', () =>
    withLogs(async (insights) => {
      assert.match((await insights(march)).stdout, /cache +saved ~\$\S+ on calls with a known price;/);
      const { stdout: page } = await insights([...march, '--html', '-']);
      assert.match(page, /<dt>Saved by the cache<.*?on calls with a known price; without it at least ~\$/s);
      const { stdout: whole } = await insights(['--since', '2026-03-02', '--until', '2026-03-03']);
      assert.match(whole, /cache +saved ~\$\S+; \d+ %/);
    }));

  it('U2 says how many rows a table leaves out, and what the figures of a conversation are', () =>
    inFolder({}, async (cwd) => {
      await using store = await openStore({ path: join(cwd, 's.db') });
      for (let at = 0; at < 11; at++) await addCall(store, { project: `/home/ada/${at}` });
      const { stdout } = await runHere(['insights', '--store', 's.db'], { cwd });
      assert.match(stdout, /^ {2}and 3 more: --by project$/m);
      assert.match(stdout, /^ {2}largest +with all they ever used/m);
      const { stdout: whole } = await runHere(['insights', '--by', 'project', '--store', 's.db'], { cwd });
      assert.ok(!whole.includes('more') && whole.includes('/home/ada/10'), whole);
    }));

  it('U2 S6 shows no credential that stands in the name of a folder', () =>
    inFolder({}, async (cwd) => {
      const key = ['ghp', '16C7e42F292c6912E7710c838347Ae178B4a'].join('_');
      await using store = await openStore({ path: join(cwd, 's.db') });
      for (const project of [`/home/ada/${key}`, '/home/ada/oven']) await addCall(store, { project });
      for (const how of [['--json'], ['--html', '-'], ['--by', 'project'], []]) {
        const { stdout } = await runHere(['insights', '--store', 's.db', ...how], { cwd, columns: 300 });
        assert.ok(stdout.includes('oven') && !stdout.includes('16C7e42F'), stdout);
      }
    }));

  it('U2 writes the page where it is told to', () =>
    withLogs(async (insights, cwd) => {
      assert.match((await insights([...march, '--html', '-'])).stdout, /^<!doctype html>[\s\S]*<\/html>\n$/);
      await insights([...march, '--html', 'spring.html', '--quiet']);
      assert.ok(existsSync(join(cwd, 'spring.html')));
      const nowhere = await insights([...march, '--html', 'no/folder.html']);
      assert.equal(nowhere.code, 3);
    }));
});
