/** The labelled sets of an evaluation kit, and what of their evidence a search finds. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Corpus } from './open-corpus.ts';

export interface LabelledCorpus {
  readonly corpus: Corpus;
  readonly questions: readonly {
    readonly query: string;
    readonly gold: readonly string[];
    readonly category: string;
  }[];
}

export interface LabelledSet {
  readonly name: string;
  readonly corpora: readonly LabelledCorpus[];
}

type Reader = (path: string) => readonly LabelledCorpus[];

/** A search of one corpus: ids of messages, best first. */
export type Ask = (query: string) => Promise<readonly string[]>;

/** Shares of the evidence that was found, in percent, and counts. */
export interface Found {
  readonly questions: number;
  readonly messagesAt5: number;
  readonly messagesAt10: number;
  readonly multiHopAt10: number;
  readonly sessionsAt10: number;
  /** Messages of the assistant among the evidence that stand in the first ten. */
  readonly assistantAt10: number;
}

/** The sets that are there; none without the kit. */
export async function labelledSets({
  kit,
  data,
}: {
  readonly kit: string;
  readonly data: string;
}): Promise<readonly LabelledSet[]> {
  const module = join(kit, 'lib/retrieval-sets.mjs');
  if (!existsSync(module)) return [];
  const readers: unknown = await import(pathToFileURL(module).href);
  const places = [
    ['LoCoMo', 'locomo', 'longconv/locomo/locomo-dev.json.gz'],
    ['BEAM 100K', 'beam', 'longconv/beam-100k'],
    ['BEAM 500K', 'beam', 'longconv/beam-500k'],
    ['MADial zh', 'madial', 'longconv/zh'],
  ] as const;
  return places.flatMap(([name, reader, path]) => {
    const read = readerOf(readers, reader);
    return read && existsSync(join(data, path)) ? [{ name, corpora: read(join(data, path)) }] : [];
  });
}

function readerOf(module: unknown, name: string): Reader | undefined {
  const read: unknown = typeof module === 'object' && module !== null ? Reflect.get(module, name) : undefined;
  return isReader(read) ? read : undefined;
}

/** The kit documents what its readers give. */
const isReader = (value: unknown): value is Reader => typeof value === 'function';

/** Asks every question that has evidence in its corpus. */
export async function measure(
  { corpora }: LabelledSet,
  open: (corpus: Corpus, at: number) => Promise<Ask>,
): Promise<Found> {
  const rows: Row[] = [];
  for (const [at, { corpus, questions }] of corpora.entries()) {
    const ask = await open(corpus, at);
    for (const { query, gold, category } of questions) {
      const row = await rowOf(corpus, gold, { category, ask: () => ask(query) });
      if (row) rows.push(row);
    }
  }
  const multiHop = rows.filter(({ category }) => category === 'multi-hop');
  return {
    questions: rows.length,
    messagesAt5: percent(rows.map(({ at5 }) => at5)),
    messagesAt10: percent(rows.map(({ at10 }) => at10)),
    multiHopAt10: percent(multiHop.map(({ at10 }) => at10)),
    sessionsAt10: percent(rows.map(({ sessionsAt10 }) => sessionsAt10)),
    assistantAt10: rows.reduce((sum, { assistant }) => sum + assistant, 0),
  };
}

interface Row {
  readonly category: string;
  readonly at5: number;
  readonly at10: number;
  readonly sessionsAt10: number;
  readonly assistant: number;
}

interface Asked {
  readonly category: string;
  readonly ask: () => Promise<readonly string[]>;
}

async function rowOf(corpus: Corpus, gold: readonly string[], { category, ask }: Asked): Promise<Row | undefined> {
  const places = new Map(
    corpus.sessions.flatMap(({ id, messages }) => messages.map((one) => [one.id, { id, role: one.role }])),
  );
  const wanted = new Set(gold.filter((id) => places.has(id)));
  if (wanted.size === 0) return undefined;
  const ids = [...new Set(await ask())];
  const sessions = [...new Set(ids.map((id) => places.get(id)?.id))].slice(0, 10);
  const wantedSessions = new Set([...wanted].map((id) => places.get(id)?.id));
  const share = (count: number): number => ids.slice(0, count).filter((id) => wanted.has(id)).length / wanted.size;
  return {
    category,
    at5: share(5),
    at10: share(10),
    sessionsAt10: sessions.filter((id) => wantedSessions.has(id)).length / wantedSessions.size,
    assistant: ids.slice(0, 10).filter((id) => wanted.has(id) && places.get(id)?.role === 'assistant').length,
  };
}

const percent = (shares: readonly number[]): number =>
  (100 * shares.reduce((sum, share) => sum + share, 0)) / Math.max(1, shares.length);
