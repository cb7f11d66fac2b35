/** The form of the rules that say what failures mean. */
import type { FailureKind } from '../../compression/policy/state.ts';
import type { FailureReason } from './reasons.data.ts';

/** A session is large when it fills more than this share of its window, or is large in a window of usual size. */
export interface LargeSession {
  readonly share: number;
  /** These count in windows of at most `usualWindow` tokens. */
  readonly tokens: number;
  readonly messages: number;
}

/** The largest window in which tokens and messages alone make a session large. */
export const usualWindow = 256_000;

/** A rule fits when everything it names fits; of a list one is enough. */
export interface FailureRule {
  readonly reason: FailureReason;
  /** What it means for a summary, where that is not what the reason means. */
  readonly kind?: FailureKind;
  /** 0 stands for none. */
  readonly status?: readonly number[];
  /** Statuses that it does not fit. */
  readonly not?: readonly number[];
  /** Codes and types, in lower case. */
  readonly codes?: readonly string[];
  /** Names of errors. */
  readonly names?: readonly string[];
  /** Matched against all messages. */
  readonly text?: RegExp | readonly RegExp[];
  /** Only once the answer has begun to arrive (`stream`), or only before. */
  readonly phase?: 'request' | 'stream';
  /** Only when the provider said nothing of what is wrong. */
  readonly silent?: true;
  /** Only in a session of this size. */
  readonly large?: LargeSession;
  /** Not for models that reason: they are silent for so long that connections close. */
  readonly unlessReasoning?: true;
  /** The window to reckon with when the message names none. */
  readonly contextLength?: number;
}

/** Codes and names as one text, separated by white space. */
export const words = (text: string): readonly string[] => text.split(/\s+/);

/** Statuses of a request that was read and refused. */
export const refused: readonly number[] = [0, 400, 422];

/** The same, and those that servers of one's own and routers send in their place. */
export const refusedAnyhow: readonly number[] = [...refused, 404, 500, 502, 503];

/** Statuses that say something else than "too long", whatever the words. */
export const notTooLong: readonly number[] = [401, 402, 403, 404, 405, 429];
