/** Lets calls of a model through: at most so many at once, and none while the provider asks to wait. One for all calls. */
import { limitNews } from './rate-limits.ts';

/** Time and chance of the calls; tests bring their own. */
export interface CallClock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Resolves after so many milliseconds; rejects with the signal's reason when that is called off. */
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** From 0 to below 1. */
  readonly random: () => number;
}

interface Waiting {
  readonly tokens: number;
  readonly letIn: () => void;
}

interface Left {
  readonly left: number;
  readonly until: number;
}

/** A provider that says more than that of when a limit ends is asked again before. */
const longestMs = 600_000;

export class CallGate {
  readonly #most: number;
  readonly #clock: CallClock;
  readonly #waiting: Waiting[] = [];
  readonly #allowances = new Map<string, Left>();
  /** Calls that may run at once now: halved where the provider has too much to do, and slowly more again. */
  #width: number;
  #calls = 0;
  #tokens = 0;
  #pausedUntil = 0;
  #halvedAt = Number.NEGATIVE_INFINITY;
  #wakesAt = Number.POSITIVE_INFINITY;

  constructor(most: number, clock: CallClock) {
    this.#most = most;
    this.#width = most;
    this.#clock = clock;
  }

  /** Waits until a call of so many tokens may be made. */
  enter(tokens: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ tokens, letIn: resolve });
      this.#pump();
    });
  }

  /** The call is over. */
  leave(tokens: number): void {
    this.#calls--;
    this.#tokens -= tokens;
    this.#pump();
  }

  /** A call was answered. */
  answered(): void {
    this.#width = Math.min(this.#most, this.#width + 1 / this.#width);
  }

  /** A call that began at that time was turned away: all wait, and fewer go at once. */
  turnedAway(begunAt: number, waitMs: number): void {
    const now = this.#clock.now();
    this.#pausedUntil = Math.max(this.#pausedUntil, now + Math.min(waitMs, longestMs));
    // Those that were under way at the same time say the same thing again.
    if (begunAt < this.#halvedAt) return;
    this.#halvedAt = now;
    this.#width = Math.max(1, this.#width / 2);
  }

  /** What an answer says of limits. */
  heard(headers: Headers, status: number): void {
    const now = this.#clock.now();
    const { waitMs, allowances } = limitNews(headers, status, now);
    if (waitMs !== undefined) this.#pausedUntil = Math.max(this.#pausedUntil, now + Math.min(waitMs, longestMs));
    for (const { kind, left, until } of allowances)
      this.#allowances.set(kind, { left, until: Math.min(until, now + longestMs) });
  }

  #pump(): void {
    for (let [first] = this.#waiting; first; [first] = this.#waiting) {
      if (this.#calls >= Math.floor(this.#width)) return;
      const at = this.#openAt(first.tokens);
      if (at > this.#clock.now()) {
        this.#wakeAt(at);
        return;
      }
      this.#waiting.shift();
      this.#calls++;
      this.#tokens += first.tokens;
      first.letIn();
    }
  }

  /** When a call of so many tokens may be made, where no answer comes before. */
  #openAt(tokens: number): number {
    const now = this.#clock.now();
    let at = this.#pausedUntil;
    for (const [kind, { left, until }] of this.#allowances) {
      if (until <= now) this.#allowances.delete(kind);
      else if (!this.#isLeft(kind, left, tokens)) at = Math.max(at, until);
    }
    return at;
  }

  /** What is under way may not have been counted yet. */
  #isLeft(kind: string, left: number, tokens: number): boolean {
    // Some tell several of a kind, such as `requests-day` and `requests-minute`.
    if (kind.startsWith('requests')) return left - this.#calls >= 1;
    return kind.startsWith('output-tokens') ? left > 0 : left - this.#tokens >= tokens;
  }

  #wakeAt(at: number): void {
    if (at >= this.#wakesAt) return;
    this.#wakesAt = at;
    const wake = (): void => {
      if (this.#wakesAt === at) this.#wakesAt = Number.POSITIVE_INFINITY;
      this.#pump();
    };
    void this.#clock.wait(at - this.#clock.now()).then(wake, wake);
  }
}
