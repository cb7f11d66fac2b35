/**
 * Writes a JSON value anew with the bytes that an older text has for it: what both say alike is copied, numbers, escapes, white
 * space and the order of keys included, and only what differs is written.
 */
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';
import { elementsAt, type Member, membersOf, type Span } from './json-spans.ts';

/** A stretch of a text, and what is to stand there. */
export interface Edit extends Span {
  readonly text: string;
}

/** The text with edits made, none of which overlap. */
export function edited(text: string, edits: readonly Edit[], within: Span = { start: 0, end: text.length }): string {
  const pieces: string[] = [];
  let at = within.start;
  for (const edit of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    pieces.push(text.slice(at, edit.start), edit.text);
    at = edit.end;
  }
  return pieces.join('') + text.slice(at, within.end);
}

/** A value, and where it stands in its text. */
export interface Written {
  readonly span: Span;
  readonly value: JsonValue;
}

/** The text of `after`, in which everything that `before` says as well stands as it was written. */
export function patched(text: string, { span, value: before }: Written, after: JsonValue): string {
  if (isSameJson(before, after)) return text.slice(span.start, span.end);
  if (isList(before) && isList(after)) return patchedList(text, listAt(text, span, before), after);
  if (isJsonObject(before) && isJsonObject(after)) return patchedObject(text, { span, value: before }, after);
  const token = typeof before === 'string' ? text.slice(span.start, span.end) : undefined;
  return written(after, (said) => (said === before ? token : undefined));
}

/** JSON of a value; a string that is known to be written somewhere is written the same. */
function written(value: JsonValue, tokenOf: (said: string) => string | undefined): string {
  if (typeof value === 'string') return tokenOf(value) ?? JSON.stringify(value);
  if (isList(value)) return `[${value.map((one) => written(one, tokenOf)).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}:${written(one, tokenOf)}`);
  return `{${members.join(',')}}`;
}

type WrittenObject = Written & { readonly value: JsonObject };

function patchedObject(text: string, { span, value }: WrittenObject, after: JsonObject): string {
  const members = membersOf(text, span.start);
  const stays = ({ name }: Member): boolean => Object.hasOwn(after, name);
  const edits = members.filter(stays).flatMap((member): readonly Edit[] => {
    const [before = null, next = null] = [value[member.name], after[member.name]];
    const { start, end } = member;
    return isSameJson(before, next) ? [] : [{ start, end, text: patched(text, { span: member, value: before }, next) }];
  });
  const added = Object.entries(after).filter(([name]) => !Object.hasOwn(value, name));
  const texts = added.map(([name, one]) => `${JSON.stringify(name)}:${JSON.stringify(one)}`);
  const last = members.findLast(stays);
  const end = last?.end ?? span.start + 1;
  if (texts.length > 0) edits.push({ start: end, end, text: `${last ? ',' : ''}${texts.join(',')}` });
  return edited(text, [...edits, ...removals(members, stays)], span);
}

/** A member goes with the comma before it; those before the first that stays, with the comma behind them. */
function removals(members: readonly Member[], stays: (member: Member) => boolean): readonly Edit[] {
  const first = members.findIndex(stays);
  const [opening, next] = [members[0], members[first]];
  const start = opening?.nameStart ?? 0;
  if (first < 0) return opening ? [{ start, end: members.at(-1)?.end ?? start, text: '' }] : [];
  const leading = first > 0 && next ? [{ start, end: next.nameStart, text: '' }] : [];
  const others = members.flatMap((member, at) => {
    const before = members[at - 1];
    return at > first && before && !stays(member) ? [{ start: before.end, end: member.end, text: '' }] : [];
  });
  return [...leading, ...others];
}

// Lists: elements are kept, changed, left out, and put between.

/** A list, its elements, and where they stand. */
export interface WrittenList {
  readonly span: Span;
  readonly elements: readonly Written[];
}

/** The list that stands at a place. */
export function listAt(text: string, span: Span, values: readonly JsonValue[]): WrittenList {
  const spans = elementsAt(text, span.start);
  return { span, elements: values.map((value, at) => ({ value, span: spans[at] ?? span })) };
}

/** An element of a new list: what is written, and which element of the old list it is, if it is one. */
export interface NewElement {
  readonly text: string;
  readonly of?: number;
}

function patchedList(text: string, list: WrittenList, after: readonly JsonValue[]): string {
  return listText(text, list, patchedElements(text, list.elements, after));
}

/** The text of a list: between two elements that stood beside each other stays what stood there. */
export function listText(text: string, { span, elements }: WrittenList, next: readonly NewElement[]): string {
  const [first, second] = elements;
  const usual = first && second ? text.slice(first.span.end, second.span.start) : ',';
  const gap = (of: number | undefined, to: number | undefined): string => {
    const [one, other] = [elements[of ?? -1], elements[to ?? -1]];
    return of !== undefined && to === of + 1 && one && other ? text.slice(one.span.end, other.span.start) : usual;
  };
  const pieces = [text.slice(span.start, first?.span.start ?? span.end - 1)];
  for (const [at, { text: piece, of }] of next.entries()) {
    if (at > 0) pieces.push(gap(next[at - 1]?.of, of));
    pieces.push(piece);
  }
  return pieces.join('') + text.slice(elements.at(-1)?.span.end ?? span.end - 1, span.end);
}

/** The elements of a new list, each with the bytes that an old one has for it. */
export function patchedElements(
  text: string,
  before: readonly Written[],
  after: readonly JsonValue[],
): readonly NewElement[] {
  const partners = partnersOf(before, after);
  return after.map((value, at) => {
    const of = partners[at];
    const old = of === undefined ? undefined : before[of];
    return of === undefined || !old ? { text: JSON.stringify(value) } : { of, text: patched(text, old, value) };
  });
}

/**
 * For each element of the new list the one of the old list that it is: equal ones in their order, and between those the ones that
 * stand in the same place. Who is nobody's partner goes. A wrong guess costs bytes, never a value.
 */
function partnersOf(before: readonly Written[], after: readonly JsonValue[]): readonly (number | undefined)[] {
  const partners: (number | undefined)[] = [];
  let [from, waiting] = [0, 0];
  const pair = (to: number, until: number): void => {
    for (; waiting < until; waiting++) {
      const isLike = from < to && isAlike(before[from]?.value, after[waiting]);
      partners.push(isLike ? from++ : undefined);
    }
    from = to;
  };
  const places = placesOf(before);
  for (const [at, value] of after.entries()) {
    const equal = nextOf(places.get(canonical(value)), from);
    if (equal === undefined) continue;
    pair(equal, at);
    partners.push(equal);
    [from, waiting] = [equal + 1, at + 1];
  }
  pair(before.length, after.length);
  return partners;
}

/** The first place from `from` on; those before it are taken off the list, which ends with the first. */
function nextOf(places: number[] | undefined, from: number): number | undefined {
  let place = places?.pop();
  while (place !== undefined && place < from) place = places?.pop();
  return place;
}

function placesOf(before: readonly Written[]): ReadonlyMap<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [at, { value }] of [...before.entries()].toReversed()) {
    const key = canonical(value);
    const known = places.get(key);
    if (known) known.push(at);
    else places.set(key, [at]);
  }
  return places;
}

/** The same text for equal values, whatever the order of their keys. */
function canonical(value: JsonValue): string {
  if (isList(value)) return `[${value.map(canonical).join()}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const names = Object.keys(value).toSorted();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name] ?? null)}`).join()}}`;
}

/** Two of a kind: one may be the other with something changed. */
function isAlike(before: JsonValue | undefined, after: JsonValue | undefined): boolean {
  if (isJsonObject(before) && isJsonObject(after)) return before.type === after.type && before.role === after.role;
  return typeof before === typeof after;
}

const isList = (value: JsonValue | undefined): value is readonly JsonValue[] => Array.isArray(value);

/** Equal values: objects whatever the order of their keys. Nothing that was read deeper than the limit comes here. */
export function isSameJson(a: JsonValue, b: JsonValue): boolean {
  if (a === b) return true;
  if (isList(a)) return isList(b) && a.length === b.length && a.every((one, at) => isSameJson(one, b[at] ?? null));
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => isSameMember(a, b, name));
}

const isSameMember = (a: JsonObject, b: JsonObject, name: string): boolean =>
  Object.hasOwn(b, name) && isSameJson(a[name] ?? null, b[name] ?? null);
