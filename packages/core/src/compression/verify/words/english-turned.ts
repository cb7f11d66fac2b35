/** The same English sentence with its status turned round, where its wording lets that be done by a small change. */

import type { Replacement, Status } from '../../../language/status.ts';
import { statusSwaps, type Verb, verbForms } from '../../../language/statuses-english.ts';
import type { Chain } from './english-context.ts';
import { quantifierBefore } from './english-context.ts';
import { isNoun, isObject, type Token } from './english-tokens.ts';

/** A status word in its sentence. */
export interface Reading {
  readonly kind: 'past' | 'third' | 'base' | 'ing' | 'adjective' | 'failedTo' | 'works' | 'running';
  /** What the word says without its negation. */
  readonly status: Status;
  /** Index of the word, and of the last one of the claim. */
  readonly at: number;
  readonly last: number;
  readonly chain: Chain;
  /** A past tense or a participle. */
  readonly past: boolean;
  readonly verb: Verb | undefined;
  readonly opposite?: string;
}

interface Denied extends Reading {
  /** Index of `no`, `nothing`, `not all` in the subject. */
  readonly denying: number | undefined;
}

/** What to write where; undefined where a small change would not give an honest sentence. */
export function turnedEnglish(line: string, tokens: readonly Token[], reading: Denied): Replacement | undefined {
  const { chain, at } = reading;
  if (chain.modal !== undefined) return undefined;
  const found =
    reading.denying !== undefined
      ? withoutNotAll(tokens, reading.denying)
      : chain.negation !== undefined
        ? affirmed(tokens, reading)
        : denied(tokens, reading);
  if (!found) return undefined;
  const capital =
    /^\p{Lu}/u.test(line.slice(found.start)) && /(?:^|[.!?:;|•(*>–—-])[\s*]*$/.test(line.slice(0, found.start));
  const shouted = tokens[at] !== undefined && /^\p{Lu}{3,}$/u.test(line.slice(tokens[at].start, tokens[at].end));
  const text = shouted ? found.text.toUpperCase() : capital ? capitalised(found.text) : found.text;
  // What is put before a word takes its capital along.
  const rest = capital && found.start === found.end ? line.charAt(found.start).toLowerCase() : '';
  return { start: found.start, end: found.end + rest.length, text: text + rest };
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `Not all tests pass` → `All tests pass`; `no tests pass` says too much to be turned. */
function withoutNotAll(tokens: readonly Token[], denying: number): Replacement | undefined {
  const not = tokens[denying];
  const all = tokens[denying + 1];
  return not?.text === 'not' && all ? { start: not.start, end: all.end, text: all.text } : undefined;
}

/** `was not yet fixed` → `was fixed`, `did not push` → `pushed`. */
function affirmed(tokens: readonly Token[], { at, chain, verb, kind }: Denied): Replacement | undefined {
  const not = tokens[chain.negation ?? at];
  const word = tokens[at];
  if (!not || !word || kind === 'failedTo') return undefined;
  const doing = chain.auxiliaries.find((text) => /^(?:do|does|did|don't|doesn't|didn't)$/.test(text));
  if (doing !== undefined) {
    const start = tokens[chain.auxiliary ?? at]?.start ?? not.start;
    const text = verb === undefined ? workForm(doing) : doForm(verb, doing);
    return text === undefined ? undefined : { start, end: word.end, text };
  }
  const later = tokens[at + 1]?.text === 'yet' ? tokens[at + 1] : undefined;
  const kept = tokens
    .slice((chain.negation ?? at) + 1, at)
    .filter(({ text }) => !/^(?:yet|still|even|ever|actually)$/.test(text));
  const short = not.text.endsWith("n't") ? [not.text.slice(0, -3)] : [];
  return {
    start: not.start,
    end: (later ?? word).end,
    text: [...short, ...kept.map(({ text }) => text), word.text].join(' '),
  };
}

const doForm = ({ past, third, base }: Verb, doing: string): string =>
  doing.startsWith('did') ? past : doing.startsWith('does') ? third : base;

const workForm = (doing: string): string =>
  doing.startsWith('did') ? 'worked' : doing.startsWith('does') ? 'works' : 'work';

function denied(tokens: readonly Token[], reading: Denied): Replacement | undefined {
  const { at, chain, kind, opposite, verb } = reading;
  const word = tokens[at];
  const next = tokens[at + 1];
  if (!word) return undefined;
  if (kind === 'failedTo') return withoutFailing(tokens, at);
  const quantifier = tokens[quantifierBefore(tokens, at) ?? -1];
  if (quantifier) {
    if (reading.status === 'failed' || /^(?:each)$/.test(quantifier.text)) return undefined;
    return { start: quantifier.start, end: quantifier.start, text: 'not ' };
  }
  const all = /^(?:all|every|both|everything)$/.test(next?.text ?? '');
  const swap = statusSwaps.get(word.text);
  if (swap !== undefined && !all) {
    // The reason of a failure and a count do not survive the turn.
    if (tokens.slice(Math.max(0, chain.first - 3), chain.first).some(({ type }) => type === 'number')) return undefined;
    if (/^(?:with|because|due|at|after|[:：(—–])$/.test(next?.text ?? '')) return undefined;
    const still = tokens[at - 1]?.text === 'still' ? tokens[at - 1] : undefined;
    return { start: (still ?? word).start, end: word.end, text: swap };
  }
  if (kind === 'adjective' && isNoun(next)) return undefined;
  if (kind === 'adjective') return { start: word.start, end: word.end, text: opposite ?? `not ${word.text}` };
  if (kind === 'running') return { start: word.start, end: word.start, text: 'not ' };
  if (kind === 'past' && verb) return deniedPast(tokens, reading, verb);
  return kind === 'third' && verb ? { start: word.start, end: word.end, text: `does not ${verb.base}` } : undefined;
}

/** `failed to delete` → `deleted`. */
function withoutFailing(tokens: readonly Token[], at: number): Replacement | undefined {
  const done = verbForms.get(tokens[at + 2]?.text ?? '');
  const [first, last] = [tokens[at], tokens[at + 2]];
  if (!done || !first || !last || first.text !== 'failed') return undefined;
  return { start: first.start, end: last.end, text: done.verb.past };
}

/** `was already fixed` → `was not fixed`, `I fixed` → `I did not fix`, `a.ts deleted` → `a.ts not deleted`. */
function deniedPast(tokens: readonly Token[], { at, chain }: Denied, verb: Verb): Replacement | undefined {
  const word = tokens[at];
  const next = tokens[at + 1];
  if (!word) return undefined;
  const auxiliary = tokens[chain.auxiliary ?? -1];
  // `was built and not pushed` is clear, `was not built and pushed` is not.
  if (
    auxiliary &&
    /^(?:and|or|,)$/.test(next?.text ?? '') &&
    verbForms.get(tokens[at + 2]?.text ?? '')?.form === 'past'
  )
    return undefined;
  if (auxiliary) {
    // The auxiliary of a verb before this one cannot deny this one alone.
    if ((chain.auxiliary ?? at) < chain.first) return { start: word.start, end: word.start, text: 'not ' };
    const kept = tokens.slice((chain.auxiliary ?? at) + 1, at).filter(({ text }) => /^(?:been|be|being)$/.test(text));
    const text = [auxiliary.text, 'not', ...kept.map((token) => token.text), word.text].join(' ');
    return { start: auxiliary.start, end: word.end, text };
  }
  const person = /^(?:i|we|you|they|agent|assistant|user)$/.test(tokens[chain.first - 1]?.text ?? '');
  // `ran` and `wrote` are no participles, so that somebody did it.
  const active = isObject(next) || person || (word.text === verb.past && verb.past !== verb.participle);
  const from = tokens[chain.first];
  if (active && from) return { start: from.start, end: word.end, text: `did not ${verb.base}` };
  return { start: word.start, end: word.start, text: 'not ' };
}
