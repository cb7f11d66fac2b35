import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CompressionResult, SummaryReport } from '../../../packages/core/src/compression/result.ts';
import {
  modelDocument,
  summaryExplanation,
  summaryReport,
} from '../../../packages/palimpsest/src/cli/render/summary-report.ts';
import type { Screen } from '../../../packages/palimpsest/src/terminal/screen.ts';
import { assertGolden } from '../../support/golden.ts';

const screen: Screen = { columns: 100, colour: false, unicode: true };
const nothing = { system: 0, head: 0, summary: 0, tail: 0, total: 0 };

const summary: SummaryReport = {
  model: 'openai/gpt-5-mini',
  coverage: {
    messages: { read: 179, of: 180 },
    characters: { read: 90_000, of: 96_000 },
    tokens: { read: 30_000, of: 32_000 },
    shortened: [{ ref: 'm23', label: 'TOOL RESULT bash → ok', characters: 9_000, leftOut: 6_000 }],
    skipped: [{ ref: 'm9', why: 'nothing to read' }],
    attachments: [{ ref: 'm40', what: 'image' }],
    parts: [
      { from: 'm2', to: 'm90', messages: 89, tokens: 15_000 },
      { from: 'm91', to: 'm181', messages: 90, tokens: 15_000 },
    ],
    window: { model: 'openai/gpt-5-mini', tokens: 128_000, assumed: true },
    facts: 'no room',
  },
  calls: [
    {
      model: 'openai/gpt-5-mini',
      purpose: 'whole',
      inputTokens: 30_000,
      outputTokens: 2_000,
      usage: { inputTokens: 31_000, outputTokens: 2_000 },
    },
  ],
  failures: [{ kind: 'server_error', model: 'openai/gpt-5', message: 'openai/gpt-5 failed on the server side (500).' }],
  verification: {
    holds: false,
    checked: { path: 40, status: 21 },
    wrong: [],
    missing: [
      { type: 'constraint', text: 'm4 user: Never change the public flags.', ref: 'm4' },
      { type: 'request', text: 'm90 user: And the other one?', ref: 'm90' },
    ],
    text: '',
    changes: [
      {
        action: 'removed',
        line: 12,
        before: '- All tests pass',
        after: '',
        why: 'm42 says: failed',
        refs: ['m42'],
      },
      {
        action: 'corrected',
        line: 14,
        before: '- Wrote `src/mian.ts`',
        after: '- Wrote `src/main.ts`',
        why: 'm7 says src/main.ts',
        refs: ['m7'],
      },
    ],
  },
};

function resultWith(fields: Partial<CompressionResult>): CompressionResult {
  return {
    status: 'compressed',
    reason: '',
    messages: [],
    fates: [],
    before: nothing,
    after: nothing,
    targetTokens: 1_000,
    tokenizer: { name: 'o200k_base', exact: true },
    handoff: {
      text: '',
      tokens: 900,
      covers: ['m4'],
      writtenBy: 'model',
      template: 'handoff',
      lines: [{ section: 'Constraints', text: '', ref: 'm4', why: 'fact' }],
      leftOut: [
        { line: 9, text: 'The tests of the parser pass.', why: 'told otherwise' },
        { line: 21, text: '- Node 22 is not supported', why: 'no room' },
      ],
    },
    ...fields,
  };
}

describe("the report of a model's summary", () => {
  it('says who wrote it for what, what it saw, and what was put right', () => {
    const result = resultWith({ summary });
    const lines = [...summaryReport(result, screen), '', ...summaryExplanation(result, screen)];
    assertGolden('cli/golden/summary.txt', `${lines.join('\n')}\n`);
  });

  it('says what a failure meant and what to do', () => {
    const failure = {
      kind: 'auth' as const,
      model: 'openai/gpt-5-mini',
      message: 'openai/gpt-5-mini refused the key (401). Check OPENAI_API_KEY and its permissions.',
      calls: summary.calls,
    };
    const kept = summaryReport(resultWith({ status: 'unchanged', failure }), screen);
    const written = summaryReport(resultWith({ failure: { ...failure, kind: 'timeout' } }), screen);
    assertGolden('cli/golden/summary-failed.txt', `${[...kept, '', ...written].join('\n')}\n`);
  });

  it('is nothing where no model was asked', () => {
    assert.deepEqual(summaryReport(resultWith({}), screen), []);
    assert.deepEqual(summaryExplanation(resultWith({}), screen), []);
    assert.deepEqual(modelDocument(resultWith({})), { summary: null, failure: null });
  });

  it('gives programs the price of every call and of all together', () => {
    const document = modelDocument(resultWith({ summary }));
    const price = document.summary?.price;
    assert.equal(price?.status, 'estimated');
    const [call] = document.summary?.calls ?? [];
    assert.deepEqual([call?.price.status, call?.price.amount], [price?.status, price?.amount]);
    const stranger = { ...summary, calls: [...summary.calls, { ...summary.calls[0], model: 'nobody/knows' }] };
    // Every member is there: the first call of the list above is spread.
    const unknown = modelDocument(resultWith({ summary: stranger as SummaryReport }));
    assert.equal(unknown.summary?.price.status, 'unknown');
  });
});
