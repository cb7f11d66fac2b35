/**
 * The port of the gateway: what stands between the request of a client and the one that its provider gets. The relay knows
 * nothing of conversations, and a middle knows nothing of sockets.
 *
 * ```
 * received ──► prepare ──► prepared.body ──► upstream ──► settle(outcome) ──► client
 *                 │                              ▲            │ judge: another try, as long as
 *                 └──► prepared.answer           └────────────┘ the client was sent nothing
 * ```
 */
import type { CallTokens } from '@palimpsest/core/tracing';
import type { GatewayDialect } from '../config/gateway.ts';

/** What may stand between. */
export interface Middle {
  /**
   * Says what is sent for a request. One that rejects, or throws, changes nothing: the request is sent as it came, and counted in
   * `palimpsest_gateway_middle_errors_total`. A request that must not be sent is answered by an `answer`.
   */
  prepare(received: Received): Promise<Prepared>;
  /** Why requests go as they came at the moment, for `/readyz`; undefined while all is well. @default never */
  trouble?(): string | undefined;
}

/** Names and values of headers, in their order and as they are written; a name may stand there several times. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** What a request asks for: an answer, its compression by the provider, a count of tokens, or which models there are. */
export type Act = 'answer' | 'compact' | 'count' | 'models';

/** A request whose body is here. */
export interface Received {
  readonly dialect: GatewayDialect;
  readonly act: Act;
  readonly method: string;
  /** As it came, with its query; a key in it is a secret. */
  readonly path: string;
  /** As they came, those of the connection and of the gateway left out. They hold the credentials of the client: never keep or show them. */
  readonly headers: HeaderList;
  /** As it came, still compressed where `content-encoding` says so. Not to be changed in place. */
  readonly body: Uint8Array;
  /** The name of the key of the gateway that was shown; undefined where it asks for none. */
  readonly user: string | undefined;
  /** Set where it is on its way already, as it came: what is prepared can take its place only once it was refused. */
  readonly isSent?: true;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
}

/** What is sent, and who looks at what comes back. */
export interface Prepared {
  /** The bytes to send; those of `received` to change nothing. */
  readonly body: Uint8Array;
  /** In place of the headers that came. Length and host are the gateway's to write. @default the headers that came */
  readonly headers?: HeaderList;
  /** A complete answer from here: nothing is sent upstream, and `settle` is not asked. */
  readonly answer?: LocalAnswer;
  /** Added to the answer, after its own. Asked for when the answer begins: more may be known by then. */
  readonly responseHeaders?: HeaderList;
  /** What was done, for who counts and shows it. @default nothing is told of it */
  readonly told?: Told;
  /** In place of `told`, where it is sent before it was read: settles once it was. Rejects where it could not be read. */
  readonly read?: Promise<Told | undefined>;
  /** Which requests go as they came in any case, and need not wait. @default none */
  readonly wholeBelow?: WholeBelow;
  /** Asked once for each try, before the client is sent anything. One that throws is as good as none. */
  readonly settle?: (outcome: Outcome) => Settlement | undefined;
}

/** Requests that go as they came in any case: those whose body has fewer bytes, for the model of this one; or no others for `all`. */
export interface WholeBelow {
  readonly bytes: number;
  readonly of: 'model' | 'all';
}

/** What a middle did with a request: plain data from lists and numbers, with nothing that was said. */
export interface Told {
  readonly action: ToldAction;
  /** Why it was passed on or refused; for a dry run the action that it would have been. From a list. */
  readonly reason?: string;
  /** As the request names it. */
  readonly model?: string;
  /** The session that it is kept in, and the one that its conversation began with. */
  readonly sessionId?: string;
  readonly conversationId?: string;
  /** True where the list that is sent stands for a longer one. */
  readonly isCompacted?: boolean;
  /** True for a try after the upstream refused the one before as too long. */
  readonly isRecovery?: boolean;
  readonly compression?: ToldCompression;
  /** True where spans of the call and its compression were made beside this; where not, the relay makes them of what is told. */
  readonly isTraced?: boolean;
}

/**
 * `whole`: sent as it came. `view`: with an earlier handoff; `compressed`: with a new one. `unfit`: could not be shortened in its
 * dialect, sent as it came. `kept`: as it came, for its provider compacts it. `counted`: tokens of what would be
 * sent were counted. `passed`: as it came, nothing is known of it. `refused`:
 * nothing makes it short enough. `would`: a dry run.
 */
export type ToldAction =
  | 'whole'
  | 'view'
  | 'compressed'
  | 'unfit'
  | 'kept'
  | 'counted'
  | 'passed'
  | 'refused'
  | 'would';

export interface ToldCompression {
  /** Of the whole request. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Who wrote the handoff. */
  readonly writer: 'ledger' | 'model';
  /** Milliseconds since 1970: from when on the request was prepared, and when it was ready. */
  readonly startedAt: number;
  readonly endedAt: number;
}

/** An answer that no upstream gave. */
export interface LocalAnswer {
  readonly status: number;
  readonly headers: HeaderList;
  /** Whole, or piece by piece at the pace of the client. */
  readonly body: Uint8Array | AsyncIterable<Uint8Array>;
}

/** What came of one try. `triesLeft` is how many more may be asked for. */
export type Outcome =
  | { readonly type: 'answer'; readonly status: number; readonly headers: HeaderList; readonly triesLeft: number }
  | { readonly type: 'failure'; readonly failure: UpstreamFailure; readonly triesLeft: number };

/** Why there is no answer, or why it ended early: `isSent` when the upstream may have seen the request. `unsendable`: it cannot be written. */
export interface UpstreamFailure {
  readonly kind: 'unsendable' | 'unreachable' | 'connectTimeout' | 'firstByteTimeout' | 'silence' | 'broken';
  readonly isSent: boolean;
  /** For people: an error code and no address. */
  readonly reason: string;
}

/** How somebody looks at an answer. */
export interface Settlement {
  /**
   * Asked before the client is sent a byte, with the start of the answer: whole, or `maxBytes` of it and a little more. What it gives is
   * tried next, with a `settle` of its own; undefined, and a rejection, let the answer go to the client as it is. Not asked when no
   * try is left.
   */
  readonly judge?: {
    /** The most that is held back: time to the first byte, and memory. */
    readonly maxBytes: number;
    /** The most milliseconds that it is held back, from its head on; then it goes to the client. @default as long as it takes */
    readonly maxMs?: number;
    /** Asked with each piece about the start so far: true where nothing more need be held back. @default at `maxBytes` */
    readonly isEnough?: (start: Uint8Array) => boolean;
    readonly again: (start: Uint8Array, isWhole: boolean) => Promise<Prepared | undefined>;
  };
  /** Sees a copy of what the client is sent. */
  readonly watch?: Watch;
}

/** Reads beside the relay: each piece after it was handed to the client's connection. One that throws is not called again. */
export interface Watch {
  /** A piece of the body, at once and in order. What it keeps of it is its own memory to bound; the bytes are not to be changed, and nobody changes them. */
  readonly read: (bytes: Uint8Array) => void;
  /** Called once, after the last piece; not where `again` gave another try. May tell what the answer cost. */
  readonly end: (how: AnswerEnd) => Promise<CallTokens | undefined> | undefined;
}

/** `whole`: the client was sent everything. `broken`: the upstream ended early or fell silent. `left`: the client went away, or stopped reading. */
export type AnswerEnd = 'whole' | 'broken' | 'left';

/** Changes nothing, and looks at nothing. */
export const plainMiddle: Middle = { prepare: async ({ body }) => ({ body }) };
