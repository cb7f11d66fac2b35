/** What a user of the runtime may have done before and after a compression, and where sessions begin and end (E6). */
import type { SessionId } from '../store/ids.ts';
import type { Message } from '../transcript/message.ts';
import type { ContextCompression } from './request.ts';

/** A compression that is about to begin. */
export interface CompressionStart {
  readonly sessionId: SessionId;
  /** Tokens of the whole request, reported or estimated. */
  readonly tokens: number;
  /** True when the request does not fit the window otherwise: a veto is then not heard. */
  readonly isForced: boolean;
  /** True when the compression is prepared while the conversation goes on; it is taken with the next request. */
  readonly inBackground: boolean;
}

/** What a hook says to it; a blank text says nothing, and anything else than this is passed over with a notice. */
export interface CompressionStartAnswer {
  /** Why the context is to stay as it is. */
  readonly veto?: string;
  /** Text that the new context begins with, behind the system prompt, until the next compression; cut at 8,000 characters. */
  readonly keep?: string;
}

/** A session that begins, anew or read back, or that has ended. */
export interface SessionEvent {
  readonly sessionId: SessionId;
  readonly reason: string;
}

/** A session that a compression has ended, and the one that goes on with it. */
export interface SessionContinue {
  readonly from: SessionId;
  readonly to: SessionId;
}

/** How a hook is called. */
export interface HookCall {
  /** Fires when nobody waits any more: the request was called off, or the time of the hook is over. */
  readonly signal: AbortSignal;
}

type Answer<T> = T | undefined | Promise<T | undefined>;

/**
 * Called one after another and waited for, but never longer than `timeoutMs`: a hook that is slow or that throws is
 * passed over with a notice, and costs no message. A request that is called off waits for none.
 */
export interface ConversationHooks {
  /** How long each may take, in milliseconds. @default 5000 */
  readonly timeoutMs?: number;
  /** A compression that comes to nothing, because there is nothing to gain or its engine fails, has no end. */
  readonly onCompressionStart?: (start: CompressionStart, call: HookCall) => Answer<CompressionStartAnswer>;
  readonly onCompressionEnd?: (report: ContextCompression, call: HookCall) => Answer<void>;
  /** `reason` is `new` or `resume`. */
  readonly onSessionStart?: (session: SessionEvent, call: HookCall) => Answer<void>;
  /** A compression has opened the session `to`, which goes on with what `from` was. */
  readonly onSessionContinue?: (sessions: SessionContinue, call: HookCall) => Answer<void>;
  /** Only at a real end: never at a compression, never after a turn. */
  readonly onSessionEnd?: (session: SessionEvent, call: HookCall) => Answer<void>;
}

/** What can be called. */
export type HookName = Exclude<keyof ConversationHooks, 'timeoutMs'>;

// What a program is told that finds text for a request.

/** What is recalled for. */
export interface RecallRequest {
  readonly sessionId: SessionId;
  /** The newest words of the person. */
  readonly text: string;
  /** What the model is shown; nothing of it need be recalled. */
  readonly messages: readonly Message[];
  /** Fires when nobody waits any more. */
  readonly signal: AbortSignal;
}

/** Finds what helps with a request; undefined or blank for nothing. */
export type Recall = (request: RecallRequest) => string | undefined | Promise<string | undefined>;
