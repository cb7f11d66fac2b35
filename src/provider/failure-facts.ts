/**
 * What a failed call says about itself, gathered from the error, its causes and the body of the answer. Providers, their
 * SDKs and Node put the same facts in different places; the walk looks in all of them and nowhere else: never into the
 * request, whose text must not reach a message.
 */
import { isJsonObject, parseJson } from '../shared/json.ts';

export interface FailureFacts {
  /** HTTP status, or the status that an error inside a stream names. */
  readonly status?: number;
  /** Codes and types of the provider, of Node and of the SDK, in lower case. */
  readonly codes: readonly string[];
  /** Names of the errors, outermost first. */
  readonly names: readonly string[];
  /** All messages, outermost first. */
  readonly messages: readonly string[];
  /** How long the provider asks to wait. */
  readonly retryAfterSeconds?: number;
}

/** Members that hold a code as a text, or a status as a number. */
const codeKeys = ['code', 'type', 'status', 'statusCode', 'reason', '__type', 'errorCode', 'error_code'];
const messageKeys = ['message', 'msg', 'detail', 'error', 'error_message', 'errorMessage', 'Message', 'title'];
/** Members worth looking into, in the order of their weight. */
const innerKeys = [
  ...['responseBody', 'data', 'error', 'cause', 'errors', 'lastError', 'detail', 'details', 'metadata', 'raw'],
  ...['value', 'body', 'response'],
];

/** An error is never deeper or wider than this; a loop would be. */
const maxVisits = 60;
const maxMessageChars = 2_000;

/** The facts of anything that was thrown or sent as an error. */
export function factsOf(thrown: unknown): FailureFacts {
  const found: Found = { codes: new Set(), names: [], messages: new Set() };
  const seen = new Set<unknown>();
  const queue: unknown[] = [thrown];
  for (let i = 0; i < Math.min(queue.length, maxVisits); i++) {
    const value = unpacked(queue[i]);
    if (seen.has(value)) continue;
    seen.add(value);
    if (Array.isArray(value)) queue.push(...value.slice(0, 10));
    else if (typeof value === 'string') addMessage(value, found);
    else if (isJsonObject(value)) queue.push(...look(value, found));
  }
  return {
    codes: [...found.codes],
    names: found.names,
    messages: [...found.messages],
    ...(found.status === undefined ? {} : { status: found.status }),
    ...(found.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: found.retryAfterSeconds }),
  };
}

interface Found {
  status?: number;
  retryAfterSeconds?: number;
  readonly codes: Set<string>;
  readonly names: string[];
  readonly messages: Set<string>;
}

/** Notes what one object says and gives back what lies inside it. */
function look(value: Readonly<Record<string, unknown>>, found: Found): readonly unknown[] {
  if (value instanceof Error) found.names.push(value.name);
  for (const key of codeKeys) addCode(value[key], found);
  for (const key of messageKeys) {
    const text = value[key];
    if (typeof text === 'string') addMessage(text, found);
  }
  const headers = value.responseHeaders ?? value.headers;
  if (isJsonObject(headers)) addHeaders(headers, found);
  return innerKeys
    .map((key) => value[key])
    .filter((inner) => typeof inner === 'object' || (typeof inner === 'string' && isPacked(inner)))
    .filter((inner) => inner !== null);
}

function addCode(code: unknown, found: Found): void {
  const number = typeof code === 'number' || /^[45]\d\d$/.test(String(code)) ? Number(code) : undefined;
  if (number !== undefined && number >= 400 && number <= 599) found.status ??= number;
  else if (isOwnNumber(code) || (typeof code === 'string' && code.length <= 100)) {
    // Amazon writes `com.amazonaws…#ThrottlingException` and `ThrottlingException:http://…`.
    const plain = String(code).toLowerCase().replace(/^.*#/, '').replace(/:.*$/, '');
    if (plain !== '' && plain !== 'error') found.codes.add(plain);
  }
}

/** Numbers of a provider's own, such as 1302; smaller ones are HTTP's. */
const isOwnNumber = (code: unknown): boolean => typeof code === 'number' && code >= 1_000;

function addHeaders(headers: Readonly<Record<string, unknown>>, found: Found): void {
  addCode(headers['x-amzn-errortype'], found);
  const ms = Number.parseFloat(String(headers['retry-after-ms'] ?? ''));
  const seconds = Number.parseFloat(String(headers['retry-after'] ?? ''));
  const wait = Number.isFinite(ms) ? ms / 1_000 : seconds;
  if (Number.isFinite(wait) && wait >= 0) found.retryAfterSeconds ??= Math.ceil(wait);
}

/** A web page in place of an answer says what it is in its title. */
function addMessage(text: string, found: Found): void {
  const page = /^\s*(?:<!doctype|<html|<\?xml)/i.test(text);
  const plain = page ? (/<title>([^<]{1,200})/i.exec(text)?.[1] ?? '') : text.slice(0, maxMessageChars);
  // These two go on with what the model wrote.
  const clean = /^(?:JSON parsing|Type validation) failed/.exec(plain)?.[0] ?? plain.trim();
  if (clean !== '' && !isPacked(text) && !saysNothing.test(clean)) found.messages.add(clean);
}

/** What the SDK wraps around an error; the error itself stands in the cause. */
const saysNothing = /^failed to process (?:successful|error) response$/i;

/** JSON in a text, as bodies and errors handed on by a router are. */
const isPacked = (text: string): boolean => /^\s*[[{]/.test(text) || /^\s*data:\s*\{/.test(text);

function unpacked(value: unknown): unknown {
  if (typeof value !== 'string' || !isPacked(value)) return value;
  return parseJson(value.replace(/^\s*data:/, '').trim()) ?? value.slice(0, maxMessageChars).replace(/^\s*[[{]+/, '');
}
