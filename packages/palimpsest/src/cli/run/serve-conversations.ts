/** What `palimpsest serve` keeps: the store, who writes the summaries, and the middle over both. */
import type { Summarizer } from '@palimpsest/core';
import { openStore } from '@palimpsest/core/store';
import type { LoadedConfig } from '../../config/load.ts';
import { type ConversationsMiddle, openConversations } from '../../gateway/conversations/open-conversations.ts';
import { openStoreFor } from '../open-store.ts';
import { bothGiven, given, tokenCountOf } from '../option-values.ts';
import { heardSettings } from '../settings.ts';
import type { Terminal } from '../terminal.ts';
import { chooseWriter, type WriterFlags } from '../writer/choose-writer.ts';

export interface KeepFlags extends WriterFlags {
  readonly store?: string;
  readonly contextLength?: string;
  readonly dryRun?: boolean;
  readonly relay?: boolean;
}

/** The conversations that go through the gateway, and where they are kept. */
export interface Kept {
  readonly middle: ConversationsMiddle;
  /** The file of the store; undefined for a dry run, which keeps nothing. */
  readonly path: string | undefined;
  /** The model that writes the summaries; undefined for the ledger. */
  readonly writer: string | undefined;
  readonly notes: readonly string[];
  close(): Promise<void>;
}

interface Keeping {
  readonly own: LoadedConfig;
  readonly terminal: Terminal;
  readonly note: (line: string) => void;
}

/** Somebody waits for an answer: what is not kept so soon goes on in memory until it can be. */
const busyMilliseconds = 2_000;

/** Undefined for a gateway that passes everything on. */
export async function openKept(flags: KeepFlags, { own, terminal, note }: Keeping): Promise<Kept | undefined> {
  if (flags.relay === true && flags.dryRun === true) throw bothGiven('--relay', '--dry-run');
  if (flags.relay === true) return undefined;
  const isDryRun = flags.dryRun === true;
  const writer = isDryRun ? { notes: [] } : await writerFor(flags, terminal);
  const { contextLength: typed } = flags;
  const contextLength = typed === undefined ? own.config.model.contextLength : tokenCountOf('--context-length', typed);
  const opened = isDryRun
    ? { store: await openStore({ path: ':memory:' }), path: undefined, notes: [] }
    : await openStoreFor(flags, terminal, { mayBeNew: true, busyMilliseconds });
  const { store, path, notes } = opened;
  const isSet = own.settings.some(({ key }) => key === 'compression.threshold');
  const { threshold, ...compression } = own.config.compression;
  const middle = openConversations({
    store,
    isDryRun,
    note,
    config: isSet ? { ...compression, threshold } : compression,
    ...given({ summarizer: writer.summarizer, contextLength: contextLength ?? undefined }),
  });
  return {
    middle,
    path,
    notes: [...writer.notes, ...notes],
    writer: writer.summarizer?.name,
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
async function writerFor(flags: WriterFlags, terminal: Terminal): Promise<ChosenWriter> {
  const heard = await heardSettings(terminal);
  const { first, isNamed, notes } = chooseWriter(flags, heard);
  if (first === undefined) return { notes };
  const { loadWriter } = await import('../writer/load-writer.ts');
  const timeouts = heard.own.config.auxiliary.compression;
  const loaded = await loadWriter({ first, isNamed }, { env: terminal.env, timeouts });
  return { summarizer: loaded.first, notes };
}

/** What a person is told of it at the start. */
export function keptLine(kept: Kept | undefined): string {
  if (!kept) return 'Passes everything on; keeps nothing, compresses nothing.';
  if (kept.path === undefined)
    return 'A dry run: changes and keeps nothing; headers of the answers tell what it would do.';
  const writer = kept.writer === undefined ? '' : `; ${kept.writer} writes the summaries`;
  return `Keeps conversations in ${kept.path}, and compresses those that would not fit${writer}.`;
}
