import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decide } from '../../../packages/core/src/compression/policy/decide.ts';
import { reduce } from '../../../packages/core/src/compression/policy/reduce.ts';
import type { PolicyEvent } from '../../../packages/core/src/compression/policy/state.ts';
import {
  failureKinds,
  initialPolicyState,
  type PolicyState,
  parsePolicyState,
} from '../../../packages/core/src/compression/policy/state.ts';
import { below, over, rules, Session, start, threshold } from './session.ts';

const seconds = fc.oneof(fc.integer({ min: 0, max: 1_200 }), fc.constantFrom(0, 30, 60, 299, 300, 301, 600, 900));
const clockStep = fc.oneof(
  { weight: 8, arbitrary: seconds },
  { weight: 1, arbitrary: fc.integer({ min: -90_000, max: 0 }) },
);
const promptTokens = fc.oneof(
  fc.constantFrom(0, below, threshold - 1, threshold, over),
  fc.integer({ min: 0, max: 400_000 }),
);
const kind = fc.constantFrom(...failureKinds);

const bareEvent = fc.oneof(
  fc.record({
    type: fc.constant('reading' as const),
    source: fc.constantFrom('usage' as const, 'estimate' as const),
    promptTokens,
    thresholdTokens: fc.constant(threshold),
  }),
  fc.record({ type: fc.constantFrom('turn' as const, 'started' as const, 'started' as const, 'tick' as const) }),
  fc.record(
    {
      type: fc.constant('finished' as const),
      savedShare: fc.oneof(fc.constantFrom(0.05, 0.099, 0.1, 0.5), fc.double({ min: -1, max: 1, noNaN: true })),
      progress: fc.boolean(),
      confirmed: fc.boolean(),
      failure: kind,
    },
    { requiredKeys: ['type', 'savedShare'] },
  ),
  fc.record({ type: fc.constant('failed' as const), kind }),
  fc.record({ type: fc.constant('forced' as const), by: fc.constantFrom('person' as const, 'overflow' as const) }),
  fc.record({ type: fc.constantFrom('modelChanged' as const, 'reset' as const) }),
);

/** A pass from start to judgement: rare when every event is drawn on its own. */
const wholePass = fc
  .record({ savedShare: fc.constantFrom(0.05, 0.5), tokens: fc.constantFrom(below, over, 200_000, 300_000, 400_000) })
  .map(({ savedShare, tokens }) => [
    { type: 'started' as const },
    { type: 'finished' as const, savedShare },
    { type: 'reading' as const, source: 'usage' as const, promptTokens: tokens, thresholdTokens: threshold },
    { type: 'turn' as const },
  ]);

const stretchOfEvents = fc.oneof(
  { weight: 3, arbitrary: bareEvent.map((event) => [event]) },
  { weight: 1, arbitrary: wholePass },
);

/** Any events in any order, with a clock that mostly goes forward. */
const events = fc.array(fc.tuple(clockStep, stretchOfEvents), { maxLength: 40 }).map((steps) => {
  let now = start;
  return steps.flatMap(([step, stretch]): PolicyEvent[] => {
    now += step * 1000;
    return stretch.map((event) => ({ ...event, now }));
  });
});

const deepFreeze = (state: PolicyState): PolicyState => {
  Object.freeze(state.phase);
  Object.freeze(state.verdict);
  return Object.freeze(state);
};

const after = (list: readonly PolicyEvent[]): { state: PolicyState; now: number } => ({
  state: list.reduce((state, event) => reduce(deepFreeze(state), event), initialPolicyState),
  now: list.at(-1)?.now ?? start,
});

const read = (state: PolicyState, now: number, tokens: number): PolicyState =>
  reduce(state, { type: 'reading', source: 'usage', promptTokens: tokens, thresholdTokens: threshold, now });

const decideOver = (state: PolicyState, now: number): ReturnType<typeof decide> =>
  decide(state, { now, promptTokens: over, thresholdTokens: threshold }, rules);

/** No wait of the defaults is longer. */
const longestMs = 900_000;

test('the events reach every phase', () => {
  const phases = new Map<string, number>();
  for (const list of fc.sample(events, { numRuns: 2_000, seed: 1 })) {
    const { phase } = after(list).state;
    const name =
      'reason' in phase
        ? `${phase.type} ${phase.reason}`
        : 'step' in phase
          ? `${phase.type} ${phase.step}`
          : phase.type;
    phases.set(name, (phases.get(name) ?? 0) + 1);
  }
  const wanted = ['armed', 'running', 'probing running', 'probing waiting', 'cooling timeout', 'cooling nothing'];
  wanted.push('blocked ineffective', 'blocked still_over', 'blocked fallback', 'blocked attempts');
  for (const phase of wanted) assert.ok((phases.get(phase) ?? 0) > 0, `never ${phase}`);
});

test('T5: storing and reading the state at any point changes nothing', () => {
  fc.assert(
    fc.property(events, (list) => {
      let stored = initialPolicyState;
      for (const event of list) {
        const parsed = parsePolicyState(JSON.parse(JSON.stringify(stored)));
        assert.equal(parsed.type, 'ok');
        if (parsed.type === 'ok') stored = reduce(parsed.state, event);
      }
      assert.deepEqual(stored, after(list).state);
    }),
    { numRuns: 500 },
  );
});

test('T5: from every reachable state a session compresses again after readings fall and rise', () => {
  fc.assert(
    fc.property(events, (list) => {
      const { state, now } = after(list);
      const later = now + longestMs;
      const fallen = read(reduce(state, { type: 'tick', now }), later, below);
      const risen = read(fallen, later + 1, over);
      assert.ok(['compress', 'probe'].includes(decideOver(risen, later + 1).action));
    }),
    { numRuns: 2_000 },
  );
});

test('T5: every wait ends by itself when it said it would, and none is longer than the longest', () => {
  fc.assert(
    fc.property(events, clockStep, (list, step) => {
      const reached = after(list);
      const now = reached.now + step * 1000;
      const state = reduce({ ...reached.state, request: null }, { type: 'tick', now });
      const decision = decideOver(state, now);
      if (decision.action === 'compress' || decision.action === 'probe') return;
      const wait = decision.retryAfterMs;
      assert.ok(wait !== undefined && wait > 0 && wait <= longestMs);
      assert.notEqual(decideOver(state, now + wait - 1).action, 'compress');
      assert.ok(['compress', 'probe'].includes(decideOver(state, now + wait).action));
    }),
    { numRuns: 2_000 },
  );
});

test('T5: a block is left by one probe, and nothing follows it without a reading for 300 s', () => {
  fc.assert(
    fc.property(events, fc.double({ min: -1, max: 1, noNaN: true }), (list, savedShare) => {
      const { state } = after(list);
      if (state.phase.type !== 'blocked' || state.request) return;
      const now = state.phase.until;
      assert.equal(decideOver(state, now).action, 'probe');
      const running = reduce(state, { type: 'started', now });
      assert.equal(decideOver(running, now + 1).action, 'wait');
      const done = reduce(running, { type: 'finished', savedShare, now: now + 1 });
      assert.ok(['wait', 'block'].includes(decideOver(done, now + 300_000).action));
      assert.ok(decideOver(done, now + 1 + longestMs).action === 'probe');
    }),
    { numRuns: 2_000 },
  );
});

test('F2: a person is always served, unless a pass is running', () => {
  fc.assert(
    fc.property(events, (list) => {
      const { state, now } = after(list);
      const forced = reduce(state, { type: 'forced', by: 'person', now });
      const decision = decide(forced, { now, promptTokens: 0, thresholdTokens: threshold }, rules);
      assert.ok(decision.action === 'compress' || (decision.action === 'wait' && decision.reason === 'running'));
    }),
    { numRuns: 1_000 },
  );
});

/** What a host may live through between two decisions, without a real reading. */
const hostStep = fc.record({
  wait: seconds,
  turn: fc.boolean(),
  overflow: fc.boolean(),
  savedShare: fc.double({ min: -0.5, max: 1, noNaN: true }),
  estimate: fc.constantFrom(below, over),
});

test('T7: without a real reading no more than 3 passes happen, and then one probe in 300 s', () => {
  fc.assert(
    fc.property(fc.array(hostStep, { maxLength: 80 }), (steps) => {
      const session = new Session().usage(over);
      let passes = 0;
      let lastProbe = Number.NEGATIVE_INFINITY;
      for (const step of steps) {
        session.seconds(step.wait);
        if (step.turn) session.send({ type: 'turn' });
        if (step.overflow) session.send({ type: 'forced', by: 'overflow' });
        const { action } = session.decide();
        if (action === 'probe') {
          assert.ok(session.now - lastProbe >= 300_000);
          lastProbe = session.now;
        } else if (action === 'compress') passes++;
        if (action === 'probe' || action === 'compress') session.pass(step.savedShare).estimate(step.estimate);
      }
      assert.ok(passes <= 3, `${passes} passes`);
    }),
    { numRuns: 1_000 },
  );
});

test('T5: a prompt that nothing makes smaller costs 3 passes and then at most one in 300 s', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ wait: seconds, share: fc.double({ min: 0, max: 0.9, noNaN: true }) })),
      (steps) => {
        const session = new Session().usage(over);
        let passes = 0;
        for (const { wait, share } of steps) {
          session.seconds(wait).send({ type: 'turn' });
          if (!['compress', 'probe'].includes(session.action)) continue;
          session.pass(share).usage(over);
          passes++;
        }
        assert.ok(passes <= 3 + (session.now - start) / 300_000);
      },
    ),
    { numRuns: 1_000 },
  );
});

test('T5: a session whose passes help is never held back', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ wait: seconds, share: fc.double({ min: 0.1, max: 0.9, noNaN: true }) })),
      (steps) => {
        const session = new Session();
        for (const { wait, share } of steps) {
          session.seconds(wait).usage(over);
          assert.equal(session.action, 'compress');
          session.pass(share).usage(Math.min(threshold - 1, Math.floor(over * (1 - share))));
        }
      },
    ),
    { numRuns: 500 },
  );
});
