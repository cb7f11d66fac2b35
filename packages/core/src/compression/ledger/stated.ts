/**
 * What a short message of a person is worth where not all of them have room. What somebody says in passing ("my staging
 * host is …", "we never ship on Fridays") stands nowhere else, while what they want done shows in what was done, and
 * what they ask in its answer. Told by shape: a sentence that asks nothing and names something, or stands beside
 * another one. Names of code do not count: calls have them too.
 */
import { eastAsianLetters } from '../../language/languages.ts';
import { questionEnds, questionWords } from '../../language/requests.ts';
import { type OwnSentence, ownSentences } from './own-words.ts';
import { hasName } from './standing.ts';
import { type TermKind, termsOf } from './terms.ts';

/** What a short message does, the most wanted first. */
export type Saying = 'names' | 'states' | 'wants' | 'asks' | 'nods';

/** Longer messages say more than yes, in characters of an alphabet; a sign of other scripts counts as three. */
const nodChars = 12;
const wideChars = 3;

export function sayingOf(text: string, own: readonly OwnSentence[] = ownSentences(text)): Saying {
  const said = own.length > 0 ? own.map((sentence) => sentence.text) : [text];
  const stated = said.filter((sentence) => !isQuestion(sentence));
  if (stated.some(namesMore)) return 'names';
  const chars = text.length * (eastAsianLetters.test(text) ? wideChars : 1);
  if (chars <= nodChars) return 'nods';
  return stated.length === 0 ? 'asks' : said.length > 1 ? 'states' : 'wants';
}

const isQuestion = (sentence: string): boolean => questionEnds.test(sentence) || questionWords.test(sentence);

const ofCode: ReadonlySet<TermKind> = new Set(['path', 'file', 'identifier', 'dotted']);

/** True for a sentence with a name or a number that is not one of code. */
function namesMore(sentence: string): boolean {
  let rest = sentence;
  termsOf(sentence, (name, kind) => {
    if (ofCode.has(kind)) rest = rest.replaceAll(name, ' ');
  });
  return hasName(rest);
}
