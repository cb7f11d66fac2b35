import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  noPressure,
  notePressure,
  type PressureReading,
  type PressureState,
} from '../../packages/core/src/context/pressure.ts';
import type { CompressionConfig } from '../../packages/core/src/context/settings.ts';

const reading = (promptTokens: number, more: Partial<PressureReading> = {}): PressureReading => ({
  promptTokens,
  thresholdTokens: 100_000,
  contextLength: 200_000,
  compressionCount: 0,
  ...more,
});

/** The notices of each reading of a session. */
function told(
  readings: readonly PressureReading[],
  preset: CompressionConfig['pressure'],
): readonly (readonly string[])[] {
  let state: PressureState = noPressure;
  return readings.map((next) => {
    const result = notePressure(state, next, preset);
    // A session keeps the state as JSON.
    state = JSON.parse(JSON.stringify(result.state));
    return result.notices.map((notice) => `${notice.type} ${notice.level}`);
  });
}

describe('pressure', () => {
  test('T6: one notice at 85 % of the threshold, again only after usage fell', () => {
    const readings = [84_999, 85_000, 90_000, 99_000, 84_000, 85_000].map((tokens) => reading(tokens));
    const near = ['near_threshold warn'];
    assert.deepEqual(told(readings, 'threshold'), [[], near, [], [], [], near]);
  });

  test('T6: the notice names the numbers', () => {
    const { notices } = notePressure(noPressure, reading(85_500), 'threshold');
    assert.equal(
      notices[0]?.message,
      'The context is at 86 % of the point where it is compressed (85,500 of 100,000 tokens).',
    );
  });

  test('T6: tiers of the window at 0.65, 0.75, 0.85 and 0.95', () => {
    const readings = [129_999, 130_000, 150_000, 160_000, 170_000, 190_000, 130_000, 150_000].map((tokens) =>
      reading(tokens),
    );
    const expected = [[], ['tier log'], ['tier warn'], [], ['tier compress'], ['tier emergency'], [], ['tier warn']];
    assert.deepEqual(told(readings, 'tiers'), expected);
  });

  test('T6: a jump over several tiers announces the highest', () => {
    assert.deepEqual(told([reading(195_000)], 'tiers'), [['tier emergency']]);
  });

  test('T6: both presets can be on, or none', () => {
    const high = reading(195_000, { compressionCount: 2 });
    assert.deepEqual(told([high], 'both'), [['near_threshold warn', 'tier emergency', 'repeated warn']]);
    assert.deepEqual(told([high], 'off'), [[]]);
  });

  test('T6: from the second compression on, each warns that accuracy may degrade', () => {
    const readings = [0, 1, 2, 2, 3].map((compressionCount) => reading(10, { compressionCount }));
    const repeated = ['repeated warn'];
    assert.deepEqual(told(readings, 'threshold'), [[], [], repeated, [], repeated]);
    const { notices } = notePressure(noPressure, reading(10, { compressionCount: 2 }), 'threshold');
    assert.match(notices[0]?.message ?? '', /accuracy may degrade.*\/new/);
  });

  test('T6: without a window or a threshold nothing is said', () => {
    assert.deepEqual(told([reading(1_000_000, { contextLength: 0, thresholdTokens: 0 })], 'both'), [[]]);
  });

  describe('T6: what is announced is what comes', () => {
    /** The message of a preset at so many tokens of 200,000. */
    const said = (preset: 'threshold' | 'tiers', tokens: number, more: Partial<PressureReading> = {}): string =>
      notePressure(noPressure, reading(tokens, more), preset).notices[0]?.message ?? '';
    const tiers = [150_000, 170_000, 195_000];

    test('T6: below the threshold where it is compressed, above it that it is about to be', () => {
      for (const tokens of tiers) {
        assert.match(said('tiers', tokens, { thresholdTokens: 198_000 }), /is compressed at 198,000; \/compress/);
        assert.match(said('tiers', tokens), /is about to be compressed/);
      }
      assert.match(said('tiers', 195_000), /start a new conversation with \/new/);
    });

    for (const [course, words] of [
      ['off', /turned off: use \/compress to make room/],
      ['held', /paused for now: use \/compress to make room/],
      ['planned', /compressed when that saves money, at the latest when the window is full/],
    ] as const) {
      test(`T6: ${course}, nothing says that it is or will be compressed at a point`, () => {
        const all = [
          ...tiers.map((tokens) => said('tiers', tokens, { course })),
          said('threshold', 90_000, { course }),
        ];
        for (const message of all) {
          assert.match(message, words);
          assert.doesNotMatch(message, /about to be|compressed at|point where/);
        }
      });
    }
  });
});
