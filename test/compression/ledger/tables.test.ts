/** Tables in what an assistant says: their rows whole, with their head, and what leads to them only with rows. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createLedger } from '../../../packages/core/src/compression/ledger/ledger.ts';
import { spokenIn } from '../../../packages/core/src/compression/ledger/lines.ts';
import { estimateTextTokens } from '../../../packages/core/src/tokens/estimate.ts';
import type { Message } from '../../../packages/core/src/transcript/message.ts';
import { agent, person, ran } from './session.ts';

const lead = 'Here is the comparison of the three stores:';
const head = '| store | write, 10k rows | needs |';
const rows = ['Redb', 'SQLite', 'LMDB', 'Sled', 'RocksDB', 'Fjall', 'Badger', 'Pebble', 'DuckDB', 'Parquet'].map(
  (name, at) =>
    `| ${name} | ${at + 2}.${at} s with journal_${at}.rs | \`crate_${at}\` and ${'a lock file beside it'} |`,
);
const table = [lead, '', head, '|---|---|---|', ...rows].join('\n');

const noise = (at: number): readonly Message[] => {
  const result = `src/part${at}.rs: fn readPart${at}(row: Row${at}) -> Part${at} { parsePart${at}(row) }`.repeat(3);
  return ran({ name: 'Grep', input: { pattern: `part${at}` }, result });
};

function bodyOf(messages: readonly Message[], budgetTokens: number): string {
  const ledger = createLedger({ count: estimateTextTokens });
  for (const message of messages) ledger.add(message);
  return ledger.handoff({ budgetTokens }).body;
}

const linesIn = (body: string): readonly string[] =>
  body.split('\n').map((line) => line.replace(/^.*?assistant: |^ /, ''));

describe('S8: a table in an answer', () => {
  const conversation = [
    person('Which store shall we take for the index? Compare them by writing speed, please.'),
    ...[1, 2, 3, 4].flatMap(noise),
    agent(`${table}\n\nI would take SQLite, because everybody here knows how to repair it.`),
    person('Good, then write the adapter for it and nothing else for now.'),
    ...[5, 6, 7, 8].flatMap(noise),
    agent('The adapter is written and its tests pass.'),
  ];

  for (const budget of [250, 350, 450, 600, 900, 1_400, 3_000])
    test(`is told by whole rows below its head, with a mark where some are left out: ${budget} tokens`, () => {
      const lines = linesIn(bodyOf(conversation, budget));
      const told = lines.filter((line) => rows.includes(line));
      const cut = lines.filter((line) => line.includes('|') && ![head, '| … |', ...rows].includes(line));
      assert.deepEqual(cut, []);
      assert.equal(lines.filter((line) => line === head).length, told.length > 0 ? 1 : 0);
      assert.equal(lines.includes('| … |'), told.length > 0 && told.length < rows.length);
      if (lines.includes(lead)) assert.ok(told.length > 0, 'what leads to the table stands alone');
      if (told.length > 0) assert.equal(lines[lines.indexOf(told[0] ?? '') - 1], head);
    });

  test('is left out with what leads to it, beside calls as well', () => {
    const [call, result] = ran({ name: 'Bash', input: { command: 'cargo bench' }, result: 'done' });
    const said: Message[] = call ? [{ ...call, parts: [{ type: 'text', text: table }, ...call.parts] }] : [];
    const body = bodyOf([person('Compare the stores.'), ...said, ...(result ? [result] : []), ...noise(1)], 120);
    assert.ok(!linesIn(body).includes(lead) || rows.some((row) => body.includes(row)), body);
  });

  test('that is all there is of an answer is what came of the request', () => {
    const body = bodyOf([person('Compare the stores.'), agent(table), person('Thanks. Now the adapter.')], 600);
    assert.match(body, /^ → m2 assistant: Here is the comparison of the three stores:\n \| store \|/m);
  });

  test('is not led to by what tells what is under way', () => {
    const [call] = ran({ name: 'Bash', input: { command: 'cargo bench' } });
    const text = `The first run is done and the numbers hold. ${table}`;
    const said: Message[] = call ? [{ ...call, parts: [{ type: 'text', text }, ...call.parts] }] : [];
    const body = bodyOf([person('Compare the stores.'), ...said], 3_000);
    assert.match(body, /^## In Progress\nm2 assistant: The first run is done and the numbers hold\.$/m);
  });

  test('keeps long rows whole', () => {
    const long = `| Redb | ${'writes a page for every row and syncs it, '.repeat(14)}| none |`;
    assert.ok(spokenIn(agent(`| a | b | c |\n|---|---|---|\n${long}`)).includes(long));
  });

  test('keeps its head and its mark when the handoff is inherited', () => {
    const shown = [head, rows[0], rows[1], '| … |'].map((row) => ` ${row}`);
    const text = [
      '<handoff covers="m1-m40" messages="40" followed-by="m41-m42">',
      'Reference only: notes.\n',
      '## Goal',
      'm1 user: Which store shall we take?',
      ` → m40 assistant: ${lead}`,
      ...shown,
      '</handoff>',
    ].join('\n');
    const body = bodyOf([{ role: 'user', parts: [{ type: 'text', text }] }, agent('Done.'), person('Go on.')], 1_500);
    assert.ok(body.includes(` → m40 assistant: ${lead}\n${shown.join('\n')}`), body);
  });
});
