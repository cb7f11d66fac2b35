/** The index of names: terms that say something without their lines, those first that are worth most per token. */
import type { Corpus, TermStats } from './corpus.ts';
import type { LedgerFacts } from './facts.ts';
import { createGrams } from './holds.ts';
import { lastNotAbove, position } from './names.ts';
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
  /** A name as the index shows it. */
  readonly nameOf: (term: TermStats) => string;
  /** Exact tokens of a text. */
  readonly count: (text: string) => number;
}

/** A name to show without its line, in the index. */
export interface NamePick {
  readonly term: TermStats;
  readonly row: number;
  readonly tokens: number;
}

/** Of numbered things an index shows some: the rest are a listing. */
const mostAlike = 3;

/** Tokens of what opens a row of the index. */
const rowTokens = 7;

/** True where the text holds the name as a whole, alone or between points and slashes. */
export function holdsName(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (!wordSign.test(text[at - 1] ?? '') && !wordSign.test(text[at + name.length] ?? '')) return true;
  return false;
}
const wordSign = /[\p{L}\p{N}_$]/u;

/** Tells of each of some names whether a longer one of them holds it (`holdsName`): one look through all of them. */
export function heldAmong(names: readonly string[]): (name: string) => boolean {
  const all = `\n${names.join('\n')}\n`;
  return (name) => {
    for (let at = all.indexOf(name); at >= 0; at = all.indexOf(name, at + 1)) {
      const [before = '', behind = ''] = [all[at - 1], all[at + name.length]];
      // A line of its own is the name itself.
      if (before === '\n' && behind === '\n') continue;
      if (!wordSign.test(before) && !wordSign.test(behind)) return true;
    }
    return false;
  };
}

export interface NameIndex {
  /**
   * The name that is worth most per token among those nothing shows, of at most `maxTokens` with what opens its row.
   * `isTold`: true for a name that stands in the text already.
   */
  next(maxTokens: number, isTold: (name: string) => boolean): NamePick | undefined;
}

/** A name and what it is worth, whatever it costs. */
interface Candidate {
  readonly term: TermStats;
  readonly worth: number;
}

/** An index in which nothing stands yet. */
export function createNameIndex(input: NameIndexInput): NameIndex {
  const { isShown, nameRowOf, nameOf, count } = input;
  const queue = createQueue(candidatesIn(input).map((value) => ({ value, score: value.worth })));
  /** Rows that have begun. */
  const rows = new Set<number>();
  /** Every name that is listed, on a line of its own. */
  let listed = '';
  const grams = createGrams();
  /** How many names that differ in their digits alone are listed, and how many ids. */
  const alike = new Map<string, number>();
  const next: NameIndex['next'] = (maxTokens, isTold) => {
    const rest: Entry<Candidate>[] = [];
    let pick: NamePick | undefined;
    for (let top = queue.pop(); top; top = queue.pop()) {
      const { term, worth } = top.value;
      if (isShown(term)) continue;
      const name = nameOf(term);
      if (term.counted === 0) term.counted = count(` ${name}`);
      const row = nameRowOf(term);
      const tokens = term.counted + (rows.has(row) ? 0 : rowTokens);
      const score = worth / tokens;
      if (score < top.score && score < queue.topScore()) {
        queue.push({ value: top.value, score });
        continue;
      }
      if (tokens > maxTokens) {
        rest.push({ value: top.value, score });
        if (rest.length > maxPassedOver) break;
        continue;
      }
      const form = term.kind === 'id' ? 'id' : name.replace(/\d+/g, '0');
      // Long texts are searched for the few names that are about to be taken.
      if ((alike.get(form) ?? 0) >= mostAlike || isTold(name)) continue;
      if (grams.mayHold(name) && holdsName(listed, name)) continue;
      rows.add(row);
      listed += `${name}\n`;
      grams.add(name);
      alike.set(form, (alike.get(form) ?? 0) + 1);
      pick = { term, row, tokens };
      break;
    }
    for (const entry of rest) queue.push(entry);
    return pick;
  };
  return { next };
}

interface RowsInput {
  readonly facts: { readonly asks: readonly Pick<LedgerFacts['asks'][number], 'ref'>[] };
  readonly stepOf: (message: number) => number;
}

/** Requests whose turns share a row of the index: each row costs more than most names. */
const turnsInRow = 5;

/** The row of the index for a name: the turns in which it was seen last. Nearly at once, however many requests there were. */
export function nameRowsFor({ facts, stepOf }: RowsInput): (term: Pick<TermStats, 'lastMessage'>) => number {
  const starts = facts.asks.map(({ ref }) => position(ref) - 1);
  const rows = new Map<number, number>();
  return ({ lastMessage }) => {
    const step = stepOf(lastMessage);
    const row = rows.get(step) ?? Math.floor(lastNotAbove(starts, step) / turnsInRow);
    rows.set(step, row);
    return row;
  };
}

function candidatesIn(input: NameIndexInput): readonly Candidate[] {
  const keyFactor = keyFactorIn(input.corpus);
  // A file has a row of its own; a name that would stand here in part says less than that.
  const whole = namesIn(input).filter((term) => input.nameOf(term) === term.text);
  return whole.map((term) => {
    return { term, worth: (input.worth[term.id] ?? 0) * (isKey(term.text) ? keyFactor : 1) };
  });
}

/** The names last said in the range. */
const namesIn = ({ corpus, from, to, partly }: NamesRange): readonly TermStats[] =>
  corpus.names.filter((term) => {
    if (!bareKinds.has(term.kind)) return false;
    const { lastMessage } = term;
    return ((lastMessage >= from && lastMessage < to) || partly.has(lastMessage)) && isName(term);
  });

/** Where code is written in another style, words in small letters are keys of data and of protocols. */
const key = /^[a-z\d]+(?:_[a-z\d]+)+$/;
const isKey = (text: string): boolean => text.includes('_') && key.test(text);
const leastKeyFactor = 0.5;

/** What such a word counts, by the share of the names in calls that look like it. */
function keyFactorIn({ names }: Corpus): number {
  const written = names.filter(({ kind, call }) => kind === 'identifier' && call > 0);
  const keys = written.filter(({ text }) => isKey(text)).length;
  return Math.min(1, leastKeyFactor + (written.length > 0 ? keys / written.length : 1));
}

/** A bare number or a capitalised word says nothing without its line. */
const bareKinds: ReadonlySet<TermStats['kind']> = new Set(['path', 'identifier', 'dotted', 'id', 'url']);
/** Flags, shouted words, parts of sed scripts, shell variables, devices. */
const noName = /^(?:-|\$|[A-Z]+$|[sny]\/|\/dev\/|\/usr\/bin\/)/;
/** `and/or` is no path. */
const pathSign = /[.\d_]|^\/|[a-z][A-Z]/;
const minNameChars = 5;
/** `text.length` is a call of everyday code; `ferry.NewTimetable` is a name. */
const compound = /[a-z][A-Z]|_/;

/** True for a name of such a kind that says something without the line it comes from. */
const isName = ({ kind, text }: TermStats): boolean =>
  (kind !== 'path' || pathSign.test(text)) &&
  text.length >= minNameChars &&
  !noName.test(text) &&
  (kind !== 'dotted' || compound.test(text));
