/** What a door hands over before a model call and after it, and what it gets back. */
import type { CompressionResult } from '../compression/result.ts';
import type { PressureNotice } from '../context/pressure.ts';
import type { JsonValue } from '../shared/json.ts';
import type { SessionId } from '../store/ids.ts';
import type { Message, Part } from '../transcript/message.ts';
import type { Usage } from '../usage/normalise.ts';

/** What a client is about to send, whole, as clients do: the conversation is recognised by its messages. */
export interface ContextRequest {
  /** System prompts, then everything that was said so far, as the client knows it. */
  readonly messages: readonly Message[];
  /** Definitions of the tools, as they are sent. */
  readonly tools?: readonly JsonValue[];
  /** The session that the messages belong to, where the door knows it. @default the one that they continue */
  readonly sessionId?: SessionId;
  /**
   * The session that a client goes on from with other messages, such as a summary that it wrote itself: a session that begins with
   * this request stands below it. @default a session that begins stands by itself
   */
  readonly follows?: SessionId;
  /** The folder that the agent works in, for lists; kept with a session that begins. */
  readonly project?: string;
  /** Output tokens that the call will ask for, where the door knows them. */
  readonly maxTokens?: number;
  /** A topic that gets most of the handoff if the context is compressed now. */
  readonly focusTopic?: string;
  /**
   * Text that was recalled for this request. It is put into the newest message of the person, fenced and labelled, and stays
   * there until the conversation is compressed; the record of what was said does not have it. @default what the option
   * `recall` finds, or the memory, once a turn
   */
  readonly recall?: string;
  readonly signal?: AbortSignal;
}

/** How many tokens a context has. */
export interface ContextSize {
  readonly tokens: number;
  /** `anchored`: the last report, and an estimate of what came since; `calibrated`: an estimate corrected by earlier reports. */
  readonly from: 'anchored' | 'calibrated' | 'estimate';
}

/** What is to be sent. Hand the very object to `settle`. */
export interface PreparedContext {
  /** The session that the messages are kept in: the one asked for, its continuation, or a branch. */
  readonly sessionId: SessionId;
  /** The session that the conversation began with: the same through all its compressions. */
  readonly conversationId: SessionId;
  /** Valid for a strict provider, and within the window. */
  readonly messages: readonly Message[];
  readonly size: ContextSize;
  /** The window that it was made for, in tokens: as it was given, or as far as it is known by now. */
  readonly contextLength: number;
  /** From how many tokens on the conversation is compressed; 0 where its engine names none. */
  readonly thresholdTokens: number;
  /** True while everything that the client said stands in it: nothing is shortened or left out, at most mended, nothing was recalled or remembered, and no fence taken off. */
  readonly isWhole: boolean;
  /**
   * Recalled text in its fences, and marks of long pauses, set where that and the memory alone keep `isWhole` from being true: a door that sends what its
   * client wrote, and nothing mended, puts each part behind its message.
   */
  readonly recalled?: readonly RecalledPart[];
  /**
   * The system prompt that shows what is remembered, behind those of the client; set where that and recalled text alone keep
   * `isWhole` from being true: a door that sends what its client wrote puts it there.
   */
  readonly memory?: Message;
  /** Ask for no more output than this in this one call: the provider refused more. */
  readonly maxTokens?: number;
  /**
   * Set where the thoughts of earlier answers are left out, because the provider refused them: ask for none either, for a turn
   * that does not begin with a thought may not go on with one.
   */
  readonly isThoughtless?: true;
  /**
   * Names of tools of the memory provider that do not work now: a door leaves their definitions out of this call. Set where there
   * are any; they change only with a turn.
   */
  readonly absentTools?: readonly string[];
  /** Set when the context was compressed for this request. */
  readonly compression?: ContextCompression;
  /** For people; never for the model. */
  readonly notices: readonly ConversationNotice[];
}

/** Recalled text in its fence. */
export interface RecalledPart {
  /** Index of its message in those of the request. */
  readonly at: number;
  readonly part: Part;
  /** True for the mark of a long pause, which stands before the message's own parts. */
  readonly isBefore?: boolean;
}

/** What a compression made of a conversation. */
export interface ContextCompression {
  /** The session that ended, and the one that continues it. */
  readonly from: SessionId;
  readonly to: SessionId;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** True when it was prepared while the conversation went on, so that nobody waited for it. */
  readonly inBackground?: true;
  /** True when the model asked for it. */
  readonly byModel?: true;
  /** The report of the built-in engine. */
  readonly result?: CompressionResult;
}

/** Something that a person should know. */
export interface ConversationNotice {
  readonly type:
    | PressureNotice['type']
    | (
        | 'compressed'
        | 'summary_failed'
        | 'held_back'
        | 'window'
        | 'usage'
        | 'branched'
        | 'refused'
        | 'hook'
        | 'background'
        | 'memory'
        /** A call failed, and is sent again after a wait. */
        | 'waiting'
      );
  readonly level: PressureNotice['level'];
  /** One line for a person. */
  readonly message: string;
}

/** What became of a request. */
export type CallOutcome =
  | {
      readonly type: 'answered';
      /** What the model said; the client sends it again with its next request. */
      readonly reply: Message;
      /** As the provider reported it, in any of its shapes or in ours. */
      readonly usage?: unknown;
      /** `provider/model` that answered. @default the runtime's */
      readonly model?: string;
    }
  /** Whatever was thrown. */
  | { readonly type: 'failed'; readonly error: unknown }
  /** A person gave up, or the client went away: nothing is kept of what was said. */
  | {
      readonly type: 'aborted';
      /** True when the answer had begun: it is paid for, and counts as a call, without a price where no usage came. */
      readonly hasBegun?: boolean;
      /** What was reported of it, in any shape. */
      readonly usage?: unknown;
      /** `provider/model` that was asked. @default the runtime's */
      readonly model?: string;
    };

/** What the door does next. */
export type NextStep =
  | { readonly type: 'done'; readonly usage?: Usage; readonly notices: readonly ConversationNotice[] }
  /** Send this instead, after the wait. */
  | { readonly type: 'retry'; readonly prepared: PreparedContext; readonly waitMs: number }
  /** Tell the client; `advice` says what a person can do. */
  | { readonly type: 'give_up'; readonly error: unknown; readonly advice: string };

/** What was said since the last call, where no other call follows. */
export interface KeepRequest {
  /** The whole list, as the client would send it. */
  readonly messages: readonly Message[];
  /** The session that the messages belong to. @default the one that they continue */
  readonly sessionId?: SessionId;
}

// A compression that a person asks for.

/** Which conversation, and what its summary is to be about. */
export interface CompressRequest {
  /** The whole list, as the client would send it; what of it is new is kept first. @default what the store has */
  readonly messages?: readonly Message[];
  /** The session that is compressed, or any before it; needed where there are no messages. */
  readonly sessionId?: SessionId;
  /** Definitions of the tools, as they are sent. @default those of the newest request in this process */
  readonly tools?: readonly JsonValue[];
  /** A topic that gets most of the handoff. */
  readonly focusTopic?: string;
  /**
   * The model that goes on with the conversation, and its window in tokens: it is compressed for that window, while who writes its
   * summaries now still has all of it in the window, and perhaps in a cache. @default the model there is
   */
  readonly nextModel?: { readonly name: string; readonly contextLength: number };
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
  /** Messages of the conversation, without system prompts. */
  readonly messages: { readonly before: number; readonly after: number };
  /**
   * Why nothing was compressed: there is nothing to gain; another process is at it; a hook vetoed it; another engine removed the
   * newest request; what must stay is larger than the window; the result would have been larger; the model failed, and the window
   * holds the conversation.
   */
  readonly why?: 'nothing' | 'busy' | 'vetoed' | 'refused' | 'overflow' | 'would_grow' | 'model_failed';
  /** The report of the built-in engine, where it was asked, also where it changed nothing. */
  readonly result?: CompressionResult;
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

/** What background compressions of a process came to. Numbers of compressions, and tokens as reported, else estimated. */
export interface BackgroundReport {
  readonly started: number;
  /** Under way now, or waiting for their conversation's next request. */
  readonly open: number;
  readonly taken: number;
  /** Stopped, or made of what the conversation no longer begins with. */
  readonly discarded: number;
  /** Without a summary: the model failed, there was nothing to do, or a hook or another process was in the way. */
  readonly failed: number;
  /** What answered calls of the last two had read and written: it was paid for nothing. */
  readonly lostInputTokens: number;
  readonly lostOutputTokens: number;
}

/** Numbers that only grow. */
export type BackgroundCounts = { -readonly [K in Exclude<keyof BackgroundReport, 'open'>]: number };
