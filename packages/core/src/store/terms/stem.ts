/**
 * The stem of an English word: M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980, so that `deploys`,
 * `deployed` and `deploying` are one term; irregular forms first become regular ones. Words of other languages pass
 * through nearly unchanged.
 */
import { irregularForms } from './irregular.ts';

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
