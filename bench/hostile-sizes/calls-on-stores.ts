/** Calls on a store, which lies in memory. */
import {
  createOutputBudget,
  createOutputTools,
  exactTokenizer,
  fromOpenAiChat,
  knownWindows,
  loadEncoding,
  type Message,
} from '@palimpsest/core';
import {
  discover,
  embedMessages,
  expandSession,
  readAround,
  readConversation,
  recentConversations,
  search,
  sessionSearchTool,
  shownMessages,
} from '@palimpsest/core/search';
import {
  compressSession,
  exportSession,
  importTranscripts,
  openStore,
  outputMeant,
  placesOf,
  type Store,
  storedCompressor,
  type UsageEntry,
} from '@palimpsest/core/store';
import { importUsage, insights, toolUse } from '@palimpsest/core/usage';
import { hooksFromConfig } from 'palimpsest';
import { inventedSession } from '../invented-session.ts';
import { type HostileCall, onMessages, onText, type Run } from './given.ts';

const memory = (): Promise<Store> => openStore({ path: ':memory:' });
const usual = (): readonly Message[] => fromOpenAiChat(inventedSession(500, 7));

/** A store with one session of the messages. */
async function kept(messages: readonly Message[]): Promise<{ readonly store: Store; readonly id: string }> {
  const store = await memory();
  const { id } = await store.sessions.create({ source: 'bench' });
  await store.messages.append(id, messages);
  return { store, id };
}

const withStore = (name: string, act: (store: Store, text: string, id: string) => unknown): HostileCall =>
  onText(name, async (text): Promise<Run> => {
    const { store, id } = await kept(usual());
    return () => act(store, text, id);
  });

const embedder = {
  name: 'bench',
  scripts: ['Latin'],
  embed: async (texts: readonly string[]) => texts.map(({ length }) => Float32Array.from([length, 1, 2, 3])),
};

const usageReport = (text: string) => ({
  id: text,
  model: text,
  time: text,
  report: { input_tokens: 1, output_tokens: 2, model: text },
});

const entryOf = (text: string, sessionId: string): UsageEntry => ({
  sessionId,
  task: text,
  model: text,
  reportId: text,
  inputTokens: 1,
  outputTokens: 1,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
});

export const callsOnStores: readonly HostileCall[] = [
  onMessages('store.messages.append', async (messages) => {
    const store = await memory();
    const { id } = await store.sessions.create({ source: 'bench' });
    return () => store.messages.append(id, messages);
  }),
  onMessages('importTranscripts', async (messages) => {
    const store = await memory();
    return () => importTranscripts(store, [{ format: 'openai-chat', messages, id: 'a' }]);
  }),
  onText('importTranscripts: title, folder and tools', async (text) => {
    const store = await memory();
    const transcript = { format: 'openai-chat', messages: usual(), id: text, title: text, model: text } as const;
    const list = [{ ...transcript, workingDirectory: text, tools: [{ name: text }] }];
    return () => importTranscripts(store, list, { path: text, project: text });
  }),
  onText('importUsage', async (text) => {
    const store = await memory();
    const list = [{ format: 'openai-chat', messages: usual(), id: 'a', usage: [usageReport(text)] } as const];
    const imported = await importTranscripts(store, list);
    return () => importUsage(store, list, imported);
  }),
  onMessages('exportSession', async (messages) => {
    const { store, id } = await kept(messages);
    return () => exportSession(store, id);
  }),
  onMessages('compressSession', async (messages) => {
    const { store, id } = await kept(messages);
    const tokenizer = exactTokenizer(await loadEncoding('o200k_base'));
    return () => compressSession(store, id, { tokenizer, contextLength: 128_000, owner: 'bench' });
  }),
  onMessages('expandSession', async (messages) => {
    const { store, id } = await kept(messages);
    return () => expandSession(store, id, `m1-m${messages.length}`);
  }),
  withStore('expandSession: refs', (store, text, id) => expandSession(store, id, text)),
  withStore('search: the query', (store, text) => search(store, text)),
  onMessages('search', async (messages, text) => {
    const { store } = await kept(messages);
    const query = text.slice(0, 60).trim() || 'importer';
    return () => search(store, query, { limit: 1_000, passageCharacters: 20_000 });
  }),
  onMessages('search: a usual word', async (messages) => {
    const { store } = await kept(messages);
    return () => search(store, 'importer "at the" -never', { explain: true });
  }),
  withStore('session_search: the query', (store, text) => sessionSearchTool({ store }).run({ query: text })),
  withStore('session_search: all arguments', (store, text) =>
    sessionSearchTool({ store }).run({
      query: 'x',
      since: text,
      until: text,
      project: text,
      session: text,
      role: text,
    }),
  ),
  withStore('session_search: arguments as text', (store, text) => sessionSearchTool({ store }).run(text)),
  onMessages('session_search', async (messages, text) => {
    const { store } = await kept(messages);
    const query = text.slice(0, 60).trim() || 'importer';
    return () => sessionSearchTool({ store }).run({ query });
  }),
  onMessages('session_search: a conversation', async (messages) => {
    const { store, id } = await kept(messages);
    return () => sessionSearchTool({ store }).run({ conversation: id, session: id, session_id: id });
  }),
  withStore('discover: the query', (store, text) =>
    discover(store, { query: text, scope: { limit: 20 }, passageCharacters: 300, now: 0 }),
  ),
  onMessages('discover', async (messages) => {
    const { store } = await kept(messages);
    return () => discover(store, { query: 'importer', scope: { limit: 20 }, passageCharacters: 20_000, now: 0 });
  }),
  onMessages('readConversation', async (messages) => {
    const { store, id } = await kept(messages);
    return async () => shownMessages((await readConversation(store, id)).head, { max: 2_000 });
  }),
  onMessages('readAround', async (messages) => {
    const { store, id } = await kept(messages);
    const [, , , near = ''] = await store.messages.viewIds(id);
    return () => readAround(store, near, { window: 50 });
  }),
  onMessages('recentConversations', async (messages) => {
    const { store } = await kept(messages);
    return () => recentConversations(store, { limit: 20 }, undefined);
  }),
  onMessages('store.messages.view', async (messages) => {
    const { store, id } = await kept(messages);
    return () => store.messages.view(id);
  }),
  withStore('store.messages.find', (store, text) => store.messages.find(text, 10)),
  onMessages('storedCompressor', async (messages) => {
    const { store, id } = await kept(messages);
    const tokenizer = exactTokenizer(await loadEncoding('o200k_base'));
    return async () => {
      const engine = storedCompressor(store, id, { tokenizer });
      await engine.onSessionStart(id, { reason: 'resume' });
      return engine.compress(messages);
    };
  }),
  onMessages('embedMessages', async (messages) => {
    const { store } = await kept(messages);
    return () => embedMessages(store, embedder);
  }),
  withStore('store.sessions.title', (store, text, id) => store.sessions.title(id, text)),
  withStore('store.sessions.create', (store, text) =>
    store.sessions.create({ source: text, project: text, model: text, sourceId: text }),
  ),
  withStore('store.sessions.find', (store, text) => store.sessions.find(text)),
  withStore('store.sessions.list', (store, text) => store.sessions.list({ source: text, project: text })),
  onMessages('store.sessions.list: the messages', async (messages) => {
    const { store } = await kept(messages.slice(2));
    return () => store.sessions.list();
  }),
  withStore('store.meta', (store, text) => store.meta.set(text, text)),
  withStore('store.usage.add', (store, text, id) => store.usage.add([entryOf(text, id)])),
  onText('insights', async (text) => {
    const { store, id } = await kept(usual());
    await store.usage.add([entryOf(text, id)]).catch(() => {});
    return () => insights(store);
  }),
  onMessages('toolUse', async (messages) => {
    const { store } = await kept(messages);
    return () => toolUse(store);
  }),
  withStore('knownWindows', (store, text) => knownWindows(store.meta).get(text)),
  withStore('store.outputs.save', (store, text) => store.outputs.save(text)),
  onText('createOutputBudget.admit', async (text) => {
    const budget = createOutputBudget({ outputs: (await memory()).outputs });
    return () => budget.admit({ toolName: 'bash', callId: 'call-1', content: text });
  }),
  onText('createOutputBudget.admit: an envelope', async (text) => {
    const budget = createOutputBudget({ outputs: (await memory()).outputs });
    const content = JSON.stringify({ content: [{ type: 'text', text }], structuredContent: { text } });
    return () => budget.admit({ toolName: 'mcp', callId: 'call-1', content });
  }),
  onText('createOutputBudget.admitTurn', async (text) => {
    const budget = createOutputBudget({ outputs: (await memory()).outputs });
    const results = Array.from({ length: 100 }, (_, at) => ({
      toolName: 'bash',
      callId: `call-${at}`,
      content: text.slice((at * text.length) / 100, ((at + 1) * text.length) / 100),
    }));
    return () => budget.admitTurn(results);
  }),
  onText('placesOf', async (text) => {
    const { outputs } = await memory();
    const { id } = await outputs.save(text);
    return () => placesOf(outputs, id, { query: text.slice(0, 40).trim() || 'importer', limit: 100 });
  }),
  withStore('outputMeant', async (store, text) => outputMeant(text, { outputs: store.outputs })),
  ...['read_output', 'search_output'].flatMap((tool) => [
    onText(`${tool}: the result`, async (text) => {
      const { outputs } = await memory();
      const { id } = await outputs.save(text);
      const found = createOutputTools({ outputs }).find(({ name }) => name === tool);
      const query = text.slice(0, 40).trim() || 'importer';
      return () => found?.run({ id, query, limit: 100 });
    }),
    onText(`${tool}: the end of it`, async (text) => {
      const { outputs } = await memory();
      const { id, lines } = await outputs.save(`${text}\nthe end`);
      const found = createOutputTools({ outputs }).find(({ name }) => name === tool);
      return () => found?.run({ id, query: 'the end', from: lines });
    }),
    onText(`${tool}: the arguments`, async (text) => {
      const { outputs } = await memory();
      await outputs.save('some text\n'.repeat(20_000));
      const found = createOutputTools({ outputs }).find(({ name }) => name === tool);
      return () => found?.run({ id: text, query: text });
    }),
    onText(`${tool}: arguments as text`, async (text) => {
      const { outputs } = await memory();
      await outputs.save('some text\n'.repeat(20_000));
      const found = createOutputTools({ outputs }).find(({ name }) => name === tool);
      return () => found?.run(text);
    }),
  ]),
  onText('hooksFromConfig', (text) => {
    const command = { command: 'cat', timeoutMs: 5_000 } as never;
    const none = { compressionEnd: [], sessionStart: [], sessionContinue: [], sessionEnd: [] };
    const hooks = hooksFromConfig({ ...none, compressionStart: [command] } as never, {
      cwd: '/',
      env: { PATH: process.env.PATH },
      onNotice: () => undefined,
    });
    return () => hooks.onCompressionStart?.({ sessionId: text, focusTopic: text } as never);
  }),
];
