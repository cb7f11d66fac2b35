import assert from 'node:assert/strict';
import { existsSync, globSync, mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { openStore } from '../../packages/core/src/store/open-store.ts';
import { inFolder, type Outcome, runHere, runProcess } from '../support/command-line.ts';
import { chatFile } from '../support/small-session.ts';

const fixtures = fileURLToPath(new URL('../fixtures/', import.meta.url));
const fixture = (name: string): Buffer => readFileSync(join(fixtures, name));
const store = (cwd: string): string => join(cwd, '.local/share/palimpsest/palimpsest.db');
const imported = ({
  stdout,
}: Outcome): { files: Reported[]; totals: Record<string, unknown>; [key: string]: unknown } => JSON.parse(stdout);

interface Reported {
  readonly file: string;
  readonly status: string;
  readonly reason?: string;
  readonly sessions?: readonly { readonly sessionId?: string; readonly outcome: string; readonly appended: number }[];
}

/** Files below folders that do not exist yet. */
function put(cwd: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), content);
  }
}

/** One log a tool, where the tool keeps it. */
const ownSessions = {
  '.claude/projects/-bakery/11111111-2222-4333-8444-555555555555.jsonl': fixture('logs/claude-code.jsonl'),
  '.codex/sessions/2026/01/05/rollout-2026-01-05T10-00-00-019f.jsonl': fixture('logs/codex.jsonl'),
  '.codex/archived_sessions/rollout-2025-01-05T10-00-00-5973.jsonl': fixture('logs/codex-old.jsonl'),
  '.codex/history.jsonl': '{"text":"no session"}\n',
  '.pi/agent/sessions/--bakery--/2026_3333.jsonl': fixture('logs/pi.jsonl'),
  '.copilot/session-state/2222/events.jsonl': fixture('logs/copilot-cli.jsonl'),
};

describe('L6: palimpsest import', () => {
  it('says what it did, and does nothing the second time', () =>
    inFolder({ 'chat.json': chatFile(2), 'log.jsonl': fixture('logs/pi-v1.jsonl') }, async (cwd) => {
      const first = await runProcess(['import', 'chat.json', 'log.jsonl'], { cwd });
      assert.equal(first.code, 0, first.stderr);
      assert.equal(first.stderr, '');
      assert.match(first.stdout, /^imported 17 messages of 2 sessions \(2 new\) into .*palimpsest\.db\n/);
      assert.match(first.stdout, / format +files +sessions +new +messages +added\n +openai-chat +1 +1 +1 +13 +13\n/);
      const second = await runHere(['import', 'chat.json', 'log.jsonl'], { cwd });
      assert.match(second.stdout, /^imported 0 messages of 2 sessions \(2 unchanged\)/);
    }));

  it('has a column for each outcome that occurred, which add up to the sessions of the row', () =>
    inFolder({ 'old.jsonl': fixture('logs/pi-v1.jsonl') }, async (cwd) => {
      await runHere(['import', 'old.jsonl'], { cwd });
      put(cwd, { 'open.jsonl': openLog('a', ['user', 'assistant']), 'begun.jsonl': openLog('b', ['assistant']) });
      const { stdout } = await runHere(['import', 'old.jsonl', 'open.jsonl', 'begun.jsonl'], { cwd });
      assert.match(stdout, /^imported 1 message of 3 sessions \(1 new, 1 unchanged, 1 just begun\) into /);
      const titles = /^ +format +files +sessions +new +unchanged +just begun +messages +added$/m;
      assert.match(stdout, titles);
      assert.match(stdout, /^ +pi +1 +1 +0 +1 +0 +4 +0$/m);
      assert.match(stdout, /^ +claude-code +2 +2 +1 +0 +1 +3 +1$/m);
      assert.match(stdout, /^ {2}2 messages of sessions still being written: left for the next import$/m);
    }));

  it('reads every format, and every folder below, in the order of the names', () =>
    inFolder({}, async (cwd) => {
      const names = globSync('{logs,sessions}/*.json*', { cwd: fixtures }).sort();
      for (const name of names) put(cwd, { [`all/${name}`]: fixture(name) });
      put(cwd, {
        'all/node_modules/a.json': chatFile(1),
        'all/.git/b.json': chatFile(1),
        'all/read.md': 'No transcript.',
      });
      const { code, stdout, stderr } = await runHere(['import', 'all'], { cwd });
      assert.equal(code, 0, stdout);
      assert.equal(stderr, 'note: 1 other file in folders was skipped\n');
      const document = imported(await runHere(['import', 'all', '--json'], { cwd }));
      assert.deepEqual(
        document.files.map(({ file }) => file),
        names.map((name) => `all/${name}`),
      );
      assert.ok(document.files.every(({ sessions = [] }) => sessions.every(({ outcome }) => outcome === 'unchanged')));
    }));

  it('imports every message of a log in which ids of lines repeat, and says what it left out', () => {
    const said = (content: string): string =>
      `${JSON.stringify({ type: 'user', sessionId: 's', parentUuid: null, uuid: 'u', message: { role: 'user', content } })}\n`;
    const log = ['Light the oven.', 'Open the door.', 'Light the oven.', 'Shut the door.'].map(said).join('');
    return inFolder({ 'log.jsonl': log }, async (cwd) => {
      for (const count of [3, 0]) {
        const { stdout } = await runHere(['import', 'log.jsonl'], { cwd });
        assert.match(stdout, new RegExp(`^imported ${count} messages of 1 session`));
        assert.match(stdout, /log\.jsonl: Lines skipped because they repeat an earlier line, as in resumed logs: 1\./);
      }
    });
  });

  it('knows a file again that was packed, copied under another name, and has grown', () =>
    inFolder({ 'a.json': chatFile(2) }, async (cwd) => {
      const first = imported(await runHere(['import', 'a.json', '--json'], { cwd }));
      put(cwd, { 'elsewhere/b.json.gz': gzipSync(chatFile(3)) });
      const second = imported(await runHere(['import', 'elsewhere', '--json'], { cwd }));
      const [before] = first.files[0]?.sessions ?? [];
      const [after] = second.files[0]?.sessions ?? [];
      assert.deepEqual([after?.outcome, after?.appended, after?.sessionId], ['grown', 6, before?.sessionId]);
    }));

  it('does not read a file again that has not changed, unless one of its sessions is gone', () =>
    inFolder({ 'chat.json': chatFile(2) }, async (cwd) => {
      const mtime = new Date('2026-01-05T10:00:00Z');
      utimesSync(join(cwd, 'chat.json'), mtime, mtime);
      await runHere(['import', 'chat.json'], { cwd });
      // As many bytes and as old, so that only reading it could tell.
      writeFileSync(join(cwd, 'chat.json'), ' '.repeat(chatFile(2).length));
      utimesSync(join(cwd, 'chat.json'), mtime, mtime);
      const again = imported(await runHere(['import', 'chat.json', '--json'], { cwd }));
      assert.deepEqual(again.totals.outcomes, { new: 0, grown: 0, branched: 0, unchanged: 1, waiting: 0 });
      assert.equal(again.totals.messages, 13);
      writeFileSync(join(cwd, 'chat.json'), chatFile(2));
      utimesSync(join(cwd, 'chat.json'), mtime, mtime);
      const [id = ''] = again.files[0]?.sessions?.map(({ sessionId }) => sessionId) ?? [];
      assert.equal((await runHere(['sessions', 'delete', id, '--yes'], { cwd })).code, 0);
      const back = imported(await runHere(['import', 'chat.json', '--json'], { cwd }));
      assert.equal(back.files[0]?.sessions?.[0]?.outcome, 'new');
      writeFileSync(join(cwd, 'chat.json'), chatFile(3));
      const grown = imported(await runHere(['import', 'chat.json', '--json'], { cwd }));
      assert.equal(grown.files[0]?.sessions?.[0]?.outcome, 'grown');
    }));

  it('reads standard input', () =>
    inFolder({}, async (cwd) => {
      const { code, stdout } = await runProcess(['import', '-'], { cwd, input: chatFile(1) });
      assert.equal(code, 0);
      assert.match(stdout, /^imported 7 messages of 1 session \(1 new\)/);
    }));

  it('keeps the folder and the title that a person names', () =>
    inFolder({ 'chat.json': chatFile(1), 'two.json': `[${chatFile(1)},${chatFile(2)}]` }, async (cwd) => {
      await runHere(['import', 'chat.json', '--project', 'parser', '--title', 'Empty rows'], { cwd });
      await using kept = await openStore({ path: store(cwd), readOnly: true });
      const [conversation] = await kept.sessions.list();
      assert.equal(conversation?.title, 'Empty rows');
      assert.equal(conversation?.tip.project, join(cwd, 'parser'));
      const two = await runHere(['import', 'two.json', '--title', 'Both'], { cwd });
      assert.equal(two.code, 3);
      assert.match(two.stdout, /two\.json: --title names one conversation/);
    }));
});

describe('L6: import --discover', () => {
  it('finds the sessions of every tool, and only those', () =>
    inFolder({}, async (cwd) => {
      put(cwd, ownSessions);
      const { code, stdout } = await runHere(['import', '--discover'], { cwd });
      assert.equal(code, 0, stdout);
      assert.match(
        stdout,
        /^found 1 file of claude-code in .*projects\nfound 1 file of codex in .*sessions\nfound 1 file/,
      );
      for (const tool of ['claude-code', 'codex', 'pi', 'copilot-cli'])
        assert.match(stdout, new RegExp(`^  ${tool} `, 'm'));
      const again = imported(await runHere(['import', '--discover', '--json'], { cwd }));
      assert.deepEqual(again.totals.outcomes, { new: 0, grown: 0, branched: 0, unchanged: 9, waiting: 0 });
      const one = imported(await runHere(['import', '--discover', '--source', 'codex', '--json'], { cwd }));
      assert.equal(one.files.length, 2);
    }));

  it('goes where a variable of the tool points', () =>
    inFolder({}, async (cwd) => {
      put(cwd, { 'moved/sessions/2026/rollout-1.jsonl': fixture('logs/codex.jsonl') });
      const env = { CODEX_HOME: join(cwd, 'moved') };
      const document = imported(await runHere(['import', '--discover', '--json'], { cwd, env }));
      assert.deepEqual(
        document.files.map(({ file }) => file),
        [join(cwd, 'moved/sessions/2026/rollout-1.jsonl')],
      );
    }));

  it('never follows a link out of a folder of sessions', () =>
    inFolder({ 'secret.jsonl': fixture('logs/claude-code.jsonl') }, async (cwd) => {
      put(cwd, { '.claude/projects/a/b.jsonl': fixture('logs/claude-code-queue.jsonl'), 'other/c.jsonl': chatFile(1) });
      symlinkSync(join(cwd, 'secret.jsonl'), join(cwd, '.claude/projects/a/d.jsonl'));
      symlinkSync(join(cwd, 'other'), join(cwd, '.claude/projects/other'));
      const document = imported(await runHere(['import', '--discover', '--json'], { cwd }));
      assert.equal(document.files.length, 1);
      assert.deepEqual(document.notes, ['2 links in folders were not followed']);
    }));

  it('says where it looked when there is nothing, and makes no store', () =>
    inFolder({}, async (cwd) => {
      const { code, stderr } = await runHere(['import', '--discover'], { cwd });
      assert.equal(code, 0);
      assert.match(stderr, /no sessions were found in .*\.claude\/projects, .*\.codex\/sessions/);
      assert.ok(!existsSync(store(cwd)));
    }));
});

describe('L6: files that cannot be imported', () => {
  it('are listed with the reason; the others are imported, with exit code 1', () =>
    inFolder({ 'a.json': chatFile(1), 'b.json': '{"rows": []}', 'c.jsonl': '{"cut', 'd.json': '[]' }, async (cwd) => {
      const outcome = await runHere(['import', 'a.json', 'b.json', 'c.jsonl', 'd.json', 'e.json', '--json'], { cwd });
      assert.equal(outcome.code, 1);
      assert.deepEqual(
        imported(outcome).files.map(({ file, status }) => `${file} ${status}`),
        ['a.json read', 'b.json failed', 'c.jsonl failed', 'd.json failed', 'e.json failed'],
      );
      assert.match(imported(outcome).files[4]?.reason ?? '', /there is no file e\.json/);
    }));

  it('are none when they are empty or hold no messages', () =>
    inFolder({ 'a.json': chatFile(1), 'b.jsonl': '', 'c.json': '{"messages": []}' }, async (cwd) => {
      const { code, stdout } = await runHere(['import', 'a.json', 'b.jsonl', 'c.json'], { cwd });
      assert.equal(code, 0);
      assert.match(
        stdout,
        /2 files had nothing to import:\n {4}b\.jsonl: it is empty\n {4}c\.json: it contains no messages\n\nnext\n/,
      );
    }));

  it('give exit code 3 when there are no others', () =>
    inFolder({ 'b.json': '{"rows": []}' }, async (cwd) => {
      const { code, stdout } = await runHere(['import', 'b.json'], { cwd });
      assert.equal(code, 3);
      assert.match(stdout, /1 file could not be read:\n {4}the format of b\.json was not recognised/);
    }));

  it('need a path or --discover', async () => {
    const { code, stderr } = await runHere(['import']);
    assert.equal(code, 2);
    assert.match(stderr, /expected PATH \(a transcript or a folder of transcripts\) or --discover/);
  });
});

describe('L6: import --dry-run', () => {
  it('says what would be imported and writes nothing', () =>
    inFolder({ 'chat.json': chatFile(1) }, async (cwd) => {
      const { code, stdout } = await runHere(['import', 'chat.json', '--dry-run'], { cwd });
      assert.equal(code, 0);
      assert.match(stdout, /^would import 7 messages of 1 session \(1 new\)\n/);
      assert.ok(!existsSync(store(cwd)));
      await runHere(['import', 'chat.json'], { cwd });
      const again = await runHere(['import', 'chat.json', '--dry-run'], { cwd });
      assert.match(again.stdout, /^would import 0 messages of 1 session \(1 unchanged\)\n/);
    }));
});

describe('F4: two imports at once', () => {
  it('make one session a conversation', () =>
    inFolder({}, async (cwd) => {
      put(cwd, ownSessions);
      const runs = await Promise.all([1, 2, 3].map(() => runProcess(['import', '--discover'], { cwd })));
      assert.deepEqual(
        runs.map(({ code }) => code),
        [0, 0, 0],
        runs.map(({ stderr }) => stderr).join('\n'),
      );
      await using kept = await openStore({ path: store(cwd) });
      assert.equal((await kept.sessions.list({ sides: true, limit: 100 })).length, 9);
      assert.ok((await kept.care.check()).ok);
    }));
});

describe('F3: Ctrl-C during an import', () => {
  it('ends behind a whole session and says how far it came', () =>
    inFolder({}, async (cwd) => {
      for (const at of [0, 1, 2, 3]) put(cwd, { [`logs/${at}.json`]: chatFile(at + 1) });
      let interrupt = (): void => undefined;
      // The first look at the clock behind the first file is when the person presses the keys.
      let looks = 0;
      const now = (): number => {
        if (++looks === 3) interrupt();
        return looks * 1000;
      };
      const onInterrupt = (listener: () => void) => {
        interrupt = listener;
        return () => undefined;
      };
      const { code, stdout } = await runHere(['import', 'logs'], { cwd, isTerminal: true, now, onInterrupt });
      assert.equal(code, 130);
      assert.match(stdout, /^stopped after [12] of 4 files: imported/);
      await using kept = await openStore({ path: store(cwd) });
      for (const { tip } of await kept.sessions.list()) {
        assert.equal((await kept.messages.view(tip.id)).length, tip.messages);
        assert.ok([7, 13].includes(tip.messages));
      }
    }));

  it('F3 gives up a file that is only being read, and says what it waits for', () =>
    inFolder({ 'chat.json': chatFile(3) }, async (cwd) => {
      let interrupt = (): void => undefined;
      let looks = 0;
      const now = (): number => {
        if (++looks === 2) interrupt();
        return looks * 1000;
      };
      const onInterrupt = (listener: () => void) => {
        interrupt = listener;
        return () => undefined;
      };
      const options = { cwd, isTerminal: true, now, onInterrupt };
      const { code, stdout, stderr } = await runHere(['import', 'chat.json'], options);
      assert.equal(code, 130);
      assert.match(stdout, /^stopped after 0 of 1 file: imported 0 messages/);
      assert.match(stderr, /stopping after the current file/);
      await using kept = await openStore({ path: store(cwd) });
      assert.deepEqual(await kept.sessions.list(), []);
    }));

  it('shows a bar on a terminal, and nothing else', () =>
    inFolder({ 'chat.json': chatFile(3) }, async (cwd) => {
      let looks = 0;
      const outcome = await runHere(['import', 'chat.json'], { cwd, isTerminal: true, now: () => ++looks * 1000 });
      assert.match(outcome.stderr, /█+ \d of 1 files, 0\.0 of 0\.0 MB, \d+ messages/);
      assert.ok(outcome.stderr.endsWith('\r\u001b[2K'));
      const quiet = await runHere(['import', 'chat.json', '--quiet'], {
        cwd,
        isTerminal: true,
        now: () => ++looks * 1000,
      });
      assert.equal(quiet.stderr + quiet.stdout, '');
    }));
});

/** A log of Claude Code to which its tool may still be writing. */
function openLog(id: string, roles: readonly ('user' | 'assistant')[]): string {
  // Ahead of the clock, so that a slow machine does not make it old.
  const timestamp = new Date(Date.now() + 30_000).toISOString();
  const lines = roles.map((role, at) => ({
    type: role,
    uuid: `${id}-${at}`,
    sessionId: id,
    timestamp,
    message: { role, content: [{ type: 'text', text: `Line ${at} of ${id}.` }] },
  }));
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}
