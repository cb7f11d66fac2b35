/**
 * What a line is for, by its words: that something failed, that something was decided. Signs only raise or lower a
 * line's chance, so a word too many or too few does no harm; what is quoted as a decision has to say more.
 */

import { eastAsianLetters } from '../../language/languages.ts';
import { errorOpenings, errorWords, wideErrorWords } from '../../language/outcomes.ts';
import {
  choiceInLetters,
  choiceInWideSigns,
  choiceWords,
  decisionHints,
  intentionWords,
  reasonedWords,
  reasonOpenings,
  reasonWords,
  undecidedWords,
} from '../../language/requests.ts';
import type { Decision } from './facts.ts';
import { proseLines, sentenceBreak } from './prose.ts';

/** True when the line talks about a failure. Linear. */
export const looksLikeError = (text: string): boolean =>
  errorWords.test(text) || (eastAsianLetters.test(text) && wideErrorWords.test(text));

/** How much a line says of a failure: 0 nothing, 1 it talks of one, 2 it is the message of one. Linear. */
export const errorStrength = (text: string): number => (!looksLikeError(text) ? 0 : errorOpenings.test(text) ? 2 : 1);

/** How much a line says of a decision: 0 nothing, 1 a reason, 2 a choice, 3 a choice with its reason. */
export const decisionStrength = (text: string): number =>
  (choiceWords.test(text) ? 2 : 0) + (reasonWords.test(text) ? 1 : 0);

/** A sentence is quoted whole up to this length; lines are cut like this everywhere in the ledger. */
const maxChars = 300;

const settles = (text: string): boolean =>
  choiceInLetters.test(text) || (eastAsianLetters.test(text) && choiceInWideSigns.test(text));

/** The sentences of a text that settle something, each with the sentence of its reason where that follows. */
export function decisionsIn(text: string, by: Decision['by']): readonly string[] {
  const plain = straight(text);
  if (!decisionHints.test(plain) || (!settles(plain) && !intentionWords.test(plain))) return [];
  const found: string[] = [];
  for (const line of proseLines(text)) {
    const sentences = line.split(sentenceBreak);
    sentences.forEach((said, at) => {
      const sentence = straight(said);
      if (sentence.length > maxChars) return;
      const next = sentences[at + 1];
      const reason =
        next && reasonOpenings.test(next) && !settles(straight(next))
          ? /[。！？]$/.test(said)
            ? next
            : ` ${next}`
          : '';
      const intends = intentionWords.test(sentence) && (by === 'user' || reason !== '' || reasonedWords.test(sentence));
      if ((intends || settles(sentence)) && !undecidedWords.test(sentence)) found.push((said + reason).trim());
    });
  }
  return found;
}

/** As the patterns expect it: straight apostrophes, no emphasis. What is found is quoted as it was said. */
const straight = (text: string): string => text.replaceAll('’', "'").replaceAll('**', '');
