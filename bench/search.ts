/**
 * Measures what search finds of labelled evidence, and what each ingredient of the ranking is worth: one line with
 * everything, one without each of them, and plain full-text search of the same messages.
 *
 *   node bench/search.ts [--data DIR] [--kit DIR] [--quick] [--vectors]
 *
 * `--vectors` also measures with the vectors of the model on this machine, which takes some minutes to make them.
 * Speed and size on a million messages: `node bench/store.ts --large`.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { searchWith } from '../packages/core/src/recall/search/search.ts';
import { type RankingWeights, rankingWeights } from '../packages/core/src/recall/search/wanted-terms.ts';
import { type Embedder, embedMessages } from '../packages/core/src/recall/vectors/embed-messages.ts';
import { loadMiniLm } from '../packages/core/src/recall/vectors/minilm/mini-lm.ts';
import { vectorPackages } from '../scripts/vectors.ts';
import { type Corpus, type OpenCorpus, openCorpus } from './search/open-corpus.ts';
import { type Ask, type Found, type LabelledSet, labelledSets, measure } from './search/sets.ts';

const root = join(import.meta.dirname, '..');
const { values } = parseArgs({
  options: {
    data: { type: 'string', default: join(root, '../shared/data') },
    kit: { type: 'string', default: join(root, '../shared/eval') },
    quick: { type: 'boolean', default: false },
    vectors: { type: 'boolean', default: false },
  },
});

/** Hits asked for: sessions are ranked by their first hit. */
const hitsAsked = 200;

/** What is switched off, and how. */
const without: Readonly<Record<string, Partial<RankingWeights>>> = {
  'single characters beside pairs': { terms: { ...rankingWeights.terms, character: 0 } },
  'asking words count less': { terms: { ...rankingWeights.terms, asking: 1 } },
  'grammar of Chinese counts less': { terms: { ...rankingWeights.terms, grammar: 1 } },
  'length of a message': { lengthPower: 0 },
  'long messages pay more than their length': { lengthPower: 1 },
  'best stretch of a long message': { stretch: 0 },
  'neighbours of short turns': { before: 0, beforeAsking: 0, after: 0, twoAway: 0 },
  'neighbours two away': { twoAway: 0 },
  'more from a question before': { beforeAsking: rankingWeights.before },
  'questions count less': { asking: 0 },
  'words side by side': { pair: 0 },
  'score of the session': { session: 0 },
  'speaker that is named': { namedSpeaker: 0, speaker: 0 },
  'whether "I" or "you" is asked about': { person: 0 },
  'times that are named': { time: 0 },
};

const nothing: Partial<RankingWeights> = Object.assign({}, ...Object.values(without), {
  terms: { ...rankingWeights.terms, character: 0, asking: 1, grammar: 1 },
  lengthPower: 1,
});

async function report(set: LabelledSet): Promise<void> {
  const opened = await Promise.all(set.corpora.map(({ corpus }) => openCorpus(corpus)));
  const ours = (change: Partial<RankingWeights>): Promise<Found> =>
    measure(set, async (_, at) => asker(opened[at], { ...rankingWeights, ...change }));
  console.log(`\n### ${set.name}\n\n${heading(set)}`);
  for (const [name, open] of await baselines()) console.log(line(set, name, await measure(set, open)));
  console.log(line(set, 'palimpsest', await ours({})));
  if (!values.quick) {
    for (const [name, change] of Object.entries(without))
      console.log(line(set, `without: ${name}`, await ours(change)));
    console.log(line(set, 'without all of them', await ours(nothing)));
  }
  if (values.vectors) await reportVectors(set, opened);
  for (const { store } of opened) await store.close();
}

/** The same with vectors, and without what they bring beside the closeness of a message. */
async function reportVectors(set: LabelledSet, opened: readonly OpenCorpus[]): Promise<void> {
  const vectors = await loadMiniLm({ load: await vectorPackages() });
  for (const { store } of opened) await embedMessages(store, vectors);
  const changes = {
    'with vectors': {},
    'with vectors, without: closest message of the session': { meaningSession: 0 },
  };
  for (const [name, change] of Object.entries<Partial<RankingWeights>>(changes)) {
    const weights = { ...rankingWeights, ...change };
    console.log(line(set, name, await measure(set, async (_, at) => asker(opened[at], weights, vectors))));
  }
}

function asker(opened: OpenCorpus | undefined, weights: RankingWeights, vectors?: Embedder): Ask {
  return async (query) => {
    if (!opened) return [];
    const options = { limit: hitsAsked, ...(vectors ? { vectors } : {}) };
    const { hits } = await searchWith(opened.store, query, { options, weights });
    return hits.flatMap(({ sessionId, position }) => opened.idAt(sessionId, position) ?? []);
  };
}

type Open = (corpus: Corpus) => Promise<Ask>;

/** Plain full-text search, as the kit does it. */
async function baselines(): Promise<readonly (readonly [string, Open])[]> {
  const found: (readonly [string, Open])[] = [];
  for (const name of ['fts5-porter', 'fts5-bigram']) {
    const path = join(values.kit, `adapters/${name}.mjs`);
    if (!existsSync(path)) continue;
    const adapter: unknown = await import(pathToFileURL(path).href);
    if (isAdapter(adapter)) found.push([name, async (corpus) => plainAsker(await adapter.open(corpus))]);
  }
  return found;
}

interface PlainSearch {
  search(query: string, hits: number): Promise<readonly { readonly id: string }[]>;
}

const isAdapter = (value: unknown): value is { open(corpus: Corpus): Promise<PlainSearch> } =>
  typeof value === 'object' && value !== null && 'open' in value;

const plainAsker =
  (plain: PlainSearch): Ask =>
  async (query) =>
    (await plain.search(query, hitsAsked)).map(({ id }) => id);

const isLocomo = ({ name }: LabelledSet): boolean => name === 'LoCoMo';

function heading(set: LabelledSet): string {
  const columns = [
    '',
    'messages R@5',
    'messages R@10',
    'sessions R@10',
    isLocomo(set) ? 'multi-hop R@10' : 'of the assistant @10',
  ];
  return `| ${columns.join(' | ')} |\n|${' --- |'.repeat(columns.length)}`;
}

function line(set: LabelledSet, name: string, found: Found): string {
  const shares = [found.messagesAt5, found.messagesAt10, found.sessionsAt10].map((share) => share.toFixed(1));
  const last = isLocomo(set) ? found.multiHopAt10.toFixed(1) : String(found.assistantAt10);
  return `| ${[name, ...shares, last].join(' | ')} |`;
}

const sets = await labelledSets(values);
if (sets.length === 0)
  console.log('skipped: the labelled sets or their kit are not there; name them with --data and --kit');
for (const set of sets) await report(set);
