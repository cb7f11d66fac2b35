/** Entries of any matter, compared by their build: the same words again, or the same sentence with another value in it. */
import { endsBefore, endsBehind } from '../../language/calendar.ts';
import { severalWords, unsureWords } from '../../language/changes.ts';
import { opposingWords } from '../../language/negations.ts';
import type { MemoryEntry } from '../../store/memory-store.ts';
import { datesIn } from './dates.ts';
import type { Doubt, Finding } from './findings.ts';
import { plainText } from './plain-text.ts';
import { byTime, isOneBreath, isOutside, rankOf, scopeOf } from './trust.ts';
import { hostsIn, timesIn, weekdaysIn } from './values.ts';
import { type Word, wordsOf } from './words.ts';

interface Shape {
  readonly entry: MemoryEntry;
  readonly text: string;
  readonly words: readonly Word[];
  /** The terms that carry meaning, in alphabetic order. */
  readonly content: readonly string[];
  /** Numbers, addresses, names with signs, in their order. */
  readonly values: readonly string[];
  readonly isDenied: boolean;
}

/** What entries do to each other, and what cannot be told by their build. */
export function judgeAlike(entries: readonly MemoryEntry[]): {
  readonly findings: readonly Finding[];
  readonly doubts: readonly Doubt[];
} {
  const findings: Finding[] = [];
  const doubts: Doubt[] = [];
  for (const group of Map.groupBy(entries, scopeOf).values()) {
    const shapes = [...group].sort(byTime).map(shapeOf);
    const candidatesOf = neighbours(shapes);
    const gone = new Set<Shape>();
    for (const newer of shapes) {
      for (const older of candidatesOf(newer)) {
        if (gone.has(older) || gone.has(newer)) continue;
        const finding = compare(older, newer, shapes);
        if (finding === 'doubt') doubts.push({ entries: [older.entry, newer.entry] });
        else if (finding) {
          findings.push(finding);
          gone.add(finding.stays === newer.entry ? older : newer);
        }
      }
    }
  }
  return { findings, doubts };
}

/**
 * For each entry in its turn those before it that may be compared with it: that begin with the same word, or share half of
 * their words. All others would be compared for nothing.
 */
function neighbours(shapes: readonly Shape[]): (newer: Shape) => readonly Shape[] {
  const places = new Map(shapes.map((shape, i) => [shape, i]));
  const byTerm = new Map<string, Shape[]>();
  return (newer) => {
    const shared = new Map<Shape, number>();
    for (const term of new Set(newer.content))
      for (const other of byTerm.get(term) ?? []) shared.set(other, (shared.get(other) ?? 0) + 1);
    const first = newer.words[0]?.term;
    const least = (other: Shape): number => Math.min(other.content.length, newer.content.length) / 2;
    const found = [...shared]
      .filter(([other, count]) => count >= least(other) || other.words[0]?.term === first)
      .map(([other]) => other);
    for (const term of new Set(newer.content)) {
      const known = byTerm.get(term);
      if (known) known.push(newer);
      else byTerm.set(term, [newer]);
    }
    return found.sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
  };
}

function shapeOf(entry: MemoryEntry): Shape {
  const text = plainText(entry);
  const words = wordsOf(text);
  const meaning = words.filter(({ isFrame }) => !isFrame);
  return {
    entry,
    text,
    words,
    content: meaning.map(({ term }) => term).sort(),
    values: words.filter(({ isValue }) => isValue).map(({ term }) => term),
    isDenied: opposingWords.test(text),
  };
}

type Compared = Exclude<Finding, { type: 'stale' }> | 'doubt' | undefined;

function compare(older: Shape, newer: Shape, all: readonly Shape[]): Compared {
  if (isRepeated(older, newer)) return repeated(older, newer);
  const slot = slotOf(older, newer);
  if (!slot) return isNear(older, newer) ? 'doubt' : undefined;
  if (severalWords.test(newer.text) || unsureWords.test(newer.text) || isOneBreath(older.entry, newer.entry))
    return undefined;
  // Three of a kind are a list, not a fact that changes.
  const kind = all.filter(
    (other) =>
      other !== newer &&
      other.words[0]?.term === newer.words[0]?.term &&
      isSameSlot(slotOf(other, newer), slot) &&
      !isEqual(other.content, older.content),
  );
  if (kind.length > 0 && slot.kind === 'number') return undefined;
  if (!isHeld(slot, older) || !isHeld(slot, newer)) return 'doubt';
  return overtaken(older, newer);
}

const isEqual = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((term, i) => term === b[i]);

/** The same values in the same order, and the same words. */
function isRepeated(a: Shape, b: Shape): boolean {
  if (a.isDenied !== b.isDenied || a.content.length === 0 || !isEqual(a.values, b.values)) return false;
  if (!isEqual(...namesInOrder(a, b))) return false;
  if (isEqual(a.content, b.content)) return a.content.length > 1 || a.text === b.text;
  return a.content.length >= 3 && b.content.length >= 3 && overlap(a, b) >= 0.85;
}

/** What is written as a name in either of two texts, in the order of each: who reports to whom. */
function namesInOrder(a: Shape, b: Shape): readonly [readonly string[], readonly string[]] {
  const named = ({ words }: Shape): readonly string[] =>
    words.filter(({ text, isFrame }) => !isFrame && /^\p{Lu}/u.test(text)).map(({ term }) => term);
  const names = new Set([...named(a), ...named(b)]);
  const orderOf = ({ words }: Shape): readonly string[] =>
    words.map(({ term }) => term).filter((term) => names.has(term));
  return [orderOf(a), orderOf(b)];
}

function overlap(a: Shape, b: Shape): number {
  const [one, two] = [new Set(a.content), new Set(b.content)];
  return one.intersection(two).size / one.union(two).size;
}

/** Much in common, and not enough to act on it. */
const isNear = (a: Shape, b: Shape): boolean => a.content.length > 2 && b.content.length > 2 && overlap(a, b) >= 0.5;

function repeated(older: Shape, newer: Shape): Exclude<Finding, { type: 'stale' }> {
  const [a, b] = [older, newer];
  const isNewerBetter =
    rankOf(b.entry) === rankOf(a.entry) ? b.content.length >= a.content.length : rankOf(b.entry) < rankOf(a.entry);
  const [stays, goes] = isNewerBetter ? [b, a] : [a, b];
  return { type: 'duplicate', stays: stays.entry, goes: [goes.entry] };
}

function overtaken(older: Shape, newer: Shape): Exclude<Finding, { type: 'stale' }> {
  const [a, b] = [older.entry, newer.entry];
  const isOlderStronger = isOutside(b) ? !isOutside(a) : rankOf(a) === 0 && rankOf(b) > 0;
  const [stays, goes] = isOlderStronger ? [a, b] : [b, a];
  return { type: 'contradiction', stays, goes: [goes] };
}

interface Slot {
  /** Words before it. */
  readonly at: number;
  /** Words behind it. */
  readonly behind: number;
  readonly kind: SlotKind;
}

type SlotKind = 'date' | 'weekday' | 'time' | 'host' | 'command' | 'percent' | 'number';

/** The one place where two texts differ, where both have a value of the same kind in it. */
function slotOf(a: Shape, b: Shape): Slot | undefined {
  const [one, two] = [a.words, b.words];
  const most = Math.min(one.length, two.length);
  let at = 0;
  while (at < most && one[at]?.term === two[at]?.term) at++;
  let behind = 0;
  while (behind < most - at && one.at(-1 - behind)?.term === two.at(-1 - behind)?.term) behind++;
  const [left, right] = [one.slice(at, one.length - behind), two.slice(at, two.length - behind)];
  if (left.length === 0 || right.length === 0 || left.length > 4 || right.length > 4) return undefined;
  const before = one.slice(0, at).filter(({ isFrame }) => !isFrame);
  // What stands first is what the text is about; without enough around it, it is no frame.
  if (before.reduce((sum, { text }) => sum + Math.min(text.length, 3), 0) < 5) return undefined;
  const kind = kindOf(a.text, left);
  if (kind === undefined || kind !== kindOf(b.text, right)) return undefined;
  return { at, behind, kind };
}

const isSameSlot = (a: Slot | undefined, b: Slot): boolean =>
  a?.at === b.at && a.behind === b.behind && a.kind === b.kind;

/** What fills a slot; undefined for what is no value. */
function kindOf(text: string, words: readonly Word[]): SlotKind | undefined {
  const start = words[0]?.start ?? 0;
  const end = words.at(-1)?.end ?? start;
  const within = (found: readonly { start: number; end: number }[]): boolean =>
    found.some((one) => one.start < end && start < one.end);
  if (within(datesIn(text, 0))) return 'date';
  if (within(weekdaysIn(text))) return 'weekday';
  if (within(timesIn(text))) return 'time';
  if (within(hostsIn(text))) return 'host';
  const part = text.slice(start, end);
  if (/^`[^`]+`$/.test(part)) return 'command';
  if (/%/.test(part)) return 'percent';
  return /^v?[\d.,:]+$/.test(part) ? 'number' : undefined;
}

/** The value ends the text, or is followed by what it counts; the date of a slot is one until which something holds. */
function isHeld({ at, behind }: Slot, { text, words }: Shape): boolean {
  const tail = words.slice(words.length - behind);
  const start = words[at]?.start ?? 0;
  if (datesIn(text, 0).some((date) => date.start <= start && start < date.end))
    return (
      endsBefore.test(text.slice(0, start)) ||
      endsBehind.test(text.slice(words[words.length - behind - 1]?.end ?? start))
    );
  return tail.filter(({ isFrame }) => !isFrame).length <= 2;
}
