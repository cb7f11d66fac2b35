/** What the two sides of the worker say to each other: plain data, and bytes that are handed over. */
import type { CallTokens } from '@palimpsest/core/tracing';
import type { AnswerEnd, Outcome, Prepared, Received } from '../middle.ts';

/** To the worker. An id stands for one request, with all of its tries. */
export type Order =
  | { readonly type: 'prepare'; readonly id: number; readonly received: Omit<Received, 'signal'> }
  /** What came of a try, or more of an answer that the client is being sent. `outcome` comes first, and once; `end` last. */
  | {
      readonly type: 'heard';
      readonly id: number;
      readonly outcome?: Outcome;
      readonly bytes?: Uint8Array;
      readonly end?: AnswerEnd;
      /** True with an end whose cost somebody asks for. */
      readonly isCostAsked?: true;
    }
  | { readonly type: 'judge'; readonly id: number; readonly refusal: Refusal }
  /** Its client is gone, or waits no longer. */
  | { readonly type: 'left'; readonly id: number }
  | { readonly type: 'ping' }
  /** To be answered by `stopped`, when all that was said before is done. */
  | { readonly type: 'stop' };

/** An answer that is held back. */
export interface Refusal {
  readonly outcome: Outcome;
  readonly start: Uint8Array;
  readonly isWhole: boolean;
}

/** From the worker, to what it was told. */
export type Reply =
  /** The answer to `prepare` and to `judge`; a judge may want nothing else to be sent. */
  | { readonly type: 'prepared'; readonly id: number; readonly next: PreparedData | undefined }
  /** It could not be prepared, judged or read. */
  | { readonly type: 'failed'; readonly id: number }
  /** What an answer cost, where it was asked and the answer says so. */
  | { readonly type: 'cost'; readonly id: number; readonly tokens: CallTokens | undefined }
  /** So many bytes of answers were read. */
  | { readonly type: 'read'; readonly bytes: number }
  | { readonly type: 'pong' };

/** From the worker. */
export type News<About> =
  | Reply
  | { readonly type: 'opened'; readonly about: About }
  | { readonly type: 'unopened'; readonly error: ErrorData }
  | { readonly type: 'note'; readonly line: string }
  | { readonly type: 'stopped' };

/** An error on its way; what else it was does not cross. */
export interface ErrorData {
  readonly code: string | undefined;
  readonly message: string;
  readonly evidence: Readonly<Record<string, string | number | boolean | undefined>>;
}

/** `Prepared` as data. */
export interface PreparedData extends Omit<Prepared, 'body' | 'settle' | 'answer' | 'read'> {
  /** Undefined for the bytes that came. */
  readonly body: Uint8Array | undefined;
  readonly answer?: Omit<NonNullable<Prepared['answer']>, 'body'> & { readonly body: Uint8Array };
  /** True where the worker wants to hear what came of it. */
  readonly isHeard: boolean;
}

/** Says something to the other side. What is `handed` over is no longer to be used on this one. */
export type Say<T> = (message: T, handed?: readonly ArrayBuffer[]) => void;

/** A copy in memory of its own, which can be handed over: a piece of a stream is a view into a larger one. */
export const copyOf = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);
