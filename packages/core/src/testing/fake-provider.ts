/** A model provider for tests: a real HTTP server that speaks four dialects, and says what scripts tell it. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { PalimpsestError } from '../shared/errors.ts';
import { isJsonObject, type JsonObject } from '../shared/json.ts';
import { checkKnownOptions, type KnownOptions } from '../shared/options/known-options.ts';
import { validate } from '../transcript/validate.ts';
import { type DialectName, idOf, type Rejection } from '../transcript/wire/answer.ts';
import { asList } from '../transcript/wire/values.ts';
import {
  answerOf,
  type Connection,
  promptTokens,
  sendFailure,
  sendJson,
  sendRaw,
  sendStream,
  sendWhole,
  type Wait,
} from './answer.ts';
import { faithfulSummary } from './faithful-summary.ts';
import { checkReply, checkScript, type Reply, type ReplyError, type Script } from './reply.ts';
import { type FakeRequest, openRecord, type RequestRecord, readBody } from './request.ts';

/** A provider that answers as it is told. */
export interface FakeProvider {
  /** `http://127.0.0.1:port`: the base URL for the SDKs of Anthropic and Google. */
  readonly url: string;
  /** The base URL for a client of the dialect: `url` with `/v1`, for Gemini `/v1beta`. The SDKs of Anthropic and Google want `url`. */
  baseUrl(dialect: DialectName): string;
  /** All requests so far, in the order in which they came. */
  readonly requests: readonly FakeRequest[];
  /** Settles when so many requests have come, with the last of them. */
  received(count: number): Promise<FakeRequest>;
  /**
   * Queues scripts, one for each of the next requests that pass the checks of the provider.
   * @throws BAD_OPTION for what is neither a reply nor a function; nothing is queued then
   */
  reply(...scripts: readonly Script[]): void;
  /** Ends the server and every open connection. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a provider on a free port of 127.0.0.1. @throws BAD_OPTION for an option that is none */
export function startFakeProvider(options: FakeProviderOptions = {}): Promise<FakeProvider> {
  return fakeProviderAt(fixedNow, options);
}

/** The same at another time: milliseconds since 1970, for `created` and the reset times of limits. */
export async function fakeProviderAt(now: () => number, options: FakeProviderOptions): Promise<FakeProvider> {
  checkKnownOptions('startFakeProvider', options, knownProviderOptions);
  if (options.script !== undefined) checkScript(options.script);
  const records: RequestRecord[] = [];
  const scripts: Script[] = [];
  const arrivals = new Set<() => void>();
  const settings = { ...options, now, wait: options.wait ?? realWait };
  const nextScript = (): Script => scripts.shift() ?? options.script ?? faithfulSummary;

  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(incoming);
    if (body === undefined) return;
    const record = openRecord({ number: records.length + 1, incoming, response, body });
    records.push(record);
    for (const arrived of arrivals) arrived();
    await serveRequest(record, { settings, nextScript });
  };
  const server = createServer((incoming, response) => void serve(incoming, response));
  const url = await listening(server);
  const close = (): Promise<void> => ended(server, records);
  return {
    url,
    baseUrl: (dialect) => `${url}/${dialect === 'gemini' ? 'v1beta' : 'v1'}`,
    get requests() {
      return records.map(({ request }) => request);
    },
    received: (count) => arrival(records, count, arrivals),
    reply: (...more) => {
      for (const script of more) checkScript(script);
      scripts.push(...more);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') {
    throw new PalimpsestError(
      'BAD_OPTION',
      'Expected the fake provider to listen on a port of 127.0.0.1; it does not.',
    );
  }
  return `http://127.0.0.1:${address.port}`;
}

function ended(server: Server, records: readonly RequestRecord[]): Promise<void> {
  for (const record of records) record.fate.leave();
  return new Promise((resolve) => {
    // The error says that the server is closed already.
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function arrival(records: readonly RequestRecord[], count: number, arrivals: Set<() => void>): Promise<FakeRequest> {
  return new Promise((resolve) => {
    const look = (): void => {
      const record = records[count - 1];
      if (!record) return;
      arrivals.delete(look);
      resolve(record.request);
    };
    arrivals.add(look);
    look();
  });
}

// One request from the check of its key to the last byte of its answer.

/** What a server brings to every exchange. */
interface ExchangeSetting {
  readonly settings: FakeProviderOptions & { readonly now: () => number; readonly wait: Wait };
  /** Takes the script of a request; asked only for requests that the provider takes. */
  readonly nextScript: () => Script;
}

/** Answers a request: by its path, by the checks of the provider, or by the next script. */
async function serveRequest(record: RequestRecord, { settings, nextScript }: ExchangeSetting): Promise<void> {
  const { dialect, request, response, fate } = record;
  const requestId = idOf(dialect.requestId, request.number);
  const { header } = dialect.requestId;
  const headers = { ...(header === undefined ? {} : { [header]: requestId }), ...dialect.limitHeaders(settings.now()) };
  const connection: Connection = { response, fate, wait: settings.wait, headers, requestId };
  const created = Math.floor(settings.now() / 1_000);
  // A date is a clock too.
  response.sendDate = false;
  const route = routeOf(record);
  if (route === 'unknown') return sendFailure(connection, dialect, dialect.unknownPath(request.method, request.path));
  const refused =
    route === 'models' ? dialect.authorize(record.headers, settings.apiKey) : rejectionOf(record, settings);
  if (refused) return sendFailure(connection, dialect, refused);
  if (route === 'models') return sendModels(connection, record, { settings, created });
  const reply = await replyOf(record, nextScript());
  try {
    await sendReply(connection, record, { reply, created });
  } catch (error) {
    // A stream that has begun can only end early.
    if (response.headersSent) response.destroy();
    else sendFailure(connection, dialect, scriptFailure(record, 'cannot be sent', error));
  }
}

function routeOf({ dialect, isAsked, request }: RequestRecord): 'answer' | 'models' | 'unknown' {
  const [path = ''] = request.path.split('?');
  if (isAsked) return request.method === 'POST' ? 'answer' : 'unknown';
  const isModels = path === dialect.modelsPath || path.startsWith(`${dialect.modelsPath}/`);
  return isModels && request.method === 'GET' ? 'models' : 'unknown';
}

/** The list of models, or the one that the path names. */
function sendModels(
  connection: Connection,
  { dialect, request }: RequestRecord,
  { settings: { models, contextLength }, created }: Pick<ExchangeSetting, 'settings'> & { readonly created: number },
): void {
  const windows = typeof contextLength === 'object' ? contextLength : {};
  const listed = Object.keys(windows);
  const names = models ?? (listed.length > 0 ? listed : ['fake-model']);
  const [path = ''] = request.path.split('?');
  const wanted = path.slice(dialect.modelsPath.length + 1);
  if (wanted === '') {
    const list = dialect.models(names, created);
    sendJson(connection, 200, dialect.name === 'openai-chat' ? withWindows(list, windows) : list);
    return;
  }
  const found = names.find((name) => name === wanted || encodeURIComponent(name) === wanted);
  const one = found === undefined ? {} : dialect.models([found], created);
  const [only] = asList(one.data ?? one.models);
  if (isJsonObject(only)) sendJson(connection, 200, only);
  else sendFailure(connection, dialect, dialect.unknownModel(wanted));
}

/** The list with the windows of its models, as servers tell them that run models on a machine of one's own. */
function withWindows(list: JsonObject, windows: Readonly<Record<string, number>>): JsonObject {
  if (!Array.isArray(list.data)) return list;
  const data = list.data.map((row) => {
    const tokens = isJsonObject(row) ? windows[String(row.id)] : undefined;
    return isJsonObject(row) && tokens !== undefined ? { ...row, max_model_len: tokens } : row;
  });
  return { ...list, data };
}

/** What the script says; a script that throws, or says what is no reply, becomes a failure that tells what is wrong. */
async function replyOf(record: RequestRecord, script: Script): Promise<Reply> {
  let reply: Reply;
  try {
    reply = typeof script === 'function' ? await script(record.request) : script;
  } catch (error) {
    return { error: scriptFailure(record, 'threw', error) };
  }
  try {
    checkReply(reply);
    return reply;
  } catch (error) {
    return { error: scriptFailure(record, 'gave no reply', error) };
  }
}

const scriptFailure = ({ request }: RequestRecord, what: string, error: unknown): ReplyError => ({
  status: 500,
  message: `The script for request ${request.number} ${what}: ${error instanceof Error ? error.message : String(error)}`,
  headers: { 'x-should-retry': 'false' },
});

async function sendReply(
  connection: Connection,
  { dialect, request }: RequestRecord,
  { reply, created }: { readonly reply: Reply; readonly created: number },
): Promise<void> {
  const { signal } = connection.fate;
  if (reply.delayMs) await connection.wait(reply.delayMs, signal);
  if (reply.hang) await gone(signal);
  if (signal.aborted) return;
  if (reply.raw) return sendRaw(connection, reply.raw);
  if (reply.error && !(request.stream && reply.error.inStream)) return sendFailure(connection, dialect, reply.error);
  const spoken = { answer: answerOf(dialect, request, { reply, created }), reply };
  return request.stream ? sendStream(connection, dialect, spoken) : sendWhole(connection, dialect, spoken);
}

// Decides whether a request is let in at all.

/** Bytes of a body above which Anthropic answers 413. */
const largestBody = 32 * 1024 * 1024;

/** The first reason to turn a request away: key, body, fields, model, roles, size. */
function rejectionOf(
  { dialect, request, headers, bytes, value }: RequestRecord,
  { apiKey, models, contextLength, strictRoles }: FakeProviderOptions,
): Rejection | undefined {
  const refused = dialect.authorize(headers, apiKey);
  if (refused) return refused;
  if (bytes > largestBody) return { status: 413 };
  if (!isJsonObject(value)) return dialect.notJson;
  const rejected = dialect.reject(request.body, request.model);
  if (rejected) return rejected;
  if (models && !models.includes(request.model)) return dialect.unknownModel(request.model);
  if (strictRoles && breaksRoles(request)) return alternate;
  const limit = windowOf(request.model, contextLength);
  if (limit === undefined) return undefined;
  const tokens = promptTokens(dialect, request);
  return tokens > limit ? dialect.overflow(tokens, limit) : undefined;
}

/** The window of a model; undefined where it has no limit. */
function windowOf(model: string, windows: FakeProviderOptions['contextLength']): number | undefined {
  if (typeof windows !== 'object') return windows;
  return Object.hasOwn(windows, model) ? windows[model] : undefined;
}

/** The server that most templates with strict roles run on words it so. */
const alternate: Rejection = {
  status: 400,
  type: 'BadRequestError',
  message: 'Conversation roles must alternate user/assistant/user/assistant/...',
};

const breaksRoles = ({ messages }: FakeRequest): boolean =>
  validate(messages, { strictRoles: true }).some(
    ({ rule }) => rule === 'users-in-a-row' || rule === 'first-not-user' || rule === 'late-system',
  );

// Waits that end when nobody waits for them any more.

/** A real timer. */
const realWait: Wait = (ms, signal) =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });

/** Settles when the signal is aborted. */
function gone(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** How a fake provider behaves between its scripts. */
export interface FakeProviderOptions {
  /** The only key that is let in. Without one every request is, with a key or not. */
  readonly apiKey?: string;
  /** The models that exist; a request for any other is answered with 404. @default every model exists */
  readonly models?: readonly string[];
  /**
   * Estimated tokens of a prompt above which requests are rejected as the provider rejects them: for every model, or by the names
   * of models, whose windows the list of models then tells as vLLM does (`max_model_len`). @default no limit
   */
  readonly contextLength?: number | Readonly<Record<string, number>>;
  /**
   * Also reject what chat templates reject that insist on alternating roles (Mistral, Qwen).
   * @default false
   */
  readonly strictRoles?: boolean;
  /** What answers when no script is queued. @default `faithfulSummary` */
  readonly script?: Script;
  /** @default a real timer */
  readonly wait?: Wait;
}

export const knownProviderOptions: KnownOptions<FakeProviderOptions> = {
  apiKey: true,
  models: true,
  contextLength: true,
  strictRoles: true,
  script: true,
  wait: true,
};

/** A date for bodies that must not depend on the day of the test: 2026-01-01. */
export const fixedNow = (): number => Date.UTC(2026, 0, 1);
