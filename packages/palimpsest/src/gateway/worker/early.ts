/**
 * Requests that need not wait for the worker: small beside the window of their model, they go as they came whatever it says. Sizes are
 * the worker's to know; here is only what it said last, for each model.
 */
import { headerOf } from '../answers/packing.ts';
import type { Received, WholeBelow } from '../middle.ts';

/** Models that are remembered; a client may name any. */
const mostModels = 1_000;

export class Early {
  /** Bytes, by dialect and model. */
  readonly #below = new Map<string, number>();
  /** Bytes for any model: shorter than what stands for a longer list. */
  #most = Number.POSITIVE_INFINITY;

  /** True for what goes as it came in any case. */
  mayGo(received: Received): boolean {
    const { length } = received.body;
    if (this.#below.size === 0 || length >= this.#most) return false;
    const key = keyOf(received);
    return key !== undefined && length < (this.#below.get(key) ?? 0);
  }

  /** What the worker said of a request. */
  learn(received: Received, { bytes, of }: WholeBelow): void {
    if (of === 'all') {
      this.#most = Math.min(this.#most, bytes);
      return;
    }
    const key = keyOf(received);
    if (key === undefined) return;
    if (this.#below.size >= mostModels) this.#below.clear();
    this.#below.set(key, bytes);
  }

  /** There is another worker: everything waits until it has spoken. */
  forget(): void {
    this.#below.clear();
    this.#most = Number.POSITIVE_INFINITY;
  }
}

function keyOf(received: Received): string | undefined {
  const model = isPlain(received) ? modelOf(received) : undefined;
  return model === undefined ? undefined : `${received.dialect} ${model}`;
}

/** A packed body has another size than what is in it. */
const isPlain = ({ headers }: Received): boolean => headerOf(headers, 'content-encoding') === undefined;

/** Clients name the model among the first members of a body, or behind the messages. */
const lookedAt = 2_048;
const member = /"model"\s*:\s*"([^"\\]{1,200})"/g;

/** The model that a body seems to ask for, by its first bytes and its last: the rest is read elsewhere. */
function modelOf({ path, body }: Received): string | undefined {
  const named = /\/(?:models|tunedModels)\/([^/:?]+):/.exec(path)?.[1];
  if (named !== undefined) return named;
  const textOf = (part: Uint8Array): string =>
    Buffer.from(part.buffer, part.byteOffset, part.length).toString('latin1');
  const [first] = textOf(body.subarray(0, lookedAt)).matchAll(member);
  return first?.[1] ?? [...textOf(body.subarray(-lookedAt)).matchAll(member)].at(-1)?.[1];
}
