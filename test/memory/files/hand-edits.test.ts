/** What a file that a person saved lost of ours. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { entryHash } from '../../../packages/core/src/memory/files/entries.ts';
import {
  afterWrite,
  noWrites,
  type RecentWrites,
  withLostWrites,
} from '../../../packages/core/src/memory/files/hand-edits.ts';
import { growsInProportion } from '../../support/growth.ts';

const now = 1_795_305_600_000;

/** What we wrote into a file in so many entries. */
function wrote(count: number): { readonly texts: readonly string[]; readonly writes: RecentWrites } {
  const texts = Array.from({ length: count }, (_, at) => `note ${at} of the ${at % 7} lock`);
  const added = texts.map((text) => ({ text }));
  return { texts, writes: afterWrite(noWrites, { from: '', to: 'all', entries: texts, added, returned: [], now }) };
}

describe('M2: an editor that holds a file from long ago', () => {
  it('overwrites thousands of our entries, and all of them come back', () => {
    const { texts, writes } = wrote(5_000);
    const { entries, returned } = withLostWrites(['what the person wrote'], now + 60_000, writes);
    assert.equal(returned.length, 5_000);
    assert.deepEqual(entries, ['what the person wrote', ...texts]);
    assert.equal(writes.entries[0], entryHash(texts[0] ?? ''));
  });

  it('costs as much more as it lost more of our entries', () => {
    const brought = (count: number): (() => void) => {
      const { writes } = wrote(count);
      return () => void withLostWrites(['what the person wrote'], now + 60_000, writes);
    };
    return growsInProportion({ small: brought(500), large: brought(4_000) }, 8);
  });
});
