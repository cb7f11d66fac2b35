import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createQueue } from '../../../packages/core/src/compression/ledger/queue.ts';

// No zero below zero: it is neither higher nor lower than the other one, and not equal to it.
const score = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.double({ noNaN: true })).map((one) => one + 0);

test('S8: the queue gives its entries from the highest score down', () => {
  fc.assert(
    fc.property(fc.array(score), (scores) => {
      const queue = createQueue(scores.map((one, value) => ({ value, score: one })));
      const given: number[] = [];
      const values = new Set<number>();
      for (let top = queue.topScore(), entry = queue.pop(); entry; top = queue.topScore(), entry = queue.pop()) {
        assert.equal(entry.score, top);
        given.push(entry.score);
        values.add(entry.value);
      }
      assert.deepEqual(
        given,
        [...scores].sort((a, b) => b - a),
      );
      assert.equal(values.size, scores.length);
    }),
  );
});

test('S8: pushing and taking in any order behaves like a sorted list', () => {
  fc.assert(
    fc.property(fc.array(fc.option(score)), fc.array(score), (steps, start) => {
      const queue = createQueue(start.map((one) => ({ value: one, score: one })));
      const model = [...start];
      for (const step of steps) {
        if (step === null) {
          model.sort((a, b) => a - b);
          assert.equal(queue.pop()?.score, model.pop());
        } else {
          queue.push({ value: step, score: step });
          model.push(step);
        }
        assert.equal(queue.topScore(), Math.max(Number.NEGATIVE_INFINITY, ...model));
      }
    }),
  );
});

test('S8: an empty queue has no entry and the lowest score', () => {
  const queue = createQueue<string>([]);
  assert.equal(queue.pop(), undefined);
  assert.equal(queue.topScore(), Number.NEGATIVE_INFINITY);
});
