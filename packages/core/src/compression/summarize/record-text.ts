/** What may stand in a record of the prompt: no forged label, no base64, no thoughts, no directive to a host program. */
import type { JsonObject, JsonValue } from '../../shared/json.ts';
import { isJsonObject, parseJson } from '../../shared/json.ts';
import type { FilePart, ImagePart, OtherPart, ToolCallPart } from '../../transcript/message.ts';
import { clip } from '../ledger/names.ts';
import { replaceBase64 } from '../prune/images.ts';

/** How much of a text a record shows. */
export interface TextLimit {
  /** Longer texts are cut, and have at most this many characters with the mark. */
  readonly max: number;
  /** Characters kept at the start and at the end. */
  readonly head: number;
  readonly tail: number;
}

/** The limits of records: what is said or returned, and what a tool is called with. */
export const recordLimits: { readonly text: TextLimit; readonly input: TextLimit } = {
  text: { max: 6_000, head: 4_000, tail: 1_500 },
  input: { max: 1_500, head: 1_200, tail: 160 },
};

/** A text and what was cut out of it. */
export interface CutText {
  readonly text: string;
  /** Empty when nothing was cut. */
  readonly leftOut: string;
}

/** The text with its middle replaced by a mark that says how much is gone; `remark` is said of what is gone. */
export function cutToLimit(text: string, limit: TextLimit, remark?: (leftOut: string) => string): CutText {
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
export function imageMark(part: ImagePart): string {
  const address = part.url !== undefined && /^https?:\/\//i.test(part.url) ? clip(part.url, 500) : undefined;
  return `[${['image', part.mediaType, address].filter(Boolean).join(' ')}]`;
}

/** What stands for a file: its name, and its text where the format carries one. */
export function fileMark(part: FilePart): string {
  const address = part.url !== undefined && /^https?:\/\//i.test(part.url) ? clip(part.url, 500) : undefined;
  const mark = `[${['file', part.name && clip(part.name, 200), part.mediaType, address].filter(Boolean).join(' ')}]`;
  return part.text === undefined ? mark : `${mark}\n${part.text}`;
}

/** Members that hold proofs, or reasoning that only the provider can read. */
const opaqueMember = /^(?:thought_?)?signature$|^encrypted/i;
const thoughtType = /thinking|reasoning/i;

/** A part that we have no name for, as JSON without what nobody can read; undefined for a thought. */
export function otherText({ value }: OtherPart): string | undefined {
  if (isJsonObject(value) && typeof value.type === 'string' && thoughtType.test(value.type)) return undefined;
  if (typeof value === 'string') return value;
  return JSON.stringify(value, (key, member: JsonValue) =>
    opaqueMember.test(key) && typeof member === 'string' ? undefined : member,
  );
}

/** The arguments of a call as a person writes them: one line a member, texts without JSON's escapes. */
export function inputText(call: ToolCallPart): string {
  const value = call.inputType === 'text' ? undefined : parseJson(call.input);
  if (!isJsonObject(value)) return call.input;
  return Object.entries(value).map(memberText).join('\n');
}

function memberText([key, value]: [string, JsonObject[string]]): string {
  return `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
}

/** The text without base64, and whether there was some. */
export function withoutBytes(text: string, ref: string): { readonly text: string; readonly hadBytes: boolean } {
  const clean = replaceBase64(text, ref);
  return { text: clean, hadBytes: clean !== text };
}
