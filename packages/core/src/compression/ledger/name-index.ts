/** The index of names: terms that say something without their lines, those first that are worth most per token. */
import type { Corpus, TermStats } from './corpus.ts';
import { createQueue, type Entry, maxPassedOver } from './queue.ts';

/** Messages to take names from: `from` to before `to`, and those behind that are not shown in full. */
interface NamesRange {
  readonly corpus: Corpus;
  readonly from: number;
  readonly to: number;
  readonly partly: ReadonlySet<number>;
}

interface NameIndexInput extends NamesRange {
  /** Worth of each term, by id. */
  readonly worth: Float64Array;
  /** True for a term that something shows: it needs no row. */
  readonly isShown: (term: TermStats) => boolean;
  /** The row of the index in which a name stands. */
  readonly nameRowOf: (term: TermStats) => number;
  /** Exact tokens of a text. */
  readonly count: (text: string) => number;
}

/** A name to show without its line, in the index. */
export interface NamePick {
  readonly term: TermStats;
  readonly row: number;
  readonly tokens: number;
}

/** Tokens of what opens a row of the index. */
const rowTokens = 7;

export interface NameIndex {
  /** The name that is worth most per token among those nothing shows, of at most `maxTokens` with what opens its row. */
  next(maxTokens: number): NamePick | undefined;
}

/** An index in which nothing stands yet. */
export function createNameIndex(input: NameIndexInput): NameIndex {
  const { worth, isShown, nameRowOf, count } = input;
  const queue = createQueue(namesIn(input, worth));
  /** Rows that have begun. */
  const rows = new Set<number>();
  const next = (maxTokens: number): NamePick | undefined => {
    const rest: Entry<TermStats>[] = [];
    let pick: NamePick | undefined;
    for (let top = queue.pop(); top; top = queue.pop()) {
      const term = top.value;
      if (isShown(term)) continue;
      if (term.counted === 0) term.counted = count(` ${term.text}`);
      const row = nameRowOf(term);
      const tokens = term.counted + (rows.has(row) ? 0 : rowTokens);
      const score = (worth[term.id] ?? 0) / tokens;
      if (score < top.score && score < queue.topScore()) {
        queue.push({ value: term, score });
        continue;
      }
      if (tokens > maxTokens) {
        rest.push({ value: term, score });
        if (rest.length > maxPassedOver) break;
        continue;
      }
      rows.add(row);
      pick = { term, row, tokens };
      break;
    }
    for (const entry of rest) queue.push(entry);
    return pick;
  };
  return { next };
}

/** The names last said in the range, with what each is worth per token. */
function namesIn({ corpus, from, to, partly }: NamesRange, worth: Float64Array): Entry<TermStats>[] {
  const names: Entry<TermStats>[] = [];
  for (const term of corpus.terms) {
    const { kind, lastMessage } = term;
    // Most terms are whole lines.
    if (!bareKinds.has(kind)) continue;
    if (((lastMessage >= from && lastMessage < to) || partly.has(lastMessage)) && isName(term))
      names.push({ value: term, score: worth[term.id] ?? 0 });
  }
  return names;
}

/** A bare number or a capitalised word says nothing without its line. */
const bareKinds: ReadonlySet<TermStats['kind']> = new Set(['path', 'identifier', 'dotted', 'id', 'url']);
/** Flags, shouted words, parts of sed scripts, shell variables, devices. */
const noName = /^(?:-|\$|[A-Z]+$|[sny]\/|\/dev\/|\/usr\/bin\/)/;
/** `and/or` is no path. */
const pathSign = /[.\d_]|^\/|[a-z][A-Z]/;
const minNameChars = 5;
/** `text.length` is a call of everyday code; `provider.NewRegistry` is a name. */
const compound = /[a-z][A-Z]|_/;

/** True for a name of such a kind that says something without the line it comes from. */
const isName = ({ kind, text }: TermStats): boolean =>
  (kind !== 'path' || pathSign.test(text)) &&
  text.length >= minNameChars &&
  !noName.test(text) &&
  (kind !== 'dotted' || compound.test(text));
