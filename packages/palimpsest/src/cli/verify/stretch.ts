/** What a summary is held against: which summaries a conversation carries, and the messages before a place in it. */
import { type Message, PalimpsestError, type Transcript } from '@palimpsest/core';
import { indexesOf, refOf } from '@palimpsest/core/search';
import { counted } from '../render/text.ts';
import { type Summary, summaryIn } from './summary.ts';

/** A summary in a conversation. */
export interface CarriedSummary {
  /** Index of the message that carries it. */
  readonly at: number;
  readonly summary: Summary;
}

/** Every summary that a compression left in the messages, oldest first. */
export function carriedSummaries(messages: readonly Message[]): readonly CarriedSummary[] {
  return messages.flatMap((message, at) => {
    const summary = summaryIn(message, refOf(at));
    return summary ? [{ at, summary }] : [];
  });
}

/**
 * The index that `--at` names: of the message with a ref, or of the one that carries the n-th summary. Throws
 * `ID_UNKNOWN` for one that is not there, and `BAD_OPTION` for what is neither.
 */
export function placeAt(at: string, messages: readonly Message[]): number {
  if (!/^\d{1,6}$/.test(at.trim())) {
    const [index = 0, ...more] = indexesOf(at, messages.length);
    if (more.length === 0) return index;
    throw new PalimpsestError('BAD_OPTION', `expected one place in --at, such as m42 or 2, got ${JSON.stringify(at)}`);
  }
  const carried = carriedSummaries(messages);
  const found = carried[Number(at) - 1];
  if (found) return found.at;
  const there = carried.map(({ at: index }, number) => `${number + 1} (${refOf(index)})`).join(', ');
  const has = carried.length === 0 ? 'the conversation contains none' : `there are ${there}`;
  throw new PalimpsestError('ID_UNKNOWN', `there is no summary ${at}: ${has}; to name a message, use --at m42`, {
    evidence: { at },
  });
}

/** Why a carried summary cannot be held against what stands before it; undefined where it can. */
export function whyUnverifiable(
  { at, summary }: CarriedSummary,
  { messages, compressions }: Transcript,
): string | undefined {
  const ref = refOf(at);
  const before = messages.slice(0, at).filter(({ role }) => role !== 'system').length;
  if (before === 0) return `${ref} contains a summary, and there is no message before it`;
  if (summary.covers !== undefined) {
    const last = Math.max(0, ...[...summary.covers.matchAll(/\d+/g)].map(([digits]) => Number(digits)));
    if (last <= at) return undefined;
    return `${ref} contains the summary of ${summary.covers}, which the file no longer contains`;
  }
  if (compressions?.includes(at)) return undefined;
  return `${ref} contains a summary after ${counted(before, 'message')}, but it is not known whether it covers them`;
}
