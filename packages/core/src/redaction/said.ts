/** Passwords and PINs that are told in a sentence, in the languages of `said-words.ts`. */

import { lazily } from '../shared/lazily.ts';
import { isSubjectOfChange } from './named-setting.ts';
import { isKnownSaid, isSaidOfPasswords } from './plain-words.ts';
import { type Finding, type Hit, placeRule, type Rule, type Span } from './rule.ts';
import {
  answered,
  besideMarked,
  besideTellings,
  isMadeUp,
  isUser,
  type Telling,
  tellings,
  toldAsSubject,
  toldBy,
  toldByAny,
} from './said-around.ts';
import { saidPairRules, toldInClause } from './said-clause.ts';
import { isKeyToSomething, toldInWords } from './said-told.ts';
import {
  bareOf,
  firstLine,
  inQuotes,
  isMadeUpWord,
  isMarked,
  isQuotedPassword,
  lastLine,
  spanOf,
  token,
  type Value,
  withBare,
} from './said-values.ts';
import { english, type SaidLanguage, saidLanguages } from './said-words.ts';
import { setWords, toWords } from './said-words-told.ts';
import { isPassword, isPhrase, isPin } from './values.ts';

const longestOf = 40;
const reach = 120;

interface Grammar {
  readonly noun: RegExp;
  readonly told: RegExp;
  readonly changed: RegExp;
  /** What tells around the noun in this language. */
  readonly tellings: readonly Telling[];
  readonly pin: RegExp;
  readonly pinBefore: RegExp;
  /** The words of the grammar that may follow the noun. */
  readonly own: RegExp;
  /** Begins with what is said of a password. */
  readonly not: RegExp;
  /** A password may have a capital: the noun is none that code has, where types have one. */
  readonly isCapitalised: boolean;
}

const marks = '(?:\\*{1,2}|_{1,2})?';

function grammarOf({ nouns, pins, of, is, to, role, users, not }: SaidLanguage): Grammar {
  const link = `(?:${of ? `\\s(?:${of})\\s?[^.,;:!?\\n"'“„«=]{1,${longestOf}}?|` : ''}\\s[\\p{L}’'-]{3,16})?`;
  const copula = is ? `|(?:\\s(?:${is})|['’]s)(?:\\s(?:now|jetzt|maintenant|ahora|agora|теперь))?:?` : '';
  const joint = `${link}${marks}(?:\\s?[:=：]${copula}|,?\\s(?:it['’]s|c['’]est|es ist)|\\s[—–-])${marks}\\s{1,2}${marks}`;
  const changedTo = `(?:\\s[^.,;:!?\\n"=(]{1,40}?)?\\s(?:${setWords})\\s(?:${toWords})\\s`;
  return {
    own: new RegExp(
      `^(?:${[of, is, to].filter(Boolean).join('|')})$|^(?:${
        is
          .split('|')
          .map((one) => one.split(' ')[0])
          .filter(Boolean)
          .join('|') || '(?!)'
      })$`,
      'iu',
    ),
    pinBefore: new RegExp(
      `(?<![\\p{L}\\d.,:/-])(\\d{4,8})\\s(?:${role || '(?!)'}|is|ist|est|es|é)\\s(?:[\\p{L}]{1,8}\\s){0,2}$`,
      'iu',
    ),
    not: new RegExp(`^(?:${not ?? '(?!)'})(?![\\p{L}\\p{N}_-])`, 'iu'),
    isCapitalised: !/password|^pw/.test(nouns),
    noun: new RegExp(`(?:${nouns})(?![\\p{L}\\p{N}_])`, 'iuy'),
    told: new RegExp(
      `${link}${marks}(\\s?[:：]|\\s=${copula}|\\s[—–-])${marks}[ \\t]{1,2}${marks}(?:${inQuotes}|${token})`,
      'iuy',
    ),
    changed: new RegExp(`${link}\\s(?:${to || '(?!)'})\\s(?:${inQuotes}|${token})`, 'iuy'),
    tellings: [
      besideUser(users),
      // `use X as the password`, `it's X — that's the admin password`
      {
        before: new RegExp(
          `(?:${inQuotes}|(?:^|[\\s(])${token})\\s(?:(?:${role || '(?!)'})|[—–-] (?:that|this|das|c'est|eso|es)?(?:['’]s| is| ist| es)?)\\s(?:[\\p{L}]{1,8}\\s){0,2}$`,
          'iu',
        ),
        isValue: isMarked,
      },
      resetBefore,
      slashed(users),
    ],
    pin: new RegExp(
      `(?:${pins})(?![\\p{L}\\p{N}_])(?:${joint}|${changedTo}|\\s)(\\d{4,8}|\\d{1,3}(?:[- ]\\d{1,3}){1,3})(?![\\p{L}\\p{N}])(?![.,:]\\d|-\\w)`,
      'iuy',
    ),
  };
}

function findSaid(grammar: Grammar, hit: Hit): Finding | undefined {
  const { text, start } = hit;
  const end = nounEnd(grammar, hit);
  if (end === undefined) return undefined;
  const noun = { start, end };
  const after = tellsAfter(grammar, text, end);
  // So dense a row of nouns is a list of words, or made to be slow: nothing around one tells of it.
  if (isRow(text, noun)) return after ?? { start, end, refused: true };
  const told = after ?? toldByAny(grammar.tellings, text, noun);
  const found: Finding | undefined =
    (told && !isPredicate(grammar, text, told) ? told : undefined) ?? toldAround(text, noun);
  const inWords = toldInWords(text, noun);
  const others = together(
    inWords && !isPredicate(grammar, text, inWords) ? inWords : undefined,
    toldInClause(text, noun),
  );
  if (found && others) return { ...found, more: [...(found.more ?? []), others, ...(others.more ?? [])] };
  return found ?? others ?? { start, end, refused: true };
}

const densest = 8;

/** True where the noun stands again and again in what follows. */
const isRow = (text: string, { start, end }: Span): boolean =>
  text.slice(end, end + 200).split(text.slice(start, end), densest + 2).length > densest + 1;

const together = (one: Finding | undefined, other: Finding | undefined): Finding | undefined =>
  one && other ? { ...one, more: [...(one.more ?? []), other, ...(other.more ?? [])] } : (one ?? other);

function toldAround(text: string, noun: Span): Span | undefined {
  const found = toldAsSubject(text, noun) ?? toldByAny(tellings, text, noun);
  if (found) return found;
  const answer = text.slice(noun.end, noun.end + 40).includes('?') ? toldBy(answered, text, noun) : undefined;
  if (answer || text[noun.end] !== ' ') return answer;
  const beside = toldByAny(besideTellings, text, noun);
  const line = lastLine(text.slice(Math.max(0, noun.start - reach), noun.end));
  return beside ?? (isCode(line, '') ? undefined : toldBy(besideMarked, text, noun));
}

/** `felaktigt`, `yanlış`: outside of quotes no password but what is said of one. */
const isPredicate = ({ not }: Grammar, text: string, { start, end }: Span): boolean =>
  not.test(text.slice(start, end)) && !/["“„«‘「`']/.test(text[start - 1] ?? '');

/** A noun may have begun before its keyword: `WLAN-Passwort`. */
function nounEnd({ noun }: Grammar, { text, start, end }: Hit): number | undefined {
  noun.lastIndex = start;
  if (noun.test(text) && noun.lastIndex >= end && !/[\p{L}\p{N}_.$]/u.test(text[start - 1] ?? ''))
    return noun.lastIndex;
  const lead = /[\p{L}-]{1,20}$/u.exec(text.slice(Math.max(0, start - 20), start))?.[0].length ?? 0;
  if (lead === 0) return undefined;
  noun.lastIndex = start - lead;
  return noun.test(text) && noun.lastIndex >= end ? noun.lastIndex : undefined;
}

function tellsAfter(grammar: Grammar, text: string, end: number): Finding | undefined {
  grammar.told.lastIndex = end;
  const told = grammar.told.exec(text);
  const value = told && !isOther(grammar, told[0]) ? spanOf(told, 0, 2) : undefined;
  // What stands in plain quotes behind a sign is code or data, which the names of fields tell.
  if (value?.isQuoted && /[:=-]/.test(told?.[1] ?? '') && /["']/.test(text[value.start - 1] ?? '')) return undefined;
  if (value?.isQuoted) return isQuotedPassword(value.text) ? value : undefined;
  if (value) {
    const isColon = /[:=：—–-]/.test(told?.[1] ?? '');
    const found = isColon ? toldByColon(grammar, text, { nounEnd: end, value }) : toldByVerb(text, value);
    if (found) return isColon ? found : withLater(text, found);
  }
  if (!/\s/.test(text[end] ?? '')) return undefined;
  grammar.changed.lastIndex = end;
  const changed = grammar.changed.exec(text);
  const next = changed && spanOf(changed, 0);
  if (next?.isQuoted && isQuotedPassword(next.text)) return next;
  if (
    next &&
    !next.isQuoted &&
    (isMarked(bareOf(next.text)) || (isChange.test(changed?.[0] ?? '') && camel.test(bareOf(next.text))))
  )
    return withBare(next);
  besideQuoted.lastIndex = end;
  const beside = besideQuoted.exec(text);
  const quoted = beside && spanOf(beside, 0);
  const quote = quoted
    ? text
        .slice(quoted.start - 2, quoted.start)
        .trim()
        .at(-1)
    : undefined;
  return quoted && isBesidePassword(quoted.text, quote ?? '') ? quoted : undefined;
}
const besideQuoted = new RegExp(`[ ]{1,2}${inQuotes}`, 'iuy');

/** `SparrowHill`: behind a verb of change no name of a program. */
const isChange = /(?:chang|reset|set|updat|switch|rotat|cambi|modific|alterad|redefinid)\p{L}* (?:to|a|en|in|para)\s/iu;
const camel = /^\p{Lu}\p{Ll}{2,}(?:\p{Lu}\p{Ll}{2,})+$/u;

/** `password reset: …`, `mot de passe oublié : …`: a word behind the noun that makes it one of something else. */
function isOther({ own }: Grammar, told: string): boolean {
  const word = /^\s([\p{L}’'-]{3,16})(?=[\s:：])/u.exec(told)?.[1];
  return word !== undefined && !own.test(word) && isSaidOfPasswords(word);
}

/** `used to be X, now it's Y` */
function withLater(text: string, found: Span): Finding {
  const later =
    /^,?\s(?:and\s|but\s|und\s|aber\s)?(?:now|jetzt|nun|maintenant|ahora|agora)\s(?:it['’]s|it is|is|ist(?: es)?|c['’]est|es|é)\s([^\s,;:"]{4,40})/.exec(
      text.slice(found.end, found.end + 80),
    );
  const value = later?.[1] === undefined ? '' : bareOf(later[1]);
  if (!later || !(isMarked(value) || isMadeUpWord(value))) return found;
  const start = found.end + later[0].length - (later[1]?.length ?? 0);
  return { ...found, more: [{ start, end: start + value.length }] };
}

/** Directly behind the noun a quoted word may be a field or a word that is spoken of. */
const isBesidePassword = (value: string, quote: string): boolean =>
  isQuotedPassword(value) &&
  (/[“„«‘「]/.test(quote) ||
    isMarked(value) ||
    (value.includes(' ') && value.split(' ').every((one) => /^\p{L}{2,}$/u.test(one) && !isSaidOfPasswords(one))) ||
    (quote === "'" && /^[a-z]{6,}$/.test(value) && !isSaidOfPasswords(value)));

/** `Password: sunnyside`, alone or behind a user, on a line that is no code. */
interface ToldByColon {
  readonly nounEnd: number;
  readonly value: Value;
}

function toldByColon(grammar: Grammar, text: string, { nounEnd, value }: ToldByColon): Finding | undefined {
  // A variable is seldom written with a capital.
  if (text[value.start - 2] === '=' && !/\p{Lu}[\p{L}-]*$/u.test(text.slice(Math.max(0, nounEnd - 24), nounEnd)))
    return undefined;
  const before = lastLine(text.slice(Math.max(0, nounEnd - reach), nounEnd));
  const behind = firstLine(text.slice(value.start, value.start + 200));
  if (
    isCode(before, behind) ||
    /^\s*[})\]]/.test(text.slice(value.start + behind.length, value.start + behind.length + 20))
  )
    return undefined;
  if (isMarked(bareOf(value.text))) return withBare(value);
  // `пасс на рутере - sosnovyi_les`: among Cyrillic letters a Latin word is no remark.
  if (text[value.start - 2] === '-' || text[value.start - 2] === '–' || text[value.start - 2] === '—') {
    const isAlone = /\p{Script=Cyrillic}[^\n]*$/u.test(before) && /^[a-z]+(?:[_-][a-z]+)*$/.test(bareOf(value.text));
    return isAlone && bareOf(value.text).length > 4 && !isKnownSaid(bareOf(value.text)) ? withBare(value) : undefined;
  }
  const clause = clauseOf(behind);
  const whole = { start: nounEnd - before.length, end: value.start + behind.length };
  // `la clave del éxito: constancia`, `senha: mostrar ao digitar`
  if (isKeyToSomething(before, clause) || (clause.includes(' ') && isSubjectOfChange(text, whole, before)))
    return undefined;
  if (/^(?:Secret|Secure|Masked|Protected)\p{Lu}\p{Ll}+$/u.test(clause)) return undefined;
  const span = { start: value.start, end: value.start + clause.length };
  if (!clause.includes(' '))
    return isMadeUpWord(clause) && (grammar.isCapitalised || !/^\p{Lu}\p{Ll}+$/u.test(clause)) ? span : undefined;
  if (!isPhrase(clause) || /\d/.test(clause)) return undefined;
  const words = clause.split(' ');
  if (!words.some(isSaidOfPasswords)) return span;
  const isOfWords = /(?:phrase|frase|zin)(?:\s[\p{L} ]{1,20})?$|фраза$/iu.test(before);
  const line = isOfWords ? behind.trimEnd().replace(/[.!]$/, '') : behind.trimEnd();
  const isWholeLine = line.length === clause.length && isLineOfPassword(before);
  return isWholeLine && words.length >= 3 && (isOfWords || !isSaidOfPasswords(words[0] ?? '')) ? span : undefined;
}

/** Signs of code before a noun on its line, a mark such as `[sudo]` aside, or behind the value. */
const isCode = (before: string, behind: string): boolean =>
  /[\p{L}\p{N}_]\(|[{;=]|(?!^\[\w{1,20}\] )\[|=>|<(?!!--)|\bdef\b|^\s*["'@]/u.test(before) ||
  /[,;{([]\s*$|^\S*\(/.test(behind);

const clauseOf = (line: string): string => {
  const end = line.search(/[,;.\n(]|\s*(?:-->|\*\/)/);
  return bareOf((end === -1 ? line : line.slice(0, end)).slice(0, 80).trim());
};

/** A line that begins with the password's name and has no other words: what stands behind is all of it. */
const isLineOfPassword = (before: string): boolean => /^[\s#*>/-]*(?:[\p{L}-]+\s){0,3}[\p{L}'’-]+$/u.test(before);

/** What people add to what they said. */
const afterthought =
  /(?:\s(?:all lower ?case|lower ?case|no spaces|without spaces|all one word|one word|all small|all caps|alles klein|klein geschrieben|tout en minuscules|en minuscules|todo en minúsculas|en minúsculas|tudo minúsculo|tutto minuscolo|alles kleine letters|małymi literami|маленькими буквами))+$|\s(?:ok(?:ay)?|right|btw|by the way|please|pls|thanks|thx|now|i think|iirc|lol|haha|glaub(?:e)? ich|denke ich|übrigens|danke|bitte|je crois|merci|s'il te plaît|creo|gracias|por favor|acho|obrigad[oa])$/i;

/** `the password is bramley.`, `das Passwort ist drei kleine Schweinchen` */
function toldByVerb(text: string, value: Value): Finding | undefined {
  const bare = bareOf(value.text);
  if (isMarked(bare)) return withBare(value);
  const rest = text.slice(value.start, value.start + reach);
  const clause = /^[^.,;:!?\n()"—–]{0,100}/.exec(rest)?.[0].trim() ?? '';
  const clauseEnd = rest[clause.length] ?? '';
  if (/[:"(]/.test(clauseEnd)) return undefined;
  const words = clause.replace(afterthought, '').split(' ');
  if (words.length === 1 || /^(?:and|und|et|y|e|en|и|but|aber|mais)$/i.test(words[1] ?? ''))
    return isMadeUpWord(bare) ? withBare(value) : undefined;
  const isString =
    words.length >= 3 &&
    words.length <= 8 &&
    words.slice(1).every((word) => /^[\p{L}]{3,}$/u.test(word) && !isSaidOfPasswords(word));
  const opensWell = !isSaidOfPasswords(bare) || (/^correct$/i.test(bare) && words.length >= 4);
  return isString && opensWell ? { start: value.start, end: value.start + clause.length } : undefined;
}

/** `user bob pass qwertzui`, `usuario lucia y contraseña caracola` */
function besideUser(users: string): Telling {
  const user = new RegExp(
    `(?<!\\p{L})(?:${users})(?:\\s?[:=：]|\\s(?:is|ist|est|es|é))?\\s?([^\\s,;:：/]{2,40})(?:,?\\s(?:and|und|et|y|e|en|и|i|og|och)|[,;/]|\\s/)?\\s(?:[\\p{L}]{1,8}\\s)?$`,
    'iu',
  );
  const isAlso = (lead: string): boolean =>
    'soe'.includes(lead.at(-2) ?? ' ') && /\s(?:und|and|y|e|et|en)\s(?:als|as|como|comme)\s$/.test(lead);
  return {
    lead: (lead) => isAlso(lead) || isUser(user.exec(lead)?.[1]),
    behind:
      /^,?\s{1,2}(?:["“„«]\s?([^"“”„«»\n\\]{3,80}?)\s?["”“»]|([^\s"'`,;:()<>{}]{4,64})(?=\s*(?:[,;.!)]|$|\n)|\s(?:[—–-]|(?:and|und|et|y|e|en|и|but|so|on|at|for|port|host|server|an|am|auf|sur|pour|para|su|на)\s)|\s\p{Ll}{3,12}[.!]?\s*(?:$|\n|[.!]\s)))/u,
    isQuoted: (value) => !/[{}<>=]/.test(value) && isPassword(value) && (value.includes(' ') || isMadeUp(value)),
    isValue: isMadeUp,
  };
}

/** `user: amy / password: Camembert` */
const slashed = (users: string): Telling => ({
  lead: (lead) =>
    isUser(new RegExp(`(?<!\\p{L})(?:${users})\\s?[:=：]\\s?(\\S{2,40})\\s?[/|]\\s$`, 'iu').exec(lead)?.[1]),
  behind: /^\s?[:=：]\s?([^\s"'`,;:()<>{}]{4,64})(?=\s*(?:$|[,;.)\n]))/u,
  isValue: isMadeUp,
});

/** `reset it to "X", so try that password` */
const resetBefore: Telling = {
  lead: (lead) => lead.includes(' to '),
  before: new RegExp(
    `\\b(?:reset|changed|set|switched) (?:it|this|that|them) to (?:${inQuotes}|${token})[^.\\n]{0,40}$`,
    'u',
  ),
  isValue: isMarked,
};

/** The noun may have begun a word before its keyword: `one-time code`. */
function findPin({ pin, pinBefore }: Grammar, { text, start }: Hit): Finding | undefined {
  const first = pinBefore.exec(text.slice(Math.max(0, start - 60), start))?.[1];
  if (first !== undefined && /^pin\b/i.test(text.slice(start, start + 5))) {
    const at = text.lastIndexOf(first, start);
    return { start: at, end: at + first.length };
  }
  const before = /[\p{L}\d-]{1,20} ?$/u.exec(text.slice(Math.max(0, start - 20), start))?.[0].length ?? 0;
  for (const lead of before === 0 ? [0] : [0, before]) {
    pin.lastIndex = start - lead;
    const value = pin.exec(text)?.[1];
    if (value !== undefined && (isPin(value) || isTurned(value)))
      return { start: pin.lastIndex - value.length, end: pin.lastIndex };
  }
  return undefined;
}

/** The numbers that a lock is turned to. */
const isTurned = (value: string): boolean => /^\d{1,2}(?:-\d{1,2}){2,3}$/.test(value);

/** Without the blank that a short keyword begins with, and the sign it ends with. */
const unspaced = (hit: Hit): Hit =>
  hit.text[hit.start]?.toLowerCase() === 'p' && hit.text[hit.end - 1] === ' '
    ? { ...hit, end: hit.text.indexOf(' ', hit.start) }
    : hit.text[hit.start] === ' '
      ? { ...hit, start: hit.start + 1, end: hit.end - 1 }
      : hit;

function languageRules(language: SaidLanguage): readonly Rule[] {
  const grammar = lazily(() => grammarOf(language));
  return [
    placeRule('said-password', language.words.split('|'), (hit) => findSaid(grammar(), unspaced(hit))),
    placeRule('said-pin', language.pinWords.split('|'), (hit) => findPin(grammar(), hit)),
  ];
}

const passOf = lazily(
  () =>
    new RegExp(
      `(?:(?:the|my|our|this|that|your)\\s)?(?:[\\w-]{2,16}\\s){0,2}?(?:zip|wi-?fi|router|server|account|db|database|laptop|admin|vpn|nas|site|portal|door|archive|rar|pdf|login|user|root|e?mail|phone|safe|gate|app|registry|printer|camera|share|staging|prod)\\s(?:is|was|is now)\\s(?:${inQuotes}|${token})`,
      'iuy',
    ),
);

const besideEnglishUser = lazily(() => besideUser(english.users));

export const saidRules: readonly Rule[] = [
  ...saidLanguages.flatMap(languageRules),
  ...saidPairRules,
  placeRule('said-password', [' pass for ', ' pass to ', ' pw for '], ({ text, end }) => {
    const pattern = passOf();
    pattern.lastIndex = end;
    const told = pattern.exec(text);
    const value = told && spanOf(told, 0);
    return value ? toldByVerb(text, value) : undefined;
  }),
  placeRule('said-password', [' pass ', ' pwd ', ' passwd '], (hit) =>
    toldBy(besideEnglishUser(), hit.text, unspaced(hit)),
  ),
];
