/**
 * The week over a wrapped model and the loop of the AI SDK, without a screen: what the library alone has to do, and the proof
 * that provider, person and judges work.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { tokenizerFor } from '@palimpsest/core';
import { type AnyModel, type Notice, stop, summarize, tools, withPalimpsest } from '@palimpsest/core/ai-sdk';
import { compressSession, openStore } from '@palimpsest/core/store';
import type { DialectName } from '@palimpsest/core/testing';
import { isStepCount, type ModelMessage, streamText } from 'ai';
import type { Done, WeekRecord } from './judge.ts';
import { type Act, type TextName, texts } from './person.ts';
import { modelsOf, type WeekProvider, windows } from './provider.ts';
import { simpleTools } from './simple-tools.ts';

export interface PlainWeek {
  readonly provider: WeekProvider;
  readonly dialect: DialectName;
  /** Where store and memory are. */
  readonly home: string;
  readonly project: string;
}

/** What a client keeps between two requests. */
interface Client {
  readonly options: PlainWeek;
  readonly notices: Notice[];
  readonly done: Done[];
  name: string;
  model: AnyModel & AsyncDisposable;
  messages: ModelMessage[];
  sessionId: string | undefined;
  failure?: unknown;
}

export const storePath = (home: string): string => join(home, 'week.db');

/** Does everything that the person does; gives what happened, and what the library had to say meanwhile. */
export async function playPlainly(
  acts: readonly Act[],
  options: PlainWeek,
): Promise<WeekRecord & { readonly notices: readonly Notice[] }> {
  const notices: Notice[] = [];
  const done: Done[] = [];
  const name = modelsOf(options.dialect).large;
  const model = wrapped(options, name, notices);
  const client: Client = { options, notices, done, name, model, messages: [], sessionId: undefined };
  for (const act of acts) {
    await play(client, act);
    done.push({ act: act.type, at: options.provider.fake.requests.length });
  }
  await stop(client.model);
  return { provider: options.provider, done, notices };
}

const system = 'You work on a small project with the tools you have. Do what is asked, and say what came of it.';

function wrapped({ provider, dialect, home, project }: PlainWeek, name: string, notices: Notice[]): Client['model'] {
  const at = { apiKey: 'key-of-a-test', baseURL: provider.fake.baseUrl(dialect) };
  const inner =
    dialect === 'anthropic'
      ? createAnthropic(at)(name)
      : createOpenAICompatible({ ...at, name: 'kiln', includeUsage: true }).chatModel(name);
  const contextLength = windows[name] ?? assert.fail();
  return withPalimpsest<AnyModel>(inner, {
    store: storePath(home),
    contextLength,
    summarizer: summarize(inner, { contextLength }),
    // Nothing is done between two requests that a test would have to wait for.
    memory: { folder: join(home, 'memories'), project, curate: false },
    onNotice: (notice) => notices.push(notice),
  });
}

async function play(client: Client, act: Act): Promise<void> {
  switch (act.type) {
    case 'say': {
      const answer = await say(client, act.says);
      assert.match(answer, act.answer, act.says);
      return;
    }
    case 'stop':
    case 'kill':
      await say(client, act.says, { isBrokenOff: true });
      if (act.type === 'kill') await startAgain(client, client.name);
      return;
    case 'meanwhile': {
      // A loop that hears nobody in between: the one is said when the other is done.
      await say(client, act.says);
      assert.match(await say(client, act.adds), act.answer, act.adds);
      return;
    }
    case 'compress':
      return compress(client, act.topic);
    case 'small_model':
      return startAgain(client, modelsOf(client.options.dialect).small);
    case 'restart':
      return startAgain(client, client.name);
    // There is nobody to confirm anything: the judges of the memory would tell.
    case 'confirm':
    case 'pin':
    case 'title':
    case 'look':
      return;
    default:
      return act satisfies never;
  }
}

/** Says it, and works until there is an answer; or until it is broken off in the middle of one. */
async function say(client: Client, what: TextName, { isBrokenOff = false } = {}): Promise<string> {
  const { provider, project } = client.options;
  const { model, messages, sessionId } = client;
  messages.push({ role: 'user', content: texts[what] });
  const broken = new AbortController();
  client.done.push({ act: 'said', says: what, at: provider.fake.requests.length });
  const palimpsest = { project, ...(sessionId === undefined ? {} : { sessionId }) };
  const result = streamText({
    model,
    messages,
    system,
    tools: { ...simpleTools(project), ...tools(model) },
    stopWhen: isStepCount(60),
    maxRetries: 0,
    // No answer of the week is longer; what a request may write is taken from the window.
    maxOutputTokens: 800,
    abortSignal: broken.signal,
    providerOptions: { palimpsest },
    onError: ({ error }) => {
      if (!isBrokenOff) client.failure = error;
    },
  });
  const release = new AbortController();
  const atGate = gatekeeper(provider, release.signal, () => (isBrokenOff ? broken.abort() : provider.gate.release()));
  try {
    await result.consumeStream();
    if (isBrokenOff) return '';
    if (client.failure !== undefined) throw client.failure;
    messages.push(...(await result.responseMessages));
    const { palimpsest: report } = (await result.providerMetadata) ?? {};
    if (typeof report?.sessionId === 'string') client.sessionId = report.sessionId;
    return await result.text;
  } finally {
    release.abort();
    await atGate;
  }
}

/** Does something whenever an answer is held, until the turn is over. */
async function gatekeeper({ gate }: WeekProvider, over: AbortSignal, act: () => void): Promise<void> {
  const end = new Promise<'over'>((resolve) => over.addEventListener('abort', () => resolve('over')));
  while ((await Promise.race([gate.held(), end])) !== 'over') {
    act();
    // The next answer may be held as well.
    await new Promise(setImmediate);
  }
}

/** Another process would begin so: with the list that it has kept, and nothing else. */
async function startAgain(client: Client, name: string): Promise<void> {
  await stop(client.model);
  client.name = name;
  client.model = wrapped(client.options, name, client.notices);
}

async function compress(client: Client, focusTopic: string): Promise<void> {
  const sessionId = client.sessionId ?? assert.fail('nothing was said yet');
  await stop(client.model);
  await using store = await openStore({ path: storePath(client.options.home) });
  const contextLength = windows[client.name] ?? assert.fail();
  const options = { owner: 'person', tokenizer: await tokenizerFor(client.name), contextLength, focusTopic };
  const { session } = await compressSession(store, sessionId, options);
  assert.notEqual(session.id, sessionId, 'nothing was compressed');
  client.model = wrapped(client.options, client.name, client.notices);
}
