import assert from 'node:assert/strict';
import { test } from 'node:test';
import { estimateTextTokens } from '@palimpsest/core';
import { createLedger } from '@palimpsest/core/engine';
import { assistant, user } from '../../support/conversations.ts';

test('S2: of a topic without end its opening counts', () => {
  const ledger = createLedger({ count: estimateTextTokens });
  for (let at = 0; at < 60; at++) {
    ledger.add(
      user(`Please look at the ${at % 7 === 0 ? 'parser' : at === 20 ? 'printer' : 'importer'} in case ${at}.`),
    );
    ledger.add(assistant(`Case ${at} of it is done, and nothing else was changed in the folder src/case-${at}.`));
  }
  const opening = 'the parser '.padEnd(2_000, ' .');
  const handoff = (focusTopic: string): string => ledger.handoff({ budgetTokens: 500, focusTopic }).body;
  assert.equal(handoff(`${opening}printer ${'and everything else '.repeat(50_000)}`), handoff(opening));
  assert.match(handoff(opening), /parser/);
});
