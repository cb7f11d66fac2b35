/** The index of names of a handoff, where it is written in short rows. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { nameRowsFor } from '../../packages/core/src/compression/ledger/name-index.ts';
import { createLedger } from '../../packages/core/src/engine.ts';
import { fromOpenAiChat } from '../../packages/core/src/index.ts';
import { growsInProportion } from '../support/growth.ts';

const letters = [...'abcdefghijklmnopqrstuvwxyz'];
/** Lines that are too long to be quoted, each with two names. */
const listing = letters
  .map((one) => `warehouse counts: billing_${one}ok of Depot${one.toUpperCase()}oll ${`${one}${one} `.repeat(200)}`)
  .join('\n');

const called = (id: string) => [{ id, type: 'function' as const, function: { name: 'list', arguments: '{}' } }];
const messages = fromOpenAiChat([
  { role: 'user', content: 'Move the ledgers.' },
  { role: 'assistant', content: 'The warehouse counts come first.', tool_calls: called('c1') },
  { role: 'tool', tool_call_id: 'c1', content: listing },
  { role: 'assistant', content: 'The warehouse is moved.' },
  { role: 'user', content: 'And the rest.' },
]);

function indexOf(shortNameRows: boolean): readonly string[] {
  const ledger = createLedger({ count: (text) => Math.ceil(text.length / 4) });
  for (const [at, message] of messages.entries()) ledger.add(message, messages[at + 1]);
  const { body } = ledger.handoff({ to: 4, budgetTokens: 400, nameShare: 0.8, shortNameRows });
  return body.split('\n').filter((row) => row.startsWith(' + m'));
}

describe('the index of names', () => {
  test('S2 gives each short row at most twelve names, and words that stand around them and that the assistant used', () => {
    const rows = indexOf(true);
    assert.ok(rows.length > 1, rows.join('\n'));
    for (const row of rows) {
      const [, words = '', names = ''] = /^ \+ m\d+(?:-m\d+)? \(([^)]*)\): (.*)$/.exec(row) ?? [];
      assert.deepEqual(words.split(' ').sort(), ['counts', 'warehouse'], row);
      assert.ok(names.split(' ').length <= 12, row);
    }
  });
  test('S2 has one row for the turns of a few requests where nobody asks for short ones', () => {
    assert.equal(indexOf(false).length, 1);
  });
});

test('S8 the rows of an index take time in proportion to the conversation, however many requests it has', async () => {
  const rows = (requests: number) => (): number => {
    const asks = Array.from({ length: requests }, (_, at) => ({ ref: `m${2 * at + 1}` as const }));
    const rowOf = nameRowsFor({ facts: { asks }, stepOf: (message) => message });
    let sum = 0;
    for (let message = 0; message < 2 * requests; message++) sum += rowOf({ lastMessage: message });
    return sum;
  };
  assert.equal(rows(10)(), 10);
  await growsInProportion({ small: rows(4_000), large: rows(32_000) }, 8);
});
