/** Small readings of JSON values whose shape a log does not promise. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';

/** The value when it is a string. */
export const asText = (value: JsonValue | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** The value when it is a string with something in it. */
export const asName = (value: JsonValue | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** The value when it is an object, an empty object otherwise. */
export const asObject = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {});

/** The value when it is a list, an empty list otherwise. */
export const asList = (value: JsonValue | undefined): readonly JsonValue[] => (isList(value) ? value : []);

/** True for a JSON list. `Array.isArray` alone does not narrow readonly lists. */
export const isList = (value: JsonValue | undefined): value is readonly JsonValue[] => Array.isArray(value);

/** The object without the named members. */
export function omit(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

const isoShape = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/** An ISO 8601 time from such a time or from milliseconds since 1970; undefined for anything else. */
export function asTime(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return isoShape.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined;
  // 8.64e15 ms is the last time that ECMAScript can write.
  if (typeof value === 'number' && Math.abs(value) <= 8.64e15) return new Date(value).toISOString();
  return undefined;
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The object without its undefined members, so that optional members stay absent. */
export function defined<T extends object>(object: T): Defined<T> {
  // Removing exactly the undefined members gives what `Defined` says.
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Defined<T>;
}
