import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CompressionResult, Fate } from '../../packages/core/src/compression/result.ts';
import { refOf } from '../../packages/core/src/recall/refs.ts';
import type { Message, Transcript } from '../../packages/core/src/transcript/message.ts';
import { compressedTranscript } from '../../packages/palimpsest/src/cli/compressed-transcript.ts';

const at = (line: number): Message => ({
  role: 'user',
  parts: [{ type: 'text', text: `line ${line}` }],
  source: [{ start: line * 10, end: line * 10 + 9, line }],
});

const record = (line: number, type: string): { line: number; record: { type: string; line: number } } => ({
  line,
  record: { type, line },
});

const transcript: Transcript = {
  format: 'claude-code',
  messages: [at(2), at(5), at(8), at(11)],
  compressions: [2],
  extra: {
    format: 'claude-code',
    fields: {
      records: [
        record(1, 'meta'),
        record(3, 'progress'),
        record(4, 'title'),
        record(6, 'progress'),
        record(7, 'title'),
        record(9, 'progress'),
        record(12, 'progress'),
      ],
    },
  },
};

const handoff: Message = { role: 'user', origin: 'summary', parts: [{ type: 'text', text: '<handoff>x</handoff>' }] };

function resultOf(fates: readonly Fate[], messages: readonly Message[]): CompressionResult {
  const shares = { system: 0, head: 0, summary: 0, tail: 0, total: 0 };
  return {
    status: 'compressed',
    reason: '',
    messages,
    handoff: {
      text: '<handoff>x</handoff>',
      tokens: 1,
      covers: [],
      writtenBy: 'ledger',
      template: 'handoff',
      lines: [],
    },
    fates: fates.map((fate, index) => {
      return { ref: refOf(index), at: index, fate, tokensBefore: 1, tokensAfter: 1, why: '', handoffLines: 0 };
    }),
    before: shares,
    after: shares,
    targetTokens: 1,
    tokenizer: { name: 'test', exact: true },
  };
}

const [first = handoff, , , last = handoff] = transcript.messages;

describe('the transcript that is written', () => {
  it('marks the handoff as the one compression', () => {
    const result = resultOf(['kept', 'summarised', 'summarised', 'kept'], [first, handoff, last]);
    const written = compressedTranscript(transcript, transcript.messages, result).transcript;
    assert.deepEqual(written.compressions, [1]);
    assert.deepEqual(written.messages, [first, handoff, last]);
  });

  it('keeps the records outside the compressed stretch and the newest of each kind inside', () => {
    const result = resultOf(['kept', 'summarised', 'summarised', 'kept'], [first, handoff, last]);
    const { transcript: written, leftOut } = compressedTranscript(transcript, transcript.messages, result);
    const records = written.extra?.fields.records;
    assert.ok(Array.isArray(records));
    assert.deepEqual(
      records.map(({ line }) => line),
      [1, 7, 9, 12],
    );
    assert.equal(leftOut, 3);
  });

  it('leaves out what a queue did before the tail, because half of it would speak of other texts', () => {
    const queue = 'queue-operation';
    const records = [record(1, queue), record(3, queue), record(7, queue), record(12, queue), record(1, 'meta')];
    const queued: Transcript = { ...transcript, extra: { format: 'claude-code', fields: { records } } };
    const result = resultOf(['kept', 'summarised', 'summarised', 'kept'], [first, handoff, last]);
    const { transcript: written, leftOut } = compressedTranscript(queued, queued.messages, result);
    assert.deepEqual(written.extra?.fields.records, [record(12, queue), record(1, 'meta')]);
    assert.equal(leftOut, 3);
  });

  it('is the very same one when nothing changed', () => {
    const result = resultOf(['kept', 'kept', 'kept', 'kept'], transcript.messages);
    const written = compressedTranscript(transcript, transcript.messages, result);
    assert.equal(written.transcript, transcript);
    assert.equal(written.leftOut, 0);
  });
});
