/** What a handoff tells lives on in processes that have nothing but the handoff: under its number, in its speaker's name. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { compress, estimatingTokenizer, type Message } from '@palimpsest/core';
import { unwrapHandoff } from '../../../packages/core/src/compression/handoff-block.ts';
import { type HandoffRow, readRows } from '../../../packages/core/src/compression/handoff-rows.ts';
import { createLedger } from '../../../packages/core/src/compression/ledger/ledger.ts';
import { spokenIn } from '../../../packages/core/src/compression/ledger/lines.ts';
import { estimateTextTokens } from '../../../packages/core/src/tokens/estimate.ts';
import { readTranscripts } from '../../../packages/core/src/transcript/read.ts';
import { carriesResults, messageText } from '../../../packages/core/src/transcript/text.ts';
import { isQuoteOf } from '../../support/quotes.ts';
import { agent, person, ran } from './session.ts';

const tokenizer = estimatingTokenizer('claude');

/** The rows of the handoffs of a conversation that is compressed as it grows, each time without a record. */
async function rowsOfPasses(messages: readonly Message[], targetTokens: number): Promise<(readonly HandoffRow[])[]> {
  const ends = [0.4, 0.6, 0.8, 1].map((share) => Math.floor(messages.length * share));
  const passes: (readonly HandoffRow[])[] = [];
  let list: readonly Message[] = [];
  for (const [pass, end] of ends.entries()) {
    // Through JSON: nothing but what was written is known.
    const said = [...list, ...messages.slice(ends[pass - 1] ?? 0, end)];
    const result = await compress(structuredClone(said), { tokenizer, targetTokens, contextLength: 200_000 });
    const text = result.handoff?.text ?? '';
    const body = unwrapHandoff({ role: 'user', parts: [{ type: 'text', text }] })?.body;
    if (body !== undefined) passes.push(readRows(body));
    list = result.messages;
  }
  return passes;
}

const letters = (text: string): string => text.normalize('NFKC').replace(/[^\p{L}\p{N}]/gu, '');

/** Why a row is not what its message says; undefined for one that is, or that is a sentence of this program. */
function faultOf({ number = 0, speaker, text, index }: HandoffRow, messages: readonly Message[]): string | undefined {
  const message = messages[number - 1];
  if (text === 'word for word below') return undefined;
  if (!message) return `no message m${number}`;
  switch (speaker) {
    case 'person':
      return message.role === 'user' && isQuoteOf(text, messageText(message)) ? undefined : 'not said by the user';
    case 'assistant': {
      // What it said before a call may stand in the message before it; what is shown shortened has a mark in it.
      const near = [message, messages[number - 2]].flatMap((one) =>
        one?.role === 'assistant' ? [messageText(one)] : [],
      );
      const said = letters(near.join(' '));
      const sentences = spokenIn(agent(text)).filter((one) => !/chars cut|expand m\d|…/.test(one));
      const odd = sentences.find((one) => !said.includes(letters(one)));
      return odd === undefined ? undefined : `not said by the assistant: ${odd}`;
    }
    case 'names': {
      // The results of a step are told under its calls.
      const results = messages.slice(number).findIndex((one) => !carriesResults(one));
      const end = results < 0 ? messages.length : number + results;
      const span = messages.slice((index?.first ?? number) - 1, end).map((one) => JSON.stringify(one.parts));
      const odd = text.split(' ').find((name) => !span.some((parts) => parts.includes(name)));
      return odd === undefined ? undefined : `not seen there: ${odd}`;
    }
    default:
      return undefined;
  }
}

describe('S8, S10: over three compressions without the record', () => {
  const sessions = new URL('../../fixtures/sessions/', import.meta.url);
  for (const name of readdirSync(sessions).filter((file) => /\.jsonl?$/.test(file)))
    test(`every row keeps its number and its speaker: ${name}`, async () => {
      const { transcripts } = await readTranscripts(readFileSync(new URL(name, sessions)));
      const messages = transcripts[0]?.messages ?? [];
      const passes = await rowsOfPasses(messages, 3_000);
      assert.ok(passes.length >= 3, `${passes.length} handoffs`);
      for (const [pass, rows] of passes.entries())
        for (const row of rows) {
          const fault = faultOf(row, messages);
          assert.equal(fault, undefined, `pass ${pass + 1}, m${row.number} ${row.speaker}: ${row.text}\n${fault}`);
        }
    });

  const handoff = (body: string): Message => ({
    role: 'user',
    parts: [
      {
        type: 'text',
        text: `<handoff covers="m1-m40" messages="40" followed-by="m41-m42">\nReference only: notes.\n\n${body}\n</handoff>`,
      },
    ],
  });
  const after = (body: string): string => {
    const ledger = createLedger({ count: estimateTextTokens });
    for (const message of [
      handoff(body),
      agent('Done.'),
      person('What is left to do before the parser can be released?'),
    ])
      ledger.add(message);
    return ledger.handoff({ budgetTokens: 1_500, to: 41 }).body;
  };

  test('a file keeps what was done to it and what was said of it, under Relevant Files', () => {
    const body = after(
      [
        '## Goal',
        'm1 user: Make the parser accept empty rows, and the reader wait for the lock.',
        ' → m40 assistant: Both wait now, and the parser keeps empty rows.',
        '## Relevant Files',
        'm30 changed cli/x.go: It reads the key before the lock now.',
      ].join('\n'),
    );
    assert.match(body, /^## Relevant Files\nm30 changed cli\/x\.go: It reads the key before the lock now\.$/m);
  });

  test('files that are only named stay so, with what was done to them and within their span', () => {
    const lists = [
      'm9-m30 also changed: src/grid.ts, test/grid.test.ts',
      'm12 also deleted: .cache/rows.bin',
      'm3-m28 read, not changed: docs/plan.md, old/Sand\\, Mia.csv',
    ];
    const body = after(
      [
        '## Goal',
        'm1 user: Make the parser accept empty rows, and the reader wait for the lock.',
        ' → m40 assistant: Both wait now, and the parser keeps empty rows.',
        '## Relevant Files',
        'm30 changed cli/x.go: It reads the key before the lock now.',
        ...lists,
      ].join('\n'),
    );
    for (const row of lists) assert.ok(body.split('\n').includes(row), `${row}\n\n${body}`);
    assert.doesNotMatch(body, /m30 changed (?!cli)|grid\.ts: /);
  });

  test('files that nobody spoke of still stand as changed and as read', async () => {
    const padding = 'The second reader keeps the header, the rows and the empty columns apart. '.repeat(30);
    const messages: Message[] = [person('Read the plan, then change the grid and the tests. Speak of nothing.')];
    for (let at = 0; at < 40; at++) {
      const path = ['/srv/app/src/grid.ts', '/srv/app/docs/plan.md', '/srv/app/test/grid.test.ts'][at % 3] ?? '';
      const isRead = path.endsWith('.md');
      const input = isRead ? { file_path: path } : { file_path: path, old_string: `a${at}`, new_string: `b${at}` };
      if (at < 9) messages.push(...ran({ name: isRead ? 'Read' : 'Edit', input, result: padding }));
      else messages.push(...ran({ name: 'Grep', input: { pattern: `row${at}` }, result: padding }));
      if (at % 8 === 7) messages.push(agent(`Step ${at} is done.`), person(`Go on with step ${at + 1}, please.`));
    }
    const passes = await rowsOfPasses(messages, 4_000);
    assert.ok(passes.length >= 3, `${passes.length} handoffs`);
    for (const [pass, rows] of passes.entries()) {
      const found = rows.flatMap(({ files }) => (files ? files.paths.map((path) => `${files.state} ${path}`) : []));
      for (const { file } of rows) if (file) found.push(`${file.state} ${file.path}`);
      const expected = ['changed src/grid.ts', 'changed test/grid.test.ts', 'read docs/plan.md'];
      assert.deepEqual([...new Set(found)].sort(), expected, `pass ${pass + 1}`);
    }
  });

  test('an effect outside keeps its outcome, so that nobody repeats it', () => {
    const rows = ['m31 Bash git push: done, do not repeat', 'm33 Bash git push --tags: failed'];
    assert.match(
      after(`## Active State\n${rows.join('\n')}`),
      new RegExp(`^## Active State\n${rows.join('\n')}$`, 'm'),
    );
  });

  test('what is left of a plan stays what is left', () => {
    const rows = [
      "## In Progress\nm31 assistant's plan: Write the tests",
      "## Remaining Work\nm31 assistant's plan: Release it",
    ];
    for (const row of rows) assert.ok(after(rows.join('\n')).includes(row));
  });

  test('names stay in the index, with their span', () => {
    const body = after('## Index of Names\n + m20-m36: readWingmanState hasNewReview');
    assert.match(
      body,
      /^## Index of Names\n \+ m20-m36: (?:readWingmanState hasNewReview|hasNewReview readWingmanState)$/m,
    );
  });

  test('a request keeps what came of it, and how long it was', () => {
    const body = after(
      [
        '## Goal',
        'm1 user: Make the parser accept empty rows … and keep every column. (812 characters in all)',
        ' → m12 assistant: The parser keeps empty rows as rows of nothing.',
        ' - The columns are counted from the first row.',
        '## Completed Actions',
        '### m14 user: Now the writer, please.',
        ' → m20 assistant: The writer quotes what has a comma in it.',
      ].join('\n'),
    );
    assert.match(
      body,
      /^m1 user: Make the parser accept empty rows … and keep every column\. \(812 characters in all\)$/m,
    );
    assert.match(
      body,
      /^ → m12 assistant: The parser keeps empty rows as rows of nothing\.\n - The columns are counted/m,
    );
    assert.match(
      body,
      /^### m14 user:\n Now the writer, please\.\n → m20 assistant: The writer quotes what has a comma/m,
    );
  });
});
