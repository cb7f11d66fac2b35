import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Fate, MessageFate } from '../../../packages/core/src/compression/result.ts';
import { refOf } from '../../../packages/core/src/recall/refs.ts';
import type { Message } from '../../../packages/core/src/transcript/message.ts';
import {
  type CompressionReport,
  compressionReport,
  explanation,
} from '../../../packages/palimpsest/src/cli/render/compression-report.ts';
import type { Screen } from '../../../packages/palimpsest/src/terminal/screen.ts';
import { assertGolden } from '../../support/golden.ts';

const screen: Screen = { columns: 80, colour: false, unicode: true };

const said = (role: Message['role'], text: string): Message => ({ role, parts: [{ type: 'text', text }] });

const messages: readonly Message[] = [
  said('system', 'You are careful.'),
  said('user', 'Make the importer read Excel files, please.'),
  {
    role: 'assistant',
    parts: [{ type: 'toolCall', callId: 'a', name: 'bash', input: '{"command":"npm test"}', inputType: 'json' }],
  },
  { role: 'tool', parts: [{ type: 'toolResult', callId: 'a', content: [{ type: 'text', text: '12 passing' }] }] },
  said('assistant', 'All tests pass; the importer reads 工作簿 files now.'),
  said('user', 'And what about macros?\u001b[31m'),
];

const fates: readonly (readonly [Fate, number, number, string])[] = [
  ['kept', 900, 900, 'the system prompt stays'],
  ['summarised', 1200, 0, 'older than what the tail has room for'],
  ['summarised', 300, 0, 'older than what the tail has room for'],
  ['stubbed', 40_000, 60, 'an old result over 200 characters'],
  ['kept', 800, 800, 'among the newest messages'],
  ['kept', 100, 100, 'the newest request'],
];

const report: CompressionReport = {
  title: 'session.jsonl',
  messages,
  window: { tokens: 64_000, from: 'of some-model' },
  toolTokens: 2_000,
  engine: 'compressor',
  next: [['palimpsest expand session.jsonl m2', 'the original of a message']],
  result: {
    status: 'compressed',
    reason: 'Two messages became a handoff.',
    messages: messages.slice(2),
    handoff: { text: '', tokens: 2_100, covers: ['m2', 'm3'], writtenBy: 'ledger', template: 'handoff', lines: [] },
    fates: fates.map(([fate, tokensBefore, tokensAfter, why], at): MessageFate => {
      return { ref: refOf(at), at, fate, tokensBefore, tokensAfter, why, handoffLines: 0 };
    }),
    before: { system: 900, head: 0, summary: 0, tail: 42_400, total: 43_300 },
    after: { system: 900, head: 0, summary: 2_100, tail: 960, total: 3_960 },
    targetTokens: 30_000,
    tokenizer: { name: 'o200k_base', exact: true },
  },
};

describe('the report of a compression', () => {
  it('shows the window, what became of the messages, why, and what to do next', () => {
    assertGolden('cli/golden/report.txt', `${compressionReport(report, screen).join('\n')}\n`);
  });

  it('tells what the handoff says of each request before any figure', () => {
    const text =
      '## Goal\nm2 user: Read Excel files.\n m3-m4 changed src/excel.ts\n → m5 assistant: It reads 工作簿 now.\n';
    const handoff = { text, tokens: 40, covers: [], writtenBy: 'ledger' as const, template: 'handoff', lines: [] };
    const lines = compressionReport({ ...report, result: { ...report.result, handoff } }, screen);
    assert.deepEqual(lines.slice(3, 7), [
      'story  1 request, and what came of each',
      '  m2  Read Excel files.',
      '  m5  → It reads 工作簿 now.',
      '        changed src/excel.ts',
    ]);
    assert.match(lines[8] ?? '', /before/);
  });

  it('can be read where only ASCII is safe', () => {
    const lines = compressionReport(report, { ...screen, unicode: false });
    const ours = lines.filter((line) => !line.includes('工作簿')).join('\n');
    assert.match(ours, /^[\x20-\x7e\n]*$/);
  });

  it('fits the screen and lets no control character through', () => {
    for (const columns of [40, 60, 100]) {
      const lines = [
        ...compressionReport(report, { ...screen, columns }),
        ...explanation(report, { ...screen, columns }),
      ];
      assert.ok(lines.every((line) => !line.includes('\u001b')));
    }
  });

  it('explains every message in one row', () => {
    const wide = { ...screen, columns: 120 };
    assertGolden('cli/golden/explanation.txt', `${explanation(report, wide).join('\n')}\n`);
  });

  it('says why nothing was compressed', () => {
    const result = { ...report.result, status: 'unchanged' as const, reason: 'Too few messages.', messages };
    const text = compressionReport({ ...report, result, next: [] }, screen).join('\n');
    assert.match(text, /^session\.jsonl: unchanged\. Too few messages\.\n/);
    assert.doesNotMatch(text, /after|handoff/);
  });
});
