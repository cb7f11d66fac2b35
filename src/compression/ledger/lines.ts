/**
 * Cuts messages into the lines that a handoff is made of: trimmed, at most `maxLineChars` long, without the line
 * numbers that file viewers put in front. A longer line is cut at the end of a sentence, else between words.
 */
import { isJsonObject, type JsonValue, parseJson } from '../../shared/json.ts';
import type { Message, Part, ToolCallPart } from '../../transcript/message.ts';
import { resultText } from '../../transcript/text.ts';
import type { Stretch } from './scan.ts';

/** Who said a line, and how. */
export type Voice = 'call' | 'result' | 'user' | 'agent';

export type LineSink = (text: string, voice: Voice, callId: string | undefined) => void;

export const maxLineChars = 220;
const minCut = 80;
/** Structured results are read leaf by leaf only when they came as one long line; otherwise their lines are fine. */
const oneLineChars = 400;

/** Hands every line of a message to `sink`, in order. Linear in the length of the message. */
export function linesOf(message: Message, sink: LineSink): void {
  for (const part of message.parts) partLines(message, part, sink);
}

function partLines(message: Message, part: Part, sink: LineSink): void {
  switch (part.type) {
    case 'text':
      textLines(part.text, { voice: message.role === 'assistant' ? 'agent' : 'user', callId: undefined }, sink);
      return;
    case 'toolCall':
      inputLines(part, sink);
      return;
    case 'toolResult':
      resultLines(resultText(part), { voice: 'result', callId: part.callId }, sink);
      return;
    case 'file':
      if (part.text !== undefined) textLines(part.text, { voice: 'user', callId: undefined }, sink);
      return;
    // What a model thought is not part of the conversation it goes on with; images and unknown parts have no words.
    case 'reasoning':
    case 'image':
    case 'other':
      return;
  }
}

/** Whose lines are handed on. */
interface Speaker {
  readonly voice: Voice;
  readonly callId: string | undefined;
}

function inputLines({ input, inputType, callId }: ToolCallPart, sink: LineSink): void {
  const speaker: Speaker = { voice: 'call', callId };
  const value = inputType === 'json' ? parseJson(input) : undefined;
  if (value === undefined) textLines(input, speaker, sink);
  else for (const leaf of leavesOf(value)) textLines(leaf, speaker, sink);
}

function resultLines(text: string, speaker: Speaker, sink: LineSink): void {
  const first = text[0];
  if ((first === '{' || first === '[') && text.length > oneLineChars && !text.slice(0, oneLineChars).includes('\n')) {
    const value = parseJson(text);
    if (value !== undefined) {
      for (const leaf of leavesOf(value)) textLines(leaf, speaker, sink);
      return;
    }
  }
  textLines(text, speaker, sink);
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

function textLines(text: string, { voice, callId }: Speaker, sink: LineSink): void {
  let before: LineNumber | undefined;
  for (let start = 0; start <= text.length; ) {
    const stop = text.indexOf('\n', start);
    const end = stop < 0 ? text.length : stop;
    const number = voice === 'result' ? lineNumberAt(text, start) : undefined;
    const from = number && isViewers(number, before, lineNumberAt(text, end + 1)) ? number.end : start;
    if (end - from > 2) pieces(text, { from, to: end }, (piece) => sink(piece, voice, callId));
    before = number;
    start = end + 1;
  }
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

function follows(one: LineNumber | undefined, next: LineNumber | undefined): boolean {
  if (!one || !next || one.sign !== next.sign) return false;
  // A search shows some lines of a file, a viewer shows all of them.
  return one.sign === ':' ? next.value > one.value : next.value === one.value + 1;
}

function pieces(text: string, { from, to }: Stretch, give: (piece: string) => void): void {
  let start = from;
  // Only what is left between the blanks counts as long.
  const end = to - (to - from > maxLineChars ? blanksAtEnd(text.slice(from, to)) : 0);
  while (end - start > maxLineChars) {
    if (blank.test(text[start] ?? '')) {
      start++;
      continue;
    }
    const window = text.slice(start + minCut, start + maxLineChars);
    const cut = start + minCut + cutIn(window);
    giveTrimmed(text.slice(start, cut), give);
    start = cut;
  }
  giveTrimmed(text.slice(start, end), give);
}

const blank = /\s/;
const blanksAtEnd = (text: string): number => text.length - text.trimEnd().length;

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
  const text = piece.trim();
  if (text.length >= 3 && meaningful.test(text)) give(text);
}
