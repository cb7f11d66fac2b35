/** Calls that take a conversation. */

import {
  compress,
  conversationTokens,
  createRecord,
  estimateTextTokens,
  exactTokenizer,
  expand,
  formatNames,
  fromOpenAiChat,
  loadEncoding,
  type Message,
  markAnthropic,
  markCompletions,
  messageTokens,
  PalimpsestError,
  planBreakpoints,
  readTranscripts,
  repair,
  type Tokenizer,
  toOpenAiChat,
  validate,
  verifySummary,
  writeTranscript,
} from '@palimpsest/core';
import {
  ContextCompressor,
  compressList,
  createChatCompressor,
  createCompressor,
  createLedger,
  engineListMaker,
  guardEngine,
  ledgerOf,
  messageCounter,
  ownListMaker,
  unwrapHandoff,
} from '@palimpsest/core/engine';
import { groupsOf, messageHash, originOf, readableText, redactedMessage } from '@palimpsest/core/formats';
import { messageBody, transcriptWithKept } from '@palimpsest/core/store';
import { simulate } from 'palimpsest';
import { type HostileCall, onMessages } from './given.ts';

const tokenizer = async (): Promise<Tokenizer> => exactTokenizer(await loadEncoding('o200k_base'));

const summary = '## Active Task\nThe user asked to look at the importer (m2).\n\n## Goal\nAn importer that works.';

const written = (messages: readonly Message[], format: (typeof formatNames)[number]): string =>
  [...writeTranscript({ format, messages }, format)].join('');

const writable = formatNames.filter((format) => {
  try {
    return writeTranscript({ format, messages: [] }, format) !== undefined;
  } catch (error) {
    if (PalimpsestError.isInstance(error)) return false;
    throw error;
  }
});

export const callsOnMessages: readonly HostileCall[] = [
  onMessages('conversationTokens', async (messages) => {
    const counter = await tokenizer();
    return () => conversationTokens(messages, counter);
  }),
  onMessages('messageTokens', async (messages) => {
    const counter = await tokenizer();
    return () => messages.map((message) => messageTokens(message, counter));
  }),
  onMessages('messageCounter', async (messages) => {
    const counter = await tokenizer();
    return () => messages.map(messageCounter(counter));
  }),
  onMessages('redactedMessage', (messages) => () => messages.map(redactedMessage)),
  onMessages('messageHash', (messages) => () => messages.map(messageHash)),
  onMessages('messageBody', (messages) => () => messages.map(messageBody)),
  onMessages('originOf', (messages) => () => messages.map(originOf)),
  onMessages('readableText', (messages) => () => messages.map(readableText)),
  onMessages('unwrapHandoff', (messages) => () => messages.map(unwrapHandoff)),
  onMessages(
    'transcriptWithKept',
    (messages, text) => () => transcriptWithKept({ format: 'openai-chat', messages }, text),
  ),
  onMessages('groupsOf', (messages) => () => groupsOf(messages)),
  onMessages('validate', (messages) => () => validate(messages)),
  onMessages('repair', (messages) => () => repair(messages, { strictRoles: true, unanswered: 'stub' })),
  onMessages('planBreakpoints', (messages) => () => planBreakpoints(messages)),
  onMessages('markCompletions', (messages) => {
    const list = toOpenAiChat(messages);
    return () => markCompletions(list);
  }),
  onMessages('markAnthropic', (messages) => {
    const body: object = JSON.parse(written(messages, 'anthropic'));
    return () => markAnthropic(body);
  }),
  onMessages('toOpenAiChat', (messages) => () => toOpenAiChat(messages)),
  onMessages('fromOpenAiChat', (messages) => {
    const list = toOpenAiChat(messages);
    return () => fromOpenAiChat(list);
  }),
  ...writable.flatMap((format) => [
    onMessages(`writeTranscript: ${format}`, (messages) => () => written(messages, format)),
    onMessages(`readTranscripts: written as ${format}`, (messages) => {
      const file = written(messages, format);
      return () => readTranscripts(file);
    }),
  ]),
  onMessages('createRecord.ingest', (messages) => () => createRecord({ count: estimateTextTokens }).ingest(messages)),
  onMessages('createLedger.add', (messages) => () => {
    const ledger = createLedger({ count: estimateTextTokens });
    for (const [at, message] of messages.entries()) ledger.add(message, messages[at + 1]);
  }),
  onMessages('ledgerOf.handoff', async (messages) => {
    const { count } = await tokenizer();
    return () => ledgerOf(messages, { count }).handoff({ budgetTokens: 8_000 });
  }),
  onMessages('compress', async (messages) => {
    const counter = await tokenizer();
    return () => compress(messages, { tokenizer: counter, contextLength: 128_000 });
  }),
  onMessages('compress: everything covered', async (messages) => {
    const counter = await tokenizer();
    return () =>
      compress(messages, { tokenizer: counter, contextLength: 128_000, targetTokens: 2_000, system: 'cover' });
  }),
  onMessages('createCompressor.compress', (messages) => () => createCompressor({}).compress(messages)),
  onMessages('createChatCompressor.compress', (messages) => {
    const list = toOpenAiChat(messages);
    return () => createChatCompressor({}).compress(list);
  }),
  onMessages('ContextCompressor.compress', (messages) => {
    const list = toOpenAiChat(messages);
    return () => new ContextCompressor({}).compress(list as never);
  }),
  onMessages('compressList', async (messages) => {
    const counter = await tokenizer();
    const about = { tokenizer: counter, contextLength: 128_000 };
    return () => compressList(messages, { make: ownListMaker(about), name: 'bench', ...about });
  }),
  onMessages('compressList: an engine of others', async (messages) => {
    const counter = await tokenizer();
    const about = { tokenizer: counter, contextLength: 128_000 };
    const engine = () => guardEngine(createCompressor({}), { fallback: createCompressor({}) });
    return () => compressList(messages, { make: engineListMaker(engine), name: 'bench', ...about });
  }),
  onMessages('verifySummary: the record', (messages) => () => verifySummary(summary, messages)),
  onMessages('verifySummary: the record, quoted', (messages, text) => {
    const quoted = text.slice(0, 100_000).split('\n').slice(0, 2_900).join('\n');
    return () => verifySummary(quoted, messages);
  }),
  onMessages('expand: the conversation', (messages) => () => expand(messages, `m1-m${messages.length}`)),
  onMessages('simulate', (messages) => () => simulate({ messages }, { model: 'claude-sonnet-5' })),
];
