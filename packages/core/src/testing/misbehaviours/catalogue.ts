/** All misbehaviours by name: what each does, and what it stands for. */

import { checkKnownOptions } from '../../shared/options/known-options.ts';
import { dialectNamed } from '../../transcript/wire/dialects.ts';
import { faithfulSummary } from '../faithful-summary.ts';
import type { Script } from '../reply.ts';
import type { Misbehaviour, MisbehaviourOptions, Spoil } from './texts.ts';
import * as texts from './texts.ts';

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

const limitsRate: Spoil = (_faithful, _request, { retryAfterSeconds: seconds }) => {
  const headers = { 'retry-after': String(seconds), 'retry-after-ms': String(seconds * 1_000) };
  return { error: { status: 429, headers } };
};

/** The prompt does not fit, in the words of the dialect. */
const overflows: Spoil = (_, { dialect }) => ({ error: dialectNamed(dialect).overflow(208_310, 200_000) });

/** The page of a load balancer in place of an answer, with status 200. */
const loginPage = {
  contentType: 'text/html; charset=utf-8',
  body: '<!doctype html><html><head><title>One moment</title></head><body>Please sign in to continue.</body></html>',
};

/** Every misbehaviour. The texts among them work on summaries in English, Chinese, Japanese and Korean. */
export const misbehaviours: Readonly<Record<MisbehaviourName, Misbehaviour>> = {
  inventsRequest: misbehaviour('text', texts.inventsRequest, {
    description: 'Adds a request that the user never made.',
    standsFor: 'Agents that start work nobody ordered, because a summary says that the user asked for it.',
  }),
  flipsResult: misbehaviour('text', texts.flipsResult, {
    description: 'Turns an outcome into its opposite.',
    standsFor: 'Tests reported as passed that failed, and work reported as open that is done.',
  }),
  changesPath: misbehaviour('text', texts.changesPath, {
    description: 'Names a path beside the right one.',
    standsFor: 'Agents that edit or create a file that does not exist, since its name was almost right.',
  }),
  changesNumber: misbehaviour('text', texts.changesNumber, {
    description: 'Changes a figure.',
    standsFor: 'Counts, ports, limits and measurements that were remembered almost right.',
  }),
  changesVersion: misbehaviour('text', texts.changesVersion, {
    description: 'Names another version.',
    standsFor: 'Dependencies that are pinned to a version nobody chose.',
  }),
  leaksKey: misbehaviour('text', texts.leaksKey, {
    description: 'Writes out a credential.',
    standsFor: 'Keys that reach a summary, and from there every later request, log and memory.',
  }),
  misquotesUser: misbehaviour('text', texts.misquotesUser, {
    description: "Exchanges a word inside the user's quotation marks.",
    standsFor: 'Requests that drift with every compression until they mean something else.',
  }),
  obeysInjection: misbehaviour('text', texts.obeysInjection, {
    description: 'Does what a text inside a tool result says.',
    standsFor: 'Prompt injection that survives in the summary and speaks to the next assistant.',
  }),
  dropsFile: misbehaviour('text', texts.dropsFile, {
    description: 'Leaves out everything about one file.',
    standsFor: 'Work that is done a second time, because nobody knows that it was done.',
  }),
  dropsConstraint: misbehaviour('text', texts.dropsConstraint, {
    description: 'Leaves out what the user laid down.',
    standsFor: 'Rules that are broken right after a compression.',
  }),
  answersQuestion: misbehaviour('answer', texts.answersQuestion, {
    description: "Answers the user's question in place of summarising.",
    standsFor: 'Models that take the last message of the records for a message to them.',
  }),
  empty: misbehaviour('answer', texts.empty, {
    description: 'Answers with nothing.',
    standsFor: 'Sessions that were replaced by an empty summary.',
  }),
  reasoningOnly: misbehaviour('answer', texts.reasoningOnly, {
    description: 'Thinks, and writes no answer.',
    standsFor: 'Reasoning models that spend the whole answer on thinking.',
  }),
  cutMidSentence: misbehaviour('answer', texts.cutMidSentence, {
    description: 'Stops in the middle of a sentence at the limit of length.',
    standsFor: 'Half a summary that was taken for a whole one.',
  }),
  refuses: misbehaviour('answer', texts.refuses, {
    description: 'Refuses in the way of the API.',
    standsFor: 'Safety filters that take a transcript for an attack.',
  }),
  refusesInText: misbehaviour('answer', texts.refusesInText, {
    description: 'Refuses in plain words, with a normal ending.',
    standsFor: 'Sessions whose summary is an apology.',
  }),
  timesOut: misbehaviour('transport', () => ({ hang: true }), {
    description: 'Never answers.',
    standsFor: 'Calls without a deadline, for which an agent waits for ever.',
  }),
  status401: misbehaviour('transport', () => ({ error: { status: 401 } }), {
    description: 'Rejects the key.',
    standsFor: 'Expired and mistyped keys, which no retry mends.',
  }),
  status402: misbehaviour('transport', () => ({ error: { status: 402 } }), {
    description: 'Wants to be paid.',
    standsFor: 'Empty accounts, which no retry mends.',
  }),
  status403: misbehaviour('transport', () => ({ error: { status: 403 } }), {
    description: 'Denies access.',
    standsFor: 'Models and regions that a key is not good for.',
  }),
  status429: misbehaviour('transport', limitsRate, {
    description: 'Limits the rate, and says when to come back.',
    standsFor: 'Clients that retry at once and make it worse.',
  }),
  status500: misbehaviour('transport', () => ({ error: { status: 500 } }), {
    description: 'Fails inside.',
    standsFor: 'Outages that pass.',
  }),
  status529: misbehaviour('transport', () => ({ error: { status: 529 } }), {
    description: 'Is overloaded.',
    standsFor: "Anthropic's own status for too much load, which few clients know.",
  }),
  closesStream: misbehaviour('transport', (text) => ({ text, closeAfter: text.length >> 1 }), {
    description: 'Drops the connection after half of the text.',
    standsFor: 'Half an answer that was taken for a whole one.',
  }),
  malformedStream: misbehaviour('transport', (text) => ({ text, malformed: true }), {
    description: 'Sends an event that is no JSON.',
    standsFor: 'Gateways that cut events in two.',
  }),
  wrongContentType: misbehaviour('transport', () => ({ raw: loginPage }), {
    description: 'Answers with a web page and status 200.',
    standsFor: 'Login pages and load balancers that answer in the place of the provider.',
  }),
  contextLengthExceeded: misbehaviour('transport', overflows, {
    description: 'Says that the prompt is too long.',
    standsFor: 'Summarisers with a smaller window than the conversation they are to summarise.',
  }),
};

/** A script that misbehaves: it takes what `from` would say, which is `faithfulSummary` by default, and spoils it. */
export function misbehaving(
  name: MisbehaviourName,
  given: MisbehaviourOptions & { readonly from?: Script } = {},
): Script {
  checkKnownOptions('misbehaving', given, { seed: true, secret: true, retryAfterSeconds: true, from: true });
  const { from = faithfulSummary, ...options } = given;
  return async (request) => {
    const { text = '', ...faithful } = typeof from === 'function' ? await from(request) : from;
    return { ...faithful, ...misbehaviours[name].reply(text, request, options) };
  };
}
