/**
 * The middle of a dry run: what is said stands in memory, and no more of it than so much. Over that, conversations begin anew in a store
 * of their own, from the whole lists that their clients send; a view of an earlier one is then a compression again.
 */
import { openStore, type Store } from '@palimpsest/core/store';
import { headerOf } from '../answers/packing.ts';
import type { Prepared, Received } from '../middle.ts';
import { type ConversationsMiddle, type ConversationsOptions, openConversations } from './open-conversations.ts';

export interface DryRunOptions extends Omit<ConversationsOptions, 'store' | 'isDryRun'> {
  /** Bytes of requests, each conversation counted once, after which it begins anew. @default 64 MiB */
  readonly mostBytes?: number;
  /** @default one in memory */
  readonly openStore?: () => Promise<Store>;
}

/** Some sixteen million tokens; with its index, a store takes several times as much. */
const usualMostBytes = 64 * 1_024 * 1_024;

/** What is said, from one beginning to the next. */
interface Stretch {
  readonly middle: ConversationsMiddle;
  readonly store: Store;
  /** The longest request of each conversation: it has the whole list. */
  readonly bytesOf: Map<string, number>;
  bytes: number;
  isOver: boolean;
}

/** Opens a middle that changes nothing and keeps nothing. Its stores are its own, and are closed when it stops. */
export async function openDryRun({
  mostBytes = usualMostBytes,
  openStore: open = () => openStore({ path: ':memory:' }),
  note = () => undefined,
  ...options
}: DryRunOptions): Promise<ConversationsMiddle> {
  const begin = async (): Promise<Stretch> => {
    const store = await open();
    const stretch: Stretch = {
      store,
      bytesOf: new Map(),
      bytes: 0,
      isOver: false,
      middle: openConversations({
        ...options,
        store,
        isDryRun: true,
        // What comes after its end is lost to nobody.
        note: (line) => {
          if (!stretch.isOver) note(line);
        },
      }),
    };
    return stretch;
  };
  let isTold = false;
  let current = Promise.resolve(await begin());
  /** The one before, whose requests may still wait for their upstreams. */
  let last: Stretch | undefined;
  let leaving: Promise<unknown> = Promise.resolve();
  const beginAnew = (full: Stretch): void => {
    if (!isTold)
      note(`A dry run holds ${megabytes(mostBytes)} MB of what is said: over that, conversations begin anew.`);
    isTold = true;
    if (last) leaving = Promise.allSettled([leaving, end(last)]);
    last = full;
    current = begin();
    // Whoever asks for it hears of it.
    current.catch(() => undefined);
  };
  return {
    prepare: async (received) => {
      const asked = current;
      const stretch = await asked;
      const prepared = await stretch.middle.prepare(received);
      count(stretch, prepared, received);
      if (stretch.bytes > mostBytes && current === asked) beginAnew(stretch);
      return prepared;
    },
    stop: async () => {
      for (const one of [last, await current]) if (one) await end(one);
      await leaving;
    },
  };
}

/** Text is packed to a tenth, seldom to less. */
const packedTimes = 10;

function count(stretch: Stretch, { told }: Prepared, { act, headers, body }: Received): void {
  const id = told?.conversationId ?? told?.sessionId;
  const bytes = headerOf(headers, 'content-encoding') === undefined ? body.length : packedTimes * body.length;
  if (id === undefined) {
    // What was kept before its request went out as it came belongs to nobody whose name is told.
    if (act === 'answer') stretch.bytes += bytes;
    return;
  }
  const before = stretch.bytesOf.get(id) ?? 0;
  if (bytes <= before) return;
  stretch.bytesOf.set(id, bytes);
  stretch.bytes += bytes - before;
}

async function end(stretch: Stretch): Promise<void> {
  stretch.isOver = true;
  await stretch.middle.stop();
  await stretch.store.close();
}

const megabytes = (bytes: number): number => Math.ceil(bytes / 1_024 / 1_024);
