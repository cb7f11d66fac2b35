/** Breakpoints on requests as they go over the wire: copies with marks in place of those that are there. */
import { PalimpsestError } from '../../shared/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import { checkKnownOptions } from '../../shared/options/known-options.ts';
import { describe } from '../../shared/options/schema.ts';
import {
  breakpointDefaults,
  type CacheOptions,
  type CacheRole,
  type CacheTarget,
  type CacheTtl,
  layOut,
  type RowReader,
} from './breakpoints.ts';

/** A text that carries a mark: what a plain text becomes that a breakpoint stands on. */
export interface MarkedText {
  readonly type: 'text';
  readonly text: string;
  readonly cache_control: { readonly type: 'ephemeral'; readonly ttl?: CacheTtl };
}

/** The type of a content that may be marked: where a plain text can stand, the one part that it becomes can too. */
export type MarkedContent<Content> = Content extends string ? Content | MarkedText[] : Content;

/** The type of a message whose content may be marked. OpenAI's deprecated `function` messages have no type for parts. */
export type MarkedMessage<One> = One extends { readonly role: 'function' }
  ? One
  : { [Key in keyof One]: Key extends 'content' ? MarkedContent<One[Key]> : One[Key] };

/** The request that was given, with its own types: a plain text in it may have become a list of one part. */
export type MarkedRequest<Body> = {
  [Key in keyof Body]: Key extends 'system'
    ? MarkedContent<Body[Key]>
    : Key extends 'messages'
      ? MarkedList<Body[Key]>
      : Body[Key];
};

type MarkedList<List> = List extends readonly unknown[] ? { [At in keyof List]: MarkedMessage<List[At]> } : List;

/**
 * A copy of a Messages request with breakpoints, at most four. Those that the request has, on tools too, are taken off:
 * the limit is on all of them together. Marking it twice gives the same request.
 *
 * @param body a request, such as `MessageCreateParams` of Anthropic's SDK, or the `system` and `messages` of one; what is
 *   neither stays as it is
 * @throws BAD_OPTION, and BAD_MESSAGES for what is no object
 *
 * @example
 * import { markAnthropic } from '@palimpsest/core';
 * const request = markAnthropic({
 *   system: 'You move ledgers.',
 *   messages: [{ role: 'user', content: 'Move the ledgers.' }],
 * });
 */
export function markAnthropic<Body extends object>(
  body: Body,
  options: Pick<CacheOptions, 'ttl' | 'layout'> = {},
): MarkedRequest<Body> {
  checkKnownOptions('markAnthropic', options, { ttl: true, layout: true });
  // The types of SDKs are interfaces, without an index signature; what is read of them is tested where it is read.
  const request: unknown = body;
  if (!isJsonObject(request)) {
    const message = `expected a request of Anthropic's Messages as an object, got ${describe(request)}: for messages alone give { messages }`;
    throw new PalimpsestError('BAD_MESSAGES', message);
  }
  const clean = unmarked(request);
  const { system, messages } = clean;
  const list: readonly JsonValue[] = Array.isArray(messages) ? messages : [];
  const [opening, ...others] = marked([{ role: 'system', content: system ?? null }, ...list], nativeForm, options);
  const copy = {
    ...clean,
    ...(system !== undefined && isJsonObject(opening) ? { system: opening.content } : {}),
    ...(Array.isArray(messages) ? { messages: others } : {}),
  };
  // Only texts under `system` and `content` change their type, as `MarkedRequest` says.
  return copy as object as MarkedRequest<Body>;
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
  options: CacheOptions = {},
): MarkedMessage<One>[] {
  checkKnownOptions('markCompletions', options, { ttl: true, layout: true, target: true });
  const list: unknown = messages;
  if (!Array.isArray(list) || !list.every(isJsonObject)) {
    const came = Array.isArray(list) ? 'a list with something else in it' : describe(list);
    throw new PalimpsestError('BAD_MESSAGES', `expected a list of messages of Chat Completions, got ${came}`);
  }
  const form = completionsForm(options.target ?? 'openrouter');
  // Only texts under `content` change their type, as `MarkedMessage` says.
  return marked(
    list.map((message) => unmarked(message)),
    form,
    options,
  ) as readonly object[] as MarkedMessage<One>[];
}

/** Where a mark stands: on the message, or on a part of its content; nowhere. */
type Place = 'message' | number | undefined;

/** How a form of messages takes marks. */
interface MarkForm {
  readonly roleOf: (message: JsonObject) => CacheRole;
  readonly placeIn: (message: JsonObject) => Place;
}

/** The messages with marks where the layout has breakpoints. */
function marked(
  list: readonly JsonValue[],
  { roleOf, placeIn }: MarkForm,
  { ttl = '5m', layout = breakpointDefaults.layout }: Pick<CacheOptions, 'ttl' | 'layout'>,
): readonly JsonValue[] {
  const places = list.map((message) => (isJsonObject(message) ? placeIn(message) : undefined));
  const reader: RowReader<number> = {
    roleOf: (at) => (isJsonObject(list[at]) ? roleOf(list[at]) : 'user'),
    canCarry: (at) => places[at] !== undefined,
  };
  const chosen = new Set(layOut([...list.keys()], reader, layout));
  const mark = cacheMark(ttl);
  return list.map((message, at) => {
    const place = chosen.has(at) ? places[at] : undefined;
    if (place === undefined || !isJsonObject(message)) return message;
    if (place === 'message') return { ...message, cache_control: mark };
    return { ...message, content: markedContent(message.content, place, mark) };
  });
}

/** The mark of Anthropic, which routers take too. Five minutes are what it means without a `ttl`. */
export const cacheMark = (ttl: CacheTtl): { readonly type: 'ephemeral'; readonly ttl?: CacheTtl } =>
  ttl === '5m' ? { type: 'ephemeral' } : { type: 'ephemeral', ttl };

const uncacheable: ReadonlySet<unknown> = new Set(['thinking', 'redacted_thinking']);

const nativeForm: MarkForm = {
  roleOf({ role, content }) {
    if (role === 'assistant' || role === 'system') return role;
    const parts: readonly JsonValue[] = Array.isArray(content) ? content : [];
    return parts.some((part) => isJsonObject(part) && part.type === 'tool_result') ? 'tool' : 'user';
  },
  placeIn: ({ content }) => carrierIn(content, ({ type }) => !uncacheable.has(type)),
};

const completionsRoles: Readonly<Record<string, CacheRole>> = {
  system: 'system',
  developer: 'system',
  assistant: 'assistant',
  tool: 'tool',
  function: 'tool',
};

const completionsForm = (target: CacheTarget): MarkForm => ({
  roleOf: ({ role }) => completionsRoles[String(role)] ?? 'user',
  placeIn({ role, content }) {
    const isNative = target === 'anthropic';
    const isResult = role === 'tool' || role === 'function';
    if (isResult && isNative) return 'message';
    if (isResult && target === 'litellm') return undefined;
    // Routers know marks on texts only (OpenRouter: "inserted into the text part of a multipart message").
    const part = carrierIn(content, ({ type }) => isNative || type === 'text');
    return part ?? (isNative && isEmpty(content) ? 'message' : undefined);
  },
});

const isEmpty = (content: JsonValue | undefined): boolean =>
  content === undefined || content === null || content === '' || (Array.isArray(content) && content.length === 0);

/** The last part that can carry a mark; 0 for a plain text. */
function carrierIn(content: JsonValue | undefined, accepts: (part: JsonObject) => boolean): number | undefined {
  if (typeof content === 'string') return content.trim() === '' ? undefined : 0;
  if (!Array.isArray(content)) return undefined;
  const at = content.findLastIndex((part: JsonValue) => isJsonObject(part) && accepts(part) && !isBlankText(part));
  return at < 0 ? undefined : at;
}

/** True for a text that a provider refuses to cache because there is nothing in it. */
const isBlankText = (part: JsonObject): boolean =>
  part.type === 'text' && (typeof part.text !== 'string' || part.text.trim() === '');

/** What stands under these keys was written by a model or a tool, and may hold anything. */
const dataKeys: ReadonlySet<string> = new Set(['input', 'input_schema', 'parameters', 'arguments']);

/** The same without marks, at any depth; the very value where there is none. */
function unmarked(value: JsonObject): JsonObject;
function unmarked(value: JsonValue): JsonValue;
function unmarked(value: JsonValue): JsonValue {
  if (Array.isArray(value)) {
    const clean = value.map((one: JsonValue) => unmarked(one));
    return clean.every((one, at) => one === value[at]) ? value : clean;
  }
  if (!isJsonObject(value)) return value;
  let isSame = true;
  const clean: [string, JsonValue][] = [];
  for (const [key, one] of Object.entries(value)) {
    const inner = dataKeys.has(key) ? one : unmarked(one);
    const isMark = key === 'cache_control';
    isSame &&= inner === one && !isMark;
    if (!isMark) clean.push([key, inner]);
  }
  return isSame ? value : Object.fromEntries(clean);
}

/** The content with the mark on one of its parts; a plain text becomes the one part that it is. */
function markedContent(content: JsonValue | undefined, at: number, mark: JsonObject): JsonValue {
  if (typeof content === 'string') return [{ type: 'text', text: content, cache_control: mark }];
  if (!Array.isArray(content)) return content ?? null;
  return content.map((part: JsonValue, index) =>
    index === at && isJsonObject(part) ? { ...part, cache_control: mark } : part,
  );
}
