/** The kinds of fields that values are made of. */
import type { Field } from './schema.ts';
import { field, inside, isObject, wrong } from './schema.ts';

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
