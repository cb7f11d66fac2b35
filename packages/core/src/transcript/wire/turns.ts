/** Messages of other formats in one whose turns are strict, or that does not know a provider's own tools. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import type { FormatName, Message, OtherPart, Part, ReasoningPart, TextPart } from '../message.ts';
import { carriesResults, messageText } from '../text.ts';
import { originFormat } from './parts.ts';
import { asList, is } from './values.ts';

/** A system message that may not stand where it stands becomes this text of a user message; `originOf` knows it. */
export const systemNote = (text: string): string => `<system-note>\n${text}\n</system-note>`;

/** How a format with strict turns writes. */
export interface TurnFormat {
  readonly format: FormatName;
  /** The role of the model. */
  readonly model: string;
  /** The member that holds the parts. */
  readonly list: 'content' | 'parts';
  /** Told of every message before it is written. */
  begin?(message: Message): void;
  /** A message of the format itself, as it came. */
  own(message: Message): JsonObject;
  /** What holds the text of a system message that became the user's. */
  note(text: string): JsonValue;
  readonly foreign: ForeignParts;
  /** A part of another format's message that can stay what it is, as this format writes it; undefined for every other. */
  kept(part: Part, message: Message): readonly JsonValue[] | undefined;
  isResult(part: JsonObject): boolean;
  /** The last touch to the parts of a message that stands for messages of other formats. */
  seal?(parts: readonly JsonValue[]): readonly JsonValue[];
}

/** How a format writes what other formats brought. */
export interface ForeignParts {
  text(text: string): JsonValue;
  write(part: Exclude<Part, TextPart | ReasoningPart | OtherPart>): JsonValue;
}

/** A part of another format: nothing for what only its provider understands, and a text for what nobody else does. */
export function foreignPart(part: Part, { text, write }: ForeignParts): readonly JsonValue[] {
  if (part.type === 'text') return is.blank(part.text) ? [] : [text(part.text)];
  if (part.type === 'other') return [text(JSON.stringify(part.value))];
  return part.type === 'reasoning' || (part.type === 'toolCall' && part.server) ? [] : [write(part)];
}

/**
 * Messages that came from the format are written as they came. Of others, all results of a step stand together in one
 * message, before anything else; so does what the assistant said in one go; system messages become notes of the user.
 */
export function writeTurns(messages: readonly Message[], from: FormatName, turns: TurnFormat): readonly JsonObject[] {
  const { format, model, list, seal } = turns;
  const written: JsonObject[] = [];
  const partsOf = (message: JsonObject): readonly JsonValue[] =>
    typeof message[list] === 'string' ? [{ type: 'text', text: message[list] }] : asList(message[list]);
  const isResult = (part: JsonValue): boolean => isJsonObject(part) && turns.isResult(part);
  const sealed = (message: JsonObject): JsonObject => (seal ? { ...message, [list]: seal(partsOf(message)) } : message);
  // Users keep their messages: the host's are not theirs.
  const belong = (first: JsonObject, second: JsonObject): boolean =>
    first.role === second.role &&
    (first.role === model || [first, second].every((message) => partsOf(message).every(isResult)));

  const foreign = (message: Message): JsonObject | undefined => {
    if (message.role === 'system') {
      const text = messageText(message);
      return is.blank(text) ? undefined : { role: 'user', [list]: turns.note(systemNote(text)) };
    }
    const parts = message.parts.flatMap((part) => {
      const isUnspoken = message.role === 'assistant' && isMute(part);
      return turns.kept(part, message) ?? (isUnspoken ? [] : foreignPart(part, turns.foreign));
    });
    if (parts.length === 0) return undefined;
    const ordered = carriesResults(message)
      ? [...parts.filter(isResult), ...parts.filter((part) => !isResult(part))]
      : parts;
    return { role: message.role === 'assistant' ? model : 'user', [list]: ordered };
  };

  let isJoinable = false;
  for (const message of messages) {
    const isOwn = originFormat(message, from) === format;
    for (const piece of isOwn ? [message] : withClientToolsOnly(message)) {
      turns.begin?.(piece);
      const next = isOwn ? turns.own(piece) : foreign(piece);
      const last = written.at(-1);
      if (next && isOwn) written.push(next);
      else if (next && last && isJoinable && belong(last, next)) {
        written[written.length - 1] = sealed({ ...last, [list]: [...partsOf(last), ...partsOf(next)] });
      } else if (next) written.push(sealed(next));
    }
    isJoinable = !isOwn;
  }
  return written;
}

/** What an assistant shows to nobody: providers refuse it from one. */
export const isMute = (part: Part): boolean => part.type === 'image' || part.type === 'file' || part.type === 'other';

/**
 * A conversation whose every tool call is one of the client, as a format can carry that does not know the provider's
 * own tools: a message is cut behind each result inside it, and a call of the provider without a result is left out.
 */
export function withClientToolsOnly(message: Message): Message[] {
  if (!message.parts.some((part) => 'server' in part && part.server)) return [message];
  const answered = new Set(message.parts.flatMap((part) => (part.type === 'toolResult' ? [part.callId] : [])));
  const pieces: Message[] = [];
  let parts: Part[] = [];
  const cut = (): void => {
    if (parts.length > 0) pieces.push({ ...message, parts });
    parts = [];
  };
  for (const part of message.parts) {
    if (part.type === 'toolResult') {
      cut();
      const { server: _, ...result } = part;
      pieces.push({ role: 'tool', parts: [result], ...(message.time ? { time: message.time } : {}) });
    } else if (part.type === 'toolCall' && part.server) {
      const { server: _, ...call } = part;
      if (answered.has(part.callId)) parts.push(call);
    } else parts.push(part);
  }
  cut();
  return pieces;
}
