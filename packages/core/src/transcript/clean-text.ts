/**
 * The readable text of a message without its credentials, a piece at a time. A short text is masked whole and then cut;
 * of a long one only the piece is masked, so that a message of 50 MB costs no more than what is shown of it.
 */
import { redactPiece } from '../redaction/redact.ts';
import type { Message, Part } from './message.ts';
import { redactedPart } from './redact.ts';
import { readableText } from './text.ts';

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
