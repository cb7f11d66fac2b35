/** One request from the check of its key to the last byte of its answer. */
import { isJsonObject } from '../shared/json.ts';
import { answerOf } from './answer.ts';
import { checkReply } from './check-reply.ts';
import { idOf, listOf, type Rejection } from './dialects/dialect.ts';
import { rejectionOf, unknownModel } from './gate.ts';
import type { FakeProviderOptions } from './options.ts';
import { gone } from './pace.ts';
import type { RequestRecord } from './record.ts';
import type { Reply, ReplyError, Script } from './reply.ts';
import { type Connection, sendFailure, sendJson, sendRaw, sendStream, sendWhole } from './send.ts';

/** What a server brings to every exchange. */
export interface ExchangeSetting {
  readonly settings: FakeProviderOptions & Required<Pick<FakeProviderOptions, 'now' | 'wait'>>;
  /** Takes the script of a request; asked only for requests that the provider takes. */
  readonly nextScript: () => Script;
}

/** Answers a request: by its path, by the checks of the provider, or by the next script. */
export async function serveRequest(record: RequestRecord, { settings, nextScript }: ExchangeSetting): Promise<void> {
  const { dialect, request, response, fate } = record;
  const requestId = idOf(dialect.requestId, request.number);
  const headers = { [dialect.requestId.header]: requestId, ...dialect.limitHeaders(settings.now()) };
  const connection: Connection = { response, fate, wait: settings.wait, headers, requestId };
  const created = Math.floor(settings.now() / 1_000);
  // A date is a clock too.
  response.sendDate = false;
  const route = routeOf(record);
  if (route === 'unknown') return sendFailure(connection, dialect, unknownRoute(record));
  const refused =
    route === 'models' ? dialect.authorize(record.headers, settings.apiKey) : rejectionOf(record, settings);
  if (refused) return sendFailure(connection, dialect, refused);
  if (route === 'models') return sendModels(connection, record, { names: settings.models ?? ['fake-model'], created });
  const reply = await replyOf(record, nextScript());
  try {
    await sendReply(connection, record, { reply, created });
  } catch (error) {
    // A stream that has begun can only end early.
    if (response.headersSent) response.destroy();
    else sendFailure(connection, dialect, scriptFailure(record, 'cannot be sent', error));
  }
}

const modelsPath = '/v1/models';

function routeOf({ dialect, isOfDialect, request }: RequestRecord): 'answer' | 'models' | 'unknown' {
  const [path = ''] = request.path.split('?');
  if (isOfDialect) return request.method === 'POST' && path === dialect.path ? 'answer' : 'unknown';
  const isModels = path === modelsPath || path.startsWith(`${modelsPath}/`);
  return isModels && request.method === 'GET' ? 'models' : 'unknown';
}

const unknownRoute = ({ dialect, request }: RequestRecord): Rejection => ({
  status: 404,
  ...(dialect.name === 'anthropic'
    ? {}
    : { type: 'invalid_request_error', message: `Invalid URL (${request.method} ${request.path})` }),
});

/** The list of models, or the one that the path names. */
function sendModels(
  connection: Connection,
  { dialect, request }: RequestRecord,
  { names, created }: { readonly names: readonly string[]; readonly created: number },
): void {
  const [path = ''] = request.path.split('?');
  const wanted = path.slice(modelsPath.length + 1);
  if (wanted === '') {
    sendJson(connection, 200, dialect.models(names, created));
    return;
  }
  const found = names.find((name) => name === wanted || encodeURIComponent(name) === wanted);
  const [only] = found === undefined ? [] : listOf(dialect.models([found], created).data);
  if (isJsonObject(only)) sendJson(connection, 200, only);
  else sendFailure(connection, dialect, unknownModel(dialect, wanted));
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
