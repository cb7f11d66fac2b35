/**
 * Chooses the lines of a handoff, one after the other, by what they are worth per token.
 *
 * A line is worth the sum of its terms' chances of being needed; a term that is already shown counts for `repeatWorth`
 * of that, then for its square, then for nothing. So the first lines cover much, and no name is shown ten times. The
 * worth of a line can only fall while others are taken, which is why a heap of possibly outdated worths gives the best
 * line without looking at all of them again (the lazy form of the greedy algorithm; Minoux, 1978).
 */
import { type BareName, namesIn } from './bare-names.ts';
import type { Corpus, LineStats, TermStats } from './corpus.ts';
import { createQueue, type Entry, type Queue } from './queue.ts';
import { logAges, relevanceOf } from './relevance.ts';
import { withOdds } from './summary-votes.ts';
import type { ToldLine } from './told.ts';

/** What the choice is made by; all measured on whole sessions (docs/decisions/0006-relevance.md). */
export const choosing = {
  /** Chances are raised to this power: below 1, it prefers many likely terms to a few certain ones. */
  chanceExponent: 0.45,
  /** Worth of a term that is shown already. */
  repeatWorth: 0.2,
  /** Worth of writing a whole line again, against that of a name. */
  lineWorth: 0.3,
  /** Terms of the last requests count this much more: without a topic, they are the focus. */
  askedFactor: 1.5,
  /** Share of a line's worth that stands and falls with its words: a bare list of names explains nothing. */
  contextShare: 0.6,
  /** Words that make a line self-explanatory. */
  contextWords: 4,
  /** When this many of the best lines do not fit any more, the handoff counts as full. */
  maxPassedOver: 40,
} as const;

/** Tokens of the end of a line, and of the mark before what a tool printed. */
const markTokens = ({ speaker }: LineStats): number => (speaker === 'call' || speaker === 'person' ? 1 : 2);

/** A line of the conversation with the step under whose header it stands, or a line of a summary with those it needs. */
export type Pick =
  | { readonly type: 'said'; readonly line: LineStats; readonly step: number; readonly tokens: number }
  | { readonly type: 'told'; readonly lines: readonly ToldLine[]; readonly line: LineStats; readonly tokens: number };

/** A model's summary to choose from. */
export interface ToldSource {
  readonly lines: readonly ToldLine[];
  /** Log odds that it gives the terms, by id. */
  readonly votes: Float64Array | undefined;
  /** Worth of a line of it beside its terms, in chances. */
  readonly bonus: (line: ToldLine) => number;
  /** Factor on the worth of its lines against those of the conversation; it may fall while lines are taken. */
  readonly factor: () => number;
}

export interface ChooserInput {
  readonly corpus: Corpus;
  /** Messages to choose from: `from` to before `to`. */
  readonly from: number;
  readonly to: number;
  /** Messages behind `to` that are not shown in full: their hidden lines are chosen from too. */
  readonly partly: ReadonlySet<number>;
  /** Messages whose terms count more: what was asked last. */
  readonly recentAsks: readonly number[];
  /** Index of the message that opens the step a message belongs to. */
  readonly stepOf: (message: number) => number;
  /** Tokens that the header of a step costs once. */
  readonly headerTokens: (step: number) => number;
  /** Worth of a line beside its terms, in chances. */
  readonly bonus: (line: LineStats) => number;
  /** Factor on the worth of a line: above 1 for what belongs to the focus. */
  readonly focus: (line: LineStats) => number;
  /** Exact tokens of a text. */
  readonly count: (text: string) => number;
  readonly told?: ToldSource | undefined;
  /** Hears of every line that `next` gives. */
  readonly onTake?: (pick: Pick) => void;
}

/** A name to show without its line, under the header of a step. */
export interface NamePick {
  readonly term: TermStats;
  readonly step: number;
  readonly tokens: number;
}

export class Chooser {
  readonly #input: ChooserInput;
  readonly #corpus: Corpus;
  readonly #worth: Float64Array;
  /** How often a line of the conversation shows a term, and how often a line of a summary names it, by id. */
  readonly #shown: Uint8Array;
  readonly #named: Uint8Array;
  /** Steps whose header is paid, and what a header costs, by step. */
  readonly #opened = new Set<number>();
  readonly #headers: Float64Array;
  readonly #taken = new Set<LineStats>();
  readonly #told: ReadonlyMap<LineStats, ToldLine>;
  readonly #queue: Queue<LineStats>;
  #names: Queue<BareName> | undefined;

  constructor(input: ChooserInput) {
    const { corpus, told } = input;
    this.#input = input;
    this.#corpus = corpus;
    this.#worth = termWorths(input);
    this.#shown = new Uint8Array(corpus.terms.length);
    this.#named = new Uint8Array(corpus.terms.length);
    this.#headers = new Float64Array(corpus.messageLines.length);
    this.#told = new Map(told?.lines.map((one) => [one.line, one]));
    const candidates = [...linesIn(input), ...this.#told.keys()];
    this.#queue = createQueue(candidates.map((line) => ({ value: line, score: this.#scoreOf(line) })));
  }

  #gainOf(line: LineStats): number {
    let gain = 0;
    const isTold = this.#told.has(line);
    for (const term of line.terms) {
      gain += this.#termGain(term, isTold);
      for (const part of term.parts) gain += this.#termGain(part, isTold);
    }
    const context = Math.min(line.words, choosing.contextWords) / choosing.contextWords;
    const readable = 1 - choosing.contextShare / 2 + choosing.contextShare * context;
    return (gain * readable + this.#input.bonus(line)) * this.#input.focus(line);
  }

  /** A summary names a term, a line of the conversation shows its use: that is not paid for by the name. */
  #termGain(term: TermStats, isTold: boolean): number {
    const times = (this.#shown[term.id] ?? 0) + (isTold ? (this.#named[term.id] ?? 0) : 0);
    const chance = this.#worth[term.id] ?? 0;
    return times === 0 ? chance : times <= 2 ? chance * choosing.repeatWorth ** times : 0;
  }

  #scoreOf(line: LineStats): number {
    const one = this.#told.get(line);
    if (one) return this.#toldScore(one);
    const step = this.#input.stepOf(line.lastMessage);
    return this.#gainOf(line) / (line.tokens + this.#headerOf(step));
  }

  #toldScore(one: ToldLine): number {
    let gain = 0;
    let tokens = 0;
    for (const each of this.#withLeads(one)) {
      gain += this.#gainOf(each.line) + (this.#input.told?.bonus(each) ?? 0);
      tokens += each.line.tokens + 1;
    }
    return (gain * (this.#input.told?.factor() ?? 1)) / tokens;
  }

  /** What is taken when the line is: the line, and the lines it needs that nobody took yet. */
  #withLeads(one: ToldLine): readonly ToldLine[] {
    return [...one.leads.filter(({ line }) => !this.#taken.has(line)), one];
  }

  /** Tokens that a line of the step pays for its header: none once another has paid. */
  #headerOf(step: number): number {
    if (this.#opened.has(step)) return 0;
    const known = this.#headers[step] ?? 0;
    if (known > 0) return known;
    const tokens = this.#input.headerTokens(step);
    this.#headers[step] = tokens;
    return tokens;
  }

  #markTerm(term: TermStats, counts = this.#shown): void {
    counts[term.id] = Math.min(255, (counts[term.id] ?? 0) + 1);
  }

  #mark(line: LineStats): void {
    const counts = this.#told.has(line) ? this.#named : this.#shown;
    for (const term of line.terms) {
      this.#markTerm(term, counts);
      for (const part of term.parts) this.#markTerm(part, counts);
    }
  }

  /** The header of a step is paid once: the other lines of the step have become cheaper. */
  #open(step: number): void {
    if (this.#opened.has(step)) return;
    this.#opened.add(step);
    const { to, partly, stepOf } = this.#input;
    const { messageLines } = this.#corpus;
    for (let message = step; message < messageLines.length && stepOf(message) === step; message++) {
      if (message >= to && !partly.has(message)) continue;
      for (const line of messageLines[message] ?? []) {
        if (line.lastMessage === message && !this.#taken.has(line)) this.#score(line);
      }
    }
  }

  /** Puts a line into the queue by what it is worth now. */
  #score(line: LineStats): void {
    this.#queue.push({ value: line, score: this.#scoreOf(line) });
  }

  /** The line that is worth most per token among those of at most `maxTokens`, header included. */
  next(maxTokens: number): Pick | undefined {
    const tooLarge: Entry<LineStats>[] = [];
    let pick: Pick | undefined;
    for (let top = this.#queue.pop(); top && top.score > 0; top = this.#queue.pop()) {
      if (this.#taken.has(top.value)) continue;
      const score = this.#scoreOf(top.value);
      if (score < top.score && score < this.#queue.topScore()) {
        this.#queue.push({ value: top.value, score });
        continue;
      }
      const found = this.#pickOf(top.value);
      if (found.tokens <= maxTokens) {
        this.#take(found);
        pick = found;
        break;
      }
      // It may fit later, when there is more room.
      tooLarge.push(top);
      if (tooLarge.length >= choosing.maxPassedOver) break;
    }
    for (const entry of tooLarge) this.#queue.push(entry);
    if (pick) this.#input.onTake?.(pick);
    return pick;
  }

  #pickOf(line: LineStats): Pick {
    const one = this.#told.get(line);
    if (one) {
      const lines = this.#withLeads(one);
      return { type: 'told', lines, line, tokens: lines.reduce((sum, each) => sum + this.#countOf(each.line) + 1, 0) };
    }
    const step = this.#input.stepOf(line.lastMessage);
    return { type: 'said', line, step, tokens: this.#countOf(line) + markTokens(line) + this.#headerOf(step) };
  }

  #take(pick: Pick): void {
    if (pick.type === 'told') {
      this.show(pick.lines.map(({ line }) => line));
      // What stands below a line that is there now has become cheaper.
      for (const { line } of pick.lines.flatMap(({ under }) => under)) {
        if (!this.#taken.has(line)) this.#score(line);
      }
      return;
    }
    this.#mark(pick.line);
    this.#takeWords(pick.line);
    this.#open(pick.step);
  }

  /** Nobody's words are told twice, whoever said them too. */
  #takeWords(line: LineStats): void {
    this.#taken.add(line);
    for (const twin of line.twins ?? []) this.#taken.add(twin);
  }

  /** The term that is worth most per token among those nothing shows yet, of at most `maxTokens`. */
  nextName(maxTokens: number): NamePick | undefined {
    this.#names ??= createQueue(namesIn(this.#input, this.#worth));
    for (let top = this.#names.pop(); top; top = this.#names.pop()) {
      const { term, step } = top.value;
      if (this.#shown[term.id] || this.#named[term.id]) continue;
      if (term.counted === 0) term.counted = this.#input.count(` ${term.text}`);
      const tokens = term.counted + this.#headerOf(step);
      if (tokens > maxTokens) continue;
      this.#opened.add(step);
      this.#markTerm(term);
      for (const part of term.parts) this.#markTerm(part);
      return { term, step, tokens };
    }
    return undefined;
  }

  #countOf(line: LineStats): number {
    if (line.counted === 0) line.counted = this.#input.count(line.text);
    return line.counted;
  }

  /** Counts every term of a text as shown. */
  show(lines: Iterable<LineStats>): void {
    for (const line of lines) {
      this.#mark(line);
      this.#takeWords(line);
    }
  }
}

function termWorths({ corpus, recentAsks, told }: ChooserInput): Float64Array {
  const asked = new Set(recentAsks.flatMap((at) => (corpus.messageLines[at] ?? []).flatMap(({ terms }) => terms)));
  const logAge = logAges(corpus.messageTokens);
  return Float64Array.from(corpus.terms, (term) => {
    if (term.lastMessage < 0) return 0;
    const known = relevanceOf(term, logAge);
    const chance = (told?.votes ? withOdds(known, told.votes[term.id] ?? 0) : known) ** choosing.chanceExponent;
    if (term.kind === 'line') return chance * choosing.lineWorth;
    return asked.has(term) ? chance * choosing.askedFactor : chance;
  });
}

/** What went into a call or came out of one stands where it was seen last; what somebody said stays that one's. */
const isSaidLater = ({ speaker, twins, lastMessage }: LineStats): boolean =>
  twins !== undefined &&
  speaker !== 'person' &&
  speaker !== 'assistant' &&
  twins.some((twin) => twin.lastMessage > lastMessage);

/** The distinct lines last said in the range: one said again later stands there. */
function linesIn({ corpus, from, to, partly }: ChooserInput): readonly LineStats[] {
  const lines: LineStats[] = [];
  const take = (message: number): void => {
    for (const line of corpus.messageLines[message] ?? [])
      if (line.lastMessage === message && !isSaidLater(line)) lines.push(line);
  };
  for (let message = from; message < to; message++) take(message);
  for (const message of partly) take(message);
  return lines;
}
