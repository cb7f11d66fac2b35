/** What a file that a person saved lost of ours. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { entryHash } from '../../../packages/core/src/memory/files/entries.ts';
import { afterWrite, noWrites, withLostWrites } from '../../../packages/core/src/memory/files/hand-edits.ts';

const now = 1_795_305_600_000;

describe('M2: an editor that holds a file from long ago', () => {
  it('overwrites thousands of our entries, and all of them come back', () => {
    const texts = Array.from({ length: 5_000 }, (_, at) => `note ${at} of the ${at % 7} lock`);
    const writes = afterWrite(noWrites, {
      from: '',
      to: 'all of them',
      entries: texts,
      added: texts.map((text) => ({ text })),
      returned: [],
      now,
    });
    const { entries, returned } = withLostWrites(['what the person wrote'], now + 60_000, writes);
    assert.equal(returned.length, 5_000);
    assert.deepEqual(entries, ['what the person wrote', ...texts]);
    assert.equal(writes.entries[0], entryHash(texts[0] ?? ''));
  });
});
