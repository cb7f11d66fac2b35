/** Embedding models of the AI SDK against a server on loopback that speaks `/embeddings`. */
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { aiSdkEmbedder, embedMessages, search } from '@palimpsest/core/search';
import { openStore } from '@palimpsest/core/store';

interface Served {
  readonly baseURL: string;
  /** The texts of each call. */
  readonly calls: (readonly string[])[];
}

type Vectors = (texts: readonly string[]) => readonly (readonly number[])[];

async function served(t: TestContext, vectors: Vectors): Promise<Served> {
  const calls: (readonly string[])[] = [];
  const server = createServer(async (request, response) => {
    const texts = await inputOf(request);
    calls.push(texts);
    const data = vectors(texts).map((embedding, index) => ({ object: 'embedding', index, embedding }));
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ object: 'list', data, model: 'small', usage: { prompt_tokens: 1, total_tokens: 1 } }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  // A server that listens on a port has an address with one.
  const { port } = server.address() as AddressInfo;
  return { baseURL: `http://127.0.0.1:${port}/v1`, calls };
}

async function inputOf(request: IncomingMessage): Promise<readonly string[]> {
  const parts: Uint8Array[] = [];
  for await (const part of request) parts.push(part);
  return JSON.parse(Buffer.concat(parts).toString('utf8')).input;
}

const modelAt = (baseURL: string) => createOpenAICompatible({ name: 'local', baseURL }).embeddingModel('small');

/** Texts about the sea point one way, all others the other way; longer than 1, as some servers give them. */
const bySea: Vectors = (texts) => texts.map((text) => (/sea|beach|ocean/.test(text) ? [3, 4] : [-4, 3]));

test('Q2 makes vectors with any embedding model of the AI SDK, and finds by them', async (t) => {
  const { baseURL, calls } = await served(t, bySea);
  const vectors = aiSdkEmbedder(modelAt(baseURL), { scripts: ['Latin', 'Han'] });
  assert.equal(vectors.name, 'local.embedding/small');
  const [vector = new Float32Array()] = await vectors.embed(['the sea']);
  assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-6, 'brought to length 1');

  await using store = await openStore({ path: ':memory:' });
  const { id } = await store.sessions.create({ source: 'library' });
  const texts = ['We swam in the ocean.', ...Array.from({ length: 40 }, (_, i) => `Paid invoice ${i}.`)];
  await store.messages.append(
    id,
    texts.map((text) => ({ role: 'user', parts: [{ type: 'text', text }] })),
  );
  assert.deepEqual(await embedMessages(store, vectors), { messages: 41, embedded: 41 });
  assert.ok(calls.every((call) => call.length <= 32));

  const { hits } = await search(store, 'sea', { vectors });
  assert.equal(hits[0]?.passage.text, texts[0]);
});

test('Q2 says so when a model gives no vectors', async (t) => {
  const { baseURL } = await served(t, () => []);
  const vectors = aiSdkEmbedder(modelAt(baseURL), { name: 'mine' });
  await assert.rejects(vectors.embed(['one', 'two']), { code: 'BAD_OPTION', message: /2 vectors from mine.* got 0/ });
});

test('Q2 gives up a call when it is aborted', async (t) => {
  const { baseURL } = await served(t, bySea);
  const vectors = aiSdkEmbedder(modelAt(baseURL));
  await assert.rejects(vectors.embed(['one'], { signal: AbortSignal.abort(new Error('enough')) }));
});
