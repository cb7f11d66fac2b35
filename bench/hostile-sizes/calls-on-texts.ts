/** Calls that take a text. */

import {
  cacheRulesFor,
  cacheTargetOf,
  classifyFailure,
  compressionDefaults,
  estimateTextTokens,
  estimatingTokenizer,
  expand,
  findSecrets,
  formatNames,
  fromOpenAiChat,
  loadEncoding,
  modelInfo,
  noRecovery,
  normaliseUsage,
  PalimpsestError,
  priceOf,
  readTranscripts,
  recoveryFor,
  redact,
  spilledOutput,
  tokenizerFor,
  verifySummary,
} from '@palimpsest/core';
import { adviceFor } from '@palimpsest/core/ai-sdk';
import { createLedger, type JsonObject, resolveEngine } from '@palimpsest/core/engine';
import { resolveCompressionConfig } from '@palimpsest/core/settings';
import { faithfulSummary, misbehaving, misbehaviourNames, promptText, systemText } from '@palimpsest/core/testing';
import { inventedSession } from '../invented-session.ts';
import { type HostileCall, onText, whateverComes } from './given.ts';

/** More than a summary may have is refused, which costs nothing. */
const longestSummary = 119_999;
const mostSummaryLines = 2_999;
const summaryOf = (text: string): string =>
  text.slice(0, longestSummary).split('\n').slice(0, mostSummaryLines).join('\n');

const session = (): ReturnType<typeof fromOpenAiChat> => fromOpenAiChat(inventedSession(4_000, 7));

export const callsOnTexts: readonly HostileCall[] = [
  onText('redact', (text) => () => redact(text)),
  onText('findSecrets', (text) => () => findSecrets(text)),
  onText('estimateTextTokens', (text) => () => estimateTextTokens(text)),
  onText('estimatingTokenizer.count', (text) => () => estimatingTokenizer('claude').count(text)),
  ...(['o200k_base', 'cl100k_base'] as const).flatMap((name) => [
    onText(`${name}.count`, async (text) => {
      const encoding = await loadEncoding(name);
      return () => encoding.count(text);
    }),
    onText(`${name}.encode`, async (text) => {
      const encoding = await loadEncoding(name);
      return () => encoding.encode(text);
    }),
    onText(`${name}.truncate`, async (text) => {
      const encoding = await loadEncoding(name);
      return () => encoding.truncate(text, 5_000);
    }),
  ]),
  onText('modelInfo', (text) => () => modelInfo(text)),
  onText('tokenizerFor', (text) => () => tokenizerFor(text)),
  onText('priceOf', (text) => () => priceOf(text, { inputTokens: 1, outputTokens: 1 })),
  onText('cacheRulesFor', (text) => () => cacheRulesFor(text, '5m')),
  onText('cacheTargetOf', (text) => () => cacheTargetOf({ model: `claude-${text}`, baseUrl: text })),
  onText('normaliseUsage', (text) => () => normaliseUsage({ usage: text, [text]: 1, input_tokens: text })),
  onText('spilledOutput', (text) => () => spilledOutput(text)),
  onText('resolveCompressionConfig: a name', (text) => () => resolveCompressionConfig(JSON.parse(keyed(text)))),
  onText(
    'resolveCompressionConfig: a template',
    (text) => () => resolveCompressionConfig(JSON.parse(JSON.stringify({ ...compressionDefaults, template: text }))),
  ),
  onText(
    'resolveEngine',
    (text) => () => resolveEngine(text, { sources: [], builtIn: [], fallback: { name: 'compressor' } }),
  ),
  onText('createLedger.handoff: a topic', (text) => {
    const ledger = createLedger({ count: estimateTextTokens });
    for (const message of session().slice(0, 400)) ledger.add(message, undefined);
    return () => ledger.handoff({ budgetTokens: 4_000, focusTopic: text });
  }),
  onText('classifyFailure: a message', (text) => () => classifyFailure(new Error(text))),
  onText(
    'classifyFailure: a body',
    (text) => () => classifyFailure(Object.assign(new Error('Bad request'), { statusCode: 400, responseBody: text })),
  ),
  onText(
    'classifyFailure: a value',
    (text) => () =>
      classifyFailure({ error: { message: text, code: text, type: text }, status: text }, { contextLength: 200_000 }),
  ),
  onText(
    'recoveryFor',
    (text) => () =>
      recoveryFor(classifyFailure(text), noRecovery, { messages: 10, tokens: 1_000, contextLength: 200_000 }),
  ),
  onText('adviceFor', (text) => () => adviceFor({ cause: { data: text } })),
  onText('PalimpsestError', (text) => () => PalimpsestError.isInstance(new PalimpsestError('BAD_OPTION', text))),
  onText('verifySummary: the summary', (text) => {
    const [summary, messages] = [summaryOf(text), session()];
    return () => verifySummary(summary, messages);
  }),
  onText('verifySummary: too much', (text) => () => whateverComes(() => verifySummary(text, []))),
  onText('expand: refs', (text) => {
    const messages = session();
    return () => expand(messages, text);
  }),
  onText('readTranscripts', (text) => () => readTranscripts(text)),
  ...formatNames.map((format) =>
    onText(`readTranscripts: ${format}`, (text) => () => readTranscripts(text, { format })),
  ),
  onText(
    'readTranscripts: a document',
    (text) => () => readTranscripts(`{"messages":[{"role":"user","content":"${text}`),
  ),
  onText('readTranscripts: a list', (text) => () => readTranscripts(`[${text}`)),
  onText('readTranscripts: keys', (text) => () => readTranscripts(keyed(text))),
  onText(
    'faithfulSummary',
    (text) => () => faithfulSummary({ messages: [{ role: 'user', parts: [{ type: 'text', text }] }] }),
  ),
  onText('promptText and systemText', (text) => () => {
    const request = { messages: [{ role: 'user', parts: [{ type: 'text', text }] }] } as const;
    return promptText(request) + systemText(request);
  }),
  ...misbehaviourNames.map((name) =>
    onText(`misbehaving: ${name}`, (text) => () => {
      const script = misbehaving(name, { from: { text } });
      const request = {
        body: {},
        model: 'm',
        dialect: 'openai-chat',
        messages: [{ role: 'user', parts: [{ type: 'text', text }] }],
      };
      return typeof script === 'function' ? script(request as never) : script;
    }),
  ),
];

/** An object whose one name is the text. */
const keyed = (text: string): string => JSON.stringify({ [text]: text } satisfies JsonObject);
