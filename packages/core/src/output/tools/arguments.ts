/** Arguments as models write them: a number as a text, JSON inside of JSON, a lone text. Pure. */
import { isJsonObject, parseJson } from '../../shared/json.ts';

export type ToolArguments = Readonly<Record<string, unknown>>;

/** The arguments of a call, whatever came; a lone text is that of `key`. */
export function argumentsOf(value: unknown, key: string): ToolArguments {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  if (typeof value !== 'string') return {};
  const parsed = parseJson(value);
  if (isJsonObject(parsed)) return parsed;
  return { [key]: typeof parsed === 'string' ? parsed : value };
}

/** A whole number in a range, from a number or a text; undefined for everything else. */
export function wholeNumber(value: unknown, from: number, to: number = Number.MAX_SAFE_INTEGER): number | undefined {
  if (typeof value === 'string' && value.trim() === '') return undefined;
  const number = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;
  return Number.isNaN(number) ? undefined : Math.min(to, Math.max(from, Math.floor(number)));
}

/** A text without space around it; a number as it is written. Undefined where there is nothing in it. */
export function textArgument(value: unknown): string | undefined {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  return text === '' ? undefined : text;
}
