/** What the two formats of providers share: content that is a text or a list of parts. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import type { Turn } from '../turn.ts';
import { type Clip, type Piece, pieceBreak } from './entry.ts';

const isList = (value: JsonValue | undefined): value is readonly JsonValue[] => Array.isArray(value);

/** What can be read of a content; bytes of pictures and files are no text. */
export function contentText(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content;
  return isList(content) ? content.map(partText).filter(Boolean).join('\n') : '';
}

function partText(part: JsonValue): string {
  if (typeof part === 'string') return part;
  if (!isJsonObject(part)) return '';
  for (const name of ['text', 'refusal', 'thinking']) {
    const text = part[name];
    if (typeof text === 'string') return text;
  }
  if (part.type === 'tool_use') return callText(part.name, part.input);
  if (part.type === 'tool_result') return contentText(part.content);
  return typeof part.type === 'string' ? `[${part.type}]` : '';
}

/** A call as it is counted: its name and its arguments. */
export const callText = (name: JsonValue | undefined, input: JsonValue | undefined): string =>
  `${typeof name === 'string' ? name : ''} ${typeof input === 'string' ? input : JSON.stringify(input ?? {})}`;

/** The content of a turn of several pieces: a text where all of them are texts, else a list of parts. */
export function joinContent(pieces: readonly Piece[]): JsonValue {
  const contents = pieces.map((piece) => (typeof piece === 'string' ? piece : contentOf(piece)));
  if (contents.every((content) => typeof content === 'string')) return contents.join(pieceBreak);
  return contents.flatMap((content) => (isList(content) ? content : [{ type: 'text', text: content }]));
}

/** The content of a turn with a text behind it. */
export const appendedContent = (turn: Turn, text: string): JsonValue => joinContent([turn, text]);

/** A human turn of these pieces, with the fields of the turn that is in it. */
export function userMessage(pieces: readonly Piece[]): JsonObject {
  const turn = pieces.find((piece): piece is Turn => typeof piece !== 'string');
  const fields = isJsonObject(turn?.value) ? turn.value : { role: 'user' };
  return { ...fields, content: joinContent(pieces) };
}

function contentOf({ value, field }: Turn): JsonValue {
  if (field !== undefined || !isJsonObject(value)) return value;
  return value.content ?? '';
}

/** Shortens the texts of a message; where it brings results of tools, those alone. */
export function clipMessage(value: JsonValue): Clip | undefined {
  if (!isJsonObject(value) || contentText(value.content) === '') return undefined;
  const { content = null } = value;
  if (!isList(content) || !content.some(isResult))
    return (shorten) => ({ ...value, content: clippedContent(content, shorten) });
  return (shorten) => ({
    ...value,
    content: content.map((part) => (isResult(part) ? clippedPart(part, shorten) : part)),
  });
}

const isResult = (part: JsonValue): boolean => isJsonObject(part) && part.type === 'tool_result';

function clippedContent(content: JsonValue, shorten: (text: string) => string): JsonValue {
  if (typeof content === 'string') return shorten(content);
  return isList(content) ? content.map((part) => clippedPart(part, shorten)) : content;
}

function clippedPart(part: JsonValue, shorten: (text: string) => string): JsonValue {
  if (!isJsonObject(part)) return part;
  if (part.type === 'tool_result') return { ...part, content: clippedContent(part.content ?? '', shorten) };
  return part.type === 'text' && typeof part.text === 'string' ? { ...part, text: shorten(part.text) } : part;
}
