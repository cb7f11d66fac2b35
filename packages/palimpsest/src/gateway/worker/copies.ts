/** Copies of the answers that pass, for the worker to read: few messages, and no more than so many bytes that wait for it. */
import { type CallTokens, isTraced } from '@palimpsest/core/tracing';
import type { AnswerEnd, Outcome, Watch } from '../middle.ts';
import type { Order, Say } from './messages.ts';

export class Copies {
  readonly #say: Say<Order>;
  readonly #mostUnread: number;
  readonly #open = new Map<number, Copy>();
  /** Who waits for what an answer cost. */
  readonly #costs = new Map<number, (tokens: CallTokens | undefined) => void>();
  #unread = 0;

  constructor(say: Say<Order>, mostUnread: number) {
    this.#say = say;
    this.#mostUnread = mostUnread;
  }

  /** Copies an answer whose head came. */
  watch(id: number, outcome: Outcome): Watch {
    const copy = new Copy(outcome);
    this.#open.set(id, copy);
    const hand = (end?: AnswerEnd): void => {
      const { bytes, ...about } = copy.taken();
      this.#unread += bytes?.length ?? 0;
      const asked = this.#costs.has(id) ? { isCostAsked: true as const } : {};
      const message = { type: 'heard', id, ...about, ...(end === undefined ? {} : { end, ...asked }) } as const;
      if (bytes) this.#say({ ...message, bytes }, [bytes.buffer]);
      else this.#say(message);
    };
    return {
      read: (bytes) => {
        if (copy.isForgotten) return;
        if (this.#unread + copy.length + bytes.length > this.#mostUnread) copy.lose();
        // It is counted, and not asked again; the client gets all the same.
        if (copy.isLost) throw new Error('expected a worker that reads answers as fast as they pass');
        copy.add(bytes);
        if (copy.length >= pieceBytes) hand();
      },
      end: (how) => {
        this.#open.delete(id);
        if (copy.isForgotten) return undefined;
        // What lacks a piece is no answer to keep: the next request of the conversation brings it.
        const cost = isTraced() ? this.#costOf(id) : undefined;
        hand(copy.isLost ? 'broken' : how);
        return cost;
      },
    };
  }

  /** Another try takes its place. */
  drop(id: number): void {
    this.#open.delete(id);
  }

  /** True while an answer passes: its end will be told. */
  isWatched(id: number): boolean {
    return this.#open.has(id);
  }

  /** What an answer cost is known, or never will be. */
  cost(id: number, tokens: CallTokens | undefined): void {
    this.#costs.get(id)?.(tokens);
    this.#costs.delete(id);
  }

  /** Nobody waits any more for what answers cost. */
  giveUp(): void {
    for (const id of this.#costs.keys()) this.cost(id, undefined);
  }

  /** The worker has read so many bytes. */
  read(bytes: number): void {
    // A worker that has just begun reads what was said to it before it was known of.
    this.#unread = Math.max(0, this.#unread - bytes);
  }

  /** The worker could not read this one. */
  failed(id: number): void {
    this.#open.get(id)?.lose();
  }

  /** The worker does not read this one, as is known. */
  forget(id: number): void {
    const copy = this.#open.get(id);
    if (!copy) return;
    copy.lose();
    copy.isForgotten = true;
  }

  /** There is another worker, which knows of nothing. */
  restart(): void {
    for (const copy of this.#open.values()) copy.lose();
    this.giveUp();
    this.#unread = 0;
  }

  #costOf(id: number): Promise<CallTokens | undefined> {
    return new Promise((resolve) => this.#costs.set(id, resolve));
  }
}

/** Bytes that go over together; the rest goes with the end of the answer. Most answers are smaller: one message. */
const pieceBytes = 64 * 1_024;
const firstBytes = 4 * 1_024;

/** What is not handed over yet of one answer. */
class Copy {
  isLost = false;
  /** True where nobody asks for more of it. */
  isForgotten = false;
  length = 0;
  #outcome: Outcome | undefined;
  #bytes = new Uint8Array(0);

  constructor(outcome: Outcome) {
    this.#outcome = outcome;
  }

  add(bytes: Uint8Array): void {
    const length = this.length + bytes.length;
    if (length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(length, firstBytes, Math.min(2 * this.#bytes.length, pieceBytes)));
      larger.set(this.#bytes.subarray(0, this.length));
      this.#bytes = larger;
    }
    this.#bytes.set(bytes, this.length);
    this.length = length;
  }

  lose(): void {
    this.isLost = true;
    this.#empty();
  }

  /** What there is, which the copy no longer has. The outcome is there once. */
  taken(): { readonly outcome?: Outcome; readonly bytes?: Uint8Array<ArrayBuffer> } {
    const outcome = this.#outcome;
    const bytes = this.#bytes.subarray(0, this.length);
    this.#outcome = undefined;
    this.#empty();
    return { ...(outcome ? { outcome } : {}), ...(bytes.length > 0 ? { bytes } : {}) };
  }

  #empty(): void {
    this.#bytes = new Uint8Array(0);
    this.length = 0;
  }
}
