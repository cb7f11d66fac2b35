/** Streams of all four dialects as the fake provider sends them, and the requests for them. */
import type { DialectName, Reply } from '@palimpsest/core/testing';
import { startFakeProvider } from '@palimpsest/core/testing';

interface Asked {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const said = [{ role: 'user', content: 'hi' }];

/** A request for a stream, as the clients of each dialect send it. */
export const streamRequests: Readonly<Record<DialectName, Asked>> = {
  'openai-chat': {
    path: '/v1/chat/completions',
    headers: {},
    body: JSON.stringify({ model: 'm', messages: said, stream: true, stream_options: { include_usage: true } }),
  },
  'openai-responses': {
    path: '/v1/responses',
    headers: {},
    body: JSON.stringify({ model: 'm', input: said, stream: true }),
  },
  anthropic: {
    path: '/v1/messages?beta=true',
    headers: { 'anthropic-version': '2023-06-01' },
    body: JSON.stringify({ model: 'm', max_tokens: 1_000, messages: said, stream: true }),
  },
  gemini: {
    path: '/v1beta/models/m:streamGenerateContent?alt=sse',
    headers: {},
    body: JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'hi' }] }] }),
  },
};

// Object.keys gives texts; these are the keys of the record above.
export const dialectNames = Object.keys(streamRequests) as DialectName[];

/** Characters of one to four bytes, also in the arguments of a call. */
const manyBytes: Reply = { text: 'é世🎉', toolCalls: [{ name: 'f', input: { a: '🦊' } }], pieceChars: 8 };

/** The bytes of a stream, and its type. */
export async function recordedStream(dialect: DialectName): Promise<{ readonly bytes: Buffer; readonly type: string }> {
  await using fake = await startFakeProvider();
  fake.reply(manyBytes);
  const { path, headers, body } = streamRequests[dialect];
  const answer = await fetch(`${fake.url}${path}`, { method: 'POST', headers, body });
  return { bytes: Buffer.from(await answer.arrayBuffer()), type: answer.headers.get('content-type') ?? '' };
}
