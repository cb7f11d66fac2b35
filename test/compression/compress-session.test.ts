import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type ConversationHooks,
  type ConversationNotice,
  compress,
  createRecord,
  estimatingTokenizer,
  type Message,
  type Summarizer,
  validate,
} from '@palimpsest/core';
import { defineEngine, engineListMaker } from '@palimpsest/core/engine';
import { keptForSession } from '@palimpsest/core/store';
import { isHandoff } from '../../packages/core/src/compression/handoff-block.ts';
import { compressSession } from '../../packages/core/src/conversation/compress/compress-session.ts';
import { expandSession } from '../../packages/core/src/recall/expand-tool.ts';
import { openStore } from '../../packages/core/src/store/open-store.ts';
import type { Store } from '../../packages/core/src/store/store.ts';

const tokenizer = estimatingTokenizer('claude');
const options = { tokenizer, owner: 'test', contextLength: 16_000, targetTokens: 4_000 };

/** Steps of work with a remark of the user before every fourth. */
function work(from: number, steps: number): readonly Message[] {
  return Array.from({ length: steps }, (_, i) => from + i).flatMap((at): Message[] => {
    const callId = `call-${at}`;
    const input = JSON.stringify({ command: `node scripts/step-${at}.ts --region north-${at}` });
    const output = `region north-${at}: ${at * 17} rows moved to ledger_${at}\n${'checked one more row of the table\n'.repeat(12)}`;
    const remark: Message = {
      role: 'user',
      parts: [{ type: 'text', text: `Go on with region north-${at}, and keep total_${at}.` }],
    };
    return [
      ...(at % 4 === 0 ? [remark] : []),
      { role: 'assistant', parts: [{ type: 'toolCall', callId, name: 'bash', input, inputType: 'json' }] },
      { role: 'tool', parts: [{ type: 'toolResult', callId, content: [{ type: 'text', text: output }] }] },
      {
        role: 'assistant',
        parts: [{ type: 'text', text: `Region north-${at} is done: ledger_${at} has ${at * 17} rows.` }],
      },
    ];
  });
}

async function withSession(run: (store: Store, id: string) => Promise<void>, steps = 40): Promise<void> {
  const store = await openStore({ path: ':memory:' });
  const { id } = await store.sessions.create({ source: 'library' });
  await store.messages.append(id, work(1, steps));
  await run(store, id);
  await store.close();
}

const messagesOf = async (store: Store, id: string): Promise<readonly Message[]> =>
  (await store.messages.view(id)).map(({ message }) => message);

/** The messages of a session as they were first stored. */
async function visibleIds(store: Store, id: string): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const entry of await store.messages.view(id)) {
    let { origin, id: first } = entry;
    const chain = await store.sessions.chain(id);
    for (let at = chain.length - 2; origin !== undefined && origin >= 0 && at >= 0; at--) {
      const before = (await store.messages.view(chain[at]?.id ?? ''))[origin];
      [first, origin] = [before?.id ?? '', before?.origin];
    }
    ids.push(first);
  }
  return ids;
}

describe('a stored conversation that is compressed', () => {
  test('L2: ends with the reason compression and goes on in a child with the smaller list', () =>
    withSession(async (store, id) => {
      const before = await store.messages.view(id);
      const { session, result } = await compressSession(store, id, options);
      assert.equal(result.status, 'compressed');
      const parent = await store.sessions.get(id);
      assert.equal(parent?.endReason, 'compression');
      assert.equal(session.parentId, id);
      assert.equal(session.relation, 'continuation');
      assert.ok(session.startedAt >= (parent?.endedAt ?? Number.POSITIVE_INFINITY));
      assert.equal((await store.sessions.tip(id)).id, session.id);
      assert.deepEqual(await store.messages.view(id), before);
      const after = await messagesOf(store, session.id);
      assert.deepEqual(after, result.messages);
      assert.deepEqual(validate(after), []);
      assert.deepEqual(await store.leases.held(), []);
    }));

  test('invariant 1: every message is in the view or covered by the handoff, and comes back as it was', () =>
    withSession(async (store, id) => {
      const before = await store.messages.view(id);
      const { session, result } = await compressSession(store, id, options);
      const entries = await store.messages.view(session.id);
      const handoff = entries.find(({ message }) => isHandoff(message));
      const covered = new Set(await store.messages.coveredBy(handoff?.id ?? ''));
      const shown = new Set(entries.map(({ origin = -1 }) => before[origin]?.id));
      assert.deepEqual(
        before.filter((entry) => !covered.has(entry.id) && !shown.has(entry.id)),
        [],
      );
      // Refs count the messages of the conversation.
      for (const ref of result.handoff?.covers ?? [])
        assert.ok(covered.has(before[Number(ref.slice(1)) - 1]?.id ?? ''));
      for (const entry of before) assert.deepEqual((await store.messages.get(entry.id))?.message, entry.message);
    }));

  test('invariant 1: a process that reads it back compresses on as one that had followed it', () =>
    withSession(async (store, id) => {
      const record = createRecord({ count: tokenizer.count });
      let list = await messagesOf(store, id);
      for (let pass = 0; pass < 8; pass++) {
        const { tokenizer: _, owner: __, ...sizes } = options;
        const followed = await compress(list, { ...sizes, tokenizer, record, compressionCount: pass });
        const { session, result } = await compressSession(store, id, options);
        assert.equal(result.status, 'compressed', `pass ${pass}: ${result.reason}`);
        assert.deepEqual(result.messages, followed.messages, `pass ${pass}`);
        assert.deepEqual(result.handoff?.covers, followed.handoff?.covers, `pass ${pass}`);
        const more = work(100 * (pass + 1), 12);
        await store.messages.append(session.id, more);
        list = [...followed.messages, ...more];
      }
      // What a handoff names comes back by its ref, and it is the message that the record has there.
      const said = await expandSession(store, id, `m1-m${record.size}`);
      assert.deepEqual(
        said.map(({ message }) => message),
        said.map(({ ref }) => record.message(ref)),
      );
      assert.equal(said.length, record.size);
      await assert.rejects(expandSession(store, id, `m${record.size + 1_000}`), { code: 'ID_UNKNOWN' });
      assert.equal((await store.sessions.chain(id)).length, 9);
      assert.equal((await store.sessions.list()).length, 1);
    }));

  test('F4: is refused to a second process while the first one is at it', () =>
    withSession(async (store, id) => {
      const summarizer: Summarizer = {
        name: 'test/slow',
        write: async () => {
          await assert.rejects(compressSession(store, id, { ...options, owner: 'second' }), {
            code: 'STORE_CONFLICT',
            message: /being compressed by test until/,
          });
          return { text: 'no summary', finish: 'stop' };
        },
      };
      const { session } = await compressSession(store, id, { ...options, summarizer });
      assert.equal(session.parentId, id);
      assert.equal((await store.sessions.chain(id)).length, 2);
    }));

  test('F3: stays as it was when it is interrupted, and can be compressed afterwards', () =>
    withSession(async (store, id) => {
      const abort = new AbortController();
      const summarizer: Summarizer = {
        name: 'test/hanging',
        write: async ({ signal }) => {
          abort.abort(new Error('Ctrl-C'));
          signal?.throwIfAborted();
          throw new Error('was not told');
        },
      };
      const before = await store.messages.view(id);
      await assert.rejects(compressSession(store, id, { ...options, summarizer, signal: abort.signal }), /Ctrl-C/);
      assert.deepEqual(await store.messages.view(id), before);
      assert.equal((await store.sessions.get(id))?.endReason, undefined);
      assert.deepEqual(await store.leases.held(), []);
      assert.equal((await compressSession(store, id, options)).result.status, 'compressed');
    }));

  test('L2: what was said meanwhile stands behind the new list', () =>
    withSession(async (store, id) => {
      const late: Message = {
        role: 'user',
        parts: [{ type: 'text', text: 'And count the rows of region south too.' }],
      };
      const summarizer: Summarizer = {
        name: 'test/interrupted',
        write: async () => {
          await store.messages.append(id, [late]);
          return { text: 'no summary', finish: 'stop' };
        },
      };
      const { session } = await compressSession(store, id, { ...options, summarizer });
      assert.deepEqual((await messagesOf(store, session.id)).at(-1), late);
      // A process that reads it back knows it by the number that it had.
      const said = (await store.messages.view(id)).length;
      await store.messages.append(session.id, work(200, 20));
      const again = await compressSession(store, id, options);
      const refs = new Set(again.result.fates.map(({ ref }) => ref));
      assert.ok(refs.has(`m${said}`) && refs.has(`m${said + 1}`) && !refs.has(`m${said + 1 + work(200, 20).length}`));
    }));

  test('L5: what the calls of the model used is counted for the session', () =>
    withSession(async (store, id) => {
      const usage = { inputTokens: 900, outputTokens: 80, cacheReadTokens: 300 };
      const summarizer: Summarizer = {
        name: 'openai/gpt-4o',
        write: () => Promise.resolve({ text: '## Goal\nMove the regions.', finish: 'stop', usage }),
      };
      await compressSession(store, id, { ...options, summarizer });
      const totals = await store.usage.totals({ sessionId: id });
      assert.ok(totals.calls >= 1);
      assert.equal(totals.inputTokens, 900 * totals.calls);
      assert.equal(totals.cacheReadTokens, 300 * totals.calls);
      assert.ok((totals.costUsd ?? 0) > 0);
      assert.equal(totals.partial, 0);
    }));

  test('U1 a summary whose usage was not reported counts as a call, and no estimate of it as usage', () =>
    withSession(async (store, id) => {
      const summarizer: Summarizer = {
        name: 'openai/gpt-4o',
        write: () => Promise.resolve({ text: '## Goal\nMove the regions.', finish: 'stop' }),
      };
      await compressSession(store, id, { ...options, summarizer });
      const { calls, partial, unpriced, inputTokens, outputTokens } = await store.usage.totals({ sessionId: id });
      assert.ok(calls >= 1);
      assert.deepEqual([partial, unpriced, inputTokens, outputTokens], [calls, calls, 0, 0]);
    }));

  test('E6: a hook may veto it, and then nothing was changed', () =>
    withSession(async (store, id) => {
      const heard: string[] = [];
      const { session, result, veto } = await compressSession(store, id, {
        ...options,
        onNotice: ({ message }) => void heard.push(message),
        hooks: {
          onCompressionStart: ({ sessionId, isForced }) => ({ veto: `${sessionId === id} ${isForced}` }),
          onCompressionEnd: () => void heard.push('end'),
        },
      });
      assert.deepEqual([session.id, result.status, veto], [id, 'refused', 'true false']);
      assert.equal(result.reason, 'A hook vetoed the compression: true false');
      assert.deepEqual(heard, ['The compression was vetoed (true false).']);
      assert.equal((await store.sessions.chain(id)).length, 1);
      assert.deepEqual(await store.leases.held(), []);
    }));

  test('E6: hooks hear of it in the end, and what they keep is kept until the next one', () =>
    withSession(async (store, id) => {
      const heard: unknown[] = [];
      const hooks: ConversationHooks = {
        onCompressionStart: () => ({ keep: 'ask before region south' }),
        onSessionContinue: ({ from, to }) => void heard.push([from, to]),
        onCompressionEnd: (report) => void heard.push(report.result?.status, report.tokensAfter),
      };
      const { session, result } = await compressSession(store, id, { ...options, hooks });
      assert.deepEqual(heard, [[id, session.id], 'compressed', result.after.total]);
      assert.equal(await keptForSession(store, id), 'ask before region south');
      await store.messages.append(session.id, work(200, 20));
      await compressSession(store, id, options);
      assert.equal(await keptForSession(store, id), null);
    }));

  test('E6: a hook that fails or has no name of one is told of, and costs nothing or nothing is begun', () =>
    withSession(async (store, id) => {
      const heard: string[] = [];
      const hooks = { onCompressionStart: () => Promise.reject(new Error('no disk')) };
      const onNotice = ({ message }: ConversationNotice): void => void heard.push(message);
      assert.equal((await compressSession(store, id, { ...options, hooks, onNotice })).result.status, 'compressed');
      assert.deepEqual(heard, ['The hook onCompressionStart failed (no disk); it was ignored.']);
      const wrong = { onCompresionStart: () => undefined } as ConversationHooks;
      await assert.rejects(compressSession(store, id, { ...options, hooks: wrong }), {
        code: 'BAD_OPTION',
        message: /did you mean onCompressionStart/,
      });
      assert.deepEqual(await store.leases.held(), []);
    }));

  /** An engine that keeps the newest messages, and says in one how many it has left out. */
  const keeping = (count: number, change: (list: readonly Message[]) => readonly Message[] = (list) => list) =>
    engineListMaker(() =>
      defineEngine<Message>({
        name: 'keeping',
        compress: (messages) => {
          const start = messages.findLastIndex(({ role }, at) => role === 'user' && at <= messages.length - count);
          const said: Message = {
            role: 'user',
            origin: 'summary',
            parts: [{ type: 'text', text: `${start} before` }],
          };
          return Promise.resolve(change([said, ...messages.slice(start)]));
        },
      }),
    );

  test('invariant 1: every message that another engine leaves out is covered, also by the next engine of all', () =>
    withSession(async (store, id) => {
      const all = new Set<string>();
      let tip = id;
      for (const make of [keeping(30), keeping(10), undefined, keeping(10)]) {
        for (const entry of await store.messages.view(tip)) if (entry.origin === undefined) all.add(entry.id);
        const done = await compressSession(store, id, { ...options, ...(make ? { make } : {}) });
        assert.equal(done.result.status, 'compressed', done.result.reason);
        const entries = await store.messages.view(done.session.id);
        const covered = await Promise.all(entries.map((entry) => store.messages.coveredBy(entry.id)));
        assert.equal(covered.filter((ids) => ids.length > 0).length, 1);
        const there = new Set([...covered.flat(), ...(await visibleIds(store, done.session.id))]);
        assert.deepEqual(
          [...all].filter((one) => !there.has(one)),
          [],
        );
        tip = done.session.id;
        await store.messages.append(tip, work(100 + all.size, 20));
      }
    }));

  for (const [what, change, why] of [
    ['no list', () => 7 as never, /returned a number instead of a list/],
    ['a list that is no smaller', (list) => [...list, ...list], /twice or in another order/],
    ['a list without the newest request', (list) => list.slice(0, 1), /removed the newest request/],
    [
      'a list that is too large for the window',
      (list) => [{ role: 'user', parts: [{ type: 'text', text: 'ledger '.repeat(20_000) }] }, ...list],
      /not smaller|has room for/,
    ],
  ] as const satisfies readonly (readonly [string, (list: readonly Message[]) => readonly Message[], RegExp])[])
    test(`E3: an engine of others that gives back ${what} changes nothing`, () =>
      withSession(async (store, id) => {
        await assert.rejects(compressSession(store, id, { ...options, make: keeping(10, change) }), {
          code: 'BAD_PLUGIN',
          message: why,
        });
        assert.equal((await store.sessions.chain(id)).length, 1);
        assert.deepEqual(await store.leases.held(), []);
      }));
});
