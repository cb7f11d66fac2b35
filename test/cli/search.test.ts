/** `palimpsest search` and `palimpsest read`, over a store in a folder. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { type FakeProviderOptions, startFakeProvider } from '@palimpsest/core/testing';
import { openStore } from '../../packages/core/src/store/open-store.ts';
import type { Store } from '../../packages/core/src/store/store.ts';
import { timeText } from '../../packages/palimpsest/src/cli/render/text.ts';
import { compressed, keep, noon } from '../recall/session-search/stored.ts';
import { inFolder, type Outcome, runHere, type TerminalOptions } from '../support/command-line.ts';
import { calls, result, user } from '../support/conversations.ts';

interface Setting {
  readonly cwd: string;
  readonly store: Store;
  readonly run: (words: readonly string[], options?: TerminalOptions) => Promise<Outcome>;
}

/** A folder with a store of three conversations; it stays open beside the command, as another process would have it. */
async function withStore(use: (setting: Setting) => Promise<void>): Promise<void> {
  await inFolder({}, async (cwd) => {
    await using store = await openStore({ path: join(cwd, 'kept.db') });
    await keep(store, ['Why did the heron deploy fail?', 'The port 8841 was taken by the old heron.'], {
      title: 'Heron deploy',
      project: join(cwd, 'lake'),
      source: 'codex',
      startedAt: noon - 86_400_000,
    });
    await keep(store, [
      user('look at the stork'),
      calls({ c1: 'bash' }, { command: 'ls' }),
      result('c1', 'stork.txt heron.txt'),
    ]);
    await keep(store, ['部署失败了', '回滚到上一个版本']);
    await use({
      cwd,
      store,
      run: (words, options = {}) => runHere([...words, '--store', 'kept.db'], { cwd, ...options }),
    });
  });
}

/** The document of `--json`. */
interface Found {
  readonly conversations: readonly {
    readonly session: string;
    readonly title: string | null;
    readonly opening?: string;
    readonly summary?: string | null;
    readonly noSummary?: string;
    readonly messages: readonly { readonly id: string; readonly speaker: string }[];
  }[];
  readonly found: number;
  readonly notes: readonly string[];
}

const found = ({ stdout }: Outcome): Found =>
  // The command's own document, whose members the tests look at.
  JSON.parse(stdout) as Found;

describe('palimpsest search', () => {
  test('Q1 shows conversations with the passages, the matches marked, and how to go on', () =>
    withStore(async ({ run }) => {
      const outcome = await run(['search', 'heron', 'port']);
      assert.equal(outcome.code, 0);
      const lines = outcome.stdout.split('\n');
      assert.equal(lines[0], 'Heron deploy');
      assert.match(lines[1] ?? '', new RegExp(`^[0-9a-f-]{36} {2}${timeText(noon - 86_400_000)} {2}codex$`));
      assert.match(outcome.stdout, / {4}The >>>port<<< 8841 was taken by the old >>>heron<<<\.\n/);
      assert.match(outcome.stdout, /tool bash\n {4}stork\.txt >>>heron<<<\.txt/);
      assert.match(outcome.stderr, /palimpsest read [0-9a-f]{16} shows a message in full/);
    }));
  test('Q1 says on a narrow terminal too when it was and where', () =>
    withStore(async ({ run }) => {
      const { stdout } = await run(['search', 'heron', '--no-color'], { isTerminal: true, columns: 40 });
      assert.match(stdout, /^Heron deploy\n[0-9a-f-]{36}\n\d{4}-\d\d-\d\d \d\d:\d\d {2}codex\n/m);
    }));

  test('Q1 marks the matches in colour where there is one', () =>
    withStore(async ({ run }) => {
      const { stdout } = await run(['search', 'stork'], { isTerminal: true, env: { FORCE_COLOR: '1' } });
      assert.ok(stdout.includes('\u001b[33mstork\u001b[39m') && !stdout.includes('>>>'));
    }));
  test('Q1 finds Chinese words, and ends with 1 where nothing is found', () =>
    withStore(async ({ run }) => {
      assert.match((await run(['search', '回滚'])).stdout, />>>回滚<<</);
      const none = await run(['search', 'pelican']);
      assert.deepEqual([none.code, none.stdout], [1, '']);
      assert.match(none.stderr, /no match: try fewer/);
    }));
  test('Q1 a query of nothing but signs is one that finds nothing', () =>
    withStore(async ({ run }) => {
      for (const query of ['"', '((', 'AND OR NOT', '*', "'; drop table messages; --"]) {
        assert.ok([0, 1].includes((await run(['search', query])).code ?? -1), query);
      }
    }));
  test('Q2 narrows by role, source, project, session and time', () =>
    withStore(async ({ run }) => {
      const titles = async (...words: string[]): Promise<readonly (string | null)[]> =>
        found(await run(['search', 'heron', '--json', ...words])).conversations.map(({ title }) => title);
      assert.equal((await titles()).length, 2);
      assert.deepEqual(await titles('--role', 'user,assistant'), ['Heron deploy']);
      assert.deepEqual(await titles('--role', 'tool'), ['look at the stork']);
      assert.deepEqual(await titles('--source', 'codex'), ['Heron deploy']);
      assert.deepEqual(await titles('--project', 'lake'), ['Heron deploy']);
      assert.deepEqual(await titles('--project', 'lak'), []);
      assert.deepEqual(await titles('--session', 'Heron deploy'), ['Heron deploy']);
      assert.deepEqual(await titles('--until', new Date(noon - 3_600_000).toISOString()), ['Heron deploy']);
      assert.deepEqual(await titles('--since', new Date(noon).toISOString()), ['look at the stork']);
      assert.deepEqual(await titles('--limit', '1'), ['Heron deploy']);
    }));
  test('Q2 takes a folder of Windows as it is written', () =>
    withStore(async ({ store, run }) => {
      await keep(store, ['a bittern calls'], { project: 'C:\\Users\\me\\marsh', title: 'Marsh' });
      for (const [folder, count] of [
        ['C:\\Users\\me', 1],
        ['C:\\Users\\me\\marsh\\', 1],
        ['C:\\Users\\m', 0],
      ] as const)
        assert.equal(found(await run(['search', 'bittern', '--json', '--project', folder])).found, count, folder);
    }));
  test('Q1 without a query lists the newest conversations', () =>
    withStore(async ({ run }) => {
      const { code, stdout } = await run(['search', '--limit', '2']);
      assert.equal(code, 0);
      assert.match(stdout, /title\n.*\n.*\n$/);
      assert.ok(!stdout.includes('Heron deploy'));
    }));
  test('Q1 the document of --json has the same keys with hits, without any, and without a query', () =>
    withStore(async ({ run }) => {
      const keys = 'command,query,store,conversations,found,corrected,relaxed,model,notes';
      for (const query of [['heron'], ['zzzqqq'], []]) {
        const { stdout } = await run(['search', ...query, '--json']);
        assert.equal(Object.keys(JSON.parse(stdout)).join(), keys);
      }
    }));

  test('Q1 a wrong value says what was expected', () =>
    withStore(async ({ run }) => {
      const rows: readonly (readonly [readonly string[], RegExp])[] = [
        [['--limit', '0'], /expected --limit to be a whole number from 1 to 50, got "0"/],
        [
          ['--role', 'developer'],
          /expected --role to be a list of roles, separated by commas \(user, assistant, tool, system\)/,
        ],
        [['--since', '3m'], /expected --since to be a time .*min means minutes, mo means months/],
        [['--since', 'today', '--until', 'yesterday'], /expected --since to be before --until/],
        [['--session', 'nobody'], /no conversation has the id or title/],
      ];
      for (const [words, message] of rows) {
        const { code, stderr } = await run(['search', 'x', ...words]);
        assert.equal(code, 2);
        assert.match(stderr, message);
      }
    }));
  test('Q1 a store that is not there says how to fill one', () =>
    inFolder({}, async (cwd) => {
      const { code, stderr } = await runHere(['search', 'x', '--store', 'none.db'], { cwd });
      assert.equal(code, 3);
      assert.match(stderr, /palimpsest import/);
    }));
  test('no credential and no control character reaches the terminal', () =>
    withStore(async ({ store, run }) => {
      const key = `ghp_${'aB3dE5fG7h'.repeat(4).slice(0, 36)}`;
      await keep(store, [`the egret\u001b[2J key ${key} of egrets`], { title: `Egret ${key}` });
      const { stdout } = await run(['search', 'egret'], { isTerminal: true });
      assert.match(stdout, /\\x1b\[2J/);
      assert.ok(!stdout.includes(key.slice(4, 20)) && !stdout.includes('\u001b[2J'));
    }));
});

interface ModelSetting extends Setting {
  readonly url: string;
  readonly requests: () => number;
  /** Settles when the model was asked. */
  readonly received: () => Promise<unknown>;
}

describe('palimpsest search with a model', () => {
  const withModel = (options: FakeProviderOptions, use: (setting: ModelSetting) => Promise<void>): Promise<void> =>
    withStore(async (setting) => {
      await using fake = await startFakeProvider({ apiKey: 'test-key', ...options });
      await use({
        ...setting,
        url: fake.baseUrl('openai-chat'),
        requests: () => fake.requests.length,
        received: () => fake.received(1),
      });
    });
  const env = { PALIMPSEST_API_KEY: 'test-key' };

  test('Q1 sums up each conversation', () =>
    withModel({ script: { text: 'The port 8841 was taken.' } }, async ({ run, url, requests }) => {
      const words = ['search', 'heron', '--session', 'Heron deploy', '--summarizer', 'mill-1', '--base-url', url];
      const { code, stdout, stderr } = await run(words, { env });
      assert.deepEqual([code, requests()], [0, 1]);
      assert.match(stdout, /^Heron deploy\n.*\n.*lake\n {2}The port 8841 was taken\.\n/);
      assert.match(stderr, /mill-1 reads 1 conversation\n/);
    }));
  test('Q1 one that cannot write leaves the passages', () =>
    withModel({ script: { error: { status: 401 } } }, async ({ run, url }) => {
      const outcome = await run(['search', 'port', '--json', '--summarizer', 'mill-1', '--base-url', url], { env });
      assert.equal(outcome.code, 0);
      const [first] = found(outcome).conversations;
      assert.equal(first?.summary, null);
      assert.match(first?.noSummary ?? '', /mill-1/);
    }));
  test('Q1 Ctrl-C while it writes ends with 130', () =>
    withModel({ script: { hang: true } }, async ({ run, url, received }) => {
      let interrupt = (): void => undefined;
      const onInterrupt = (listener: () => void): (() => void) => {
        interrupt = listener;
        return () => undefined;
      };
      const words = ['search', 'port', '--summarizer', 'mill-1', '--base-url', url];
      const running = run(words, { env, onInterrupt });
      await received();
      interrupt();
      const { code, stderr } = await running;
      assert.equal(code, 130);
      assert.match(stderr, /interrupted/);
    }));
  test('Q1 the configured one writes, --no-summarizer switches it off, and a project cannot name one', () =>
    withModel({ script: { text: 'The port was taken.' } }, async ({ cwd, run, url, requests }) => {
      const named = { ...env, PALIMPSEST_AUXILIARY_SESSION_SEARCH_MODEL: 'mill-1' };
      const at = { PALIMPSEST_AUXILIARY_SESSION_SEARCH_BASE_URL: url };
      assert.match((await run(['search', 'port'], { env: { ...named, ...at } })).stdout, /The port was taken/);
      await run(['search', 'port', '--no-summarizer'], { env: { ...named, ...at } });
      assert.equal(requests(), 1);
      const { writeFile } = await import('node:fs/promises');
      const section = `auxiliary: {session_search: {model: mill-1, base_url: "${url}"}}`;
      await writeFile(join(cwd, 'palimpsest.yaml'), section);
      const { stderr } = await run(['search', 'port'], { env });
      assert.match(stderr, /auxiliary\.session_search\.model, auxiliary\.session_search\.base_url in the project's/);
      assert.equal(requests(), 1);
    }));
});

/** Nothing is only to be read for the administrator. */
const isAdministrator = process.getuid?.() === 0;

test(
  'L1 a store that may only be read is searched and read, and not written',
  {
    skip: isAdministrator && 'the administrator may write everywhere',
  },
  () =>
    withStore(async ({ cwd, store }) => {
      const folder = join(cwd, 'locked');
      await mkdir(folder);
      const path = join(folder, 'backup.db');
      await store.care.backup(path);
      await chmod(path, 0o400);
      await chmod(folder, 0o500);
      try {
        const run = (...words: readonly string[]): Promise<Outcome> => runHere([...words, '--store', path], { cwd });
        const searched = await run('search', 'port', '--json');
        assert.equal(searched.code, 0);
        const id = found(searched).conversations[0]?.messages[0]?.id ?? '';
        assert.match((await run('read', id)).stdout, /8841/);
        const named = await run('sessions', 'title', 'Heron deploy', 'Other');
        assert.equal(named.code, 3);
        assert.match(named.stderr, /is read-only/);
      } finally {
        await chmod(folder, 0o700);
      }
    }),
);

describe('palimpsest read', () => {
  test('Q2 gives a message alone, so that it can be piped', () =>
    withStore(async ({ run }) => {
      const id = found(await run(['search', 'port', '--json'])).conversations[0]?.messages[0]?.id ?? '';
      const { code, stdout, stderr } = await run(['read', id]);
      assert.deepEqual([code, stdout], [0, 'The port 8841 was taken by the old heron.']);
      assert.match(stderr, /assistant, 2026-02-28T12:01:00\.000Z, in [0-9a-f-]{36} \(Heron deploy\)/);
    }));
  test('Q2 --raw gives the bytes that the id is the hash of', () =>
    withStore(async ({ store, run }) => {
      const key = `ghp_${'aB3dE5fG7h'.repeat(4).slice(0, 36)}`;
      const session = await keep(store, [`key ${key} 😀 \u0000`]);
      const [id = ''] = await store.messages.viewIds(session);
      const raw = (await run(['read', id, '--raw'])).stdout;
      assert.equal(createHash('sha256').update(raw).digest('hex').slice(0, 16), id);
      assert.ok(raw.includes(key));
      assert.ok(!(await run(['read', id])).stdout.includes(key));
    }));
  test('Q2 --raw and --json are two forms, of which there can be one', () =>
    withStore(async ({ run }) => {
      const { code, stdout } = await run(['read', 'Heron deploy', '--raw', '--json']);
      assert.equal(code, 2);
      assert.equal(JSON.parse(stdout).error.code, 'BAD_OPTION');
    }));

  test('Q2 --around shows what stands beside it, over the border of a compression', () =>
    withStore(async ({ store, run }) => {
      const first = await keep(store, ['m0', 'm1', 'm2', 'm3']);
      const next = await compressed(store, first, 1);
      await store.messages.append(next, [user('m4'), user('m5')]);
      const ids = await store.messages.viewIds(first);
      const { stdout } = await run(['read', ids[3] ?? '', '--around', '1']);
      const said = stdout.split('\n').filter((line) => /^(?:m\d|▶ |… )/.test(line));
      assert.deepEqual(said, [
        `m0  ${next}  6 messages`,
        '… 2 messages not shown',
        'm2',
        `▶ ${ids[3]}  ${timeText(noon + 180_000)}  assistant`,
        'm3',
        'm4',
        '… 1 message not shown',
      ]);
    }));
  test('Q2 reads a conversation from both ends by its id, the beginning of one, or its title', () =>
    withStore(async ({ store, run }) => {
      const many = Array.from({ length: 40 }, (_, i) => `line ${i}`);
      const id = await keep(store, many, { title: 'Forty' });
      for (const name of [id, id.slice(0, 22), 'Forty']) {
        const { stdout } = await run(['read', name]);
        assert.match(stdout, /^Forty {2}[0-9a-f-]{36} {2}40 messages\n/);
        assert.match(stdout, /line 19\n\n… 10 messages not shown\n\n.*\nline 30\n/);
      }
      const raw = await run(['read', 'Forty', '--raw']);
      assert.equal(raw.stdout.trimEnd().split('\n').length, 40);
    }));
  test('Q2 takes the beginning of a message’s id, and lists what else it may stand for', () =>
    withStore(async ({ store, run }) => {
      const session = await keep(store, ['alone']);
      const [id = ''] = await store.messages.viewIds(session);
      for (const name of [id.slice(0, 12), id.slice(0, 12).toUpperCase()])
        assert.equal((await run(['read', name])).stdout, 'alone');
      await keep(store, ['many', ...Array.from({ length: 40 }, (_, i) => `line ${i}`)]);
      const digit = (await store.messages.find('0', 2)).length === 2 ? '0' : '1';
      const { code, stdout, stderr } = await run(['read', digit]);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(
        stderr,
        /"[01]" matches several ids: give more characters of one of them:\n( {2}[01][0-9a-f]{15} {2}message\n)+/,
      );
      const around = await run(['read', session, '--around', '2']);
      assert.deepEqual([around.code, around.stdout], [2, '']);
      assert.match(around.stderr, /expected --around with a message, got the conversation/);
    }));
  test('Q2 an id that nobody has, and a number that is none, are explained', () =>
    withStore(async ({ run }) => {
      const unknown = await run(['read', 'ffffffffffffffff']);
      assert.equal(unknown.code, 2);
      assert.match(unknown.stderr, /no message or conversation "ffffffffffffffff"/);
      const wrong = await run(['read', 'x', '--around', 'many']);
      assert.match(wrong.stderr, /expected --around to be a whole number from 0 to 200/);
    }));
});
