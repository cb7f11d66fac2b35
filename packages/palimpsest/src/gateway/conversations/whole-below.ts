/**
 * Sizes below which a request goes as it came whatever is known of its conversation, so that it need not wait to be read: small beside
 * the window of its model, by what the requests of that model had in tokens, and shorter than any list that a handoff stood for.
 */
import type { PreparedContext } from '@palimpsest/core';
import type { Store } from '@palimpsest/core/store';
import type { WholeBelow } from '../middle.ts';

/** A context that is sent, and the request that it is for. */
export interface SizedContext {
  /** The name of the model. */
  readonly name: string;
  /** Of the body as it came, and how many messages stand in it. */
  readonly bytes: number;
  readonly messages: number;
  readonly prepared: PreparedContext;
}

export interface WholeSizes {
  /** What follows from a context for other requests. */
  note(context: SizedContext): WholeBelow;
}

export interface WholeSizesOptions {
  readonly store: Store;
  /** Share of the window at which conversations are compressed. */
  readonly threshold: number;
  readonly now: () => number;
}

/** Of that share: tokens are counted late, and what one conversation has in bytes another has in tokens. */
const sureShare = 0.6;
/** Bytes of a token at most; JSON and prose have more, and random letters fewer. */
const mostBytes = 3;
/** How fast a model that was seen to have few bytes a token is taken to have more again. */
const easing = 1.05;
/** A client that goes back in a conversation sends a list that is shorter than the one the handoff was made of, and holds what it covers. */
const backShare = 0.5;
/** A model that does not take requests as they came, such as one without pictures, is asked about each for so long. */
const waryMs = 600_000;
/** Models that are remembered. */
const mostModels = 1_000;

/** The shortest list that a handoff stood for: of all processes that had this store. */
const metaKey = 'gateway:shortest-view';

export function openWholeSizes({ store, threshold, now }: WholeSizesOptions): WholeSizes {
  const bytesPerToken = new Map<string, number>();
  const waryUntil = new Map<string, number>();
  /** Nothing is sure until it was read. */
  let shortest = 0;
  store.meta.get(metaKey).then(
    (text) => {
      shortest = Number(text ?? Number.POSITIVE_INFINITY);
    },
    () => undefined,
  );
  const noteView = (bytes: number): WholeBelow => {
    const known = Math.floor(bytes * backShare);
    if (known < shortest) {
      shortest = known;
      store.meta.set(metaKey, String(known)).catch(() => undefined);
    }
    return { of: 'all', bytes: shortest };
  };
  const ratioOf = ({ name, bytes, prepared }: SizedContext): number => {
    const before = bytesPerToken.get(name) ?? mostBytes;
    const ratio = Math.min(mostBytes, before * easing, bytes / Math.max(1, prepared.size.tokens));
    if (bytesPerToken.size >= mostModels) bytesPerToken.clear();
    bytesPerToken.set(name, ratio);
    return ratio;
  };
  return {
    note(context) {
      const { name, messages, prepared } = context;
      if (!prepared.isWhole && prepared.messages.length < messages) return noteView(context.bytes);
      if (!prepared.isWhole) {
        if (waryUntil.size >= mostModels) waryUntil.clear();
        waryUntil.set(name, now() + waryMs);
      }
      const isWary = now() < (waryUntil.get(name) ?? 0);
      const sure = Math.floor(ratioOf(context) * sureShare * threshold * prepared.contextLength);
      return { of: 'model', bytes: isWary ? 0 : Math.min(shortest, sure) };
    },
  };
}
