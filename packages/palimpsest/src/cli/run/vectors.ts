/** `palimpsest vectors`: makes, counts and forgets the vectors of messages. */
import { embedMessages, loadMiniLm } from '@palimpsest/core/search';
import type { VectorModel } from '@palimpsest/core/store';
import type { Call } from '../commands/build.ts';
import { openStoreFor, type StoreFlags } from '../open-store.ts';
import { badOption, quoted } from '../option-values.ts';
import { interruptible, withProgress } from '../progress.ts';
import { counted, megabytes, oneLine, thousands } from '../render/text.ts';
import { writeResult } from '../terminal.ts';

const mostCores = 256;
const stopped = 'interrupted: the vectors built so far are kept; `palimpsest vectors build` continues';

type BuildFlags = StoreFlags & { readonly cores?: string };

export async function runVectorsBuild({ flags, terminal }: Call<BuildFlags>): Promise<void> {
  const cores = coresOf(flags.cores);
  const { store, path, notes } = await openStoreFor(flags, terminal);
  await using opened = store;
  const embedder = await loadMiniLm({ cores });
  const made = await withProgress(terminal, 'building vectors', (advance) => {
    const onProgress = ({ done, all }: { readonly done: number; readonly all: number }): void => advance(done, all);
    return interruptible(terminal, (signal) => embedMessages(opened, embedder, { signal, onProgress }), stopped);
  });
  const json = (): object => ({ command: 'vectors build', store: path, model: embedder.name, ...made });
  await writeResult(terminal, { json, notes, done: buildLine(embedder.name, made) });
}

function buildLine(model: string, { messages, embedded }: Awaited<ReturnType<typeof embedMessages>>): string {
  if (messages === 0) return `${model}: no message is left to build vectors for`;
  const rest = messages - embedded;
  const without = rest > 0 ? `; skipped ${thousands(rest)} that it cannot search (tool results, other scripts)` : '';
  return `${model}: built vectors for ${counted(embedded, 'message')}${without}`;
}

export async function runVectorsStatus({ flags, terminal }: Call<StoreFlags>): Promise<void> {
  const { store, path, notes } = await openStoreFor(flags, terminal, { readOnly: true });
  await using opened = store;
  const [models, messages] = [await opened.vectors.models(), await opened.messages.count()];
  await writeResult(terminal, {
    json: () => ({ command: 'vectors status', store: path, messages, models }),
    notes,
    remarks: models.length === 0 ? ['there are no vectors yet: `palimpsest vectors build` builds them'] : [],
    lines: () => models.map((model) => statusLine(model, messages)),
  });
}

function statusLine({ name, vectors, messages, bytes }: VectorModel, all: number): string {
  const missing = all - messages;
  const rest = missing > 0 ? `; ${thousands(missing)} left to build` : '';
  return `${oneLine(name)}: vectors of ${thousands(vectors)} of ${counted(all, 'message')} (${megabytes(bytes)})${rest}`;
}

export async function runVectorsDrop({ words: [model], flags, terminal }: Call<StoreFlags>): Promise<void> {
  const { store, path, notes } = await openStoreFor(flags, terminal);
  await using opened = store;
  const models = await opened.vectors.models();
  const name = chosenModel(model, models);
  const messages = name === undefined ? 0 : await opened.vectors.drop(name);
  // As many as `vectors build` and `vectors status` count; the rest of what was seen has none.
  const vectors = counted(models.find((one) => one.name === name)?.vectors ?? 0, 'message');
  const done = name === undefined ? 'there are no vectors' : `${oneLine(name)}: deleted the vectors of ${vectors}`;
  const json = (): object => ({ command: 'vectors drop', store: path, model: name ?? null, messages });
  await writeResult(terminal, { json, notes, done });
}

/** The model that was named, or the only one. Throws `BAD_OPTION` for a name that is none, and where there are several. */
function chosenModel(model: string | undefined, models: readonly VectorModel[]): string | undefined {
  const names = models.map(({ name }) => name);
  if (model === undefined && names.length < 2) return names[0];
  if (model !== undefined && names.includes(model)) return model;
  const got = model === undefined ? 'none' : quoted(model, 80);
  const known = names.join(', ') || 'there is none';
  throw badOption(`expected the name of a model with vectors (${known}), got ${got}`, { model });
}

function coresOf(text: string | undefined): number {
  const cores = Number(text ?? 1);
  if (Number.isInteger(cores) && cores >= 1 && cores <= mostCores) return cores;
  const message = `expected --cores to be a whole number from 1 to ${mostCores}, got ${quoted(text)}`;
  throw badOption(message, { cores: text?.slice(0, 40) });
}
