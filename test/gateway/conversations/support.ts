/** A gateway that keeps conversations on the other side of a channel, before a fake provider, and what it made of every body. */
import { openStore, type Store } from '@palimpsest/core/store';
import { type FakeProvider, type FakeProviderOptions, startFakeProvider } from '@palimpsest/core/testing';
import {
  type ConversationsOptions,
  openConversations,
} from '../../../packages/palimpsest/src/gateway/conversations/open-conversations.ts';
import type { Middle } from '../../../packages/palimpsest/src/gateway/middle.ts';
import { across } from '../support/across.ts';
import { gatewayBefore, type TestGateway } from '../support/gateway.ts';

export interface Kept extends AsyncDisposable {
  readonly url: string;
  readonly provider: FakeProvider;
  readonly store: Store;
  /** Settles when all answers that have ended are being kept: the store has them for whoever asks it then. */
  readonly settled: () => Promise<void>;
  /** Lines for people. */
  readonly notes: readonly string[];
  /** Lines of the gateway itself. */
  readonly told: readonly string[];
  /** By request: the bytes that came, and those that were sent first. */
  readonly bodies: readonly { readonly came: Buffer; readonly sent: Buffer }[];
}

interface KeptOptions extends Omit<ConversationsOptions, 'store' | 'note'> {
  /** @default one in memory, which is closed with the gateway */
  readonly store?: Store;
  /** True for a middle on the side of the relay, whose spans belong to those of the request. @default false */
  readonly isInside?: boolean;
  /** True where requests that need not wait do not: by chance they are sent before they are read. @default false */
  readonly isEager?: boolean;
}

/** Starts a provider, a store and a gateway between. */
export async function keptGateway(
  fake: FakeProviderOptions,
  { store: given, isInside = false, isEager = false, ...options }: KeptOptions = {},
): Promise<Kept> {
  const provider = await startFakeProvider(fake);
  const store = given ?? (await openStore({ path: ':memory:' }));
  const notes: string[] = [];
  const bodies: { came: Buffer; sent: Buffer }[] = [];
  const told: string[] = [];
  const kept = openConversations({ ...options, store, note: (line) => notes.push(line) });
  const { near, heard: settled, ...channel } = across(kept);
  const middle: Middle = {
    prepare: async (received) => {
      const prepared = await (isInside ? kept : near).prepare(received);
      if (!isEager) await prepared.read?.catch(() => undefined);
      bodies.push({ came: Buffer.from(received.body), sent: Buffer.from(prepared.body) });
      return prepared;
    },
  };
  const gateway: TestGateway = await gatewayBefore(provider.url, {}, { middle, note: (line) => told.push(line) });
  return {
    ...{ url: gateway.url, provider, store, settled, notes, told, bodies },
    [Symbol.asyncDispose]: async () => {
      await gateway.end();
      await settled();
      channel[Symbol.dispose]();
      await kept.stop();
      await provider.close();
      if (!given) await store.close();
    },
  };
}

/** A file of some 700 tokens that no other is like. */
export const fileOf = (step: number): string =>
  Array.from(
    { length: 24 },
    (_, row) =>
      `row ${row} of part-${step}.csv: order ORD-${step}${row}77 was shipped to bay ${row % 7}, weight ${step * 31 + row} kg`,
  ).join('\n');

/** Asks for a file with each answer, up to a number of them. */
export const readsFiles =
  (steps: number): NonNullable<FakeProviderOptions['script']> =>
  ({ number }) =>
    number > steps
      ? { text: 'All files are read.' }
      : { text: `Now part ${number}.`, toolCalls: [{ name: 'read_file', input: { path: `data/part-${number}.csv` } }] };
