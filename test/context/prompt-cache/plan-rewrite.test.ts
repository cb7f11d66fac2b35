/** When a compression pays: by what carrying on has cost, by a cold cache, and at the latest point. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  newRewritePlan,
  type PlannedRequest,
  planCompressed,
  planRewrite,
  planSent,
  type RewriteOptions,
  type RewritePlan,
} from '@palimpsest/core/engine';
import fc from 'fast-check';

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
    const after = planCompressed(plan, at(0, 70_000), at(0, 25_000));
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

/** One conversation: what every request adds, in tokens, and the seconds before it. */
type Session = readonly { readonly tokens: number; readonly seconds: number }[];

interface World {
  readonly session: Session;
  readonly options: RewriteOptions;
  readonly fixedTokens: number;
  /** How many tokens more a compression leaves without the planner, which has the shorter tail. */
  readonly usualExtraTokens: number;
}

interface Course {
  sent: number;
  paid: number;
}

/**
 * What every call has cost up to then, with a planner and without one, by the same cache. Both are compressed at the latest
 * point, and every compression of a course leaves as much; the sums know nothing of plans.
 */
function costs({ session, options, fixedTokens, usualExtraTokens }: World): readonly (readonly [number, number])[] {
  const [{ ttlSeconds, writePrice } = { ttlSeconds: 0, writePrice: 1 }] = options.lives;
  const left = fixedTokens + options.expectedTokens;
  const courses: readonly [Course, Course] = [
    { sent: 0, paid: 0 },
    { sent: 0, paid: 0 },
  ];
  const sums: [number, number][] = [];
  let plan = newRewritePlan;
  let seconds = 0;
  for (const [number, { tokens, seconds: pause }] of session.entries()) {
    seconds += pause;
    const isCold = number === 0 || pause > ttlSeconds;
    const added = tokens + (number === 0 ? fixedTokens : 0);
    const request: PlannedRequest = { promptTokens: courses[0].sent + added, fixedTokens, seconds };
    const wishes = [
      planRewrite(plan, request, options).action === 'compress',
      courses[1].sent + added >= options.latestTokens,
    ];
    for (const [at, course] of courses.entries()) {
      const whole = course.sent + added;
      const size = wishes[at] ? Math.min(whole, left + at * usualExtraTokens) : whole;
      const warm = isCold ? 0 : Math.min(course.sent, wishes[at] ? Math.min(fixedTokens, size) : size);
      course.paid += warm * options.readPrice + (size - warm) * writePrice;
      if (wishes[at]) course.paid += options.summaryTokens ?? 0;
      course.sent = size;
    }
    const sent = { ...request, promptTokens: courses[0].sent, usualExtraTokens };
    if (wishes[0]) plan = planCompressed(plan, request, sent);
    plan = planSent(plan, sent, options);
    sums.push([courses[0].paid, courses[1].paid]);
  }
  return sums;
}

const worlds = fc
  .record({
    session: fc.array(
      fc.record({
        tokens: fc.oneof(
          fc.integer({ min: 10, max: 3_000 }),
          fc.integer({ min: 0, max: 300 }),
          fc.integer({ min: 0, max: 40_000 }),
        ),
        seconds: fc.oneof(
          { weight: 4, arbitrary: fc.integer({ min: 0, max: 60 }) },
          fc.integer({ min: 200, max: 9_000 }),
        ),
      }),
      { minLength: 30, maxLength: 160 },
    ),
    readPrice: fc.constantFrom(0.1, 0.25, 0.5, 1),
    writePrice: fc.constantFrom(1, 1.25, 2),
    fixedTokens: fc.integer({ min: 0, max: 12_000 }),
    expectedTokens: fc.integer({ min: 2_000, max: 20_000 }),
    lossTokens: fc.constantFrom(0, 5_000, 50_000),
    summaryTokens: fc.constantFrom(0, 0, 8_000),
    usualExtraTokens: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 12_000 })),
  })
  .map(({ session, readPrice, writePrice, fixedTokens, expectedTokens, lossTokens, summaryTokens, ...more }): World => {
    const lives = [{ ttlSeconds: 300, writePrice }];
    const given = { readPrice, lives, latestTokens: 60_000, expectedTokens, lossTokens, summaryTokens };
    return { session, options: given, fixedTokens, ...more };
  });

describe('a plan', () => {
  test('C4 has at no call of any session paid more than compressing at the latest point alone, where compressions of a course leave as much', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        for (const [call, [planned, usual]] of costs(world).entries())
          assert.ok(planned <= usual + 1e-6, `call ${call}: ${planned} against ${usual}`);
      }),
      { numRuns: 600 },
    );
  });

  test('C4 without that guard would have, in a session that ends after a compression; with it, pauses still pay', () => {
    const session = (pauses: boolean): Session =>
      Array.from({ length: 400 }, (_, at) => ({ tokens: 700, seconds: pauses && at % 15 === 14 ? 900 : 10 }));
    const given = { ...options, lives: options.lives.slice(0, 1), latestTokens: 60_000, lossTokens: 0 };
    const fixed = { fixedTokens: 2_000, usualExtraTokens: 0 };
    const dearest = (guarded: boolean): number => {
      const world = { session: session(false), options: { ...given, guarded }, ...fixed };
      return Math.max(...costs(world).map(([planned, usual]) => planned / usual));
    };
    assert.ok(dearest(false) > 1.03, String(dearest(false)));
    assert.ok(dearest(true) <= 1 + 1e-9, String(dearest(true)));
    const [planned, usual] = costs({ session: session(true), options: given, ...fixed }).at(-1) ?? [0, 0];
    assert.ok(planned < 0.9 * usual, `${planned} against ${usual}`);
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
