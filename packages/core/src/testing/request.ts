/** A request as the fake provider keeps it. */

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../shared/json.ts';
import type { Message } from '../transcript/message.ts';
import { messageText } from '../transcript/text.ts';
import type { Dialect, DialectName, Headers } from '../transcript/wire/answer.ts';
import { dialectNamed, dialects } from '../transcript/wire/dialects.ts';

/** One request to the fake provider, in the order in which they came. */
export interface FakeRequest {
  /** From 1, over all requests. */
  readonly number: number;
  /** The dialect of the path; for a path of no dialect that of the headers. */
  readonly dialect: DialectName;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** Names in small letters. Keys and cookies are replaced by `[hidden]`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed body; empty where it was no JSON object. */
  readonly body: JsonObject;
  readonly model: string;
  /** True when the client asked for a stream. */
  readonly stream: boolean;
  /** The messages in our own form, the system prompt first. */
  readonly messages: readonly Message[];
  /** The status that was answered; undefined while nothing was. */
  readonly status: number | undefined;
  /** True when the client went away before the answer was complete. */
  readonly aborted: boolean;
  /** Settles when the answer is complete, or the connection gone. */
  readonly ended: Promise<void>;
}

/** The texts of the system prompt. */
export const systemText = (request: Pick<FakeRequest, 'messages'>): string =>
  textOf(request, (role) => role === 'system');

/** The texts of all messages but the system prompt: what a client of a summariser calls the prompt. */
export const promptText = (request: Pick<FakeRequest, 'messages'>): string =>
  textOf(request, (role) => role !== 'system');

function textOf({ messages }: Pick<FakeRequest, 'messages'>, wanted: (role: Message['role']) => boolean): string {
  return messages
    .filter(({ role }) => wanted(role))
    .map(messageText)
    .join('\n\n');
}

// Keeps a request as it came, and what became of it.

/** A request with its connection. */
export interface RequestRecord {
  readonly request: FakeRequest;
  readonly dialect: Dialect;
  /** True when the path is one that the dialect answers. */
  readonly isAsked: boolean;
  readonly response: ServerResponse;
  /** Of the body. */
  readonly bytes: number;
  /** The body parsed; undefined when it was no JSON. */
  readonly value: JsonValue | undefined;
  /** As they came, keys included: never shown. */
  readonly headers: Headers;
  readonly fate: Fate;
}

/** What becomes of a connection. */
export interface Fate {
  /** Aborted when the connection is gone. */
  readonly signal: AbortSignal;
  /** True when the client went away before the answer was complete. */
  readonly aborted: boolean;
  readonly ended: Promise<void>;
  /** Says that from here on it is the server that ends the connection. */
  leave(): void;
}

/** What a record is made of. */
export interface Arrival {
  readonly number: number;
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: string;
}

/** Starts the record of a request whose body has come. */
export function openRecord({ number, incoming, response, body }: Arrival): RequestRecord {
  const value = parseJson(body);
  const { path, key } = withoutKey(incoming.url ?? '/');
  const headers: Headers = { ...(key === undefined ? {} : { 'x-goog-api-key': key }), ...headersOf(incoming.headers) };
  const spoken = dialects.find((dialect) => isUnder(path, dialect.path));
  // What belongs to no dialect alone, such as the list of models, is told apart by Anthropic's version header.
  const named = headers['anthropic-version'] === undefined ? 'openai-chat' : 'anthropic';
  const dialect = spoken ?? dialectNamed(named);
  const fate = follow(response);
  const json: JsonObject = isJsonObject(value) ? value : {};
  const asked = spoken?.asked(path, json);
  const request: FakeRequest = {
    number,
    dialect: dialect.name,
    method: incoming.method ?? 'GET',
    path,
    headers: hidden(headers),
    body: json,
    model: asked?.model ?? (typeof json.model === 'string' ? json.model : ''),
    stream: asked?.stream ?? json.stream === true,
    messages: dialect.read(json),
    get status() {
      return response.headersSent ? response.statusCode : undefined;
    },
    get aborted() {
      return fate.aborted;
    },
    ended: fate.ended,
  };
  const bytes = new TextEncoder().encode(body).length;
  return { request, dialect, isAsked: asked !== undefined, response, bytes, value, headers, fate };
}

/** The text of a body; undefined when the client left while it sent it. */
export async function readBody(incoming: IncomingMessage): Promise<string | undefined> {
  const pieces: Uint8Array[] = [];
  try {
    for await (const piece of incoming) pieces.push(piece);
  } catch {
    // The connection broke: there is nobody to answer and nothing to keep.
    return undefined;
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** A key in the query, as Google takes it, is a secret like one in a header. */
function withoutKey(url: string): { path: string; key?: string } {
  const key = /[?&]key=([^&]*)/.exec(url)?.[1];
  return key === undefined ? { path: url } : { path: url.replace(/([?&]key=)[^&]*/, '$1[hidden]'), key };
}

const isUnder = (path: string, root: string): boolean => {
  const [plain = ''] = path.split('?');
  return plain === root || plain.startsWith(`${root}/`);
};

const headersOf = (headers: IncomingHttpHeaders): Headers =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );

/** Names of headers whose values nobody should find in a test's output. */
const secretHeader = /^(?:authorization|proxy-authorization|cookie|(?:.*-)?api-key|.*-token|.*-secret)$/;

const hidden = (headers: Headers): Headers =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, secretHeader.test(name) ? '[hidden]' : value]),
  );

function follow(response: ServerResponse): Fate {
  const controller = new AbortController();
  let left = false;
  let aborted = false;
  const ended = new Promise<void>((resolve) => {
    response.once('close', () => {
      aborted = !left && !response.writableFinished;
      controller.abort();
      resolve();
    });
  });
  return {
    signal: controller.signal,
    get aborted() {
      return aborted;
    },
    ended,
    leave: () => {
      left = true;
    },
  };
}
