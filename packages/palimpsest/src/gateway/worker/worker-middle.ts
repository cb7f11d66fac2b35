/**
 * A middle in a worker of this process: started, listened to, and started again when it comes to an end. No stream waits for
 * what it does, and whatever becomes of it, requests go on as they came.
 */
import { PalimpsestError, type Timers } from '@palimpsest/core/settings';
import type { Middle } from '../middle.ts';
import type { ErrorData, News, Order, Say } from './messages.ts';
import { Near } from './near.ts';

/** What a worker is for this side; that of Node is one. */
export interface FarWorker<About> {
  postMessage(order: Order, handed: readonly ArrayBuffer[]): void;
  on(event: 'message', listener: (news: News<About>) => void): unknown;
  on(event: 'error', listener: (error: unknown) => void): unknown;
  on(event: 'exit', listener: () => void): unknown;
  terminate(): Promise<unknown>;
}

export interface WorkerMiddleOptions<About> {
  /** Starts a worker, which says `opened` or `unopened`. */
  readonly start: () => FarWorker<About>;
  readonly timers: Timers;
  /** Told in one line what a person should know. */
  readonly note: (line: string) => void;
}

export interface WorkerMiddle<About> extends Middle {
  /** What the first worker said of itself. */
  readonly about: About;
  /** Why requests go as they came at the moment; undefined while all is well. */
  trouble(): string | undefined;
  /** Lets the worker keep what has ended, and ends it. To be called when no request is open. */
  stop(): Promise<void>;
}

/** Between two signs of life. */
const beatMs = 1_000;
/** Beats after which nobody waits any more: several times what the largest compression takes. */
const patience = 20;
/** Beats after which a worker will not come back. */
const lost = 300;
/** The first pause before another one is started; each is twice as long. */
const firstPauseMs = 1_000;
const longestPauseMs = 60_000;
/** Beats after which what went wrong before is forgotten. */
const wellAfter = 60;
/** For what has to be kept at the end. */
const stopMs = 30_000;

/** @throws what the first worker could not do, with its code */
export async function openWorkerMiddle<About>(options: WorkerMiddleOptions<About>): Promise<WorkerMiddle<About>> {
  const keeper = new Keeper(options);
  const about = await keeper.opened;
  const { near } = keeper;
  return {
    about,
    prepare: (received) => near.prepare(received),
    trouble: () => near.trouble(),
    stop: () => keeper.stop(),
  };
}

class Keeper<About> {
  readonly near: Near;
  readonly opened: Promise<About>;
  readonly #options: WorkerMiddleOptions<About>;
  readonly #first: PromiseWithResolvers<About> = Promise.withResolvers<About>();
  #worker: FarWorker<About> | undefined;
  #hasOpened = false;
  /** True as soon as one has opened: from then on there is something to be started again. */
  #isBegun = false;
  /** What it died of. */
  #reason: string | undefined;
  #pauseMs: number = firstPauseMs;
  #missed = 0;
  #beats = 0;
  #stopClock = (): void => undefined;
  #stopped: PromiseWithResolvers<void> | undefined;

  constructor(options: WorkerMiddleOptions<About>) {
    this.#options = options;
    this.opened = this.#first.promise;
    const say: Say<Order> = (order, handed = []) => this.#worker?.postMessage(order, handed);
    this.near = new Near(say, options.timers);
    this.#start();
  }

  async stop(): Promise<void> {
    this.#stopClock();
    const stopped = Promise.withResolvers<void>();
    this.#stopped = stopped;
    try {
      await this.#end(stopped);
    } finally {
      // Whoever still waits for what an answer cost will not learn it.
      this.near.giveUp('stopped');
    }
  }

  async #end(stopped: PromiseWithResolvers<void>): Promise<void> {
    const worker = this.#worker;
    if (!worker || !this.#hasOpened) {
      await worker?.terminate();
      return;
    }
    this.near.handOver();
    worker.postMessage({ type: 'stop' }, []);
    const stopClock = this.#options.timers.after(stopMs, () => {
      this.#options.note(`The worker that keeps conversations did not end within ${stopMs / 1_000} s, and was ended.`);
      stopped.resolve();
    });
    await stopped.promise;
    stopClock();
    await worker.terminate();
  }

  #start(): void {
    this.#hasOpened = false;
    this.#reason = undefined;
    this.#missed = 0;
    this.#beats = 0;
    const worker = this.#made();
    if (!worker) {
      this.#ended();
      return;
    }
    this.#worker = worker;
    worker.on('message', (news) => this.#hear(news));
    worker.on('error', (error) => {
      this.#reason ??= reasonOf(error);
    });
    worker.on('exit', () => this.#ended());
    this.#stopClock = this.#options.timers.after(beatMs, this.#beat);
  }

  #made(): FarWorker<About> | undefined {
    try {
      return this.#options.start();
    } catch (error) {
      this.#reason = reasonOf(error);
      return undefined;
    }
  }

  #hear(news: News<About>): void {
    switch (news.type) {
      case 'opened':
        this.#isOpen(news.about);
        break;
      case 'unopened':
        this.#isUnopened(news.error);
        break;
      case 'pong':
        this.#isAlive();
        break;
      case 'note':
        this.#options.note(news.line);
        break;
      case 'stopped':
        this.#hasStopped();
        break;
      case 'prepared':
      case 'failed':
      case 'read':
      case 'cost':
        this.near.hear(news);
        break;
    }
  }

  #isOpen(about: About): void {
    this.#hasOpened = true;
    this.#isBegun = true;
    if (this.near.trouble() !== undefined) this.#options.note('Conversations are kept again.');
    this.near.goOn('anew');
    this.#first.resolve(about);
  }

  #isUnopened(error: ErrorData): void {
    this.#reason = error.message;
    this.#first.reject(errorOf(error));
    // Whatever it has begun keeps it from its end.
    void this.#worker?.terminate();
  }

  #hasStopped(): void {
    this.#stopped?.resolve();
  }

  #isAlive(): void {
    const isBack = this.#missed > patience;
    this.#missed = 0;
    if (!isBack) return;
    this.near.goOn('again');
    this.#options.note('Conversations are kept again.');
  }

  /** Counts beats and not the time, for a process that was stopped for a while has heard nothing either. */
  #beat = (): void => {
    this.#stopClock = this.#options.timers.after(beatMs, this.#beat);
    if (!this.#hasOpened) return;
    if (++this.#beats === wellAfter) this.#pauseMs = firstPauseMs;
    this.#missed++;
    if (this.#missed === 1) this.#worker?.postMessage({ type: 'ping' }, []);
    if (this.#missed === patience + 1) this.#trouble(`was silent for ${patience} s`);
    if (this.#missed === lost) {
      this.#reason = `it was silent for ${lost} s`;
      void this.#worker?.terminate();
    }
  };

  #ended(): void {
    this.#stopClock();
    this.#worker = undefined;
    this.#hasStopped();
    if (this.#stopped) return;
    const reason = this.#reason ?? 'for no reason that it told';
    this.#first.reject(new Error(`expected the worker that keeps conversations to start: ${reason}`));
    if (!this.#isBegun) return;
    const pauseMs = this.#pauseMs;
    this.#pauseMs = Math.min(2 * pauseMs, longestPauseMs);
    this.#trouble(`ended: ${reason}. It is started again in ${pauseMs / 1_000} s`);
    this.#stopClock = this.#options.timers.after(pauseMs, () => this.#start());
  }

  #trouble(why: string): void {
    const what = `the worker that keeps conversations ${why}`;
    this.#options.note(`${what}. Until it is back, requests go as they came.`);
    this.near.giveUp(what);
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') return 'it ran out of memory';
  return error.message;
}

const errorOf = ({ code, message, evidence }: ErrorData): Error =>
  // The code was one when it was told.
  code === undefined ? new Error(message) : new PalimpsestError(code as PalimpsestError['code'], message, { evidence });
