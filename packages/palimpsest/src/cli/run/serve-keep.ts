/** What `palimpsest serve` keeps, in its worker: the store, who writes the summaries, and the middle over both. */
import type { Summarizer } from '@palimpsest/core';
import { platformTimers } from '@palimpsest/core/settings';
import { openDryRun } from '../../gateway/conversations/dry-run.ts';
import { type ConversationsMiddle, openConversations } from '../../gateway/conversations/open-conversations.ts';
import { openStoreFor } from '../open-store.ts';
import { given, tokenCountOf } from '../option-values.ts';
import { heardSettings, readSettings } from '../settings.ts';
import type { Surroundings } from '../terminal.ts';
import { chooseWriter, type WriterFlags } from '../writer/choose-writer.ts';
import type { AboutKept, KeepFlags } from './serve-conversations.ts';
import { serveSettings } from './serve-settings.ts';

/** The conversations that go through the gateway, and where they are kept. */
export interface Keeping {
  readonly middle: ConversationsMiddle;
  readonly about: AboutKept;
  close(): Promise<void>;
}

/** Somebody waits for an answer: what is not kept so soon goes on in memory until it can be. */
const busyMilliseconds = 2_000;

/** Opens the store, and whatever writes into it. */
export async function openKeeping(
  flags: KeepFlags,
  { surroundings, note }: { readonly surroundings: Surroundings; readonly note: (line: string) => void },
): Promise<Keeping> {
  const loaded = await readSettings(surroundings);
  const { own } = loaded;
  const settings = serveSettings(loaded);
  const isDryRun = flags.dryRun === true;
  const writer = isDryRun ? { notes: [] } : await writerFor(flags, surroundings);
  const { contextLength: typed } = flags;
  const contextLength = typed === undefined ? own.config.model.contextLength : tokenCountOf('--context-length', typed);
  const isSet = own.settings.some(({ key }) => key === 'compression.threshold');
  const { threshold, ...compression } = own.config.compression;
  const options = {
    note,
    later: platformTimers,
    config: isSet ? { ...compression, threshold } : compression,
    ...given({ summarizer: writer.summarizer, contextLength: contextLength ?? undefined }),
  };
  const about = { gateway: settings.gateway, writer: writer.summarizer?.name };
  if (isDryRun) {
    const middle = await openDryRun(options);
    return { middle, about: { ...about, path: undefined, notes: settings.notes }, close: () => middle.stop() };
  }
  const opening = { mayBeNew: true, busyMilliseconds, gathersWrites: true };
  const { store, path, notes } = await openStoreFor(flags, surroundings, opening);
  const middle = openConversations({ ...options, store });
  return {
    middle,
    about: { ...about, path, notes: [...settings.notes, ...writer.notes, ...notes] },
    close: async () => {
      await middle.stop();
      await store.close();
    },
  };
}

interface ChosenWriter {
  readonly summarizer?: Summarizer;
  readonly notes: readonly string[];
}

/** Who was typed, else who is configured; else the ledger writes. */
async function writerFor(flags: WriterFlags, surroundings: Surroundings): Promise<ChosenWriter> {
  const heard = await heardSettings(surroundings);
  const { first, isNamed, notes } = chooseWriter(flags, heard);
  if (first === undefined) return { notes };
  const { loadWriter } = await import('../writer/load-writer.ts');
  const timeouts = heard.own.config.auxiliary.compression;
  const loaded = await loadWriter({ first, isNamed }, { env: surroundings.env, timeouts });
  return { summarizer: loaded.first, notes };
}
