/**
 * Makes room without a model: old tool results become one line, old arguments lose their long strings, repeated results
 * and old images go. Everything that goes can be expanded by the id in its place.
 */
import type { Message } from '../../transcript/message.ts';
import { resultText } from '../../transcript/text.ts';
import { personMessage } from '../handoff-block.ts';
import { olderCopies } from './duplicates.ts';
import { imageMessages, imagePlaceholder, withoutBase64 } from './images.ts';
import { type PruneChange, type PruneOptions, type PruneSettings, pruneDefaults } from './options.ts';
import { protectionStart, relievePressure, unseenFrom } from './pressure.ts';
import { PruneWork, withText } from './work.ts';

export interface Pruned {
  readonly messages: readonly Message[];
  readonly changes: readonly PruneChange[];
  /** The first message that was protected. */
  readonly protectedFrom: number;
}

/** The list with old bulk replaced; the same list object when nothing changed. Pruning twice changes nothing more. */
export function prune(messages: readonly Message[], options: PruneOptions): Pruned {
  const settings: PruneSettings = { ...pruneDefaults, ...options };
  // Results that the model has not seen yet are never old, however large they are.
  const protectedFrom = Math.min(protectionStart(messages, settings), unseenFrom(messages));
  const work = new PruneWork(messages, settings);
  dropDuplicates(work);
  for (let at = 0; at < protectedFrom; at++) work.pruneOld(at);
  dropImages(work);
  relievePressure(work, protectedFrom);
  return { messages: work.changes.length > 0 ? work.list : messages, changes: work.changes, protectedFrom };
}

/** P1: the older copies of a repeated result point to the newest. */
function dropDuplicates(work: PruneWork): void {
  for (const [part, { at, newest }] of olderCopies(work.list, work.settings.minDuplicateChars)) {
    const line = work.stub(part, at, work.refAt(newest));
    if (line.length < resultText(part).length) {
      work.replace(at, 'duplicate', (one) => (one === part ? withText(part, line) : one));
    }
  }
}

/** P5: only the newest messages with images keep them; base64 in the texts of seen results goes everywhere. */
function dropImages(work: PruneWork): void {
  const spared = work.list.findLastIndex((message) => personMessage(message) !== undefined);
  const unseen = unseenFrom(work.list);
  const old = imageMessages(work.list).slice(work.settings.keepImages);
  for (const at of old.filter((index) => index !== spared && index < unseen)) {
    const ref = work.refAt(at);
    work.replace(at, 'image', (part) => {
      if (part.type !== 'toolResult') return part.type === 'image' ? (imagePlaceholder(part, ref) ?? part) : part;
      if (part.server || !part.content.some((one) => one.type === 'image')) return part;
      const content = part.content.map((one) => (one.type === 'image' ? (imagePlaceholder(one, ref) ?? one) : one));
      return { ...part, content };
    });
  }
  for (let at = 0; at < unseen; at++) {
    work.replace(at, 'base64', (part) =>
      part.type === 'toolResult' && !part.server ? withoutBase64(part, work.refAt(at)) : part,
    );
  }
}
