/**
 * Fits the weights of src/compression/ledger/relevance.ts on real compressions whose summary stands in the
 * transcript.
 *
 * At each of them, every name of the stretch before it is an example: positive when the agent writes it within the next
 * 60 messages. What the relevance of `fit-relevance.ts` says is taken as given; fitted are the log odds on top of it for
 * names that the summary has where it tells what goes on, and for those that stand beside one of them in a line. Leaving
 * out one project at a time shows whether they carry over.
 *
 *   node bench/fit-votes.ts ../shared/data/transcripts    prints the log-loss, the area under the curve and the weights
 */
import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { unwrapHandoff } from '../packages/core/src/compression/handoff-block.ts';
import { Corpus } from '../packages/core/src/compression/ledger/corpus.ts';
import { linesOf } from '../packages/core/src/compression/ledger/lines.ts';
import { logAges, namedIn, relevanceOf, withOdds } from '../packages/core/src/compression/ledger/relevance.ts';
import { termsOf } from '../packages/core/src/compression/ledger/terms.ts';
import { toldLines } from '../packages/core/src/compression/ledger/told.ts';
import { estimateTextTokens } from '../packages/core/src/tokens/estimate.ts';
import type { Message, Transcript } from '../packages/core/src/transcript/message.ts';
import { readTranscriptFile } from './files.ts';

/** A compression of less says nothing. */
const leastTokens = 20_000;
const futureMessages = 60;
const minFutureMessages = 20;

interface Example {
  readonly chance: number;
  /** 0 for every name, 1 for one that the summary names, 2 for one beside such a name. */
  readonly place: 0 | 1 | 2;
  readonly reused: boolean;
}

interface Case {
  readonly project: string;
  readonly examples: readonly Example[];
}

/** Log odds for every name, and on top of it for those of place 1 and 2. */
type Weights = readonly [number, number, number];

function casesOf(project: string, { messages, compressions = [] }: Transcript): readonly Case[] {
  return compressions.flatMap((end, i): Case[] => {
    const stretch = messages.slice(compressions[i - 1] ?? 0, end);
    const next = messages.slice(end, compressions[i + 1]);
    const summary = next.slice(0, 3).map(unwrapHandoff).find(Boolean)?.body;
    const after = next.slice(1, 1 + futureMessages);
    if (summary === undefined || after.length < minFutureMessages) return [];
    const examples = examplesOf(stretch, summary, writtenIn(after));
    return examples.some(({ reused }) => reused) ? [{ project, examples }] : [];
  });
}

function examplesOf(stretch: readonly Message[], summary: string, written: ReadonlySet<string>): readonly Example[] {
  const corpus = new Corpus(estimateTextTokens);
  for (const message of stretch) corpus.add(message);
  if (corpus.messageTokens.reduce((sum, tokens) => sum + tokens, 0) < leastTokens) return [];
  const { named, beside } = namedIn(toldLines(summary, corpus), corpus);
  const ages = logAges(corpus.messageTokens);
  return corpus.terms
    .filter(({ lastMessage, kind }) => lastMessage >= 0 && kind !== 'line' && kind !== 'errorLine')
    .map((term) => ({
      chance: relevanceOf(term, ages),
      place: named.has(term) ? 1 : beside.has(term) ? 2 : 0,
      reused: written.has(term.text),
    }));
}

function writtenIn(messages: readonly Message[]): ReadonlySet<string> {
  const written = new Set<string>();
  for (const message of messages) {
    linesOf(message, (text, speaker) => {
      if (speaker === 'call' || speaker === 'assistant') termsOf(text, (term) => written.add(term));
    });
  }
  return written;
}

/** Each place has its own log odds and nothing else has a share in it: three searches for where a sum is zero. */
function fit(cases: readonly Case[]): Weights {
  const examples = cases.flatMap((one) => one.examples);
  const oddsAt = (place: Example['place']): number => {
    const own = examples.filter((one) => one.place === place);
    const reused = own.filter((one) => one.reused).length;
    let [low, high] = [-6, 6];
    for (let round = 0; round < 40; round++) {
      const middle = (low + high) / 2;
      const expected = own.reduce((sum, { chance }) => sum + withOdds(chance, middle), 0);
      if (expected < reused) low = middle;
      else high = middle;
    }
    return (low + high) / 2;
  };
  const every = oddsAt(0);
  return [every, oddsAt(1) - every, oddsAt(2) - every];
}

const chanceWith = ({ chance, place }: Example, [every, named, beside]: Weights): number =>
  withOdds(chance, every + (place === 1 ? named : place === 2 ? beside : 0));

function lossOf(cases: readonly Case[], weights: Weights): number {
  const examples = cases.flatMap((one) => one.examples);
  return examples.reduce((sum, one) => {
    const chance = chanceWith(one, weights);
    return sum - Math.log(one.reused ? chance : 1 - chance);
  }, 0);
}

/** The chance that a reused name ranks above one that is not, as a mean over the cases. */
function areaUnderCurve(cases: readonly Case[], weights: Weights): number {
  const areas = cases.map(({ examples }) => {
    const ranked = examples.toSorted((a, b) => chanceWith(a, weights) - chanceWith(b, weights));
    const positives = ranked.filter(({ reused }) => reused).length;
    const ranks = ranked.reduce((sum, { reused }, i) => sum + (reused ? i + 1 : 0), 0);
    return (ranks - (positives * (positives + 1)) / 2) / (positives * (ranked.length - positives));
  });
  return areas.reduce((sum, area) => sum + area, 0) / areas.length;
}

async function main(): Promise<void> {
  const folder = process.argv[2] ?? '../shared/data/transcripts';
  const cases: Case[] = [];
  for (const file of globSync(`${folder}/*/*`).sort()) {
    for (const transcript of await readTranscriptFile(file)) {
      cases.push(...casesOf(basename(file).split('__')[0] ?? file, transcript));
    }
  }
  const without: Weights = [0, 0, 0];
  for (const project of new Set(cases.map((one) => one.project))) {
    const own = cases.filter((one) => one.project === project);
    const left = fit(cases.filter((one) => one.project !== project));
    const figures = [without, left].map((weights) => {
      return `log-loss ${lossOf(own, weights).toFixed(0)}, AUC ${areaUnderCurve(own, weights).toFixed(3)}`;
    });
    console.log(`${project}: ${own.length} cases, ${figures.join(' → ')} with ${shown(left)}`);
  }
  console.log(`all: ${shown(fit(cases))}`);
}

const shown = ([every, named, beside]: Weights): string =>
  `every ${every.toFixed(2)}, named ${named.toFixed(2)}, beside ${beside.toFixed(2)}`;

await main();
