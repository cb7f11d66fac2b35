/** Claims of one attribute: which of them holds, which say the same, and which have been overtaken. */
import type { MemoryEntry } from '../../store/memory-store.ts';
import type { Claim } from './claims.ts';
import { type Doubt, type Finding, goneBy } from './findings.ts';
import { byTime, isOneBreath, isOutside, rankOf, scopeOf } from './trust.ts';
import { isSameValue } from './values.ts';
import { contentWords } from './words.ts';

/** What claims of the same attribute, subject and scope do to each other. */
export function judgeClaims(claims: readonly Claim[]): {
  readonly findings: readonly Finding[];
  readonly doubts: readonly Doubt[];
} {
  const groups = Map.groupBy(claims, ({ entry, attribute, subject }) => `${scopeOf(entry)} ${attribute.id} ${subject}`);
  const several = severalOf(claims);
  const findings: Finding[] = [];
  const doubts: Doubt[] = [];
  for (const group of groups.values()) {
    if (group.length < 2) continue;
    const rivals = settled([...group].sort((a, b) => byTime(a.entry, b.entry)));
    const holder = holderOf(rivals);
    if (!holder) continue;
    const found = judge(rivals, holder, several);
    findings.push(...found);
    const decided = new Set([holder.entry, ...found.flatMap(goneBy)]);
    for (const { entry, values } of rivals)
      if (values.length > 0 && !decided.has(entry)) doubts.push({ entries: [holder.entry, entry] });
  }
  return { findings, doubts };
}

/** Entries that claim more than one thing: a value overtaken does not make the rest of them wrong. */
function severalOf(claims: readonly Claim[]): ReadonlySet<MemoryEntry> {
  const seen = new Set<MemoryEntry>();
  const several = new Set<MemoryEntry>();
  for (const { entry } of claims) {
    if (seen.has(entry)) several.add(entry);
    seen.add(entry);
  }
  return several;
}

/** Of two values in one note, the one that an earlier note has alone is the old one, whatever the language. */
function settled(claims: readonly Claim[]): readonly Claim[] {
  return claims.map((claim, at) => {
    if (!isUnclear(claim)) return claim;
    const earlier = claims.slice(0, at).filter((other) => !isUnclear(other) && other.values.length === 1);
    const values = claim.values.filter((value) => !earlier.some((other) => other.values[0] === value));
    if (values.length === 0 || values.length === claim.values.length) return claim;
    return { ...claim, values, old: [...claim.old, ...claim.values.filter((value) => !values.includes(value))] };
  });
}

/** It names several values, and nothing tells which holds. Names are candidates: there one of several is meant. */
const isUnclear = ({ attribute, values }: Claim): boolean =>
  values.length > 1 && attribute.value !== 'name' && attribute.value !== 'person';

const isSame = (a: Claim, b: Claim): boolean =>
  a.attribute.value === 'words'
    ? isSameStyle(a.values[0] ?? '', b.values[0] ?? '')
    : a.values.some((value) => b.values.some((other) => isSameValue(a.attribute.value, value, other)));

function isSameStyle(a: string, b: string): boolean {
  const [one, two] = [new Set(a.split(' ')), new Set(b.split(' '))];
  return one.intersection(two).size >= 0.75 * one.union(two).size;
}

/** Said that it is so no longer. */
const denies = (claim: Claim, other: Claim): boolean =>
  claim.old.some((value) => other.values.some((own) => isSameValue(claim.attribute.value, value, own)));

/** The claim that holds at the end, when all have been heard in the order of their times. */
function holderOf(claims: readonly Claim[]): Claim | undefined {
  const inside = claims.filter(({ entry }) => !isOutside(entry));
  let holder: Claim | undefined;
  for (const claim of inside.length > 0 ? inside : claims) {
    if (isUnclear(claim)) continue;
    if (claim.values.length === 0) {
      if (holder && denies(claim, holder) && mayOverrule(claim, holder)) holder = claim;
    } else if (!holder || holder.values.length === 0) holder = claim;
    else if (isSame(claim, holder)) holder = isBetter(claim, holder) ? claim : holder;
    else if (mayOverrule(claim, holder)) holder = claim;
  }
  return holder;
}

/** What a model or tool noted later overrules the person's word only where it tells of a change. */
const mayOverrule = (newer: Claim, holder: Claim): boolean =>
  rankOf(holder.entry) > 0 || rankOf(newer.entry) === 0 || newer.isNews;

/** Of two that say the same the better sourced stays; then the one that says more, then the newer. */
function isBetter(newer: Claim, older: Claim): boolean {
  const [a, b] = [newer.entry, older.entry];
  if (rankOf(a) !== rankOf(b)) return rankOf(a) < rankOf(b);
  return contentWords(a.text).length >= contentWords(b.text).length;
}

function judge(rivals: readonly Claim[], holder: Claim, several: ReadonlySet<MemoryEntry>): readonly Finding[] {
  const others = rivals.filter((claim) => claim !== holder && claim.entry !== holder.entry && !isUnclear(claim));
  const isFree = ({ entry, hasMore }: Claim): boolean =>
    !hasMore && !several.has(entry) && !isOneBreath(entry, holder.entry);
  const same = others.filter((claim) => claim.values.length > 0 && isFree(claim) && isSame(claim, holder));
  const wrong = others.filter(
    (claim) => claim.values.length > 0 && isFree(claim) && !isSame(claim, holder) && isOvertaken(claim, holder),
  );
  const stays = holder.entry;
  const goes = wrong.map(({ entry }) => entry);
  const findings: Finding[] = [];
  if (same.length > 0) findings.push({ type: 'duplicate', stays, goes: same.map(({ entry }) => entry) });
  if (goes.length > 0) findings.push({ type: 'contradiction', stays, goes, about: holder.attribute.id });
  return findings;
}

/** Styles may be wished for beside each other: only a change, or the person against the outside, takes one away. */
function isOvertaken(claim: Claim, holder: Claim): boolean {
  if (holder.values.length === 0) return denies(holder, claim);
  if (claim.attribute.value !== 'words') return isOfTheSame(claim, holder);
  return holder.isNews || (isOutside(claim.entry) && !isOutside(holder.entry));
}

/**
 * Both speak of the whole, or of the same part. Words that are not understood may be the name of a part: then only a change
 * that is told, or a claim from outside against the own, leaves no doubt.
 */
function isOfTheSame(claim: Claim, holder: Claim): boolean {
  if (tellsOfChange(holder) || tellsOfChange(claim) || (isOutside(claim.entry) && !isOutside(holder.entry)))
    return true;
  const [one, two] = [new Set(claim.rest), new Set(holder.rest)];
  return one.symmetricDifference(two).size === 0;
}

const tellsOfChange = ({ isNews, old }: Claim): boolean => isNews || old.length > 0;
