import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { ContextSize } from '../../../packages/core/src/compression/policy/state.ts';
import { madeProgress } from '../../../packages/core/src/compression/policy/state.ts';
import { classifyFailure, type ProviderFailure } from '../../../packages/core/src/provider/errors/classify.ts';
import { type FailureReason, reasonRows } from '../../../packages/core/src/provider/errors/reasons.data.ts';
import {
  afterAnswer,
  type FailedCall,
  noRecovery,
  type Recovery,
  type RecoveryState,
  recoveryFor,
} from '../../../packages/core/src/provider/errors/recovery.ts';
import { apiCallError, failureFixture } from './fixtures.ts';

const call: FailedCall = { messages: 200, tokens: 250_000, contextLength: 256_000, maxTokens: 64_000 };

const failed = (provider: string, name: string): ProviderFailure => {
  const fixture = failureFixture(provider, name);
  return classifyFailure(apiCallError(fixture), fixture.session);
};

/** The decisions for the same failure, one after the other; `shrink` makes the next call of each. */
function chain(
  failure: ProviderFailure,
  first: FailedCall,
  shrink: (call: FailedCall, recovery: Recovery) => FailedCall,
): Recovery[] {
  const decisions: Recovery[] = [];
  let state = noRecovery;
  for (let at = first; decisions.length < 50; ) {
    const step = recoveryFor(failure, state, at);
    decisions.push(step.recovery);
    state = step.state;
    if (step.recovery.type === 'give_up') return decisions;
    at = shrink(at, step.recovery);
  }
  return decisions;
}

const halved = (at: FailedCall): FailedCall => ({ ...at, messages: at.messages / 2, tokens: at.tokens / 2 });
const unchanged = (at: FailedCall): FailedCall => at;
const types = (decisions: readonly Recovery[]): string[] => decisions.map(({ type }) => type);

function adviceOf(decisions: readonly Recovery[]): string {
  const last = decisions.at(-1);
  assert.ok(last?.type === 'give_up');
  return last.advice;
}

describe('O2: a prompt that is too long', () => {
  const tooLong = failed('Anthropic', 'the prompt is too long');

  test('O2 is compressed for the lower window that the provider stated', () => {
    const { recovery } = recoveryFor(tooLong, noRecovery, call);
    assert.deepEqual(recovery, { type: 'compress', pauseMs: 2_000, window: { tokens: 200_000, source: 'stated' } });
  });

  test('O2 does not raise the window, nor set it to what it is', () => {
    for (const contextLength of [200_000, 128_000]) {
      const { recovery } = recoveryFor(tooLong, noRecovery, { ...call, contextLength });
      assert.deepEqual(recovery, { type: 'compress', pauseMs: 2_000 });
    }
  });

  test('O2 O3 T7 is compressed three times in a turn, and then the person is told of /new and /compress', () => {
    const decisions = chain(tooLong, call, halved);
    assert.deepEqual(types(decisions), ['compress', 'compress', 'compress', 'give_up']);
    assert.match(adviceOf(decisions), /\/compress.*\/new.*compressed 3 times/);
  });

  test('T7 is not compressed again when that made it no smaller', () => {
    assert.deepEqual(types(chain(tooLong, call, unchanged)), ['compress', 'give_up']);
    const barely = (at: FailedCall): FailedCall => ({ ...at, tokens: at.tokens * 0.96 });
    assert.deepEqual(types(chain(tooLong, call, barely)), ['compress', 'give_up']);
    const enough = (at: FailedCall): FailedCall => ({ ...at, tokens: at.tokens * 0.94 });
    assert.deepEqual(types(chain(tooLong, call, enough)), ['compress', 'compress', 'compress', 'give_up']);
  });

  test('F5 that nothing could be made smaller is said, and not that it was compressed', () => {
    for (const [compressed, words] of [
      [0, /Compression found nothing to make smaller\./],
      [1, /It was compressed once in this turn/],
      [2, /It was compressed 2 times in this turn/],
    ] as const) {
      const advice = adviceOf(chain(tooLong, { ...call, compressed }, unchanged));
      assert.match(advice, words);
      if (compressed === 0) assert.doesNotMatch(advice, /was compressed/);
    }
  });

  test('O3 F5 is not compressed where compression is turned off, and that is said', () => {
    const decisions = chain(tooLong, { ...call, compressible: false, otherModels: 2 }, unchanged);
    assert.deepEqual(types(decisions), ['give_up']);
    assert.match(adviceOf(decisions), /compression is turned off/);
  });

  test('O2 a number that is a code is no window', () => {
    const { recovery } = recoveryFor(failed('MiniMax', 'the prompt is too long'), noRecovery, call);
    assert.deepEqual(recovery, { type: 'compress', pauseMs: 2_000, window: { tokens: 200_000, source: 'guessed' } });
  });

  const unnamed = failed('MiniMax', 'the prompt is too long');

  test('O4 without a window the next lower one of the usual is tried, then half and a quarter of what was refused', () => {
    const rows = [
      [250_000, [200_000, 64_000, 16_000]],
      [130_000, [128_000, 32_000, 8_000]],
      [25_666, [16_000, 8_000, 4_000]],
      [8_000, [4_000, undefined, undefined]],
      [3_000, [undefined, undefined, undefined]],
    ] as const;
    for (const [tokens, windows] of rows) {
      const decisions = chain(unnamed, { ...call, tokens }, (at, recovery) => {
        const contextLength = (recovery.type === 'compress' ? recovery.window?.tokens : undefined) ?? at.contextLength;
        return { ...at, contextLength, tokens: Math.min(at.tokens * 0.9, contextLength), messages: at.messages - 1 };
      });
      const tried = decisions.map((decision) => (decision.type === 'compress' ? decision.window?.tokens : 'end'));
      assert.deepEqual(tried, [...windows, 'end'], String(tokens));
    }
  });

  test('O4 a named window that what was refused should fit is not believed to be the trouble', () => {
    const { recovery } = recoveryFor(tooLong, noRecovery, { ...call, tokens: 90_000, contextLength: 128_000 });
    assert.deepEqual(recovery, { type: 'compress', pauseMs: 2_000, window: { tokens: 64_000, source: 'guessed' } });
  });

  test('O4 bytes say something of the window only where there is nothing but text', () => {
    const tooLarge = failed('Anthropic', 'too many bytes');
    for (const [images, window] of [
      [false, { tokens: 200_000, source: 'guessed' }],
      [true, undefined],
    ] as const) {
      const { recovery } = recoveryFor(tooLarge, noRecovery, { ...call, images });
      assert.deepEqual(recovery, { type: 'compress', pauseMs: 2_000, ...(window ? { window } : {}) });
    }
  });

  test('O2 an account that takes shorter prompts lowers the window for now, not for good', () => {
    const { recovery } = recoveryFor(failed('Anthropic', 'long context only'), noRecovery, {
      ...call,
      contextLength: 1_000_000,
    });
    assert.deepEqual(recovery, { type: 'compress', pauseMs: 2_000, window: { tokens: 200_000, source: 'guessed' } });
  });
});

describe('O2: more output than there is room for', () => {
  const tooMuch = failed('Anthropic', 'prompt and output together');

  test('O2 lowers max_tokens, and neither compresses nor touches the window', () => {
    const { recovery, state } = recoveryFor(tooMuch, noRecovery, call);
    assert.deepEqual(recovery, { type: 'lower_output', maxTokens: 21_041 });
    assert.deepEqual([state.maxTokens, state.compressions], [21_041, 0]);
  });

  test('O2 a retry that is refused like the first does not spin: half, half again, and the end', () => {
    const decisions = chain(tooMuch, call, (at) => at);
    assert.deepEqual(decisions.slice(0, 3), [
      { type: 'lower_output', maxTokens: 21_041 },
      { type: 'lower_output', maxTokens: 10_520 },
      { type: 'lower_output', maxTokens: 5_260 },
    ]);
    assert.match(adviceOf(decisions), /max_tokens.*lowered to 5260/);
  });

  test('O2 without a number half of what was asked for is tried, or what every model writes', () => {
    const noNumber = failed('Z.AI', 'more output than the model writes, without');
    assert.deepEqual(recoveryFor(noNumber, noRecovery, call).recovery, { type: 'lower_output', maxTokens: 32_000 });
    const { maxTokens: _, ...unknown } = call;
    assert.deepEqual(recoveryFor(noNumber, noRecovery, unknown).recovery, { type: 'lower_output', maxTokens: 4_096 });
  });

  test('O2 what was lowered was lowered for one answer', () => {
    const { state } = recoveryFor(tooMuch, noRecovery, call);
    const after = afterAnswer(state, { promptTokens: 100_000, thresholdTokens: 90_000 });
    assert.deepEqual([after.maxTokens, after.lowerings], [null, 0]);
  });
});

describe('O2: a request of too many bytes', () => {
  const tooLarge = failed('Anthropic', 'too many bytes');

  test('O2 is compressed; then its images go, once', () => {
    assert.deepEqual(types(chain(tooLarge, call, unchanged)), ['compress', 'strip', 'give_up']);
    const all = ['compress', 'compress', 'compress', 'strip', 'give_up'];
    assert.deepEqual(types(chain(tooLarge, call, halved)), all);
  });

  test('O2 without images there is nothing to strip', () => {
    assert.deepEqual(types(chain(tooLarge, { ...call, images: false }, unchanged)), ['compress', 'give_up']);
  });
});

describe('O2: everything else', () => {
  test('O2 images and signed reasoning are left out once, then another model is asked', () => {
    const rows: readonly (readonly [ProviderFailure, string])[] = [
      [failed('Anthropic', 'an image of too many bytes'), 'images'],
      [failed('Anthropic', 'a signature of thinking'), 'reasoning'],
      [failed('OpenAI', 'encrypted reasoning'), 'reasoning'],
    ];
    for (const [failure, parts] of rows) {
      const decisions = chain(failure, { ...call, otherModels: 1 }, unchanged);
      assert.deepEqual(decisions.slice(0, 2), [{ type: 'strip', parts }, { type: 'fall_back' }]);
    }
  });

  test('O2 waits grow, and a provider that names a time is believed', () => {
    const busy = chain(failed('Anthropic', 'overloaded'), call, unchanged);
    assert.deepEqual(
      busy.slice(0, 3),
      [2_000, 8_000, 32_000].map((ms) => ({ type: 'wait', ms })),
    );
    assert.equal(busy[3]?.type, 'give_up');
    const { recovery } = recoveryFor(failed('Azure', 'a rate limit'), noRecovery, call);
    assert.deepEqual(recovery, { type: 'wait', ms: 60_000 });
  });

  test('O2 what nobody knows is tried once more, for it may be a mistake of the caller', () => {
    const mistake = classifyFailure(new TypeError("Cannot read properties of undefined (reading 'x')"));
    assert.deepEqual(types(chain(mistake, call, unchanged)), ['wait', 'give_up']);
  });

  test('O2 nobody waits a day: another model, or the person is told how long', () => {
    const aDay = classifyFailure({ status: 429, message: 'Please retry after 86400 seconds.' });
    assert.deepEqual(types(chain(aDay, { ...call, otherModels: 1 }, unchanged)), ['fall_back', 'give_up']);
    assert.match(adviceOf(chain(aDay, call, unchanged)), /asks to wait 86400 s/);
  });

  test('O2 keys, money and names are not retried', () => {
    const permanent = [
      failed('OpenAI', 'a key that is wrong'),
      failed('OpenAI', 'no quota'),
      failed('OpenAI', 'no such model'),
    ];
    for (const failure of permanent) {
      assert.equal(failure.retryable, false);
      assert.deepEqual(types(chain(failure, call, unchanged)), ['give_up']);
      assert.deepEqual(types(chain(failure, { ...call, otherModels: 2 }, unchanged)), [
        'fall_back',
        'fall_back',
        'give_up',
      ]);
    }
  });

  test('O2 what the caller stopped is neither retried nor sent to another model', () => {
    const stopped = classifyFailure(new DOMException('x', 'AbortError'));
    assert.deepEqual(types(chain(stopped, { ...call, otherModels: 2 }, unchanged)), ['give_up']);
  });
});

describe('T7: attempts', () => {
  const spent: RecoveryState = {
    ...noRecovery,
    compressions: 3,
    compressedAt: { messages: 10, tokens: 1_000 },
    waits: 2,
  };

  test('T7 are given back by a real reading below the threshold only', () => {
    const left = (promptTokens?: number): number =>
      afterAnswer(spent, { thresholdTokens: 100_000, ...(promptTokens === undefined ? {} : { promptTokens }) })
        .compressions;
    assert.deepEqual([left(99_999), left(100_000), left(0), left()], [0, 3, 3, 3]);
  });

  test('T7 waiting starts afresh after every answer', () => {
    assert.equal(afterAnswer(spent, { thresholdTokens: 1 }).waits, 0);
  });
});

const reasons = Object.keys(reasonRows) as FailureReason[];

const anyFailure: fc.Arbitrary<ProviderFailure> = fc.record(
  {
    reason: fc.constantFrom(...reasons),
    retryable: fc.boolean(),
    advice: fc.constant(''),
    said: fc.constant(''),
    guessedWindow: fc.boolean(),
    limits: fc.record(
      { contextLength: fc.integer({ min: -5, max: 20_000_000 }), outputTokens: fc.integer({ min: -5, max: 300_000 }) },
      { requiredKeys: [] },
    ),
    retryAfterSeconds: fc.integer({ min: 0, max: 1_000 }),
  },
  { requiredKeys: ['reason', 'retryable', 'advice', 'said', 'guessedWindow', 'limits'] },
);

const anyCall: fc.Arbitrary<FailedCall> = fc.record(
  {
    messages: fc.integer({ min: 0, max: 500 }),
    tokens: fc.integer({ min: 0, max: 2_000_000 }),
    contextLength: fc.integer({ min: 1_024, max: 2_000_000 }),
    maxTokens: fc.integer({ min: 1, max: 200_000 }),
    images: fc.boolean(),
    compressible: fc.boolean(),
    otherModels: fc.integer({ min: 0, max: 4 }),
  },
  { requiredKeys: ['messages', 'tokens', 'contextLength'] },
);

/** Failures without an answer in between, until nothing is left to try. */
function until(failures: readonly (readonly [ProviderFailure, FailedCall])[]): {
  steps: Recovery[];
  sizes: ContextSize[];
} {
  const steps: Recovery[] = [];
  const sizes: ContextSize[] = [];
  let state = noRecovery;
  for (const [failure, at] of failures) {
    const step = recoveryFor(failure, state, at);
    if (step.recovery.type === 'give_up') continue;
    if (step.recovery.type === 'compress') sizes.push({ messages: at.messages, tokens: at.tokens });
    steps.push(step.recovery);
    state = step.state;
  }
  return { steps, sizes };
}

describe('O2: laws of every chain of failures', () => {
  const chains = fc.array(fc.tuple(anyFailure, anyCall), { minLength: 60, maxLength: 120 });

  test('O2 T7 it ends: each cure has a budget, whatever is thrown in whatever order', () => {
    fc.assert(
      fc.property(chains, (failures) => {
        const { steps } = until(failures);
        const count = (type: Recovery['type']): number => steps.filter((step) => step.type === type).length;
        assert.ok(count('compress') <= 3 && count('strip') <= 2 && count('fall_back') <= 4);
        // Waits and lowered output start afresh with each of at most five models.
        assert.ok(count('wait') <= 15 && count('lower_output') <= 15);
      }),
    );
  });

  test('T7 each compression follows on one that made the request smaller', () => {
    fc.assert(
      fc.property(chains, (failures) => {
        const { sizes } = until(failures);
        for (const [i, size] of sizes.slice(1).entries()) assert.ok(madeProgress(sizes[i] ?? size, size));
      }),
    );
  });

  test('O2 output only ever gets less while the answer is missing, and a window only ever gets lower', () => {
    fc.assert(
      fc.property(anyFailure, anyCall, anyCall, (failure, first, second) => {
        const one = recoveryFor(failure, noRecovery, first);
        const two = recoveryFor(failure, one.state, { ...second, otherModels: 0 });
        for (const [{ recovery }, at] of [
          [one, first],
          [two, second],
        ] as const) {
          if (recovery.type === 'compress' && recovery.window) assert.ok(recovery.window.tokens < at.contextLength);
        }
        if (one.recovery.type === 'lower_output' && two.recovery.type === 'lower_output') {
          assert.ok(two.recovery.maxTokens < one.recovery.maxTokens);
          assert.ok(first.maxTokens === undefined || one.recovery.maxTokens < first.maxTokens);
        }
      }),
    );
  });

  test('O2 the decision depends on nothing but its arguments, and changes none of them', () => {
    fc.assert(
      fc.property(anyFailure, anyCall, (failure, at) => {
        const before = JSON.stringify([failure, noRecovery, at]);
        const step = recoveryFor(failure, noRecovery, at);
        assert.deepEqual(recoveryFor(failure, noRecovery, at), step);
        assert.equal(JSON.stringify([failure, noRecovery, at]), before);
        assert.deepEqual(JSON.parse(JSON.stringify(step.state)), step.state);
      }),
    );
  });
});
