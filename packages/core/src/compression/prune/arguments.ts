/** Shortens the arguments of old calls leaf by leaf, so that they stay what they are: JSON, or a patch. */
import { isJsonObject, parseJson } from '../../shared/json.ts';
import type { Message, ToolCallPart } from '../../transcript/message.ts';
import { redactedPart } from '../../transcript/redact.ts';
import { isSigned } from '../../transcript/validate.ts';
import { newestRequest } from '../handoff-block.ts';
import { brokenArguments } from '../repair/parts.ts';
import { cutEnd } from './cut-text.ts';

export interface ArgumentLimits {
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
