/** `palimpsest outputs`, over a store in a folder. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { createOutputBudget } from '../../packages/core/src/output/budget.ts';
import { openStore } from '../../packages/core/src/store/open-store.ts';
import type { Store } from '../../packages/core/src/store/store.ts';
import { spilledOutput } from '../../packages/core/src/transcript/text.ts';
import { compressed } from '../recall/session-search/stored.ts';
import { inFolder, type Outcome, runHere, runProcess, type TerminalOptions } from '../support/command-line.ts';
import { user } from '../support/conversations.ts';

const requests = (count: number): string =>
  Array.from({ length: count }, (_, i) => `request ${i + 1} took ${i % 9} ms`).join('\n');

const secret = 'hunter2secretAB99';
const keyLines = Array.from({ length: 20 }, (_, i) =>
  createHash('sha512').update(String(i)).digest('base64').slice(0, 64),
);
const key = ['-----BEGIN RSA PRIVATE KEY-----', ...keyLines, '-----END RSA PRIVATE KEY-----'];
/** Line 3001 speaks of the failure, 3002 has a password, 3003 to 3024 are a key. */
const log = `${requests(3_000)}\nError: missing symbol foo\npassword=${secret}\n${key.join('\n')}\nafter \u001b[31mthe key\n${requests(3_000)}\n`;
const json = JSON.stringify({ rows: Array.from({ length: 4_000 }, (_, row) => ({ row, name: `name ${row}` })) });

interface Setting {
  readonly cwd: string;
  readonly store: Store;
  readonly run: (words: readonly string[], options?: TerminalOptions) => Promise<Outcome>;
  /** Saved from a tool loop of the session `Heron build`. */
  readonly build: string;
  /** One long line, of no session. */
  readonly rows: string;
}

/** A folder with a store of two saved results; it stays open beside the command, as an agent would have it. */
async function withOutputs(use: (setting: Setting) => Promise<void>): Promise<void> {
  await inFolder({}, async (cwd) => {
    await using store = await openStore({ path: join(cwd, 'kept.db') });
    const { id: sessionId } = await store.sessions.create({ source: 'test', title: 'Heron build' });
    const budget = createOutputBudget({ outputs: store.outputs, sessionId });
    const { content } = await budget.admit({ toolName: 'bash', callId: 'c1', content: log });
    const build = spilledOutput(content) ?? assert.fail('was not saved');
    const rows = (await store.outputs.save(json, { tool: 'db\u001b[31m|query' })).id;
    const run = (words: readonly string[], options: TerminalOptions = {}): Promise<Outcome> =>
      runHere(['outputs', ...words, '--store', 'kept.db'], { cwd, ...options });
    await use({ cwd, store, run, build, rows });
  });
}

interface Listed {
  readonly outputs: readonly { readonly id: string; readonly tool: string | null; readonly session: string | null }[];
  readonly hasMore: boolean;
}

describe('palimpsest outputs list', () => {
  test('R3 lists the saved results with size, lines, time, session and tool, the newest first', () =>
    withOutputs(async ({ run, build, rows }) => {
      const { code, stdout } = await run(['list'], { columns: 120 });
      assert.equal(code, 0);
      const [titles, first, second] = stdout.split('\n');
      assert.match(titles ?? '', /^id +saved +size +lines +session +tool$/);
      assert.ok(first?.startsWith(rows) && first.endsWith('db\\x1b[31m|query'), first);
      assert.match(
        second ?? '',
        new RegExp(`^${build} {2}\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d +1\\d\\d\\.\\d KB {2}6,025  [0-9a-f-]+  bash$`),
      );
    }));

  test('R3 --session lists those of one conversation, --json for programs', () =>
    withOutputs(async ({ run, build }) => {
      const { stdout } = await run(['list', '--session', 'heron build', '--json']);
      // The command's own document.
      const { outputs, hasMore } = JSON.parse(stdout) as Listed;
      assert.deepEqual([outputs.map(({ id, tool }) => [id, tool]), hasMore], [[[build, 'bash']], false]);
    }));

  test('R3 a session that continues another has the results of both', () =>
    withOutputs(async ({ run, store, build }) => {
      const [tip] = await store.sessions.find('Heron build');
      const before = tip?.id ?? assert.fail('no session');
      await store.messages.append(before, [user('build it'), user('again'), user('and again')]);
      const id = await compressed(store, before, 1);
      // The command's own document.
      const { outputs } = JSON.parse((await run(['list', '--session', id, '--json'])).stdout) as Listed;
      assert.deepEqual(
        outputs.map((one) => one.id),
        [build],
      );
    }));

  test('R3 says how many there are where it shows fewer, and that there are none', () =>
    withOutputs(async ({ run, cwd }) => {
      assert.match((await run(['list', '--limit', '1'])).stderr, /showing 1 of 2: --limit N shows more/);
      await (await openStore({ path: join(cwd, 'empty.db') })).close();
      const none = await runHere(['outputs', 'list', '--store', 'empty.db'], { cwd });
      assert.deepEqual([none.code, none.stdout], [0, '']);
      assert.match(none.stderr, /there are no saved outputs/);
    }));
});

describe('palimpsest outputs read', () => {
  test('R3 --raw gives a pipe every byte as it was saved', () =>
    withOutputs(async ({ cwd, build, rows }) => {
      for (const [id, text] of [
        [build, log],
        [rows, json],
      ] as const) {
        const { code, stdout } = await runProcess(['outputs', 'read', id, '--raw', '--store', 'kept.db'], { cwd });
        assert.equal(code, 0);
        assert.ok(stdout === text);
      }
    }));

  test('R3 masks credentials and moves no line by it, wherever one begins to read', () =>
    withOutputs(async ({ run, build }) => {
      const whole = await run(['read', build.slice(0, 6)]);
      const lines = whole.stdout.split('\n');
      const given = log.split('\n');
      assert.equal(lines.length, given.length);
      for (const [at, line] of lines.entries()) {
        if (at === 3_001) assert.match(line, /^password=\[REDACTED:secret:[0-9a-f]{4}\]$/);
        else if (at >= 3_003 && at <= 3_022) assert.match(line, /^\[REDACTED:private-key:[0-9a-f]{4}\]$/);
        else assert.equal(line, given[at]);
      }
      assert.match(whole.stderr, /credentials are masked \(--raw shows them\)/);
      const inside = await run(['read', build, '--lines', '3010-3011']);
      assert.equal(inside.stdout, `${lines.slice(3_009, 3_011).join('\n')}\n`);
      const around = await run(['read', build, '--around', '3010', '--context', '0', '--json']);
      assert.ok(
        !around.stdout.includes(keyLines[6] ?? assert.fail()) && around.stdout.includes('REDACTED:private-key'),
      );
    }));

  test('R3 masks credentials wherever they stand in a text that is read in many pieces', () =>
    withOutputs(async ({ run, store }) => {
      const passwords = Array.from({ length: 300 }, (_, i) => createHash('sha256').update(`p${i}`).digest('hex'));
      const text = passwords
        .map((word, i) => `${requests(100 + (i % 7))}\npassword=${word}\n${i % 3 === 0 ? key.join('\n') : 'no key'}`)
        .join('\n');
      const { id } = await store.outputs.save(`${text}\n${'x'.repeat(700_000)}\n`);
      const given = `${text}\n${'x'.repeat(700_000)}\n`.split('\n');
      const lines = (await run(['read', id])).stdout.split('\n');
      assert.equal(lines.length, given.length);
      for (const [at, line] of given.entries()) {
        if (line.startsWith('password=')) assert.match(lines[at] ?? '', /^password=\[REDACTED:secret:[0-9a-f]{4}\]$/);
        else if (keyLines.includes(line)) assert.match(lines[at] ?? '', /^\[REDACTED:private-key:[0-9a-f]{4}\]$/);
        else assert.ok(lines[at] === line, `line ${at + 1}`);
      }
    }));

  test('R3 --lines gives just these lines, masked or not', () =>
    withOutputs(async ({ run, build }) => {
      for (const [range, from, to] of [
        ['2-4', 2, 4],
        ['4-2', 2, 4],
        ['6024-', 6_024, 6_025],
        ['17', 17, 17],
        ['6020-999999', 6_020, 6_025],
      ] as const) {
        const { stdout } = await run(['read', build, '--lines', range, '--raw']);
        assert.equal(
          stdout,
          `${log
            .split('\n')
            .slice(from - 1, to)
            .join('\n')}\n`,
        );
        assert.equal((await run(['read', build, '--lines', range])).stdout, stdout);
      }
    }));

  test('R3 --around shows a line with those around it, and --match each line that holds the words', () =>
    withOutputs(async ({ run, build }) => {
      const { stdout } = await run(['read', build, '--around', '3001', '--context', '1']);
      assert.match(
        stdout,
        /^ {2}3000 {2}request 3000 took 2 ms\n▶ 3001 {2}Error: missing symbol foo\n {2}3002 {2}password=\[REDACTED:secret:[0-9a-f]{4}\]\n$/,
      );
      const match = await run(['read', build, '--match', 'SYMBOL missing', '--context', '0']);
      assert.deepEqual([match.code, match.stdout], [0, '▶ 3001  Error: missing symbol foo\n']);
      const two = await run(['read', build, '--match', 'request 2999', '--context', '1', '--limit', '2']);
      assert.deepEqual(
        two.stdout.split('\n').map((line) => line.slice(0, 6)),
        ['  2998', '▶ 2999', '  3000', '⋮', '  6023', '▶ 6024', '  6025', ''],
      );
    }));

  test('R3 --match shows the places of a line that is too long, and --chars reads from there', () =>
    withOutputs(async ({ run, rows }) => {
      const { stdout } = await run(['read', rows, '--match', '"row":3999', '--json']);
      const [, char = ''] = /"char": (\d+)/.exec(stdout) ?? [];
      assert.equal(Number(char), json.indexOf('"row":3999') + 1);
      const piece = await run(['read', rows, '--lines', '1', '--chars', `${char}-${Number(char) + 9}`]);
      assert.equal(piece.stdout, '"row":3999');
    }));

  test('R3 --chars that begin inside of a credential show nothing of it', () =>
    withOutputs(async ({ run, build }) => {
      const from = 'password=hunter'.length + 1;
      const piece = await run(['read', build, '--lines', '3002', '--chars', `${from}-${from + 3}`]);
      assert.equal(piece.stdout, '[REDACTED:…]');
      assert.match(piece.stderr, /credentials are masked/);
      assert.equal(
        (await run(['read', build, '--lines', '3002', '--chars', `${from}-`, '--raw'])).stdout,
        '2secretAB99',
      );
    }));

  test('R3 of a line that is very long --around shows the start, and says how to read on', () =>
    withOutputs(async ({ run, rows }) => {
      const { stdout } = await run(['read', rows, '--around', '1']);
      const more = `… ${(json.length - 2_000).toLocaleString('en')} more characters: --lines 1 --chars 2001-`;
      assert.equal(stdout, `▶ 1  ${json.slice(0, 2_000)}${more}\n`);
    }));

  test('R3 a terminal is not driven by what a tool wrote, with --raw or without', () =>
    withOutputs(async ({ run, build }) => {
      for (const more of [[], ['--raw'], ['--around', '3025']]) {
        const { stdout } = await run(['read', build, '--no-color', ...more], { isTerminal: true });
        assert.ok(!stdout.includes('\u001b') && stdout.includes('after \\x1b[31mthe key'));
      }
    }));

  test('R2 a text that was altered behind the store is shown for what it is', () =>
    withOutputs(async ({ run, store, cwd }) => {
      const { id } = await store.outputs.save(`${'x'.repeat(10)}\nall is well\n`);
      const database = new DatabaseSync(join(cwd, 'kept.db'));
      database.exec(
        `update output_pieces set body = cast(replace(cast(body as text), 'all is well', 'all is lost') as blob) where output = (select seq from outputs where id = '${id}')`,
      );
      database.close();
      const { code, stderr } = await run(['read', id, '--raw']);
      assert.equal(code, 3);
      assert.match(stderr, /was changed outside Palimpsest/);
    }));

  test('R3 says what is wrong with an id and with options', () =>
    withOutputs(async ({ run, build }) => {
      for (const [words, expected] of [
        [['../../etc/passwd'], /there is no saved output "\.\.\/\.\.\/etc\/passwd": give its id/],
        [['ab\0cd'], /there is no saved output "ab\\u0000cd"/],
        [['a'.repeat(300)], /there is no saved output "a{80}": give/],
        [['abc'], /at least the first four characters/],
        [['ID', '--lines', '7000'], /has 6,025 lines; got line 7000/],
        [['ID', '--around', '0'], /--around to be a whole number from 1 on, got "0"/],
        [['ID', '--lines', 'some'], /two numbers from 1 on, such as 120-180/],
        [['ID', '--lines', '1', '--match', 'x'], /only one of --lines, --around and --match/],
        [['ID', '--chars', '1-2'], /--chars with one line in --lines/],
        [['ID', '--lines', '1', '--chars', '90-'], /the line, which has 19; got character 90/],
        [['ID', '--context', '2'], /--context with --around or --match/],
        [['ID', '--raw', '--match', 'x'], /--raw without --match/],
        [['ID', '--match', ' '], /--match with a word to look for/],
      ] as const) {
        const { code, stdout, stderr } = await run(['read', ...words.map((word) => (word === 'ID' ? build : word))]);
        assert.deepEqual([code, stdout], [2, ''], words.join(' '));
        assert.match(stderr, expected);
      }
    }));

  test('R3 an id that may stand for several names them', () =>
    withOutputs(async ({ run, store }) => {
      const ids: string[] = [];
      const shared = (): string | undefined =>
        ids.find((id, at) => ids.findIndex((other) => other.slice(0, 4) === id.slice(0, 4)) !== at)?.slice(0, 4);
      while (shared() === undefined) ids.push((await store.outputs.save(`text ${ids.length}`)).id);
      const { code, stderr } = await run(['read', shared() ?? '']);
      assert.equal(code, 2);
      assert.equal(ids.filter((id) => stderr.includes(id)).length, 2);
    }));
});

describe('palimpsest outputs search', () => {
  test('R3 finds lines in all results and in one, and says how to read on', () =>
    withOutputs(async ({ run, build, rows }) => {
      const all = await run(['search', '399']);
      assert.ok(all.stdout.includes(rows) && all.stdout.includes(build));
      const one = await run(['search', 'symbol missing', build.slice(0, 8)]);
      assert.equal(one.code, 0);
      assert.match(one.stdout, new RegExp(`^${build}  bash  .*\\n3001: Error: missing symbol foo\\n$`));
      assert.match(one.stderr, new RegExp(`palimpsest outputs read ${build} --around 3001`));
    }));

  test('R3 --session searches the results of one conversation', () =>
    withOutputs(async ({ run, rows }) => {
      assert.ok(!(await run(['search', '399', '--session', 'Heron build'])).stdout.includes(rows));
    }));

  test('R3 masks credentials in what it shows, of lines and of places in long ones', () =>
    withOutputs(async ({ run, store }) => {
      await store.outputs.save(`${'{"a":1},'.repeat(2_000)}{"password":"${secret}"}`);
      const { stdout } = await run(['search', 'password', '--json']);
      assert.equal(stdout.match(/password[^\n]*\[REDACTED:secret:[0-9a-f]{4}\]/g)?.length, 2);
      assert.ok(!stdout.includes(secret));
      const piece = await run(['search', keyLines[6] ?? '']);
      assert.match(piece.stdout, /\n3010: \[REDACTED:private-key:[0-9a-f]{4}\]\n$/);
    }));

  test('R3 ends with 1 where nothing is found, and tells a second word from an id', () =>
    withOutputs(async ({ run }) => {
      const none = await run(['search', 'zebra']);
      assert.deepEqual([none.code, none.stdout], [1, '']);
      assert.match(none.stderr, /no line contains every word/);
      const words = await run(['search', 'missing', 'symbol']);
      assert.equal(words.code, 2);
      assert.match(words.stderr, /no saved output "symbol".* Put a query of several words in quotation marks/);
      assert.equal((await run(['search', ' '])).code, 2);
    }));

  test('R3 says that there may be more', () =>
    withOutputs(async ({ run }) => {
      const { stdout, stderr } = await run(['search', 'request', '--limit', '3']);
      assert.equal(stdout.split('\n').length, 5);
      assert.match(stderr, /there may be more matches: --limit N shows more/);
    }));
});
