/** Where cached prefixes end in a list of messages, whatever form the messages are sent in. */
import { checkKnownOptions } from '../../shared/options/known-options.ts';
import { modelInfo } from '../../tokens/models.ts';
import type { Message, Part } from '../../transcript/message.ts';
import { carriesResults } from '../../transcript/text.ts';
import type { CacheLayout } from './layouts.ts';

/** Where a cached prefix ends: behind this part of this message. */
export interface Breakpoint {
  /** Index in the list. */
  readonly message: number;
  /** Index in its parts. */
  readonly part: number;
}

/**
 * Who reads the breakpoints, and so what can carry one.
 * `anthropic`: every part but reasoning and empty texts.
 * `openrouter`: texts and tool results, as parts of the content.
 * `litellm`: the same, but no tool results, which the router copies to where Anthropic refuses them.
 */
export type CacheTarget = 'anthropic' | 'openrouter' | 'litellm';

/** How long cached text is kept after its last use: five minutes, or an hour at a higher price. */
export type CacheTtl = '5m' | '1h';

/** How prompt-cache breakpoints are set; what of it a function looks at, its type says. */
export interface CacheOptions {
  /**
   * Who reads them. `anthropic` takes a mark on a message as well, where there is no content to put it on.
   * @default 'anthropic'; 'openrouter' for messages of Chat Completions; for a wrapped model whoever it is
   */
  readonly target?: CacheTarget;
  /** Where they stand. @default 'system_and_3' */
  readonly layout?: CacheLayout;
  /** How long cached text is kept. @default '5m' */
  readonly ttl?: CacheTtl;
}

/** What every function of this folder does unless it is told otherwise. */
export const breakpointDefaults = { layout: 'system_and_3', target: 'anthropic' } as const;

/**
 * At most four breakpoints, in order, each on a part that can carry one. Reads the list and changes nothing.
 *
 * @example
 * import { fromOpenAiChat, planBreakpoints } from '@palimpsest/core';
 * const messages = fromOpenAiChat([{ role: 'user', content: 'Move the ledgers.' }]);
 * planBreakpoints(messages); // [{ message: 0, part: 0 }]
 */
export function planBreakpoints(
  messages: readonly Message[],
  options: Pick<CacheOptions, 'layout' | 'target'> = {},
): readonly Breakpoint[] {
  checkKnownOptions('planBreakpoints', options, { layout: true, target: true });
  const { layout, target } = { ...breakpointDefaults, ...options };
  // Of a long list only the messages near the places are looked into.
  const carrier = (message: Message): number => message.parts.findLastIndex((part) => carries(part, target));
  const places = layOut(messages, { roleOf, canCarry: (message) => carrier(message) !== -1 }, layout);
  return places.map((at) => ({ message: at, part: messages[at] ? carrier(messages[at]) : 0 }));
}

function roleOf(message: Message): CacheRole {
  if (message.role === 'system' || message.role === 'assistant') return message.role;
  return message.role === 'tool' || carriesResults(message) ? 'tool' : 'user';
}

/** Thinking cannot be marked, and a text without a visible character makes Anthropic refuse the request. */
function carries(part: Part, target: CacheTarget): boolean {
  switch (part.type) {
    case 'text':
      return part.text.trim() !== '';
    case 'toolResult':
      return target === 'anthropic' || (target === 'openrouter' && part.content.some((one) => carries(one, target)));
    case 'toolCall':
    case 'image':
    case 'file':
      return target === 'anthropic';
    case 'reasoning':
    case 'other':
      return false;
  }
}

// Which messages of a request a breakpoint stands on. Knows nothing of a format: it asks of each message what it must know.

/** `tool`: it carries results, whatever its role is called in its format. */
export type CacheRole = 'system' | 'user' | 'assistant' | 'tool';

/** What breakpoints depend on; asked only of messages near the places. */
export interface RowReader<Row> {
  readonly roleOf: (row: Row) => CacheRole;
  /** False where its provider takes no breakpoint. */
  readonly canCarry: (row: Row) => boolean;
}

/** The most that Anthropic takes in one request (docs: Prompt caching, "up to 4 cache breakpoints"). */
const maxBreakpoints = 4;

/** Indexes of the rows that carry a breakpoint, rising, at most `maxBreakpoints`. */
export function layOut<Row>(rows: readonly Row[], reader: RowReader<Row>, layout: CacheLayout): readonly number[] {
  const start = rows.findIndex((row) => reader.roleOf(row) !== 'system');
  const end = start === -1 ? rows.length : start;
  const system = rows.slice(0, end).findLastIndex(reader.canCarry);
  const opening = system === -1 ? [] : [system];
  const most = maxBreakpoints - opening.length;
  const others = layout === 'turns' ? turnPlaces(rows, end, reader) : lastPlaces(rows, end, { ...reader, most });
  return [...opening, ...others];
}

/** The last rows that can carry one; system messages in the middle are none of them. */
function lastPlaces<Row>(
  rows: readonly Row[],
  from: number,
  { roleOf, canCarry, most }: RowReader<Row> & { readonly most: number },
): readonly number[] {
  const places: number[] = [];
  for (let at = rows.length - 1; at >= from && places.length < most; at--) {
    const row = rows[at];
    if (row !== undefined && roleOf(row) !== 'system' && canCarry(row)) places.unshift(at);
  }
  return places;
}

/**
 * Every answer stands behind the request that it answers: the request before this one ended before the newest answer.
 * A breakpoint that cannot stand where it should stands on the next message before it that can carry it.
 */
function turnPlaces<Row>(rows: readonly Row[], from: number, { roleOf, canCarry }: RowReader<Row>): readonly number[] {
  const turn = rows.findLastIndex((row) => roleOf(row) === 'user');
  const before = rows.findLastIndex((row) => roleOf(row) === 'assistant') - 1;
  const carrierBefore = (at: number): number => {
    let place = at;
    for (let row = rows[place]; place >= from && row !== undefined && !canCarry(row); row = rows[place]) place--;
    return place;
  };
  const wished = [turn, before, rows.length - 1].map(carrierBefore);
  return [...new Set(wished.filter((at) => at >= from))].sort((a, b) => a - b);
}

// Whether breakpoints are of use to a model, and who reads them.

/** A model and the way to it. */
export interface CachedModel {
  /** Its id, or `provider/id`. */
  readonly model: string;
  /** @default the one in `model`, or the one that the address tells */
  readonly provider?: string;
  readonly baseUrl?: string;
}

/**
 * Who reads the breakpoints of a model: set for Claude over the Anthropic API or OpenRouter, undefined for everything
 * else, because other providers cache without being asked or refuse the mark.
 *
 * @example
 * import { cacheTargetOf } from '@palimpsest/core';
 * cacheTargetOf({ model: 'anthropic/claude-sonnet-4-5' }); // 'anthropic'
 * cacheTargetOf({ model: 'openai/gpt-5' }); // undefined
 */
export function cacheTargetOf({ model, provider, baseUrl }: CachedModel): CacheTarget | undefined {
  if (!modelInfo(model)?.family.startsWith('claude')) return undefined;
  const host = baseUrl === undefined ? undefined : hostOf(baseUrl);
  if (host !== undefined) return byHost(host);
  const slash = model.indexOf('/');
  const name = (provider ?? (slash > 0 ? model.slice(0, slash) : 'anthropic')).toLowerCase();
  return name === 'anthropic' || name === 'openrouter' ? name : undefined;
}

function byHost(host: string): CacheTarget | undefined {
  if (isWithin(host, 'anthropic.com')) return 'anthropic';
  return isWithin(host, 'openrouter.ai') ? 'openrouter' : undefined;
}

const isWithin = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`);

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).hostname.toLowerCase() : '';
}
