/** What a provider gives, made fit for a model; and what is given to a provider, made fit to leave the machine. Pure. */
import { redact } from '../../redaction/redact.ts';
import type { JsonObject, JsonValue } from '../../shared/json.ts';
import type { Message } from '../../transcript/message.ts';
import { messageText } from '../../transcript/text.ts';
import { sanitize, unfence } from '../fence/fence.ts';
import { scanMemory, type Threat } from '../scan/scan-memory.ts';
import type { ProviderMessage } from './provider.ts';

/** What of a text a model may see. */
export interface Cleaned {
  /** Without blocks of ours, without lines that hold a threat, and not longer than it may be. */
  readonly text: string;
  /** What the lines that were left out do, each once; never a word of them. */
  readonly threats: readonly string[];
  readonly isCut: boolean;
}

/** What is longer than so many times the limit is not even looked at. */
const mostLooked = 4;

/** Time in proportion to `maxChars`, however long the text is. */
export function cleaned(given: string, maxChars: number): Cleaned {
  const looked = given.slice(0, mostLooked * maxChars).toWellFormed();
  const whole = sanitize(unfence(looked));
  const short = cutAtLine(whole, maxChars);
  const isCut = given.length > looked.length || short.length < whole.length;
  // Scanned as it will be seen: a cut may make an order out of a harmless sentence, and leaves half a tag.
  return { ...withoutThreats(isCut ? short.replace(/<[^<>]*$/, '').trimEnd() : short), isCut };
}

function withoutThreats(given: string): Pick<Cleaned, 'text' | 'threats'> {
  const what = new Set<string>();
  let text = given;
  // What stands around a line that was left out may make up another threat.
  for (let pass = 0; pass < 3; pass++) {
    const threats = threatsIn(text);
    if (threats.length === 0) return { text, threats: [...what] };
    for (const threat of threats) what.add(threat.what);
    text = linesOutside(text, threats);
  }
  return { text: threatsIn(text).length === 0 ? text : '', threats: [...what] };
}

/** What only reads like planted text is harmless in a fence, and a memory in twenty does. */
const threatsIn = (text: string): readonly Threat[] => scanMemory(text).filter((threat) => threat.class !== 'planted');

function linesOutside(text: string, threats: readonly { readonly start: number; readonly end: number }[]): string {
  const kept: string[] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    const end = start + line.length;
    if (!threats.some((threat) => threat.start <= end && Math.max(threat.end, threat.start + 1) > start))
      kept.push(line);
    start = end + 1;
  }
  return kept.join('\n').trim();
}

/** The whole lines that fit; of a first line that does not fit as much as does. */
function cutAtLine(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const end = text.lastIndexOf('\n', maxChars);
  return text
    .slice(0, end > 0 ? end : maxChars)
    .toWellFormed()
    .trimEnd();
}

/** A text as it may be sent to others: without credentials, and without text that was recalled from them. */
export const sendable = (text: string): string => redact(sanitize(text));

/** The same for the arguments of a tool. */
export function sendableArgs(args: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(args).map(([key, value]) => [key, sendableValue(value)]));
}

function sendableValue(value: JsonValue): JsonValue {
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'object' || value === null) return value;
  return isList(value) ? value.map(sendableValue) : sendableArgs(value);
}

const isList = (value: JsonObject | readonly JsonValue[]): value is readonly JsonValue[] => Array.isArray(value);

/** What the person and the assistant said; tool results stay here. */
export function sendableMessages(messages: readonly Message[]): readonly ProviderMessage[] {
  return messages.flatMap((message): readonly ProviderMessage[] => {
    const { role } = message;
    if (role !== 'user' && role !== 'assistant') return [];
    const text = sendable(messageText(message));
    return text === '' ? [] : [{ role, text }];
  });
}

/** A reason for a person: one line, without credentials. */
export const lineOf = (text: string): string =>
  redact(text.slice(0, 4_000)).replaceAll(/\s+/g, ' ').trim().slice(0, 200).toWellFormed();
