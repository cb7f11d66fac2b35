/**
 * What a failed call says about itself, gathered from the error, its causes and the body of the answer. Providers, their
 * SDKs and Node put the same facts in different places; the walk looks in all of them and nowhere else: never into the
 * request, whose text must not reach a message. It never throws, whatever was thrown.
 */
import { isJsonObject, parseJson } from '../../shared/json.ts';
import { codeKeys, exceptionKeys, innerKeys, messageKeys, sizeKeys } from './members.data.ts';
import { holdsJson, isPacked, jsonWithin, maxJsonChars, wordsOf } from './packed.ts';
import { headerIn, secondsInHeaders, secondsInText, secondsOf } from './retry-after.ts';

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
    ...{ codes: new Set(), names: [], messages: new Set(), members: new Set(), sizes: [] },
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
    ...(status === undefined ? {} : { status }),
    ...(wait === undefined ? {} : { retryAfterSeconds: wait }),
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
