/** What the user really said, for holding quotations and requests against it. */
import { refAt } from '../record.ts';
import type { Ref } from '../ref.ts';
import { distanceWithin } from './similar.ts';
import type { Source } from './source.ts';
import { wordsOf } from './words-of.ts';

export interface UserWords {
  /** The sentence of the user that shares most with a text, when that is most of both. */
  nearest(text: string): { readonly text: string; readonly ref: Ref } | undefined;
}

/** A text by its letters and digits alone: quotations differ in marks, spaces and case. */
export const lettersOf = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');

const letters = new WeakMap<Source, readonly string[]>();

/** The index of a text of the user that holds all the pieces in order; undefined when none does. */
export function userTextWith(pieces: readonly string[], source: Source): number | undefined {
  const texts = letters.get(source) ?? source.userTexts.map(({ text }) => lettersOf(text));
  letters.set(source, texts);
  const at = texts.findIndex((text) => {
    let from = 0;
    return pieces.every((piece) => {
      const found = text.indexOf(piece, from);
      from = found + piece.length;
      return found >= 0;
    });
  });
  return at < 0 ? undefined : at;
}

/** True when two texts differ only in how longer words are spelt: a writer mends what the user mistyped. */
export function isSpelling(one: string, other: string): boolean {
  const [a, b] = [plainWords(one), plainWords(other)];
  if (a.length !== b.length || a.length < 3) return false;
  return a.every((word, at) => {
    const instead = b[at] ?? '';
    if (word === instead) return true;
    const isWord = /^\p{L}{5,}$/u.test(word) && /^\p{L}{5,}$/u.test(instead) && word[0] === instead[0];
    return isWord && distanceWithin(word, instead, 2) <= 2;
  });
}

export const plainWords = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}'’]+/gu) ?? [];

const sentences = /[^.!?。！？\n]+[.!?。！？]*/g;
/** Both texts share this part of their words. */
const sameShare = 0.6;
const maxSentences = 4_000;
/** A text up to this length is also compared as a whole. */
const wholeChars = 400;

/** The user's sentences; taken apart when they are first needed. */
export function createUserWords(source: Source): UserWords {
  let known: Sentences | undefined;
  return {
    nearest(text) {
      known ??= sentencesOf(source);
      const wanted = wordSet(text);
      let best: { readonly share: number; readonly text: string; readonly ref: Ref } | undefined;
      for (const sentence of sharing(wanted, known)) {
        let shared = 0;
        for (const word of wanted) if (sentence.words.has(word)) shared++;
        const share = shared / Math.max(wanted.size, sentence.words.size);
        if (share >= sameShare && share > (best?.share ?? 0)) {
          best = { share, text: sentence.text, ref: refAt(sentence.message) };
        }
      }
      return best;
    },
  };
}

interface Sentence {
  readonly text: string;
  readonly message: number;
  readonly words: ReadonlySet<string>;
}

interface Sentences {
  readonly all: readonly Sentence[];
  /** By each word the sentences with it, rising. */
  readonly byWord: ReadonlyMap<string, readonly number[]>;
}

function sentencesOf({ userTexts }: Source): Sentences {
  const all = userTexts
    .flatMap(({ text, message }) => saidIn(text).map((said) => ({ text: said.trim(), message, words: wordSet(said) })))
    .filter(({ words }) => words.size > 1)
    .slice(-maxSentences);
  const byWord = new Map<string, number[]>();
  for (const [at, { words }] of all.entries())
    for (const word of words) {
      const list = byWord.get(word);
      if (list) list.push(at);
      else byWord.set(word, [at]);
    }
  return { all, byWord };
}

/** Every sentence that can share enough of the words: it has one of the most seldom ones, which are more than it may lack. */
function sharing(wanted: ReadonlySet<string>, { all, byWord }: Sentences): readonly Sentence[] {
  const lists = [...wanted].map((word) => byWord.get(word) ?? []).sort((a, b) => a.length - b.length);
  const enough = lists.length - Math.ceil(lists.length * sameShare) + 1;
  const places = new Set(lists.slice(0, enough).flat());
  return [...places].sort((a, b) => a - b).flatMap((at) => all[at] ?? []);
}

/** A short text as a whole, and its sentences. */
const saidIn = (text: string): readonly string[] => [
  ...(text.length <= wholeChars ? [text] : []),
  ...[...text.matchAll(sentences)].map(([sentence]) => sentence),
];

function wordSet(text: string): ReadonlySet<string> {
  const words = new Set<string>();
  wordsOf(text, (word, { isPiece }) => {
    if (!isPiece) words.add(word);
  });
  return words;
}
