import assert from 'node:assert/strict';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { exportSession } from '../../packages/core/src/store/export-session.ts';
import { type ImportedSession, importAt, importTranscripts } from '../../packages/core/src/store/import-transcript.ts';
import { openStore } from '../../packages/core/src/store/open-store.ts';
import { type FormatName, formatNames, type Message } from '../../packages/core/src/transcript/message.ts';
import { readTranscripts } from '../../packages/core/src/transcript/read.ts';
import { writableFormats, writeTranscript } from '../../packages/core/src/transcript/registry.ts';
import {
  clock,
  importLog,
  inMemory,
  line,
  log,
  now,
  plain,
  requireRoundTrip,
  textOf,
  transcriptsOf,
} from '../support/import-logs.ts';
import { chatFile } from '../support/small-session.ts';

const fixtures = fileURLToPath(new URL('../fixtures/', import.meta.url));

const outcomes = (imported: readonly ImportedSession[]): readonly string[] => imported.map(({ outcome }) => outcome);

describe('L6: what is imported comes back as it was', () => {
  for (const file of globSync('{logs,sessions}/*.json*', { cwd: fixtures }).sort()) {
    it(`from ${file}`, () =>
      inMemory(async (store) => requireRoundTrip(store, await transcriptsOf(join(fixtures, file)))));
  }

  for (const format of writableFormats) {
    it(`from ${format}, written by Palimpsest`, () =>
      inMemory(async (store) => {
        const [first] = await transcriptsOf(join(fixtures, 'sessions/debugging-en.claude-code.jsonl'));
        assert.ok(first);
        const { transcripts } = await readTranscripts([...writeTranscript(first, format)].join(''), { format });
        await requireRoundTrip(store, transcripts);
      }));
  }
});

const formatOf = (name: string): FormatName => formatNames.find((format) => name.startsWith(format)) ?? 'pi';

describe('L6: importing again', () => {
  it('adds nothing for the same file, and the new messages for one that has grown', () =>
    inMemory(async (store) => {
      const first = await importLog(store, log(3));
      assert.deepEqual([first.outcome, first.stored], ['new', 6]);
      assert.equal((await importLog(store, log(3))).outcome, 'unchanged');
      const grown = await importLog(store, log(5));
      assert.deepEqual([grown.outcome, grown.appended, grown.sessionId], ['grown', 4, first.sessionId]);
      assert.equal((await importLog(store, log(4))).outcome, 'unchanged');
      const [transcript] = (await readTranscripts(log(5))).transcripts;
      assert.ok(transcript);
      assert.equal(textOf(await exportSession(store, first.sessionId ?? '')), textOf(transcript));
      assert.equal(await store.messages.count(), 10);
    }));

  it('knows the same messages on other lines, and keeps the new lines between them', () =>
    inMemory(async (store) => {
      const first = await importLog(store, log(4));
      const moved = log(4, { extra: [line(90, { type: 'system', subtype: 'informational', content: 'rest' })] });
      assert.equal((await importLog(store, moved)).outcome, 'unchanged');
      const [transcript] = (await readTranscripts(moved)).transcripts;
      assert.ok(transcript);
      assert.equal(textOf(await exportSession(store, first.sessionId ?? '')), textOf(transcript));
    }));

  it('makes a branch of a file whose beginning has changed, and stores only what differs', () =>
    inMemory(async (store) => {
      const first = await importLog(store, log(3));
      const lines = log(3).split('\n');
      lines[2] = log(2, { word: 'rye' }).split('\n')[2] ?? '';
      const branch = await importLog(store, lines.join('\n'));
      assert.deepEqual([branch.outcome, branch.stored], ['branched', 1]);
      const session = await store.sessions.get(branch.sessionId ?? '');
      assert.deepEqual([session?.relation, session?.parentId], ['branch', first.sessionId]);
      assert.equal((await store.messages.view(first.sessionId ?? '')).length, 6);
      // Both versions are known from now on.
      assert.equal((await importLog(store, log(3))).outcome, 'unchanged');
      assert.equal((await importLog(store, lines.join('\n'))).outcome, 'unchanged');
      assert.equal((await importLog(store, log(4))).outcome, 'grown');
    }));

  it('knows a conversation without an id by how it opens', () =>
    inMemory(async (store) => {
      const first = await importLog(store, chatFile(2));
      const grown = await importLog(store, chatFile(3));
      assert.deepEqual([grown.outcome, grown.sessionId], ['grown', first.sessionId]);
      const other = chatFile(2).replace('an empty row 0', 'an empty column 0');
      assert.equal((await importLog(store, other)).outcome, 'new');
    }));

  it('tells conversations of one file that open alike apart', () =>
    inMemory(async (store) => {
      const chats = `[${chatFile(1)},${chatFile(2)},${chatFile(1)}]`;
      const { transcripts } = await readTranscripts(chats);
      assert.deepEqual(outcomes(await importTranscripts(store, transcripts)), ['new', 'new', 'new']);
      assert.deepEqual(outcomes(await importTranscripts(store, transcripts)), ['unchanged', 'unchanged', 'unchanged']);
    }));

  it('makes no session of a conversation with something that cannot be written down', () =>
    inMemory(async (store) => {
      const levels = 30_000;
      const deep = `${'['.repeat(levels)}${']'.repeat(levels)}`;
      const text = `{"messages":[{"role":"user","content":"hi"},{"role":"user","content":"ho","extra":${deep}}]}`;
      await assert.rejects(importLog(store, text), { code: 'BAD_MESSAGES', message: /^Message 1 cannot be stored/ });
      assert.deepEqual([await store.sessions.list(), await store.messages.count()], [[], 0]);
    }));

  it('fills a session that a crash left without messages', () =>
    inMemory(async (store) => {
      await store.sessions.create({ source: 'claude-code', sourceId: '8f7d2c11-0000-4000-8000-000000000001' });
      const imported = await importLog(store, log(2));
      assert.deepEqual([imported.outcome, imported.appended], ['grown', 4]);
    }));

  it('writes nothing for a dry run', () =>
    inMemory(async (store) => {
      const { transcripts } = await readTranscripts(log(2));
      const [planned] = await importAt(clock, store, { transcripts, options: { dryRun: true } });
      assert.deepEqual([planned?.outcome, planned?.appended, planned?.sessionId], ['new', 4, undefined]);
      assert.equal(await store.messages.count(), 0);
      assert.deepEqual(await store.sessions.list(), []);
    }));
});

describe('L6: a log that is being written', () => {
  const last = now - 7_200_000 + 5_000;

  it('keeps its newest group for the next import while its tool may still add to it', () =>
    inMemory(async (store) => {
      const live = await importLog(store, log(3), () => last + 10_000);
      assert.deepEqual([live.outcome, live.appended, live.heldBack], ['new', 5, 1]);
      const rested = await importLog(store, log(3));
      assert.deepEqual([rested.outcome, rested.appended, rested.heldBack], ['grown', 1, 0]);
    }));

  for (const name of ['claude-code', 'claude-code-queue', 'codex', 'copilot-cli', 'pi-v1']) {
    it(`grows line by line as ${name} writes it, and ends as the file`, () =>
      inMemory(async (store) => {
        const text = readFileSync(join(fixtures, `logs/${name}.jsonl`), 'utf8');
        const lines = text.trimEnd().split('\n');
        for (const end of lines.keys()) {
          const { transcripts } = await readTranscripts(lines.slice(0, end).join('\n'), {
            format: formatOf(name),
          }).catch(() => ({ transcripts: [] }));
          const times = transcripts.flatMap(({ messages }) => messages.map(({ time }) => Date.parse(time ?? '')));
          const imported = await importAt(() => Math.max(...times) + 1000, store, { transcripts });
          assert.ok(!outcomes(imported).includes('branched'), `line ${end}`);
        }
        const whole = (await readTranscripts(text)).transcripts;
        const imported = await importAt(clock, store, { transcripts: whole });
        assert.ok(imported.every(({ outcome }) => outcome === 'grown' || outcome === 'unchanged'));
        for (const [at, { sessionId = '' }] of imported.entries()) {
          const back = await exportSession(store, sessionId);
          assert.deepEqual(back.messages.map(plain), whole[at]?.messages.map(plain));
        }
      }));
  }

  it('waits where there is nothing else yet, and makes no session', () =>
    inMemory(async (store) => {
      const answer = `${log(1).split('\n')[1]}\n`;
      assert.equal((await importLog(store, answer, () => last)).outcome, 'waiting');
      assert.deepEqual(await store.sessions.list(), []);
    }));
});

describe('L6: what a session knows of its source', () => {
  it('has source, id, folder, start and title of the log', () =>
    inMemory(async (store) => {
      const [imported] = await importTranscripts(store, await transcriptsOf(join(fixtures, 'logs/claude-code.jsonl')), {
        path: '/logs/a.jsonl',
      });
      const session = await store.sessions.get(imported?.sessionId ?? '');
      assert.deepEqual(
        [session?.source, session?.sourceId, session?.sourcePath, session?.project, session?.title, session?.titleFrom],
        [
          'claude-code',
          '11111111-2222-4333-8444-555555555555',
          '/logs/a.jsonl',
          '/home/baker/oven',
          'Oven timer drift',
          'source',
        ],
      );
    }));

  it('puts sub-agents and branches under their conversation, out of the list', () =>
    inMemory(async (store) => {
      for (const [name, sides] of [
        ['claude-code', 1],
        ['copilot-cli', 1],
        ['pi', 2],
      ] as const) {
        const [main, ...rest] = await importTranscripts(
          store,
          await transcriptsOf(join(fixtures, `logs/${name}.jsonl`)),
        );
        assert.equal(rest.length, sides, name);
        for (const { sessionId } of rest) {
          const side = await store.sessions.get(sessionId ?? '');
          assert.deepEqual([side?.relation, side?.parentId], ['side', main?.sessionId], name);
        }
      }
      assert.equal((await store.sessions.list()).length, 3);
      assert.equal((await store.sessions.list({ sides: true })).length, 7);
    }));

  it('finds the parent of a sub-agent that has a file of its own', () =>
    inMemory(async (store) => {
      const parent = await importLog(store, log(1));
      const agent = line(50, {
        type: 'user',
        isSidechain: true,
        agentId: 'a1b2c3d4',
        message: { role: 'user', content: 'Look for the scales.' },
      });
      const [side] = await importAt(clock, store, await readTranscripts(`${agent}\n`));
      const session = await store.sessions.get(side?.sessionId ?? '');
      assert.deepEqual([session?.relation, session?.parentId], ['side', parent.sessionId]);
    }));

  it('follows the title of the tool until a person gives another', () =>
    inMemory(async (store) => {
      const titled = (title: string): string => `${log(1)}${line(60, { type: 'custom-title', customTitle: title })}\n`;
      const { sessionId = '' } = await importLog(store, titled('Scales'));
      await importLog(store, titled('Old scales'));
      assert.equal((await store.sessions.get(sessionId))?.title, 'Old scales');
      await store.sessions.title(sessionId, 'Weighing');
      await importLog(store, titled('New scales'));
      assert.equal((await store.sessions.get(sessionId))?.title, 'Weighing');
    }));

  it('takes the time of the file for messages that tell none', () =>
    inMemory(async (store) => {
      const { transcripts } = await readTranscripts(chatFile(1));
      const modifiedAt = now - 86_400_000;
      const [imported] = await importTranscripts(store, transcripts, { modifiedAt });
      assert.equal((await store.sessions.get(imported?.sessionId ?? ''))?.lastActiveAt, modifiedAt);
    }));
});

describe('F4: two processes that import the same file at once', () => {
  it('make one session of it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'palimpsest-'));
    try {
      const path = join(folder, 'store.db');
      await using one = await openStore({ path });
      await using two = await openStore({ path });
      const imported = await Promise.all([one, two, one, two].map((store) => importLog(store, log(20))));
      assert.deepEqual(outcomes(imported).toSorted(), ['new', 'unchanged', 'unchanged', 'unchanged']);
      assert.equal((await one.sessions.list()).length, 1);
      assert.equal(await one.messages.count(), 40);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('L6: a conversation that Palimpsest has compressed', () => {
  const text = (words: string): Message => ({ role: 'user', parts: [{ type: 'text', text: words }] });

  it('comes back whole, or as its model sees it', () =>
    inMemory(async (store) => {
      const { sessionId = '' } = await importLog(store, log(3));
      const [opening] = await store.messages.view(sessionId);
      assert.ok(opening);
      const child = await store.sessions.continue({
        sessionId,
        size: 4,
        messages: [text('What was before'), opening.message],
        origins: [-1, 0],
      });
      await store.messages.append(child.id, [text('And now the oven.')]);
      const whole = await exportSession(store, sessionId);
      const [read] = (await readTranscripts(log(3))).transcripts;
      assert.deepEqual(whole.messages.map(plain), [...(read?.messages ?? []).map(plain), text('And now the oven.')]);
      assert.deepEqual(whole.compressions, [6]);
      const view = await exportSession(store, child.id, { what: 'view' });
      assert.deepEqual(view.messages.length, 5);
      assert.deepEqual(view.messages[0], text('What was before'));
      // The log itself is known still; what it says beyond would be a branch.
      assert.equal((await importLog(store, log(3))).outcome, 'unchanged');
      assert.equal((await importLog(store, log(4))).outcome, 'branched');
    }));
});
