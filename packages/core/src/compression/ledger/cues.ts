/**
 * What somebody's words are for: a question, a rule to keep, something taken back or a plain request; a decision; a
 * failure. Told by words of several languages. Where they do not tell, a person's message is a request, which loses
 * nothing; signs of lines only raise or lower a chance, and what is quoted as a decision has to say more.
 */
import { eastAsianLetters } from '../../language/languages.ts';
import { errorOpenings, errorWords, wideErrorWords } from '../../language/outcomes.ts';
import {
  acknowledgements,
  announcements,
  becauseWords,
  choiceInLetters,
  choiceInWideSigns,
  choiceWords,
  courtesies,
  decisionHints,
  intentionWords,
  passingWords,
  questionEnds,
  questionOpenings,
  questionWords,
  reasonedWords,
  reasonOpenings,
  reasonWords,
  reversalOpenings,
  reversals,
  ruleWords,
  statements,
  undecidedWords,
  yesWords,
} from '../../language/requests.ts';
import { errands, firstPersons, hedges, ownDoings, ownWays } from '../../language/standing.ts';
import type { Ask, Decision } from './facts.ts';
import { type OwnSentence, type OwnWords, ownSentences, ownWords } from './own-words.ts';
import { standingIn, standingOf } from './standing.ts';

/** Longer texts are documents and plans: one rule among their sentences does not make the whole a rule. */
const shortChars = 600;

/** A request up to this many characters is quoted whole in a handoff; of a longer one, its beginning and its rules. */
export const wholeAskChars = 400;

/** The type of a person's message. Linear in the length of the text. */
export function askType(text: string): Ask['type'] {
  const words = text.trim().replaceAll('’', "'");
  const isShort = words.length <= shortChars;
  if (isShort && takesBack(withoutCourtesy(words))) return 'reversal';
  if (asks(words, isShort)) return 'question';
  return isShort && isRule(words) ? 'constraint' : 'request';
}

const withoutCourtesy = (text: string): string => text.replace(courtesies, ' ');
const takesBack = (words: string): boolean => reversalOpenings.test(words) || reversals.test(words);
const isRule = (words: string): boolean => ruleWords.test(withoutCourtesy(words).replace(statements, ' '));

const fenced = /```[\s\S]*?(?:```|$)/g;

/** A short message asks when one of its lines does; a long one when it ends with the question. */
function asks(text: string, isShort: boolean): boolean {
  const prose = text.replace(fenced, '').trim();
  if (!isShort) return asksLine(prose.slice(-400).split('\n').at(-1) ?? '');
  const lines = prose.split('\n').filter((line) => !/^\s*>/.test(line));
  return questionOpenings.test(prose) || lines.some(asksLine) || /[?？]\s/.test(lines.join(' '));
}

const asksLine = (line: string): boolean => questionEnds.test(line) || questionWords.test(line);

const mostRules = 4;
const ruleChars = 240;

/**
 * Sentences of a text in which a person lays down a rule, word for word: the first ones and the last ones. A document
 * that was pasted to be worked on lays down nothing; of one that says how to work, what it orders its reader counts.
 */
export function rulesIn(text: string, words: OwnWords = ownWords(text)): readonly string[] {
  const said = words.sentences.filter(({ place }) => place !== 'title');
  const passages = passagesIn(said);
  const own = said.filter(({ block }) => !passages.has(block));
  const orders = isToFollow(words, own) ? words.documentSentences().filter(isOrder) : [];
  const rules = [...new Set([...own.filter(isRuleIn).map((sentence) => sentence.text), ...orders])];
  return rules.length <= mostRules ? rules : [...rules.slice(0, mostRules / 2), ...rules.slice(-mostRules / 2)];
}

/** Paragraphs in which nobody speaks for themselves, beside a question about them: passages of something else. */
function passagesIn(said: readonly OwnSentence[]): ReadonlySet<number> {
  const asking = new Set(said.flatMap(({ block, text }) => (asksLine(text) ? [block] : [])));
  const isAskedAbout = (block: number): boolean => asking.size > (asking.has(block) ? 1 : 0);
  const isSpoken = ({ place, text }: OwnSentence): boolean => place === 'note' || speaksForItself(text);
  const paragraphs = Map.groupBy(said, ({ block }) => block);
  return new Set(
    [...paragraphs].flatMap(([block, own]) => (isAskedAbout(block) && !own.some(isSpoken) ? [block] : [])),
  );
}

const speaksForItself = (sentence: string): boolean =>
  ownWays.test(sentence) || ownDoings.test(sentence) || errands.test(sentence) || firstPersons.test(sentence);

/** A document is there to be followed where nothing else is asked for beside it. */
const isToFollow = ({ holdsDocument }: OwnWords, own: readonly OwnSentence[]): boolean =>
  holdsDocument && own.every((sentence) => leadsIn(sentence.text) || isRuleIn(sentence));

/** An order to whoever reads it, and no heading or label. */
const isOrder = (sentence: string): boolean =>
  laysDown(sentence) && !/^(?:\*\*|[❌✅✓✗])|\]\(/u.test(sentence) && /[.!。！]$/u.test(sentence);

/** From here on a sentence holds for more than what is at hand, whatever its words. */
const standsAlone = 4;

/** True for a sentence by which a person lays down what holds from now on. */
export const laysDown = (sentence: string): boolean => laysDownBy(sentence, standingOf);

/** The same of a sentence that a message holds. */
const isRuleIn = (sentence: OwnSentence): boolean =>
  laysDownBy(sentence.text, (words) => (words === sentence.text ? standingIn(sentence) : standingOf(words)));

function laysDownBy(sentence: string, standing: (words: string) => number): boolean {
  const words = sentence.replaceAll('’', "'");
  if (words.length > ruleChars || leadsIn(words) || asksLine(words) || passingWords.test(words) || hedges.test(words))
    return false;
  return isRule(words) || standing(words) >= standsAlone;
}

/** True for a message that is nothing but a rule, with a remark beside it at most; an answer is none. */
export function isAllRule(text: string, own: readonly OwnSentence[] = ownSentences(text)): boolean {
  const others = own.filter((sentence) => !isRuleIn(sentence)).map((sentence) => sentence.text);
  if (others.length === own.length || others.length > 1 || answersFirst(text)) return false;
  if (passagesIn(own).size > 0) return false;
  return others.every((sentence) => isRemark(sentence) && !errands.test(sentence) && !asksLine(sentence));
}

/** Why it is so, or what somebody feels; anything longer may be what is asked for. */
const isRemark = (sentence: string): boolean =>
  sentence.length <= remarkChars || becauseWords.test(sentence) || ownDoings.test(sentence);
const remarkChars = 30;

/** An answer holds for what was asked. */
const answersFirst = (text: string): boolean =>
  /^[A-Ha-h1-9](?:[.):,，、]|\s(?:is|with|but|and)\b|번|案)/u.test(text.trim()) || yesWords.test(text);

/** A sentence that settles something is quoted up to this length. */
const decisionChars = 300;

/** The sentences of a text that settle something, each with the sentence of its reason where that follows. */
export function decisionsIn(text: string, by: Decision['by']): readonly string[] {
  const plain = straight(text);
  if (!decisionHints.test(plain) || (!settles(plain) && !intentionWords.test(plain))) return [];
  const found: string[] = [];
  for (const line of proseLines(text)) {
    const sentences = line.split(sentenceBreak);
    for (const [at, said] of sentences.entries()) {
      const sentence = straight(said);
      if (sentence.length > decisionChars) continue;
      const next = sentences[at + 1];
      const follows = next && reasonOpenings.test(next) && !settles(straight(next)) ? next : '';
      const reason = follows && !/[。！？]$/.test(said) ? ` ${follows}` : follows;
      const intends = intentionWords.test(sentence) && (by === 'user' || reason || reasonedWords.test(sentence));
      if ((intends || settles(sentence)) && !undecidedWords.test(sentence)) found.push((said + reason).trim());
    }
  }
  return found;
}

/** As the patterns expect it: straight apostrophes, no emphasis. What is found is quoted as it was said. */
const straight = (text: string): string => text.replaceAll('’', "'").replaceAll('**', '');

const settles = (text: string): boolean =>
  choiceInLetters.test(text) || (eastAsianLetters.test(text) && choiceInWideSigns.test(text));

/** How much a line says of a decision: 0 nothing, 1 a reason, 2 a choice, 3 a choice with its reason. */
export const decisionStrength = (text: string): number =>
  (choiceWords.test(text) ? 2 : 0) + (reasonWords.test(text) ? 1 : 0);

const codeLine = /[;{}>]$|[=(]\S*[\])]+$|^(?:[#>|<+@$%]|```|~~~|import |const |let |func |def |class |return )/;
/** One word, in a script that has blanks between words. */
const oneWord = /^\S+$/;

/** True for a sentence or a point of a list that tells something: no announcement, lead-in, code or question to oneself. Linear. */
export const tells = (text: string): boolean =>
  !codeLine.test(text) && !isOneWord(text) && !announcements.test(text) && !onlyAgrees(text);
const isOneWord = (text: string): boolean => oneWord.test(text) && !eastAsianLetters.test(text);

/** Longer sentences say more than that they agree. */
const agreeingChars = 60;
const onlyAgrees = (text: string): boolean => text.length <= agreeingChars && acknowledgements.test(text);

/** True for a line that only leads to what stands below it. */
export const leadsIn = (text: string): boolean => /[:：]\**$/.test(text);

/** How much a line says of a failure: 0 nothing, 1 it talks of one, 2 it is the message of one. Linear. */
export function errorStrength(text: string): number {
  const isError = errorWords.test(text) || (eastAsianLetters.test(text) && wideErrorWords.test(text));
  return !isError ? 0 : errorOpenings.test(text) ? 2 : 1;
}

/** Where a sentence ends and another one begins. */
const sentenceBreak = /(?<=[.!?]["')]?)\s+(?=\S)|(?<=[。！？])/u;

/** Lines of running text: no code, quotation, heading, table or diff; list signs taken off. */
function* proseLines(text: string): Generator<string> {
  let inCode = false;
  for (const raw of text.split('\n')) {
    const line = raw.trim();
    if (line.startsWith('```') || line.startsWith('~~~')) inCode = !inCode;
    else if (!inCode && line.length >= 4 && !/^(?:[#>|<+]|-{2,}|\d+\s*[→|]|[$%] )/.test(line))
      yield line.replace(/^(?:[-*•]|\d+[.)])\s+/, '');
  }
}
