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

/** Writes the features of a term into `into` and returns it. */
export function featuresOf(term: TermStats, now: Now, into: Float64Array): Float64Array {
  const log = Math.log1p;
  const { call, result, user, agent, text } = term;
  into.fill(0);
  into[0] = 1;
  into[1 + termKinds.indexOf(term.kind)] = 1;
  let at = 1 + termKinds.length;
  const byAgent = term.lastByAgent >= 0;
  const start = text.charCodeAt(text.charCodeAt(0) === 10 ? 1 : 0);
  for (const value of [
    ...[log(call + result + user + agent), log(term.messages), log(call), log(agent), log(user), log(result)],
    ...[Number(call > 0), Number(agent > 0), Number(user > 0), Number(result > 0)],
    log(now.tokensSince(term.lastMessage) / 1000),
    Number(byAgent),
    byAgent ? log(now.tokensSince(term.lastByAgent) / 1000) : 0,
    ...[Number(term.firstVoice === 'user'), Number(term.firstVoice === 'result'), log(term.shortCall)],
    ...[Number(text.length > 40), log(text.length)],
    ...[Number(start >= 65 && start <= 90), Number(start === 47)],
  ]) {
    into[at++] = value;
  }
  return into;
}

const weights = Float64Array.from(featureNames, (name) => relevanceWeights[name] ?? 0);
const buffer = new Float64Array(featureNames.length);

/** The chance, from 0 to 1, that the agent will write the term from memory. */
export function relevanceOf(term: TermStats, now: Now): number {
  const features = featuresOf(term, now, buffer);
  let sum = 0;
  for (let i = 0; i < features.length; i++) sum += (features[i] ?? 0) * (weights[i] ?? 0);
  return 1 / (1 + Math.exp(-sum));
}
