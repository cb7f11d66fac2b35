import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { groupsOf, lastGroup } from '../../packages/core/src/transcript/text.ts';
import { conversations } from '../support/conversations.ts';

test('B1: the last group found from the end is the last of all groups', () => {
  fc.assert(
    fc.property(conversations({ faults: true, maxSteps: 6 }), fc.nat(20), (messages, drop) => {
      const list = messages.slice(0, Math.max(0, messages.length - drop));
      assert.deepEqual(lastGroup(list), groupsOf(list).at(-1));
    }),
    { numRuns: 500 },
  );
});
