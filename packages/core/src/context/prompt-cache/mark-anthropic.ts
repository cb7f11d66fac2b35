/** Breakpoints on a request as Anthropic takes it. */

import { PalimpsestError } from '../../shared/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import { checkKnownOptions } from '../../shared/options/known-options.ts';
import { describe } from '../../shared/options/schema.ts';
import { breakpointDefaults, type CacheTtl } from './breakpoints.ts';
import { type CacheLayout, type CacheRow, layOut } from './layout.ts';
import { cacheMark, isBlankText, type MarkedContent, type MarkedMessage, markedContent, unmarked } from './mark.ts';

/** How a request is marked. */
export interface MarkOptions {
  /** @default '5m' */
  readonly ttl?: CacheTtl;
  /** @default 'system_and_3' */
  readonly layout?: CacheLayout;
}

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
export function markAnthropic<Body extends object>(body: Body, options: MarkOptions = {}): MarkedRequest<Body> {
  checkKnownOptions('markAnthropic', options, { ttl: true, layout: true });
  // The types of SDKs are interfaces, without an index signature; what is read of them is tested where it is read.
  const request: unknown = body;
  if (!isJsonObject(request)) {
    const message = `expected a request of Anthropic's Messages as an object, got ${describe(request)}: for messages alone give { messages }`;
    throw new PalimpsestError('BAD_MESSAGES', message);
  }
  // Only texts under `system` and `content` change their type, as `MarkedRequest` says.
  return markedRequest(request, options) as object as MarkedRequest<Body>;
}

function markedRequest(body: JsonObject, { ttl = '5m', layout = breakpointDefaults.layout }: MarkOptions): JsonObject {
  const clean = unmarked(body);
  const { system, messages } = clean;
  const list: readonly JsonValue[] = Array.isArray(messages) ? messages : [];
  const carriers = [system, ...list.map(contentOf)].map((content) => carrierIn(content));
  const rows = [systemRole, ...list.map(roleOf)].map((role, at) => ({ role, canCarry: carriers[at] !== -1 }));
  const chosen = new Set(layOut(rows, layout));
  const mark = cacheMark(ttl);
  const at = (row: number): number => carriers[row] ?? -1;
  const marked = list.map((message, index) =>
    chosen.has(index + 1) && isJsonObject(message)
      ? { ...message, content: markedContent(message.content, at(index + 1), mark) }
      : message,
  );
  return {
    ...clean,
    ...(system !== undefined && chosen.has(0) ? { system: markedContent(system, at(0), mark) } : {}),
    ...(Array.isArray(messages) ? { messages: marked } : {}),
  };
}

const systemRole: CacheRow['role'] = 'system';

const contentOf = (message: JsonValue): JsonValue | undefined => (isJsonObject(message) ? message.content : undefined);

function roleOf(message: JsonValue): CacheRow['role'] {
  if (!isJsonObject(message)) return 'user';
  if (message.role === 'assistant' || message.role === 'system') return message.role;
  const { content } = message;
  const hasResults = Array.isArray(content) && content.some((part: JsonValue) => typeOf(part) === 'tool_result');
  return hasResults ? 'tool' : 'user';
}

const typeOf = (part: JsonValue): JsonValue | undefined => (isJsonObject(part) ? part.type : undefined);

const uncacheable: ReadonlySet<unknown> = new Set(['thinking', 'redacted_thinking']);

/** The last part that can carry a mark, -1 where there is none; 0 for a plain text. */
function carrierIn(content: JsonValue | undefined): number {
  if (typeof content === 'string') return content.trim() === '' ? -1 : 0;
  if (!Array.isArray(content)) return -1;
  return content.findLastIndex(
    (part: JsonValue) => isJsonObject(part) && !uncacheable.has(part.type) && !isBlankText(part),
  );
}
