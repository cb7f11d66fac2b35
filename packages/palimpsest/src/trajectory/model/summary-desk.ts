/** Where workers ask for summaries. One for a run, in the main thread: it knows of every call, and of what they cost. */
import type { ModelTotals } from './spending.ts';

/** What a worker asks for. */
export interface SummaryAsk {
  /** The turns, numbered, with who speaks. */
  readonly text: string;
  readonly targetTokens: number;
  /** Milliseconds that are left for the calls of this trajectory. */
  readonly withinMs: number;
}

/** What it hears. */
export type SummaryAnswer =
  | { readonly type: 'text'; readonly text: string; readonly calls: number; readonly usedMs: number }
  /** Nobody was asked: the ledger writes. */
  | { readonly type: 'unasked' }
  | { readonly type: 'failed'; readonly message: string; readonly calls: number; readonly usedMs: number };

/** Answers the workers of a run. */
export interface SummaryDesk {
  /** Never rejects. After a stop it does not settle: the run is over by then. */
  readonly ask: (ask: SummaryAsk) => Promise<SummaryAnswer>;
  /** Aborted, with a `PalimpsestError`, when the run cannot go on and no call is under way any more. */
  readonly stopped: AbortSignal;
  readonly use: () => ModelUse;
  /** Ends what is under way. */
  readonly close: () => Promise<void>;
}

/** What a model was asked in a run, with what an earlier one had asked that it goes on with. */
export interface ModelUse extends ModelTotals {
  /** `provider/model`. */
  readonly model: string;
  /** False where the price of a call is not known, so that `costUsd` is too low. */
  readonly isPriced: boolean;
  /** Set where the ledger wrote the rest, because no more may be spent. */
  readonly capReached?: true;
}
