/** Times as people type them. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { parseWhen } from '../../packages/core/src/shared/when.ts';

const now = new Date(2026, 2, 31, 15, 30, 20).getTime();
const at = (text: string, edge: 'start' | 'end' = 'start'): Date | undefined => {
  const instant = parseWhen(text, { now, edge });
  return instant === undefined ? undefined : new Date(instant);
};
const reads = (rows: readonly (readonly [string, Date])[], edge: 'start' | 'end' = 'start'): void => {
  for (const [text, expected] of rows) assert.deepEqual(at(text, edge), expected, text);
};

describe('times', () => {
  test('Q2 a day, a month and a year begin at their midnight', () => {
    reads([
      ['2026-01-31', new Date(2026, 0, 31)],
      ['2026/1/5', new Date(2026, 0, 5)],
      ['2026-02', new Date(2026, 1, 1)],
      ['2025', new Date(2025, 0, 1)],
      ['today', new Date(2026, 2, 31)],
      [' Yesterday ', new Date(2026, 2, 30)],
    ]);
  });
  test('Q2 and end at the midnight after', () => {
    reads(
      [
        ['2026-01-31', new Date(2026, 1, 1)],
        ['2026-12', new Date(2027, 0, 1)],
        ['2025', new Date(2026, 0, 1)],
        ['today', new Date(2026, 3, 1)],
        ['yesterday', new Date(2026, 2, 31)],
      ],
      'end',
    );
  });
  test('Q2 a time of a day is taken in its zone, else in that of the machine', () => {
    reads([
      ['2026-01-31T10:20', new Date(2026, 0, 31, 10, 20)],
      ['2026-01-31 10:20:30', new Date(2026, 0, 31, 10, 20, 30)],
      ['2026-01-31T10:20:30.5Z', new Date(Date.UTC(2026, 0, 31, 10, 20, 30, 500))],
      ['2026-01-31t10:20:30+0200', new Date(Date.UTC(2026, 0, 31, 8, 20, 30))],
      ['2026-01-31 10:20 -05:30', new Date(Date.UTC(2026, 0, 31, 15, 50))],
    ]);
  });
  test('Q2 how long ago it was, in every unit', () => {
    reads([
      ['now', new Date(now)],
      ['90min', new Date(now - 90 * 60_000)],
      ['36h', new Date(now - 36 * 3_600_000)],
      ['3d', new Date(now - 3 * 86_400_000)],
      ['2w', new Date(now - 14 * 86_400_000)],
      ['2 weeks ago', new Date(now - 14 * 86_400_000)],
      ['1 hour', new Date(now - 3_600_000)],
      ['1y', new Date(2025, 2, 31, 15, 30, 20)],
    ]);
  });
  test('Q2 a month ago is the last day of a month that is shorter', () => {
    reads([
      ['1mo', new Date(2026, 1, 28, 15, 30, 20)],
      ['13 months ago', new Date(2025, 1, 28, 15, 30, 20)],
      ['2mo', new Date(2026, 0, 31, 15, 30, 20)],
    ]);
  });
  test('Q2 what is no time is none', () => {
    for (const text of [
      '',
      'soon',
      '3m',
      '3',
      '2026-02-30',
      '2026-13-01',
      '2026-1-31T25:00',
      '2026-02-30T10:00',
      '2026-01-31T24:10',
      '-3d',
      '1.5h',
      'constructor',
      '999999y',
    ]) {
      assert.equal(at(text), undefined, text);
    }
  });
  test('Q2 every instant in ISO 8601 is read as itself, and no text raises', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true }), (date) => {
        assert.deepEqual(at(date.toISOString()), date);
      }),
    );
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[\d:TtZz+\-/ .]{0,30}$/)), (text) => {
        const instant = parseWhen(text, { now });
        assert.ok(instant === undefined || Number.isFinite(instant));
      }),
    );
  });
});
