/**
 * Chooses the lines of a handoff, one after the other, by what they are worth per token.
 *
 * A line is worth the sum of its terms' chances of being needed; a term that is already shown counts for `repeatWorth`
 * of that, then for its square, then for nothing. So the first lines cover much, and no name is shown ten times. The
 * worth of a line can only fall while others are taken, which is why a heap of possibly outdated worths gives the best
 * line without looking at all of them again (the lazy form of the greedy algorithm; Minoux, 1978).
 */
import type { Corpus, LineStats, TermStats } from './corpus.ts';
import { leadsIn } from './cues.ts';
import { createNameIndex, type NameIndex, type NamePick } from './name-index.ts';
import { createQueue, type Entry, maxPassedOver, type Queue } from './queue.ts';
import { isTableHead } from './tables.ts';
import type { ToldLine } from './told.ts';
import { termWorths, wordWorths } from './worths.ts';

/** What the choice is made by; all measured on whole sessions (docs/decisions/0006-relevance.md). */
const choosing = {
  /** Worth of a term that is shown already. */
  repeatWorth: 0.2,
  /** Worth of a sentence that tells something, in chances; of it, the share that stands and falls with its novelty. */
  storyWorth: 1.85,
  freshShare: 0.3,
  /** Each further sentence of one message is worth this much of the one before: breadth comes before depth. */
  furtherWorth: 0.9,
  /** A sentence with a name tells where it belongs. */
  namedFactor: 1.2,
  /** Lines of one form in one output are worth this much of the one before, from the third on. */
  likeWorth: 0.6,
  /** The line that declares something tells more of code than the lines below it. */
  declarationFactor: 1.3,
  /** Share of a line's worth that stands and falls with its words: a bare list of names explains nothing. */
  contextShare: 0.6,
  /** Words that make a line self-explanatory. */
  contextWords: 4,
} as const;

/** A message has a place for its words, and one for its calls. */
const placesOf = 2;
/** Tokens of a header that nobody has counted yet. */
const unknown = -1;

/** The form of a line shows at its beginning. */
const formChars = 60;

/** Tokens of the end of a line, and of the mark before what a tool printed. */
const markTokens = ({ speaker }: LineStats): number =>
  speaker === 'call' || speaker === 'person' || speaker === 'assistant' ? 1 : 2;

/** A line of the conversation with the place where it stands, or a line of a summary with those it needs. */
export type Pick =
  | { readonly type: 'said'; readonly line: LineStats; readonly place: Place; readonly tokens: number }
  | { readonly type: 'told'; readonly lines: readonly ToldLine[]; readonly line: LineStats; readonly tokens: number };

/** A model's summary to choose from. */
export interface ToldSource {
  readonly lines: readonly ToldLine[];
  /** Worth of a line of it beside its terms, in chances. */
  readonly bonus: (line: ToldLine) => number;
  /** Factor on the worth of its lines against those of the conversation; it may fall while lines are taken. */
  readonly factor: () => number;
  /** Worth of a sentence that tells something, whoever says it. */
  readonly storyWorth: number;
  /** True for a line, of either, that tells what is told already. */
  readonly isTold: (line: LineStats) => boolean;
}

export interface ChooserInput {
  readonly corpus: Corpus;
  /** Messages to choose from: `from` to before `to`. */
  readonly from: number;
  readonly to: number;
  /** Messages that are not shown in full: their hidden lines are chosen from too. */
  readonly partly: ReadonlySet<number>;
  /** Messages whose terms count more: what was asked last. */
  readonly recentAsks: readonly number[];
  readonly placeOf: (line: LineStats) => Place;
  /** The lines that may stand in a place. */
  readonly linesIn: (place: Place) => readonly LineStats[];
  /** Tokens that the header of a place costs once. */
  readonly headerTokens: (place: Place) => number;
  /** Worth of a line beside its terms, in chances. */
  readonly bonus: (line: LineStats) => number;
  /** Factor on the worth of a line: above 1 for what belongs to the focus. */
  readonly focus: (line: LineStats) => number;
  /** The row of the index in which a name stands. */
  readonly nameRowOf: (term: TermStats) => number;
  /** A name as the index shows it. */
  readonly nameOf: (term: TermStats) => string;
  /** Exact tokens of a text. */
  readonly count: (text: string) => number;
  readonly told?: ToldSource | undefined;
}

/** Where a line stands in a handoff, under a header of its own: a number for a message's words, another for its calls. */
export type Place = number;

const declaration =
  /^\s*(?:export |public |private |static |async |pub )*(?:func|function|class|def|type|interface|struct|const|fn|enum)\b/;
/** The signs with which the words above begin: most lines have another one. */
const declaring = new Set(Array.from('acdefipst', (sign) => sign.charCodeAt(0)));
const firstLetter = 33;

function declares(text: string): boolean {
  const first = text.charCodeAt(0);
  return (declaring.has(first) || first < firstLetter || first > 127) && declaration.test(text);
}
const isCalls = ({ voice }: LineStats): boolean => voice === 'call' || voice === 'result';

export class Chooser {
  readonly #input: ChooserInput;
  readonly #worth: Float64Array;
  /** How often a line of the conversation shows a term, and how often a line of a summary names it, by id. */
  readonly #shown: Uint8Array;
  readonly #named: Uint8Array;
  /** By place: what its header costs, none once it is paid; `unknown` until somebody asks. */
  readonly #headers: Int32Array;
  /** What each word of a sentence that tells something is worth, and whether a line that is shown has it. */
  readonly #wordWorth: Float64Array;
  readonly #toldWords: Uint8Array;
  /** Lines of outputs that are shown, by message and form. */
  readonly #forms = new Map<string, number>();
  readonly #formOfLine = new Map<LineStats, string>();
  /** Messages with such a line. */
  readonly #formsOf = new Set<number>();
  /** Sentences of each message that are told. */
  readonly #toldOf = new Map<number, number>();
  readonly #taken = new Set<LineStats>();
  readonly #told: ReadonlyMap<LineStats, ToldLine>;
  readonly #queue: Queue<LineStats>;
  #names: NameIndex | undefined;

  constructor(input: ChooserInput) {
    const { corpus, told } = input;
    this.#input = input;
    this.#worth = termWorths(input);
    this.#shown = new Uint8Array(corpus.terms.length);
    this.#named = new Uint8Array(corpus.terms.length);
    this.#headers = new Int32Array(placesOf * corpus.messageLines.length).fill(unknown);
    this.#wordWorth = wordWorths(corpus);
    this.#toldWords = new Uint8Array(corpus.wordUses.length);
    this.#told = new Map(told?.lines.map((one) => [one.line, one]));
    const candidates = [...linesIn(input), ...this.#told.keys()];
    this.#queue = createQueue(candidates.map((line) => ({ value: line, score: this.#scoreOf(line) })));
  }

  /** A line of the summary; most handoffs have none, and most lines are none. */
  #toldLine(line: LineStats): ToldLine | undefined {
    return this.#told.size === 0 ? undefined : this.#told.get(line);
  }

  #gainOf(line: LineStats): number {
    let gain = 0;
    const isTold = this.#toldLine(line) !== undefined;
    for (const term of line.terms) {
      gain += this.#termGain(term, isTold);
      if (term.parts.length > 0) for (const part of term.parts) gain += this.#termGain(part, isTold);
    }
    if (isCalls(line) && declares(line.text)) gain *= choosing.declarationFactor;
    const focus = this.#input.focus(line);
    // What belongs to the focus is wanted whole.
    if (line.voice === 'result' && focus <= 1) {
      const taken = this.#likeTaken(line);
      if (taken > 0) gain *= choosing.likeWorth ** taken;
    }
    const context = Math.min(line.words, choosing.contextWords) / choosing.contextWords;
    const readable = 1 - choosing.contextShare / 2 + choosing.contextShare * context;
    return (gain * readable + this.#storyGain(line) + this.#input.bonus(line)) * focus;
  }

  /** What a sentence tells: each counts the same, so that short ones come first; less where it was told, more with a name. */
  #storyGain({ told, lastMessage, terms, words }: LineStats): number {
    if (told.length === 0) return 0;
    let all = 0;
    let fresh = 0;
    for (const word of told) {
      const worth = this.#wordWorth[word] ?? 0;
      all += worth;
      if (!this.#toldWords[word]) fresh += worth;
    }
    const { freshShare, furtherWorth, namedFactor } = choosing;
    const { storyWorth } = this.#input.told ?? choosing;
    const novelty = all > 0 ? 1 - freshShare + (freshShare * fresh) / all : 1;
    const further = furtherWorth ** (this.#toldOf.get(lastMessage) ?? 0);
    const content = Math.min(1, (words + 2 * terms.length) / choosing.contextWords);
    return storyWorth * content * novelty * further * (terms.length > 1 ? namedFactor : 1);
  }

  /** Lines of the same form that the same output shows already, but for one. */
  #likeTaken(line: LineStats): number {
    // Most messages show nothing: spare their lines the form.
    if (!this.#formsOf.has(line.lastMessage)) return 0;
    return Math.max(0, (this.#forms.get(this.#formOf(line)) ?? 0) - 1);
  }

  #formOf(line: LineStats): string {
    const known = this.#formOfLine.get(line);
    if (known !== undefined) return known;
    const form = `${line.lastMessage} ${line.text.slice(0, formChars).replace(/[\p{L}\p{N}_]+/gu, 'w')}`;
    this.#formOfLine.set(line, form);
    return form;
  }

  /** A summary names a term, a line of the conversation shows its use: that is not paid for by the name. */
  #termGain(term: TermStats, isTold: boolean): number {
    const times = (this.#shown[term.id] ?? 0) + (isTold ? (this.#named[term.id] ?? 0) : 0);
    const chance = this.#worth[term.id] ?? 0;
    return times === 0 ? chance : times <= 2 ? chance * choosing.repeatWorth ** times : 0;
  }

  /** What a line is worth per token, with everything that has to be taken with it. */
  #scoreOf(line: LineStats): number {
    const one = this.#toldLine(line);
    if (!one) return this.#gainOf(line) / (line.tokens + this.#headerOf(this.#input.placeOf(line)));
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

  /** Tokens that a line pays for the header of its place: none once another has paid. */
  #headerOf(place: Place): number {
    const known = this.#headers[place] ?? unknown;
    if (known !== unknown) return known;
    const tokens = this.#input.headerTokens(place);
    this.#headers[place] = tokens;
    return tokens;
  }

  /** Puts a line into the queue by what it is worth now, unless it is there already. */
  #score(line: LineStats): void {
    if (this.#taken.has(line) || !(this.#toldLine(line) || isCandidate(line))) return;
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
      if (this.#input.told?.isTold(top.value)) {
        this.#taken.add(top.value);
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
      if (tooLarge.length >= maxPassedOver) break;
    }
    for (const entry of tooLarge) this.#queue.push(entry);
    return pick;
  }

  #pickOf(line: LineStats): Pick {
    const one = this.#toldLine(line);
    if (one) {
      const lines = this.#withLeads(one);
      return { type: 'told', lines, line, tokens: lines.reduce((sum, each) => sum + this.#countOf(each.line) + 1, 0) };
    }
    const place = this.#input.placeOf(line);
    return { type: 'said', line, place, tokens: this.#countOf(line) + markTokens(line) + this.#headerOf(place) };
  }

  #take(pick: Pick): void {
    if (pick.type === 'told') {
      this.show(pick.lines.map(({ line }) => line));
      // What stands below a line that is there now has become cheaper.
      for (const { under } of pick.lines) for (const { line } of under) this.#score(line);
    } else {
      this.show([pick.line]);
      this.#open(pick.place);
    }
  }

  /** The header of a place is paid once: its other lines have become cheaper. */
  #open(place: Place): void {
    if (this.#headers[place] === 0) return;
    this.#headers[place] = 0;
    for (const line of this.#input.linesIn(place)) this.#score(line);
  }

  /** Takes a line of a summary, with those it needs, without asking what it is worth. */
  takeTold(one: ToldLine): readonly ToldLine[] {
    const pick = this.#pickOf(one.line);
    this.#take(pick);
    return pick.type === 'told' ? pick.lines : [];
  }

  /** Takes lines without asking what they are worth. */
  take(lines: Iterable<LineStats>): void {
    this.show(lines);
    for (const line of lines) this.#open(this.#input.placeOf(line));
  }

  /** The next name for the index (`NameIndex.next`). */
  nextName(maxTokens: number, isTold: (name: string) => boolean): NamePick | undefined {
    this.#names ??= createNameIndex({
      ...this.#input,
      worth: this.#worth,
      isShown: ({ id }) => this.#shown[id] !== 0 || this.#named[id] !== 0,
    });
    const pick = this.#names.next(maxTokens, isTold);
    if (pick) mark(this.#shown, pick.term);
    return pick;
  }

  #countOf(line: LineStats): number {
    if (line.counted === 0) line.counted = this.#input.count(line.text);
    return line.counted;
  }

  /** Counts every term of a text as shown. Nobody's words are told twice, whoever said them too. */
  show(lines: Iterable<LineStats>): void {
    for (const line of lines) {
      const counts = this.#toldLine(line) ? this.#named : this.#shown;
      for (const term of line.terms) mark(counts, term);
      for (const word of line.told) this.#toldWords[word] = 1;
      if (line.voice === 'result') {
        this.#forms.set(this.#formOf(line), (this.#forms.get(this.#formOf(line)) ?? 0) + 1);
        this.#formsOf.add(line.lastMessage);
      }
      if (line.told.length > 0) this.#toldOf.set(line.lastMessage, (this.#toldOf.get(line.lastMessage) ?? 0) + 1);
      this.#taken.add(line);
      for (const twin of line.twins ?? []) this.#taken.add(twin);
    }
  }
}

/** Counts a term as shown, and what is shown with it. */
function mark(counts: Uint8Array, term: TermStats): void {
  counts[term.id] = Math.min(255, (counts[term.id] ?? 0) + 1);
  for (const { id } of term.parts) counts[id] = Math.min(255, (counts[id] ?? 0) + 1);
}

/** What went into a call or came out of one stands where it was seen last; what somebody said stays that one's. */
const isSaidLater = ({ speaker, twins, lastMessage }: LineStats): boolean =>
  twins !== undefined &&
  speaker !== 'person' &&
  speaker !== 'assistant' &&
  twins.some((twin) => twin.lastMessage > lastMessage);

/** What leads to a list or a table tells nothing without it. */
const isBareLead = (line: LineStats): boolean =>
  line.speaker === 'assistant' && line.told.length === 0 && (leadsIn(line.text) || isTableHead(line));

/** True for a line that may stand alone; names that a handoff lists stand in the index again. */
const isCandidate = (line: LineStats): boolean => line.speaker !== 'names' && !isSaidLater(line) && !isBareLead(line);

/** The distinct lines last said in the range: one said again later stands there. */
function linesIn({ corpus, from, to, partly }: ChooserInput): readonly LineStats[] {
  const lines: LineStats[] = [];
  const take = (message: number): void => {
    for (const line of corpus.messageLines[message] ?? [])
      if (line.lastMessage === message && isCandidate(line)) lines.push(line);
  };
  for (let message = from; message < to; message++) take(message);
  for (const message of partly) if (message < from || message >= to) take(message);
  return lines;
}
