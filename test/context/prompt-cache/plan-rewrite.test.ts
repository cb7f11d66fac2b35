/** When a compression pays: by what carrying on has cost, by a cold cache, and at the latest point. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  newRewritePlan,
  type PlannedRequest,
  planCompressed,
  planRewrite,
  planSent,
  type RewriteOptions,
  type RewritePlan,
} from '../../../src/index.ts';

const options: RewriteOptions = {
  readPrice: 0.1,
  lives: [
    { ttlSeconds: 300, writePrice: 1.25 },
    { ttlSeconds: 3_600, writePrice: 2 },
  ],
  latestTokens: 100_000,
  expectedTokens: 18_000,
  lossTokens: 50_000,
};

const at = (seconds: number, promptTokens: number): PlannedRequest => ({ promptTokens, fixedTokens: 2_000, seconds });

/** Sends the same prompt every ten seconds until it is compressed; gives back how often it was sent. */
function callsUntilCompressed(promptTokens: number, given: RewriteOptions, most = 10_000): number {
  let plan: RewritePlan = { ...newRewritePlan, sentTokens: promptTokens, sentAt: 0 };
  for (let call = 0; call < most; call++) {
    const request = at(10 * (call + 1), promptTokens);
    if (planRewrite(plan, request, given).action === 'compress') return call;
    plan = planSent(plan, request, given);
  }
  return most;
}

describe('a compression', () => {
  test('C4 is done once carrying the surplus has cost as much as it costs, its loss included', () => {
    // Leaves 20,000 of 70,000: 18,000 written at 1.25 and 2,000 read, instead of 70,000 read.
    const price = 18_000 * 1.25 + 2_000 * 0.1 - 70_000 * 0.1 + 50_000;
    assert.equal(callsUntilCompressed(70_000, options), Math.ceil(price / (50_000 * 0.1)));
  });

  test('C4 is done at the latest point, whatever it costs', () => {
    const decision = planRewrite(newRewritePlan, at(0, 100_000), { ...options, lossTokens: 1e9 });
    assert.deepEqual(decision, { action: 'compress', reason: 'limit' });
  });

  test('C4 is done when the cache is cold and it saves more than its loss is worth', () => {
    const plan: RewritePlan = { ...newRewritePlan, sentTokens: 70_000, sentAt: 0 };
    assert.equal(planRewrite(plan, at(300, 70_000), options).action, 'wait');
    assert.deepEqual(planRewrite(plan, at(301, 70_000), options), { action: 'compress', reason: 'price' });
    assert.equal(planRewrite(plan, at(301, 30_000), options).action, 'wait');
  });

  test('C4 is never done for the little that it would take out', () => {
    const cheap = { ...options, lossTokens: 0, expectedTokens: 60_000 };
    assert.equal(callsUntilCompressed(70_000, cheap), 10_000);
  });

  test('C4 starts the count anew, with what it left', () => {
    const plan = planSent(newRewritePlan, at(0, 70_000), options);
    assert.ok(plan.carried > 0);
    const after = planCompressed(plan, at(0, 25_000));
    assert.deepEqual([after.carried, after.leftTokens, after.sentTokens], [0, 25_000, 2_000]);
    assert.equal(planSent(after, at(10, 25_000), options).carried, 0);
  });

  test('C4 costs with what was carried before it at most twice what the best moment would have', () => {
    const arbitrary = fc.record({
      prompt: fc.integer({ min: 30_000, max: 99_000 }),
      loss: fc.integer({ min: 0, max: 400_000 }),
      calls: fc.integer({ min: 1, max: 400 }),
    });
    fc.assert(
      fc.property(arbitrary, ({ prompt, loss, calls }) => {
        const given = { ...options, lossTokens: loss };
        const carry = (prompt - 20_000) * 0.1;
        const price = Math.max(0, 18_000 * 1.25 + 2_000 * 0.1 - prompt * 0.1 + loss);
        const done = callsUntilCompressed(prompt, given, calls);
        const paid = done * carry + (done < calls ? price : 0);
        const best = Math.min(calls * carry, price);
        assert.ok(paid <= 2 * best + carry + 1, `${paid} against ${best}`);
      }),
    );
  });
});

describe('the life of the cache', () => {
  test('C4 is the longer one after a pause that it would have outlived', () => {
    const sent = planSent(newRewritePlan, at(0, 30_000), options);
    assert.equal(planSent(sent, at(200, 30_000), options).life, 0);
    assert.equal(planSent(sent, at(1_000, 30_000), options).life, 1);
    assert.equal(planSent(sent, at(9_000, 30_000), options).life, 0);
  });

  test('C4 stays what it is where only one can be asked for', () => {
    const one = { ...options, lives: options.lives.slice(0, 1) };
    assert.equal(planSent(planSent(newRewritePlan, at(0, 30_000), one), at(1_000, 30_000), one).life, 0);
  });
});
