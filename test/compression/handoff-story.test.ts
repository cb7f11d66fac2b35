import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { storyOf } from '../../packages/core/src/compression/handoff-story.ts';

const handoff = `## Active Task
m9 user: word for word below
## Goal
m2 user: The import is slow.
 → m5 assistant: The lookup has no index.
 - 7 ms a row
## Completed Actions
### m6 user: 2. no new packages
 and keep 1 in mind
 m7-m8 changed src/import.ts test/import.test.ts
 → m8 assistant: 3.9 s instead of 117 s.
m7 assistant: One transaction blocks bookings.
m8 bash npm test:
 < ok
## Constraints & Preferences
m2 user: Nothing may be pushed.
`;

describe('S8: the story that a handoff tells', () => {
  it('is its requests in order, each with its outcome and the files that were changed for it', () => {
    assert.deepEqual(storyOf(handoff), [
      {
        ref: 'm2',
        text: 'The import is slow.\nNothing may be pushed.',
        changed: [],
        outcome: { ref: 'm5', text: 'The lookup has no index.\n- 7 ms a row' },
      },
      {
        ref: 'm6',
        text: '2. no new packages\nand keep 1 in mind',
        changed: ['src/import.ts', 'test/import.test.ts'],
        outcome: { ref: 'm8', text: '3.9 s instead of 117 s.' },
      },
    ]);
  });

  it('is nothing where no row of ours quotes a person', () => {
    assert.deepEqual(storyOf('## Goal\n- The user wants a faster import\nm3 bash npm test: done'), []);
    assert.deepEqual(storyOf(''), []);
  });
});
