/** Words taken out of a sentence that denies them: what is left says the opposite, though every word of it was said. */
import { wideSigns } from '../../language/languages.ts';
import { lettersOf } from './user-words.ts';
import { isNegated } from './words/negations.ts';

const sentences = /[^.!?。！？;；\n]+(?:[.!?](?!\s|$)[^.!?。！？;；\n]+)*[.!?。！？]*/gu;

/** The sentences of a text, each trimmed, in order. */
export const sentencesIn = (text: string): readonly string[] =>
  [...text.matchAll(sentences)].map(([sentence]) => sentence.trim()).filter((sentence) => sentence !== '');

/**
 * The sentence that the pieces stand in, where it denies what they say and they leave out that it does; undefined where
 * the text has them whole, or not at all. Linear in the length of the text.
 */
export function negatedSentence(pieces: readonly string[], text: string): string | undefined {
  const wanted = pieces.map(lettersOf).filter((piece) => piece !== '');
  let denied: string | undefined;
  for (const sentence of sentencesIn(text)) {
    const outside = outsideOf(wanted, sentence);
    if (outside === undefined) continue;
    if (!isNegated(outside)) return undefined;
    denied ??= sentence;
  }
  return denied;
}

/** Fewer letters stand in many sentences. */
const leastLetters = 8;

/** The same for a text that was shortened to parts of several sentences: the sentence that denies one of them. */
export function deniedPart(parts: readonly string[], text: string): string | undefined {
  const [whole, pieces] = [lettersOf(text), parts.map(lettersOf)];
  // Beginning and end are cut anywhere: the last sentence of the one is not whole.
  const isEnds = parts.length === 2 && whole.startsWith(pieces[0] ?? '') && whole.endsWith(pieces[1] ?? '');
  const said = parts.flatMap((part, at) => sentencesIn(part).slice(0, isEnds && at === 0 ? -1 : undefined));
  for (const sentence of said) {
    if (isNegated(sentence) || lettersOf(sentence).length < leastLetters) continue;
    const denied = negatedSentence([sentence], text);
    if (denied !== undefined) return denied;
  }
  return undefined;
}

/** What the clause of the pieces says besides them; undefined where the sentence has not all of them in order. */
function outsideOf(pieces: readonly string[], sentence: string): string | undefined {
  const { letters, places } = spelled(sentence);
  const parts: string[] = [];
  let from = 0;
  for (const [at, piece] of pieces.entries()) {
    const found = letters.indexOf(piece, from);
    if (found < 0) return undefined;
    const before = sentence.slice(places[from] ?? 0, places[found]);
    parts.push(at === 0 ? openingClause(before) : before);
    from = found + piece.length;
  }
  const rest = places[from] === undefined ? '' : sentence.slice(places[from - 1] ?? 0).slice(1);
  return [...parts, rest.split(/[,，、:：]/, 1)[0] ?? ''].join(' ');
}

/** A negation reaches over commas in languages with spaces, and to the next comma in others. */
const openingClause = (text: string): string => (wideSigns.test(text) ? (text.split(/[,，、]/).at(-1) ?? '') : text);

/** The letters of a text, and where each stands in it. */
function spelled(text: string): { readonly letters: string; readonly places: readonly number[] } {
  let letters = '';
  const places: number[] = [];
  let at = 0;
  for (const char of text) {
    const one = lettersOf(char);
    letters += one;
    for (let i = 0; i < one.length; i++) places.push(at);
    at += char.length;
  }
  return { letters, places };
}
