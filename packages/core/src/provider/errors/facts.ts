/**
 * What a failed call says about itself, gathered from the error, its causes and the body of the answer. Providers, their
 * SDKs and Node put the same facts in different places; the walk looks in all of them and nowhere else: never into the
 * request, whose text must not reach a message. It never throws, whatever was thrown.
 */
import { defined } from '../../shared/defined.ts';
import { isJsonObject, parseJson } from '../../shared/json.ts';

/** What was found in an error. */
export interface FailureFacts {
  /** HTTP status, or the status that an error inside a stream names. */
  readonly status?: number;
  /** Codes and types of the provider, of Node and of the SDK, in lower case. */
  readonly codes: readonly string[];
  /** Names of the errors, outermost first. */
  readonly names: readonly string[];
  /** All messages, outermost first. */
  readonly messages: readonly string[];
  /** Members of the request that it points at: `messages[3].role`, `body.max_tokens`. */
  readonly members: readonly string[];
  /** Sizes that stand in members of their own: `n_ctx` and `n_prompt_tokens` of llama.cpp. */
  readonly sizes: readonly string[];
  /** How long the provider asks to wait. */
  readonly retryAfterSeconds?: number;
}

/** An error is never deeper or wider than this; a loop would be. */
const maxVisits = 60;
const maxMemberChars = 200;
/** What all messages have together, so that the work of the rules does not grow with a body. */
const maxTextChars = 60_000;
/** A longer body sends the request back; its start tells what was wrong. */
const maxBodyChars = 200_000;

interface Found {
  status?: number;
  retryAfterSeconds?: number;
  readonly codes: Set<string>;
  readonly names: string[];
  readonly messages: Set<string>;
  readonly members: Set<string>;
  readonly sizes: string[];
  chars: number;
}

/** The facts of anything that was thrown or sent as an error. */
export function factsOf(thrown: unknown): FailureFacts {
  const found: Found = {
    codes: new Set(),
    names: [],
    messages: new Set(),
    members: new Set(),
    sizes: [],
    chars: 0,
  };
  const seen = new Set<unknown>();
  const queue: unknown[] = [thrown];
  for (let i = 0; i < Math.min(queue.length, maxVisits); i++) {
    const value = queue[i];
    if (seen.has(value)) continue;
    seen.add(value);
    try {
      queue.push(...lookInto(value, found));
    } catch {
      // A getter or a proxy that throws tells nothing more; what was found so far stands.
    }
  }
  const status = found.status ?? statusInText([...found.messages]);
  const wait = found.retryAfterSeconds ?? secondsInText([...found.messages].join('\n'));
  return {
    codes: [...found.codes],
    names: found.names,
    messages: [...found.messages],
    members: [...found.members],
    sizes: found.sizes,
    ...defined({ status, retryAfterSeconds: wait }),
  };
}

/** Notes what one value says and gives back what lies inside it. */
function lookInto(value: unknown, found: Found): readonly unknown[] {
  if (typeof value === 'string') return readText(value, found);
  if (Array.isArray(value)) return value.slice(0, 10);
  return isJsonObject(value) ? look(value, found) : [];
}

/** A text is a message, JSON, or a message with JSON in it; JSON that is cut is read as a message. */
function readText(text: string, found: Found): readonly unknown[] {
  const whole = isPacked(text) && text.length <= maxBodyChars;
  const parsed = whole ? parseJson(text.replace(/^\s*data:/, '').trim()) : undefined;
  if (parsed !== undefined) return [parsed];
  const plain = text.slice(0, maxJsonChars).replace(/^\s*(?:data:\s*)?[[{]+/, '');
  addMessage(plain, found);
  return [jsonWithin(plain)?.value];
}

function look(value: Readonly<Record<string, unknown>>, found: Found): readonly unknown[] {
  if (value instanceof Error) addNames(value, found);
  for (const key of codeKeys) addCode(value[key], found);
  // MiniMax has numbers of its own here, which mean something else at Z.AI; its words say the same.
  if (isStatus(value.status_code)) addCode(value.status_code, found);
  const at = memberOf(value, found);
  for (const key of messageKeys) {
    const text = value[key];
    if (typeof text !== 'string' || (key === 'param' && !isSentence(text))) continue;
    addMessage(key === 'msg' && at !== undefined ? `${at}: ${text}` : text, found);
  }
  for (const key of sizeKeys) if (typeof value[key] === 'number') found.sizes.push(`${key}: ${value[key]}`);
  if (typeof value.retryDelay === 'string') addWait(secondsOf(value.retryDelay), found);
  if (typeof value.resets_in_seconds === 'number') addWait(value.resets_in_seconds, found);
  for (const headers of [value.responseHeaders, value.headers, value.response_headers]) addHeaders(headers, found);
  const exceptions = exceptionKeys.filter((key) => isJsonObject(value[key]));
  for (const key of exceptions) addCode(key, found);
  const inner = [...innerKeys, ...messageKeys, ...exceptions].map((key) => value[key]);
  return inner.filter((one) => (typeof one === 'object' && one !== null) || holdsJson(one));
}

const isSentence = (text: string): boolean => /\S\s+\S/.test(text.slice(0, maxMemberChars));

/** Notes the member of the request that an error points at, and gives back the path that Pydantic writes beside its words. */
function memberOf({ param, field, loc }: Readonly<Record<string, unknown>>, found: Found): string | undefined {
  for (const name of [param, field]) {
    if (typeof name === 'string' && !isSentence(name)) found.members.add(name.slice(0, maxMemberChars));
  }
  if (!Array.isArray(loc)) return undefined;
  const steps = loc.slice(0, 20).filter((step) => typeof step === 'string' || typeof step === 'number');
  const path = steps.filter((step) => step !== 'body').join('.');
  found.members.add(path.slice(0, maxMemberChars));
  return path === '' ? undefined : path.slice(0, maxMemberChars);
}

/** Errors of SDKs are often called `Error`; their class says more. */
function addNames(error: Error, found: Found): void {
  found.names.push(error.name);
  const made = error.constructor?.name;
  if (typeof made === 'string' && made !== error.name && made !== 'Error') found.names.push(made);
}

function addCode(code: unknown, found: Found): void {
  if (isStatus(code)) found.status ??= Number(code);
  else if (isOwnNumber(code) || (typeof code === 'string' && code.length <= 100)) {
    // Amazon writes `com.amazonaws…#ThrottlingException` and `ThrottlingException:http://…`.
    const plain = String(code).toLowerCase().replace(/^.*#/, '').replace(/:.*$/, '');
    if (plain !== '' && plain !== 'error') found.codes.add(plain);
  }
}

const isStatus = (code: unknown): boolean =>
  (typeof code === 'number' || typeof code === 'string') && /^[45]\d\d$/.test(String(code));

/** Numbers of a provider's own, such as 1302; smaller ones are HTTP's. */
const isOwnNumber = (code: unknown): boolean => typeof code === 'number' && code >= 1_000;

function addHeaders(headers: unknown, found: Found): void {
  if (typeof headers !== 'object' || headers === null) return;
  addCode(headerIn(headers, 'x-amzn-errortype'), found);
  addWait(secondsInHeaders(headers), found);
}

function addWait(seconds: number | undefined, found: Found): void {
  if (seconds !== undefined) found.retryAfterSeconds ??= seconds;
}

function addMessage(text: string, found: Found): void {
  const words = wordsOf(text);
  if (words === '' || found.messages.has(words) || found.chars + words.length > maxTextChars) return;
  found.chars += words.length;
  found.messages.add(words);
}

/** "Error code: 400 - …", "HTTP 529: …", "413 status code (no body)". */
function statusInText(messages: readonly string[]): number | undefined {
  for (const message of messages) {
    const found = /(?:^|\b(?:error code|http|status|status code)[ :]{1,2})([45]\d\d)(?![\d.,])/i.exec(message)?.[1];
    if (found !== undefined) return Number(found);
  }
  return undefined;
}

// Texts that hold other things: bodies as text, errors handed on inside a sentence, web pages in place of an answer.

/** Of longer texts this much is searched for JSON. */
const maxJsonChars = 20_000;
const maxMessageChars = 2_000;

/** JSON in a text, as bodies and errors handed on by a router are. */
const isPacked = (text: string): boolean => /^\s*(?:\{|\[\s*[[{"])/.test(text) || /^\s*data:\s*\{/.test(text);

/** What a text says in words, without the JSON in it and cut to a bounded length; empty where that is nothing. */
function wordsOf(text: string): string {
  if (isPacked(text)) return '';
  // A web page says what it is in its title.
  const page = /^\s*(?:<!doctype|<html|<\?xml)/i.test(text);
  const plain = page ? (/<title>([^<]{1,200})/i.exec(text)?.[1] ?? '') : text.slice(0, maxMessageChars);
  const words = jsonWithin(plain)?.around ?? plain;
  const clean = (quotesTheModel.exec(words)?.[0] ?? words).replace(quotedRequest, '').trim();
  return isWrapping.test(clean) ? '' : clean;
}

/** The JSON inside a message, and the words around it. */
function jsonWithin(text: string): { readonly value: unknown; readonly around: string } | undefined {
  if (!holdsJson(text)) return undefined;
  const start = text.slice(0, maxJsonChars);
  const json = start.slice(start.indexOf('{'), start.lastIndexOf('}') + 1);
  const value = parseJson(json);
  return value === undefined ? undefined : { value, around: text.replace(json, () => '') };
}

/** JSON after some words of a router or an SDK: `400 {"type":"error",…}`. */
const holdsJson = (text: unknown): boolean =>
  typeof text === 'string' && text.includes('{') && !quotesTheModel.test(text);

/** What follows these words is what the model wrote. */
const quotesTheModel = /^(?:JSON parsing|Type validation) failed/;

/** Pydantic as text gives back what was sent. */
const quotedRequest = /, 'input': .*$/s;

/** What the SDK wraps around an error; the error itself stands in the cause. */
const isWrapping = /^failed to process (?:successful|error) response$/i;

// How long a provider asks to wait: in headers, in a member of the body, or in its words.

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** One header, whatever holds it: `Headers`, a map, or an object in any case. */
function headerIn(headers: object, name: string): string | undefined {
  const get: unknown = Reflect.get(headers, 'get');
  const value: unknown =
    typeof get === 'function'
      ? Reflect.apply(get, headers, [name])
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' || typeof first === 'number' ? String(first) : undefined;
}

/** Seconds that the headers ask to wait; a date is read against the date of the answer. */
function secondsInHeaders(headers: object): number | undefined {
  const ms = Number.parseFloat(headerIn(headers, 'retry-after-ms') ?? '');
  if (ms >= 0) return wholeSeconds(ms);
  const after = headerIn(headers, 'retry-after') ?? '';
  if (/^\s*\d+(?:\.\d+)?\s*$/.test(after)) return wholeSeconds(Number(after) * 1_000);
  const wait = Date.parse(after) - Date.parse(headerIn(headers, 'date') ?? '');
  return wait >= 0 ? wholeSeconds(wait) : undefined;
}

/** "Please retry in 34s", "try again in 6m0s", "Please retry after 60 seconds", "try again in 250ms". */
function secondsInText(text: string): number | undefined {
  const amount =
    /\b(?:retry|try again|wait)\b.{0,20}?\b(?:after|in|for)? ?((?:\d+(?:\.\d+)? ?(?:ms|[hms])[a-z]* ?)+)/i.exec(text);
  return amount?.[1] === undefined ? undefined : secondsOf(amount[1]);
}

/** `34s`, `1.5s`, `6m0s`, `60 seconds`, `250ms`. */
function secondsOf(duration: string): number | undefined {
  const parts = [...duration.matchAll(/(\d+(?:\.\d+)?) ?(ms|[hms])/gi)];
  if (parts.length === 0) return undefined;
  return wholeSeconds(
    parts.reduce((sum, [, number, unit]) => sum + Number(number) * (unitMs[String(unit).toLowerCase()] ?? 0), 0),
  );
}

const wholeSeconds = (ms: number): number => Math.ceil(ms / 1_000);

// Where providers, their SDKs and Node keep what they say about a failure.

/** Members that hold a code as a text, or a status as a number. */
export const codeKeys: readonly string[] = [
  'code',
  'type',
  'status',
  'statusCode',
  'reason',
  '__type',
  'errorCode',
  'error_code',
  'http_code',
];
/** Members that hold a sentence. */
export const messageKeys: readonly string[] = [
  'message',
  'msg',
  'detail',
  'error',
  'error_message',
  'errorMessage',
  'Message',
  'title',
  'status_msg',
  'status_message',
  // Bodies that are no JSON.
  'responseBody',
  'body',
  'raw',
  'details',
  // Some put the sentence here, others the name of the parameter: that one is no message.
  'param',
];
/** Members worth looking into, in the order of their weight. */
export const innerKeys: readonly string[] = [
  'responseBody',
  'data',
  'error',
  'cause',
  'errors',
  'lastError',
  'detail',
  'details',
  'metadata',
  'raw',
  'value',
  'body',
  'response',
  'innererror',
  'upstream_error',
  'base_resp',
];
/** Members under which Amazon's stream has its errors; their names are the codes. */
export const exceptionKeys: readonly string[] = [
  'validationException',
  'throttlingException',
  'serviceUnavailableException',
  'internalServerException',
  'modelStreamErrorException',
  'modelTimeoutException',
];
/** Sizes of llama.cpp. */
export const sizeKeys: readonly string[] = ['n_ctx', 'n_prompt_tokens'];
