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

/** Reads all turns once. `tokens` are those of each. */
export function namesOf(turns: readonly Turn[], tokens: readonly number[]): Names {
  const ids = new Map<string, number>();
  const terms: TermStats[] = [];
  const lastUse: number[] = [];
  const byTurn = turns.map(({ text, speaker }, at): readonly number[] => {
    const own: number[] = [];
    const isPaste = speaker !== 'gpt' && (tokens[at] ?? 0) > pasteTokens;
    const isUse = speaker === 'gpt' || (speaker === 'human' && !isPaste);
    for (const { said, voice } of isPaste ? [{ said: text, voice: 'result' as const }] : voicesIn(text, speaker)) {
      const isShort = voice === 'call' && said.length <= shortCall;
      termsOf(unescaped(said), (name, kind) => {
        const id = ids.get(name) ?? terms.length;
        const term = terms[id] ?? newTerm({ id, text: name, kind, firstVoice: voice });
        if (id === terms.length) {
          ids.set(name, id);
          terms.push(term);
          lastUse.push(-1);
        }
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
    worths: Float64Array.from(terms, (term) => relevanceOf(term, ages) ** chanceExponent),
    lastUse: Int32Array.from(lastUse),
    namesIn: (text) => {
      const found: number[] = [];
      termsOf(unescaped(text), (name) => {
        const id = ids.get(name);
        if (id !== undefined) found.push(id);
      });
      return found;
    },
  };
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
