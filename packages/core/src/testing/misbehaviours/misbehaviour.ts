/** What a misbehaviour is: a way in which a model or its provider goes wrong, as a function that can be tested against. */
import { contentHash } from '../../shared/hash.ts';
import type { Reply } from '../reply.ts';
import type { FakeRequest } from '../request.ts';

/** A reply that is wrong, and what is wrong about it. */
export interface BadReply extends Reply {
  /** Stretches of the text that no record bears out: none of them may survive. */
  readonly planted?: readonly string[];
  /** What the faithful text said and this one does not. */
  readonly lost?: readonly string[];
}

/** What a misbehaviour may be told. */
export interface MisbehaviourOptions {
  /** Chooses the place and the wording. @default 0 */
  readonly seed?: number;
  /** What `leaksKey` writes out. @default a key that stands in the prompt, or else a made-up one */
  readonly secret?: string;
  /** Seconds that a limited client is told to wait. @default 7 */
  readonly retryAfterSeconds?: number;
}

/** The options with nothing left open but the secret. */
export interface ResolvedOptions {
  readonly seed: number;
  readonly secret: string | undefined;
  readonly retryAfterSeconds: number;
}

/** Turns a faithful text into a wrong reply. The same arguments always give the same reply. */
export type Spoil = (faithful: string, request: FakeRequest, options: ResolvedOptions) => BadReply;

/** One entry of the catalogue. */
export interface Misbehaviour {
  /** What it does, in one sentence. */
  readonly description: string;
  /** The incident or the class of failures that it stands for. */
  readonly standsFor: string;
  /** `text`: the answer is well formed and lies. `answer`: it is no summary. `transport`: it fails on the way. */
  readonly type: 'text' | 'answer' | 'transport';
  /** @see Spoil */
  reply(faithful: string, request: FakeRequest, options?: MisbehaviourOptions): BadReply;
}

/** The member of a list that a seed chooses; another purpose chooses independently. The list must not be empty. */
export function pick<T>(list: readonly [T, ...T[]], seed: number, purpose: string): T {
  const number = Number.parseInt(contentHash(`${purpose} ${seed}`).slice(0, 8), 16);
  return list[number % list.length] ?? list[0];
}

/** The same for a list that may be empty. */
export function pickAny<T>(list: readonly T[], seed: number, purpose: string): T | undefined {
  const [first, ...rest] = list;
  return first === undefined ? undefined : pick([first, ...rest], seed, purpose);
}
