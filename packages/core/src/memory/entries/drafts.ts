/** What is told of an entry by its text, its source and the entries before it. Pure. */
import { PalimpsestError } from '../../shared/errors.ts';
import { type MemoryEntry, type MemoryKind, type MemorySource, memorySources } from '../../store/memory-store.ts';
import type { MemoryTarget } from '../files/entries.ts';

/** A name in few words, a colon, and something short: what is filled into a form about somebody. */
const label = /^[^\s:：][^:：\n]{0,30}[:：]\s?[^\n]{1,80}$/u;
/** Steps: numbered lines, or arrows between them. */
const steps = /(?:^|\n)\s*1[.)、][\s\S]*\n\s*2[.)、]|\S\s*(?:->|→|=>|⇒)\s*\S[\s\S]*(?:->|→|=>|⇒)\s*\S/u;

/** The kind of an entry of which nobody told it, by how it is built. */
export function kindOf({
  target,
  text,
  until,
}: {
  readonly target: MemoryTarget;
  readonly text: string;
  readonly until?: number | undefined;
}): MemoryKind {
  if (target === 'user') return label.test(text) ? 'identity' : 'preference';
  if (until !== undefined) return 'state';
  return steps.test(text) ? 'procedure' : 'fact';
}

/** The least trusted. */
export const lowestSource = (sources: readonly MemorySource[]): MemorySource =>
  memorySources[Math.max(0, ...sources.map((source) => memorySources.indexOf(source)))] ?? 'document';

/** The source of a text that takes the place of others: it has the lowest of them, unless the person says it anew. */
export const sourceAfter = (source: MemorySource, replaced: readonly MemoryEntry[]): MemorySource =>
  source === 'person' ? source : lowestSource([source, ...replaced.map((entry) => entry.source)]);

/** A key as it is kept, so that `Dev port`, `dev_port` and `dev-port` are one. @throws BAD_OPTION for one without letters */
export function normaliseKey(key: string): string {
  const normal = key
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}.+#]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 80);
  if (normal !== '') return normal;
  throw new PalimpsestError('BAD_OPTION', 'Expected as key a name with letters or digits. Nothing was remembered.', {
    evidence: { option: 'key' },
  });
}

/** The text of a fact that is only a key and a value. */
export const factText = (key: string, value: string): string => `${key.trim()}: ${value.trim()}`;

/** The key of an entry whose text was changed, and the value where it stands now: between what stood around the old one. */
export function keyAfter(old: MemoryEntry, text: string): { readonly key?: string; readonly value?: string } {
  if (old.key === undefined || old.value === undefined) return {};
  const at = old.text.lastIndexOf(old.value);
  const [head, tail] = at === -1 ? ['', ''] : [old.text.slice(0, at), old.text.slice(at + old.value.length)];
  const isFramed = at !== -1 && text.length > head.length + tail.length && text.startsWith(head) && text.endsWith(tail);
  return { key: old.key, value: isFramed ? text.slice(head.length, text.length - tail.length).trim() : text };
}

/** From 0 to 1: the share of words that two texts have in common (Dice). Without spaces between words, pairs of signs. */
export function wordLikeness(a: string, b: string): number {
  const [words, others] = [wordsOf(a), wordsOf(b)];
  const common = [...words].filter((word) => others.has(word)).length;
  return (2 * common) / Math.max(1, words.size + others.size);
}

const segmentless = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

function wordsOf(text: string): ReadonlySet<string> {
  const words = new Set<string>();
  for (const [run] of text
    .normalize('NFKC')
    .toLowerCase()
    .matchAll(/[\p{L}\p{N}_]+/gu)) {
    if (!segmentless.test(run)) {
      words.add(run);
      continue;
    }
    const signs = [...run];
    if (signs.length === 1) words.add(run);
    for (const [at, sign] of signs.entries()) if (at > 0) words.add(`${signs[at - 1]}${sign}`);
  }
  return words;
}
