/** A misspelt option, and what is no object at all, at the public doors: refused with the name that was meant. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  aiSdkSummarizer,
  compress,
  createConversations,
  createOutputBudget,
  createOutputTools,
  type Message,
  markAnthropic,
  markCompletions,
  planBreakpoints,
  readTranscripts,
  repair,
  validate,
  verifySummary,
} from '@palimpsest/core';
import { palimpsestMiddleware, prepareStep, withPalimpsest } from '@palimpsest/core/ai-sdk';
import {
  ContextCompressor,
  compressList,
  createChatCompressor,
  createCompressor,
  defineEngine,
  engineListMaker,
  guardEngine,
} from '@palimpsest/core/engine';
import { aiSdkEmbedder, embedMessages, loadMiniLm, search, sessionSearchTool } from '@palimpsest/core/search';
import { compressSession, exportSession, importTranscripts, openStore, type Store } from '@palimpsest/core/store';
import { checkEngine, misbehaving, startFakeProvider } from '@palimpsest/core/testing';
import { insights, toolUse } from '@palimpsest/core/usage';
import { chooseEngine, hooksFromConfig, loadSummarizer, pluginPlaces, simulate } from 'palimpsest';

/** As a caller without a compiler has it. */
const untyped = <T>(value: unknown): T => value as T; // the functions under test are to find out

for (const [name, call] of [
  ['ContextCompressor', (options: object) => new ContextCompressor(options)],
  ['createCompressor', createCompressor],
  ['createChatCompressor', createChatCompressor],
  ['createCompressor', prepareStep],
] as const) {
  test(`E1 ${call.name || name} refuses an option that is none`, () => {
    assert.throws(() => call(untyped({ contextLenght: 8_000 })), {
      code: 'BAD_OPTION',
      message: `expected an option of ${name}, got contextLenght: did you mean contextLength?`,
    });
    assert.throws(() => call(untyped('gpt-5')), {
      code: 'BAD_OPTION',
      message: `expected the options of ${name} as an object, got "gpt-5"`,
    });
  });
}

for (const make of [createOutputBudget, createOutputTools]) {
  test(`R1 ${make.name} refuses an option that is none, and says that it needs the outputs of a store`, () => {
    assert.throws(() => make(untyped({})), {
      code: 'BAD_OPTION',
      message: `expected as outputs of ${make.name} the outputs of a store (store.outputs), got undefined`,
    });
    assert.throws(() => make(untyped({ output: {} })), {
      code: 'BAD_OPTION',
      message: /output: did you mean outputs\?/,
    });
    assert.throws(() => make(untyped(undefined)), { code: 'BAD_OPTION', message: /as an object, got undefined/ });
  });
}

test('Q1 search refuses what is no store, no query and no option', async () => {
  await using store = await openStore({ path: ':memory:' });
  const refused = { code: 'BAD_OPTION' };
  await assert.rejects(search(untyped(undefined), 'x'), { ...refused, message: /a store to search.* got undefined/ });
  await assert.rejects(search(store, untyped(undefined)), { ...refused, message: /a query as a text, got undefined/ });
  await assert.rejects(search(store, 'x', untyped({ limt: 3 })), { ...refused, message: /limt: did you mean limit\?/ });
  await assert.rejects(search(store, 'x', untyped(3)), {
    ...refused,
    message: /options of search as an object, got 3/,
  });
});

test('C1 planBreakpoints refuses an option that is none', () => {
  assert.throws(() => planBreakpoints([], untyped({ targt: 'litellm' })), { code: 'BAD_OPTION', message: /target\?/ });
});

test('U2 insights and toolUse refuse an option that is none', async () => {
  await using store = await openStore({ path: ':memory:' });
  await assert.rejects(insights(store, untyped({ sinse: 0 })), {
    code: 'BAD_OPTION',
    message: /insights.* mean since\?/,
  });
  await assert.rejects(toolUse(store, untyped({ sinse: 0 })), {
    code: 'BAD_OPTION',
    message: /toolUse.* mean since\?/,
  });
});

test('Q1 sessionSearchTool refuses an option that is none, and what is no store', async () => {
  await using store = await openStore({ path: ':memory:' });
  assert.throws(() => sessionSearchTool({ store, ...{ vector: 3 } }), {
    code: 'BAD_OPTION',
    message: /mean vectors\?/,
  });
  assert.throws(() => sessionSearchTool(untyped({})), { code: 'BAD_OPTION', message: /a store to search/ });
});

test('C4 simulate refuses an option that is none', async () => {
  const misspelt = { model: 'claude-opus-4-8', ...{ polices: [] } };
  await assert.rejects(simulate({ messages: [] }, misspelt), { code: 'BAD_OPTION', message: /mean policies\?/ });
});

describe('every other function that takes options', () => {
  const text = (said: string): Message => ({ role: 'user', parts: [{ type: 'text', text: said }] });
  const model = { specificationVersion: 'v3', provider: 'mill', modelId: 'mill-1', doStream: () => undefined };
  const embedder = { name: 'none', scripts: [], embed: async () => [] };
  const engine = () => defineEngine<Message>({ name: 'none', compress: async (list) => list });
  const calls: Readonly<Record<string, (options: object, store: Store) => unknown>> = {
    aiSdkEmbedder: (options) => aiSdkEmbedder(untyped(model), options),
    aiSdkSummarizer: (options) => aiSdkSummarizer(untyped(model), options),
    checkEngine: (options) => checkEngine(engine, options),
    chooseEngine: (options) => chooseEngine(untyped(options)),
    compress: (options) => compress([text('Hello')], untyped(options)),
    compressList: (options) => compressList([text('Hello')], untyped(options)),
    compressSession: (options, store) => compressSession(store, 'none', untyped(options)),
    createConversations: (options) => createConversations(untyped(options)),
    embedMessages: (options, store) => embedMessages(store, untyped(embedder), options),
    engineListMaker: (options) => engineListMaker(engine, options),
    exportSession: (options, store) => exportSession(store, 'none', options),
    guardEngine: (options) => guardEngine(engine(), untyped(options)),
    hooksFromConfig: (options) => hooksFromConfig(untyped({}), untyped(options)),
    importTranscripts: (options, store) => importTranscripts(store, [], options),
    loadMiniLm,
    loadSummarizer: (options) => loadSummarizer({ model: 'openai/gpt-5', env: {} }, options),
    markAnthropic: (options) => markAnthropic({}, options),
    markCompletions: (options) => markCompletions([], options),
    misbehaving: (options) => misbehaving('changesNumber', options),
    openStore: (options) => openStore(untyped(options)),
    palimpsestMiddleware,
    pluginPlaces: (options) => pluginPlaces(untyped(options)),
    readTranscripts: (options) => readTranscripts('', options),
    repair: (options) => repair([], options),
    simulate: (options) => simulate({ messages: [] }, untyped(options)),
    startFakeProvider,
    validate: (options) => validate([], options),
    verifySummary: (options) => verifySummary('', [], options),
    withPalimpsest: (options) => withPalimpsest(untyped(model), options),
  };
  for (const [name, call] of Object.entries(calls)) {
    test(`L1 ${name} refuses an option that is none`, async () => {
      await using store = await openStore({ path: ':memory:' });
      await assert.rejects(async () => call({ nobodyKnowsIt: 1 }, store), {
        code: 'BAD_OPTION',
        message: new RegExp(`^expected an option of ${name}, got nobodyKnowsIt: `),
      });
    });
  }
});
