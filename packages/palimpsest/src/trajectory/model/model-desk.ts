/** Asks a model for summaries: through one gate, with retries, within a cap, and nothing twice. */
import { estimateTextTokens, type PalimpsestError, type Summarizer, type SummarizerError } from '@palimpsest/core';
import type { CallClock, CallGate } from './call-gate.ts';
import { type CallFailure, type CallOutcome, callModel } from './one-call.ts';
import { keyOf, type PaidAnswers } from './paid-answers.ts';
import { costOf, type Pricing, Purse } from './spending.ts';
import { capReached, givenUp, isHopeless, isWorthRetrying, runFailure, stoppedBy, turnsAway } from './stop-reasons.ts';
import type { ModelUse, SummaryAnswer, SummaryAsk, SummaryDesk } from './summary-desk.ts';
import { summaryPrompt } from './summary-prompt.ts';

/** How a desk asks. */
export interface ModelDeskOptions {
  readonly summarizer: Summarizer;
  readonly gate: CallGate;
  readonly clock: CallClock;
  readonly answers: PaidAnswers;
  readonly pricing: Pricing;
  /** Undefined where the model takes none. */
  readonly temperature: number | undefined;
  readonly maxRetries: number;
  readonly retryDelayMs: number;
  /** US dollars. */
  readonly maxCost: number | undefined;
  /** What happens at the cap. */
  readonly onCap: 'stop' | 'ledger';
}

/** No wait between two attempts is longer, but where the provider asks for it. */
const longestDelayMs = 30_000;
/** So many summaries in a row that could not be had: it is no use to go on. */
const mostFailures = 20;

/** How long to wait before a retry, from 0: any time up to a bound that doubles (full jitter). */
export const retryDelay = (retry: number, baseMs: number, random: () => number): number =>
  Math.floor(random() * Math.min(longestDelayMs, baseMs * 2 ** retry));

/** One question, while it is worked on. */
interface Asking {
  readonly ask: SummaryAsk;
  readonly key: string;
  /** Halved after an answer that was too long. */
  targetTokens: number;
  /** Lower after a prompt that was too long. */
  contextLength: number | undefined;
  usedMs: number;
  calls: number;
}

type Attempt = CallOutcome['result'] | { readonly type: 'unaffordable' };

export class ModelDesk implements SummaryDesk {
  readonly #options: ModelDeskOptions;
  readonly #purse: Purse;
  readonly #stop = new AbortController();
  /** Ends calls that are under way. */
  readonly #closing = new AbortController();
  #stopReason: PalimpsestError | undefined;
  #underWay = 0;
  #failuresInRow = 0;
  #temperature: number | undefined;
  #isCapReached = false;

  constructor(options: ModelDeskOptions) {
    this.#options = options;
    this.#temperature = options.temperature;
    this.#purse = new Purse(options.maxCost, options.answers.totals().costUsd);
  }

  get stopped(): AbortSignal {
    return this.#stop.signal;
  }

  use(): ModelUse {
    const { answers, summarizer, pricing } = this.#options;
    const isPriced = costOf(pricing, { inputTokens: 1_000, outputTokens: 100 }) !== undefined;
    const cap = this.#isCapReached ? ({ capReached: true } as const) : {};
    return { model: summarizer.name, ...answers.totals(), isPriced, ...cap };
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('the run is over'));
    await this.#options.answers.close();
  }

  async ask(ask: SummaryAsk): Promise<SummaryAnswer> {
    const key = keyOf(ask.text, ask.targetTokens);
    const paid = this.#options.answers.answerTo(key);
    if (paid) return { type: 'text', ...paid, usedMs: 0 };
    const { targetTokens } = ask;
    const { contextLength } = this.#options.summarizer;
    try {
      return await this.#answer({ ask, key, targetTokens, contextLength, usedMs: 0, calls: 0 });
    } catch (error) {
      // The run is closed, or what was paid for cannot be kept.
      return this.#stopFor(runFailure(error));
    }
  }

  /** Asks until there is an answer, or no more use in asking. */
  async #answer(asking: Asking): Promise<SummaryAnswer> {
    const { maxRetries, answers, maxCost } = this.#options;
    for (let retries = 0; ; retries++) {
      const outcome = await this.#attempt(asking, retries > 0);
      const { calls, usedMs } = asking;
      if (outcome.type === 'text') return { type: 'text', text: outcome.text, calls, usedMs };
      if (outcome.type === 'unaffordable') {
        if (this.#options.onCap === 'stop') return this.#stopFor(capReached(maxCost ?? 0));
        this.#isCapReached = true;
        return { type: 'unasked' };
      }
      const { error } = outcome;
      if (isHopeless(error)) {
        await answers.add({ errors: 1 });
        return this.#stopFor(stoppedBy(error));
      }
      if (retries < maxRetries && this.#isRetried(asking, error)) {
        await this.#waitFor(asking, error, retries);
        continue;
      }
      await answers.add({ errors: 1 });
      if (++this.#failuresInRow >= mostFailures) return this.#stopFor(givenUp(error, mostFailures));
      return { type: 'failed', message: error.message, calls, usedMs };
    }
  }

  /** Whether it is asked again; what is known to have been wrong is changed before. */
  #isRetried(asking: Asking, error: SummarizerError): boolean {
    const { overflow, contextLength, status } = error.evidence;
    if (asking.usedMs >= asking.ask.withinMs) return false;
    if (overflow === true) {
      const read = typeof contextLength === 'number' ? contextLength : asking.contextLength;
      asking.contextLength = Math.floor((read ?? estimateTextTokens(asking.ask.text)) * 0.8);
      return true;
    }
    if (status === 400 && this.#temperature !== undefined && /temperature/i.test(error.message)) {
      this.#temperature = undefined;
      return true;
    }
    return isWorthRetrying(error);
  }

  async #waitFor(asking: Asking, error: SummarizerError, retry: number): Promise<void> {
    const { clock, retryDelayMs } = this.#options;
    // Those that a busy server turned away wait at the gate, with all others.
    if (turnsAway(error)) return;
    const ms = retryDelay(retry, retryDelayMs, clock.random);
    asking.usedMs += ms;
    if (ms > 0) await clock.wait(ms, this.#closing.signal);
  }

  async #attempt(asking: Asking, isRetry: boolean): Promise<Attempt> {
    const { gate, pricing, clock, retryDelayMs } = this.#options;
    const { contextLength, targetTokens } = asking;
    const prompt = summaryPrompt({ text: asking.ask.text, targetTokens, contextLength });
    const inputTokens = estimateTextTokens(prompt.system) + estimateTextTokens(prompt.prompt);
    const aside = costOf(pricing, { inputTokens, outputTokens: 2 * targetTokens }) ?? 0;
    if (!(await this.#purse.setAside(aside))) return { type: 'unaffordable' };
    await gate.enter(inputTokens + targetTokens);
    if (this.#stopReason) {
      gate.leave(inputTokens + targetTokens);
      return never();
    }
    const begunAt = clock.now();
    this.#underWay++;
    let costUsd = 0;
    try {
      const { result, used } = await this.#call(asking, prompt);
      costUsd = used.costUsd ?? 0;
      if (result.type === 'failed' && turnsAway(result.error))
        gate.turnedAway(begunAt, retryDelay(asking.calls - 1, retryDelayMs, clock.random));
      else if (result.type === 'text') this.#answered();
      const counted = { ...used, retries: isRetry ? 1 : 0 };
      const answer = result.type === 'text' ? { text: result.text, calls: asking.calls } : undefined;
      await this.#options.answers.add(counted, answer && { key: asking.key, answer });
      return result;
    } finally {
      asking.usedMs += clock.now() - begunAt;
      this.#purse.settle(aside, costUsd);
      gate.leave(inputTokens + targetTokens);
      this.#underWay--;
      this.#endWhenStopped();
    }
  }

  async #call(asking: Asking, prompt: ReturnType<typeof summaryPrompt>): Promise<CallOutcome> {
    const { summarizer, pricing, clock } = this.#options;
    asking.calls++;
    const withinMs = Math.max(1, asking.ask.withinMs - asking.usedMs);
    const options = { pricing, temperature: this.#temperature, withinMs, clock, closing: this.#closing.signal };
    const outcome = await callModel(summarizer, prompt, options);
    if (isTooLong(outcome.result)) asking.targetTokens = Math.max(20, Math.floor(asking.targetTokens / 2));
    return outcome;
  }

  #answered(): void {
    this.#options.gate.answered();
    this.#failuresInRow = 0;
  }

  /** No call is begun any more; what is under way is waited for. */
  #stopFor(reason: PalimpsestError): Promise<never> {
    this.#stopReason ??= reason;
    this.#endWhenStopped();
    return never();
  }

  #endWhenStopped(): void {
    if (this.#stopReason && this.#underWay === 0) this.#stop.abort(this.#stopReason);
  }
}

const isTooLong = (result: CallOutcome['result'] | CallFailure): boolean =>
  result.type === 'failed' && result.error.evidence.tooLong === true;

/** The run is over by then. */
const never = (): Promise<never> => new Promise(() => undefined);
