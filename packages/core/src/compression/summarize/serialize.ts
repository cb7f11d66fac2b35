/**
 * Messages as the labelled records that a model reads: `[m12 USER]`, `[m14 TOOL RESULT bash → failed, exit 1]`. A label
 * tells who speaks and how a call ended; no text inside a record can pass for one. Every cut stands in its place and in
 * the report.
 */
import { redact } from '../../redaction/redact.ts';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../shared/json.ts';
import type {
  FilePart,
  ImagePart,
  Message,
  OtherPart,
  Part,
  ResultContent,
  ToolCallPart,
  ToolResultPart,
} from '../../transcript/message.ts';
import { redactedMessage } from '../../transcript/redact.ts';
import { toolCalls } from '../../transcript/text.ts';
import { isBridge, personMessage, unwrapHandoff } from '../handoff-block.ts';
import { clip, flat } from '../ledger/names.ts';
import { outcomeOf } from '../outcome.ts';
import { replaceBase64 } from '../prune/images.ts';
import type { Ref } from '../ref.ts';
import type { ShortenedRecord, ShownAttachment, SkippedMessage, SummaryCoverage } from './coverage.ts';

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
  readonly limit: TextLimit;
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
  const { text, hadBytes } = withoutBytes(draft.text, ref);
  const clean = unforged(redact(withoutDirectives(text)));
  const cut = cutToLimit(clean, draft.limit, draft.remark);
  // A cut can put what stood within a line at the start of one.
  const shown = cut.leftOut ? unforged(cut.text) : cut.text;
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
  const said: Draft = { label: speakerOf(message, isUser), text: '', limit: recordLimits.text, isUser };
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
  return message.role === 'assistant' ? withoutThoughts(part.text) : part.text;
}

function contentText(part: ResultContent): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'image':
      return imageMark(part);
    case 'file':
      return fileMark(part);
    case 'other':
      return otherText(part) ?? '';
  }
}

/** The name of a call's tool, with a number where only that tells which result answers which call. */
function callName(call: ToolCallPart, message: Message): string {
  const beside = toolCalls(message);
  return `${labelName(call.name)}${beside.length > 1 ? ` #${beside.indexOf(call) + 1}` : ''}`;
}

const callDraft = (call: ToolCallPart, name: string): Draft => ({
  label: `TOOL CALL ${name}`,
  text: inputText(call),
  limit: recordLimits.input,
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
    limit: recordLimits.text,
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

// What may stand in a record of the prompt: no forged label, no base64, no thoughts, no directive to a host program.

/** How much of a text a record shows. */
interface TextLimit {
  /** Longer texts are cut, and have at most this many characters with the mark. */
  readonly max: number;
  /** Characters kept at the start and at the end. */
  readonly head: number;
  readonly tail: number;
}

/** The limits of records: what is said or returned, and what a tool is called with. */
const recordLimits: { readonly text: TextLimit; readonly input: TextLimit } = {
  text: { max: 6_000, head: 4_000, tail: 1_500 },
  input: { max: 1_500, head: 1_200, tail: 160 },
};

/** A text and what was cut out of it. */
interface CutText {
  readonly text: string;
  /** Empty when nothing was cut. */
  readonly leftOut: string;
}

/** The text with its middle replaced by a mark that says how much is gone; `remark` is said of what is gone. */
function cutToLimit(text: string, limit: TextLimit, remark?: (leftOut: string) => string): CutText {
  if (text.length <= limit.max) return { text, leftOut: '' };
  const start = text.slice(0, limit.head).replace(/[\ud800-\udbff]$/, '');
  const end = text.slice(-limit.tail).replace(/^[\udc00-\udfff]/, '');
  const leftOut = text.slice(start.length, text.length - end.length);
  const said = remark?.(leftOut);
  const mark = `[… ${leftOut.length} characters left out${said ? `; among them: ${said}` : ''} …]`;
  return { text: `${start}\n${mark}\n${end}`, leftOut };
}

/** The names of the elements that a prompt is made of; content cannot open or close one. */
export const promptElements = ['records', 'summary-so-far', 'part-summaries', 'facts'] as const;

/**
 * A line that would pass for the label of a record. Every character that a model may take for the end of a line counts,
 * and characters that nobody sees do not hide it.
 */
const forgedLabel =
  /(^|[\n\r\v\f\u0085\u2028\u2029])([\p{Cf}\p{Zs}\t]*)(?=[[［【][\p{Cf}\p{Zs}\t]*(?:m\d+(?:\s*[-–]\s*m\d+)?[\p{Cf}\p{Zs}\t]+(?:USER|ASSISTANT|TOOL|HOST|SYSTEM)|PART[\p{Cf}\p{Zs}\t]+\d)\b)/giu;
const forgedElement = new RegExp(`<(?=/?\\s*(?:${promptElements.join('|')})\\b)`, 'gi');

/** The text with a backslash before everything that would pass for a label or an element of the prompt. */
export const unforged = (text: string): string => text.replace(forgedLabel, '$1$2\\').replace(forgedElement, '<\\');

/** Lines by which an agent tells its host to attach a file or to speak: a summary that repeats one must not do it again. */
const directive = /\bMEDIA:[^\S\n]*(?=[^\s\]])/g;
const bracketDirective =
  /\[\[\s*(?:as_)?(?:audio|voice|image|photo|video|media|document|file)_?[a-z_]*\s*(?::[^\]\n]{0,400})?\]\]/gi;

/** The text with such lines worded as a report. */
export const withoutDirectives = (text: string): string =>
  text.replace(directive, '[media file] ').replace(bracketDirective, '[media directive]');

/** Tags around what a model thinks, as models and their hosts write them. */
const thoughtTags = ['think', 'thinking', 'thought', 'thoughts', 'reasoning', 'reasoning_scratchpad'] as const;

/**
 * A text of a model without its blocks of thought; one that is never closed goes to the end where it opens the text.
 * Tags inside a line are words about tags and stay.
 */
export function withoutThoughts(text: string, tags: readonly string[] = thoughtTags): string {
  if (!text.includes('<') && !text.includes('◁')) return text;
  const opening = new RegExp(`(?<=^|\\n)[^\\S\\n]*(?:<(${tags.join('|')})>|◁think▷)`, 'gi');
  const unclosed = new Set<string>();
  const kept: string[] = [];
  let opensText = true;
  let from = 0;
  for (const match of text.matchAll(opening)) {
    const closing = match[1] === undefined ? '◁/think▷' : `</${match[1]}>`;
    if (match.index < from || unclosed.has(closing)) continue;
    const before = text.slice(from, match.index);
    opensText &&= before.trim() === '';
    const end = text.indexOf(closing, match.index);
    if (end === -1) unclosed.add(closing);
    if (end === -1 && !opensText) continue;
    kept.push(before);
    from = end === -1 ? text.length : end + closing.length;
  }
  return from === 0 ? text : (kept.join('') + text.slice(from)).trim();
}

/** What stands for an image: its address where anybody could open it, never its bytes. */
function imageMark(part: ImagePart): string {
  const address = part.url !== undefined && /^https?:\/\//i.test(part.url) ? clip(part.url, 500) : undefined;
  return `[${['image', part.mediaType, address].filter(Boolean).join(' ')}]`;
}

/** What stands for a file: its name, and its text where the format carries one. */
function fileMark(part: FilePart): string {
  const address = part.url !== undefined && /^https?:\/\//i.test(part.url) ? clip(part.url, 500) : undefined;
  const mark = `[${['file', part.name && clip(part.name, 200), part.mediaType, address].filter(Boolean).join(' ')}]`;
  return part.text === undefined ? mark : `${mark}\n${part.text}`;
}

/** Members that hold proofs, or reasoning that only the provider can read. */
const opaqueMember = /^(?:thought_?)?signature$|^encrypted/i;
const thoughtType = /thinking|reasoning/i;

/** A part that we have no name for, as JSON without what nobody can read; undefined for a thought. */
function otherText({ value }: OtherPart): string | undefined {
  if (isJsonObject(value) && typeof value.type === 'string' && thoughtType.test(value.type)) return undefined;
  if (typeof value === 'string') return value;
  return JSON.stringify(value, (key, member: JsonValue) =>
    opaqueMember.test(key) && typeof member === 'string' ? undefined : member,
  );
}

/** The arguments of a call as a person writes them: one line a member, texts without JSON's escapes. */
function inputText(call: ToolCallPart): string {
  const value = call.inputType === 'text' ? undefined : parseJson(call.input);
  if (!isJsonObject(value)) return call.input;
  return Object.entries(value).map(memberText).join('\n');
}

function memberText([key, value]: [string, JsonObject[string]]): string {
  return `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
}

/** The text without base64, and whether there was some. */
function withoutBytes(text: string, ref: string): { readonly text: string; readonly hadBytes: boolean } {
  const clean = replaceBase64(text, ref);
  return { text: clean, hadBytes: clean !== text };
}
