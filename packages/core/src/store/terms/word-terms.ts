/** The terms of one word or name: without case and accents, and without the endings of English. */
import { hasDigit, hasLetter, hasLower } from './walk.ts';

/** What a term stands for. */
export const termKinds = {
  /** A word: its stem, or as it is written where it is no English word. */
  word: 0,
  /** A whole name of several words, such as a path, an identifier or an address. */
  name: 1,
  /** A character of a script without spaces. */
  character: 2,
  /** Two such characters that stand side by side. */
  pair: 3,
} as const;

/** What is known of a word from its characters. */
export interface WordShape {
  /** Classes of its characters, one bit each. */
  readonly seen: number;
  readonly turns: number;
}

/** Takes a term, its kind, and its place in the word. */
export type TermOf = (term: string, kind: number, place: { readonly start: number; readonly end: number }) => void;

/** Tells the terms of a word: its pieces where it mixes cases, then the word itself. */
export function termsOfWord(raw: string, { seen, turns }: WordShape, tell: TermOf): void {
  const whole = { start: 0, end: raw.length };
  if (seen === hasLower) {
    tell(stem(raw), termKinds.word, whole);
    return;
  }
  const isEncoded = raw.length > 24 && turns > 3 && (seen & hasDigit) !== 0;
  if (turns > 0 && (seen & hasLetter) === 0 && !isEncoded) piecesOf(raw, tell);
  const folded = (seen & hasLetter) === 0 ? raw.toLowerCase() : termOfName(raw);
  if (folded === '') return;
  const isWord = (seen & hasDigit) === 0 && (seen & hasLetter) === 0;
  const kind = turns > 0 ? termKinds.name : termKinds.word;
  tell(isWord || /^[a-z]+$/.test(folded) ? stem(folded) : folded, kind, whole);
}

/** What may stand in no term: only what the index divides by nothing. */
const divides = /[^\w\-./\\:@#+~&=?%$\u0080-\u{10ffff}]|\s/gu;

/** The term of a whole name; empty without one. Some letters have forms with a space or brackets in them. */
export const termOfName = (raw: string): string => withoutDividers(fold(raw));

const withoutDividers = (term: string): string => (term.search(divides) < 0 ? term : term.replaceAll(divides, ''));

/** `readFile` → read, file; `HTTPServer` → http, server. A piece of one letter says nothing. */
function piecesOf(raw: string, tell: TermOf): void {
  for (const piece of raw.matchAll(/[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+/g)) {
    const [text] = piece;
    if (text.length < 2 || text.length === raw.length) continue;
    const term = text.toLowerCase();
    const place = { start: piece.index, end: piece.index + text.length };
    tell(/\d/.test(term) ? term : stem(term), termKinds.word, place);
  }
}

// One form for all spellings of a word: lower case, no accents, the usual width.

const beyondAscii = /[^\0-\x7f]/;

/** A text in lower case, without accents, and with usual characters in the place of full-width and half-width ones. */
export function fold(text: string): string {
  if (!beyondAscii.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ς', 'σ')
    .replaceAll('ı', 'i');
}

/**
 * The stem of an English word: M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980, so that `deploys`,
 * `deployed` and `deploying` are one term; irregular forms first become regular ones. Words of other languages pass
 * through nearly unchanged.
 */
const known = new Map<string, string>();

/** More distinct words than this begin a new memory: it stays small whatever is read. */
const mostKnown = 60_000;

/** The stem of a word of lower-case letters a to z. Words of up to two letters are their own stem. */
export function stem(word: string): string {
  const found = known.get(word);
  if (found !== undefined) return found;
  const regular = irregularForms.get(word) ?? word;
  const stemmed = regular.length < 3 ? regular : step5(step4(step3(step2(step1(regular)))));
  if (known.size >= mostKnown) known.clear();
  known.set(word, stemmed);
  return stemmed;
}

const consonant = '[^aeiou]';
const vowel = '[aeiouy]';
const consonants = `${consonant}[^aeiouy]*`;
const vowels = `${vowel}[aeiou]*`;
/** Porter's measure m of a stem: how often vowels are followed by consonants. */
const measure0 = new RegExp(`^(${consonants})?${vowels}${consonants}`);
const measure1 = new RegExp(`^(${consonants})?${vowels}${consonants}(${vowels})?$`);
const measureOver1 = new RegExp(`^(${consonants})?${vowels}${consonants}${vowels}${consonants}`);
const hasVowel = new RegExp(`^(${consonants})?${vowel}`);
const shortEnd = new RegExp(`^${consonants}${vowel}[^aeiouwxy]$`);

const step2Suffixes: Readonly<Record<string, string>> = {
  ational: 'ate',
  tional: 'tion',
  enci: 'ence',
  anci: 'ance',
  izer: 'ize',
  bli: 'ble',
  alli: 'al',
  entli: 'ent',
  eli: 'e',
  ousli: 'ous',
  ization: 'ize',
  ation: 'ate',
  ator: 'ate',
  alism: 'al',
  iveness: 'ive',
  fulness: 'ful',
  ousness: 'ous',
  aliti: 'al',
  iviti: 'ive',
  biliti: 'ble',
  logi: 'log',
};

const step3Suffixes: Readonly<Record<string, string>> = {
  icate: 'ic',
  ative: '',
  alize: 'al',
  iciti: 'ic',
  ical: 'ic',
  ful: '',
  ness: '',
};

const endsIn = (suffixes: readonly string[]): RegExp => new RegExp(`^(.+?)(${suffixes.join('|')})$`);
const step2End = endsIn(Object.keys(step2Suffixes));
const step3End = endsIn(Object.keys(step3Suffixes));
const step4End = /^(.+?)(al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|ou|ism|ate|iti|ous|ive|ize)$|^(.+?[st])(ion)$/;

/** Plurals, past tenses, -ing, and a final y after a vowel. */
function step1(word: string): string {
  const single = word.endsWith('s') ? word.replace(/(ss|i)es$/, '$1').replace(/([^s])s$/, '$1') : word;
  const bare = withoutTense(single);
  const [, front = ''] = /^(.+)y$/.exec(bare) ?? [];
  return front && hasVowel.test(front) ? `${front}i` : bare;
}

function withoutTense(word: string): string {
  if (word.endsWith('eed')) return measure0.test(word.slice(0, -3)) ? word.slice(0, -1) : word;
  const [, front] = /^(.+?)(?:ed|ing)$/.exec(word) ?? [];
  if (front === undefined || !hasVowel.test(front)) return word;
  if (/(?:at|bl|iz)$/.test(front)) return `${front}e`;
  if (/([^aeiouylsz])\1$/.test(front)) return front.slice(0, -1);
  return shortEnd.test(front) ? `${front}e` : front;
}

const step2 = (word: string): string => replaced(word, step2End, step2Suffixes);
const step3 = (word: string): string => replaced(word, step3End, step3Suffixes);

function replaced(word: string, end: RegExp, suffixes: Readonly<Record<string, string>>): string {
  const [, front = '', suffix = ''] = end.exec(word) ?? [];
  return front && measure0.test(front) ? front + (suffixes[suffix] ?? '') : word;
}

function step4(word: string): string {
  const match = step4End.exec(word);
  const front = match?.[1] ?? match?.[3] ?? '';
  return front && measureOver1.test(front) ? front : word;
}

function step5(word: string): string {
  const front = word.slice(0, -1);
  const isSilent = word.endsWith('e') && (measureOver1.test(front) || (measure1.test(front) && !shortEnd.test(front)));
  const bare = isSilent ? front : word;
  return bare.endsWith('ll') && measureOver1.test(bare) ? bare.slice(0, -1) : bare;
}

/**
 * Forms that no suffix rule brings together: past tenses and plurals of everyday English words, by their base form. Forms
 * that are more often another word (rose, bit, lives) are left out.
 */
const table = `
go went gone; buy bought; take took taken; get got gotten; make made; see saw seen; say said; tell told; think thought;
come came; give gave given; find found; feel felt; leave left; keep kept; begin began begun; write wrote written; meet met;
run ran; win won; lose lost; teach taught; catch caught; bring brought; build built; send sent; spend spent; sell sold;
speak spoke spoken; break broke broken; choose chose chosen; drive drove driven; ride rode ridden; fall fell fallen;
grow grew grown; know knew known; draw drew drawn; fly flew flown; throw threw thrown; wear wore worn; eat ate eaten;
drink drank drunk; sing sang sung; swim swam swum; sleep slept; hold held; hear heard; stand stood;
understand understood; pay paid; sit sat; lead led; become became; forget forgot forgotten; hang hung; stick stuck;
fight fought; seek sought; lend lent; bend bent; deal dealt; mean meant; dream dreamt; learn learnt; burn burnt;
steal stole stolen; shake shook shaken; wake woke woken; freeze froze frozen; hide hid hidden; shoot shot; sink sank sunk;
spin spun; swear swore sworn; tear tore torn; weave wove woven; blow blew blown; forgive forgave forgiven; child children;
woman women; man men; foot feet; tooth teeth; mouse mice; person people; wife wives; knife knives
`;

/** The base form of each irregular one. */
export const irregularForms: ReadonlyMap<string, string> = new Map(
  table.split(';').flatMap((line) => {
    const [base = '', ...forms] = line.trim().split(/\s+/);
    return forms.map((form) => [form, base] as const);
  }),
);
