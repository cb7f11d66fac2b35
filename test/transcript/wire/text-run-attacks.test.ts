/** Events that were made to be taken for others of their form, and what a run of them keeps in memory. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { DialectName } from '@palimpsest/core/testing';
import type { JsonObject } from '../../../packages/core/src/shared/json.ts';
import { createAnswerReader } from '../../../packages/core/src/transcript/wire/answer-reader.ts';
import { bytesOf, readBytes, readPieces, streamOf } from './answer-bytes.ts';

function readsAlike(dialect: DialectName, text: string): void {
  const bytes = bytesOf(text);
  const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
  assert.deepEqual(readBytes(dialect, bytes), readPieces(dialect, single));
}

test('K2: deltas of Responses without their place begin a piece each, as when they come one by one', () => {
  const at = { output_index: 0 };
  const item = { type: 'message', role: 'assistant' };
  const part = { type: 'output_text', text: '' };
  const deltas = ['a', 'b', 'c', 'd'].map(
    (delta): JsonObject => ({ type: 'response.output_text.delta', ...at, delta }),
  );
  const opening: JsonObject[] = [
    { type: 'response.output_item.added', ...at, item },
    { type: 'response.content_part.added', ...at, content_index: 5, part },
  ];
  readsAlike('openai-responses', streamOf(...opening, ...deltas));
});

test('K2: a member that looks like the text which is tried out is not taken for it', () => {
  // The text that the reader puts into the place of another one, to see what that does.
  const tried = 'a text in a hole, 7c1e';
  const forged = (x: string): string =>
    `data: {"type":"content_block_delta","index":0,"x":"${x}","delta":{"type":"text_delta","text":"${tried.slice(0, -1)}\\u0065"}}\n\n`;
  readsAlike('anthropic', [tried, 'EVIL', 'WORSE'].map(forged).join(''));
});

test('K2: pieces with one event each and much around it are not kept in memory', () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const event = (text: string): string =>
    `data: {"choices":[{"index":0,"delta":{"content":"${text}"},"finish_reason":null}]}\n\n`;
  const around = `: ${'x'.repeat(64 * 1_024)}\n\n`;
  const reader = createAnswerReader('openai-chat');
  collect();
  const before = process.memoryUsage().heapUsed;
  const pieces = 500;
  for (let at = 0; at < pieces; at++) reader.read(bytesOf(event(`thirteen or more ${at} `) + around));
  collect();
  const grown = process.memoryUsage().heapUsed - before;
  assert.ok(grown < (pieces * 64 * 1_024) / 4, `${grown} bytes more`);
  assert.match(JSON.stringify(reader.end().reply), /thirteen or more 499 /);
});
