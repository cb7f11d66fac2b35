import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openStore } from '../../packages/core/src/store/open-store.ts';
import type { Store } from '../../packages/core/src/store/store.ts';
import type { Message } from '../../packages/core/src/transcript/message.ts';
import { inFolder, type Outcome, runHere, type TerminalOptions } from '../support/command-line.ts';
import { assertGolden } from '../support/golden.ts';
import { rollout } from '../support/usage-log.ts';

const call = { prompt: 40_000, cached: 30_000, output: 1_000 };
const logs = {
  'oven.jsonl': rollout('019f1111-5c0a-7a31-9b44-0d1e2f3a4b5c', 'Why is the oven timer late?', [
    ...[2, 2, 3, 5, 9].map((day) => ({ ...call, day })),
    { ...call, day: 9, prompt: 120_000, model: 'gpt-5.4-mini' },
  ]),
  'bread.jsonl': rollout('019f2222-5c0a-7a31-9b44-0d1e2f3a4b5c', 'Which <flour>?', [
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

/** A call of a tool and what came of it: the first two fail. */
function toolStep(name: string, at: number): readonly Message[] {
  const callId = `call-${at}`;
  const text = 'bread '.repeat(100);
  return [
    { role: 'assistant', parts: [{ type: 'toolCall', callId, name, input: '{}', inputType: 'json' }] },
    { role: 'tool', parts: [{ type: 'toolResult', callId, content: [{ type: 'text', text }], isError: at < 2 }] },
  ];
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

  it('U2 --by gives programs the rows of the table that a person sees, beside all groups', () =>
    withLogs(async (insights) => {
      const rowsOf = async (by: string): Promise<readonly Record<string, unknown>[]> => {
        const { stdout } = await insights([...march, '--by', by, '--json']);
        const { by: told, rows, models, days } = JSON.parse(stdout);
        assert.deepEqual([told, models.length, days.length], [by, 3, 10]);
        return rows;
      };
      assert.deepEqual(
        (await rowsOf('model')).map(({ name }) => name),
        ['openai/gpt-5.5', 'openai/gpt-5.4-mini', 'openai/bakery-1'],
      );
      const days = await rowsOf('day');
      assert.deepEqual(
        days.map(({ day, calls }) => [day, calls]),
        [
          ['2026-03-02', 2],
          ['2026-03-03', 1],
          ['2026-03-05', 2],
          ['2026-03-09', 2],
        ],
      );
      const { rows, by } = JSON.parse((await insights([...march, '--json'])).stdout);
      assert.deepEqual([rows, by], [undefined, undefined]);
    }));

  it('U2 --by opens the page with that table, whole', () =>
    withLogs(async (insights) => {
      const headings = async (...args: readonly string[]): Promise<readonly string[]> => {
        const { stdout } = await insights([...march, ...args, '--html', '-']);
        return [...stdout.matchAll(/<h2[^>]*>([^<]+)<\/h2>/g)].map(([, heading]) => heading ?? '');
      };
      const charts = ['Price per day, by model', 'Cache reads per day', 'Tokens by kind'];
      assert.deepEqual(await headings(), [...charts, 'Models', 'Sources', 'Largest conversations']);
      assert.deepEqual(await headings('--by', 'source'), ['Sources', ...charts, 'Models', 'Largest conversations']);
      assert.deepEqual((await headings('--by', 'project'))[0], 'Projects');
      const { stdout } = await insights([...march, '--by', 'day', '--html', '-']);
      const [, table = ''] = /<h2>Days<\/h2>(.*?)<\/table>/s.exec(stdout) ?? [];
      assert.equal(table.match(/<td class="name">2026-03-\d\d<\/td>/g)?.length, 4);
    }));

  it('U2 refuses --json beside --html: one of them would be ignored', () =>
    withLogs(async (insights, cwd) => {
      const { code, stdout } = await insights([...march, '--json', '--html']);
      assert.equal(code, 2);
      assert.match(JSON.parse(stdout).error.message, /expected --json or --html, got both/);
      assert.ok(!existsSync(join(cwd, 'palimpsest-insights.html')));
    }));

  it('U2 a time in days begins with a whole day, and a day that is not over says so', () =>
    inFolder({}, async (cwd) => {
      await using store = await openStore({ path: join(cwd, 's.db') });
      await addCall(store, { project: '/home/ada/oven' });
      const here = (...args: readonly string[]): Promise<Outcome> =>
        runHere(['insights', '--store', 's.db', ...args], { cwd });
      for (const since of ['3d', '1w', '2mo']) {
        const { days, since: from } = JSON.parse((await here('--since', since, '--json')).stdout);
        const begin = new Date(from);
        assert.deepEqual([begin.getHours(), begin.getMinutes(), begin.getMilliseconds()], [0, 0, 0], since);
        assert.deepEqual(
          days.map(({ isOver }: { isOver: boolean }) => isOver),
          days.map((_: unknown, at: number) => at < days.length - 1),
        );
      }
      const { stdout } = await here('--since', '3d');
      assert.match(stdout, /^\S+ to \S+ {2}4 days, the last day is incomplete$/m);
      assert.match(stdout, /^ +\d{4}-\d\d-\d\d +\d{4}-\d\d-\d\d so far$/m);
      assert.match((await here('--by', 'day')).stdout, /^ {2}\d{4}-\d\d-\d\d so far /m);
      const { stdout: page } = await here('--since', '3d', '--html', '-');
      assert.match(page, /<g class="part"><title>\d{4}-\d\d-\d\d \(so far\): ~\$0\.50/);
    }));

  it('U2 a time that begins or ends within a day says when', () =>
    withLogs(async (insights) => {
      const { stdout } = await insights(['--since', '2026-03-02 08:30', '--until', '2026-03-05 23:30']);
      assert.match(stdout, /4 days, the first day from 08:30, the last day to 23:30/);
      assert.match(stdout, /^ +2026-03-02 from 08:30 2026-03-05 to 23:30$/m);
      assert.match(stdout, /^ {2}2026-03-02 from 08:30 /m);
    }));

  it('U2 marks a last column of fewer days than the others', () =>
    withLogs(async (insights) => {
      const { stdout } = await insights(['--since', '2025-01-03', '--until', '2026-03-10']);
      assert.match(stdout, /price per week/);
      assert.match(stdout, / 2026-03-10 only 5 days$/m);
    }));

  it('U2 shows the tools that were used most: calls, failures and what their results brought in', () =>
    inFolder({}, async (cwd) => {
      await using store = await openStore({ path: join(cwd, 's.db') });
      await addCall(store, { project: '/home/ada/oven' });
      const [row] = await store.sessions.list();
      const key = ['ghp', '16C7e42F292c6912E7710c838347Ae178B4a'].join('_');
      const names = [...Array(5).fill('look'), 'bake', 'bake', 'mix <all>', key, ...'abcdefgh'];
      await store.messages.append(row?.tip.id ?? '', names.flatMap(toolStep));
      const here = async (...args: readonly string[]): Promise<string> =>
        (await runHere(['insights', '--store', 's.db', ...args], { cwd })).stdout;
      const report = await here();
      assert.match(report, /^ {2}tool +calls +failed +result tokens$/m);
      assert.match(report, /^ {2}look +█{12} +5 +2 +~520$/m);
      assert.match(report, /^ {2}and 4 more: --by tool$/m);
      const whole = await here('--by', 'tool');
      assert.equal(whole.trim().split('\n').length, 13);
      const { tools, rows, toolsFrom } = JSON.parse(await here('--by', 'tool', '--json'));
      assert.deepEqual(tools[0], { name: 'look', calls: 5, errors: 2, resultTokens: 520 });
      assert.deepEqual([rows, toolsFrom], [tools, { messages: 35, isWhole: true }]);
      const page = await here('--html', '-');
      assert.match(page, /<h2>Tools<\/h2>.*mix &lt;all&gt;/s);
      for (const text of [report, whole, page, JSON.stringify(tools)]) assert.ok(!text.includes('16C7e42F'), text);
    }));

  it('U2 says when something was used where nothing was in the time asked for', () =>
    withLogs(async (insights) => {
      const { code, stdout, stderr } = await insights([]);
      assert.deepEqual([code, stdout], [0, '']);
      assert.match(stderr, /there are no calls from .*, but from 2026-03-02 to 2026-03-09: --since/);
    }));

  it('U2 says that a time in the future is no time to look at', () =>
    withLogs(async (insights) => {
      const { code, stdout, stderr } = await insights(['--since', '2999-01-01']);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, /expected --since to be in the past, got "2999-01-01"/);
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
      assert.match(stdout, /^ {2}largest +totals of all time/m);
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
