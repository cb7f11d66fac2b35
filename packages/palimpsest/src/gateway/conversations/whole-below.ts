/**
 * Sizes below which a request surely goes as it came, so that it need not wait to be read: small beside what its model is compressed
 * at, by what the requests of that model had in tokens, and smaller than half of any list that was compressed.
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
  /** A model does not take requests as they came, such as one without pictures: for a while none of them is sure. */
  beware(name: string): void;
}

/** Of the tokens from which on a conversation is compressed: they are counted late, and what one has in bytes another has in tokens. */
const sureShare = 0.6;
/** Bytes of a token at most; JSON and prose have more, and random letters fewer. */
const mostBytes = 3;
/** How fast a model that was seen to have few bytes a token is taken to have more again. */
const easing = 1.05;
/** A client that goes back in a conversation sends a shorter list than the handoff was made of, and one that holds what it covers. */
const backShare = 0.5;
const waryMs = 600_000;
/** Models that are remembered. */
const mostModels = 1_000;

export function openWholeSizes(store: Store, now: () => number): WholeSizes {
  const bytesPerToken = new Map<string, number>();
  const waryUntil = new Map<string, number>();
  const shortest = openShortest(store, now);
  const beware = (name: string): void => {
    if (waryUntil.size >= mostModels) waryUntil.clear();
    waryUntil.set(name, now() + waryMs);
  };
  const ratioOf = ({ name, bytes, prepared }: SizedContext): number => {
    const before = bytesPerToken.get(name) ?? mostBytes;
    const ratio = Math.min(mostBytes, before * easing, bytes / Math.max(1, prepared.size.tokens));
    if (bytesPerToken.size >= mostModels) bytesPerToken.clear();
    bytesPerToken.set(name, ratio);
    return ratio;
  };
  return {
    beware,
    note(context) {
      const { name, bytes, messages, prepared } = context;
      if (!prepared.isWhole && prepared.messages.length < messages) {
        const { compression } = prepared;
        // A view of long ago: how long the list was that it was made of is not known.
        const tokens = compression?.tokensBefore ?? (shortest.isKnown() ? undefined : bytes / mostBytes);
        if (tokens !== undefined) shortest.note(Math.floor(tokens * backShare));
        return { of: 'all', bytes: Math.floor(shortest.tokens() * mostBytes) };
      }
      if (!prepared.isWhole) beware(name);
      const ratio = ratioOf(context);
      if (now() < (waryUntil.get(name) ?? 0)) return { of: 'model', bytes: 0 };
      const tokens = Math.min(shortest.tokens(), sureShare * prepared.thresholdTokens);
      return { of: 'model', bytes: Math.floor(ratio * tokens) };
    },
  };
}

// Half of the shortest list that was compressed, kept for whoever has the store next.

const metaKey = 'gateway:shortest-compressed';
/** After so long, nobody goes back in that conversation any more. */
const validMs = 30 * 86_400_000;

interface Shortest {
  readonly tokens: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

interface ShortestList {
  /** Infinite where nothing was compressed, and 0 until that is known. */
  tokens(): number;
  /** Also where it was not read yet: then nothing is guessed. */
  isKnown(): boolean;
  note(tokens: number): void;
}

function openShortest(store: Store, now: () => number): ShortestList {
  let known: Shortest | undefined;
  let isRead = false;
  let isReading = false;
  /** The smaller one, for as long as either was to be known; what a clock says that is ahead is as of now. */
  const lesser = (one: Shortest | undefined, other: Shortest | undefined): Shortest | undefined => {
    const [a, b = a] = [one, other].filter((each) => each !== undefined && each.at > now() - validMs);
    if (!a || !b) return undefined;
    return { tokens: Math.min(a.tokens, b.tokens), at: Math.min(now(), Math.max(a.at, b.at)) };
  };
  /** Another process may have noted one, also since. */
  const read = async (): Promise<void> => {
    if (isReading) return;
    isReading = true;
    try {
      known = lesser(known, parsed(await store.meta.get(metaKey)));
      isRead = true;
    } finally {
      isReading = false;
    }
  };
  const keep = async (): Promise<void> => {
    known = lesser(known, parsed(await store.meta.get(metaKey)));
    if (known) await store.meta.set(metaKey, `${known.tokens} ${known.at}`);
  };
  // A store that cannot be read or written is tried with the next context.
  const quietly = (work: Promise<void>): void => {
    work.catch(() => undefined);
  };
  quietly(read());
  return {
    tokens() {
      if (!isRead) {
        quietly(read());
        return 0;
      }
      known = lesser(known, undefined);
      return known?.tokens ?? Number.POSITIVE_INFINITY;
    },
    isKnown: () => !isRead || known !== undefined,
    note(tokens) {
      known = lesser(known, { tokens, at: now() });
      quietly(keep());
    },
  };
}

function parsed(text: string | undefined): Shortest | undefined {
  const [, tokens, at] = /^(\d{1,15}) (\d{1,15})$/.exec(text ?? '') ?? [];
  return tokens === undefined ? undefined : { tokens: Number(tokens), at: Number(at) };
}
