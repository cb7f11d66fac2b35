/** What must hold of every compression, for whoever makes one: the tests and the bench ask the same questions. */

import { compress, messageTokens, PalimpsestError, type Tokenizer } from '@palimpsest/core';
import { isHandoff, personMessage, unwrapHandoff } from '../../packages/core/src/compression/handoff-block.ts';
import { pinnedRow, readRows } from '../../packages/core/src/compression/handoff-rows.ts';
import type { CompressOptions } from '../../packages/core/src/compression/options.ts';
import { pinnableWords } from '../../packages/core/src/compression/pinned.ts';
import { type ConversationRecord, createRecord } from '../../packages/core/src/compression/record.ts';
import type { CompressionResult, Ref } from '../../packages/core/src/compression/result.ts';
import type { Message, Part } from '../../packages/core/src/transcript/message.ts';
import { redactedMessage } from '../../packages/core/src/transcript/redact.ts';
import { messageText } from '../../packages/core/src/transcript/text.ts';
import { validate } from '../../packages/core/src/transcript/validate.ts';
import { isQuoteOf } from './quotes.ts';

/** One compression in the life of a conversation. */
export interface Pass {
  /** Everything that was ever said, in order. */
  readonly said: readonly Message[];
  /** The list that was compressed: what the pass before left, and what came since. */
  readonly list: readonly Message[];
  readonly result: CompressionResult;
  /** What the handoff in the list stands for: this pass's, or an earlier one's that stayed. */
  readonly covers: readonly Ref[];
  /** What passes since the last handoff removed: each of them reported it. */
  readonly removed: readonly Ref[];
  readonly record: ConversationRecord;
  readonly tokenizer: Tokenizer;
  readonly contextLength: number;
  readonly pinned: readonly Ref[];
}

export interface LifeOptions extends Pick<CompressOptions, 'targetTokens' | 'focusTopic' | 'config' | 'system'> {
  readonly tokenizer: Tokenizer;
  /** @default that of `compress` */
  readonly contextLength?: number;
  readonly passes: number;
  /** What a person has pinned, as soon as it was said. @default none */
  readonly pinned?: readonly Ref[];
}

/** What came of a conversation that was compressed several times while it grew. */
export interface Life {
  readonly passes: readonly Pass[];
  /** Every law that a pass broke, in words. */
  readonly broken: readonly string[];
  /** Passes that ended with CONTEXT_OVERFLOW; the list then stays as it is. */
  readonly overflows: number;
}

/** Compresses a conversation after each of its `passes` stretches, as a host does that sends the new list on. */
export async function live(conversation: readonly Message[], options: LifeOptions): Promise<Life> {
  const { tokenizer, contextLength = 200_000, passes: count, ...rest } = options;
  const record = createRecord({ count: (text) => tokenizer.count(text) });
  const passes: Pass[] = [];
  const broken: string[] = [];
  let overflows = 0;
  let covers: readonly Ref[] = [];
  let removed: readonly Ref[] = [];
  let list: readonly Message[] = [];
  for (let pass = 1; pass <= count; pass++) {
    const end = Math.ceil((conversation.length * pass) / count);
    const start = Math.ceil((conversation.length * (pass - 1)) / count);
    list = [...list, ...conversation.slice(start, end)];
    const window = options.contextLength === undefined ? {} : { contextLength };
    const pinned = (options.pinned ?? []).filter((ref) => Number(ref.slice(1)) <= end);
    const numbers = { compressionCount: passes.length, pinned };
    const given: CompressOptions = { ...rest, ...window, ...numbers, tokenizer, record };
    const result = await unlessOverflow(compress(list, given));
    if (!result) {
      overflows++;
      continue;
    }
    covers = result.handoff?.covers ?? covers;
    // Without a handoff there is nothing that could name what had to go; the report does.
    removed = result.handoff ? [] : [...removed, ...removedIn(result)];
    const said = conversation.slice(0, end);
    const made: Pass = { said, list, result, covers, removed, record, tokenizer, contextLength, pinned };
    passes.push(made);
    // At once: the record goes on.
    broken.push(...brokenLaws(made).map((law) => `pass ${pass}: ${law}`));
    list = result.messages;
  }
  return { passes, broken, overflows };
}

const removedIn = ({ fates }: CompressionResult): readonly Ref[] =>
  fates.flatMap(({ ref, fate }) => (fate === 'removed' ? [ref] : []));

async function unlessOverflow(pending: Promise<CompressionResult>): Promise<CompressionResult | undefined> {
  try {
    return await pending;
  } catch (error) {
    if (PalimpsestError.isInstance(error) && error.code === 'CONTEXT_OVERFLOW') return undefined;
    throw error;
  }
}

/** Every law that a pass breaks. */
function brokenLaws(pass: Pass): readonly string[] {
  if (pass.result.status !== 'compressed') {
    return [
      ...(pass.result.messages === pass.list ? [] : ['E5: another list although nothing was done']),
      ...originals(pass),
    ];
  }
  return [
    ...validity(pass),
    ...originals(pass),
    ...places(pass),
    ...newestWords(pass),
    ...quotes(pass),
    ...pins(pass),
    ...sizes(pass),
  ];
}

function validity({ result }: Pass): readonly string[] {
  return validate(result.messages).map(({ at, rule, detail }) => `invariant 2: message ${at}, ${rule}: ${detail}`);
}

/** Invariant 1: each message once, under its number, as it came. */
function originals({ said, record }: Pass): readonly string[] {
  const wrong = said.flatMap((message, at) => (record.message(`m${at + 1}`) === message ? [] : [`m${at + 1}`]));
  return [
    ...(record.size === said.length ? [] : [`A6: ${record.size} messages in the record of ${said.length}`]),
    ...(wrong.length === 0 ? [] : [`A6: another message than was said under ${wrong.slice(0, 5).join(', ')}`]),
  ];
}

/** A6: in the list, or named by the one handoff. */
function places({ said, result, covers, removed, record }: Pass): readonly string[] {
  const handoffs = result.messages.filter(isHandoff).length;
  const wanted = result.handoff ? 1 : 0;
  const shown = new Set(record.ingest(result.messages).map((place): Ref => `m${place + 1}`));
  const covered = new Set(covers);
  const reported = new Set(removed);
  const known = (ref: Ref): boolean => shown.has(ref) || covered.has(ref) || reported.has(ref);
  const lost = said.map((_, at): Ref => `m${at + 1}`).filter((ref) => !known(ref));
  const named = rangesIn(result.handoff?.text ?? '');
  return [
    ...(handoffs === wanted || !result.handoff ? [] : [`A1: ${handoffs} handoffs, expected ${wanted}`]),
    ...(lost.length === 0 ? [] : [`A6: neither shown nor covered: ${lost.slice(0, 5).join(', ')}`]),
    ...((result.handoff?.covers ?? []).every((ref) => named.has(ref))
      ? []
      : ['A6: the handoff does not name what it covers']),
    ...(record.size === said.length ? [] : ['A6: the new list is taken for something new']),
  ];
}

function rangesIn(text: string): ReadonlySet<string> {
  const covers = /covers="([^"]*)"/.exec(text)?.[1] ?? '';
  const refs = new Set<string>();
  for (const [, first, last] of covers.matchAll(/m(\d+)(?:-m(\d+))?/g)) {
    for (let number = Number(first); number <= Number(last ?? first); number++) refs.add(`m${number}`);
  }
  return refs;
}

const spoken = (part: Part): boolean =>
  part.type === 'text' ? part.text.trim() !== '' : part.type === 'image' || part.type === 'file';

/** Invariant 3: the newest words of a person stand after the summary, part by part as they were said. */
function newestWords({ list, result }: Pass): readonly string[] {
  const words = list.map(personMessage).findLast((one) => one !== undefined);
  const wanted = words?.parts.filter(spoken).map((part) => JSON.stringify(part)) ?? [];
  // Without a handoff of its own a pass leaves an older summary where it was.
  const at = result.handoff ? result.messages.findIndex(isHandoff) : 0;
  const said = new Set(result.messages.slice(at).flatMap(({ parts }) => parts.map((part) => JSON.stringify(part))));
  return wanted.every((part) => said.has(part)) ? [] : ['invariant 3: the newest request is not after the summary'];
}

/** Invariant 4: what the handoff says a user said, a user said. */
function quotes({ result, record }: Pass): readonly string[] {
  const block = result.handoff?.text ?? '';
  const body = unwrapHandoff({ role: 'user', parts: [{ type: 'text', text: block }] })?.body ?? '';
  const broken: string[] = [];
  for (const { number, speaker, text } of readRows(body)) {
    if (speaker !== 'person' || text === 'word for word below') continue;
    const source = record.message(`m${number ?? 0}`);
    // Credentials are masked in what the user said, and nothing else is changed.
    const said = source && messageText(redactedMessage(personMessage(source) ?? { role: 'user', parts: [] }));
    if (!said || !isQuoteOf(text, said)) broken.push(`invariant 4: m${number} user: ${text.slice(0, 60)}`);
  }
  return broken;
}

/** A7: what is pinned stands word for word in the list, or once in the handoff under its name. */
function pins({ pinned, result, record }: Pass): readonly string[] {
  const block = result.handoff?.text ?? '';
  const body = unwrapHandoff({ role: 'user', parts: [{ type: 'text', text: block }] })?.body ?? '';
  return pinned.flatMap((ref): readonly string[] => {
    const message = record.message(ref);
    const words = message && pinnableWords(message);
    if (!words) return [];
    // Requests in a row become one message, and the block may share it: the words stand there as lines of their own.
    const isShown = result.messages.some((one) => {
      const shown = pinnableWords(one);
      return shown?.speaker === words.speaker && `\n${shown.text}\n`.includes(`\n${words.text}\n`);
    });
    const row = pinnedRow(ref, words.speaker, words.text);
    const times = body.split('\n').filter((line) => line === row.slice(0, row.indexOf('\n'))).length;
    if (isShown && times === 0) return [];
    return times === 1 && body.includes(row) ? [] : [`A7: ${ref} stands ${times} times in the handoff`];
  });
}

/** Invariant 5, and the target where nothing that must be kept is in its way. */
function sizes({ list, result, tokenizer, contextLength, pinned, record }: Pass): readonly string[] {
  const tokens = (messages: readonly Message[]): number =>
    messages.reduce((sum, message) => sum + messageTokens(message, tokenizer), 0);
  const after = tokens(result.messages);
  const prompts = tokens(list.filter((message) => message.role === 'system'));
  const must = prompts + tokens(list.flatMap(newestOf(list))) + tokens(pinnedIn({ pinned, record }));
  // A frame and a group that runs have a least size; from here on they do not count.
  const isRoomy = result.targetTokens >= 2_000 && must < result.targetTokens / 4;
  return [
    ...(after <= contextLength ? [] : [`invariant 5: ${after} tokens in a window of ${contextLength}`]),
    ...(after < tokens(list) ? [] : ['A5: not smaller']),
    ...(after <= result.targetTokens || !isRoomy ? [] : [`T1: ${after} tokens for a target of ${result.targetTokens}`]),
    ...(result.after.total === after ? [] : ['the report says another size']),
  ];
}

const pinnedIn = ({ pinned, record }: Pick<Pass, 'pinned' | 'record'>): readonly Message[] =>
  pinned.flatMap((ref) => record.message(ref) ?? []);

/** What cannot be shortened: the newest request, and of the last groups what the provider made and the least of a call. */
function newestOf(list: readonly Message[]): (message: Message, at: number) => readonly Message[] {
  const newest = list.findLastIndex((message) => personMessage(message) !== undefined);
  return (message, at) => {
    if (at === newest) return [message];
    return at >= list.length - 5 ? [{ ...message, parts: message.parts.flatMap(leastOf) }] : [];
  };
}

/** A shortened call keeps the beginning of each of its texts. */
const leastCallChars = 1_000;

function leastOf(part: Part): readonly Part[] {
  if (part.type === 'text' || (part.type === 'toolResult' && !part.server && !JSON.stringify(part).includes('image')))
    return [];
  return part.type === 'toolCall' && !part.server ? [{ ...part, input: part.input.slice(0, leastCallChars) }] : [part];
}
