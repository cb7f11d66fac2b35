/** A killed process leaves every session as it was before its last write, or as it was after. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { surviveKills } from '../support/kills.ts';
import { newFolder } from '../support/store-files.ts';

test('F3 20 kills at random instants: all that was acknowledged is there once, every session is before or after', async (t) => {
  const path = join(await newFolder(t), 'store.db');
  const report = await surviveKills({ path, writers: 2, sessions: 10, rounds: 20, seed: 20_261_122 });
  t.diagnostic(JSON.stringify(report));
  assert.equal(report.rounds, 20);
  // Otherwise the kills would have hit nothing but starting processes.
  assert.ok(report.midWork >= 15 && report.compressions > 0);
});
