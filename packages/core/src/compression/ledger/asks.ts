/**
 * What a person's message is: a question, a rule to keep, something taken back, or a plain request. Told by its
 * words in several languages; where they do not tell, it is a request, which loses nothing.
 */

import {
  courtesies,
  questionEnds,
  questionOpenings,
  questionWords,
  reversalOpenings,
  reversals,
  ruleWords,
  statements,
} from '../../language/requests.ts';
import type { Ask } from './facts.ts';
import { proseLines, sentenceBreak } from './prose.ts';

/** Longer texts are documents and plans: one rule among their sentences does not make the whole a rule. */
const shortChars = 600;

/** A request up to this many characters is quoted whole in a handoff; of a longer one, its beginning and its rules. */
export const wholeAskChars = 400;

/** The type of a person's message. Linear in the length of the text. */
export function askType(text: string): Ask['type'] {
  const words = text.trim().replaceAll('’', "'");
  const isShort = words.length <= shortChars;
  if (isShort && takesBack(words)) return 'reversal';
  if (asks(words, isShort)) return 'question';
  return isShort && isRule(words) ? 'constraint' : 'request';
}

const isRule = (words: string): boolean => ruleWords.test(withoutCourtesy(words).replace(statements, ' '));

/** Rules stand at the beginning of a long text or behind it; in between lies what was pasted. */
const edgeChars = 4_000;
const mostRules = 4;
const ruleChars = 240;

/** Sentences of a long text in which a person lays down a rule, word for word: the first ones and the last ones. */
export function rulesIn(text: string): readonly string[] {
  if (text.length <= edgeChars) return bothEnds(rulesOf(text));
  // The second half goes to the end of the text, and begins where a line does.
  const end = text.slice(Math.max(edgeChars, text.length - edgeChars));
  return bothEnds([...rulesOf(text.slice(0, edgeChars)), ...rulesOf(end.slice(end.indexOf('\n') + 1))]);
}

const rulesOf = (text: string): readonly string[] =>
  [...proseLines(text)]
    .flatMap((line) => line.split(sentenceBreak))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length <= ruleChars && isRule(sentence.replaceAll('’', "'")));

const bothEnds = (rules: readonly string[]): readonly string[] =>
  rules.length <= mostRules ? rules : [...rules.slice(0, mostRules / 2), ...rules.slice(-mostRules / 2)];

const withoutCourtesy = (text: string): string => text.replace(courtesies, ' ');

const takesBack = (text: string): boolean => {
  const words = withoutCourtesy(text);
  return reversalOpenings.test(words) || reversals.test(words);
};

const fenced = /```[\s\S]*?(?:```|$)/g;

/** A short message asks when one of its lines does; a long one when it ends with the question. */
function asks(text: string, isShort: boolean): boolean {
  const prose = text.includes('```') ? text.replace(fenced, '').trim() : text;
  if (!isShort)
    return asksLine(
      prose
        .slice(Math.max(0, prose.length - 400))
        .split('\n')
        .at(-1) ?? '',
    );
  const lines = prose.split('\n').filter((line) => !/^\s*>/.test(line));
  return questionOpenings.test(prose) || lines.some((line) => asksLine(line)) || /[?？]\s/.test(lines.join(' '));
}

const asksLine = (line: string): boolean => questionEnds.test(line) || questionWords.test(line);
