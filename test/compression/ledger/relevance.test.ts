import assert from 'node:assert/strict';
import test from 'node:test';
import { Corpus } from '../../../packages/core/src/compression/ledger/corpus.ts';
import { featuresAt, logAges, relevanceOf } from '../../../packages/core/src/compression/ledger/relevance.ts';
import { termKinds } from '../../../packages/core/src/compression/ledger/terms.ts';
import type { Message } from '../../../packages/core/src/transcript/message.ts';

const said = (role: 'user' | 'assistant', text: string): Message => ({ role, parts: [{ type: 'text', text }] });

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
      const sum = featuresAt(logAge).reduce((all, { weight, of }) => all + weight * of(term), 0);
      assert.ok(Math.abs(relevanceOf(term, logAge) - 1 / (1 + Math.exp(-sum))) < 1e-12, term.text);
    }
  }
});

test('S8: every feature has a weight and every weight a feature, one for each kind of term', () => {
  const features = featuresAt(new Float64Array(0));
  const names = features.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  assert.ok(features.every(({ weight }) => Number.isFinite(weight) && weight !== 0));
  assert.deepEqual(
    termKinds.filter((kind) => !names.includes(kind)),
    [],
  );
});
