/** What a person asks for who wants a conversation compressed now, and what they are told. */
import type { JsonValue } from '../shared/json.ts';
import type { SessionId } from '../store/ids.ts';
import type { Message } from '../transcript/message.ts';
import type { ContextCompression, ContextSize, ConversationNotice } from './request.ts';

/** Which conversation, and what its summary is to be about. */
export interface CompressRequest {
  /** The whole list, as the client would send it; what of it is new is kept first. @default what the store has */
  readonly messages?: readonly Message[];
  /** The session that is compressed, or any before it; needed where there are no messages. */
  readonly sessionId?: SessionId;
  /** Definitions of the tools, as they are sent. */
  readonly tools?: readonly JsonValue[];
  /** A topic that gets most of the handoff. */
  readonly focusTopic?: string;
  readonly signal?: AbortSignal;
}

/** What became of it. */
export interface CompressReport {
  readonly status: 'compressed' | 'unchanged';
  /** The session to go on with. */
  readonly sessionId: SessionId;
  /** One line for a person: what happened, with sizes of the whole request. */
  readonly headline: string;
  readonly before: ContextSize;
  readonly after: ContextSize;
  /** Set when it was compressed. */
  readonly compression?: ContextCompression;
  /** Everything that went wrong on the way, and what it means; empty when nothing did. */
  readonly failures: readonly CompressFailure[];
  readonly notices: readonly ConversationNotice[];
}

/** Something that went wrong. */
export interface CompressFailure {
  /** One sentence for a person. */
  readonly message: string;
  /** What it has led to. */
  readonly consequence: string;
}
