import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { bar, legend } from '../../../packages/palimpsest/src/cli/render/table.ts';
import type { Screen } from '../../../packages/palimpsest/src/terminal/screen.ts';

const plain: Screen = { columns: 80, colour: false, unicode: true };
const ascii: Screen = { ...plain, unicode: false };

describe('the bar of the window', () => {
  it('gives every stretch its share of the cells', () => {
    const filling = { system: 10, summary: 20, tail: 30 };
    assert.equal(bar(filling, { window: 100, width: 20 }, plain), '██▓▓▓▓▄▄▄▄▄▄········');
    assert.equal(bar(filling, { window: 100, width: 20 }, ascii), '##SSSS======........');
  });

  it('shows what is there at all, and marks what does not fit', () => {
    assert.equal(bar({ system: 1, tail: 1 }, { window: 100_000, width: 10 }, ascii), '#=........');
    assert.equal(bar({ system: 50, tail: 150 }, { window: 100, width: 9 }, ascii), '##======>');
  });

  it('names the stretches that occur', () => {
    assert.equal(legend([{ system: 1, head: 1 }, { tail: 1 }], ascii), '# system and head  = tail  . free');
    assert.equal(legend([{ tools: 1, messages: 2 }], ascii), 'T tools  : messages  . free');
  });

  it('is always as wide as asked for', () => {
    const size = fc.integer({ min: 0, max: 300_000 });
    const filling = fc.record({ tools: size, system: size, head: size, middle: size, summary: size, tail: size });
    fc.assert(
      fc.property(
        filling,
        fc.integer({ min: 1, max: 200_000 }),
        fc.integer({ min: 1, max: 80 }),
        (sizes, window, width) => {
          assert.equal([...bar(sizes, { window, width }, plain)].length, width);
        },
      ),
    );
  });
});
