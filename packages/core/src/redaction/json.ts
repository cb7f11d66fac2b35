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
  let key = '';
  return text.replace(token, (whole, literal: string, joint = '', number = '', at = 0) => {
    const value = literal.includes('\\') ? parseJson(literal) : literal.slice(1, -1);
    if (typeof value !== 'string') return whole;
    if (joint === '') return written(literal, value, redactValue(value, isBehindKey(text, at) ? key : undefined));
    key = value;
    const own = number === '' ? number : redactNumber(number, key);
    return written(literal, value, redact(value)) + joint + own;
  });
}

/** A string; where it is a key, with the colon and the number behind it. */
const token = /("[^"\\]*(?:\\.[^"\\]*)*")(?:(\s{0,40}:\s{0,40})(-?\d[\d.eE+-]{0,40})?)?/gs;

const written = (literal: string, value: string, clean: JsonValue): string =>
  clean === value ? literal : JSON.stringify(clean);

/** A number is a secret only where its key says so; it then becomes a string. */
function redactNumber(number: string, key: string): string {
  const value = String(Number(number));
  return written(number, value, redactUnder(key, value));
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

const isBehindKey = (json: string, start: number): boolean => /:\s*$/.test(json.slice(Math.max(0, start - 40), start));
