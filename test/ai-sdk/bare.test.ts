/** The same chats with a model and with the wrapped one, by chance: nobody can tell them apart while nothing is compressed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AnyModel, type Notice, withPalimpsest } from '@palimpsest/core/ai-sdk';
import { openStore } from '@palimpsest/core/store';
import { type FakeProvider, type FakeRequest, type Reply, startFakeProvider } from '@palimpsest/core/testing';
import { jsonSchema, type ToolSet, tool } from 'ai';
import { chat } from './browser.ts';
import { providers } from './providers.ts';

/** Numbers from 0 to 1 that are the same on every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

const inputSchema = jsonSchema<{ readonly n?: number }>({ type: 'object' });

const tools: ToolSet = {
  look: tool({ inputSchema, execute: ({ n }) => `row ${n}\n`.repeat(20) }),
  count: tool({ inputSchema, execute: ({ n }) => ({ rows: [n, null, { at: new Date(0) }] }) }),
  fail: tool({
    inputSchema,
    execute: (): string => {
      throw new Error('It broke: exit code 3.');
    },
  }),
  ask: tool({ inputSchema, needsApproval: true, execute: ({ n }) => `${n} is allowed.` }),
  paint: tool({
    inputSchema,
    async *execute({ n }) {
      yield { stage: 1 };
      yield { stage: 2, n };
    },
    toModelOutput: () => ({
      type: 'content',
      value: [{ type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'iVBORw0=' } }],
    }),
  }),
};
const names = [...Object.keys(tools), 'no_such_tool'];
const inputs = ['', '{"broken": ', { n: 7 }, { n: 8 }, { n: 9 }] as const;

/** A model that thinks, says nothing, calls too much, calls what is not there, and writes broken arguments. */
function restless(next: () => number): (request: FakeRequest) => Reply {
  const one = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T; // never past the end
  return ({ number }) => {
    const reasoning = next() < 0.4 ? { reasoning: ' Hm.\n' } : {};
    const text = one(['', `  Answer ${number}. \n\n`, `Über ${number} 😀`.repeat(30)]);
    if (next() < 0.4) return { ...reasoning, text: text || 'Done.' };
    const toolCalls = Array.from({ length: 1 + Math.floor(next() * 3) }, () => ({
      name: one(names),
      input: one(inputs),
    }));
    return { ...reasoning, text, toolCalls };
  };
}

interface Seen {
  readonly messages: string;
  readonly bodies: readonly FakeRequest['body'][];
}

async function seen(seed: number, route: (fake: FakeProvider) => AnyModel): Promise<Seen> {
  await using fake = await startFakeProvider({ script: restless(numbers(seed)) });
  const questions = Array.from({ length: 5 }, (_, at) => `Question ${at}?`);
  const messages = await chat(() => route(fake), { questions, tools, isAllowed: seed % 2 === 0 });
  // The SDK makes the ids of approvals by chance.
  return {
    messages: JSON.stringify(messages).replaceAll(/aitxt-\w+/g, 'id'),
    bodies: fake.requests.map(({ body }) => body),
  };
}

for (const [at, provider] of providers.entries()) {
  test(`K2 chats over ${provider.name} are the same to the letter with a wrapped model, and each is one conversation`, async () => {
    for (const seed of [at + 1, at + 11, at + 21, at + 31]) {
      await using store = await openStore({ path: ':memory:' });
      const notices: Notice[] = [];
      const onNotice = (notice: Notice): number => notices.push(notice);
      const options = { store, cache: 'off', contextLength: 1_000_000, onNotice } as const;
      const bare = await seen(seed, (fake) => provider.model(fake));
      const wrapped = await seen(seed, (fake) => withPalimpsest(provider.model(fake), options));
      assert.deepEqual(wrapped, bare);
      assert.deepEqual(notices, []);
      assert.equal((await store.sessions.list()).length, 1);
    }
  });
}
