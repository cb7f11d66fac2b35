/** The side of the worker: a middle as the relay would have it, asked by messages. */
import { setTimeout } from 'node:timers/promises';
import type { LocalAnswer, Middle, Outcome, Prepared, Received, Settlement, Watch } from '../middle.ts';
import { copyOf, type Order, type PreparedData, type Reply, type Say } from './messages.ts';

/** One request, as long as there is something to hear of it. */
interface Call {
  readonly id: number;
  readonly received: Received;
  readonly controller: AbortController;
  prepared: Prepared | undefined;
  settlement: Settlement | undefined;
  isLeft: boolean;
  /** True for an answer that is judged by its start, and read where that lets it pass. */
  isReading: boolean;
  /** What was heard while it was prepared, for it was sent before; undefined from then on. */
  waiting: OrderOf<'heard'>[] | undefined;
}

type OrderOf<T extends Order['type']> = Extract<Order, { readonly type: T }>;

/** How many bytes of answers are read before it is told: far fewer than may wait. */
const readBytes = 64 * 1_024;

/** How long the stop waits for what was sent before it was read: a model may write a summary for it. */
const patienceMs = 10_000;

/** Answers for a middle. */
export class Far {
  readonly #middle: Middle;
  readonly #say: Say<Reply>;
  readonly #calls = new Map<number, Call>();
  readonly #work = new Set<Promise<void>>();
  /** Bytes of answers that were read and not told. */
  #read = 0;

  constructor(middle: Middle, say: Say<Reply>) {
    this.#middle = middle;
    this.#say = say;
  }

  /** Does what the near side says; what goes wrong is told, and never thrown. */
  hear(order: Exclude<Order, { readonly type: 'stop' }>): void {
    switch (order.type) {
      case 'prepare':
        this.#prepare(order);
        break;
      case 'judge':
        this.#judge(order);
        break;
      case 'heard':
        this.#listen(order);
        break;
      case 'left':
        this.#leave(this.#calls.get(order.id));
        break;
      case 'ping':
        this.#say({ type: 'pong' });
    }
  }

  /** Settles what nobody will hear of any more, and waits for what is being prepared. */
  async finish(): Promise<void> {
    for (const call of this.#calls.values()) this.#leave(call);
    const done = this.#idle();
    await Promise.race([done, setTimeout(patienceMs, undefined, { ref: false })]);
    for (const call of this.#calls.values()) call.controller.abort();
    await done;
  }

  async #idle(): Promise<void> {
    while (this.#work.size > 0) await Promise.all(this.#work);
  }

  #prepare({ id, received }: OrderOf<'prepare'>): void {
    const controller = new AbortController();
    const whole: Received = { ...received, signal: controller.signal };
    const call: Call = {
      id,
      controller,
      received: whole,
      prepared: undefined,
      settlement: undefined,
      isLeft: false,
      isReading: false,
      waiting: [],
    };
    this.#calls.set(id, call);
    this.#begin(call, async () => this.#middle.prepare(whole));
  }

  #judge({ id, refusal: { outcome, start, isWhole } }: OrderOf<'judge'>): void {
    const call = this.#calls.get(id);
    if (!call) {
      this.#say({ type: 'failed', id });
      return;
    }
    this.#begin(call, async () => {
      const settlement = call.prepared?.settle?.(outcome);
      call.isReading = settlement?.watch !== undefined;
      return settlement?.judge?.again(start, isWhole);
    });
  }

  #listen(order: OrderOf<'heard'>): void {
    const { id, outcome, bytes, end, isCostAsked } = order;
    const call = this.#calls.get(id);
    if (call?.waiting) {
      call.waiting.push(order);
      return;
    }
    const size = bytes?.length ?? 0;
    if (!call) {
      this.#countRead(size);
      if (isCostAsked) this.#say({ type: 'cost', id, tokens: undefined });
      return;
    }
    let cost: ReturnType<Watch['end']>;
    const isRead = quietly(() => {
      if (outcome) call.settlement = call.prepared?.settle?.(outcome);
      if (bytes) call.settlement?.watch?.read(bytes);
      if (end !== undefined) cost = call.settlement?.watch?.end(end);
    });
    // What it used is known when it was read, the last piece too, which may wait until it is kept.
    const read = (): void => this.#countRead(size);
    if (cost) void cost.then(read, read);
    else read();
    if (isCostAsked) void this.#tellCost(id, cost);
    if (!isRead) this.#say({ type: 'failed', id });
    if (!isRead || end !== undefined || !call.settlement) this.#calls.delete(id);
  }

  async #tellCost(id: number, cost: ReturnType<Watch['end']>): Promise<void> {
    const tokens = await Promise.resolve(cost).catch(() => undefined);
    this.#say({ type: 'cost', id, tokens });
  }

  /** Not for each answer a message: most are small. */
  #countRead(bytes: number): void {
    this.#read += bytes;
    if (this.#read < readBytes) return;
    this.#say({ type: 'read', bytes: this.#read });
    this.#read = 0;
  }

  #leave(call: Call | undefined): void {
    // Sent before it was read, it may have been answered by now.
    if (!call || call.waiting?.some(({ end }) => end !== undefined)) return;
    call.isLeft = true;
    // What was sent is kept, though its answer will not be.
    if (!call.received.isSent || !call.waiting) call.controller.abort();
    // While it is being prepared or judged, nothing is there yet; what is being read hears its end.
    if (call.prepared && !call.settlement) this.#dismiss(call);
  }

  /** Does something that takes time for a request, and says what came of it. */
  #begin(call: Call, act: () => Promise<Prepared | undefined>): void {
    const done = act()
      .then((next) => this.#tell(call, next))
      .catch(() => {
        this.#calls.delete(call.id);
        this.#say({ type: 'failed', id: call.id });
        this.#hearWaiting(call);
      })
      .finally(() => this.#work.delete(done));
    this.#work.add(done);
  }

  async #tell(call: Call, next: Prepared | undefined): Promise<void> {
    // A judge that lets an answer pass which is read: the rest of it is still to be heard.
    if (!next && call.isReading) {
      this.#say({ type: 'prepared', id: call.id, next: undefined });
      return;
    }
    call.prepared = next;
    call.isReading = false;
    if (!next?.settle || next.answer) this.#calls.delete(call.id);
    else if (call.isLeft) this.#dismiss(call);
    const data = next && (await dataOf(next, call.received.body));
    const bytes = [data?.body, data?.answer?.body].filter((body) => body !== undefined).map(({ buffer }) => buffer);
    this.#say({ type: 'prepared', id: call.id, next: data }, bytes);
    this.#hearWaiting(call);
  }

  /** It is prepared, or never will be: what was heard meanwhile is heard now. */
  #hearWaiting(call: Call): void {
    const { waiting = [] } = call;
    call.waiting = undefined;
    for (const order of waiting) this.#listen(order);
  }

  /** What was prepared and will not be sent, or whose answer nobody sees. */
  #dismiss(call: Call): void {
    this.#calls.delete(call.id);
    quietly(() => call.prepared?.settle?.(unsent));
  }
}

const unsent: Outcome = {
  type: 'failure',
  failure: { kind: 'broken', isSent: false, reason: 'the client left' },
  triesLeft: 0,
};

function quietly(act: () => void): boolean {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}

/** With bytes that share memory with nothing else, so that they can be handed over. */
type Handed = PreparedData & {
  readonly body: Uint8Array<ArrayBuffer> | undefined;
  readonly answer?: { readonly body: Uint8Array<ArrayBuffer> };
};

async function dataOf({ body, answer, settle, read: _, ...rest }: Prepared, came: Uint8Array): Promise<Handed> {
  return {
    ...rest,
    body: body === came || answer ? undefined : copyOf(body),
    ...(answer ? { answer: { ...answer, body: await whole(answer) } } : {}),
    isHeard: settle !== undefined,
  };
}

async function whole({ body }: LocalAnswer): Promise<Uint8Array<ArrayBuffer>> {
  return copyOf(body instanceof Uint8Array ? body : Buffer.concat(await Array.fromAsync(body)));
}
