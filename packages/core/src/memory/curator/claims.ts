/** What an entry claims of a person or a project: which attribute, of whom, and the values that it gives, now and before. */
import type { Attribute } from '../../language/attributes.ts';
import { personAttributes } from '../../language/attributes.ts';
import { newsWords, pastWords, severalWords, unsureWords } from '../../language/changes.ts';
import { projectAttributes } from '../../language/project-attributes.ts';
import type { MemoryEntry } from '../../store/memory-store.ts';
import { isDenied, isGone, oldOf, saysMore } from './ended.ts';
import { foundValues, matches, type Reader, restOf, withoutCode } from './place.ts';
import { plainText, widthOf } from './plain-text.ts';
import { subjectOf } from './subjects.ts';
import { isOutside, scopeOf } from './trust.ts';
import { isSameValue } from './values.ts';

/** What one entry says of one attribute. */
export interface Claim {
  readonly entry: MemoryEntry;
  readonly attribute: Attribute;
  /** Whom or what it is about besides the person or the project itself; empty for them. */
  readonly subject: string;
  /** Values that may be so now: of a name, one of several candidates. */
  readonly values: readonly string[];
  /** Values that are so no longer. */
  readonly old: readonly string[];
  /** It tells of a change. */
  readonly isNews: boolean;
  /** Words beside the attribute, its values and what holds a sentence together: they may say of which part it is so. */
  readonly rest: readonly string[];
  /** The entry says something else besides, which would be lost with it. */
  readonly hasMore: boolean;
}

/** All claims of some entries: those that show by their words what they are about, then those that show it by what they end. */
export function claimsOfAll(entries: readonly MemoryEntry[], reader: Reader): readonly Claim[] {
  const claims = entries.flatMap((entry) => claimsOf(entry, reader));
  const claimed = new Set(claims.map(({ entry }) => entry));
  const others = entries.filter((entry) => !claimed.has(entry));
  const topics = Map.groupBy(claims, ({ entry }) => scopeOf(entry));
  const topicsOf = new Map([...topics].map(([scope, own]) => [scope, topicsIn(own)]));
  return [
    ...claims,
    ...others.flatMap((entry) => endingClaim(entry, topicsOf.get(scopeOf(entry)) ?? [], reader) ?? []),
  ];
}

/** An attribute of a subject, with all values that are known of it. */
type Topic = Pick<Claim, 'attribute' | 'subject' | 'values'>;

const topicsIn = (claims: readonly Claim[]): readonly Topic[] =>
  [...Map.groupBy(claims, ({ attribute, subject }) => `${attribute.id} ${subject}`).values()].flatMap((group) => {
    const [first] = group;
    const values = [...new Set(group.flatMap((claim) => claim.values))];
    return first && first.attribute.value !== 'words' ? [{ ...first, values }] : [];
  });

/** It was so once, may be so, or is one of several: no claim that this is so and nothing else. */
const speaksOfMore = [pastWords, unsureWords, severalWords];

/** "Moved to Norway in 2015", said in 2026: an event, and nothing that holds from now on. */
function tellsOfPast({ target, statedAt }: MemoryEntry, text: string): boolean {
  const years = [...text.matchAll(/(?<![\d:/-])(?<!\d\.)(?:19|20)\d\d(?!\d|[.:/-]\d)/g)].map(([year]) => Number(year));
  return target === 'user' && years.length > 0 && Math.max(...years) < new Date(statedAt).getUTCFullYear();
}

/** The claims of an entry by its own words; most have one or none. */
function claimsOf(entry: MemoryEntry, reader: Reader): readonly Claim[] {
  const text = plainText(entry);
  if (widthOf(text) > longest || speaksOfMore.some((words) => words.test(text))) return [];
  if (tellsOfPast(entry, text)) return [];
  return primary(
    attributesFor(entry).flatMap((attribute) => {
      const read = isOutside(entry) ? quoted(text, attribute) : text;
      const claim = claimIn(read, attribute, reader);
      return claim ? [{ entry, ...claim }] : [];
    }),
  );
}

/** "Porto is history; Turin it is": the value that it ends is known from an earlier claim, and with it what it is about. */
function endingClaim(entry: MemoryEntry, known: readonly Topic[], reader: Reader): Claim | undefined {
  const text = plainText(entry);
  if (widthOf(text) > longest || unsureWords.test(text)) return undefined;
  for (const { attribute, subject, values } of known) {
    const found = foundValues({ attribute, text, words: [{ start: 0, end: 0 }], reader });
    const old = oldOf(text, found);
    const isEnded = old.some((value) => values.some((own) => isSameValue(attribute.value, value, own)));
    const left = [...new Set(found.map(({ value }) => value))].filter((value) => !old.includes(value));
    if (isEnded && left.length > 0)
      return { entry, attribute, subject, values: left, old, isNews: true, rest: [], hasMore: false };
  }
  return undefined;
}

/** What came from outside without who says it: "the ticket says:" is no part of it, but "package manager:" is. */
function quoted(text: string, { words }: Attribute): string {
  const marked = /[「『“„«]([^」』”“»]{4,})[」』”“»]/u.exec(text)?.[1];
  if (marked) return marked;
  const colon = /[:：](?=\s)|：/u.exec(text);
  if (!colon || matches(words, text.slice(0, colon.index)).length > 0) return text;
  return text.slice(colon.index + 1).trim();
}

/** An entry with values known by their names is about these; "machine" is said of an editor as well. */
function primary(claims: readonly Claim[]): readonly Claim[] {
  if (claims.length < 2) return claims;
  const typed = claims.filter(
    ({ attribute }) => attribute.value !== 'name' && attribute.value !== 'person' && attribute.value !== 'words',
  );
  return typed.length > 0 ? typed : claims.slice(0, 1);
}

function attributesFor({ target, project }: MemoryEntry): readonly Attribute[] {
  if (project !== undefined) return projectAttributes();
  return target === 'user' ? personAttributes() : projectAttributes();
}

/** Longer texts say more than one thing. In characters of an alphabet. */
const longest = 200;

function claimIn(text: string, attribute: Attribute, reader: Reader): Omit<Claim, 'entry'> | undefined {
  if (attribute.not && matches(attribute.not, text).length > 0) return undefined;
  const place = { attribute, text, words: matches(attribute.words, withoutCode(text)), reader };
  const found = foundValues(place);
  if (found.length === 0) return undefined;
  const old = oldOf(text, found);
  const values = [...new Set(found.map(({ value }) => value))].filter((value) => !old.includes(value));
  const gone = found.filter(({ start, end }) => isGone(text, start, end));
  // "Not pnpm" alone tells of no change; "no longer pnpm" does.
  if (values.length === 0 && gone.length === 0) return undefined;
  if (old.length === 0 && gone.length === 0 && isDenied(place, found)) return undefined;
  const isNews = newsWords.test(text);
  return {
    attribute,
    subject: subjectOf(place, found),
    values,
    old,
    isNews,
    rest: restOf(place, found),
    hasMore: saysMore(place, found),
  };
}
