/**
 * How likely is it that the agent will write a term again, before anything shows it the term again? A logistic model
 * over how often, how recently and by whom the term was said. Its weights are the same for every conversation, fitted by
 * `node bench/fit-relevance.ts`; see docs/decisions/0006-relevance.md for data, labels and how far they carry over to
 * projects they were not fitted on.
 */
import type { Corpus, TermStats } from './corpus.ts';
import type { SectionContent } from './templates.ts';
import type { TermKind } from './terms.ts';
import type { ToldLine } from './told.ts';

/** Something that is looked at in a term, and how much it counts. */
export interface Feature {
  readonly name: string;
  readonly weight: number;
  readonly of: (term: TermStats) => number;
}

const smallLogs = Float64Array.from({ length: 256 }, (_, n) => Math.log1p(n));
const log = (n: number): number => smallLogs[n] ?? Math.log1p(n);
const yes = (is: boolean): number => (is ? 1 : 0);

const kindWeights: Readonly<Record<TermKind, number>> = {
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
};

const bias: Feature = { name: 'bias', weight: -2.621, of: () => 1 };

/** What does not depend on the term's age, beside the bias and the kind; how often and whether are added up together. */
const counted: readonly (readonly Feature[])[] = [
  [
    {
      name: 'log occurrences',
      weight: 0.902,
      of: ({ call, result, user, agent }) => log(call + result + user + agent),
    },
    { name: 'log messages', weight: 0.437, of: ({ messages }) => log(messages) },
  ],
  [
    { name: 'log in calls', weight: -1.063, of: ({ call }) => log(call) },
    { name: 'in calls', weight: 0.264, of: ({ call }) => yes(call > 0) },
  ],
  [
    { name: 'log in agent text', weight: 0.248, of: ({ agent }) => log(agent) },
    { name: 'in agent text', weight: -0.249, of: ({ agent }) => yes(agent > 0) },
  ],
  [
    { name: 'log in user text', weight: -0.389, of: ({ user }) => log(user) },
    { name: 'in user text', weight: -0.137, of: ({ user }) => yes(user > 0) },
  ],
  [
    { name: 'log in results', weight: -0.461, of: ({ result }) => log(result) },
    { name: 'in results', weight: 0.389, of: ({ result }) => yes(result > 0) },
  ],
  [{ name: 'by agent', weight: 0.675, of: ({ lastByAgent }) => yes(lastByAgent >= 0) }],
  [{ name: 'first by user', weight: 0.03, of: ({ firstVoice }) => yes(firstVoice === 'user') }],
  [{ name: 'first in result', weight: -0.954, of: ({ firstVoice }) => yes(firstVoice === 'result') }],
  [
    { name: 'log in short arguments', weight: 0.863, of: ({ shortCall }) => log(shortCall) },
    { name: 'log length', weight: -0.123, of: ({ text }) => log(text.length) },
  ],
  [{ name: 'long', weight: -0.112, of: ({ text }) => yes(text.length > 40) }],
  [{ name: 'capital', weight: 0.004, of: ({ text }) => yes(text >= 'A' && text < '[') }],
  [{ name: 'absolute', weight: 0.636, of: ({ text }) => yes(text[0] === '/') }],
];

const ageWeights = { any: -0.547, byAgent: -0.091 } as const;

/** Every feature of the model; `logAge` is what `logAges` gives. */
export const featuresAt = (logAge: Float64Array): readonly Feature[] => [
  bias,
  ...Object.entries(kindWeights).map(([name, weight]): Feature => {
    return { name, weight, of: ({ kind }) => yes(kind === name) };
  }),
  ...counted.flat(),
  { name: 'log age', weight: ageWeights.any, of: ({ lastMessage }) => logAge[lastMessage] ?? 0 },
  { name: 'log age by agent', weight: ageWeights.byAgent, of: ({ lastByAgent }) => logAge[lastByAgent] ?? 0 },
];

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
 * The chance, from 0 to 1, that the agent will write the term from memory. What does not depend on age is computed once
 * for as long as the term is not said again: this runs for every term of a session.
 */
export function relevanceOf(term: TermStats, logAge: Float64Array): number {
  if (Number.isNaN(term.base)) {
    term.base = bias.weight + kindWeights[term.kind];
    for (const group of counted) term.base += group.reduce((sum, { weight, of }) => sum + weight * of(term), 0);
  }
  const byAgent = ageWeights.byAgent * (logAge[term.lastByAgent] ?? 0);
  return 1 / (1 + Math.exp(-(term.base + ageWeights.any * (logAge[term.lastMessage] ?? 0) + byAgent)));
}

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
