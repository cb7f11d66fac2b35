/**
 * The side of the relay: a middle that asks one in a worker. A request waits here until the worker has room for it, so that
 * what it has not read does not grow; one that is sent anyway rests for a moment, and is read while its provider thinks. Where the worker is
 * in trouble, everything goes as it came.
 */

import type { Timers } from '@palimpsest/core/settings';
import { lookAt, mostHeld, startHeld, startShows } from '../answers/look.ts';
import { type Doing, headersFor, toldOf } from '../conversations/doing.ts';
import type { HeaderList, Middle, Outcome, Prepared, Received, Settlement } from '../middle.ts';
import { Copies } from './copies.ts';
import { Early } from './early.ts';
import { copyOf, type Order, type PreparedData, type Refusal, type Reply, type Say } from './messages.ts';

/** Bytes that may wait in the worker: bodies of requests, of which one that is larger goes alone, and copies of answers. */
export interface NearLimits {
  readonly mostBodies: number;
  readonly mostUnread: number;
}

/**
 * The most milliseconds for which a request that is sent stays here, and how many do. To read it takes about as much of the processor as
 * all the rest: sending it, and what others are sent in that moment, goes first. A provider takes many times as long to begin its answer.
 */
const restMs = 5;
const mostResting = 8;

/** Requests that are sent and not read yet: with more of them, those that follow wait, for the worker is slower than they come. */
const mostUnreadRequests = 256;

const megabyte = 1_024 * 1_024;
const usualLimits: NearLimits = { mostBodies: 128 * megabyte, mostUnread: 32 * megabyte };

/** A request, with all of its tries. */
interface Asking {
  readonly id: number;
  readonly received: Received;
  /** Set where it was sent before the worker has read it. */
  readonly early?: EarlySend;
}

interface EarlySend {
  /** Settles when it was read; true where it could be. */
  read: Promise<boolean>;
  /** True where the worker wants to hear what came of it, once that is known. */
  isHeard: boolean;
  /** True from when on its answer passes: the worker hears how that ends. */
  isPassing: boolean;
  /** True where the worker will not read it, which is counted once: nothing of its answer is copied. */
  isLost: boolean;
}

/** Somebody who waits for the worker. */
interface Asked extends Asking {
  readonly resolve: (next: Prepared | undefined) => void;
  readonly reject: (error: Error) => void;
}

/** A middle over whoever hears what is said. */
export class Near implements Middle {
  /** Hands over what rests, and then says it: what is said of a request comes after it. */
  readonly #say: Say<Order>;
  /** Says it as it is. */
  readonly #post: Say<Order>;
  readonly #copies: Copies;
  readonly #timers: Timers;
  readonly #limits: NearLimits;
  readonly #early = new Early();
  /** Not handed over yet, for there is no room, the oldest first. */
  readonly #line = new Set<Asked>();
  /** Sent, and handed over in a moment, the oldest first; there is room for all of them. */
  readonly #resting = new Set<Asked>();
  #endRest = (): void => undefined;
  readonly #asked = new Map<number, Asked>();
  /** Bytes that are in the worker, or have a place there, by request. */
  readonly #inside = new Map<number, number>();
  #insideBytes = 0;
  /** Requests that were sent before they were read, and that the worker is still to read, whoever waits for it. */
  readonly #unread = new Set<number>();
  #ids = 0;
  #trouble: string | undefined;
  /** True once a conversation went out with a handoff: its tokens are counted as it goes out, and not before. */
  #hasViews = false;

  constructor(say: Say<Order>, timers: Timers, limits: NearLimits = usualLimits) {
    this.#post = say;
    this.#say = (order, handed) => {
      this.handOver();
      say(order, handed);
    };
    this.#timers = timers;
    this.#limits = limits;
    this.#copies = new Copies(this.#say, limits.mostUnread);
  }

  /** Hands over at once what rests. */
  handOver(): void {
    this.#endRest();
    for (const one of this.#resting) {
      this.#resting.delete(one);
      this.#hand(one);
    }
  }

  trouble(): string | undefined {
    return this.#trouble;
  }

  prepare(received: Received): Promise<Prepared> {
    const isForWorker = received.act === 'answer' || (received.act === 'count' && this.#hasViews);
    if (!isForWorker) return Promise.resolve(passed(received));
    return this.#mayGo(received) ? this.#sentBefore(received) : this.#ask({ id: ++this.#ids, received });
  }

  hear(reply: Exclude<Reply, { readonly type: 'pong' }>): void {
    if (reply.type === 'read') {
      this.#copies.read(reply.bytes);
      return;
    }
    if (reply.type === 'cost') {
      this.#copies.cost(reply.id, reply.tokens);
      return;
    }
    const { id } = reply;
    const one = this.#asked.get(id);
    this.#asked.delete(id);
    this.#unread.delete(id);
    this.#release(id);
    this.#handLine();
    if (reply.type === 'prepared' && reply.next?.told?.isCompacted) this.#hasViews = true;
    if (reply.type === 'prepared') {
      const { wholeBelow, told } = reply.next ?? {};
      if (wholeBelow) this.#early.learn(wholeBelow, one?.received, told?.model);
      one?.resolve(reply.next && this.#preparedOf(reply.next, one));
    } else {
      // One that was sent before is counted by who waits for it.
      if (!one?.early) this.#copies.failed(id);
      one?.reject(new Error('the worker could not do it'));
    }
  }

  /** True for what goes as it came whatever the worker says, where the worker can take it now. */
  #mayGo(received: Received): boolean {
    if (received.act !== 'answer' || this.#trouble !== undefined || received.signal.aborted) return false;
    if (this.#unread.size >= mostUnreadRequests || this.#line.size > 0 || !this.#hasRoom(received.body.length))
      return false;
    return this.#early.mayGo(received);
  }

  /** Hands a request over: one that waits as soon as there is room, and one that was sent in a moment. */
  #ask(asking: Asking): Promise<Prepared> {
    const { received } = asking;
    return new Promise<Prepared>((resolve, reject) => {
      this.#refuseInTrouble();
      received.signal.throwIfAborted();
      const one: Asked = { ...asking, reject, resolve: (next) => resolve(next ?? { body: received.body }) };
      received.signal.addEventListener('abort', () => this.#leave(one), { once: true });
      if (asking.early) {
        this.#rest(one);
        return;
      }
      // The worker hears of all requests in the order in which they came.
      this.handOver();
      this.#line.add(one);
      this.#handLine();
    });
  }

  /** It goes now; the worker reads it meanwhile. What is known by then stands in the head of the answer. */
  #sentBefore(received: Received): Promise<Prepared> {
    const early: EarlySend = { read: Promise.resolve(true), isHeard: false, isPassing: false, isLost: false };
    const asking: Asking = { id: ++this.#ids, received: { ...received, isSent: true }, early };
    const prepared = {
      body: received.body,
      responseHeaders: sentHeaders,
      settle: (outcome: Outcome) => this.#settle(asking, outcome),
    };
    const read = this.#ask(asking).then((next) => {
      prepared.responseHeaders = next.responseHeaders ?? sentHeaders;
      early.isHeard = next.settle !== undefined;
      return next.told;
    });
    early.read = read.then(
      () => true,
      () => {
        early.isLost = true;
        this.#copies.forget(asking.id);
        return false;
      },
    );
    return Promise.resolve(Object.assign(prepared, { read }));
  }

  /** Lets everything that waits go as it came, and all that follows until `goOn`. */
  giveUp(why: string): void {
    this.#trouble = why;
    const asked = [...this.#asked.values()];
    const all = [...asked, ...this.#resting, ...this.#line];
    this.#endRest();
    for (const { id } of this.#resting) this.#release(id);
    this.#resting.clear();
    this.#unread.clear();
    for (const { id } of asked) this.#say({ type: 'left', id });
    this.#line.clear();
    this.#asked.clear();
    this.#copies.giveUp();
    for (const { reject } of all) reject(new Error(why));
  }

  /** The worker is back; `anew` where it is another one, which knows of nothing. */
  goOn(how: 'again' | 'anew'): void {
    this.#trouble = undefined;
    if (how === 'again') return;
    this.#early.forget();
    this.#inside.clear();
    this.#insideBytes = 0;
    this.#copies.restart();
  }

  #refuseInTrouble(): void {
    if (this.#trouble !== undefined) throw new Error(this.#trouble);
  }

  #handLine(): void {
    for (const next of this.#line) {
      if (!this.#hasRoom(next.received.body.length)) return;
      this.#line.delete(next);
      this.#reserve(next);
      this.#hand(next);
    }
  }

  /** Has its place in the worker from now on, and goes there in a moment. */
  #rest(one: Asked): void {
    this.#reserve(one);
    this.#unread.add(one.id);
    this.#resting.add(one);
    if (this.#resting.size === mostResting) this.handOver();
    if (this.#resting.size !== 1) return;
    const stopClock = this.#timers.after(restMs, () => this.handOver());
    this.#endRest = () => {
      stopClock();
      this.#endRest = () => undefined;
    };
  }

  #hand(next: Asked): void {
    const { id, reject } = next;
    const { signal: _, ...received } = next.received;
    try {
      const body = copyOf(received.body);
      this.#post({ type: 'prepare', id, received: { ...received, body } }, [body.buffer]);
      this.#asked.set(id, next);
    } catch (error) {
      // No memory for a copy: this one goes as it came, and nobody else hears of it.
      this.#release(id);
      this.#unread.delete(id);
      reject(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #reserve({ id, received }: Asked): void {
    const { length } = received.body;
    this.#inside.set(id, length);
    this.#insideBytes += length;
  }

  #release(id: number): void {
    this.#insideBytes -= this.#inside.get(id) ?? 0;
    this.#inside.delete(id);
  }

  #hasRoom(bytes: number): boolean {
    return this.#insideBytes === 0 || this.#insideBytes + bytes <= this.#limits.mostBodies;
  }

  /** Its client is gone: nobody waits for what comes of it, be it prepared or judged. */
  #leave(one: Asked): void {
    // Sent is sent: what was said is kept.
    if (this.#resting.has(one)) this.handOver();
    const wasInLine = this.#line.delete(one);
    const waits = wasInLine ? one : this.#asked.get(one.id);
    if (one.early?.isPassing && (waits === undefined || waits === one)) return;
    // Of an answer that passes, the end is told.
    if (!wasInLine && (waits !== undefined || !this.#copies.isWatched(one.id))) this.#say({ type: 'left', id: one.id });
    this.#asked.delete(one.id);
    waits?.reject(new Error('the client left'));
  }

  #preparedOf({ isHeard, ...data }: PreparedData, asking: Asking): Prepared {
    const { body = asking.received.body } = data;
    return { ...data, body, ...(isHeard ? { settle: (outcome) => this.#settle(asking, outcome) } : {}) };
  }

  #settle(asking: Asking, outcome: Outcome): Settlement | undefined {
    const { id } = asking;
    switch (lookAt(outcome)) {
      case 'watch':
        return this.#watch(asking, outcome);
      case 'judge': {
        const again = (start: Uint8Array, isWhole: boolean): Promise<Prepared | undefined> => {
          // What is refused is not heard of again.
          if (this.#trouble !== undefined) this.#say({ type: 'left', id });
          return this.#judged(asking, { outcome, start, isWhole });
        };
        return { judge: { maxBytes: mostHeld, again } };
      }
      case 'tell':
        this.#say({ type: 'heard', id, outcome });
        return undefined;
    }
  }

  /** The worker is asked for another try only where the start is an error: all others have no time to lose. */
  #watch(asking: Asking, outcome: Outcome): Settlement {
    if (asking.early) asking.early.isPassing = true;
    const watch = this.#copies.watch(asking.id, outcome);
    if (asking.early?.isLost) this.#copies.forget(asking.id);
    const held = outcome.type === 'answer' ? startHeld(outcome) : undefined;
    if (!held || outcome.type !== 'answer') return { watch };
    const again = async (start: Uint8Array, isWhole: boolean): Promise<Prepared | undefined> => {
      if (startShows(outcome.headers, start, isWhole) !== 'error') return undefined;
      const next = await this.#judged(asking, { outcome, start, isWhole });
      if (next) this.#copies.drop(asking.id);
      // The other try has a head of its own.
      if (next && asking.early) asking.early.isPassing = false;
      return next;
    };
    return { watch, judge: { ...held, again } };
  }

  async #judged(asking: Asking, { start, ...refusal }: Refusal): Promise<Prepared | undefined> {
    const { early, received } = asking;
    if (early) {
      this.handOver();
      const isRead = await early.read;
      // What could not be read, or is no turn, is not judged.
      if (!isRead || !early.isHeard || received.signal.aborted) return undefined;
    }
    return new Promise((resolve, reject) => {
      this.#refuseInTrouble();
      this.#asked.set(asking.id, { ...asking, resolve, reject });
      this.#say({ type: 'judge', id: asking.id, refusal: { ...refusal, start: copyOf(start) } });
    });
  }
}

/** Nothing is known of it, and nobody need be asked. */
const passed = ({ body }: Received): Prepared => ({
  body,
  responseHeaders: headersFor(otherAct),
  told: toldOf(otherAct),
});
/** Where the answer came before the request was read. */
const sentHeaders: HeaderList = [['x-palimpsest-action', 'sent']];

const otherAct: Doing = { type: 'passed', why: 'other-act' };
