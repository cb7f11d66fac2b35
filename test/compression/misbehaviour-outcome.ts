/** What must hold of every compression, however the model behaved. */
import assert from 'node:assert/strict';
import {
  type CompressionResult,
  type CompressOptions,
  type ConversationRecord,
  compress,
  createRecord,
  estimatingTokenizer,
  type Message,
  type Ref,
  validate,
} from '@palimpsest/core';
import { isHandoff } from '../../packages/core/src/compression/handoff-block.ts';
import { credential, session, truths } from './misbehaviour-session.ts';

const tokenizer = estimatingTokenizer('claude');

export const newRecord = (): ConversationRecord => createRecord({ count: (text) => tokenizer.count(text) });

/** A compression with room for a whole summary and lines of the record, in a window that holds the session. */
export const compressed = (
  options: Partial<CompressOptions> = {},
  messages: readonly Message[] = session,
): Promise<CompressionResult> =>
  compress(messages, { tokenizer, contextLength: 30_000, targetTokens: 5_000, ...options });

/** Invariants 1, 2, 3, 5 and 8, and that what is true of the session is still to be read. */
export function assertNothingLost(
  result: CompressionResult,
  record: ConversationRecord,
  messages: readonly Message[] = session,
): void {
  assert.deepEqual(validate(result.messages), []);
  for (const [at, message] of messages.entries()) assert.equal(record.message(`m${at + 1}`), message);
  const shown = new Set(record.ingest(result.messages).map((place): Ref => `m${place + 1}`));
  const known = new Set([...shown, ...(result.handoff?.covers ?? [])]);
  assert.deepEqual(
    messages.map((_, at): Ref => `m${at + 1}`).filter((ref) => !known.has(ref)),
    [],
  );
  assert.equal(record.size, messages.length);
  assert.equal(result.messages.at(-1), messages.at(-1));
  assert.ok(result.after.total <= 5_000 || result.status !== 'compressed');
  const view = viewOf(result.messages);
  for (const [what, text] of Object.entries(truths)) assert.ok(view.includes(text), `${what} is gone`);
  assert.ok(!handoffOf(result).includes(credential));
}

/** The texts of a list, without the escapes of JSON. */
export const viewOf = (messages: readonly Message[]): string => JSON.stringify(messages).replaceAll('\\"', '"');

export const handoffOf = (result: CompressionResult): string => result.handoff?.text ?? '';

/** The ledger wrote it alone, and says why in the handoff itself. */
export function assertSubstitute(result: CompressionResult): void {
  assert.equal(result.status, 'compressed');
  assert.equal(result.handoff?.writtenBy, 'ledger');
  assert.match(
    handoffOf(result),
    /^<handoff [^>]*messages="\d+"[^>]* written="mechanically, because the summary model failed">/,
  );
  assert.equal(result.summary, undefined);
}

/** The conversation is what it was. */
export function assertKept(result: CompressionResult): void {
  assert.equal(result.status, 'unchanged');
  assert.equal(result.messages, session);
  assert.equal(result.handoff, undefined);
  assert.equal(result.messages.some(isHandoff), false);
}
