/** Finds the messages of a context again in the body that they came from, so that those keep their bytes. */
import { isJsonObject } from '../../../shared/json.ts';
import { isSameMessage, type Message, messageHash, type Part } from '../../message.ts';
import { systemNote } from '../turns.ts';
import { isKept, isProof } from './check-spliced.ts';
import type { Body } from './read-body.ts';
import type { NextMessage } from './splice-body.ts';

/**
 * What `spliceBody` is to do so that the body says these messages: those of `readBody` or equal ones are kept, changed ones are
 * changed where they differ, and others are new. What a provider has signed is never changed, nor a result that loads a tool: such
 * a part stands as it came, also where it was shortened. A late system message that was made a note of the user stays what it was.
 *
 * @example
 * import { nextMessages, readBody, spliceBody } from '@palimpsest/core/wire';
 * const body = readBody('openai-chat', '{"model":"m","messages":[{"role":"user","content":"Hello"}]}');
 * spliceBody(body, nextMessages(body, body.messages)) === body.text; // true
 */
export function nextMessages(body: Body, messages: readonly Message[]): readonly NextMessage[] {
  const entries = entriesOf(body);
  const found = messages.map((message) => entries.equal(message));
  const parts = found.includes(undefined) ? partsOf(body) : undefined;
  const taken = new Set(found.filter((at) => at !== undefined));
  return messages.map((message, index): NextMessage => {
    const at = found[index];
    if (at !== undefined) return { type: 'kept', at };
    const base =
      parts && (baseByParts(body, message, { parts, taken }) ?? baseByPlace(body, message, { index, found, taken }));
    const entry = base === undefined ? undefined : body.entries[base];
    if (base === undefined || !entry) return { type: 'new', message };
    found[index] = base;
    taken.add(base);
    const whole = withSealed(entry.message, message);
    return isSameMessage(entry.message, whole)
      ? { type: 'kept', at: base }
      : { type: 'changed', at: base, message: whole };
  });
}

interface Entries {
  /** The entry with an equal message: the very one, else the next in order that nobody has taken. */
  equal(message: Message): number | undefined;
}

function entriesOf({ messages }: Body): Entries {
  const own = new Map(messages.map((message, at) => [message, at]));
  let byHash: Map<string, Places> | undefined;
  const taken = new Set<number>();
  let last = -1;
  return {
    equal(message) {
      if (!own.has(message)) byHash ??= placesOf(messages);
      const at = own.get(message) ?? equalIn(messages, message, byHash?.get(messageHash(message)));
      if (at === undefined) return undefined;
      taken.add(at);
      last = at;
      return at;
    },
  };

  function equalIn(list: readonly Message[], message: Message, places: Places | undefined): number | undefined {
    const at = places && placeBehind(places, { taken, last });
    const one = at === undefined ? undefined : list[at];
    return one && (isSameMessage(one, message) || isSameMessage(asNote(one), message)) ? at : undefined;
  }
}

/** The entries of one hash in their order, and how many of them are surely taken. */
interface Places {
  readonly list: number[];
  passed: number;
}

/** The next one that nobody has taken, else the first that is free, else the first. Each is passed once. */
function placeBehind(
  places: Places,
  { taken, last }: { readonly taken: ReadonlySet<number>; readonly last: number },
): number | undefined {
  const { list } = places;
  while (places.passed < list.length && taken.has(list[places.passed] ?? -1)) places.passed++;
  const free = list[places.passed];
  if (free === undefined || free > last) return free ?? list[0];
  const low = firstAbove(list, last);
  return list.slice(low, low + 2).find((at) => !taken.has(at)) ?? free;
}

/** The index of the first number above a limit, in a list that grows. */
function firstAbove(list: readonly number[], limit: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle] ?? 0) > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}

function placesOf(messages: readonly Message[]): Map<string, Places> {
  const start = messages.findIndex(({ role }) => role !== 'system');
  const places = new Map<string, Places>();
  const add = (hash: string, at: number): void => {
    const known = places.get(hash);
    if (known) known.list.push(at);
    else places.set(hash, { list: [at], passed: 0 });
  };
  for (const [at, message] of messages.entries()) {
    add(messageHash(message), at);
    if (start >= 0 && at > start && message.role === 'system') add(messageHash(asNote(message)), at);
  }
  return places;
}

/** What a late system message becomes where providers have none. */
const asNote = ({ name, parts }: Message): Message => ({
  role: 'user',
  ...(name === undefined ? {} : { name }),
  parts: parts.map((part) => (part.type === 'text' ? { ...part, text: systemNote(part.text) } : part)),
});

// Which message a changed one was.

interface Owners {
  /** By the part itself. */
  readonly same: ReadonlyMap<Part, number>;
  /** By what it says: a call and a result by the id. */
  readonly alike: ReadonlyMap<string, number>;
}

function partsOf({ messages }: Body): Owners {
  const same = new Map<Part, number>();
  const alike = new Map<string, number>();
  for (const [at, { parts }] of messages.entries()) {
    for (const part of parts) {
      same.set(part, at);
      alike.set(keyOf(part), at);
    }
  }
  return { same, alike };
}

const keyOf = (part: Part): string =>
  'callId' in part ? `${part.type} ${part.callId}` : JSON.stringify([part.type, 'text' in part ? part.text : part]);

interface Search {
  readonly parts: Owners;
  readonly taken: ReadonlySet<number>;
}

/** A part itself, and the id of a call, tell for sure; a text may be said twice, and what is signed must then be there as well. */
function baseByParts({ messages }: Body, message: Message, { parts, taken }: Search): number | undefined {
  for (const part of message.parts) {
    const own = parts.same.get(part);
    const at = own ?? parts.alike.get(keyOf(part));
    const base = at === undefined ? undefined : messages[at];
    if (at === undefined || !base || taken.has(at) || base.role !== message.role) continue;
    if (own !== undefined || 'callId' in part || isKept(base, message)) return at;
  }
  return undefined;
}

interface Place {
  readonly index: number;
  readonly found: readonly (number | undefined)[];
  readonly taken: ReadonlySet<number>;
}

/** A message of which no part is left as it was stands between the neighbours that it had. */
function baseByPlace({ messages }: Body, message: Message, { index, found, taken }: Place): number | undefined {
  const before = index === 0 ? -1 : found[index - 1];
  if (before === undefined) return undefined;
  const at = before + 1;
  const behind = index === found.length - 1 ? messages.length : found[index + 1];
  const base = messages[at];
  if (behind !== at + 1 || !base || taken.has(at)) return undefined;
  const isLike = base.role === message.role && base.parts.length === message.parts.length;
  return isLike && isKept(base, message) ? at : undefined;
}

/** The changed message with the parts that must not change. */
function withSealed(before: Message, after: Message): Message {
  const sealed = before.parts.filter((part) => 'callId' in part && (isProof(part) || loadsTool(part)));
  if (sealed.length === 0) return after;
  const own = new Map(sealed.map((part) => [keyOf(part), part]));
  const parts = after.parts.map((part) => ('callId' in part ? (own.get(keyOf(part)) ?? part) : part));
  return { ...after, parts };
}

/** The result of a search for tools, with which a deferred tool is loaded. */
const loadsTool = (part: Part): boolean =>
  part.type === 'toolResult' &&
  part.content.some((one) => one.type === 'other' && isJsonObject(one.value) && one.value.type === 'tool_reference');
