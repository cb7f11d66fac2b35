/**
 * What a model's summary says beside the record: how much of a handoff is its, which of its lines stand there, and which
 * had no room. Its lines and the record's tell each thing once: of two sentences that say the same, the shorter stays.
 */
import { fileListIn, fileListRow } from '../handoff-rows.ts';
import type { LeftOutLine } from '../result.ts';
import type { Corpus, LineStats } from './corpus.ts';
import type { OutlineLine } from './names.ts';
import { type ToldLine, toldLines } from './told.ts';

/** How a summary and the record share a handoff. */
interface Besiding {
  /** A summary of at most this share of the handoff stands in it whole: one that is half as large again loses nothing. */
  readonly wholeShare: number;
  /** Else this share of the tokens is for its lines, before the record's compete. */
  readonly chosenShare: number;
  /** What a line of it counts while that share lasts, and afterwards. */
  readonly factor: { readonly first: number; readonly later: number };
  /** Worth of a line of it that says what is wanted and what goes on, beside its terms. */
  readonly tellingBonus: number;
  /** Share of the tokens for the index of names. */
  readonly nameShare: number;
  /** Worth of a sentence that tells something, in chances. */
  readonly storyWorth: number;
  /** Tokens of the headings that a whole summary lacks, at most. */
  readonly headingTokens: number;
}

/** Measured with summaries that agents went on with (docs/decisions/0010-best-of-both.md). */
export const besiding: Besiding = {
  wholeShare: 2 / 3,
  chosenShare: 0.2,
  factor: { first: 8, later: 0.5 },
  tellingBonus: 1,
  nameShare: 0.045,
  storyWorth: 1.85,
  headingTokens: 40,
};

/** A summary while a handoff is being filled beside it. */
export interface Beside {
  /** Its lines that no row of facts says word for word. */
  readonly lines: readonly ToldLine[];
  /** True where it stands in the handoff as it is. */
  readonly isWhole: boolean;
  /** True where what a line tells is told already; what stands in the handoff is told to `tell`. */
  readonly isTold: (line: LineStats) => boolean;
  readonly tell: (lines: Iterable<LineStats>) => void;
  /** A line of it that tells all that a line of the record does. */
  readonly twinOf: (line: LineStats) => ToldLine | undefined;
}

/** The summary beside rows of facts: what those quote from the record need not be told again. */
export function besideOf(
  summary: string,
  { corpus, outline, isWhole }: { corpus: Corpus; outline: readonly OutlineLine[]; isWhole: boolean },
): Beside {
  const quotes = outline.map(({ text }) => bare(text));
  const lines = toldLines(summary, corpus).filter(({ line, under }) => {
    const text = bare(line.text);
    return under.length > 0 || text.length < leastQuote || !quotes.some((quote) => quote.includes(text));
  });
  const { sameAs } = comparison(corpus);
  const told = new Set<LineStats>();
  const sentences = lines.filter(({ type, under }) => type === 'text' && under.length === 0);
  const tell = (some: Iterable<LineStats>): void => {
    for (const one of some) if (one.told.length >= leastWords) told.add(one);
  };
  if (isWhole) tell(lines.map(({ line }) => line));
  return {
    lines,
    isWhole,
    isTold: (line) => [...told].some((other) => other !== line && sameAs(line, other)),
    tell,
    twinOf: (line) => sentences.find((one) => sameAs(line, one.line)),
  };
}

const leastQuote = 12;
/** The words of a line without marks around them. */
const bare = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
    .toLowerCase();

/** Sentences of fewer telling words are too short to be told from others by them. */
const leastWords = 4;
/** A sentence says nothing new when so much of it, its rarer words counting more, is said by another one. */
const sameShare = 0.8;

/** Says whether all that a sentence tells is told by another one. */
function comparison({ wordUses }: Corpus): { readonly sameAs: (one: LineStats, other: LineStats) => boolean } {
  const most = wordUses.reduce((all, uses) => Math.max(all, uses), 1);
  // A word that nobody said counts as one that was said once.
  const weight = (word: number): number => Math.log((most + 1) / (wordUses[word] ?? 1));
  const sets = new Map<LineStats, ReadonlySet<number>>();
  const wordsOf = (line: LineStats): ReadonlySet<number> => {
    const known = sets.get(line) ?? new Set(line.told);
    sets.set(line, known);
    return known;
  };
  const sameAs = (one: LineStats, other: LineStats): boolean => {
    if (one.told.length < leastWords || other.told.length < leastWords) return false;
    const words = wordsOf(other);
    let all = 0;
    let said = 0;
    for (const word of one.told) {
      all += weight(word);
      if (words.has(word)) said += weight(word);
    }
    return said >= all * sameShare;
  };
  return { sameAs };
}

/** Rows of facts without the files that lines of the summary name: each is told once, by who says more of it. */
export function withoutToldFiles(outline: readonly OutlineLine[], told: readonly ToldLine[]): readonly OutlineLine[] {
  const names = new Set(
    told.flatMap(({ line }) => line.terms.flatMap(({ text, parts }) => [text, ...parts.map((one) => one.text)])),
  );
  return outline.flatMap((row): readonly OutlineLine[] => {
    if (row.content !== 'files') return [row];
    const list = fileListIn(row.text);
    if (list === undefined) return names.has(fileIn(row.text)) ? [] : [row];
    const paths = list.paths.filter((path) => !names.has(lastSegment(path)));
    return paths.length === 0 ? [] : [{ ...row, text: fileListRow({ ...list, paths }) }];
  });
}

const lastSegment = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** `m84 changed src/queue.js: what it was for` */
const fileIn = (row: string): string => /^m\d+ \w+ (?:[^\s:]*[\\/])?([^\\/\n:]+?)(?::|\n|$)/.exec(row)?.[1] ?? '';

/** Lines of the summary that are not in the handoff, in order, and why. */
export function leftOutOf({ lines, isWhole, isTold }: Beside, taken: readonly ToldLine[]): readonly LeftOutLine[] {
  if (isWhole) return [];
  const there = new Set(taken);
  return lines
    .filter((one) => !there.has(one))
    .map(({ line, number }) => ({ line: number, text: line.text, why: isTold(line) ? 'told otherwise' : 'no room' }));
}

/** Who writes into what is left of a handoff. */
interface Room {
  readonly tokens: number;
  readonly count: (text: string) => number;
  readonly taken: readonly ToldLine[];
}

/** Where room is left: lines that nobody chose, in order; then blocks of code, each with all its lines or not at all. */
export function restOf({ lines, isTold }: Beside, { tokens, count, taken }: Room): readonly ToldLine[] {
  const there = new Set(taken);
  const found: ToldLine[] = [];
  let left = tokens;
  const take = (some: readonly ToldLine[]): void => {
    const needed = some.reduce((sum, { line }) => sum + count(line.text) + 2, 0);
    if (needed > left || some[0]?.leads.some((lead) => !there.has(lead))) return;
    left -= needed;
    for (const one of some) there.add(one);
    found.push(...some);
  };
  for (const one of lines) if (one.type === 'text' && !there.has(one) && !isTold(one.line)) take([one]);
  for (const one of lines) if (one.type === 'fence' && !there.has(one)) take([one, ...one.under]);
  return found;
}
