/** Breakpoints on messages as OpenAI's Chat Completions has them, for routers that pass them on to Anthropic. */

import { PalimpsestError } from '../../shared/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import { checkKnownOptions } from '../../shared/options/known-options.ts';
import { describe } from '../../shared/options/schema.ts';
import { breakpointDefaults, type CacheTarget } from './breakpoints.ts';
import { type CacheRow, layOut } from './layout.ts';
import { cacheMark, isBlankText, type MarkedMessage, markedContent, unmarked } from './mark.ts';
import type { MarkOptions } from './mark-anthropic.ts';

/** How messages of Chat Completions are marked. */
export interface MarkCompletionsOptions extends MarkOptions {
  /**
   * Who takes the messages. `anthropic` is a program that makes native requests of them: it is told on the message
   * where there is no content to tell it on, and for tool messages. @default 'openrouter'
   */
  readonly target?: CacheTarget;
}

/**
 * A copy of the messages with breakpoints, at most four, in place of those they have. Marking twice gives the same. They
 * keep their own types, such as `ChatCompletionMessageParam` of OpenAI's SDK: a plain text may become a list of one part.
 *
 * @throws BAD_OPTION, and BAD_MESSAGES for what is no list of objects
 *
 * @example
 * import { markCompletions } from '@palimpsest/core';
 * const marked = markCompletions([{ role: 'user', content: 'Move the ledgers.' }], { ttl: '1h' });
 */
export function markCompletions<One extends object>(
  messages: readonly One[],
  options: MarkCompletionsOptions = {},
): MarkedMessage<One>[] {
  checkKnownOptions('markCompletions', options, { ttl: true, layout: true, target: true });
  const list: unknown = messages;
  if (!Array.isArray(list) || !list.every(isJsonObject)) {
    const came = Array.isArray(list) ? 'a list with something else in it' : describe(list);
    throw new PalimpsestError('BAD_MESSAGES', `expected a list of messages of Chat Completions, got ${came}`);
  }
  // Only texts under `content` change their type, as `MarkedMessage` says.
  return markedList(list, options) as readonly object[] as MarkedMessage<One>[];
}

function markedList(
  messages: readonly JsonObject[],
  { ttl = '5m', layout = breakpointDefaults.layout, target = 'openrouter' }: MarkCompletionsOptions,
): readonly JsonObject[] {
  const list = messages.map((message) => unmarked(message));
  const places = list.map((message) => placeIn(message, target));
  const rows = list.map((message, at) => ({ role: roleOf(message), canCarry: places[at] !== undefined }));
  const chosen = new Set(layOut(rows, layout));
  const mark = cacheMark(ttl);
  return list.map((message, at) => (chosen.has(at) ? withMark(message, places[at], mark) : message));
}

/** Where a mark stands: on the message, or on a part of its content. */
type Place = 'message' | number | undefined;

function placeIn(message: JsonObject, target: CacheTarget): Place {
  const { role, content } = message;
  const isNative = target === 'anthropic';
  const isResult = role === 'tool' || role === 'function';
  if (isResult && isNative) return 'message';
  if (isResult && target === 'litellm') return undefined;
  const part = carrierIn(content, isNative);
  if (part !== -1) return part;
  return isNative && isEmpty(content) ? 'message' : undefined;
}

/** Routers know marks on texts only (OpenRouter: "inserted into the text part of a multipart message"). */
function carrierIn(content: JsonValue | undefined, isNative: boolean): number {
  if (typeof content === 'string') return content.trim() === '' ? -1 : 0;
  if (!Array.isArray(content)) return -1;
  const canCarry = (part: JsonObject): boolean => (isNative || part.type === 'text') && !isBlankText(part);
  return content.findLastIndex((part: JsonValue) => isJsonObject(part) && canCarry(part));
}

const isEmpty = (content: JsonValue | undefined): boolean =>
  content === undefined || content === null || content === '' || (Array.isArray(content) && content.length === 0);

function withMark(message: JsonObject, place: Place, mark: JsonObject): JsonObject {
  if (place === undefined) return message;
  if (place === 'message') return { ...message, cache_control: mark };
  return { ...message, content: markedContent(message.content, place, mark) };
}

function roleOf({ role }: JsonObject): CacheRow['role'] {
  switch (role) {
    case 'system':
    case 'developer':
      return 'system';
    case 'assistant':
      return 'assistant';
    case 'tool':
    case 'function':
      return 'tool';
    default:
      return 'user';
  }
}
