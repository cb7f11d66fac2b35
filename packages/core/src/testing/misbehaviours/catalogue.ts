/** All misbehaviours by name: what each does, and what it stands for. */

import { faithfulSummary } from '../faithful-summary.ts';
import type { Script } from '../reply.ts';
import * as failures from './failures.ts';
import * as lies from './lies.ts';
import * as losses from './losses.ts';
import type { Misbehaviour, MisbehaviourOptions, Spoil } from './misbehaviour.ts';

/** The names of the catalogue. */
export const misbehaviourNames = [
  'inventsRequest',
  'flipsResult',
  'changesPath',
  'changesNumber',
  'changesVersion',
  'leaksKey',
  'misquotesUser',
  'obeysInjection',
  'dropsFile',
  'dropsConstraint',
  'answersQuestion',
  'empty',
  'reasoningOnly',
  'cutMidSentence',
  'refuses',
  'refusesInText',
  'timesOut',
  'status401',
  'status402',
  'status403',
  'status429',
  'status500',
  'status529',
  'closesStream',
  'malformedStream',
  'wrongContentType',
  'contextLengthExceeded',
] as const;

/** The name of a misbehaviour. */
export type MisbehaviourName = (typeof misbehaviourNames)[number];

function misbehaviour(
  type: Misbehaviour['type'],
  spoil: Spoil,
  { description, standsFor }: Pick<Misbehaviour, 'description' | 'standsFor'>,
): Misbehaviour {
  return {
    type,
    description,
    standsFor,
    reply: (faithful, request, { seed = 0, secret, retryAfterSeconds = 7 } = {}) =>
      spoil(faithful, request, { seed, secret, retryAfterSeconds }),
  };
}

/** Every misbehaviour. The texts among them work on summaries in English, Chinese, Japanese and Korean. */
export const misbehaviours: Readonly<Record<MisbehaviourName, Misbehaviour>> = {
  inventsRequest: misbehaviour('text', lies.inventsRequest, {
    description: 'Adds a request that the user never made.',
    standsFor: 'Agents that start work nobody ordered, because a summary says that the user asked for it.',
  }),
  flipsResult: misbehaviour('text', lies.flipsResult, {
    description: 'Turns an outcome into its opposite.',
    standsFor: 'Tests reported as passed that failed, and work reported as open that is done.',
  }),
  changesPath: misbehaviour('text', lies.changesPath, {
    description: 'Names a path beside the right one.',
    standsFor: 'Agents that edit or create a file that does not exist, since its name was almost right.',
  }),
  changesNumber: misbehaviour('text', lies.changesNumber, {
    description: 'Changes a figure.',
    standsFor: 'Counts, ports, limits and measurements that were remembered almost right.',
  }),
  changesVersion: misbehaviour('text', lies.changesVersion, {
    description: 'Names another version.',
    standsFor: 'Dependencies that are pinned to a version nobody chose.',
  }),
  leaksKey: misbehaviour('text', lies.leaksKey, {
    description: 'Writes out a credential.',
    standsFor: 'Keys that reach a summary, and from there every later request, log and memory.',
  }),
  misquotesUser: misbehaviour('text', lies.misquotesUser, {
    description: "Exchanges a word inside the user's quotation marks.",
    standsFor: 'Requests that drift with every compression until they mean something else.',
  }),
  obeysInjection: misbehaviour('text', lies.obeysInjection, {
    description: 'Does what a text inside a tool result says.',
    standsFor: 'Prompt injection that survives in the summary and speaks to the next assistant.',
  }),
  dropsFile: misbehaviour('text', losses.dropsFile, {
    description: 'Leaves out everything about one file.',
    standsFor: 'Work that is done a second time, because nobody knows that it was done.',
  }),
  dropsConstraint: misbehaviour('text', losses.dropsConstraint, {
    description: 'Leaves out what the user laid down.',
    standsFor: 'Rules that are broken right after a compression.',
  }),
  answersQuestion: misbehaviour('answer', losses.answersQuestion, {
    description: "Answers the user's question in place of summarising.",
    standsFor: 'Models that take the last message of the records for a message to them.',
  }),
  empty: misbehaviour('answer', losses.empty, {
    description: 'Answers with nothing.',
    standsFor: 'Sessions that were replaced by an empty summary.',
  }),
  reasoningOnly: misbehaviour('answer', losses.reasoningOnly, {
    description: 'Thinks, and writes no answer.',
    standsFor: 'Reasoning models that spend the whole answer on thinking.',
  }),
  cutMidSentence: misbehaviour('answer', losses.cutMidSentence, {
    description: 'Stops in the middle of a sentence at the limit of length.',
    standsFor: 'Half a summary that was taken for a whole one.',
  }),
  refuses: misbehaviour('answer', losses.refuses, {
    description: 'Refuses in the way of the API.',
    standsFor: 'Safety filters that take a transcript for an attack.',
  }),
  refusesInText: misbehaviour('answer', losses.refusesInText, {
    description: 'Refuses in plain words, with a normal ending.',
    standsFor: 'Sessions whose summary is an apology.',
  }),
  timesOut: misbehaviour('transport', failures.timesOut, {
    description: 'Never answers.',
    standsFor: 'Calls without a deadline, for which an agent waits for ever.',
  }),
  status401: misbehaviour('transport', failures.status(401), {
    description: 'Rejects the key.',
    standsFor: 'Expired and mistyped keys, which no retry mends.',
  }),
  status402: misbehaviour('transport', failures.status(402), {
    description: 'Wants to be paid.',
    standsFor: 'Empty accounts, which no retry mends.',
  }),
  status403: misbehaviour('transport', failures.status(403), {
    description: 'Denies access.',
    standsFor: 'Models and regions that a key is not good for.',
  }),
  status429: misbehaviour('transport', failures.status429, {
    description: 'Limits the rate, and says when to come back.',
    standsFor: 'Clients that retry at once and make it worse.',
  }),
  status500: misbehaviour('transport', failures.status(500), {
    description: 'Fails inside.',
    standsFor: 'Outages that pass.',
  }),
  status529: misbehaviour('transport', failures.status(529), {
    description: 'Is overloaded.',
    standsFor: "Anthropic's own status for too much load, which few clients know.",
  }),
  closesStream: misbehaviour('transport', failures.closesStream, {
    description: 'Drops the connection after half of the text.',
    standsFor: 'Half an answer that was taken for a whole one.',
  }),
  malformedStream: misbehaviour('transport', failures.malformedStream, {
    description: 'Sends an event that is no JSON.',
    standsFor: 'Gateways that cut events in two.',
  }),
  wrongContentType: misbehaviour('transport', failures.wrongContentType, {
    description: 'Answers with a web page and status 200.',
    standsFor: 'Login pages and load balancers that answer in the place of the provider.',
  }),
  contextLengthExceeded: misbehaviour('transport', failures.contextLengthExceeded, {
    description: 'Says that the prompt is too long.',
    standsFor: 'Summarisers with a smaller window than the conversation they are to summarise.',
  }),
};

/** A script that misbehaves: it takes what `from` would say, which is `faithfulSummary` by default, and spoils it. */
export function misbehaving(
  name: MisbehaviourName,
  { from = faithfulSummary, ...options }: MisbehaviourOptions & { readonly from?: Script } = {},
): Script {
  return async (request) => {
    const { text = '', ...faithful } = typeof from === 'function' ? await from(request) : from;
    return { ...faithful, ...misbehaviours[name].reply(text, request, options) };
  };
}
