/** What an import leaves: whole sessions, each in its place, and around them nothing that looks like a tool's output. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createOutputBudget } from '../../packages/core/src/output/budget.ts';
import { exportSession } from '../../packages/core/src/store/export-session.ts';
import { importAt } from '../../packages/core/src/store/import-transcript.ts';
import { openStore } from '../../packages/core/src/store/open-store.ts';
import { type Store, surroundingsTool } from '../../packages/core/src/store/store.ts';
import { readTranscripts } from '../../packages/core/src/transcript/read.ts';
import { Crash, dying } from '../conversation/faults.ts';
import { clock, importLog, inMemory, line, log, textOf } from '../support/import-logs.ts';
import { newFolder } from '../support/store-files.ts';

describe('R3: what is kept around the messages of an import', () => {
  it('is no tool output: neither lists nor the tools of a model show it', () =>
    inMemory(async (store) => {
      const withRecord = log(3, { extra: [line(90, { type: 'system', subtype: 'informational', content: 'heron' })] });
      const { sessionId = '' } = await importLog(store, withRecord);
      const saved = await store.outputs.save('heron in the log', { tool: 'bash', sessionId });
      // A tool of an agent may have the name that earlier versions gave to what they kept.
      const { session } = await store.sessions.begin({ source: 'cli' }, []);
      const own = await store.outputs.save('heron of a tool', { tool: 'import', sessionId: session.id });
      assert.deepEqual(await store.outputs.list(sessionId), [saved]);
      assert.deepEqual(await store.outputs.list(), [saved, own]);
      assert.equal((await store.outputs.list(sessionId, { tool: surroundingsTool })).length, 1);
      const [, search] = createOutputBudget({ outputs: store.outputs }).tools;
      const found = (await search?.run({ query: 'heron' })) ?? '';
      assert.ok(found.includes(saved.id) && !found.includes('informational'), found);
      const [transcript] = (await readTranscripts(withRecord)).transcripts;
      assert.ok(transcript);
      assert.equal(textOf(await exportSession(store, sessionId)), textOf(transcript));
    }));

  it('comes back from a store that called it otherwise', () =>
    inMemory(async (store) => {
      const earlier: Store = {
        ...store,
        outputs: { ...store.outputs, save: (text, about) => store.outputs.save(text, { ...about, tool: 'import' }) },
      };
      const { sessionId = '' } = await importLog(earlier, log(2));
      assert.deepEqual(await store.outputs.list(), []);
      await importLog(store, log(3));
      const [transcript] = (await readTranscripts(log(3))).transcripts;
      assert.ok(transcript);
      assert.equal(textOf(await exportSession(store, sessionId)), textOf(transcript));
    }));
});

describe('L6: sub-agents that have files of their own', () => {
  it('are linked to their parent whichever is imported first', () =>
    inMemory(async (store) => {
      const agent = (id: string, said: string): string => {
        const message = { role: 'user', content: said };
        return `${line(50, { type: 'user', isSidechain: true, agentId: id, uuid: `of ${id}`, message })}\n`;
      };
      const early = [agent('a1', 'Look for the scales.'), agent('b2', 'Look for the flour.')];
      const sides = [];
      for (const text of early) sides.push((await importLog(store, text)).sessionId ?? '');
      const orphan = await store.sessions.get(sides[0] ?? '');
      assert.deepEqual([orphan?.relation, orphan?.parentId], ['side', undefined]);
      const parent = await importLog(store, log(1));
      sides.push((await importLog(store, agent('c3', 'Look for the salt.'))).sessionId ?? '');
      for (const id of sides) assert.equal((await store.sessions.get(id))?.parentId, parent.sessionId);
      for (const text of early) assert.equal((await importLog(store, text)).outcome, 'unchanged');
      await store.sessions.delete(parent.sessionId ?? '');
      const again = await importLog(store, log(1));
      // Its parent is another session now: what was there before is linked when it is imported again.
      for (const text of early) await importLog(store, text);
      assert.equal((await store.sessions.get(sides[0] ?? ''))?.parentId, again.sessionId);
    }));

  it('are linked in two processes at once', async (t) => {
    const path = join(await newFolder(t), 'store.db');
    await using one = await openStore({ path });
    await using two = await openStore({ path });
    const message = { role: 'user', content: 'Look for the scales.' };
    const agent = `${line(50, { type: 'user', isSidechain: true, agentId: 'a1', message })}\n`;
    const [side, parent] = await Promise.all([importLog(one, agent), importLog(two, log(20))]);
    assert.equal((await one.sessions.get(side.sessionId ?? ''))?.parentId, parent.sessionId);
  });
});

describe('F3: an import that dies', () => {
  it('at any of its calls leaves no session without messages, and the next one completes it', async () => {
    const side = line(50, {
      type: 'user',
      isSidechain: true,
      agentId: 'a1',
      message: { role: 'user', content: 'Look.' },
    });
    const { transcripts } = await readTranscripts(`${log(3)}${side}\n`);
    let deaths = 0;
    for (let at = 0; ; at++) {
      const died = await inMemory(async (store) => {
        const when = at % 2 === 0 ? 'before' : 'after';
        const mortal = dying(store, { at: at >> 1, when });
        const isDead = await importAt(clock, mortal.store, { transcripts }).then(
          () => false,
          (error) => error instanceof Crash,
        );
        const left = await store.sessions.list({ sides: true });
        assert.deepEqual(
          left.filter(({ tip }) => tip.messages === 0),
          [],
          `${when} call ${at >> 1}`,
        );
        // The lease of the dead lapses.
        for (const lease of await store.leases.held()) await store.leases.release(lease);
        const [main, agent] = await importAt(clock, store, { transcripts });
        assert.equal((await store.messages.view(main?.sessionId ?? '')).length, 6);
        assert.equal((await store.sessions.get(agent?.sessionId ?? ''))?.parentId, main?.sessionId);
        assert.ok((await store.care.check()).ok);
        return isDead;
      });
      if (!died) break;
      deaths++;
    }
    assert.ok(deaths > 10, String(deaths));
  });
});
