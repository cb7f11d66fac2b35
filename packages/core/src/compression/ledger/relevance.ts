/**
 * How likely is it that the agent will write a term again, before anything shows it the term again? A logistic model
 * over how often, how recently and by whom the term was said. Its weights are the same for every conversation, fitted by
 * `node bench/fit-relevance.ts`; see docs/decisions/0006-relevance.md for data, labels and how far they carry over to
 * projects they were not fitted on.
 */
import type { Corpus, TermStats } from './corpus.ts';
import type { SectionContent } from './templates.ts';
import type { ToldLine } from './told.ts';

/** How much each feature of a term counts. */
export const relevanceWeights = {
  bias: -2.621,
  path: 0.235,
  file: 0.55,
  identifier: 0.384,
  dotted: 0.402,
  hyphenated: 0.242,
  number: 0.394,
  id: -0.476,
  url: -0.373,
  line: -0.691,
  errorLine: -0.664,
  'log occurrences': 0.902,
  'log messages': 0.437,
  'log in calls': -1.063,
  'log in agent text': 0.248,
  'log in user text': -0.389,
  'log in results': -0.461,
  'in calls': 0.264,
  'in agent text': -0.249,
  'in user text': -0.137,
  'in results': 0.389,
  'log age': -0.547,
  'by agent': 0.675,
  'log age by agent': -0.091,
  'first by user': 0.03,
  'first in result': -0.954,
  'log in short arguments': 0.863,
  long: -0.112,
  'log length': -0.123,
  capital: 0.004,
  absolute: 0.636,
} as const;

export type Weights = Readonly<Record<keyof typeof relevanceWeights, number>>;

const smallLogs = Float64Array.from({ length: 256 }, (_, n) => Math.log1p(n));
const log = (n: number): number => smallLogs[n] ?? Math.log1p(n);

/** The weighted sum of what does not depend on the term's age, written out: it runs for every term of a session. */
function withoutAge(term: TermStats, w: Weights): number {
  const { kind, call, result, user, agent, text } = term;
  const start = text.charCodeAt(0);
  let sum = w.bias + w[kind];
  sum += w['log occurrences'] * log(call + result + user + agent) + w['log messages'] * log(term.messages);
  if (call > 0) sum += w['in calls'] + w['log in calls'] * log(call);
  if (agent > 0) sum += w['in agent text'] + w['log in agent text'] * log(agent);
  if (user > 0) sum += w['in user text'] + w['log in user text'] * log(user);
  if (result > 0) sum += w['in results'] + w['log in results'] * log(result);
  if (term.lastByAgent >= 0) sum += w['by agent'];
  if (term.firstVoice === 'user') sum += w['first by user'];
  if (term.firstVoice === 'result') sum += w['first in result'];
  sum += w['log in short arguments'] * log(term.shortCall) + w['log length'] * log(text.length);
  if (text.length > 40) sum += w.long;
  if (start >= 65 && start <= 90) sum += w.capital;
  return start === 47 ? sum + w.absolute : sum;
}

/** For each message, the log of the tokens said since it began, itself included, in thousands. */
export function logAges(messageTokens: readonly number[]): Float64Array {
  const ages = new Float64Array(messageTokens.length);
  let sum = 0;
  for (let i = messageTokens.length - 1; i >= 0; i--) {
    sum += messageTokens[i] ?? 0;
    ages[i] = Math.log1p(sum / 1000);
  }
  return ages;
}

/**
 * The sum over all features, linear in the weights; `logAge` is what `logAges` gives. What does not depend on age is
 * computed once for as long as the term is not said again.
 */
export function sumOf(term: TermStats, logAge: Float64Array, w: Weights = relevanceWeights): number {
  if (Number.isNaN(term.base)) term.base = withoutAge(term, relevanceWeights);
  const base = w === relevanceWeights ? term.base : withoutAge(term, w);
  const byAgent = w['log age by agent'] * (logAge[term.lastByAgent] ?? 0);
  return base + w['log age'] * (logAge[term.lastMessage] ?? 0) + byAgent;
}

/** The chance, from 0 to 1, that the agent will write the term from memory. */
export const relevanceOf = (term: TermStats, logAge: Float64Array): number => 1 / (1 + Math.exp(-sumOf(term, logAge)));

// What a model's summary says about which terms the agent will need: log odds on top of the chance above, fitted by
// `node bench/fit-votes.ts`; docs/decisions/0010-best-of-both.md has data and alternatives. Where a summary tells what is
// under way and what comes next, its terms are needed far more often than their counts let expect, and so are the terms
// beside them in a line of the conversation. That it names a term elsewhere says nothing new.

/** Log odds of a term: of every one, of one that the summary names in what goes on, of one beside such a term. */
export const votes = { every: -0.19, named: 1.72, beside: 0.97 } as const;

/** Terms that a summary names where it tells what goes on, and those that stand in a line with one of them. */
export interface Named {
  readonly named: ReadonlySet<TermStats>;
  readonly beside: ReadonlySet<TermStats>;
}

/** What a summary says about the present and the future. */
export const goesOn: ReadonlySet<SectionContent | undefined> = new Set(['task', 'progress', 'remaining']);

/** What a summary says of the terms of a conversation. Linear in both. */
export function namedIn(told: readonly ToldLine[], { lines }: Pick<Corpus, 'lines'>): Named {
  const going = told.filter(({ about }) => goesOn.has(about)).flatMap(({ line }) => line.terms);
  const named = new Set(going.flatMap((term) => [term, ...term.parts]));
  const besides = lines.filter(({ terms }) => terms.some((term) => named.has(term)));
  return { named, beside: new Set(besides.flatMap(({ terms }) => terms)).difference(named) };
}

/** The log odds that a summary gives each term, by id; undefined when it says nothing of what goes on. */
export function votesOf(told: readonly ToldLine[], corpus: Corpus): Float64Array | undefined {
  const { named, beside } = namedIn(told, corpus);
  if (named.size === 0) return undefined;
  const odds = new Float64Array(corpus.terms.length).fill(votes.every);
  for (const { id } of beside) odds[id] = votes.every + votes.beside;
  for (const { id } of named) odds[id] = votes.every + votes.named;
  return odds;
}

/** A chance with log odds added to its own. */
export const withOdds = (chance: number, odds: number): number => chance / (chance + (1 - chance) * Math.exp(-odds));
