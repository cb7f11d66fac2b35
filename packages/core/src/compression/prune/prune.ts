/**
 * Makes room without a model: old tool results become one line, old arguments lose their long strings, repeated results
 * and old images go. Everything that goes can be expanded by the id in its place.
 */
import type { Message, ToolResultPart } from '../../transcript/message.ts';
import { resultText } from '../../transcript/text.ts';
import { requestRun } from '../handoff-block.ts';
import { type Copy, olderCopies } from './duplicates.ts';
import { imageMessages, imagePlaceholder, withoutBase64 } from './images.ts';
import { type PruneChange, type PruneOptions, pruneDefaults } from './options.ts';
import { protectionStart, relievePressure } from './pressure.ts';
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
  const copies = olderCopies(messages, settings.minDuplicateChars);
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
