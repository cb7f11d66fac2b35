/**
 * Messages without the credentials that stand in them, for everything that is written about a conversation: facts,
 * handoffs, stubs, prompts. The messages themselves are never changed, so `expand` still gives them byte for byte.
 */
import { redactJsonText, redactValue } from '../redaction/json.ts';
import { redact, redactPiece } from '../redaction/redact.ts';
import type { Message, Part, ResultContent } from './message.ts';
import { readableText } from './text.ts';

const messages = new WeakMap<Message, Message>();
const parts = new WeakMap<Part, Part>();

/**
 * The message with every recognised credential masked; the same object when there is none. Texts, reasoning, arguments
 * (JSON stays JSON) and results are covered; base64 data, signatures and what only the format knows (`extra`) stay.
 */
export function redactedMessage(message: Message): Message {
  const known = messages.get(message);
  if (known) return known;
  const clean = sameOr(message.parts, redactedPart);
  const redacted = clean === message.parts ? message : { ...message, parts: clean };
  messages.set(message, redacted);
  return redacted;
}

/** The same for one part. */
export function redactedPart<P extends Part>(part: P): P;
export function redactedPart(part: Part): Part {
  const known = parts.get(part);
  if (known) return known;
  const redacted = cleanPart(part);
  parts.set(part, redacted);
  return redacted;
}

function cleanPart(part: Part): Part {
  switch (part.type) {
    case 'text':
    case 'reasoning': {
      const text = redact(part.text);
      return text === part.text ? part : { ...part, text };
    }
    case 'toolCall': {
      const input = part.inputType === 'json' ? redactJsonText(part.input) : redact(part.input);
      return input === part.input ? part : { ...part, input };
    }
    case 'toolResult': {
      const content = sameOr(part.content, (one: ResultContent) => redactedPart(one));
      return content === part.content ? part : { ...part, content };
    }
    case 'image':
    case 'file':
      return cleanAttachment(part);
    case 'other': {
      const value = redactValue(part.value);
      return value === part.value ? part : { ...part, value };
    }
  }
}

type Attachment = Extract<Part, { type: 'image' | 'file' }>;

/** Addresses may be signed, and names and texts may hold anything; the bytes are left alone. */
function cleanAttachment(part: Attachment): Attachment {
  const fields: { url?: string; text?: string; name?: string } = {};
  if (part.url !== undefined && !part.url.startsWith('data:')) fields.url = redact(part.url);
  if (part.type === 'file' && part.text !== undefined) fields.text = redact(part.text);
  if (part.type === 'file' && part.name !== undefined) fields.name = redact(part.name);
  const isSame = Object.entries(fields).every(([key, value]) => Reflect.get(part, key) === value);
  return isSame ? part : { ...part, ...fields };
}

/** The list with each element changed; the same list when none is. */
function sameOr<T>(list: readonly T[], change: (one: T) => T): readonly T[] {
  let changed = false;
  const next = list.map((one) => {
    const other = change(one);
    if (other !== one) changed = true;
    return other;
  });
  return changed ? next : list;
}

// The readable text of a message without its credentials, a piece at a time. A short text is masked whole and then cut; of a long one only the piece is masked, so that a message of 50 MB costs no more than what is shown of it.

/** Texts up to this length are masked whole, in a few milliseconds. */
export const longestMaskedWhole = 200_000;

/** A piece of a text. Its characters count as in the masked text, but in long texts as in the text itself. */
export interface ShownPiece {
  readonly text: string;
  readonly from: number;
  /** Where the next piece begins: further than the text is long where a mask is shorter than what it stands for. */
  readonly to: number;
  /** Of the whole text. */
  readonly characters: number;
}

/** Characters from `from` on, at most `max`, but never a part of a credential or of a character. */
export function cleanPiece(
  message: Message,
  { from, max }: { readonly from: number; readonly max: number },
): ShownPiece {
  const segments = segmentsOf(message);
  const characters = segments.at(-1)?.end ?? 0;
  const start = onCharacter(segments, Math.min(Math.max(0, from), characters));
  const wanted = onCharacter(segments, start + Math.max(0, max));
  const pieces: string[] = [];
  let to = start;
  for (const segment of segments) {
    if (segment.end <= to || segment.start >= Math.max(wanted, to)) continue;
    const piece = pieceOf(segment, to - segment.start, wanted - segment.start);
    pieces.push(piece.text);
    to = segment.start + piece.end;
  }
  return { text: pieces.join(''), from: start, to, characters };
}

/** A stretch of the text: as it is where it is long, else masked already. */
interface Segment {
  readonly text: string;
  readonly isClean: boolean;
  readonly start: number;
  readonly end: number;
}

function pieceOf(
  { text, isClean }: Segment,
  from: number,
  to: number,
): { readonly text: string; readonly end: number } {
  const end = Math.min(text.length, to);
  return isClean ? { text: text.slice(from, end), end } : redactPiece(text, { start: from, end });
}

/** The parts of a message, and the line breaks between them. */
function segmentsOf(message: Message): readonly Segment[] {
  const segments: Segment[] = [];
  const add = (text: string, isClean: boolean): void => {
    const start = segments.at(-1)?.end ?? 0;
    if (text !== '') segments.push({ text, isClean, start, end: start + text.length });
  };
  for (const [i, piece] of message.parts.flatMap(plainPieces).entries()) {
    if (i > 0) add('\n', true);
    add(piece.text, piece.isClean);
  }
  return segments;
}

type Piece = Pick<Segment, 'text' | 'isClean'>;

/** What `readableText` gives of a part, without empty ones. */
function plainPieces(part: Part): readonly Piece[] {
  const text = readableOf(part);
  if (text === '') return [];
  if (text.length <= longestMaskedWhole) return [{ text: readableOf(redactedPart(part)), isClean: true }];
  if (part.type === 'text' || part.type === 'reasoning') return [{ text, isClean: false }];
  if (part.type === 'file' && part.text !== undefined) return [{ text, isClean: false }];
  if (part.type === 'toolResult') {
    const [only] = part.content;
    return part.content.length === 1 && only ? plainPieces(only) : part.content.flatMap(contentPieces);
  }
  // What JSON hides behind escapes is found in its strings only.
  return [{ text: readableOf(redactedPart(part)), isClean: true }];
}

/** Of several contents the empty ones count too: each has its line. */
function contentPieces(content: Part): readonly Piece[] {
  const pieces = plainPieces(content);
  return pieces.length > 0 ? pieces : [{ text: '', isClean: true }];
}

const readableOf = (part: Part): string => readableText({ role: 'user', parts: [part] });

/** A place between two characters: not inside one above U+FFFF. */
function onCharacter(segments: readonly Segment[], at: number): number {
  const segment = segments.find(({ start, end }) => at >= start && at < end);
  const code = segment?.text.charCodeAt(at - segment.start) ?? 0;
  return code >= 0xdc00 && code < 0xe000 ? at + 1 : at;
}
