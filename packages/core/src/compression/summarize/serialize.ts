/**
 * Messages as the labelled records that a model reads: `[m12 USER]`, `[m14 TOOL RESULT bash → failed, exit 1]`. A label
 * tells who speaks and how a call ended; no text inside a record can pass for one. Every cut stands in its place and in
 * the report.
 */

import { redact } from '../../redaction/redact.ts';
import type { Message, Part, ResultContent, ToolCallPart, ToolResultPart } from '../../transcript/message.ts';
import { redactedMessage } from '../../transcript/redact.ts';
import { toolCalls } from '../../transcript/text.ts';
import { isBridge, personMessage, unwrapHandoff } from '../handoff-block.ts';
import { flat } from '../ledger/names.ts';
import { outcomeOf } from '../outcome.ts';
import type { Ref } from '../ref.ts';
import type { ShortenedRecord, ShownAttachment, SkippedMessage, SummaryCoverage } from './coverage.ts';
import * as recordText from './record-text.ts';

/** A message and the number by which handoffs and reports name it. */
export interface SummaryMessage {
  readonly ref: Ref;
  readonly message: Message;
}

/** What one speaker said, or one call or result, as the model reads it. */
export interface SummaryRecord {
  readonly ref: Ref;
  /** Index of its message in the list. */
  readonly at: number;
  /** The label and the text below it. */
  readonly text: string;
  readonly tokens: number;
  /** True for words of a person. */
  readonly isUser: boolean;
}

/** The records of a list of messages, and what they do not show of it. */
export interface SerializedMessages {
  readonly records: readonly SummaryRecord[];
  readonly coverage: Pick<
    SummaryCoverage,
    'messages' | 'characters' | 'tokens' | 'shortened' | 'skipped' | 'attachments'
  >;
}

/** Every message as records, oldest first; summaries of earlier compressions are no records. Linear in the text. */
export function serialize(messages: readonly SummaryMessage[], count: (text: string) => number): SerializedMessages {
  const calls: KnownCalls = new Map();
  const records: SummaryRecord[] = [];
  const shortened: ShortenedRecord[] = [];
  const skipped: SkippedMessage[] = [];
  const attachments: ShownAttachment[] = [];
  const characters = { read: 0, of: 0 };
  const tokens = { read: 0, of: 0 };
  for (const [at, { ref, message }] of messages.entries()) {
    const clean = redactedMessage(message);
    const drafts = isBridge(clean) ? [] : draftsOf(clean, calls);
    if (drafts.length === 0) skipped.push({ ref, why: unwrapHandoff(clean) ? 'earlier summary' : 'nothing to read' });
    for (const what of attachmentsOf(spokenParts(clean))) attachments.push({ ref, what });
    for (const draft of drafts) {
      const { text, length, leftOut, hadBytes } = written(draft, ref);
      const record = { ref, at, text, tokens: count(text) + separatorTokens, isUser: draft.isUser };
      records.push(record);
      if (leftOut) shortened.push({ ref, label: draft.label, characters: length, leftOut: leftOut.length });
      if (hadBytes) attachments.push({ ref, what: 'base64' });
      characters.read += length - leftOut.length;
      characters.of += length;
      tokens.read += record.tokens;
      tokens.of += record.tokens + (leftOut ? count(leftOut) : 0);
    }
  }
  const read = messages.length - skipped.length;
  const coverage = { messages: { read, of: messages.length }, characters, tokens, shortened, skipped, attachments };
  return { records, coverage };
}

/** The blank line between two records. */
const separatorTokens = 1;

/** A record before its text is cleaned and cut. */
interface Draft {
  readonly label: string;
  readonly text: string;
  readonly limit: recordText.TextLimit;
  readonly isUser: boolean;
  /** What is worth saying of a cut. */
  readonly remark?: (leftOut: string) => string;
}

/** A draft as the model reads it. */
interface WrittenRecord {
  readonly text: string;
  /** Characters of the draft without label and marks, before it was cut. */
  readonly length: number;
  readonly leftOut: string;
  readonly hadBytes: boolean;
}

function written(draft: Draft, ref: Ref): WrittenRecord {
  const { text, hadBytes } = recordText.withoutBytes(draft.text, ref);
  const clean = recordText.unforged(redact(recordText.withoutDirectives(text)));
  const cut = recordText.cutToLimit(clean, draft.limit, draft.remark);
  // A cut can put what stood within a line at the start of one.
  const shown = cut.leftOut ? recordText.unforged(cut.text) : cut.text;
  return {
    text: `[${ref} ${draft.label}]\n${shown || '(empty)'}`,
    length: clean.length,
    leftOut: cut.leftOut,
    hadBytes,
  };
}

/** Calls by their id, each with its name as labels write it. */
type KnownCalls = Map<string, { readonly call: ToolCallPart; readonly name: string }>;

/** The records of one message, in the order of its parts; neighbouring texts and attachments are one record. */
function draftsOf(message: Message, calls: KnownCalls): readonly Draft[] {
  const isUser = personMessage(message) !== undefined;
  const said: Draft = { label: speakerOf(message, isUser), text: '', limit: recordText.recordLimits.text, isUser };
  const drafts: Draft[] = [];
  let speech: string[] = [];
  const endSpeech = (): void => {
    const text = speech.filter((one) => one.trim() !== '').join('\n');
    if (text) drafts.push({ ...said, text });
    speech = [];
  };
  for (const part of spokenParts(message)) {
    if (part.type !== 'toolCall' && part.type !== 'toolResult') {
      speech.push(speechText(part, message));
      continue;
    }
    endSpeech();
    if (part.type === 'toolResult') drafts.push(resultDraft(part, calls.get(part.callId)));
    else {
      const name = callName(part, message);
      calls.set(part.callId, { call: part, name });
      drafts.push(callDraft(part, name));
    }
  }
  endSpeech();
  return drafts;
}

/** The parts without a summary that was merged into the message. */
function spokenParts(message: Message): readonly Part[] {
  const handoff = unwrapHandoff(message);
  return handoff ? [...handoff.before, ...handoff.after] : message.parts;
}

function speakerOf(message: Message, isUser: boolean): string {
  if (message.role === 'user') return isUser ? 'USER' : 'HOST';
  return message.role === 'tool' ? 'TOOL RESULT' : message.role.toUpperCase();
}

function speechText(part: Exclude<Part, ToolCallPart | ToolResultPart>, message: Message): string {
  if (part.type === 'reasoning') return '';
  if (part.type !== 'text') return contentText(part);
  return message.role === 'assistant' ? recordText.withoutThoughts(part.text) : part.text;
}

function contentText(part: ResultContent): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'image':
      return recordText.imageMark(part);
    case 'file':
      return recordText.fileMark(part);
    case 'other':
      return recordText.otherText(part) ?? '';
  }
}

/** The name of a call's tool, with a number where only that tells which result answers which call. */
function callName(call: ToolCallPart, message: Message): string {
  const beside = toolCalls(message);
  return `${labelName(call.name)}${beside.length > 1 ? ` #${beside.indexOf(call) + 1}` : ''}`;
}

const callDraft = (call: ToolCallPart, name: string): Draft => ({
  label: `TOOL CALL ${name}`,
  text: recordText.inputText(call),
  limit: recordText.recordLimits.input,
  isUser: false,
});

function resultDraft(result: ToolResultPart, asked: ReturnType<KnownCalls['get']>): Draft {
  const { ok, exitCode, firstErrorLine } = outcomeOf(asked?.call, result);
  const exit = exitCode === undefined || (ok && exitCode === 0) ? '' : `, exit ${exitCode}`;
  const ending = ok === undefined ? '' : ` → ${ok ? 'ok' : 'failed'}${exit}`;
  const error = firstErrorLine === undefined ? '' : flat(firstErrorLine.replace(/…$/, ''));
  return {
    label: `TOOL RESULT ${asked?.name ?? labelName(result.name ?? 'unknown tool')}${ending}`,
    text: result.content.map(contentText).join('\n'),
    limit: recordText.recordLimits.text,
    isUser: false,
    // The line that tells why a call failed is seldom among the first or last ones.
    remark: (leftOut) => (error && flat(leftOut).includes(error) ? error : ''),
  };
}

/** A tool's name, which anybody may choose, on its way into a label. */
const labelName = (name: string): string => flat(name.replace(/[[\]→]/g, ' ')).slice(0, 80) || 'unnamed tool';

function attachmentsOf(parts: readonly (Part | ResultContent)[]): readonly ShownAttachment['what'][] {
  return parts.flatMap((part) => {
    if (part.type === 'toolResult') return attachmentsOf(part.content);
    if (part.type === 'image') return ['image' as const];
    return part.type === 'file' && part.text === undefined ? ['file' as const] : [];
  });
}
