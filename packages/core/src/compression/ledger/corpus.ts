/**
 * Counts where and by whom every term and every line was said: the memory that relevance is computed from. Adding a
 * message costs time in proportion to that message; equal lines are kept once.
 */
import type { Message } from '../../transcript/message.ts';
import type { Speaker } from '../handoff-rows.ts';
import { decisionStrength, errorStrength, leadsIn, tells } from './cues.ts';
import { type LineSink, linesOf, type Voice, voiceOf } from './lines.ts';
import { markTables, type Table } from './tables.ts';
import { type TermKind, termsOf } from './terms.ts';

/** Stands for a word of a summary that no assistant said. */
export const unsaid = -1;

/** Counters of one term. Plain numbers, because there are tens of thousands of them. */
export interface TermStats {
  readonly id: number;
  readonly text: string;
  readonly kind: TermKind;
  /** Occurrences by voice. */
  call: number;
  result: number;
  user: number;
  agent: number;
  /** Messages it occurs in. */
  messages: number;
  /** Index of the last message with it, and of the last one that the agent wrote; -1 when there is none. */
  lastMessage: number;
  lastByAgent: number;
  /** Voice of the first occurrence. */
  readonly firstVoice: Voice;
  /** Occurrences in short arguments: paths, commands, names. */
  shortCall: number;
  /** Its relevance without its age (`relevance.ts`), NaN until somebody asks. */
  base: number;
  /** Tokens it takes as a bare name, counted, once somebody did; 0 until then. */
  counted: number;
  /** Terms that are shown when this one is: the ends of a path, the name of its file. */
  readonly parts: readonly TermStats[];
}

/** A line of one speaker, kept once however often that one said it. */
export interface LineStats {
  readonly text: string;
  /** Distinct terms, itself as a whole included. */
  readonly terms: readonly TermStats[];
  /** Natural-language words. */
  readonly words: number;
  /** Tokens, estimated. */
  readonly tokens: number;
  /** Tokens, counted, once somebody did; 0 until then. */
  counted: number;
  readonly speaker: Speaker;
  /** Of who said it first. */
  readonly voice: Voice;
  /** The lines of all who said the same words, this one among them; one list for all of them. Absent where nobody else did. */
  twins: LineStats[] | undefined;
  /** Of a result, how much it says of a failure (`errorStrength`); of words, how much of a decision (`decisionStrength`). */
  readonly strength: number;
  /** True for a sentence, not code, a listing or a table. */
  readonly isProse: boolean;
  /** What an assistant or a summary said that tells something: ids of its telling words (`Corpus.wordUses`). Empty for everything else. */
  told: readonly number[];
  /** Index of the last message whose lines it stands out of: a sentence with a name amid code or a listing; -1 for none. */
  oddIn: number;
  /** Index of the last message with it, and its number among that message's lines. */
  lastMessage: number;
  lastLine: number;
  /** The table in which it stands there. */
  table: Table | undefined;
}

/** A sentence has this many longer words and none of the signs of code. */
const proseWords = 4;
interface NewLine extends Pick<LineStats, 'terms' | 'words' | 'speaker' | 'voice' | 'strength'> {
  readonly isCode: boolean;
  /** Where they are known already. */
  readonly told?: LineStats['told'];
}

interface Said {
  readonly speaker: Speaker;
  readonly isCode: boolean;
  /** The same words of somebody who said them first. */
  readonly twin: LineStats | undefined;
}

/** Of a line that tells nothing; one list for all of them. */
const noWords: readonly number[] = [];

/** A sentence that tells something has as many words. */
const toldWords = 2;
/** A word by its beginning; two signs of a language that writes syllables or words with one. */
const tellingWord = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2}|[\p{L}]{4,7}/gu;
const codeSigns = /[{}[\]=<>|\\]|;$|\(\)|^[-+@#*/]/;

/** Whole lines count as terms within these bounds: what agents write again word for word. */
const lineTermChars = { min: 20, max: 220 };
const shortCallChars = 200;

/** What was said in a conversation, by term and by line; made with an estimate of the tokens of a line. */
export class Corpus {
  readonly terms: TermStats[] = [];
  /** Those that are no whole lines, which most are. */
  readonly names: TermStats[] = [];
  readonly lines: LineStats[] = [];
  /** Distinct lines of each message. */
  readonly messageLines: (readonly LineStats[])[] = [];
  /** Tokens of each message, estimated. */
  readonly messageTokens: number[] = [];
  readonly #tokensOf: (text: string) => number;
  readonly #termByText = new Map<string, TermStats>();
  readonly #lineByText = new Map<string, LineStats>();
  /** In how many sentences of assistants each word stands, by its id. */
  readonly wordUses: number[] = [];
  readonly #wordIds = new Map<string, number>();

  constructor(tokensOf: (text: string) => number) {
    this.#tokensOf = tokensOf;
  }

  #termFor(text: string, kind: TermKind, voice: Voice): TermStats {
    const known = this.#termByText.get(text);
    if (known) return known;
    const parts = kind === 'path' || kind === 'file' ? this.#partsOf(text, voice) : [];
    const term = this.#newTerm({ text, kind, firstVoice: voice, parts });
    this.#termByText.set(text, term);
    return term;
  }

  /** Written out, as lines are below: there are many, and a spread makes them slowly. */
  #newTerm({ text, kind, firstVoice, parts }: Pick<TermStats, 'text' | 'kind' | 'firstVoice' | 'parts'>): TermStats {
    const term: TermStats = {
      id: this.terms.length,
      text,
      kind,
      call: 0,
      result: 0,
      user: 0,
      agent: 0,
      messages: 0,
      lastMessage: -1,
      lastByAgent: -1,
      firstVoice,
      shortCall: 0,
      base: Number.NaN,
      counted: 0,
      parts,
    };
    this.terms.push(term);
    if (kind !== 'line' && kind !== 'errorLine') this.names.push(term);
    return term;
  }

  /** The shorter names that a path shows with it: every end of it, its file name, the name without its extension. */
  #partsOf(path: string, voice: Voice): readonly TermStats[] {
    const end = shorterEnd(path);
    if (end !== undefined) {
      const part = this.#termFor(end, end.includes('/') ? 'path' : 'file', voice);
      return [part, ...part.parts];
    }
    const stem = path.replace(extension, '');
    return stem !== path && compoundStem.test(stem) ? [this.#termFor(stem, 'identifier', voice)] : [];
  }

  #newLine(text: string, said: NewLine): LineStats {
    const { terms, words, speaker, voice, strength, isCode, told } = said;
    return {
      text,
      terms,
      words,
      tokens: this.#tokensOf(text) + 1,
      counted: 0,
      speaker,
      voice,
      twins: undefined,
      strength,
      isProse: words >= proseWords && !codeSigns.test(text),
      told:
        told ??
        (speaker === 'assistant' && !isCode && words >= toldWords && tells(text) ? this.#wordsOf(text) : noWords),
      oddIn: -1,
      lastMessage: -1,
      lastLine: 0,
      table: undefined,
    };
  }

  /** The distinct words of a sentence of a summary, not counted; `unsaid` for each that no assistant said. */
  #wordsIn(text: string): readonly number[] {
    const words = new Set(text.toLowerCase().match(tellingWord));
    return [...words].map((word) => this.#wordIds.get(word) ?? unsaid);
  }

  /** The distinct words of a sentence, counted. */
  #wordsOf(text: string): readonly number[] {
    const ids = new Set<number>();
    for (const word of text.toLowerCase().match(tellingWord) ?? []) {
      const id = this.#wordIds.get(word) ?? this.wordUses.length;
      if (id === this.wordUses.length) {
        this.#wordIds.set(word, id);
        this.wordUses.push(0);
      }
      ids.add(id);
    }
    for (const id of ids) this.wordUses[id] = (this.wordUses[id] ?? 0) + 1;
    return [...ids];
  }

  #lineSaid(text: string, { speaker, isCode, twin }: Said): LineStats {
    // What a line is worth is measured by who said it first.
    const voice = twin?.voice ?? voiceOf[speaker];
    const terms: TermStats[] = [];
    const words = termsOf(text, (name, kind) => {
      const term = this.#termFor(name, kind, voice);
      if (!terms.includes(term)) terms.push(term);
    });
    const failure = errorStrength(text);
    if (text.length >= lineTermChars.min && text.length <= lineTermChars.max && text.includes(' ')) {
      const whole = twin?.terms.at(-1);
      // The whole line is one term, whoever said it.
      const isKnown = whole?.text === text && (whole.kind === 'line' || whole.kind === 'errorLine');
      const kind = failure > 0 ? 'errorLine' : 'line';
      terms.push(isKnown ? whole : this.#newTerm({ text, kind, firstVoice: voice, parts: [] }));
    }
    const strength = voice === 'result' ? failure : voice === 'call' ? 0 : decisionStrength(text);
    return this.#newLine(text, { terms, words, speaker, voice, strength, isCode });
  }

  #lineFor(text: string, { speaker, isCode }: { readonly speaker: Speaker; readonly isCode: boolean }): LineStats {
    const first = this.#lineByText.get(text);
    if (first?.speaker === speaker) return first;
    const known = first?.twins?.find((twin) => twin.speaker === speaker);
    if (known) return known;
    const line = this.#lineSaid(text, { speaker, isCode, twin: first });
    this.lines.push(line);
    if (!first) this.#lineByText.set(text, line);
    else {
      first.twins ??= [first];
      first.twins.push(line);
      line.twins = first.twins;
    }
    return line;
  }

  /** Takes in the message with a number, from 0; those between the last one and it have no lines until they come. */
  add(message: Message, at: number = this.messageLines.length): void {
    this.addLines(at, (sink) => linesOf(message, sink));
  }

  /** The same for lines that are handed over one by one; `skip` says that others stood between two of them. */
  addLines(at: number, give: (sink: LineSink, skip: () => void) => void): void {
    while (this.messageLines.length <= at) {
      this.messageLines.push([]);
      this.messageTokens.push(4);
    }
    const own: LineStats[] = [];
    let tokens = 4;
    let row = 0;
    const sink: LineSink = (text, speaker, isCode = false) => {
      const line = this.#lineFor(text, { speaker, isCode });
      tokens += line.tokens;
      for (const term of line.terms)
        countTerm(term, { at, voice: voiceOf[speaker], isShort: text.length < shortCallChars });
      if (line.lastMessage !== at) own.push(line);
      line.lastMessage = at;
      line.lastLine = ++row;
      line.table = undefined;
    };
    give(sink, () => row++);
    // What leads to a list tells nothing alone; what leads to calls tells what they are for.
    if (!own.some(({ speaker }) => speaker === 'call'))
      for (const line of own) if (line.told.length > 0 && leadsIn(line.text)) line.told = [];
    markTables(own);
    this.messageLines[at] = own;
    this.messageTokens[at] = tokens;
    markOdd(own, at);
  }

  /** The known lines of a message that need not be one of the conversation's. */
  linesOf(message: Message): readonly LineStats[] {
    const found: LineStats[] = [];
    linesOf(message, (text) => {
      const line = this.#lineByText.get(text);
      if (line) found.push(...(line.twins ?? [line]));
    });
    return found;
  }

  /** A line that nobody in the conversation said, with those of its terms that somebody did. It is not counted. */
  lineAbout(text: string): LineStats {
    const found = new Set<TermStats>();
    const words = termsOf(text, (name) => {
      const term = this.#termByText.get(name);
      // A part of a path that nobody said alone is known too, but was never said.
      if (term && term.lastMessage >= 0) found.add(term);
    });
    const strength = decisionStrength(text);
    return this.#newLine(text, {
      terms: [...found],
      words,
      speaker: 'summary',
      voice: 'agent',
      strength,
      isCode: false,
      told: words >= toldWords && tells(text) ? this.#wordsIn(text) : [],
    });
  }
}

/** A sentence in an output stands out when at most this share of the output's lines are sentences. */
const oddShare = 0.15;

function markOdd(lines: readonly LineStats[], at: number): void {
  const prose = lines.filter((line) => line.isProse && line.voice === 'result');
  if (prose.length > Math.max(1, lines.length * oddShare)) return;
  for (const line of prose) if (line.terms.some(({ kind }) => kind !== 'line')) line.oddIn = at;
}

function countTerm(term: TermStats, { at, voice, isShort }: { at: number; voice: Voice; isShort: boolean }): void {
  term[voice]++;
  term.base = Number.NaN;
  if (term.lastMessage !== at) term.messages++;
  term.lastMessage = at;
  if (voice === 'call' || voice === 'agent') term.lastByAgent = at;
  if (voice === 'call' && isShort) term.shortCall++;
}

const extension = /\.\w{1,5}$/;
const compoundStem = /[a-z][A-Z]|_/;
/** A path shows at most this many shorter ends; deeper ones are not worth their memory. */
const maxEnds = 8;

/** The path without its first folder, or its last `maxEnds` segments when it is deep; undefined for a bare name. */
function shorterEnd(path: string): string | undefined {
  let at = path.indexOf('/', 1);
  if (at < 0) return undefined;
  let from = path.length;
  for (let left = maxEnds; left > 0 && from > 0; left--) from = path.lastIndexOf('/', from - 1);
  at = Math.max(at, from);
  const end = path.slice(at + 1);
  return end.includes('/') || (end.length >= 5 && end.includes('.')) ? end : undefined;
}
