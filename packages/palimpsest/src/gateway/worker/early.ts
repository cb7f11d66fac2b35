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

  /** True for what goes as it came in any case. */
  mayGo(received: Received): boolean {
    const model = this.#below.size === 0 ? undefined : seemingModel(received);
    return model !== undefined && received.body.length < (this.#below.get(keyOf(received, model)) ?? 0);
  }

  /** What the worker said of a request that names this model. */
  learn({ bytes, of }: WholeBelow, received: Received | undefined, model: string | undefined): void {
    if (of === 'all') {
      this.#lower(bytes);
      return;
    }
    if (model === undefined) return;
    // Its client left, so that its dialect is not known any more.
    if (!received) this.#lower(bytes, ` ${model}`);
    if (!received || seemingModel(received) !== model) return;
    if (this.#below.size >= mostModels) this.#below.clear();
    this.#below.set(keyOf(received, model), bytes);
  }

  #lower(bytes: number, end = ''): void {
    for (const [key, known] of this.#below) if (key.endsWith(end)) this.#below.set(key, Math.min(known, bytes));
  }

  /** There is another worker: everything waits until it has spoken. */
  forget(): void {
    this.#below.clear();
  }
}

const keyOf = ({ dialect }: Received, model: string): string => `${dialect} ${model}`;

/** Clients name the model among the first members of a body, or behind the messages. */
const lookedAt = 2_048;
const member = /"model"\s*:\s*"([^"\\]{1,200})"/g;

/** The model that a body seems to ask for, by its first bytes and its last; undefined where they name several, and for packed ones. */
function seemingModel({ path, headers, body }: Received): string | undefined {
  if (headerOf(headers, 'content-encoding') !== undefined) return undefined;
  const named = /\/(?:models|tunedModels)\/([^/:?]+):/.exec(path)?.[1];
  if (named !== undefined) return named;
  const textOf = (part: Uint8Array): string =>
    Buffer.from(part.buffer, part.byteOffset, part.length).toString('latin1');
  const parts = [body.subarray(0, lookedAt), body.subarray(-lookedAt)];
  const [model, ...others] = new Set(
    parts.flatMap((part) => [...textOf(part).matchAll(member)].map(([, name]) => name)),
  );
  return others.length === 0 ? model : undefined;
}
