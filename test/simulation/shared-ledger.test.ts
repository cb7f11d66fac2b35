/** What several read of one conversation is read once, and each of them writes what it would have written alone. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Message } from '@palimpsest/core';
import { type Ledger, ledgerOf } from '@palimpsest/core/engine';
import { sharedLedger } from '../../packages/palimpsest/src/simulate/replay.ts';
import { assistant, calls, result, user } from '../support/conversations.ts';

const options = { count: (text: string): number => Math.ceil(text.length / 4) };

const session: readonly Message[] = [
  user('Please move the ledger of src/ledger/berth.ts to PostgreSQL 17.'),
  calls({ a: 'read' }, { path: 'src/ledger/berth.ts' }),
  result('a', 'export const berthLedger = openLedger("berth", { port: 5433 });'),
  assistant('berthLedger opens port 5433: I decided to keep it.'),
  user('Then run the tests of the importer.'),
];

function add(ledger: Ledger, messages: readonly Message[]): readonly string[] {
  return messages.map((message, at) => ledger.add(message, messages[at + 1]));
}

const written = (ledger: Ledger): string => ledger.handoff({ budgetTokens: 400 }).body;

describe('a shared ledger', () => {
  test('reads a message once, however many follow', () => {
    let reads = 0;
    const counted = session.map((message) => ({
      ...message,
      get parts() {
        reads++;
        return message.parts;
      },
    }));
    const follow = sharedLedger(options);
    const refs = add(follow(), counted);
    const before = reads;
    assert.deepEqual(add(follow(), counted), refs);
    assert.ok(before > 0);
    assert.equal(reads, before);
  });

  test('writes the same handoff, and says the same of itself, as one that is not shared', () => {
    const follow = sharedLedger(options);
    const alone = ledgerOf(session, options);
    for (const ledger of [follow(), follow()]) {
      add(ledger, session);
      assert.deepEqual([ledger.size, ledger.inheritedAt], [alone.size, alone.inheritedAt]);
      assert.equal(written(ledger), written(alone));
      assert.deepEqual(ledger.facts(), alone.facts());
    }
  });

  test('tells nobody what others read further on', () => {
    const follow = sharedLedger(options);
    add(follow(), session);
    const behind = follow();
    add(behind, session.slice(0, 3));
    assert.equal(behind.size, 3);
    assert.equal(written(behind), written(ledgerOf(session.slice(0, 3), options)));
    add(behind, session.slice(3));
    assert.equal(written(behind), written(ledgerOf(session, options)));
  });

  test('lets go whoever goes on with another message', () => {
    const follow = sharedLedger(options);
    const [first, other] = [follow(), follow()];
    add(first, session);
    const turned = [...session.slice(0, 2), result('a', 'No such file: src/ledger/berth.ts')];
    add(other, turned);
    assert.equal(written(other), written(ledgerOf(turned, options)));
    assert.equal(written(first), written(ledgerOf(session, options)));
  });
});
