import assert from 'node:assert/strict';
import test from 'node:test';
import { Corpus } from '../../../packages/core/src/compression/ledger/corpus.ts';
import {
  logAges,
  relevanceOf,
  relevanceWeights,
  sumOf,
  type Weights,
} from '../../../packages/core/src/compression/ledger/relevance.ts';
import type { Message } from '../../../packages/core/src/transcript/message.ts';

const said = (role: 'user' | 'assistant', text: string): Message => ({ role, parts: [{ type: 'text', text }] });

/** Every feature with its weight, and the weights in which it alone counts. */
const features = Object.entries(relevanceWeights).map(([name, weight]) => {
  // The same names with other numbers.
  const alone = Object.fromEntries(Object.keys(relevanceWeights).map((one) => [one, one === name ? 1 : 0])) as Weights;
  return { name, weight, alone };
});

test('S8: the remembered relevance is the sum over all features, also after a term was said again', () => {
  const corpus = new Corpus((text) => text.length / 4);
  const logAgeOf = (messageTokens: readonly number[]): Float64Array =>
    Float64Array.from(messageTokens, (_, at) => Math.log1p(messageTokens.slice(at).reduce((a, b) => a + b, 0) / 1000));
  for (const message of [
    said('user', 'Look at src/queue/worker.ts and at retryLimit, please; see https://example.com/a.'),
    said('assistant', 'The value of retryLimit in worker.ts is 12,345 and the ticket is OPS-114.'),
    said('assistant', 'Now src/queue/worker.ts is fixed, commit 4f9c2ab.'),
  ]) {
    corpus.add(message);
    const logAge = logAgeOf(corpus.messageTokens);
    assert.deepEqual(logAges(corpus.messageTokens), logAge);
    for (const term of corpus.terms.filter(({ lastMessage }) => lastMessage >= 0)) {
      const sum = features.reduce((all, { weight, alone }) => all + weight * sumOf(term, logAge, alone), 0);
      assert.ok(Math.abs(relevanceOf(term, logAge) - 1 / (1 + Math.exp(-sum))) < 1e-12, term.text);
    }
  }
});

test('S8: every weight has a feature: some term is worth another chance by it', () => {
  const corpus = new Corpus((text) => text.length / 4);
  const long = `/srv/queue/${'worker'.repeat(8)}.ts`;
  corpus.add(said('user', `Look at src/queue/worker.ts, ${long}, retryLimit, dry-run and https://example.com/a`));
  corpus.add(
    said(
      'assistant',
      'RetryLimit of server.http.idleTimeout is 12,345, the ticket OPS-114; retryLimit holds, dry-run too.',
    ),
  );
  const input = JSON.stringify({ path: 'src/queue/worker.ts', name: 'retryLimit' });
  corpus.add({ role: 'assistant', parts: [{ type: 'toolCall', callId: 'a', name: 'Read', input, inputType: 'json' }] });
  const content = [{ type: 'text', text: 'retryLimit = 5 in worker.ts\nError: cannot open newFile.ts there' } as const];
  corpus.add({ role: 'tool', parts: [{ type: 'toolResult', callId: 'a', content }] });
  const logAge = logAges(corpus.messageTokens);
  const missing = features.filter(({ alone }) => corpus.terms.every((term) => sumOf(term, logAge, alone) === 0));
  assert.deepEqual(
    missing.map(({ name }) => name),
    [],
  );
});
