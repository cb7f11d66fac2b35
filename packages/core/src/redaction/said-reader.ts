/** Reads the value that a sentence gives from a place on: in quotes, or up to eight words to the end of the clause. */
import { isGrammar, isInterfaceWord, isKnownSaid, isRemark, isSaidOfPasswords, remembered } from './plain-words.ts';
import type { Span } from './rule.ts';
import { isTopic } from './said-around.ts';
import { inQuotes, isMadeUpWord, isMarked, spanOf } from './said-values.ts';
import { goesOnWords, innerWords } from './said-words-told.ts';
import { isPassword } from './values.ts';

const longest = 110;
const mostWords = 8;

/** What the sentence promises of its value. */
export interface Expected {
  /** The noun is one for several words, which may begin with any. */
  readonly isPhrase?: boolean;
  /** A value of one plain word is one. @default true */
  readonly isWordEnough?: boolean;
  /** It answers a question: letters and digits in any order, and words that begin as any do. */
  readonly isAnswer?: boolean;
}

const quotedHere = new RegExp(`^[ \\t]{0,2}(?:\\*{1,2}|_{1,2})?(?:${inQuotes})`, 'u');

/** The value that begins at a place behind a verb, if a value stands there. */
export function valueFrom(text: string, at: number, promise: Expected = {}): Span | undefined {
  const rest = text.slice(at, at + longest);
  const quoted = quotedHere.exec(rest);
  const inner = quoted && spanOf(quoted, at);
  if (inner) return isQuotedValue(inner.text) ? { start: inner.start, end: inner.end } : undefined;
  for (const isLong of [true, false]) {
    const words = wordsOfClause(rest, isLong);
    if (words && isValueOfWords(rest.slice(words.start, words.end).split(' '), promise))
      return { start: at + words.start, end: at + words.end };
  }
  return undefined;
}

/** The same of a value that ends at a place, in front of what calls it a password: the last words behind a verb. */
export function valueUpTo(text: string, from: number, to: number): Span | undefined {
  const lead = /^\s*/.exec(text.slice(from, to))?.[0].length ?? 0;
  const start = from + lead;
  const whole = text.slice(start, to).trimEnd();
  const quoted = new RegExp(`^(?:${inQuotes})$`, 'u').exec(whole);
  const inner = quoted && spanOf(quoted, start);
  if (inner) return isQuotedValue(inner.text) ? { start: inner.start, end: inner.end } : undefined;
  return whole !== '' && !/[.,:;!?]\s/.test(whole) && isValueOfWords(whole.split(' '), {})
    ? { start, end: start + whole.length }
    : undefined;
}

/** In quotes, unless it is a remark, a label or code. */
const isQuotedValue: (value: string) => boolean = remembered(
  (value) =>
    isPassword(value) &&
    !/[(){}<>=]|^(?:https?:|\/|\.)|^[A-Z][A-Z0-9_]+$/.test(value) &&
    !(value.includes(' ') ? isRemark(value) : isKnownSaid(value) || isInterfaceWord(value)),
);

/** From the first word to the end of the clause, or to a word with which the sentence goes on. */
function wordsOfClause(rest: string, isLong: boolean): Span | undefined {
  let end = 0;
  let start = -1;
  let count = 0;
  for (const { 0: whole, index } of rest.matchAll(/[^\s]+/g)) {
    const word = whole.replace(/^[*_]{1,2}(?=\p{L})/u, '');
    if (start === -1 && (rest.slice(0, index).includes('\n') || /^[—–:-]$/.test(whole))) return undefined;
    const isNewLine = rest.slice(end, index).includes('\n');
    const isOver =
      /^(?:[—–(-]|->|[("“„«])/u.test(word) ||
      // A verb in two pieces: `gib X ein`.
      /^(?:ein|an)[.!]$/.test(word) ||
      goesOnWords.has(word.toLowerCase().replace(/[.,;:!?]+$/, ''));
    if (start !== -1 && (isNewLine || (isOver && !(isLong && isWithin(rest, index))))) return { start, end };
    if (start === -1) start = index + whole.length - word.length;
    const bare = word.replace(/(?:[.,;:!?…*_)»”"]|['’]$)+$/u, '');
    if (bare === '' || ++count > mostWords) return undefined;
    end = index + whole.length - word.length + bare.length;
    if (bare !== word) return /^[*_]*[:"“(]/.test(word.slice(bare.length)) ? undefined : { start, end };
  }
  // What the reach cuts has no end.
  return start === -1 || rest.length === longest ? undefined : { start, end };
}

/** `good com good`: a word that goes on stands within a value where one small word more and the end of the clause follow. */
const isWithin = (rest: string, at: number): boolean =>
  /^(?:com|con|e|y|et|und|and|en|in|on|auf|im|in der|à la|à|da|na|de|sur|dans|по|на|в|с|и|w|z|na|met|en|op) \p{L}{3,20}(?: \p{L}{3,20})?(?:[.,!)]|\s*\n|\s*$)/iu.test(
    rest.slice(at, at + 50),
  );

const wordForm = /^[\p{L}\p{M}\p{N}'’&-]{1,24}$/u;

function isValueOfWords(words: readonly string[], promise: Expected): boolean {
  const { isPhrase = false, isWordEnough = true, isAnswer = false } = promise;
  const [first = '', second] = words;
  if (second === undefined)
    return (
      isMarked(first) ||
      (isAnswer && isMixed(first)) ||
      (isWordEnough && isMadeUpWord(first) && !isTopic(first) && !isMeta(first))
    );
  if (!words.every((one) => wordForm.test(one)) || /^\p{Lu}{2,} \d+$/u.test(words.join(' '))) return false;
  if (!isPhrase && quantifier.test(first)) return false;
  const own = words.filter((one) => !innerWords.test(one) && !isGrammar(one));
  const isSaid = isAnswer || isPhrase ? isKnownSaid : isSaidOfPasswords;
  // Short words of one language are names in another: `son`.
  const said = own.filter((one) => (one.length > 3 && isSaid(one)) || isInterfaceWord(one) || isMeta(one)).length;
  const isEnd = !innerWords.test(words.at(-1) ?? '');
  if (said > 0 || !isEnd) return false;
  if (isPhrase && words.length >= 4)
    return (
      !openers.test(first) && (isGrammar(first) || !isSaidOfPasswords(first)) && (own.length >= 3 || words.length >= 6)
    );
  const isOpen = innerWords.test(first) || isSaid(first) || isTopic(first);
  if (isOpen) return isAnswer && words.length >= 3 && own.length >= 2 && !openers.test(first);
  return own.length >= 2 || (own.length === 1 && words.length === 2 && words.every((one) => one.length >= 3));
}

/** How often, or how many: no password begins so. */
const quantifier =
  /^(?:every|each|several|all|jede[rnms]?|alle|elke|ieder|tous|toutes|chaque|plusieurs|cada|todos|todas|varios|varias|vários|várias|ogni|tutti|tutte|każd\p{L}{1,3}|co|кажд\p{L}{1,4}|varje|hver)$/iu;

/** Letters and digits, as codes of doors have them. */
const isMixed = (value: string): boolean => /^(?=.*\d)[\p{L}\d#*-]{4,12}$/u.test(value);

/** No phrase begins so, but what is said of one. */
const openers =
  /^(?:what|whatever|which|that|where|how|when|who|you|we|i|they|he|she|it|your|our|du|ihr|wir|vous|nous|not|never|always|only|also|still|in|on|at|for|from|with|by|as|to|set|stored|kept|nicht|was|wo|wie|dort|bei|auf|ce|que|où|comment|dans|sur|pas|lo|donde|como|en|não|onde|no|na|che|dove|come|non|nel|nella)$/i;

/** What a sentence tells of a password instead of the password itself. */
const isMeta = (word: string): boolean =>
  /^(?:names?|words?|sentence|phrases?|numbers?|birthday|date|initials|letters?|wort|wörter|satz|zahlen?|geburtstag|mots?|phrase|chiffres?|palabras?|frase|números?|cumpleaños|palavras?|parole|numeri|слово|слов|имя|дата|lines?|poem|quote|song|lyrics?|book|zeile|zitat|lied|ligne|vers|línea|verso|canción|correo|e-?mail|mail|sms|tel[eé]fono?|telefone|téléphone|telefonisch|courrier|posta|post|brief|почт[еуы]|смс|личк[уе]|slack|teams|whatsapp|signal)$/iu.test(
    word,
  );
