/**
 * How likely is it that the agent will write a term again, before anything shows it the term again? A logistic model
 * over how often, how recently and by whom the term was said. Its weights are the same for every conversation.
 */
import type { TermStats } from './corpus.ts';
import { relevanceWeights } from './relevance.data.ts';
import { termKinds } from './terms.ts';

/** Where "now" is: how many tokens were said since the beginning of a message, that message included. */
export interface Now {
  readonly tokensSince: (message: number) => number;
}

/** Names of the features, in the order of the vector. */
export const featureNames: readonly string[] = [
  'bias',
  ...termKinds,
  'log occurrences',
  'log messages',
  'log in calls',
  'log in agent text',
  'log in user text',
  'log in results',
  'in calls',
  'in agent text',
  'in user text',
  'in results',
  'log age',
  'by agent',
  'log age by agent',
  'first by user',
  'first in result',
  'log in short arguments',
  'long',
  'log length',
  'capital',
  'absolute',
];

/** Writes the features of a term into `into` and returns it. No list is made on the way: it runs for every term. */
export function featuresOf(term: TermStats, now: Now, into: Float64Array): Float64Array {
  const log = Math.log1p;
  const { call, result, user, agent, text, kind } = term;
  for (let i = 0; i < termKinds.length; i++) into[1 + i] = termKinds[i] === kind ? 1 : 0;
  const byAgent = term.lastByAgent >= 0;
  const start = text.charCodeAt(0);
  let at = 1 + termKinds.length;
  into[0] = 1;
  into[at++] = log(call + result + user + agent);
  into[at++] = log(term.messages);
  into[at++] = log(call);
  into[at++] = log(agent);
  into[at++] = log(user);
  into[at++] = log(result);
  into[at++] = call > 0 ? 1 : 0;
  into[at++] = agent > 0 ? 1 : 0;
  into[at++] = user > 0 ? 1 : 0;
  into[at++] = result > 0 ? 1 : 0;
  into[at++] = log(now.tokensSince(term.lastMessage) / 1000);
  into[at++] = byAgent ? 1 : 0;
  into[at++] = byAgent ? log(now.tokensSince(term.lastByAgent) / 1000) : 0;
  into[at++] = term.firstVoice === 'user' ? 1 : 0;
  into[at++] = term.firstVoice === 'result' ? 1 : 0;
  into[at++] = log(term.shortCall);
  into[at++] = text.length > 40 ? 1 : 0;
  into[at++] = log(text.length);
  into[at++] = start >= 65 && start <= 90 ? 1 : 0;
  into[at] = start === 47 ? 1 : 0;
  return into;
}

const weight = (name: string): number => relevanceWeights[name] ?? 0;
const kindWeights: ReadonlyMap<string, number> = new Map(termKinds.map((kind) => [kind, weight(kind)]));
const w = {
  bias: weight('bias'),
  occurrences: weight('log occurrences'),
  messages: weight('log messages'),
  logCall: weight('log in calls'),
  logAgent: weight('log in agent text'),
  logUser: weight('log in user text'),
  logResult: weight('log in results'),
  call: weight('in calls'),
  agent: weight('in agent text'),
  user: weight('in user text'),
  result: weight('in results'),
  age: weight('log age'),
  byAgent: weight('by agent'),
  ageByAgent: weight('log age by agent'),
  firstByUser: weight('first by user'),
  firstInResult: weight('first in result'),
  shortCall: weight('log in short arguments'),
  long: weight('long'),
  length: weight('log length'),
  capital: weight('capital'),
  absolute: weight('absolute'),
} as const;

const smallLogs = Float64Array.from({ length: 256 }, (_, n) => Math.log1p(n));
const log = (n: number): number => smallLogs[n] ?? Math.log1p(n);

/**
 * The chance, from 0 to 1, that the agent will write the term from memory. `logAge` holds `log(1 + tokens / 1000)` for
 * each message. What does not depend on age is computed once for as long as the term is not said again.
 */
export function relevanceOf(term: TermStats, logAge: Float64Array): number {
  if (Number.isNaN(term.base)) term.base = withoutAge(term);
  const byAgent = term.lastByAgent >= 0 ? w.ageByAgent * (logAge[term.lastByAgent] ?? 0) : 0;
  return 1 / (1 + Math.exp(-(term.base + w.age * (logAge[term.lastMessage] ?? 0) + byAgent)));
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

/** The sum over `featuresOf` but for the ages, written out: it runs for every term of a session. */
function withoutAge(term: TermStats): number {
  const { call, result, user, agent, text } = term;
  const start = text.charCodeAt(0);
  let sum = w.bias + (kindWeights.get(term.kind) ?? 0);
  sum += w.occurrences * log(call + result + user + agent) + w.messages * log(term.messages);
  if (call > 0) sum += w.call + w.logCall * log(call);
  if (agent > 0) sum += w.agent + w.logAgent * log(agent);
  if (user > 0) sum += w.user + w.logUser * log(user);
  if (result > 0) sum += w.result + w.logResult * log(result);
  if (term.lastByAgent >= 0) sum += w.byAgent;
  if (term.firstVoice === 'user') sum += w.firstByUser;
  if (term.firstVoice === 'result') sum += w.firstInResult;
  sum += w.shortCall * log(term.shortCall) + w.length * log(text.length);
  if (text.length > 40) sum += w.long;
  if (start >= 65 && start <= 90) sum += w.capital;
  return start === 47 ? sum + w.absolute : sum;
}
