/** What the calls of a run used and cost, and whether there is money for another one. */
import { estimateTextTokens, priceOf } from '@palimpsest/core';
import type { Usage } from '@palimpsest/core/usage';

/** What was used. Everything in it adds up. */
export interface ModelTotals {
  /** Requests that were sent, with those that failed. */
  readonly calls: number;
  /** Of these, the ones that repeat a failed one. */
  readonly retries: number;
  /** Summaries that could not be had, after all retries. */
  readonly errors: number;
  /** All that the model read. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** US dollars, of the calls whose price is known. */
  readonly costUsd: number;
  /** Answered calls whose tokens the provider did not report: they are estimated. */
  readonly unreported: number;
}

export const noTotals: ModelTotals = {
  calls: 0,
  retries: 0,
  errors: 0,
  inputTokens: 0,
  outputTokens: 0,
  costUsd: 0,
  unreported: 0,
};

export const addTotals = (a: ModelTotals, b: Partial<ModelTotals>): ModelTotals => ({
  calls: a.calls + (b.calls ?? 0),
  retries: a.retries + (b.retries ?? 0),
  errors: a.errors + (b.errors ?? 0),
  inputTokens: a.inputTokens + (b.inputTokens ?? 0),
  outputTokens: a.outputTokens + (b.outputTokens ?? 0),
  costUsd: a.costUsd + (b.costUsd ?? 0),
  unreported: a.unreported + (b.unreported ?? 0),
});

/** Whose prices: list prices of a model, or what was set, in US dollars for a million tokens. */
export interface Pricing {
  readonly model: string;
  readonly inputPrice: number | null;
  readonly outputPrice: number | null;
}

/** US dollars; undefined where the price is not known. */
export function costOf({ model, inputPrice, outputPrice }: Pricing, usage: Usage): number | undefined {
  const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage;
  if (inputPrice !== null && outputPrice !== null) {
    const prompt = inputTokens + cacheReadTokens + cacheWriteTokens;
    return (prompt * inputPrice + outputTokens * outputPrice) / 1_000_000;
  }
  const { status, amount } = priceOf(model, usage);
  return status === 'included' ? 0 : amount;
}

/** The usage of a call: reported, or estimated from its texts where nothing was. */
export function usageOf(
  reported: Usage | undefined,
  texts: { readonly prompt: string; readonly answer: string },
): { readonly usage: Usage; readonly isReported: boolean } {
  const { inputTokens, outputTokens } = reported ?? {};
  const isReported = inputTokens !== undefined && outputTokens !== undefined;
  const usage = {
    ...reported,
    inputTokens: inputTokens ?? estimateTextTokens(texts.prompt),
    outputTokens: outputTokens ?? estimateTextTokens(texts.answer),
  };
  return { usage, isReported };
}

/** Keeps the cost of all calls under a cap: each sets aside what it may cost before it is made. */
export class Purse {
  readonly #capUsd: number | undefined;
  readonly #waiting: (() => void)[] = [];
  #spentUsd: number;
  #asideUsd = 0;
  #isOver = false;

  constructor(capUsd: number | undefined, spentUsd: number) {
    this.#capUsd = capUsd;
    this.#spentUsd = spentUsd;
  }

  /** True once what may be spent is set aside; false where it would go over the cap, now and for all later calls. */
  async setAside(usd: number): Promise<boolean> {
    if (this.#capUsd === undefined) return true;
    while (!this.#isOver) {
      if (this.#spentUsd + this.#asideUsd + usd <= this.#capUsd) {
        this.#asideUsd += usd;
        return true;
      }
      // What is under way may cost less than was set aside for it.
      if (this.#asideUsd < 1e-12) this.#isOver = true;
      else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    return false;
  }

  /** The call is over, and cost so much. */
  settle(asideUsd: number, costUsd: number): void {
    if (this.#capUsd === undefined) return;
    this.#asideUsd = Math.max(0, this.#asideUsd - asideUsd);
    this.#spentUsd += costUsd;
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
