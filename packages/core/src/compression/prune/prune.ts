/**
 * Makes room without a model: old tool results become one line, old arguments lose their long strings, repeated results
 * and old images go. Everything that goes can be expanded by the id in its place.
 */
import type { Message, ToolResultPart } from '../../transcript/message.ts';
import { resultText } from '../../transcript/text.ts';
import { requestRun } from '../handoff-block.ts';
import { imageMessages, imagePlaceholder, withoutBase64 } from './images.ts';
import { type PruneChange, type PruneOptions, type PruneSettings, pruneDefaults } from './options.ts';
import { shrinkTail } from './shrink-tail.ts';
import { hasStub } from './stub.ts';
import { PruneWork, withText } from './work.ts';

export interface Pruned {
  readonly messages: readonly Message[];
  /** By the index of the message. */
  readonly changes: readonly PruneChange[];
  /** The first message that was protected. */
  readonly protectedFrom: number;
}

/** The list with everything pruned that may be; the same list object when nothing is. */
export function prune(messages: readonly Message[], options: PruneOptions): Pruned {
  const { at, changes, protectedFrom } = startPruning(messages, options);
  const pruned = messages.map((message, index) => at(index) ?? message);
  const isChanged = changes.length > 0;
  return {
    messages: isChanged ? pruned : messages,
    changes: changes.toSorted((one, other) => one.at - other.at),
    protectedFrom,
  };
}

/** A pruning that does no more than it is asked for: of a long list most goes into the summary, pruned or not. */
export interface Pruning {
  /** The message at an index as the pruning leaves it. */
  readonly at: (index: number) => Message | undefined;
  /** What was changed so far. */
  readonly changes: readonly PruneChange[];
  readonly protectedFrom: number;
}

/** Prunes the protected messages, and each older one when it is asked for. */
export function startPruning(messages: readonly Message[], options: PruneOptions): Pruning {
  const work = new PruneWork(messages, { ...pruneDefaults, ...options });
  const { unseen, settings } = work;
  // Results that the model has not seen yet are never old, however large they are.
  const protectedFrom = Math.min(protectionStart(messages, settings), unseen);
  const copies = olderCopies(messages, settings.resultChars);
  const losesImages = imagesToDrop(messages, work);
  const settled = new Set<number>();
  const settle = (at: number): void => {
    if (settled.has(at)) return;
    settled.add(at);
    dropDuplicates(work, copies, at);
    if (at < protectedFrom) work.pruneOld(at);
    if (losesImages.has(at)) dropImages(work, at);
    if (at < unseen) dropBase64(work, at);
  };
  for (let at = protectedFrom; at < messages.length; at++) settle(at);
  relievePressure(work, protectedFrom);
  const at = (index: number): Message | undefined => {
    settle(index);
    return work.list[index];
  };
  return { at, changes: work.changes, protectedFrom };
}

/** P1: the older copies of a repeated result point to the newest. */
function dropDuplicates(work: PruneWork, copies: ReadonlyMap<ToolResultPart, Copy>, at: number): void {
  work.replace(at, 'duplicate', (part) => {
    const copy = part.type === 'toolResult' ? copies.get(part) : undefined;
    if (part.type !== 'toolResult' || copy?.at !== at) return part;
    const line = work.stub(part, at, work.refAt(copy.newest));
    return line.length < resultText(part).length ? withText(part, line) : part;
  });
}

/** P5: only the newest messages with images keep them. */
function imagesToDrop(messages: readonly Message[], { settings, unseen }: PruneWork): ReadonlySet<number> {
  const spared = requestRun(messages);
  const old = imageMessages(messages).slice(settings.keepImages);
  return new Set(old.filter((at) => !spared.includes(at) && at < unseen));
}

function dropImages(work: PruneWork, at: number): void {
  const ref = work.refAt(at);
  work.replace(at, 'image', (part) => {
    if (part.type !== 'toolResult') return part.type === 'image' ? (imagePlaceholder(part, ref) ?? part) : part;
    if (part.server || !part.content.some((one) => one.type === 'image')) return part;
    const content = part.content.map((one) => (one.type === 'image' ? (imagePlaceholder(one, ref) ?? one) : one));
    return { ...part, content };
  });
}

/** P5: base64 in the texts of seen results goes everywhere. */
function dropBase64(work: PruneWork, at: number): void {
  work.replace(at, 'base64', (part) =>
    part.type === 'toolResult' && !part.server ? withoutBase64(part, work.refAt(at)) : part,
  );
}

// Which end of a conversation pruning leaves alone, and what gives way when that end itself is too large.

/** A tail over its budget by this factor is pruned too (P4). */
const pressureFactor = 1.5;

/** Walks back until the token budget and the message floor are both met (P4). */
function protectionStart(
  messages: readonly Message[],
  options: Pick<PruneSettings, 'tokensOf' | 'tailTokens' | 'minMessages'>,
): number {
  let tokens = 0;
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at];
    tokens += message ? options.tokensOf(message) : 0;
    if (tokens > options.tailTokens && messages.length - at > options.minMessages) return at + 1;
  }
  return 0;
}

/**
 * P4: a tail over 1.5 × its budget is pruned from its oldest message on until it is not. Results that the model has not
 * seen yet come last, and are cut rather than replaced: it is waiting for them.
 */
function relievePressure(work: PruneWork, protectedFrom: number): void {
  const { unseen } = work;
  const { tokensOf, tailTokens } = work.settings;
  const limit = tailTokens * pressureFactor;
  const sizes = work.list.slice(protectedFrom).map(tokensOf);
  let total = sizes.reduce((sum, one) => sum + one, 0);
  for (let at = protectedFrom; at < unseen && total > limit; at++) {
    const before = work.list[at];
    work.pruneOld(at);
    const after = work.list[at];
    if (after && after !== before) total += tokensOf(after) - (sizes[at - protectedFrom] ?? 0);
  }
  if (total <= limit || unseen === work.list.length) return;
  const waiting = work.list.slice(unseen);
  const room = Math.max(limit - (total - waiting.reduce((sum, message) => sum + tokensOf(message), 0)), tailTokens / 2);
  // Ids belong to the messages as they came, not to what pruning has made of them.
  const refOf = (message: Message): string => work.refAt(work.list.indexOf(message));
  const shrunk = shrinkTail(waiting, room, { tokensOf, refOf, only: 'results' });
  for (const i of shrunk.cutAt) {
    const results = shrunk.messages[i]?.parts ?? [];
    const parts = work.list[unseen + i]?.parts ?? [];
    work.replace(unseen + i, 'truncated', (part) => results[parts.indexOf(part)] ?? part);
  }
}

// Finds tool results that came more than once.

/** An older copy: where it stands, and where the newest one does. */
interface Copy {
  readonly at: number;
  readonly newest: number;
}

/** Every result of at least `minChars` whose very same text came again later. Only results of plain text count. */
function olderCopies(messages: readonly Message[], minChars: number): ReadonlyMap<ToolResultPart, Copy> {
  const copies = new Map<ToolResultPart, Copy>();
  // Nearly all results are told apart by their length and their end, without a look at the whole text.
  const byShape = Map.groupBy(newestFirst(messages, minChars), shapeOf);
  for (const alike of byShape.values()) {
    if (alike.length === 1) continue;
    // The text itself is the key: two texts with one hash must not become one.
    const newestOf = new Map<string, number>();
    for (const { part, text, at } of alike) {
      const newest = newestOf.get(text);
      if (newest === undefined) newestOf.set(text, at);
      else copies.set(part, { at, newest });
    }
  }
  return copies;
}

/** A failure is no copy of a success with the same words. */
const shapeOf = ({ part, text }: Candidate): string => `${part.isError ?? ''} ${text.length} ${text.slice(-40)}`;

interface Candidate {
  readonly part: ToolResultPart;
  readonly text: string;
  readonly at: number;
}

function newestFirst(messages: readonly Message[], minChars: number): readonly Candidate[] {
  const found: Candidate[] = [];
  for (const [at, { parts }] of messages.entries()) {
    for (const part of parts) {
      if (part.type !== 'toolResult' || part.server) continue;
      const text = plainText(part);
      if (text !== undefined && text.length >= minChars && !hasStub(part)) found.push({ part, text, at });
    }
  }
  return found.reverse();
}

function plainText(part: ToolResultPart): string | undefined {
  const [only, ...more] = part.content;
  return more.length === 0 && only?.type === 'text' ? only.text : undefined;
}
