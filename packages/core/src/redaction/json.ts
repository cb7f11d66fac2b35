/** Redaction of JSON: in every string with its key in view, so that what was JSON stays JSON. */
import { isJsonObject, type JsonValue, parseJson } from '../shared/json.ts';
import { findSecrets, redact } from './redact.ts';

/** The value with every string in it redacted, keys too; the same object where nothing is found. */
export function redactValue(value: JsonValue, key?: string): JsonValue {
  if (typeof value === 'string') return redactUnder(key, value);
  if (typeof value !== 'object' || value === null) return value;
  if (!isJsonObject(value)) return redactList(value, key);
  let changed = false;
  const named = typeof value.name === 'string' ? value.name : undefined;
  const entries = Object.entries(value).map(([name, one]): [string, JsonValue] => {
    const clean: [string, JsonValue] = [redact(name), redactValue(one, name === 'value' ? (named ?? name) : name)];
    if (clean[0] !== name || clean[1] !== one) changed = true;
    return clean;
  });
  return changed ? Object.fromEntries(entries) : value;
}

function redactList(list: readonly JsonValue[], key: string | undefined): readonly JsonValue[] {
  let changed = false;
  const clean = list.map((one) => {
    const next = redactValue(one, key);
    if (next !== one) changed = true;
    return next;
  });
  return changed ? clean : list;
}

/**
 * A JSON text with the secrets in its strings and keys masked: white space, order and numbers stay as they are, and it
 * stays JSON. What is not JSON is redacted as a text. The same string when nothing is found.
 */
export function redactJsonText(text: string): string {
  // Without escapes the text says the same as its strings: no need to take it apart.
  if (!text.includes('\\') && findSecrets(text).length === 0) return text;
  if (parseJson(text) === undefined) return redact(text);
  const pieces: string[] = [];
  let done = 0;
  let key: string | undefined;
  for (const { start, end, literal, isKey } of literalsOf(text)) {
    const value = parseJson(literal);
    if (isKey) key = typeof value === 'string' ? value : undefined;
    const clean =
      isKey && typeof value === 'string'
        ? redact(value)
        : maskedLiteral(value, isBehindKey(text, start) ? key : undefined);
    if (clean === value || clean === undefined) continue;
    pieces.push(text.slice(done, start), JSON.stringify(clean));
    done = end;
  }
  return done === 0 ? text : pieces.join('') + text.slice(done);
}

const maskedLiteral = (value: JsonValue | undefined, key: string | undefined): JsonValue | undefined =>
  typeof value === 'number' && key !== undefined
    ? redactNumber(value, key)
    : value === undefined
      ? value
      : redactValue(value, key);

/** A number is a secret only where its key says so; it then becomes a string. */
function redactNumber(value: number, key: string): JsonValue {
  const clean = redactUnder(key, String(value));
  return clean === String(value) ? value : clean;
}

const namesSecrets = /pass|pwd|secret|token|key|auth|cred|psk|senha|[^\x00-\x7f]/i;

/** Redacts a string that stands under a key: once for what the key says of it, once for what it says itself. */
function redactUnder(key: string | undefined, value: string): string {
  if (key === undefined || key.length > 100 || value.length > 2_000 || !namesSecrets.test(key)) return redact(value);
  const start = `"${key.replace(/["\\\n]/g, '')}": `;
  const pair = start + JSON.stringify(value);
  const [secret] = findSecrets(pair).filter((one) => one.start >= start.length);
  if (!secret) return redact(value);
  const clean = parseJson(redact(pair).slice(redact(start).length));
  return redact(typeof clean === 'string' ? clean : value);
}

interface Literal {
  readonly start: number;
  readonly end: number;
  readonly literal: string;
  readonly isKey: boolean;
}

/** Strings, and the numbers that stand behind a key, in order. */
function* literalsOf(json: string): Generator<Literal> {
  for (let start = json.indexOf('"'); start !== -1; ) {
    const end = stringEnd(json, start);
    const colon = /^\s{0,40}:\s{0,40}/.exec(json.slice(end, end + 81));
    yield { start, end, literal: json.slice(start, end), isKey: colon !== null };
    const from = end + (colon?.[0].length ?? 0);
    const number = colon && /^-?\d[\d.eE+-]{0,40}/.exec(json.slice(from, from + 42))?.[0];
    if (number) yield { start: from, end: from + number.length, literal: number, isKey: false };
    start = json.indexOf('"', end);
  }
}

/** The index after the closing quote of the string that opens at `at`. */
function stringEnd(json: string, at: number): number {
  let end = at + 1;
  while (end < json.length && json[end] !== '"') end += json[end] === '\\' ? 2 : 1;
  return end + 1;
}

const isBehindKey = (json: string, start: number): boolean => /:\s*$/.test(json.slice(Math.max(0, start - 40), start));
