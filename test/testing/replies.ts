/** What the fake is told to say in tests, and how each client asks it. */
import type { FakeProvider, Reply } from '@palimpsest/core/testing';

/** A text whose pieces would tear characters if they were cut by bytes or by units. */
export const text = 'The tests pass 🙂 für alle Größen, 日本語も、한국어도 — done.';

/** A reply with everything in it. */
export const full: Reply = {
  text,
  reasoning: 'First I look at the failing case.',
  toolCalls: [
    { name: 'bash', input: { command: 'ls -la "src dir"' } },
    { name: 'read', input: { path: 'src/a.ts' }, id: 'own_id' },
  ],
  usage: { inputTokens: 100, cacheReadTokens: 40, cacheWriteTokens: 10, outputTokens: 30, reasoningTokens: 12 },
};

/** The request that was answered last. */
export function lastRequest(fake: FakeProvider): FakeProvider['requests'][number] {
  const request = fake.requests.at(-1);
  if (!request) throw new Error('Expected a request; none came.');
  return request;
}
