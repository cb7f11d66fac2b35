/** Whatever a model reports as its usage: what nobody can read is unknown, and no call fails for it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createConversations } from '@palimpsest/core';
import { palimpsestMiddleware, storeOf, withPalimpsest } from '@palimpsest/core/ai-sdk';
import { openStore, type Store } from '@palimpsest/core/store';
import { wrapLanguageModel } from 'ai';
import type { ModelV4 } from './recorder.ts';

const throwing = {
  get inputTokens(): never {
    throw new Error('not to be read');
  },
};
const circular: Record<string, unknown> = {};
circular.inputTokens = circular;

/** Reports that say nothing of tokens. */
const unknown: Readonly<Record<string, unknown>> = {
  undefined: undefined,
  null: null,
  'an empty object': {},
  'a text': 'many tokens',
  'a number': 42,
  true: true,
  'a list': [1, 2, 3],
  'a list of objects': [{ inputTokens: 5 }],
  'a function': () => 5,
  'nested objects that nobody knows': { billed: { units: { in: { value: 5 } }, meter: [{ t: 1 }] } },
  'totals that are texts': { inputTokens: '12', outputTokens: 'a few' },
  'totals that are lists': { inputTokens: [12], outputTokens: [[3]] },
  'totals that are null': { inputTokens: null, outputTokens: null },
  'totals of null': { inputTokens: { total: null }, outputTokens: { total: undefined } },
  'totals that are objects of objects': { inputTokens: { total: { value: 3 } }, outputTokens: { total: {} } },
  'raw of nothing': { raw: null },
  'raw that is a text': { raw: 'usage: 5' },
  'an object without prototype': Object.create(null),
  'a member that throws': throwing,
  'a circle': circular,
  'a proxy that throws at everything': new Proxy(
    {},
    {
      get: () => {
        throw new Error('not to be read');
      },
      has: () => {
        throw new Error('not to be asked');
      },
      ownKeys: () => {
        throw new Error('not to be listed');
      },
    },
  ),
  'a bigint': 5n,
  'a symbol': Symbol('five'),
  'a date': new Date(0),
  'a map': new Map([['inputTokens', 5]]),
};

/** A model that answers with a report, whole and streamed. */
function reporting(usage: unknown): ModelV4 {
  const finishReason = { unified: 'stop', raw: 'stop' };
  const model = {
    specificationVersion: 'v4',
    provider: 'mill.chat',
    modelId: 'mill-1',
    supportedUrls: {},
    doGenerate: async () => ({ content: [{ type: 'text', text: 'ninety' }], finishReason, usage, warnings: [] }),
    doStream: async () => ({
      stream: new ReadableStream({
        start(controller) {
          controller.enqueue({ type: 'stream-start', warnings: [] });
          controller.enqueue({ type: 'text-start', id: '1' });
          controller.enqueue({ type: 'text-delta', id: '1', delta: 'ninety' });
          controller.enqueue({ type: 'text-end', id: '1' });
          controller.enqueue({ type: 'finish', finishReason, usage });
          controller.close();
        },
      }),
    }),
  };
  // Providers are not all type-checked: this one breaks the contract on purpose.
  return model as unknown as ModelV4;
}

const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'How many crates?' }] }];

async function whole(model: ModelV4): Promise<string> {
  const { content } = await model.doGenerate({ prompt });
  const [part] = content;
  return part?.type === 'text' ? part.text : '';
}

async function streamed(model: ModelV4): Promise<string> {
  const { stream } = await model.doStream({ prompt });
  let text = '';
  for await (const part of stream) {
    if (part.type === 'text-delta') text += part.delta;
    if (part.type === 'error') throw part.error;
  }
  return text;
}

/** One call was counted, as one whose tokens nobody knows. */
async function assertUnknown(store: Store, id: string): Promise<void> {
  const { calls, inputTokens, outputTokens, unpriced } = (await store.sessions.get(id))?.usage ?? {};
  assert.deepEqual(
    { calls, inputTokens, outputTokens, unpriced },
    { calls: 1, inputTokens: 0, outputTokens: 0, unpriced: 1 },
  );
}

describe('U1 a report of usage that nobody can read is unknown', () => {
  for (const [what, usage] of Object.entries(unknown)) {
    test(`U1 ${what}: over withPalimpsest and the middleware, whole and streamed`, async () => {
      const wrap = [
        (model: ModelV4) => withPalimpsest(model, {}),
        (model: ModelV4) => wrapLanguageModel({ model, middleware: palimpsestMiddleware({}) }) as ModelV4,
      ];
      for (const [at, wrapped] of wrap.entries()) {
        for (const call of [whole, streamed]) {
          const model = wrapped(reporting(usage));
          assert.equal(await call(model), 'ninety');
          if (at > 0) continue;
          const store = await storeOf(model);
          const [conversation] = await store.sessions.list();
          await assertUnknown(store, conversation?.tip.id ?? '');
          assert.equal(conversation?.tip.messages, 2);
          await store.close();
        }
      }
    });

    test(`U1 ${what}: by settle of a runtime, and the next request is prepared as ever`, async () => {
      await using store = await openStore({ path: ':memory:' });
      const runtime = createConversations({ store, model: 'mill/mill-1' });
      const said = [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'How many crates?' }] }];
      const prepared = await runtime.prepare({ messages: said });
      const reply = { role: 'assistant' as const, parts: [{ type: 'text' as const, text: 'ninety' }] };
      // Hosts without types hand on whatever came.
      const next = await runtime.settle(prepared, { type: 'answered', reply, usage: usage as object });
      assert.equal(next.type, 'done');
      await assertUnknown(store, prepared.sessionId);
      const again = await runtime.prepare({ messages: [...said, reply, ...said] });
      assert.equal(again.sessionId, prepared.sessionId);
      assert.equal(again.messages.length, 3);
    });
  }
});
