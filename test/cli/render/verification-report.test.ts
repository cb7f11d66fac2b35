import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Verification, WrongClaim } from '../../../packages/core/src/compression/verify/claims.ts';
import type { Message } from '../../../packages/core/src/transcript/message.ts';
import { verificationReport } from '../../../packages/palimpsest/src/cli/render/verification-report.ts';
import { type HeldSummary, summaryOf } from '../../../packages/palimpsest/src/cli/verify-summaries.ts';
import { type Screen, widthOf } from '../../../packages/palimpsest/src/terminal/screen.ts';
import { assertGolden } from '../../support/golden.ts';

const screen: Screen = { columns: 80, colour: false, unicode: true };

const said = (role: Message['role'], text: string): Message => ({ role, parts: [{ type: 'text', text }] });

const messages: readonly Message[] = [
  said('user', 'Never change the public flags. Please make the importer read empty rows.'),
  {
    role: 'assistant',
    parts: [{ type: 'toolCall', callId: 'a', name: 'bash', input: '{"command":"node --test"}', inputType: 'json' }],
  },
  {
    role: 'tool',
    parts: [
      {
        type: 'toolResult',
        callId: 'a',
        content: [{ type: 'text', text: 'ok 1 - reads a row\nnot ok 2 - reads an empty row\n# pass 1\n# fail 1' }],
      },
    ],
  },
  said('assistant', 'Two rows of 工作簿 are still refused.'),
];

const text = [
  '## Completed Actions',
  '- Ran `node --test`: all tests pass, 3 rows of 工作簿 are read, and everything that was asked for before is done by now',
  '- The user said "ship it today"',
  '- Everything else is\u001b[31m as it was',
].join('\n');

const claim = (fields: Partial<WrongClaim>): WrongClaim => ({
  type: 'number',
  text: '3',
  line: 2,
  verdict: 'unsupported',
  why: 'the number 3 does not occur there',
  refs: [],
  ...fields,
});

function held(fields: Partial<Verification> = {}, ref?: string): HeldSummary {
  const verification: Verification = {
    holds: false,
    checked: { status: 2, number: 1, quote: 1, path: 4 },
    wrong: [
      claim({ line: 3, type: 'quote', text: 'ship it today', why: 'the user never said so' }),
      claim({
        type: 'status',
        text: 'all tests pass',
        verdict: 'contradicted',
        why: 'm3 says: failed',
        refs: ['m3', 'm2', 'm4'],
        correction: 'failed',
      }),
      claim({}),
    ],
    missing: [{ type: 'constraint', text: 'm1 user: Never change the public flags.', ref: 'm1' }],
    text,
    changes: [],
    ...fields,
  };
  return { summary: summaryOf(text, 'notes.md'), messages, verification, ...(ref === undefined ? {} : { ref }) };
}

const shown = (list: readonly HeldSummary[], on = screen): readonly string[] =>
  verificationReport(list, { screen: on, title: 'session.jsonl' });

describe('the report of a verification', () => {
  it('marks wrong words, says why, quotes the message that decides, and counts', () => {
    assertGolden('cli/golden/verification.txt', `${shown([held()]).join('\n')}\n`);
  });

  it('colours the words on a screen with colours, and every line fits', () => {
    const lines = shown([held()], { ...screen, colour: true });
    assert.ok(lines.some((line) => line.includes('\u001b[31mall tests pass\u001b[39m')));
    assert.ok(lines.every((line) => !line.includes('^^')));
    for (const columns of [40, 60, 80, 120]) {
      const plain = shown([held()], { ...screen, columns });
      assert.deepEqual(
        plain.filter((line) => widthOf(line) > columns),
        [],
      );
    }
  });

  it('names the message of a carried summary, and counts those that hold', () => {
    const good = held({ holds: true, wrong: [], missing: [] }, 'm3');
    const lines = shown([good, held({}, 'm4')]);
    assert.equal(lines[0], 'the summary in m3 of session.jsonl: it holds');
    assert.equal(lines[1], 'checked against the 4 messages before it');
    assert.equal(lines.at(-1), '1 of 2 summaries hold');
  });

  it('does not let a summary drive the terminal', () => {
    const lines = shown([held({ wrong: [claim({ line: 4, text: 'as it was' })] })]);
    assert.ok(lines.some((line) => line.includes('is\\x1b[31m as it was')));
  });
});
