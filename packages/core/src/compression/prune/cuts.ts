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
 * cut or the JSON is broken.
 */
export function shortenArguments(call: ToolCallPart, limits: ArgumentLimits, ref: string): ToolCallPart {
  if (call.server || call.input.length <= limits.maxArgumentChars) return call;
  const cut = (text: string): string =>
    isPatch(text) ? cutPatch(text, limits, ref) : cutEnd(text, limits.maxLeafChars, ref);
  const { input: clean } = redactedPart(call);
  const input = call.inputType === 'text' ? cut(clean) : cutJson(clean, limits.maxLeafChars, cut);
  return input === clean ? call : { ...call, input };
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
function cutJson(json: string, maxLeafChars: number, cut: (text: string) => string): string {
  if (parseJson(json) === undefined) return json;
  const pieces: string[] = [];
  let from = 0;
  for (let at = json.indexOf('"'); at !== -1; ) {
    const end = stringEnd(json, at);
    const isKey = /^\s*:/.test(json.slice(end, end + 20));
    const literal = json.slice(at, end);
    if (!isKey && literal.length > maxLeafChars) {
      const text = parseJson(literal);
      const shorter = typeof text === 'string' && text.length > maxLeafChars ? cut(text) : text;
      if (shorter !== text) {
        pieces.push(json.slice(from, at), JSON.stringify(shorter));
        from = end;
      }
    }
    at = json.indexOf('"', end);
  }
  return from === 0 ? json : pieces.join('') + json.slice(from);
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
