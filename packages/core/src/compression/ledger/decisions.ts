/** Finds what was settled: sentences in which somebody says what is chosen, and why. */

import {
  choiceInLetters,
  choiceInWideSigns,
  decisionHints,
  intentionWords,
  reasonedWords,
  reasonOpenings,
  undecidedWords,
} from '../../language/decisions.ts';
import type { Decision } from './facts.ts';
import { proseLines, sentenceBreak } from './prose.ts';

/** A sentence is quoted whole up to this length; lines are cut like this everywhere in the ledger. */
const maxChars = 300;

const wide = /[\u3040-\ud7af]/;
const settles = (text: string): boolean =>
  choiceInLetters.test(text) || (wide.test(text) && choiceInWideSigns.test(text));

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
