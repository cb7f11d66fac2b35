/** The mark that a breakpoint is on the wire, and how a copy is made without those that are there. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import type { CacheTtl } from './breakpoints.ts';

/** The mark of Anthropic, which routers take too. Five minutes are what it means without a `ttl`. */
export function cacheMark(ttl: CacheTtl): JsonObject {
  return ttl === '5m' ? { type: 'ephemeral' } : { type: 'ephemeral', ttl };
}

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

/** What stands under these keys was written by a model or a tool, and may hold anything. */
const dataKeys: ReadonlySet<string> = new Set(['input', 'input_schema', 'parameters', 'arguments']);

/** The same without marks, at any depth; the very value where there is none. */
export function unmarked(value: JsonObject): JsonObject;
export function unmarked(value: JsonValue): JsonValue;
export function unmarked(value: JsonValue): JsonValue {
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

/** True for a text that a provider refuses to cache because there is nothing in it. */
export const isBlankText = (part: JsonObject): boolean =>
  part.type === 'text' && (typeof part.text !== 'string' || part.text.trim() === '');

/** The content with the mark on one of its parts; a plain text becomes the one part that it is. */
export function markedContent(content: JsonValue | undefined, at: number, mark: JsonObject): JsonValue {
  if (typeof content === 'string') return [{ type: 'text', text: content, cache_control: mark }];
  if (!Array.isArray(content)) return content ?? null;
  return content.map((part: JsonValue, index) =>
    index === at && isJsonObject(part) ? { ...part, cache_control: mark } : part,
  );
}
