/**
 * The names in a trajectory, and how likely the work would have gone on with each: by the same words and weights that the
 * ledger chooses the lines of a handoff by (docs/decisions/0006-relevance.md), counted over whole turns instead of lines.
 */
import type { TermStats } from '../compression/ledger/corpus.ts';
import type { Voice } from '../compression/ledger/lines.ts';
import { logAges, relevanceOf } from '../compression/ledger/relevance.ts';
import { termsOf } from '../compression/ledger/terms.ts';
import type { Speaker, Turn } from './turn.ts';

/** Names are numbers, so that sets of them are small. */
export interface Names {
  /** By turn: its names, each once. */
  readonly byTurn: readonly (readonly number[])[];
  /** By name: what it is worth to show it. */
  readonly worths: Float64Array;
  /** By name: the last turn of the model or of the person that has it; -1 for none. */
  readonly lastUse: Int32Array;
  /** By turn: tokens behind it. */
  readonly behind: readonly number[];
  /** The names of a text that some turn has; one that stands there twice comes twice. */
  namesIn(text: string): readonly number[];
}

/** Chances are raised to this power, as in the ledger: many likely names are worth more than a few certain ones. */
const chanceExponent = 0.45;

/** A text of the person of more tokens is a document that was pasted, or that a program put there. */
const pasteTokens = 600;

/** Calls of so many UTF-16 units at most say what is meant by its name: a path, a command. */
const shortCall = 400;

/** Reads all turns once, line by line: what a line names is kept, for the same line of another turn and for those who rate it. */
export function namesOf(turns: readonly Turn[], tokens: readonly number[]): Names {
  const read = createReader();
  const lastUse: number[] = [];
  const byTurn = turns.map(({ text, speaker }, at): readonly number[] => {
    const own: number[] = [];
    const isPaste = speaker !== 'gpt' && (tokens[at] ?? 0) > pasteTokens;
    const isUse = speaker === 'gpt' || (speaker === 'human' && !isPaste);
    for (const { said, voice } of isPaste ? [{ said: text, voice: 'result' as const }] : voicesIn(text, speaker)) {
      const isShort = voice === 'call' && said.length <= shortCall;
      read.lines(said, voice, (term) => {
        const { id } = term;
        if (term.lastMessage !== at) own.push(id);
        countTerm(term, at, voice);
        if (isShort) term.shortCall++;
        if (isUse) lastUse[id] = at;
      });
    }
    return own;
  });
  const ages = logAges(tokens);
  const behind: number[] = [];
  for (let at = turns.length - 1, sum = 0; at >= 0; sum += tokens[at] ?? 0, at--) behind[at] = sum;
  return {
    byTurn,
    behind,
    worths: Float64Array.from(read.terms, (term) => relevanceOf(term, ages) ** chanceExponent),
    lastUse: Int32Array.from(read.terms, ({ id }) => lastUse[id] ?? -1),
    namesIn: read.known,
  };
}

/** Reads texts by their lines, and knows what it has read. */
interface Reader {
  /** By number, in the order in which they came. */
  readonly terms: readonly TermStats[];
  /** Hands over the term of every name of a text, in order; one that stands there twice comes twice. */
  lines(text: string, voice: Voice, sink: (term: TermStats) => void): void;
  /** The names of a text that are known. */
  known(text: string): readonly number[];
}

function createReader(): Reader {
  const ids = new Map<string, number>();
  const terms: TermStats[] = [];
  const linesRead = new Map<string, readonly number[]>();
  const readLine = (line: string, voice: Voice): readonly number[] => {
    const found: number[] = [];
    termsOf(unescaped(line), (text, kind) => {
      const known = ids.get(text);
      found.push(known ?? terms.length);
      if (known !== undefined) return;
      ids.set(text, terms.length);
      terms.push(newTerm({ id: terms.length, text, kind, firstVoice: voice }));
    });
    linesRead.set(line, found);
    return found;
  };
  return {
    terms,
    lines: (text, voice, sink) => {
      forLines(text, (line) => {
        for (const id of linesRead.get(line) ?? readLine(line, voice)) {
          const term = terms[id];
          if (term) sink(term);
        }
      });
    },
    known: (text) => {
      const read = linesRead.get(text);
      if (read) return read;
      const found: number[] = [];
      termsOf(unescaped(text), (name) => {
        const id = ids.get(name);
        if (id !== undefined) found.push(id);
      });
      return found;
    },
  };
}

/** Hands over the lines of a text, and those of texts that stand in it as JSON: no name goes over the end of one. */
function forLines(text: string, give: (line: string) => void): void {
  let escaped = text.indexOf('\\n');
  for (let start = 0, plain = text.indexOf('\n'); start <= text.length; ) {
    while (escaped >= 0 && escaped < start) escaped = text.indexOf('\\n', start);
    if (plain >= 0 && plain < start) plain = text.indexOf('\n', start);
    const isPlain = escaped < 0 || (plain >= 0 && plain < escaped);
    const end = isPlain ? plain : escaped;
    give(text.slice(start, end < 0 ? text.length : end));
    if (end < 0) return;
    start = end + (isPlain ? 1 : 2);
  }
}

function newTerm(about: Pick<TermStats, 'id' | 'text' | 'kind' | 'firstVoice'>): TermStats {
  return {
    ...about,
    call: 0,
    result: 0,
    user: 0,
    agent: 0,
    messages: 0,
    lastMessage: -1,
    lastByAgent: -1,
    shortCall: 0,
    base: Number.NaN,
    counted: 0,
    parts: [],
  };
}

function countTerm(term: TermStats, at: number, voice: Voice): void {
  term[voice]++;
  if (term.lastMessage !== at) term.messages++;
  term.lastMessage = at;
  if (voice === 'call' || voice === 'agent') term.lastByAgent = at;
}

const opensCalls = /<(?:tool_call|function_call)>|^\s*(?=\[?\{"name")/;

/** What a turn says and what it calls. */
function voicesIn(text: string, speaker: Speaker): readonly { readonly said: string; readonly voice: Voice }[] {
  if (speaker !== 'gpt') return [{ said: text, voice: speaker === 'tool' ? 'result' : 'user' }];
  const calls = text.search(opensCalls);
  if (calls < 0) return [{ said: text, voice: 'agent' }];
  return [
    { said: text.slice(0, calls), voice: 'agent' },
    { said: text.slice(calls), voice: 'call' },
  ];
}

/** Line breaks that JSON writes with a letter, which would be taken for the first one of a name. */
const unescaped = (text: string): string => (text.includes('\\') ? text.replace(/\\[nrt"]/g, '  ') : text);
