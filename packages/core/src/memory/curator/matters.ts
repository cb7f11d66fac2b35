/** Notes of work under way: a note that the matter is done ends them, and so does their age. */
import { doneMatter, matterFrame, openMatter } from '../../language/matters.ts';
import type { Instant } from '../../store/ids.ts';
import type { MemoryEntry } from '../../store/memory-store.ts';
import type { Finding } from './findings.ts';
import { plainText } from './plain-text.ts';
import { byTime, isOutside, saidAt, scopeOf } from './trust.ts';
import { wordsOf } from './words.ts';

interface Matter {
  readonly entry: MemoryEntry;
  readonly isOpen: boolean;
  /** What it is about. */
  readonly topic: ReadonlySet<string>;
}

/** Notes of open matters that are done, and all but the newest of those that say the same. */
export function judgeMatters(entries: readonly MemoryEntry[]): readonly Finding[] {
  const findings: Finding[] = [];
  for (const group of Map.groupBy(entries, scopeOf).values()) {
    const matters = [...group].sort(byTime).flatMap((entry) => matterOf(entry) ?? []);
    const left = matters.filter((matter) => {
      if (!matter.isOpen) return false;
      const done = matters.find((other) => ends(other, matter));
      if (done)
        findings.push({
          type: 'stale',
          goes: matter.entry,
          reason: `The work is done, as ${done.entry.id} says: “${done.entry.text}”.`,
        });
      return !done;
    });
    findings.push(...repeats(left));
  }
  return findings;
}

const ends = (done: Matter, open: Matter): boolean =>
  !done.isOpen &&
  saidAt(done.entry) >= saidAt(open.entry) &&
  (!isOutside(done.entry) || isOutside(open.entry)) &&
  isSameTopic(done.topic, open.topic);

function repeats(open: readonly Matter[]): readonly Finding[] {
  const findings: Finding[] = [];
  const left = [...open].reverse();
  while (left.length > 0) {
    const newest = left.shift();
    if (!newest) break;
    const same = left.filter(({ topic }) => isSameTopic(topic, newest.topic));
    const isBetter = (matter: Matter): boolean => isOutside(newest.entry) && !isOutside(matter.entry);
    const stays = same.find(isBetter) ?? newest;
    const goes = [newest, ...same].filter((matter) => matter !== stays).map(({ entry }) => entry);
    if (goes.length > 0) findings.push({ type: 'duplicate', stays: stays.entry, goes });
    for (const matter of same) left.splice(left.indexOf(matter), 1);
  }
  return findings;
}

/** The matter of a note; undefined for one that speaks of no work. */
function matterOf(entry: MemoryEntry): Matter | undefined {
  const text = plainText(entry);
  const isOpen = openMatter.test(text);
  if (!isOpen && !doneMatter.test(text)) return undefined;
  const topic = topicOf(text);
  return topic.size === 0 ? undefined : { entry, isOpen, topic };
}

function topicOf(text: string): ReadonlySet<string> {
  let rest = text;
  for (const { source } of [openMatter, doneMatter, matterFrame])
    rest = rest.replaceAll(new RegExp(source, 'giu'), (match) => ' '.repeat(match.length));
  const words = wordsOf(rest);
  const terms = new Set<string>();
  for (const [i, word] of words.entries()) {
    if (!isWide(word.text)) terms.add(word.term);
    const next = words[i + 1];
    // Of characters only pairs tell anything.
    if (isWide(word.text) && next && next.start === word.end && isWide(next.text)) terms.add(word.text + next.text);
  }
  return terms;
}

const isWide = (text: string): boolean => /^[\u3040-\u30ff\u3400-\u9fff々]$/u.test(text);

function isSameTopic(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  const shared = small.intersection(large).size;
  if (shared < 2) return small.size === 1 && large.size === 1 && shared === 1;
  // Where words change their places, pairs of characters are lost that no word has lost.
  const least = [...small].some((term) => isWide(term.slice(0, 1))) ? 0.7 : 0.8;
  return shared >= least * small.size && shared >= 0.5 * large.size;
}

/** How long working state is taken for true that nobody said again: a month. */
export const stateLifeMs: number = 30 * 86_400_000;

/** True for working state that nobody has spoken of or used for too long. */
export const isForgotten = (entry: MemoryEntry, now: Instant): boolean =>
  entry.kind === 'state' && now - Math.max(saidAt(entry), entry.usedAt ?? 0) > stateLifeMs;
