import assert from 'node:assert/strict';
import type { NamesFound } from '../../../bench/search/rare-names.ts';

/** Requires that our search finds each name at least as often as plain search, and as many of its messages. */
export function atLeastAsOften(found: readonly NamesFound[]): void {
  for (const { how, asked, ours, plain, oursOfAll, plainOfAll, missed } of found) {
    const about = `${how}, ${asked} names: ${missed.join('; ')}`;
    assert.ok(asked > 0);
    assert.ok(ours >= plain, `${ours} of ${plain} ${about}`);
    assert.ok(oursOfAll >= plainOfAll, `of all ${oursOfAll} of ${plainOfAll} ${about}`);
  }
}
