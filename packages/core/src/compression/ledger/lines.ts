/**
 * Cuts messages into the lines that a handoff is made of: trimmed, at most `maxLineChars` long, without the line
 * numbers that file viewers put in front. A longer line is cut at the end of a sentence, else between words.
 */
import { isJsonObject, type JsonValue, parseJson } from '../../shared/json.ts';
import type { Message, Part, ToolCallPart } from '../../transcript/message.ts';
import { isHostText, originOf, splitByWriter } from '../../transcript/origin.ts';
import { withoutMarkers } from '../../transcript/summary-text.ts';
import { resultText } from '../../transcript/text.ts';
import { unwrapHandoff } from '../handoff-block.ts';
import { oneLine, readRows, type Speaker, unnumbered } from '../handoff-rows.ts';
import { hostWords, withoutReminders } from './host-words.ts';
import { isTableRow } from './tables.ts';
import type { Stretch } from './terms.ts';

/** Where in a conversation a line stands; relevance is measured by it. */
export type Voice = 'call' | 'result' | 'user' | 'agent';

/** Takes a line and who said it; `isCode` for what an assistant wrote as code, and for a piece of a very long sentence. */
export type LineSink = (text: string, speaker: Speaker, isCode?: boolean) => void;

/** The voice that a speaker's lines are counted under. */
export const voiceOf: Readonly<Record<Speaker, Voice>> = {
  person: 'user',
  host: 'user',
  system: 'user',
  file: 'user',
  summary: 'user',
  assistant: 'agent',
  call: 'call',
  result: 'result',
  noted: 'result',
  names: 'result',
};

export const maxLineChars = 220;
const minCut = 80;
/** An assistant's sentence up to this length stays whole. */
export const maxSentenceChars = 400;
/** So does a row of a table up to this one. */
export const maxRowChars = 1_000;
/** Structured results are read leaf by leaf only when they came as one long line; otherwise their lines are fine. */
const oneLineChars = 400;

/** Texts of summaries in one message that are taken out of each other; what is left then is nobody's. */
const mostSummaries = 4;

/** Hands every line of a message to `sink`, in order. Linear in the length of the message. */
export function linesOf(message: Message, sink: LineSink): void {
  let rest = message;
  for (let found = 0; found < mostSummaries; found++) {
    const handoff = unwrapHandoff(rest);
    if (!handoff) {
      for (const part of rest.parts) partLines(rest, part, sink);
      return;
    }
    const { body, tag, before, after } = handoff;
    // A summary is data. The numbers in one of ours count another conversation: nobody here may take them for ours.
    const texts = tag ? readRows(withoutMarkers(body)).map(unnumbered) : [withoutMarkers(body)];
    for (const text of texts) textLines(text, 'summary', sink);
    // What stands beside a summary is not a summary's.
    const { origin: _, ...said } = rest;
    rest = { ...said, parts: [...before, ...after] };
  }
  for (const part of rest.parts) if (part.type === 'text') textLines(part.text, 'summary', sink);
}

/** What an assistant says in a message, sentence by sentence. */
export function spokenIn(message: Message): readonly string[] {
  const spoken: string[] = [];
  linesOf(message, (text, speaker) => {
    if (speaker === 'assistant') spoken.push(text);
  });
  return spoken;
}

/** What a model thought is not part of the conversation it goes on with; images and unknown parts have no words. */
function partLines(message: Message, part: Part, sink: LineSink): void {
  if (part.type === 'text') spokenBy(speakerOf(message, part.text), part.text, sink);
  else if (part.type === 'toolCall') inputLines(part, sink);
  else if (part.type === 'toolResult') resultLines(withoutReminders(resultText(part)), sink);
  else if (part.type === 'file' && part.text !== undefined) textLines(part.text, 'file', sink);
}

/** What programs put into a person's text is not the person's. */
function spokenBy(speaker: Speaker, text: string, sink: LineSink): void {
  const { own, programs } = speaker === 'person' ? splitByWriter(text) : { own: text, programs: '' };
  if (own.trim() !== '') textLines(speaker === 'host' ? hostWords(own) : own, speaker, sink);
  if (programs !== '') textLines(hostWords(programs), 'host', sink);
}

/** Who speaks in a text of a message. */
function speakerOf({ role, origin }: Message, text: string): Speaker {
  if (role !== 'user') return role === 'tool' ? 'result' : role;
  if (origin === 'summary') return origin;
  return origin === 'host' || (origin === undefined && isHostText(text)) ? 'host' : 'person';
}

/** Who is named above the lines of a message that has neither calls nor results. */
export function authorOf(message: Message): 'person' | 'assistant' | 'system' | 'host' | 'summary' {
  if (message.role === 'system' || message.role === 'assistant') return message.role;
  return originOf(message) ?? 'host';
}

function inputLines({ input, inputType }: ToolCallPart, sink: LineSink): void {
  const value = inputType === 'json' ? parseJson(input) : undefined;
  for (const one of value === undefined ? [input] : leavesOf(value)) textLines(one, 'call', sink);
}

function resultLines(text: string, sink: LineSink): void {
  const isOneLine = text.length > oneLineChars && !text.slice(0, oneLineChars).includes('\n');
  const value = isOneLine && /^[{[]/.test(text) ? parseJson(text) : undefined;
  for (const one of value === undefined ? [text] : leavesOf(value)) textLines(one, 'result', sink);
}

/** Every string and number inside a value, in order; however deep it is nested. */
function leavesOf(root: JsonValue): readonly string[] {
  const leaves: string[] = [];
  const left: JsonValue[] = [root];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string') leaves.push(value);
    else if (typeof value === 'number') leaves.push(String(value));
    else if (Array.isArray(value)) for (let i = value.length - 1; i >= 0; i--) left.push(value[i]);
    else if (isJsonObject(value)) for (const entry of Object.values(value).reverse()) left.push(entry);
  }
  return leaves;
}

/** Hands every line of one speaker's text to `sink`. */
export function textLines(text: string, speaker: Speaker, sink: LineSink): void {
  if (speaker === 'assistant') {
    spokenLines(text, (line, isCode) => sink(line, speaker, isCode));
    return;
  }
  let before: LineNumber | undefined;
  for (let start = 0; start <= text.length; ) {
    const stop = text.indexOf('\n', start);
    const end = stop < 0 ? text.length : stop;
    const number = speaker === 'result' ? lineNumberAt(text, start) : undefined;
    const from = number && isViewers(number, before, lineNumberAt(text, end + 1)) ? number.end : start;
    if (end - from > 2) pieces(text, { from, to: end }, (piece) => sink(piece, speaker));
    before = number;
    start = end + 1;
  }
}

/** What an assistant says, sentence by sentence; points of lists, rows of tables and code line by line. */
function spokenLines(text: string, give: (line: string, isCode: boolean) => void): void {
  let inCode = false;
  for (const line of text.split('\n')) {
    if (/^\s*(?:```|~~~)/.test(line)) inCode = !inCode;
    const isRow = !inCode && isTableRow(line.trim());
    const sentences = inCode || /^\s*\|/.test(line) ? [line] : sentencesIn(line.trim());
    for (const sentence of sentences) {
      if (!inCode && sentence.length <= (isRow ? maxRowChars : maxSentenceChars))
        giveTrimmed(sentence, (whole) => give(whole, false));
      // A piece of what is longer tells nothing alone.
      else pieces(sentence, { from: 0, to: sentence.length }, (piece) => give(piece, true));
    }
  }
}

/** Where a sentence ends and another one begins; a day of a month ends none. */
export const sentenceBreak: RegExp =
  /(?<=[\p{L}\p{N}`)\]"'*][.!?]["')\]*_]*)(?<!(?<!\d)\d{1,2}\.)\s+(?=["'(*_`[]*[\p{Lu}\p{N}]|[a-h]\)\s)|(?<=[。！？])(?=\S)/gu;
/** The number of a point belongs to its first sentence. */
const pointNumber = /^(?:[-*+>]\s+)*\**\(?(?:\p{N}{1,3}[.)]|[a-h]\))\**$/u;
/** What is shorter is no line, and stays with what stands beside it. */
const leastChars = 3;

function sentencesIn(line: string): readonly string[] {
  const sentences: string[] = [];
  let start = 0;
  for (const { 0: gap, index } of line.matchAll(sentenceBreak)) {
    const sentence = line.slice(start, index).trim();
    const isShort = Math.min(sentence.length, line.length - index - gap.length) < leastChars;
    if (isShort || pointNumber.test(sentence)) continue;
    sentences.push(sentence);
    start = index + gap.length;
  }
  return [...sentences, line.slice(start)];
}

/** Digits at the beginning of a line, as file viewers and `grep -n` put them: `  12→`, `12\t`, `12|`, `12 │ `, `12:`. */
interface LineNumber {
  readonly value: number;
  readonly sign: string;
  /** Where the text begins behind it. */
  readonly end: number;
}

const lineNumber = /[ ]{0,12}(\d{1,6})(→|\t|\|| ?│|:(?!\d))/y;

function lineNumberAt(text: string, start: number): LineNumber | undefined {
  const code = text.charCodeAt(start);
  if (code !== 32 && !(code >= 48 && code <= 57)) return undefined;
  lineNumber.lastIndex = start;
  const found = lineNumber.exec(text);
  return found ? { value: Number(found[1]), sign: found[2] ?? '', end: lineNumber.lastIndex } : undefined;
}

/** A number is a viewer's when a line beside it goes on counting: `404: not found` alone says something. */
function isViewers(number: LineNumber, before: LineNumber | undefined, after: LineNumber | undefined): boolean {
  return number.sign === '→' || follows(before, number) || follows(number, after);
}

/** A search shows some lines of a file, a viewer shows all of them. */
const follows = (one: LineNumber | undefined, next: LineNumber | undefined): boolean =>
  one !== undefined &&
  one.sign === next?.sign &&
  (one.sign === ':' ? next.value > one.value : next.value === one.value + 1);

function pieces(text: string, { from, to }: Stretch, give: (piece: string) => void): void {
  let start = from;
  // Only what is left between the blanks counts as long.
  const end = to - from > maxLineChars ? from + text.slice(from, to).trimEnd().length : to;
  while (end - start > maxLineChars) {
    if (/\s/.test(text[start] ?? '')) {
      start++;
      continue;
    }
    const cut = start + minCut + cutIn(text.slice(start + minCut, start + maxLineChars));
    giveTrimmed(text.slice(start, cut), give);
    start = cut;
  }
  giveTrimmed(text.slice(start, end), give);
}

const sentenceEnd = /[.!?]["')\]]?\s|[。！？；]/g;

function cutIn(window: string): number {
  let cut = -1;
  for (const match of window.matchAll(sentenceEnd)) cut = match.index + match[0].length;
  if (cut > 0) return cut;
  const space = Math.max(window.lastIndexOf(' '), window.lastIndexOf(','));
  if (space > 0) return space + 1;
  // Never between the halves of a surrogate pair.
  const last = window.charCodeAt(window.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? window.length - 1 : window.length;
}

const meaningful = /[\p{L}\p{N}]/u;

function giveTrimmed(piece: string, give: (piece: string) => void): void {
  const text = oneLine(piece).trim();
  if (text.length >= leastChars && meaningful.test(text)) give(text);
}
