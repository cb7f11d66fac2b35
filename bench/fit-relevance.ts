/**
 * Fits the weights of src/compression/ledger/relevance.ts on real transcripts.
 *
 * Every stretch between two compressions is cut where it reaches 40K, 80K and 120K tokens, and at its end. At each cut,
 * every term of the stretch is an example. Inside a stretch it is positive when the agent writes it within the next 60
 * messages before a result or the user shows it again; after a real compression, when the agent writes it at all, since
 * there it had to look things up. The terms are the ledger's own. Leaving out one project at a time shows how far the
 * weights carry over.
 *
 *   node bench/fit-relevance.ts ../shared/data/transcripts    prints the area under the curve and the weights
 */
import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { Corpus } from '../packages/core/src/compression/ledger/corpus.ts';
import { linesOf, voiceOf } from '../packages/core/src/compression/ledger/lines.ts';
import { logAges, relevanceWeights, sumOf, type Weights } from '../packages/core/src/compression/ledger/relevance.ts';
import { termsOf } from '../packages/core/src/compression/ledger/terms.ts';
import { estimateTextTokens } from '../packages/core/src/tokens/estimate.ts';
import type { Message, Transcript } from '../packages/core/src/transcript/message.ts';
import { readTranscriptFile } from './files.ts';

const cutTokens = [40_000, 80_000, 120_000];
/** A compression of less says nothing. */
const leastTokens = 20_000;
const futureMessages = 60;
const minFutureMessages = 20;

interface Example {
  readonly features: Float64Array;
  readonly reused: boolean;
}

interface Case {
  readonly project: string;
  readonly examples: readonly Example[];
}

/** The stretches between the compressions of the tool that wrote the log: what its model saw at a time. */
function stretchesOf({ messages, compressions = [] }: Transcript): readonly (readonly Message[])[] {
  const starts = [0, ...compressions, messages.length];
  return starts.slice(1).map((end, i) => messages.slice(starts[i], end));
}

function casesOf(project: string, transcript: Transcript): readonly Case[] {
  const stretches = stretchesOf(transcript);
  return stretches.flatMap((stretch, i) => casesIn(project, stretch, stretches[i + 1] ?? []));
}

/** Cuts inside a stretch, and the one at its end, where a real compression took the rest away. */
function casesIn(project: string, stretch: readonly Message[], next: readonly Message[]): readonly Case[] {
  const corpus = new Corpus(estimateTextTokens);
  const cases: Case[] = [];
  let tokens = 0;
  for (const [at, message] of stretch.entries()) {
    corpus.add(message);
    tokens += corpus.messageTokens[at] ?? 0;
    const mark = cutTokens[cases.length];
    if (mark === undefined || tokens < mark || message.role === 'assistant') continue;
    const future = stretch.slice(at + 1, at + 1 + futureMessages);
    if (future.length >= minFutureMessages)
      cases.push({ project, examples: examplesOf(corpus, writtenFromMemory(future)) });
  }
  const after = next.slice(1, 1 + futureMessages);
  if (tokens < leastTokens || after.length < minFutureMessages) return cases;
  return [...cases, { project, examples: examplesOf(corpus, writtenAtAll(after)) }];
}

function examplesOf(corpus: Corpus, written: ReadonlySet<string>): readonly Example[] {
  const ages = logAges(corpus.messageTokens);
  return corpus.terms
    .filter((term) => term.lastMessage >= 0)
    .map((term) => ({
      features: Float64Array.from(aloneWeights, (alone) => sumOf(term, ages, alone)),
      reused: written.has(term.kind === 'line' || term.kind === 'errorLine' ? `\n${term.text}` : term.text),
    }));
}

/** Terms that the agent writes before a result or the user shows them again. */
function writtenFromMemory(future: readonly Message[]): ReadonlySet<string> {
  const shown = new Set<string>();
  return writtenIn(
    future,
    (term) => !shown.has(term),
    (term) => shown.add(term),
  );
}

/** Terms that the agent writes, also when it had to look them up again. */
const writtenAtAll = (future: readonly Message[]): ReadonlySet<string> =>
  writtenIn(
    future,
    () => true,
    () => undefined,
  );

function writtenIn(
  future: readonly Message[],
  counts: (term: string) => boolean,
  show: (term: string) => void,
): ReadonlySet<string> {
  const written = new Set<string>();
  for (const message of future) {
    linesOf(message, (text, speaker) => {
      const take = (term: string): void => {
        const voice = voiceOf[speaker];
        if (voice === 'result' || voice === 'user') show(term);
        else if (counts(term)) written.add(term);
      };
      take(`\n${text}`);
      termsOf(text, take);
    });
  }
  return written;
}

const featureNames = Object.keys(relevanceWeights);
/** The sum is linear: with weights in which one feature alone counts, it is that feature. */
const aloneWeights = featureNames.map((name) => {
  // The same names with other numbers.
  return Object.fromEntries(featureNames.map((one) => [one, one === name ? 1 : 0])) as Weights;
});

/** Newton's method with step halving on the log-loss with a small ridge; the loss has one minimum, wherever it starts. */
function fit(cases: readonly Case[], start: Float64Array = new Float64Array(featureNames.length)): Float64Array {
  const examples = cases.flatMap((c) => c.examples);
  let weights = start;
  let loss = lossOf(examples, weights);
  for (let round = 0; round < 15; round++) {
    const step = newtonStep(examples, weights);
    let gain = 0;
    for (let size = 1; size > 1e-3 && gain <= 0; size /= 2) {
      const next = weights.map((w, i) => w - size * (step[i] ?? 0));
      const nextLoss = lossOf(examples, next);
      gain = loss - nextLoss;
      if (gain > 0) [weights, loss] = [next, nextLoss];
    }
    if (gain < loss * 1e-9) break;
  }
  return weights;
}

const ridge = 1;

// A loop over a vector, not `reduce`: this runs some ten million times.
function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

function lossOf(examples: readonly Example[], weights: Float64Array): number {
  let loss = 0;
  for (const { features, reused } of examples) {
    const z = dot(features, weights);
    loss += Math.log1p(Math.exp(-Math.abs(z))) + Math.max(z, 0) - (reused ? z : 0);
  }
  return loss + (ridge / 2) * dot(weights.slice(1), weights.slice(1));
}

function newtonStep(examples: readonly Example[], weights: Float64Array): Float64Array {
  const size = weights.length;
  const gradient = weights.map((w, i) => (i ? ridge * w : 0));
  const hessian = Array.from({ length: size }, (_, i) => {
    const row = new Float64Array(size);
    row[i] = ridge;
    return row;
  });
  const used: number[] = [];
  for (const { features, reused } of examples) {
    const chance = 1 / (1 + Math.exp(-dot(features, weights)));
    const error = chance - Number(reused);
    const curve = chance * (1 - chance);
    // Two thirds of the features of a term are 0.
    used.length = 0;
    for (let i = 0; i < size; i++) if (features[i] !== 0) used.push(i);
    for (const i of used) {
      const x = features[i] ?? 0;
      gradient[i] = (gradient[i] ?? 0) + error * x;
      const row = hessian[i];
      if (row) for (const j of used) row[j] = (row[j] ?? 0) + curve * x * (features[j] ?? 0);
    }
  }
  return solve(hessian, gradient);
}

/** Gaussian elimination with row pivots. */
function solve(matrix: Float64Array[], right: Float64Array): Float64Array {
  const size = right.length;
  const rows = matrix.map((row, i) => Float64Array.from([...row, right[i] ?? 0]));
  const at = (r: number, c: number): number => rows[r]?.[c] ?? 0;
  for (let i = 0; i < size; i++) {
    let pivot = i;
    for (let r = i + 1; r < size; r++) if (Math.abs(at(r, i)) > Math.abs(at(pivot, i))) pivot = r;
    const [a, b] = [rows[i], rows[pivot]];
    if (a && b) [rows[i], rows[pivot]] = [b, a];
    for (let r = i + 1; r < size; r++) {
      const factor = at(r, i) / at(i, i);
      const row = rows[r];
      if (factor && row) for (let c = i; c <= size; c++) row[c] = at(r, c) - factor * at(i, c);
    }
  }
  const solution = new Float64Array(size);
  for (let i = size - 1; i >= 0; i--) {
    let sum = at(i, size);
    for (let c = i + 1; c < size; c++) sum -= at(i, c) * (solution[c] ?? 0);
    solution[i] = sum / at(i, i);
  }
  return solution;
}

/** Chance that a reused term ranks above one that is not. */
function areaUnderCurve(examples: readonly Example[], weights: Float64Array): number {
  const scored = examples.map(({ features, reused }) => ({ score: dot(features, weights), reused }));
  scored.sort((a, b) => a.score - b.score);
  let ranks = 0;
  let positives = 0;
  for (const [i, { reused }] of scored.entries()) {
    if (!reused) continue;
    ranks += i + 1;
    positives++;
  }
  const negatives = scored.length - positives;
  return (ranks - (positives * (positives + 1)) / 2) / (positives * negatives);
}

/** A key of an object literal as the formatter leaves it. */
const keyOf = (name: string): string => (name.includes(' ') ? `'${name}'` : name);

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

async function main(): Promise<void> {
  const folder = process.argv[2] ?? '../shared/data/transcripts';
  const cases: Case[] = [];
  for (const file of globSync(`${folder}/*/*`).sort()) {
    const transcripts: readonly Transcript[] = await readTranscriptFile(file);
    for (const transcript of transcripts) {
      cases.push(...casesOf(basename(file).split('__')[0] ?? file, transcript));
    }
  }
  const useful = cases.filter((c) => c.examples.some((e) => e.reused));
  const weights = fit(useful);
  for (const project of new Set(useful.map((c) => c.project))) {
    const own = useful.filter((c) => c.project === project);
    const without = fit(
      useful.filter((c) => c.project !== project),
      weights,
    );
    const area = (w: Float64Array): string => mean(own.map((c) => areaUnderCurve(c.examples, w))).toFixed(3);
    console.log(`${project}: ${own.length} cuts, AUC ${area(without)} left out, ${area(weights)} fitted`);
  }
  console.log(featureNames.map((name, i) => `  ${keyOf(name)}: ${Number((weights[i] ?? 0).toFixed(3))},`).join('\n'));
}

await main();
