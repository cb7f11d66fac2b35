/**
 * What was said, whoever writes it down: hosts send the same message again without its reasoning, with a cache mark in
 * another place, or with its arguments written anew. A conversation is recognised by this, and by nothing else.
 */
import { scrub } from '../memory/fence/scrubber.ts';
import { contentHash } from '../shared/hash.ts';
import { parseJson } from '../shared/json.ts';
import type { Message, Part, ResultContent, ToolCallPart } from '../transcript/message.ts';
import { toolCalls } from '../transcript/text.ts';

/** After each message of a list, a hash of all that was said up to there. */
export type RollingHashes = readonly string[];

/** The hashes of a list; of its start, `size` of those that are known are not computed again. */
export function rollingHashes(
  messages: readonly Message[],
  known: { readonly hashes: RollingHashes; readonly size: number } = { hashes: [], size: 0 },
): RollingHashes {
  const kept = known.size < known.hashes.length ? known.hashes.slice(0, known.size) : known.hashes;
  let last = kept.at(-1) ?? '';
  const fresh = messages.slice(kept.length).map((message) => {
    last = contentHash(`${last}${saidHash(message)}`);
    return last;
  });
  // One copy: a long list that grows by pushing is copied twice.
  return kept.concat(fresh);
}

const knownHashes = new WeakMap<Message, string>();

/** The same for messages that say the same. */
function saidHash(message: Message): string {
  const found = knownHashes.get(message);
  if (found !== undefined) return found;
  const { role, name = '' } = message;
  const said = role === 'assistant' ? replyOf(message) : spokenOf(message);
  const hash = contentHash(`${role}${field(name)}${said}`);
  knownHashes.set(message, hash);
  return hash;
}

/** Its results, in whatever order: hosts write them as they came in, and later as they were asked for. Then the rest. */
function spokenOf({ parts }: Message): string {
  const results = parts.filter(({ type }) => type === 'toolResult').map(partOf);
  const others = results.length === parts.length ? [] : parts.filter(({ type }) => type !== 'toolResult').map(partOf);
  return [...results.sort(), ...others].join('');
}

/**
 * Its text and its calls, in whatever order, for a stream may end them in another one than it began them in. How a host cuts the
 * text into parts, and what it keeps of reasoning, differs. Ids that a provider made up are enough: hosts fill defaults into
 * arguments, mend broken ones, and rewrite the text beside them. Blocks of ours that a model repeats are shown to nobody, so that
 * no client sends them again.
 */
function replyOf(message: Message): string {
  const calls = toolCalls(message);
  if (calls.length > 0 && calls.every(isOnce)) {
    return calls
      .map(({ callId }) => `i${field(callId)}`)
      .sort()
      .join('');
  }
  const text = message.parts.flatMap((part) => (part.type === 'text' ? [scrub(part.text)] : [])).join('');
  return `${field(text.trim())}${calls.map(partOf).sort().join('')}`;
}

/**
 * True for an id that no other call has. Shorter ids may be counted up, and come again in another conversation; so do those that are made of the tool's name and a
 * number, such as `functions.read_file:0` and `tool_0_read_file`.
 */
export const isOnce = ({ callId, name }: Pick<ToolCallPart, 'callId' | 'name'>): boolean =>
  callId.replace(name, '').length >= providerIdLength;

const providerIdLength = 16;

function partOf(part: Part | ResultContent): string {
  switch (part.type) {
    case 'text':
      return part.text === '' ? '' : `t${field(part.text)}`;
    case 'reasoning':
      return '';
    case 'toolCall':
      return `c${field(part.callId)}${field(part.name)}${field(inputOf(part.input))}`;
    case 'toolResult':
      return `r${field(part.callId)}${part.content.map(partOf).join('')}`;
    case 'image':
    case 'file':
      return `${part.type}${field(part.data ?? part.url ?? part.fileId ?? ('text' in part ? part.text : '') ?? '')}`;
    case 'other':
      return `o${field(JSON.stringify(part.value))}`;
  }
}

/** Its length goes first, so that no two messages run into the same text. */
const field = (text: string): string => `${text.length}:${text}`;

/** JSON without its blanks and escapes. */
function inputOf(input: string): string {
  const value = parseJson(input);
  return value === undefined ? input.trim() : JSON.stringify(value);
}

/** True when a reply says nothing that a host would send again: reasoning alone, blocks of ours alone, or nothing at all. */
export const saysNothing = ({ parts }: Message): boolean =>
  parts.every((part) => part.type === 'reasoning' || (part.type === 'text' && scrub(part.text).trim() === ''));

/** How many hashes two lists share from their start on: what was said the same. */
export function sharedStart(a: RollingHashes, b: RollingHashes): number {
  // A hash stands for everything before it.
  let low = 0;
  let high = Math.min(a.length, b.length);
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (a[middle - 1] === b[middle - 1]) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Finds who owns the longest known beginning of a list. */
export interface StartIndex<T> {
  /** Remembers every beginning of a conversation from the message `from` on; a newer owner takes over. */
  add(owner: T, hashes: RollingHashes, from?: number): void;
  find(hashes: RollingHashes): T | undefined;
  /** Forgets what belongs to an owner. */
  remove(owner: T, hashes: RollingHashes): void;
}

export function createStartIndex<T>(): StartIndex<T> {
  const owners = new Map<string, T>();
  return {
    add(owner, hashes, from = 0) {
      for (let at = from; at < hashes.length; at++) owners.set(hashes[at] ?? '', owner);
    },
    find(hashes) {
      for (let at = hashes.length - 1; at >= 0; at--) {
        const owner = owners.get(hashes[at] ?? '');
        if (owner !== undefined) return owner;
      }
      return undefined;
    },
    remove(owner, hashes) {
      for (const hash of hashes) if (owners.get(hash) === owner) owners.delete(hash);
    },
  };
}
