import assert from 'node:assert/strict';
import { test } from 'node:test';
import { staleHandoffPage } from '../../scripts/reference/handoff-page.ts';

test('the guide shows the handoff that this version writes; `npm run docs` brings it up to date', async () => {
  assert.deepEqual(await staleHandoffPage(), []);
});
