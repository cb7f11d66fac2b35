/** Passwords that a sentence names without a verb between: beside the word, in an answer, behind who it was made for. */

import { looksRandom } from './looks.ts';
import { isInterfaceWord, isKnownSaid } from './plain-words.ts';
import type { Span } from './rule.ts';
import { bareOf, isMadeUpWord, isMarked, isQuotedPassword } from './said-values.ts';
import { isPassword } from './values.ts';

/** What is called by a name with digits, and is no password: ways to hash, to encode, to log in. */
const method =
  /^(?:argon2|sha-?\d|md[45]|pbkdf2|scrypt|bcrypt|oauth|base\d\d|utf-?\d|http|ipv[46]|x\.?509|pkcs|aes|des|rc4|rsa|ecdsa|ed\d|ntlm|tls|ssl|ssh|wpa|web|win|v\d|u2f|fido|totp|hotp|[12]fa|[12]password|iso|rfc|http2)/i;

/** A span of the text behind a place. */
const spanIn = (text: string, from: number, value: string): Span => {
  const start = text.indexOf(value, from);
  return { start, end: start + value.length };
};

/** Behind the noun, of a line that is no code: `the password toor-9`, `Kennwort Start#2024`. */
function besideMarked(text: string, end: number): Span | undefined {
  const value = bareOf(besideWord.exec(text.slice(end, end + 80))?.[1] ?? '');
  const isCertain =
    isMarked(value) &&
    ((/\p{L}/u.test(value) && /[\d#@!$%&*+]/.test(value.slice(1))) ||
      /^\p{Lu}\p{Ll}+(?:[._]\p{Lu}\p{Ll}+)+$/u.test(value));
  return isCertain && !method.test(value) ? spanIn(text, end, value) : undefined;
}
const besideWord = /^[ ]([^\s"'`“”„«»<>()[\]{}|\\=/:,;.@$-][^\s"'`“”„«»<>()[\]{}|\\=/:,;]{4,63})(?=[\s,;.!?)]|$)/u;

const opening =
  'log ?in|login|sign in|connect|create|unlock|open|extract|encrypt|decrypt|protect|unzip|access|authenticate|register|use|ssh';
/** Verbs of getting in, of which one must stand in the sentence. */
const getsIn = new RegExp(
  `(?<!\\p{L})(?:${opening}|anmeld\\p{L}*|melden?|einlog\\p{L}*|öffnen?|entsperr\\p{L}*|connecte\\p{L}*|cré\\p{L}+|ouvr\\p{L}+|inici\\p{L}+|entr[aáeo]\\p{L}*|conect\\p{L}+|abr\\p{L}+|acced\\p{L}+|acess\\p{L}+|войти|зайти)(?!\\p{L})`,
  'iu',
);
const withNoun =
  /(?<!\p{L})(?:with|using|by|and|mit|und|avec|et|con|y|com|e|с|и)\s(?:\p{L}{1,5}\s)?(?:[\p{L}-]{1,12}\s)?$/iu;

/** `log in with the password pineapplehat.`: a word that says nothing of a password and ends the sentence. */
function endsSentence(text: string, { start, end }: Span): Span | undefined {
  const lead = text.slice(Math.max(0, start - 120), start);
  if (!withNoun.test(lead) || !getsIn.test(lead.slice(lead.lastIndexOf('. ') + 1))) return undefined;
  const value = /^[ ](\p{Ll}{6,30})(?=[ ](?:an|ein)[.!]?\s*(?:$|\n)|[.!]?[ ]*(?:$|\n))/u.exec(
    text.slice(end, end + 50),
  )?.[1];
  return value !== undefined && isMadeUpWord(value) ? spanIn(text, end, value) : undefined;
}

const asks =
  /(?:what(?:['’]s| is| was)|which(?: is)?|was ist|wie (?:lautet|ist|heißt|war)|quel(?:le)? est|c['’]est quoi|cuál es|qual é|com'è|какой|jakie jest|wat is)\s[^.?!\n]{0,40}$/i;
const answer =
  /^[^.\n?]{0,40}\?["”»“]?\s{0,3}\n[\s>—–-]{0,6}(?:[\p{L}\d_]{1,20}:\s)?(?:["“„«]\s?([^"”“»\n]{4,60}?)\s?[.!]?["”“»]|([^\s"<>:]{4,40}))[.!]?\s*(?:\n|$)/u;

/** `What's the password?`, and the next line is it. */
function answered(text: string, { start, end }: Span): Span | undefined {
  if (!asks.test(text.slice(Math.max(0, start - 60), start))) return undefined;
  const [whole = '', quoted, plain] = answer.exec(text.slice(end, end + 200)) ?? [];
  const value = quoted ?? bareOf(plain ?? '');
  const from = end + whole.indexOf('?');
  if (quoted !== undefined) return isQuotedPassword(value) ? spanIn(text, from, value) : undefined;
  return isMarked(value) || (/^\p{Ll}/u.test(value) && isMadeUpWord(value)) ? spanIn(text, from, value) : undefined;
}

const made =
  /^\s(?:[^\s:;"'(){}=]{1,40}\s){0,7}?(?:generated|created|assigned|issued|set|reset|is|for|erzeugt|generiert|vergeben|lautet|für|généré|créé|pour|generada|creada|para|gerada|criada)\s(?:[^\s:;"'(){}=]{1,40}\s?){0,4}:\s([^\s"'`]{6,80})(?=\s|$)/iu;

/** `A temporary password is generated for root@localhost: …`: what nobody would say in words. */
function madeFor(text: string, end: number): Span | undefined {
  const value = bareOf(made.exec(text.slice(end, end + 200))?.[1] ?? '');
  const isDrawn = looksRandom(value, 8) || (/[!#$%&*+?^~<>@]/.test(value) && /\d/.test(value));
  return isDrawn && isPassword(value) && !/[/\\(]|^\S+@\S+\.\w/.test(value) ? spanIn(text, end, value) : undefined;
}

/** At the start of a line: `pwd applesauce user svc_backup host nas2` */
function beforeUser(text: string, { start, end }: Span): Span | undefined {
  if (start > 0 && !/[\n,;]\s?$/.test(text.slice(Math.max(0, start - 2), start))) return undefined;
  const value =
    /^[ ]([^\s"'`,;:(){}<>=]{4,40}),?[ ](?:user(?:name)?|login|account|host|server|benutzer|usuario|utilisateur|usuário)(?:[:=]\s?|[ ])[\w.@-]{2,40}(?:\s|$|[,;])/i.exec(
      text.slice(end, end + 120),
    )?.[1];
  return value !== undefined && (isMarked(value) || isMadeUpWord(value)) ? spanIn(text, end, value) : undefined;
}

const asUser =
  /(?<!\p{L})(?:(?:in|on|connect|login|ssh|su|user) as|with|as|als|mit|unter|en tant que|comme|avec|como|con|com|come|как|под)\s([\p{L}][\p{L}\w.@-]{1,30})(?:\s?[,;/]\s?(?:\p{L}{1,4}\s)?|,?\s(?:and|und|et|y|e|en|и|with|mit|avec|con|com)\s(?:\p{L}{1,5}\s)?)$/iu;

/** `ssh in as root, password …`, `melde dich mit anna und dem Kennwort … an` */
function besideUserOf(text: string, { start, end }: Span): Span | undefined {
  const user = asUser.exec(text.slice(Math.max(0, start - 80), start))?.[1];
  if (user === undefined || isKnownSaid(user) || isInterfaceWord(user)) return undefined;
  const value = bareOf(/^[ ]([^\s"'`,;:()<>{}]{4,64})(?=\s|[,;.]|$)/.exec(text.slice(end, end + 70))?.[1] ?? '');
  return isMarked(value) || isMadeUpWord(value) ? spanIn(text, end, value) : undefined;
}

/** What tells a password around its noun; `isCode` is asked of the line where nothing but a blank stands between. */
export function toldBeside(text: string, noun: Span, isCode: () => boolean): Span | undefined {
  const { end } = noun;
  if (text.slice(end, end + 40).includes('?')) {
    const found = answered(text, noun);
    if (found) return found;
  }
  if (text[end] !== ' ') return undefined;
  const found = besideUserOf(text, noun) ?? madeFor(text, end) ?? beforeUser(text, noun) ?? endsSentence(text, noun);
  return found ?? (isCode() ? undefined : besideMarked(text, end));
}
