/**
 * A compression that is prepared while the conversation goes on: its life, from the snapshot that it is made of to the
 * request that takes it, or to the moment from which on nobody can. Nothing of the conversation changes before that.
 */
import type { AheadPass } from '../../compression/compressor-pass.ts';
import type { SummaryCallReport } from '../../compression/summarize/run-plan.ts';
import type { Lease } from '../../store/session-store.ts';
import type { Message } from '../../transcript/message.ts';
import type { Snapshot } from './view.ts';

/** A compression in the background; a conversation has one at most. */
export interface Ahead {
  readonly snapshot: Snapshot;
  progress: AheadProgress;
  /** Fulfilled when the model is done with it, or was stopped; never rejected. */
  readonly done: Promise<void>;
  /** Nobody wants it any more. */
  readonly stop: () => void;
}

export type AheadProgress =
  | { readonly type: 'running' }
  | ({ readonly type: 'ready' } & ReadyAhead)
  /** It was taken, or came to nothing. */
  | { readonly type: 'over' };

/** What waits to be taken. */
export interface ReadyAhead {
  readonly pass: Extract<AheadPass<Message>, { type: 'ready' }>;
  readonly places: readonly number[];
  /** Of the models that wrote it. */
  readonly calls: readonly SummaryCallReport[];
  /** What a hook wants the new context to begin with. */
  readonly kept: string | null;
  readonly lease: HeldLease;
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

export const noBackground = (): BackgroundCounts => ({
  started: 0,
  taken: 0,
  discarded: 0,
  failed: 0,
  lostInputTokens: 0,
  lostOutputTokens: 0,
});

/** A lease that is given a new end again and again until it rests or is released. */
export interface HeldLease {
  /** As it is now; the store refuses what is done under one that was lost. */
  current(): Lease;
  /** Gives it a new end; never throws. */
  renew(): Promise<void>;
  /** Taken again after its release; undefined when somebody else has it by now. */
  resumed(): Promise<Lease | undefined>;
  release(): Promise<void>;
}
