/** Messages into items of the OpenAI Responses API. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import type { FormatName, Message, Part, ReasoningPart, ToolResultPart } from '../../message.ts';
import { messageText } from '../../text.ts';
import {
  asList,
  asObject,
  asText,
  fieldsOf,
  hintsOf,
  isBlank,
  isList,
  isSameFamily,
  originFormat,
  withClientToolsOnly,
} from '../values.ts';
import { writeCallItem, writeOutputItem, writePiece, writeServerItem } from './items.ts';

const format = 'openai-responses';

/** The places where the Responses API keeps what was said. */
export interface ResponsesItems {
  /** Set when the list was read from a request with instructions. */
  readonly instructions?: string;
  readonly items: readonly JsonValue[];
  /** How many of the items stood in the first of two lists; all when there was one. */
  readonly border: number;
}

/**
 * Items of a list. Messages that came from this format (`from`, or their own `extra`) are written as they came. Of
 * others: each text, call and result becomes an item, results first; tools that a provider ran become ordinary calls;
 * reasoning and empty texts are left out. Missing results stay missing.
 */
export function toOpenAiResponses(messages: readonly Message[], from: FormatName = format): ResponsesItems {
  const [first, ...rest] = messages;
  const isField = first !== undefined && hintsOf(first.extra, format).field === 'instructions';
  const answers = new Map<string, string>();
  const items: JsonValue[] = [];
  let border: number | undefined;
  for (const message of isField ? rest : messages) {
    if (border === undefined && hintsOf(message.extra, format).isBehind === true) border = items.length;
    const isOwn = originFormat(message, from) === format;
    for (const piece of isOwn ? [message] : withClientToolsOnly(message)) {
      items.push(
        ...(piece.role === 'assistant' ? writeSpoken(piece, from, answers) : writeGiven(piece, from, answers)),
      );
    }
  }
  const instructions = isField ? { instructions: messageText(first) } : {};
  return { ...instructions, items, border: border ?? items.length };
}

/** The items of an assistant message: pieces of content that belong together are one message item. */
function writeSpoken(message: Message, from: FormatName, answers: Map<string, string>): readonly JsonValue[] {
  const items: JsonValue[] = [];
  let pieces: JsonValue[] | undefined;
  for (const part of message.parts) {
    const isOwn = originFormat(part, from) === format;
    if (!isOwn && (isForeignOnly(part) || (part.type === 'text' && isBlank(part.text)))) continue;
    if (!standsInContent(part)) {
      pieces = undefined;
      items.push(...writeSpokenItem(part, message, { from, answers }));
      continue;
    }
    const piece = writePiece(part, 'output_text', isOwn);
    const { message: about } = hintsOf(part.extra, format);
    if (pieces && !isJsonObject(about)) {
      pieces.push(piece);
      continue;
    }
    pieces = [piece];
    items.push(messageItem(pieces, part, isJsonObject(about) ? about : {}));
  }
  return items;
}

/** Parts that say nothing to this provider when another one made them; an assistant shows no attachments either. */
const isForeignOnly = (part: Part): boolean => part.type === 'image' || part.type === 'file' || part.type === 'other';

function messageItem(pieces: JsonValue[], part: Part, about: JsonObject): JsonObject {
  const isString = about.string === true && part.type === 'text';
  return {
    ...(about.untyped === true ? {} : { type: 'message' }),
    role: 'assistant',
    content: isString ? part.text : pieces,
    ...(isJsonObject(about.fields) ? about.fields : {}),
  };
}

interface SpokenContext {
  readonly from: FormatName;
  readonly answers: Map<string, string>;
}

function writeSpokenItem(part: Part, message: Message, { from, answers }: SpokenContext): readonly JsonValue[] {
  const isOwn = originFormat(part, from) === format;
  switch (part.type) {
    case 'reasoning':
      return isSameFamily(originFormat(part, from), format) ? [writeReasoning(part)] : [];
    case 'toolCall': {
      if (part.server && hintsOf(part.extra, format).type !== undefined) {
        return [writeServerItem(part, resultOf(message, part.callId))];
      }
      const { item, answer } = writeCallItem(part, isOwn);
      answers.set(part.callId, answer);
      return [item];
    }
    case 'other':
      return [part.value];
    case 'toolResult':
    case 'text':
    case 'image':
    case 'file':
      // The result of a server's tool is written with its call.
      return [];
  }
}

const resultOf = (message: Message, callId: string): ToolResultPart | undefined =>
  message.parts.filter((part) => part.type === 'toolResult').find((part) => part.callId === callId);

function writeReasoning(part: ReasoningPart): JsonObject {
  const { raw } = hintsOf(part.extra, format);
  const isUnchanged = isJsonObject(raw) && readableReasoning(raw.summary, raw.content) === part.text;
  return {
    type: 'reasoning',
    ...(isUnchanged ? raw : { summary: summaryOf(part.text) }),
    ...(part.encrypted === undefined ? {} : { encrypted_content: part.encrypted }),
    ...fieldsOf(part.extra, format),
  };
}

/** The items of what the model was given: outputs, then the rest as one message. */
function writeGiven(message: Message, from: FormatName, answers: ReadonlyMap<string, string>): readonly JsonValue[] {
  const isOwn = originFormat(message, from) === format;
  const results = message.parts.filter((part) => part.type === 'toolResult');
  const rest = message.parts.filter((part) => part.type !== 'toolResult');
  const outputs = results.map((part) =>
    writeOutputItem(part, answers.get(part.callId), originFormat(part, from) === format),
  );
  if (results.length > 0 && rest.length === 0) return outputs;
  if (isOwn && message.role === 'tool')
    return [...outputs, ...rest.flatMap((part) => (part.type === 'other' ? [part.value] : []))];
  const item = givenItem(message, rest, { from, isOwn });
  return item ? [...outputs, item] : outputs;
}

interface GivenContext {
  readonly from: FormatName;
  readonly isOwn: boolean;
}

function givenItem(message: Message, parts: readonly Part[], { from, isOwn }: GivenContext): JsonObject | undefined {
  const hints = hintsOf(message.extra, format);
  const pieces = parts.flatMap((part) => {
    const isOwnPart = originFormat(part, from) === format;
    if (part.type === 'reasoning' || part.type === 'toolCall') return [];
    return !isOwnPart && part.type === 'text' && isBlank(part.text) ? [] : [writePiece(part, 'input_text', isOwnPart)];
  });
  if (!isOwn && pieces.length === 0) return undefined;
  const [first] = parts;
  let content: JsonValue | undefined = pieces;
  if (hints.content === 'string' && pieces.length <= 1 && (!first || first.type === 'text')) {
    content = first?.type === 'text' ? first.text : '';
  } else if (pieces.length === 0 && hints.content === 'absent') content = undefined;
  else if (pieces.length === 0 && hints.content === 'value') content = hints.value ?? null;
  const role = message.role === 'tool' ? 'user' : message.role;
  return {
    ...(hints.untyped === true ? {} : { type: 'message' }),
    role: asText(hints.role) ?? role,
    ...(content === undefined ? {} : { content }),
    ...fieldsOf(message.extra, format),
  };
}

/** True for a part that is a piece of a message item, not an item of its own. */
export function standsInContent(part: Part): boolean {
  if (part.type === 'other') return asObject(asObject(part.extra?.fields)['#']).in === 'content';
  return part.type === 'text' || part.type === 'image' || part.type === 'file';
}

/** What can be read of a reasoning item. */
export function readableReasoning(summary: JsonValue | undefined, content: JsonValue | undefined): string {
  const pieces = isList(content) && content.length > 0 ? content : asList(summary);
  return pieces.flatMap((piece) => asText(asObject(piece).text) ?? []).join('\n\n');
}

/** The summary that stands for a text when nothing else is known. */
export const summaryOf = (text: string): readonly JsonValue[] => (text === '' ? [] : [{ type: 'summary_text', text }]);
