/**
 * Cuts messages into the lines that a handoff is made of: trimmed, at most `maxLineChars` long, without the line
 * numbers that file viewers put in front. A longer line is cut at the end of a sentence, else between words.
 */
import { isJsonObject, type JsonValue, parseJson } from '../../shared/json.ts';
import type { Message, Part } from '../../transcript/message.ts';
import { resultText } from '../../transcript/text.ts';

/** Who said a line, and how. */
export type Voice = 'call' | 'result' | 'user' | 'agent';

export interface SourceLine {
  readonly text: string;
  readonly voice: Voice;
  /** Id of the tool call that the line belongs to. */
  readonly callId?: string;
}

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
      textLines(part.text, message.role === 'assistant' ? 'agent' : 'user', undefined, sink);
      return;
    case 'toolCall':
      inputLines(part.input, part.inputType, part.callId, sink);
      return;
    case 'toolResult':
      resultLines(resultText(part), part.callId, sink);
      return;
    case 'file':
      if (part.text !== undefined) textLines(part.text, 'user', undefined, sink);
      return;
    // What a model thought is not part of the conversation it goes on with; images and unknown parts have no words.
    case 'reasoning':
    case 'image':
    case 'other':
      return;
  }
}

function inputLines(input: string, type: 'json' | 'text', callId: string, sink: LineSink): void {
  const value = type === 'json' ? parseJson(input) : undefined;
  if (value === undefined) textLines(input, 'call', callId, sink);
  else for (const leaf of leavesOf(value)) textLines(leaf, 'call', callId, sink);
}

function resultLines(text: string, callId: string, sink: LineSink): void {
  const first = text[0];
  if ((first === '{' || first === '[') && text.length > oneLineChars && !text.slice(0, oneLineChars).includes('\n')) {
    const value = parseJson(text);
    if (value !== undefined) {
      for (const leaf of leavesOf(value)) textLines(leaf, 'result', callId, sink);
      return;
    }
  }
  textLines(text, 'result', callId, sink);
}

/** Every string and number inside a value, in order. */
function* leavesOf(value: JsonValue): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'number') yield String(value);
  else if (Array.isArray(value)) for (const entry of value) yield* leavesOf(entry);
  else if (isJsonObject(value)) for (const entry of Object.values(value)) yield* leavesOf(entry);
}

function textLines(text: string, voice: Voice, callId: string | undefined, sink: LineSink): void {
  for (let start = 0; start <= text.length; ) {
    const stop = text.indexOf('\n', start);
    const end = stop < 0 ? text.length : stop;
    const from = voice === 'result' ? afterLineNumber(text, start, end) : start;
    if (end - from > 2) pieces(text, from, end, (piece) => sink(piece, voice, callId));
    start = end + 1;
  }
}

/** Where the text begins behind a viewer's line number (`  12→`, `12\t`, `12| `, `12: `). */
function afterLineNumber(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && text.charCodeAt(at) === 32) at++;
  const digits = at;
  while (at < end && isDigit(text.charCodeAt(at))) at++;
  if (at === digits || at - digits > 6) return start;
  const sign = text[at];
  if (sign === '→' || sign === '\t' || sign === '|') return at + 1;
  return sign === ':' && text[at + 1] === ' ' ? at + 2 : start;
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

function pieces(text: string, from: number, to: number, give: (piece: string) => void): void {
  let start = from;
  while (to - start > maxLineChars) {
    const window = text.slice(start + minCut, start + maxLineChars);
    const cut = start + minCut + cutIn(window);
    giveTrimmed(text.slice(start, cut), give);
    start = cut;
  }
  giveTrimmed(text.slice(start, to), give);
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
  const text = piece.trim();
  if (text.length >= 3 && meaningful.test(text)) give(text);
}
