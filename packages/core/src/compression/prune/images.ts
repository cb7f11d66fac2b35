/** Images and base64 that a model no longer needs: they cost thousands of tokens in every request. */
import type { Message, Part, ResultContent, TextPart, ToolResultPart } from '../../transcript/message.ts';
import { withContent } from './cuts.ts';

/** A run of base64 shorter than this may be an id or a hash and stays. */
const minBase64Chars = 1_000;
const minWrappedLines = 12;

/** The content with every image and every file with data replaced by a short text. */
export function imagePlaceholder(part: Part | ResultContent, ref: string): TextPart | undefined {
  if (part.type !== 'image' && !(part.type === 'file' && part.data !== undefined)) return undefined;
  const what = [part.type, part.mediaType, part.type === 'file' ? part.name : undefined].filter(Boolean).join(' ');
  return { type: 'text', text: `[removed: ${what} | expand ${ref}]` };
}

/** A part with every image of it replaced; the same object when it has none. */
export function withoutImages(part: Part, ref: string): Part {
  const replaced = <P extends Part | ResultContent>(one: P): P | TextPart =>
    one.type === 'image' ? (imagePlaceholder(one, ref) ?? one) : one;
  return part.type === 'toolResult' ? withContent(part, replaced) : replaced(part);
}

/** Indexes of the messages that carry images, of the user or of a tool, newest first. */
export function imageMessages(messages: readonly Message[]): readonly number[] {
  const found = messages.flatMap((message, at) => (message.parts.some(hasImage) ? [at] : []));
  return found.toReversed();
}

function hasImage(part: Part): boolean {
  return part.type === 'image' || (part.type === 'toolResult' && part.content.some((one) => one.type === 'image'));
}

/** A result without base64 in its texts; the same object when it has none. */
export const withoutBase64 = (result: ToolResultPart, ref: string): ToolResultPart =>
  withContent(result, (one) => {
    if (one.type !== 'text' || one.text.length < minBase64Chars) return one;
    const text = replaceBase64(one.text, ref);
    return text === one.text ? one : { ...one, text };
  });

/** A text without its base64 runs, in one line or wrapped over many; linear in its length. */
export function replaceBase64(text: string, ref: string): string {
  const single = text.replace(/(?:data:[\w.+-]{1,40}\/[\w.+-]{1,60};base64,)?[A-Za-z0-9+/_-]+={0,2}/g, (run) => {
    const comma = run.startsWith('data:') ? run.indexOf(',') + 1 : 0;
    return isBase64(run.slice(comma)) ? mark(run, ref) : run;
  });
  return replaceWrapped(single, ref);
}

/** Long, and with letters of both cases and digits: neither a word nor a hash nor a row of one character. */
function isBase64(run: string): boolean {
  if (run.length < minBase64Chars) return false;
  const start = run.slice(0, 2_000);
  return /[a-z]/.test(start) && /[A-Z]/.test(start) && /\d/.test(start) && new Set(start).size > 20;
}

/** Base64 as `base64` and mail write it: lines of one length. */
function replaceWrapped(text: string, ref: string): string {
  if (!text.includes('\n')) return text;
  const lines = text.split('\n');
  const kept: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const end = wrappedEnd(lines, at);
    const block = lines.slice(at, end);
    kept.push(end - at >= minWrappedLines && isBase64(block.join('')) ? mark(block.join('\n'), ref) : block.join('\n'));
    at = end;
  }
  return kept.join('\n');
}

function wrappedEnd(lines: readonly string[], at: number): number {
  const length = lines[at]?.length ?? 0;
  let end = at + 1;
  if (length < 50 || !isBase64Line(lines[at])) return end;
  while (end < lines.length && lines[end]?.length === length && isBase64Line(lines[end])) end++;
  const last = lines[end];
  return last && last.length < length && isBase64Line(last) ? end + 1 : end;
}

const isBase64Line = (line: string | undefined): boolean =>
  line !== undefined && /^[A-Za-z0-9+/]{1,200}={0,2}\r?$/.test(line);

function mark(run: string, ref: string): string {
  const type = /^data:([^;]+);/.exec(run)?.[1];
  return `[removed: base64${type ? ` ${type}` : ''}, ${run.length} chars | expand ${ref}]`;
}
