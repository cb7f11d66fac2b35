/**
 * Fields: what a value from outside must look like, and what to say when it does not. Configuration and stored
 * records are parsed with them once, at the door; inside, the types are trusted.
 */

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

// The kinds of fields that values are made of.

/** True or false. */
export const flag: Field<boolean> = field('true or false', (value) => typeof value === 'boolean');

/** A text that is not empty. */
export const text: Field<string> = field(
  'a text that is not empty',
  (value): value is string => typeof value === 'string' && value.trim() !== '',
);

/** One of some fixed words. */
export function oneOf<const W extends string>(words: readonly W[]): Field<W> {
  return field(`one of ${words.join(', ')}`, (value): value is W => words.some((word) => word === value));
}

/** A number in a range, both ends included. */
export function numberFrom(from: number, to: number, whole: 'whole' | 'any' = 'any'): Field<number> {
  const kind = whole === 'whole' ? 'a whole number' : 'a number';
  const expected = `${kind} ${to === Number.MAX_SAFE_INTEGER ? `of at least ${from}` : `from ${from} to ${to}`}`;
  return field(expected, (value): value is number => {
    if (typeof value !== 'number' || !Number.isFinite(value)) return false;
    return value >= from && value <= to && (whole === 'any' || Number.isInteger(value));
  });
}

/** A whole number of at least `from`: tokens, characters, messages, seconds. */
export const count = (from: number): Field<number> => numberFrom(from, Number.MAX_SAFE_INTEGER, 'whole');

/** A number that is moved into the range, with a note, when it lies outside. */
export function clamped(from: number, to: number): Field<number> {
  const expected = `a number from ${from} to ${to}`;
  return {
    expected,
    parse(value, place) {
      if (typeof value !== 'number' || !Number.isFinite(value)) return wrong(value, { expected, place });
      const inside = Math.min(to, Math.max(from, value));
      if (inside !== value) place.note(`${place.at}: ${value} is outside ${from} to ${to}; using ${inside}.`);
      return inside;
    },
  };
}

/** The same, or null. */
export function nullable<T>(inner: Field<T>): Field<T | null> {
  const expected = `${inner.expected}, or null`;
  return {
    expected,
    parse(value, place) {
      if (value === null) return null;
      // A plain value gets told that null would do as well; in an object the trouble lies deeper.
      if (isObject(value)) return inner.parse(value, place);
      return inner.parse(value, { ...place, report: () => {} }) ?? wrong(value, { expected, place });
    },
  };
}

/** A list whose elements are all valid. */
export function listOf<T>(inner: Field<T>, from = 0): Field<readonly T[]> {
  const expected = `a list${from > 0 ? ` of at least ${from}` : ''}, each ${inner.expected}`;
  return {
    expected,
    parse(value, place) {
      if (!Array.isArray(value) || value.length < from) return wrong(value, { expected, place });
      const parsed = value.map((element, i) => inner.parse(element, inside(place, `[${i}]`)));
      const valid = parsed.filter((element) => element !== undefined);
      return valid.length === value.length ? valid : undefined;
    },
  };
}

/** An object with free keys, which stay as they are. */
export function mapOf<T>(inner: Field<T>): Field<Readonly<Record<string, T>>> {
  const expected = `an object whose values are each ${inner.expected}`;
  return {
    expected,
    parse(value, place) {
      if (!isObject(value)) return wrong(value, { expected, place });
      const entries: [string, T][] = [];
      for (const [key, element] of Object.entries(value)) {
        const parsed = inner.parse(element, inside(place, key));
        if (parsed === undefined) return undefined;
        entries.push([key, parsed]);
      }
      return Object.fromEntries(entries);
    },
  };
}

/** A text of one kind, or an object of another. */
export function textOrObject<A extends string, B extends object>(asText: Field<A>, asObject: Field<B>): Field<A | B> {
  const expected = `${asText.expected}, or ${asObject.expected}`;
  return {
    expected,
    parse(value, place) {
      if (isObject(value)) return asObject.parse(value, place);
      return typeof value === 'string' ? asText.parse(value, place) : wrong(value, { expected, place });
    },
  };
}

/** One of several objects, told apart by their `type`. */
export function variants<T extends { readonly type: string }>(
  kinds: {
    readonly [K in T['type']]: Field<Omit<Extract<T, { readonly type: K }>, 'type'>>;
  },
): Field<T> {
  const expected = `an object whose type is one of ${Object.keys(kinds).join(', ')}`;
  const byType = new Map<unknown, Field<object>>(Object.entries(kinds));
  return {
    expected,
    parse(value, place) {
      const kind = isObject(value) ? byType.get(value.type) : undefined;
      if (!isObject(value) || !kind) return wrong(value, { expected, place });
      const { type, ...rest } = value;
      const parsed = kind.parse(rest, place);
      // The field of this type has parsed every other member of the variant.
      return parsed && ({ type, ...parsed } as T);
    },
  };
}

/** Nobody mistypes a name into a text of this length. */
const longest = 200;

/** The known word that a mistyped one most likely meant; undefined when nothing is close. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (word.length > longest) return undefined;
  let best: string | undefined;
  // Beyond a third of the letters the guess would be noise.
  let bestDistance = Math.max(2, Math.ceil(word.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(plain(word), plain(candidate));
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** So that a right word in the wrong case or naming style is at distance 0. */
const plain = (word: string): string => word.toLowerCase().replaceAll(/[_.\- ]/g, '');

/** Levenshtein distance, one row at a time. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitute = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitute, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
