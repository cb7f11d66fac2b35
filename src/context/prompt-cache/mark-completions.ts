/** Breakpoints on messages as OpenAI's Chat Completions has them, for routers that pass them on to Anthropic. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import { breakpointDefaults, type CacheTarget } from './breakpoints.ts';
import { type CacheRow, layOut } from './layout.ts';
import { cacheMark, isBlankText, markedContent, unmarked } from './mark.ts';
import type { MarkOptions } from './mark-anthropic.ts';

/** How messages of Chat Completions are marked. */
export interface MarkCompletionsOptions extends MarkOptions {
  /**
   * Who takes the messages. `anthropic` is a program that makes native requests of them: it is told on the message
   * where there is no content to tell it on, and for tool messages. @default 'openrouter'
   */
  readonly target?: CacheTarget;
}

/** A copy of the messages with breakpoints, at most four, in place of those they have. Marking twice gives the same. */
export function markCompletions(
  messages: readonly JsonObject[],
  options: MarkCompletionsOptions = {},
): readonly JsonObject[] {
  const { ttl = '5m', layout = breakpointDefaults.layout, target = 'openrouter' } = options;
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
