/** Public calls with texts that once took them minutes: a megabyte of each, within a bound far above what they take. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hostileCalls } from '../../bench/hostile-sizes/calls.ts';
import { whateverComes } from '../../bench/hostile-sizes/given.ts';
import { shapeNames, textOf } from '../../bench/hostile-sizes/shapes.ts';
import { growsInProportion } from '../support/growth.ts';

const million = 1_000_000;

const once: readonly (readonly [call: string, shape: string])[] = [
  // Grew by the square of the text: from eight seconds to minutes.
  ['misbehaving: changesPath', 'starts of mail addresses'],
  ['misbehaving: changesNumber', 'CJK'],
  ['misbehaving: changesNumber', 'blanks and line breaks'],
  ['misbehaving: leaksKey', 'line breaks'],
  ['misbehaving: dropsFile', 'one letter'],
  ['misbehaving: dropsFile', 'one path'],
  ['faithfulSummary', 'facts that open'],
  ['faithfulSummary', 'summaries that open'],
  ['faithfulSummary', 'summaries half open'],
  ['faithfulSummary', 'one record again'],
  ['faithfulSummary', 'calls that fail'],
  ['faithfulSummary', 'labels of blanks'],
  ['search: the query', 'dates and times'],
  ['expand: refs', 'line breaks'],
];

describe('S9: a megabyte of anything', () => {
  for (const [name, shape] of once) {
    test(`takes seconds at most: ${name} of ${shape}`, async () => {
      const call = hostileCalls.find((one) => one.name === name);
      assert.ok(call, name);
      const [eighth, whole] = await Promise.all(
        [million / 8, million].map((length) => call.begin({ text: textOf(shape, length), messages: [] })),
      );
      assert.ok(eighth && whole);
      await growsInProportion({ small: () => whateverComes(eighth), large: () => whateverComes(whole) }, 8);
    });
  }

  test('is made of every shape, to the character', () => {
    for (const shape of shapeNames) assert.equal(textOf(shape, 999).length, 999, shape);
  });

  test('is asked of every call once by its name', () => {
    const names = hostileCalls.map(({ name }) => name);
    assert.deepEqual(names, [...new Set(names)]);
  });
});
