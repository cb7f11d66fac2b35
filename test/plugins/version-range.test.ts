import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isInRange } from '../../packages/palimpsest/src/plugins/engine-host.ts';

test('E3 the range of versions of a plugin is read as package files write it', () => {
  const cases: readonly (readonly [string, string, boolean | undefined])[] = [
    ['0.1.0', '*', true],
    ['0.1.0', '', true],
    ['0.1.0', '0.1.0', true],
    ['0.1.1', '0.1.0', false],
    ['0.1.7', '0.1', true],
    ['0.1.7', '0.1.x', true],
    ['1.9.0', '1', true],
    ['2.0.0', '1', false],
    ['0.1.9', '^0.1.2', true],
    ['0.2.0', '^0.1.2', false],
    ['0.0.4', '^0.0.3', false],
    ['1.9.9', '^1.2.3', true],
    ['2.0.0', '^1.2.3', false],
    ['1.2.9', '~1.2.3', true],
    ['1.3.0', '~1.2.3', false],
    ['0.5.0', '>=0.1.0 <0.6.0', true],
    ['0.6.0', '>=0.1.0 <0.6.0', false],
    ['0.6.0', '>= 0.1.0 <= 0.6', true],
    ['0.7.0', '<=0.6', false],
    ['2.0.0', '>1', true],
    ['1.5.0', '>1', false],
    ['3.1.0', '^1.0.0 || ^3.0.0', true],
    ['2.1.0', '^1.0.0 || ^3.0.0', false],
    ['1.0.0', 'latest', undefined],
    ['1.0.0', '^1.0.0 || what', undefined],
    ['1.0.0', '1'.repeat(400), undefined],
    ['one', '*', undefined],
  ];
  for (const [version, range, expected] of cases)
    assert.equal(isInRange(version, range), expected, `${version} in ${range}`);
});
