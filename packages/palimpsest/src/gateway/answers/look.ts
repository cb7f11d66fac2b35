/** What is done with an answer, by its head alone. Both sides of the worker ask this, so that no answer waits to be looked at. */
import type { HeaderList, Outcome, Settlement } from '../middle.ts';
import { type AnswerStart, answerStart } from './answer-start.ts';
import { isReadable, unpackedStart } from './packing.ts';

/** `watch`: it is read while it passes, and its start may be held back. `judge`: it is held back, and read whole. `tell`: that it came is enough. */
export type Look = 'watch' | 'judge' | 'tell';

/** Statuses with which providers say that a request is too long, or wrong. Everything else is between the client and its provider. */
const refusing: ReadonlySet<number> = new Set([400, 413, 422]);
/** Bytes of a refusal that are held back: an error has a few hundred; some send the request back. */
export const mostHeld: number = 64 * 1_024;

export function lookAt(outcome: Outcome): Look {
  if (outcome.type === 'failure') return 'tell';
  if (outcome.status < 300) return 'watch';
  return refusing.has(outcome.status) && outcome.triesLeft > 0 ? 'judge' : 'tell';
}

/** From the head of an answer on: what tells of a request that is too long tells so at once. */
const mostHeldMs = 2_000;

/** Some streams begin with the instructions and the tools of their request, twice. */
export const mostOfStart: number = 512 * 1_024;

/** How the start of an answer is held back that may be an error in place of one; undefined where it passes at once. */
export function startHeld({
  headers,
  triesLeft,
}: Answered): Omit<NonNullable<Settlement['judge']>, 'again'> | undefined {
  if (triesLeft === 0 || !isReadable(headers)) return undefined;
  const isEnough = (start: Uint8Array): boolean => startShows(headers, start) !== 'open';
  return { maxBytes: mostOfStart, maxMs: mostHeldMs, isEnough };
}

/** What the bytes so far show, packed or not. `isWhole`: there are no more. What cannot be read is not held back. */
export function startShows(headers: HeaderList, start: Uint8Array, isWhole = false): AnswerStart {
  const plain = readableStart(headers, start);
  return plain ? answerStart(plain, isWhole) : 'said';
}

/** The same bytes as they were said; undefined where they cannot be read, or say more than is held back. */
export const readableStart = (headers: HeaderList, start: Uint8Array): Uint8Array | undefined =>
  unpackedStart(headers, start, mostOfStart);

type Answered = Extract<Outcome, { type: 'answer' }>;
