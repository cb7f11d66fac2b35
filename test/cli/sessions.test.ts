import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { SessionId } from '../../packages/core/src/store/ids.ts';
import { openStore } from '../../packages/core/src/store/open-store.ts';
import type { SessionDraft } from '../../packages/core/src/store/session-store.ts';
import { type Store, surroundingsTool } from '../../packages/core/src/store/store.ts';
import type { Message } from '../../packages/core/src/transcript/message.ts';
import { isFromPerson } from '../../packages/core/src/transcript/origin.ts';
import { readTranscripts } from '../../packages/core/src/transcript/read.ts';
import { messageText } from '../../packages/core/src/transcript/text.ts';
import { inFolder, type Outcome, runHere, runProcess, type TerminalOptions } from '../support/command-line.ts';
import { chatFile, chatMessages } from '../support/small-session.ts';

const fixtures = fileURLToPath(new URL('../fixtures/', import.meta.url));
const fixture = (name: string): string => readFileSync(join(fixtures, name), 'utf8');
const databasePath = '.local/share/palimpsest/palimpsest.db';

type Sessions = (args: readonly string[], options?: TerminalOptions) => Promise<Outcome>;

/** A folder with a store: a Claude Code log with a sub-agent, a Codex rollout, and a chat without ids. */
function inStore(use: (sessions: Sessions, cwd: string) => Promise<void>): Promise<void> {
  const files = {
    'claude.jsonl': fixture('logs/claude-code.jsonl'),
    'codex.jsonl': fixture('logs/codex.jsonl'),
    'chat.json': chatFile(3),
  };
  return inFolder(files, async (cwd) => {
    const { code, stderr } = await runHere(['import', ...Object.keys(files)], { cwd });
    assert.equal(code, 0, stderr);
    await use((args, options = {}) => runHere(['sessions', ...args], { cwd, ...options }), cwd);
  });
}

const openAt = (cwd: string): Promise<Store> => openStore({ path: join(cwd, databasePath) });

interface Row {
  readonly id: string;
  readonly title: string | null;
  readonly source: string;
  readonly messages: number;
}

async function rows(sessions: Sessions, ...args: readonly string[]): Promise<readonly Row[]> {
  const { code, stdout } = await sessions(['list', '--json', ...args]);
  assert.equal(code, 0);
  return JSON.parse(stdout).conversations;
}

const say = (words: string): Message => ({ role: 'user', parts: [{ type: 'text', text: words }] });

describe('L4: palimpsest sessions list', () => {
  it('shows one row a conversation, without those of sub-agents', () =>
    inStore(async (sessions) => {
      const { code, stdout } = await sessions(['list'], { columns: 120 });
      assert.equal(code, 0);
      const [heading = '', ...lines] = stdout.trimEnd().split('\n');
      assert.match(heading, /^id +last active +source +project +messages +title$/);
      assert.equal(lines.length, 3);
      assert.match(stdout, /claude-code +oven +\d+ +Oven timer drift/);
      assert.match(stdout, /codex +oven +\d+ +Flat dough/);
      // Without a title, how the first request begins.
      assert.match(stdout, /openai-chat +\d+ +Please make the parser accept an empty row 0\./);
      assert.equal((await rows(sessions, '--sides')).length, 4);
    }));

  it('shows a compressed conversation as one row that goes on from its tip', () =>
    inStore(async (sessions, cwd) => {
      const [row] = await rows(sessions, '--source', 'codex');
      await using store = await openAt(cwd);
      const child = await store.sessions.continue({
        sessionId: row?.id ?? '',
        size: row?.messages ?? 0,
        messages: [say('What was before')],
        origins: [-1],
      });
      assert.deepEqual(
        (await rows(sessions, '--source', 'codex')).map(({ id, title }) => [id, title]),
        [[child.id, 'Flat dough #2']],
      );
    }));

  it('chooses by time, source and folder, and says when there are more', () =>
    inStore(async (sessions, cwd) => {
      assert.deepEqual((await rows(sessions, '--project', '/home/baker')).map(({ source }) => source).sort(), [
        'claude-code',
        'codex',
      ]);
      assert.deepEqual(
        (await rows(sessions, '--since', '1h')).map(({ source }) => source),
        ['openai-chat'],
      );
      assert.equal((await rows(sessions, '--until', '2020')).length, 0);
      const { stdout, stderr } = await sessions(['list', '--limit', '2']);
      assert.equal(stdout.trimEnd().split('\n').length, 3);
      assert.match(stderr, /showing the first 2/);
      assert.equal((await sessions(['list', '--limit', '0'])).code, 2);
      assert.match(
        (await runHere(['sessions', 'list', '--source', 'none'], { cwd })).stderr,
        /no conversation matches/,
      );
    }));

  it('L4 calls a conversation untitled in which nobody asked for anything', () =>
    inStore(async (sessions, cwd) => {
      const chat = JSON.stringify([{ role: 'assistant', content: 'Good morning.' }]);
      assert.equal((await runHere(['import', '-'], { cwd, input: chat })).code, 0);
      const { stdout } = await sessions(['list', '--source', 'openai-chat']);
      assert.match(stdout, / 1 {2}untitled$/m);
    }));

  it('prints no credential of a title or a request', () =>
    inStore(async (sessions, cwd) => {
      const secret = `ghp_${'aB3dE5fG7h'.repeat(4)}`.slice(0, 40);
      await using store = await openAt(cwd);
      const { id } = await store.sessions.create({ source: 'cli', title: `Use ${secret}` });
      await store.messages.append(id, [say(`The key is ${secret}, use it.`)]);
      for (const args of [
        ['list'],
        ['list', '--json'],
        ['show', id],
        ['show', id, '--messages'],
        ['title', id],
        ['title', id, '--json'],
        ['show', id, '--messages', '--json'],
      ]) {
        const { code, stdout } = await sessions(args);
        assert.equal(code, 0);
        assert.ok(stdout.includes('REDACTED') && !stdout.includes(secret), args.join(' '));
      }
      // The record itself keeps what was said.
      assert.ok((await sessions(['export', id])).stdout.includes(secret));
    }));

  it('says how a store is filled when there is none', () =>
    inFolder({}, async (cwd) => {
      const { code, stderr } = await runHere(['sessions', 'list'], { cwd });
      assert.equal(code, 3);
      assert.match(stderr, /There is no store at .*palimpsest\.db yet: create one with `palimpsest import PATH`/);
    }));
});

describe('L4: palimpsest sessions show', () => {
  it('finds a conversation by id, the beginning of one, the id of its tool, and title', () =>
    inStore(async (sessions) => {
      const [row] = await rows(sessions, '--source', 'claude-code');
      const id = row?.id ?? '';
      for (const wanted of [id, id.slice(0, 20), '11111111-2222-4333-8444-555555555555', 'oven timer DRIFT']) {
        const { code, stdout, stderr } = await sessions(['show', wanted]);
        assert.equal(code, 0, stderr);
        assert.match(stdout, /^Oven timer drift\n/);
        assert.match(stdout, new RegExp(` {2}id +${id}\n`));
        assert.match(stdout, / {2}source +claude-code 11111111-2222-4333-8444-555555555555\n/);
        assert.match(stdout, / {2}project +\/home\/baker\/oven\n/);
        assert.match(stdout, / {2}usage +4 calls, 8,448 tokens in, 58 out, price unknown\n/);
        assert.match(stdout, / {2}first asked +\S/);
      }
    }));

  it('names those that may be meant, and says when there is none', () =>
    inStore(async (sessions) => {
      const all = await rows(sessions, '--sides');
      // Ids begin with the time, so that those of one import begin alike.
      const shared = all[0]?.id.slice(0, 4) ?? '';
      const { code, stderr } = await sessions(['show', shared]);
      assert.equal(code, 2);
      for (const { id } of all) assert.ok(stderr.includes(id));
      const none = await sessions(['show', 'no such thing']);
      assert.equal(none.code, 2);
      assert.match(none.stderr, /no conversation has the id or title "no such thing"/);
    }));

  it('goes to the tip, and shows the sessions of the chain with what their calls used', () =>
    inStore(async (sessions, cwd) => {
      const [row] = await rows(sessions, '--source', 'codex');
      const sessionId = row?.id ?? '';
      await using store = await openAt(cwd);
      const counted = {
        inputTokens: 700,
        outputTokens: 30,
        cacheReadTokens: 300,
        cacheWriteTokens: 0,
        reasoningTokens: 0,
      };
      await store.usage.add({ ...counted, sessionId, model: 'openai/gpt', task: 'turn', costUsd: 0.25 });
      const draft = { sessionId, size: row?.messages ?? 0, messages: [say('What was before')], origins: [-1] };
      const child = await store.sessions.continue(draft);
      await store.usage.add({ ...counted, sessionId: child.id, model: 'openai/other', task: 'turn' });
      const { stdout } = await sessions(['show', sessionId]);
      assert.match(stdout, new RegExp(` {2}id +${child.id}\n`));
      assert.match(stdout, / {2}usage +3 calls, 2,010 tokens in, 70 out, at least ~\$0\.25\n/);
      assert.match(
        stdout,
        new RegExp(
          ` {2}${sessionId.slice(0, 13)}\\S* +\\S+ \\S+ +\\S+ \\S+ compression +\\d+\n {2}${child.id.slice(0, 13)}\\S* +\\S+ \\S+ +open +1\n`,
        ),
      );
    }));

  it('prints what was said, and gives programs the messages', () =>
    inStore(async (sessions) => {
      const [row] = await rows(sessions, '--source', 'openai-chat');
      const { stdout } = await sessions(['show', row?.id ?? '', '--messages']);
      assert.match(stdout, /^m1 {2}system prompt {2}\S+ \S+\nYou are a careful engineer\./m);
      assert.match(stdout, /^m2 {2}user {2}\S+ \S+\nPlease make the parser accept an empty row 0\.\n\nm3/m);
      const document = JSON.parse((await sessions(['show', row?.id ?? '', '--messages', '--json'])).stdout);
      assert.equal(document.messages.length, 19);
      assert.equal(document.firstRequest, 'Please make the parser accept an empty row 0.');
      assert.equal(document.lastRequest, 'Please make the parser accept an empty row 2.');
    }));
});

describe('L4: palimpsest sessions title', () => {
  it('sets, prints and clears a title, and numbers one in use', () =>
    inStore(async (sessions) => {
      const ids = (await rows(sessions)).map(({ id }) => id);
      assert.equal((await sessions(['title', 'Flat dough', ' Sour \n dough '])).stdout, 'Sour dough\n');
      assert.equal((await sessions(['title', 'sour dough'])).stdout, 'Sour dough\n');
      const other = ids.find((id) => id !== undefined) ?? '';
      const numbered = await sessions(['title', other, 'Sour dough']);
      assert.equal(numbered.stdout, 'Sour dough #2\n');
      assert.match(numbered.stderr, /in use, so a number was added/);
      const cleared = await sessions(['title', other, '--clear', '--json']);
      assert.deepEqual(JSON.parse(cleared.stdout), {
        command: 'sessions title',
        id: other,
        // What it is called now: by its first request.
        title: 'Please make the parser accept an empty row 0.',
        titleFrom: null,
        notes: [],
      });
      assert.match((await sessions(['title', other])).stderr, /it has no title/);
    }));

  it('refuses one that is too long, that cannot be seen, or that is also to be cleared', () =>
    inStore(async (sessions) => {
      for (const args of [['x'.repeat(101)], ['\u200b'], ['New', '--clear']]) {
        assert.equal((await sessions(['title', 'Flat dough', ...args])).code, 2);
      }
      assert.equal((await sessions(['title', 'Flat dough'])).stdout, 'Flat dough\n');
    }));
});

describe('L6: palimpsest sessions export', () => {
  it('gives back the file that was imported', () =>
    inStore(async (sessions, cwd) => {
      const lines = (text: string): unknown =>
        text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line));
      const read = lines(fixture('logs/codex.jsonl'));
      assert.deepEqual(lines((await sessions(['export', 'Flat dough'])).stdout), read);
      const { code, stderr } = await sessions(['export', 'Flat dough', '-o', 'back.jsonl']);
      assert.equal(code, 0);
      assert.match(stderr, /20 messages written as codex to back\.jsonl/);
      assert.deepEqual(lines(readFileSync(join(cwd, 'back.jsonl'), 'utf8')), read);
    }));

  it('writes any other format, and says what that cannot carry', () =>
    inStore(async (sessions) => {
      const [row] = await rows(sessions, '--source', 'openai-chat');
      const { stdout, stderr } = await sessions(['export', row?.id ?? '', '--to', 'claude-code']);
      assert.match(stderr, /fields that only the original format has were left out/);
      const { format, transcripts } = await readTranscripts(stdout);
      assert.equal(format, 'claude-code');
      const requests = (transcripts[0]?.messages ?? []).filter(isFromPerson).map(messageText);
      assert.deepEqual(
        requests,
        [0, 1, 2].map((turn) => `Please make the parser accept an empty row ${turn}.`),
      );
      const readOnly = await sessions(['export', row?.id ?? '', '--to', 'swe-agent']);
      assert.equal(readOnly.code, 2);
      assert.match(readOnly.stderr, /can be read but not written/);
    }));

  it('writes the whole conversation, and with --view what its model sees', () =>
    inStore(async (sessions, cwd) => {
      const [row] = await rows(sessions, '--source', 'openai-chat');
      await using store = await openAt(cwd);
      const draft = { sessionId: row?.id ?? '', size: 19, messages: [say('What was before')], origins: [-1] };
      const child = await store.sessions.continue(draft);
      await store.messages.append(child.id, [say('And a column?')]);
      const whole = JSON.parse((await sessions(['export', child.id])).stdout);
      assert.deepEqual(whole.messages, [...chatMessages(3), { role: 'user', content: 'And a column?' }]);
      const view = JSON.parse((await sessions(['export', child.id, '--view'])).stdout);
      const text = (content: string): object => ({ role: 'user', content });
      assert.deepEqual(view.messages ?? view, [text('What was before'), text('And a column?')]);
    }));
});

/** A conversation of three sessions; a sub-agent of the middle one, one of that one, and a branch. Returns the first. */
async function withNestedSides(cwd: string): Promise<SessionId> {
  await using store = await openAt(cwd);
  const goOn = async (sessionId: SessionId): Promise<SessionId> =>
    (await store.sessions.continue({ sessionId, size: 1, messages: [say('so far')], origins: [-1] })).id;
  const begin = async (title: string, draft: Partial<SessionDraft> = {}): Promise<SessionId> =>
    (await store.sessions.begin({ source: 'cli', title, ...draft }, [say(title)])).session.id;
  const first = await begin('Bread');
  const second = await goOn(first);
  await goOn(second);
  const outer = await begin('Flour', { relation: 'side', parentId: second });
  await begin('Mill', { relation: 'side', parentId: outer });
  await begin('Rolls', { parentId: second });
  return first;
}

describe('L4: palimpsest sessions delete and prune', () => {
  it('needs --yes where nobody can be asked, and says what goes', () =>
    inStore(async (sessions) => {
      const refused = await sessions(['delete', 'Flat dough']);
      assert.equal(refused.code, 2);
      assert.match(refused.stderr, /expected --yes/);
      const dry = await sessions(['delete', 'Flat dough', '--dry-run']);
      assert.match(
        dry.stdout,
        /Flat dough\nwould delete 1 conversation; messages that other sessions contain would stay\n$/,
      );
      assert.equal((await rows(sessions)).length, 3);
      const done = await sessions(['delete', 'Flat dough', '--yes']);
      assert.equal(done.stdout, 'deleted 1 conversation: 1 session, 20 messages that no other session contains\n');
      assert.equal((await rows(sessions)).length, 2);
    }));

  it('asks on a terminal, and takes only yes for yes', () =>
    inStore(async (sessions) => {
      const no = await sessions(['delete', 'Flat dough'], { isTerminal: true, input: '\n' });
      assert.match(no.stderr, /Flat dough\nDelete 1 conversation for good\? \[y\/N\] /);
      assert.equal(no.stdout, 'nothing was deleted\n');
      assert.equal((await rows(sessions)).length, 3);
      const yes = await sessions(['delete', 'Flat dough'], { isTerminal: true, input: 'yes\n' });
      assert.match(yes.stdout, /^deleted 1 conversation/);
      assert.equal((await rows(sessions)).length, 2);
    }));

  it('takes along what sub-agents started, from whatever session of their conversation', () =>
    inFolder({}, async (cwd) => {
      const first = await withNestedSides(cwd);
      const sessions: Sessions = (args) => runHere(['sessions', ...args], { cwd });
      const done = await sessions(['delete', first, '--yes']);
      assert.match(done.stdout, /^deleted 3 conversations: 5 sessions/);
      const left = await rows(sessions, '--sides');
      assert.deepEqual(
        left.map(({ title }) => title),
        ['Rolls'],
      );
    }));

  it('takes the conversations of sub-agents along, with everything that was kept around them', () =>
    inStore(async (sessions, cwd) => {
      await using store = await openAt(cwd);
      assert.ok((await store.outputs.list(undefined, { tool: surroundingsTool })).length >= 2);
      const done = await sessions(['delete', 'Oven timer drift', 'Flat dough', '--yes', '--json']);
      const { deleted, conversations } = JSON.parse(done.stdout);
      assert.equal(conversations.length, 3);
      assert.equal(deleted.sessions, 3);
      assert.equal((await rows(sessions, '--sides')).length, 1);
      assert.equal(await store.messages.count(), 19);
      assert.deepEqual(await store.outputs.list(undefined, { tool: surroundingsTool }), []);
      assert.ok((await store.care.check()).ok);
    }));

  it('keeps a message that another session shows', () =>
    inStore(async (sessions, cwd) => {
      await runHere(['import', '-'], { cwd, input: chatFile(3).replace('empty row 2', 'empty column') });
      const all = await rows(sessions, '--source', 'openai-chat');
      assert.equal(all.length, 2);
      await sessions(['delete', all[0]?.id ?? '', '--yes']);
      const left = await sessions(['show', all[1]?.id ?? '', '--messages', '--json']);
      assert.equal(JSON.parse(left.stdout).messages.length, 19);
    }));

  it('prunes what was last active before a time', () =>
    inStore(async (sessions) => {
      const dry = await sessions(['prune', '--before', '1d', '--dry-run']);
      assert.match(dry.stdout, /would delete 3 conversations last active before \d{4}-\d\d-\d\d \d\d:\d\d;/);
      assert.equal((await rows(sessions, '--sides')).length, 4);
      const one = await sessions(['prune', '--before', '1d', '--source', 'codex', '--yes', '--json']);
      assert.deepEqual(JSON.parse(one.stdout).deleted, { sessions: 1, messages: 20 });
      await sessions(['prune', '--before', '1d', '--yes']);
      assert.deepEqual(
        (await rows(sessions, '--sides')).map(({ source }) => source),
        ['openai-chat'],
      );
      assert.match((await sessions(['prune', '--before', '1d', '--yes'])).stdout, /^nothing to delete/);
      assert.equal((await sessions(['prune', '--yes'])).code, 2);
      assert.equal((await sessions(['prune', '--before', 'later', '--yes'])).code, 2);
    }));

  it('says no to a closed standard input', () =>
    inStore(async (sessions, cwd) => {
      const { code } = await runProcess(['sessions', 'delete', 'Flat dough'], { cwd, input: '' });
      assert.equal(code, 2);
      assert.equal((await rows(sessions)).length, 3);
    }));
});
