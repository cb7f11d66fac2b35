/**
 * Fields: what a value from outside must look like, and what to say when it does not. Configuration and stored
 * records are parsed with them once, at the door; inside, the types are trusted.
 */
import { nearest } from './nearest.ts';

/** Something wrong with a value: where it stands, and what was expected and what came. */
export interface Problem {
  readonly at: string;
  readonly message: string;
}

/** Where a value stands and how to talk about it. */
export interface Place {
  /** Dotted path, empty for the whole. */
  readonly at: string;
  /** How the keys of groups are written there: snake_case in files, camelCase in code. */
  readonly keys: 'camelCase' | 'snake_case';
  readonly report: (problem: Problem) => void;
  /** Told when a value was accepted but changed. */
  readonly note: (text: string) => void;
}

/** How one setting is read: what is expected, and the value of what came. */
export interface Field<T> {
  /** What a valid value is; the end of a sentence that begins with "expected". */
  readonly expected: string;
  /** The value, or undefined once `place.report` was told what is wrong with it. */
  readonly parse: (value: unknown, place: Place) => T | undefined;
  /** The fields of a group by their camelCase key. */
  readonly members?: Readonly<Record<string, Field<unknown>>>;
}

/** One field for every member of T. */
export type Fields<T> = { readonly [K in keyof T]-?: Field<T[K]> };

/** `protectLastN` → `protect_last_n`. */
export const snakeCase = (key: string): string => key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A field whose values pass `accepts`. */
export function field<T>(expected: string, accepts: (value: unknown) => value is T): Field<T> {
  return {
    expected,
    parse: (value, place) => (accepts(value) ? value : wrong(value, { expected, place })),
  };
}

/** An object with fixed keys. A missing key takes its default; without defaults every key is needed. */
export function group<T extends object>(fields: Fields<T>, defaults?: T): Field<T> {
  // The mapped type loses its index signature only because T is generic: every member is a Field.
  const members = fields as Readonly<Record<string, Field<unknown>>>;
  const expected = `an object with ${Object.keys(members).join(', ') || 'no keys'}`;
  return {
    expected,
    members,
    parse(value, place) {
      if (!isObject(value)) return wrong(value, { expected, place });
      const result = new Map<string, unknown>(Object.entries(defaults ?? {}));
      const given = knownKeys(value, members, place);
      for (const [key, element] of given) {
        result.set(key, members[key]?.parse(element, inside(place, written(key, place))));
      }
      for (const key of Object.keys(members)) {
        if (!result.has(key)) place.report({ at: at(place, written(key, place)), message: 'is missing' });
      }
      const whole = Object.keys(members).every((key) => result.get(key) !== undefined);
      // Each member was parsed by the field of its type, or comes from a value of type T.
      return whole ? (Object.fromEntries(result) as T) : undefined;
    },
  };
}

/** The same group, if the members named are in rising order, equals allowed. */
export function rising<T extends object>(inner: Field<T>, keys: readonly (keyof T & string)[]): Field<T> {
  return {
    ...inner,
    parse(value, place) {
      const parsed = inner.parse(value, place);
      if (parsed === undefined) return undefined;
      for (const [i, key] of keys.entries()) {
        const before = keys[i - 1];
        if (before === undefined || parsed[before] <= parsed[key]) continue;
        const below = `${written(before, place)} (${describe(parsed[before])})`;
        const message = `is ${describe(parsed[key])}; expected at least ${below}: raise this value or lower the other one`;
        place.report({ at: at(place, written(key, place)), message });
      }
      return parsed;
    },
  };
}

/** A place at the top that collects what is reported. */
export function problemLog(keys: Place['keys']): { place: Place; problems: Problem[]; notes: string[] } {
  const problems: Problem[] = [];
  const notes: string[] = [];
  const place: Place = {
    at: '',
    keys,
    report: (problem) => problems.push(problem),
    note: (text) => notes.push(text),
  };
  return { place, problems, notes };
}

/** The members that an object gives, by camelCase key; an unknown key is reported with the nearest known one. */
export function knownKeys(
  value: Readonly<Record<string, unknown>>,
  members: Readonly<Record<string, unknown>>,
  place: Place,
): readonly (readonly [string, unknown])[] {
  const byName = new Map(Object.keys(members).map((key) => [written(key, place), key]));
  const given: [string, unknown][] = [];
  for (const [name, element] of Object.entries(value)) {
    const key = byName.get(name);
    if (key === undefined) place.report({ at: at(place, name), message: unknownKey(name, [...byName.keys()]) });
    else if (element !== undefined) given.push([key, element]);
  }
  return given;
}

/** What to say about a key that nobody knows. */
export function unknownKey(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return `is not a known key; ${near ? `did you mean "${near}"?` : `known keys: ${known.join(', ')}`}`;
}

/** A short description of a value for a message. */
export function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

/** True for an object that is not a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The place of a member. */
export const inside = (place: Place, key: string): Place => ({ ...place, at: at(place, key) });

/** Reports that a value is not what was expected; the parse is then undefined. */
export function wrong(value: unknown, { expected, place }: { expected: string; place: Place }): undefined {
  place.report({ at: place.at, message: `expected ${expected}, got ${describe(value)}` });
}

const written = (key: string, place: Place): string => (place.keys === 'snake_case' ? snakeCase(key) : key);

const at = (place: Place, key: string): string =>
  key.startsWith('[') || place.at === '' ? `${place.at}${key}` : `${place.at}.${key}`;
