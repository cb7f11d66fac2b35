/** One try to get an answer: sent once, judged before the client sees anything of it, and passed on at the client's pace. */
import type { Timers } from '@palimpsest/core/settings';
import type { CallTokens } from '@palimpsest/core/tracing';
import type { ClientAnswer } from './client.ts';
import { answerHeaders } from './headers.ts';
import type { Metrics } from './metrics.ts';
import type { AnswerEnd, Middle, Outcome, Prepared, Received, Settlement, Told, UpstreamFailure } from './middle.ts';
import type { AnswerHead, Call, UpstreamRequest, Upstreams } from './upstream.ts';

/** What a request needs on its way. */
export interface Exchange {
  readonly received: Received;
  readonly client: ClientAnswer;
  readonly middle: Middle;
  readonly upstreams: Upstreams;
  readonly metrics: Pick<Metrics, 'bytes' | 'firstByte' | 'middleFailed' | 'upstreamFailed'>;
  /** Told what the middle did, as soon as it is done. */
  readonly tell: (told: Told) => void;
  /** The request to the upstream, for what is to be sent. */
  readonly requestFor: (prepared: Prepared) => UpstreamRequest;
  /** Answers in place of the upstream. */
  readonly fail: (failure: UpstreamFailure) => void;
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number;
  readonly timers: Timers;
}

export interface AttemptParts {
  readonly exchange: Exchange;
  readonly prepared: Prepared;
  /** How many more may follow. */
  readonly triesLeft: number;
  /** When the request was whole. */
  readonly startedAt: number;
}

/** What came of a try: the answer has ended, or another try follows. */
export type Tried =
  | { readonly type: 'over'; readonly how: AnswerEnd; readonly usage: Promise<CallTokens | undefined> | undefined }
  | { readonly type: 'again'; readonly next: Prepared };

/**
 * `holding`: nothing came yet, or its start is kept back for the middle. `judging`: the middle looks at it. `passing`: the answer goes to
 * the client. `over`: nothing more happens here.
 */
type Stage = 'holding' | 'judging' | 'passing' | 'over';

export class Attempt {
  readonly #parts: AttemptParts;
  #stage: Stage = 'holding';
  #call: Call | undefined;
  #head: AnswerHead | undefined;
  #settlement: Settlement | undefined;
  #held: Buffer[] = [];
  #heldBytes = 0;
  /** What was read in this moment, and is on its way to the client. */
  readonly #passing: Buffer[] = [];
  /** How the upstream ended, which may be long before the client has everything. */
  #ended: 'whole' | UpstreamFailure | undefined;
  #isWaiting = false;
  #isWatched = true;
  /** Takes the clock of what is held back off again. */
  #stopClock: () => void = () => undefined;
  #resolve: (tried: Tried) => void = () => undefined;

  constructor(parts: AttemptParts) {
    this.#parts = parts;
  }

  /** Settles when the answer has ended, however it did, or is to be asked for again. */
  run(): Promise<Tried> {
    const { exchange, prepared } = this.#parts;
    const { signal } = exchange.received;
    return new Promise((resolve) => {
      this.#resolve = resolve;
      signal.addEventListener('abort', this.#leave, { once: true });
      this.#call = exchange.upstreams.send(exchange.requestFor(prepared), {
        head: (head) => this.#begin(head),
        bytes: (bytes) => this.#take(bytes),
        end: () => this.#upstreamEnded('whole'),
        failure: (failure) => this.#upstreamEnded(failure),
      });
      if (signal.aborted) this.#leave();
    });
  }

  // What comes from the upstream.

  #begin(head: AnswerHead): void {
    this.#head = head;
    this.#settle({ type: 'answer', status: head.status, headers: head.headers });
    const judge = this.#judge();
    if (!judge) this.#open();
    else if (judge.maxMs !== undefined) {
      this.#stopClock = this.#parts.exchange.timers.after(judge.maxMs, () => {
        if (this.#stage === 'holding') this.#open();
      });
    }
  }

  #take(bytes: Buffer): void {
    if (this.#stage === 'passing') this.#pass(bytes);
    if (this.#stage === 'passing' || this.#stage === 'over') return;
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    if (this.#stage === 'holding' && this.#isEnough()) this.#ask(false);
  }

  #isEnough(): boolean {
    const { maxBytes = 0, isEnough } = this.#judge() ?? {};
    if (this.#heldBytes >= maxBytes) return true;
    let enough = false;
    const isTold = this.#quietly(() => {
      enough = isEnough?.(Buffer.concat(this.#held)) ?? false;
    });
    return enough || !isTold;
  }

  #upstreamEnded(how: 'whole' | UpstreamFailure): void {
    this.#ended = how;
    if (how !== 'whole') this.#parts.exchange.metrics.upstreamFailed(this.#parts.exchange.received.dialect, how.kind);
    if (this.#stage === 'passing') this.#close(how);
    if (this.#stage !== 'holding') return;
    if (how !== 'whole' && !this.#head) this.#settle({ type: 'failure', failure: how });
    if (this.#judge()) this.#ask(how === 'whole');
    else this.#open();
  }

  // What the middle says.

  #settle(
    outcome:
      | Omit<Extract<Outcome, { type: 'answer' }>, 'triesLeft'>
      | Omit<Extract<Outcome, { type: 'failure' }>, 'triesLeft'>,
  ): void {
    const { prepared, triesLeft } = this.#parts;
    this.#quietly(() => {
      this.#settlement = prepared.settle?.({ ...outcome, triesLeft });
    });
  }

  /** Who judges the answer; nobody where no try is left. */
  #judge(): Settlement['judge'] {
    return this.#parts.triesLeft > 0 ? this.#settlement?.judge : undefined;
  }

  #ask(isWhole: boolean): void {
    this.#stage = 'judging';
    this.#stopClock();
    this.#call?.pause();
    const start = Buffer.concat(this.#held);
    const asked = async (): Promise<Prepared | undefined> => this.#judge()?.again(start, isWhole);
    asked()
      .catch(() => {
        const { metrics, received } = this.#parts.exchange;
        // Nobody is owed another try for a client that is gone.
        if (!received.signal.aborted) metrics.middleFailed();
        return undefined;
      })
      .then((next) => {
        if (this.#stage !== 'judging') return;
        if (!next) return this.#open();
        this.#call?.abort();
        this.#finish({ type: 'again', next });
      });
  }

  #quietly(act: () => void): boolean {
    try {
      act();
      return true;
    } catch {
      this.#parts.exchange.metrics.middleFailed();
      return false;
    }
  }

  // What goes to the client.

  /** Lets the answer go, or tells the client that there is none. */
  #open(): void {
    const { exchange, prepared, startedAt } = this.#parts;
    this.#stage = 'passing';
    if (!this.#head) {
      if (this.#ended !== undefined && this.#ended !== 'whole') exchange.fail(this.#ended);
      this.#over('broken');
      return;
    }
    exchange.metrics.firstByte(exchange.now() - startedAt);
    const headers = [...answerHeaders(this.#head.headers), ...(prepared.responseHeaders ?? [])];
    if (!exchange.client.begin({ ...this.#head, headers })) {
      // Nobody hears what else the upstream would say.
      this.#call?.abort();
      this.#over('broken');
      return;
    }
    for (const bytes of this.#held.splice(0)) this.#pass(bytes);
    this.#writeOrBreak();
    if (this.#ended !== undefined) this.#close(this.#ended);
    else if (!this.#isWaiting) this.#call?.resume();
  }

  /** What is read in one go is written in one go, before anything else is read: an event has its price as a piece of its own. */
  #pass(bytes: Buffer): void {
    this.#passing.push(bytes);
    if (this.#passing.length === 1) queueMicrotask(this.#writeOrBreak);
  }

  /** What goes wrong here costs one answer: nobody else would catch it. */
  #writeOrBreak = (): void => {
    try {
      this.#write();
    } catch {
      this.#parts.exchange.metrics.middleFailed();
      this.#call?.abort();
      this.#parts.exchange.client.breakOff();
      this.#over('broken');
    }
  };

  #write(): void {
    const [first, ...others] = this.#passing.splice(0);
    if (!first || this.#stage === 'over') return;
    const bytes = others.length === 0 ? first : Buffer.concat([first, ...others]);
    const { client, metrics } = this.#parts.exchange;
    metrics.bytes('answer', bytes.length);
    const hasRoom = client.write(bytes);
    if (this.#isWatched) this.#isWatched = this.#quietly(() => this.#settlement?.watch?.read(bytes));
    if (hasRoom || this.#isWaiting) return;
    this.#isWaiting = true;
    this.#call?.pause();
    client.onRoom(() => {
      this.#isWaiting = false;
      if (this.#stage === 'passing') this.#call?.resume();
    });
  }

  #close(how: 'whole' | UpstreamFailure): void {
    this.#write();
    const { client } = this.#parts.exchange;
    if (how === 'whole') client.end();
    else client.breakOff();
    this.#over(how === 'whole' ? 'whole' : 'broken');
  }

  #leave = (): void => {
    this.#call?.abort();
    this.#over('left');
  };

  #over(how: AnswerEnd): void {
    if (this.#stage === 'over') return;
    let usage: Promise<CallTokens | undefined> | undefined;
    this.#quietly(() => {
      // What a middle gives is not always what it should give, and who waits for it must not fail with it.
      usage = this.#settlement?.watch?.end(how)?.catch(() => undefined);
    });
    this.#finish({ type: 'over', how, usage });
  }

  #finish(tried: Tried): void {
    if (this.#stage === 'over') return;
    this.#stage = 'over';
    this.#stopClock();
    this.#parts.exchange.received.signal.removeEventListener('abort', this.#leave);
    this.#resolve(tried);
  }
}
