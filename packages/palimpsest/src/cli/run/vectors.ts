/** `palimpsest vectors`: makes, counts and forgets the vectors of messages. */
import { PalimpsestError } from '@palimpsest/core';
import { type Embedder, embedMessages, loadMiniLm } from '@palimpsest/core/search';
import type { Store, VectorModel } from '@palimpsest/core/store';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { interruptible } from '../interruption.ts';
import { openStoreFor, type StoreFlags } from '../open-store.ts';
import { progressCount } from '../progress.ts';
import { counted, oneLine, thousands } from '../render/text.ts';
import { type Terminal, writeResult } from '../terminal.ts';

export interface VectorsFlags extends StoreFlags {
  readonly cores?: string;
}

const mostCores = 256;

export async function runVectorsBuild(flags: VectorsFlags, terminal: Terminal): Promise<ExitCode> {
  const cores = coresOf(flags.cores);
  const { store, path, notes } = await openStoreFor(flags, terminal);
  await using opened = store;
  const embedder = await loadMiniLm({ cores });
  const made = await build(opened, embedder, { flags, terminal });
  const json = (): object => ({ command: 'vectors build', store: path, model: embedder.name, ...made });
  const lines = (): readonly string[] => (flags.quiet ? [] : [buildLine(embedder.name, made)]);
  await writeResult({ json, notes, lines }, flags, terminal);
  return exitCodes.fine;
}

interface Task {
  readonly flags: VectorsFlags;
  readonly terminal: Terminal;
}

async function build(store: Store, embedder: Embedder, { flags, terminal }: Task): ReturnType<typeof embedMessages> {
  const progress = progressCount(terminal, 'building vectors', flags);
  try {
    return await interruptible(
      terminal,
      (signal) =>
        embedMessages(store, embedder, { signal, onProgress: ({ done, all }) => progress.advance(done, all) }),
      'interrupted: the vectors built so far are kept; `palimpsest vectors build` continues',
    );
  } finally {
    progress.end();
  }
}

function buildLine(model: string, { messages, embedded }: Awaited<ReturnType<typeof embedMessages>>): string {
  if (messages === 0) return `${model}: no message is left to build vectors for`;
  const rest = messages - embedded;
  const without = rest > 0 ? `; skipped ${thousands(rest)} that it cannot search (tool results, other scripts)` : '';
  return `${model}: built vectors for ${counted(embedded, 'message')}${without}`;
}

export async function runVectorsStatus(flags: VectorsFlags, terminal: Terminal): Promise<ExitCode> {
  const { store, path, notes } = await openStoreFor(flags, terminal, { readOnly: true });
  await using opened = store;
  const [models, messages] = [await opened.vectors.models(), await opened.messages.count()];
  const json = (): object => ({ command: 'vectors status', store: path, messages, models });
  const remarks = models.length === 0 ? ['there are no vectors yet: `palimpsest vectors build` builds them'] : [];
  const lines = (): readonly string[] => models.map((model) => statusLine(model, messages));
  await writeResult({ json, notes, remarks, lines }, flags, terminal);
  return exitCodes.fine;
}

function statusLine({ name, vectors, messages, bytes }: VectorModel, all: number): string {
  const missing = all - messages;
  const rest = missing > 0 ? `; ${thousands(missing)} left to build` : '';
  return `${oneLine(name)}: vectors of ${thousands(vectors)} of ${counted(all, 'message')} (${(bytes / 1e6).toFixed(1)} MB)${rest}`;
}

export async function runVectorsDrop(
  model: string | undefined,
  flags: VectorsFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  const { store, path, notes } = await openStoreFor(flags, terminal);
  await using opened = store;
  const models = await opened.vectors.models();
  const name = chosenModel(model, models);
  const messages = name === undefined ? 0 : await opened.vectors.drop(name);
  // As many as `vectors build` and `vectors status` count; the rest of what was seen has none.
  const vectors = models.find((one) => one.name === name)?.vectors ?? 0;
  const done =
    name === undefined
      ? 'there are no vectors'
      : `${oneLine(name)}: deleted the vectors of ${counted(vectors, 'message')}`;
  const json = (): object => ({ command: 'vectors drop', store: path, model: name ?? null, messages });
  await writeResult({ json, notes, lines: () => (flags.quiet ? [] : [done]) }, flags, terminal);
  return exitCodes.fine;
}

/** The model that was named, or the only one. Throws `BAD_OPTION` for a name that is none, and where there are several. */
function chosenModel(model: string | undefined, models: readonly VectorModel[]): string | undefined {
  const names = models.map(({ name }) => name);
  if (model === undefined && names.length < 2) return names[0];
  if (model !== undefined && names.includes(model)) return model;
  const got = model === undefined ? 'none' : JSON.stringify(model.slice(0, 80));
  const message = `expected the name of a model with vectors (${names.join(', ') || 'there is none'}), got ${got}`;
  throw new PalimpsestError('BAD_OPTION', message, { evidence: { model } });
}

function coresOf(text: string | undefined): number {
  const cores = Number(text ?? 1);
  if (Number.isInteger(cores) && cores >= 1 && cores <= mostCores) return cores;
  const got = JSON.stringify(text?.slice(0, 40));
  const message = `expected --cores to be a whole number from 1 to ${mostCores}, got ${got}`;
  throw new PalimpsestError('BAD_OPTION', message, { evidence: { cores: text?.slice(0, 40) } });
}
