/** Replaces parts of messages by shorter ones, with marks that say how much is gone and how to get it back. */
import { isJsonObject, parseJson } from '../../shared/json.ts';
import type { Message, Part, ResultContent, ToolCallPart, ToolResultPart } from '../../transcript/message.ts';
import { redactedPart } from '../../transcript/redact.ts';
import { isSigned } from '../../transcript/validate.ts';
import { newestRequest } from '../handoff-block.ts';
import { brokenArguments } from '../repair/parts.ts';

/** The message with its parts changed; the same object when none is. */
export function withParts(message: Message, change: (part: Part) => Part): Message {
  const parts = message.parts.map(change);
  return parts.every((part, at) => part === message.parts[at]) ? message : { ...message, parts };
}

/** The result with its content changed; the same object when nothing is, or a provider ran the call itself. */
export function withContent(result: ToolResultPart, change: (one: ResultContent) => ResultContent): ToolResultPart {
  if (result.server) return result;
  const content = result.content.map(change);
  return content.every((one, at) => one === result.content[at]) ? result : { ...result, content };
}

/** What the mark says besides the number of characters that are gone. */
interface CutMark {
  /** The id that brings the whole text back. */
  readonly ref: string;
  readonly remark?: string;
}

/** Characters kept at the start and at the end. */
interface Ends {
  readonly head: number;
  readonly tail: number;
}

/** Start and end of a text around a mark with the number of characters cut. */
export function cutMiddle(text: string, { head, tail }: Ends, { ref, remark = '' }: CutMark): string {
  const start = text.slice(0, head).replace(/[\ud800-\udbff]$/, '');
  // The ends of a short text must not say the same twice.
  const end = tail === 0 ? '' : text.slice(Math.max(start.length, text.length - tail)).replace(/^[\udc00-\udfff]/, '');
  const gone = text.length - start.length - end.length;
  return `${start}\n[… ${gone} chars cut${remark && `, ${remark}`} | expand ${ref} …]\n${end}`;
}

/** The start of a text, `max` characters with the mark. */
function cutEnd(text: string, max: number, ref: string): string {
  if (text.length <= max) return text;
  const mark = (gone: number): string => `… [${gone} chars cut | expand ${ref}]`;
  const keep = Math.max(0, max - mark(text.length).length);
  const start = text.slice(0, keep).replace(/[\ud800-\udbff]$/, '');
  return `${start}${mark(text.length - start.length)}`;
}

// Arguments of calls are shortened leaf by leaf, so that they stay what they are: JSON, or a patch.

interface ArgumentLimits {
  /** Arguments up to this length are left alone. */
  readonly maxArgumentChars: number;
  /** Longer strings inside of longer arguments are cut to this length. */
  readonly maxLeafChars: number;
}

/**
 * The call with its long strings cut, and credentials masked in what is left; the same object when there is nothing to
 * cut, the JSON is broken, or a provider ran the call itself.
 */
export const shortenArguments = (call: ToolCallPart, limits: ArgumentLimits, ref: string): ToolCallPart =>
  call.server ? call : cutArguments(call, limits, ref);

/** The same, whoever ran the call. */
export function cutArguments(call: ToolCallPart, limits: ArgumentLimits, ref: string): ToolCallPart {
  if (call.input.length <= limits.maxArgumentChars) return call;
  const cut = (text: string): string =>
    isPatch(text) ? cutPatch(text, limits, ref) : cutEnd(text, limits.maxLeafChars, ref);
  // Masked and taken apart once, however often a call is cut until it fits.
  const clean = redactedPart(call);
  const input = call.inputType === 'text' ? cut(clean.input) : cutJson(clean, limits.maxLeafChars, cut);
  return input === clean.input ? call : { ...call, input };
}

/**
 * True for arguments that nobody could parse, as they came or as a repair wrapped them: what the model wrote then is all that
 * tells what it meant.
 */
export function isUnparsed({ input, inputType }: ToolCallPart): boolean {
  if (inputType === 'text') return false;
  const value = parseJson(input);
  // A list is sound JSON; a lone string is what SDKs keep of arguments that they could not parse.
  if (!isJsonObject(value)) return !Array.isArray(value);
  return typeof value[brokenArguments] === 'string' && Object.keys(value).length === 1;
}

/**
 * The messages whose calls stay as they are: those that their provider signed, in the turn that is still open. Gemini and
 * Claude refuse the turn when what they signed has changed.
 */
export function sealedCalls(messages: readonly Message[]): ReadonlySet<Message> {
  const open = messages.slice(newestRequest(messages) + 1);
  return new Set(open.filter((message) => message.role === 'assistant' && isSigned(message)));
}

/**
 * The JSON text with its string values cut. Works on the text, not on the parsed value: numbers, key order and spacing
 * stay byte for byte, which `JSON.stringify` would not promise.
 */
function cutJson(call: ToolCallPart, maxLeafChars: number, cut: (text: string) => string): string {
  const json = call.input;
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end, text } of longLeaves(call, maxLeafChars)) {
    if (text.length <= maxLeafChars) continue;
    const shorter = cut(text);
    if (shorter === text) continue;
    pieces.push(json.slice(from, start), JSON.stringify(shorter));
    from = end;
  }
  return from === 0 ? json : pieces.join('') + json.slice(from);
}

/** A string value of a JSON text, and where its literal stands. */
interface Leaf {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface Leaves {
  /** Their literals are longer than this. */
  readonly over: number;
  readonly list: readonly Leaf[];
}

/** Of calls whose arguments were cut: they are cut again and again, a bit more each time, until a list fits. */
const leaves = new WeakMap<ToolCallPart, Leaves>();
/** Nobody cuts below this by default. */
const usualLeast = 200;

/** The values with literals over a length, among others; none where the arguments are no JSON. */
function longLeaves(call: ToolCallPart, maxLeafChars: number): readonly Leaf[] {
  const known = leaves.get(call);
  if (known && known.over <= maxLeafChars) return known.list;
  const over = Math.min(maxLeafChars, usualLeast);
  const list = leavesOver(call.input, over);
  leaves.set(call, { over, list });
  return list;
}

function leavesOver(json: string, over: number): readonly Leaf[] {
  if (parseJson(json) === undefined) return [];
  const found: Leaf[] = [];
  for (let start = json.indexOf('"'); start !== -1; ) {
    const end = stringEnd(json, start);
    const isKey = /^\s*:/.test(json.slice(end, end + 20));
    const text = isKey || end - start <= over ? undefined : parseJson(json.slice(start, end));
    if (typeof text === 'string') found.push({ start, end, text });
    start = json.indexOf('"', end);
  }
  return found;
}

/** The index after the closing quote of the string that opens at `at`. */
function stringEnd(json: string, at: number): number {
  let end = at + 1;
  while (end < json.length && json[end] !== '"') end += json[end] === '\\' ? 2 : 1;
  return end + 1;
}

const patchHeader =
  /^(?:\*\*\* (?:Begin Patch|Add File:|Update File:|Delete File:|Move to:)|diff --git |--- \S|\+\+\+ \S|\[… )/;
const isPatch = (text: string): boolean =>
  /^\s*(?:diff --git |--- \S+\n\+\+\+ )/.test(text) || text.slice(0, 300).includes('*** Begin Patch\n');
const patchMark = /\n\[… \d+ chars of the patch cut \| expand [^\n]+\]$/;

/** The files that a patch touches and its first lines: what it did to them can be expanded. */
function cutPatch(text: string, limits: ArgumentLimits, ref: string): string {
  if (text.length <= limits.maxArgumentChars || patchMark.test(text)) return text;
  const kept: string[] = [];
  let body = 0;
  for (const line of text.split('\n')) {
    const header = patchHeader.test(line);
    if (!header && body + line.length > limits.maxLeafChars) continue;
    if (!header) body += line.length + 1;
    kept.push(line);
  }
  const start = cutEnd(kept.join('\n'), Math.max(500, limits.maxArgumentChars), ref);
  const short = `${start}\n[… ${text.length - start.length} chars of the patch cut | expand ${ref}]`;
  return short.length < text.length ? short : text;
}
