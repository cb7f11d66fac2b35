/** A handoff with a model's summary in it, from both ends: what a person reads, and laws that hold for every summary. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, describe, it } from 'node:test';
import fc from 'fast-check';
import { type HandoffOptions, type Ledger, ledgerOf } from '../../../packages/core/src/compression/ledger/ledger.ts';
import { tokenizerFor } from '../../../packages/core/src/tokens/tokenizer.ts';
import { readTranscripts } from '../../../packages/core/src/transcript/read.ts';
import { assertGolden } from '../../support/golden.ts';
import { otherForm, ownForm } from './summaries.ts';

let ledger: Ledger;
let count: (text: string) => number;

before(async () => {
  const file = await readFile(new URL('../../fixtures/sessions/debugging-en.claude-code.jsonl', import.meta.url));
  const { transcripts } = await readTranscripts(file);
  count = (await tokenizerFor('gpt-4o')).count;
  ledger = ledgerOf(transcripts[0]?.messages ?? [], { count });
});

const bodyOf = (options: Partial<HandoffOptions>): string => ledger.handoff({ budgetTokens: 3_000, ...options }).body;
const roomy = 9_000;
const written = (summary: string): string[] => summary.split('\n').filter((line) => line.trim() !== '');

describe('S9: a handoff carries a verified summary and the facts of the ledger', () => {
  for (const [name, summary] of Object.entries({ own: ownForm, other: otherForm })) {
    for (const budgetTokens of [1_500, roomy]) {
      it(`that a person can read: ${name} headings at ${budgetTokens} tokens`, () => {
        const { body, tokens } = ledger.handoff({ budgetTokens, summary });
        assert.ok(tokens <= budgetTokens, `${tokens} tokens`);
        // A third of it shows how both stand together; the rest are lines of the record.
        const shown = body.length > 12_000 ? `${body.slice(0, 4_000)}\n[…]\n${body.slice(-2_000)}` : body;
        assertGolden(`compression/golden/handoffs-with-summary/${name}-${budgetTokens}.md`, `${shown}\n`);
      });
    }
  }

  it('without a summary, or with an empty one, it is the ledger alone', () => {
    assert.equal(bodyOf({ summary: ' \n' }), bodyOf({}));
  });

  it('where there is room for both, the whole summary is there in its own order', () => {
    for (const summary of [ownForm, otherForm]) {
      const lines = bodyOf({ summary, budgetTokens: roomy }).split('\n');
      let from = 0;
      for (const line of written(summary).filter((one) => one !== 'None')) {
        const at = lines.indexOf(line.trimEnd(), from);
        assert.ok(at >= 0, `not there, or not in order: ${line}`);
        from = at;
      }
    }
  });

  it('where there is room for both, the ledger adds to each section what it knows', () => {
    const body = bodyOf({ summary: ownForm, budgetTokens: roomy });
    const headings = body.match(/^## .+$/gm) ?? [];
    assert.equal(new Set(headings).size, headings.length, 'a heading stands twice');
    const actions = /^## Completed Actions\n([\s\S]*?)\n## /m.exec(body)?.[1] ?? '';
    assert.match(actions, /^1\. Found the cause[\s\S]*^m2 bash, read_file/m);
    assert.match(body, /^## Relevant Files\n/m);
  });

  it('the user is quoted from the record, above what the summary says', () => {
    for (const budgetTokens of [1_500, roomy]) {
      const body = bodyOf({ summary: ownForm, budgetTokens });
      assert.match(body, /^## Active Task\nm67 user: Good\. Keep 2\.4\.0/m);
      assert.ok(body.indexOf('m1 user:') < body.indexOf('Stop mailq from sending') || budgetTokens === 1_500);
    }
    const other = bodyOf({ summary: otherForm, budgetTokens: roomy });
    assert.ok(other.indexOf('m67 user:') < other.indexOf('Analysis:'));
  });

  it('in a small one, what goes on comes before what is done', () => {
    const body = bodyOf({ summary: ownForm, budgetTokens: 600 });
    assert.match(body, /^(?:- | → m68 assistant: 1\. )Merge `signed-webhook`/m);
    assert.match(body, /^## Remaining Work\n- Call `truncateSync` only after/m);
    assert.doesNotMatch(body, /^1\. Found the cause/m);
    assert.doesNotMatch(body, /^None$/m);
  });

  it('a section that says "None" says so no longer when the ledger knows better', () => {
    const body = bodyOf({ summary: '## Goal\nShip it\n\n## Relevant Files\nNone', budgetTokens: roomy });
    assert.match(body, /^## Relevant Files\nm\d+ /m);
    assert.doesNotMatch(body, /^None$/m);
  });

  it('a summary without headings does not pass for words of the user', () => {
    const body = bodyOf({ summary: 'All is well with `src/journal.js`.', budgetTokens: roomy });
    assert.match(body, /\n## Summary\nAll is well/);
    assert.ok(body.indexOf('m67 user:') < body.indexOf('## Summary'));
  });

  it('under a heading that holds several things, the user stands above the summary and the record below it', () => {
    const summary = '## Task Context\nDoubled invoices, then signatures.\n\n## Remaining Work\nTag 2.4.0';
    const body = bodyOf({ summary, template: 'brief', budgetTokens: roomy });
    const at = (text: string): number => body.indexOf(text);
    assert.ok(at('m67 user: Good.') < at('Doubled invoices') && at('Doubled invoices') < at('m2 bash, read_file'));
    assert.ok(at('m2 bash, read_file') < at('## Remaining Work'));
  });

  it('a fence that the model left open swallows nothing', () => {
    const body = bodyOf({ summary: '## Notes\n```js\nlet x;', budgetTokens: roomy });
    assert.match(body, /^```js\nlet x;\n```\n\n## Completed Actions$/m);
  });

  it('a line names the message that it cites, and no other one', () => {
    const { lines } = ledger.handoff({ budgetTokens: roomy, summary: ownForm });
    const cited = lines.filter(({ text }) => text.includes('Found the cause'));
    assert.deepEqual(
      cited.map(({ section, ref }) => [section, ref]),
      [['Completed Actions', 'm16']],
    );
    assert.equal(
      lines.some(({ text }) => text.includes('Without keys the port')),
      false,
    );
  });

  it('a topic that a person names holds for the lines of the summary too', () => {
    const body = bodyOf({ summary: ownForm, budgetTokens: 1_000, focusTopic: 'billing report' });
    assert.match(body, /the billing report reads them/);
  });
});

/** Summaries of every shape: pieces of real ones, unclosed fences, deep lists, odd headings, nothing at all. */
const anySummary = fc
  .array(
    fc.oneof(
      fc.constantFrom(...written(ownForm), ...written(otherForm)),
      fc.constantFrom(
        '```',
        '~~~js',
        '',
        '   ',
        '- ',
        '| a | b |',
        '|---|---|',
        '</summary>',
        '<analysis>',
        '####### x',
      ),
      fc.string({ maxLength: 60 }),
      fc
        .tuple(
          fc.nat(12),
          fc.constantFrom('- ', '1. ', '> ', ''),
          fc.constantFrom('`src/journal.js` is open', '決定した。次へ'),
        )
        .map(([indent, mark, text]) => `${' '.repeat(indent)}${mark}${text}`),
    ),
    { maxLength: 40 },
  )
  .map((lines) => lines.join('\n'));

describe('S9: for every summary', () => {
  it('the handoff keeps to its budget', () => {
    fc.assert(
      fc.property(anySummary, fc.integer({ min: 300, max: 5_000 }), (summary, budgetTokens) => {
        const { body, tokens } = ledger.handoff({ budgetTokens, summary });
        const alone = ledger.handoff({ budgetTokens });
        assert.equal(tokens, count(body));
        assert.ok(tokens <= Math.max(budgetTokens, alone.tokens), `${tokens} of ${budgetTokens} tokens`);
      }),
      { numRuns: 40 },
    );
  });

  it('every word of the handoff is from the record or from the summary', () => {
    const known = new Set(wordsOf(bodyOf({ budgetTokens: 60_000 })));
    const said = new Set([...known, 'Summary', 'Critical', 'Context', 'In', 'Progress', 'Remaining', 'Work']);
    fc.assert(
      fc.property(anySummary, (summary) => {
        const told = new Set(wordsOf(summary));
        const odd = wordsOf(bodyOf({ summary, budgetTokens: 1_200 })).filter(
          (word) => !told.has(word) && !said.has(word) && !isRef(word),
        );
        assert.deepEqual(
          odd.filter((word) => !headingWords.has(word)),
          [],
        );
      }),
      { numRuns: 40 },
    );
  });

  it('the same summary gives the same handoff', () => {
    fc.assert(
      fc.property(anySummary, (summary) => assert.equal(bodyOf({ summary }), bodyOf({ summary }))),
      { numRuns: 10 },
    );
  });
});

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]{3,}/gu) ?? [];
/** The index says of names in which messages they were seen; which names stand together is a matter of room. */
const isRef = (word: string): boolean => /^m\d+$/.test(word) && Number(word.slice(1)) <= ledger.size;
const headingWords = new Set(
  'Active Task Goal Constraints Preferences Completed Actions State Blocked Key Decisions Resolved Questions Pending User Asks Relevant Files Index of Names'.split(
    ' ',
  ),
);
