/** Passwords told by their looks anywhere in a clause, users and passwords told as a pair, and keys of networks and doors. */
import { isInterfaceWord, isKnownSaid, isSaidOfPasswords, remembered } from './plain-words.ts';
import { type Finding, findingOf, type Hit, placeRule, type Rule, type Span, words } from './rule.ts';
import { tellingRule } from './said-around.ts';
import { bareOf, isMadeUpWord, isMarked, spanOf } from './said-values.ts';

/** How far a value may stand from its noun. */
const reach = 90;
const sentenceEnd =
  /[.!?。！？](?=["”»“'’)]{0,2}\s+["“«„(]?[\p{Lu}\p{N}]|\s*$)|[。！]|\n\s*\n|\\n|\n(?=\s*(?:[-*•#>]|\d+[.)]|\[)\s)/u;
const word = /[^\s"'`“”„«»‘’「」『』<>()[\]{}|\\,;:：、，。！？=→]{5,64}/gu;

/** A word that may be a value at all: others need no closer look. */
const candidate = /\p{L}[^\s:;,]{0,60}[\d!#$%^*+?~._§-][^\s]|\d[^\s:;,]{0,60}\p{L}/u;

/** What has digits, signs or capitals and is a name in the talk of computers. */
const named =
  /^(?:argon2\w*|sha-?\d\w*|hs\d+|rs\d+|es\d+|md[45]|pbkdf2\S*|s?crypt\S*|bcrypt\S*|oauth\S*|openid\S*|base\d\d\w*|utf-?\d+|ipv[46]|x\.?509\w*|pkcs\S*|p12|aes\S*|rsa\S*|ecdsa\S*|ed\d+|ssh-\S+|ntlm\S*|tls\S*|ssl\S*|wpa\S*|web\d\S*|win\S*\d+|v\d+\S*|u2f|fido\d?|[th]otp\S*|[12]fa|iso-?\d+|rfc-?\d+|http\S*|s3\S*|ec2\S*|k8s\S*|python\S*|node\S*|php\S*|ubuntu\S*|debian\S*|mysql\S*|postgres\S*|psycopg\S*|log4j\S*|neo4j\S*|keycloak\S*|auth0\S*|azure\S*|office365|microsoft365|windows\S*|cve-\S+|gpt-?\S*|claude\S*|utf\S*|latin1|step\S*\d+|line\S*\d+|issue\S*|pr\S*\d+|c\+\+\S*|at&t|q&a|r&d|i\/o)$/i;

/** A host, a version, an id, an amount, an ordinal: letters and digits in one short place. */
const counted =
  /^(?:(?:\p{Ll}{1,10}|\p{Lu}{1,10}|\p{Lu}\p{Ll}{1,4})[-_.]?\d{1,3}[a-z]?|\d+(?:st|nd|rd|th|ms|[kmgt]i?b|x|px|s|h|d|bit|bits|er|te|ten|ème|e|º|ª|%)?|\d+[-.x:/]\d+\S*|#\d+|\d{1,2}\p{L}+|\d+-[\p{L}-]+|\p{L}+-\d+|[0-9a-f]{7,64}|[A-Z][A-Z0-9]*(?:[_-][A-Z0-9]+)+)$/u;

/** `sure` anywhere in the clause, `likely` behind a word that leads to it. */
type Looks = 'sure' | 'likely' | 'none';

const looksOf: (value: string) => Looks = remembered((value): Looks => {
  // Words in a script that puts no blanks between them are a whole sentence.
  if (
    !isMarked(value) ||
    /[\p{Lo}]{3}/u.test(value) ||
    named.test(value) ||
    counted.test(value) ||
    /[/@=]|^[-+.&#$%*]|\.{2}|--/.test(value)
  )
    return 'none';
  const letters = value.replace(/[^\p{L}]/gu, '').length;
  if (letters < 4) return 'none';
  if (/[!#$%^*+?~§]/.test(value.slice(1)) && /^[\x21-\x7e\p{Script=Latin}§]+$/u.test(value))
    return /\p{L}[!#$%^*+?~&§]|[!#$%^*+?~&§]\p{L}/u.test(value) ? 'sure' : 'likely';
  if (/^\p{L}[\p{L}\d]{3,}&\p{Lu}\p{L}{3,}\d*$/u.test(value) && /\d/.test(value)) return 'likely';
  const pieces = value.split(/[-_.]+/).filter(Boolean);
  const hasCapital = /\p{Lu}/u.test(value);
  if (/\d/.test(value) && hasCapital && !/^[A-Z0-9.-]+$/.test(value))
    return pieces.length > 1 || /\p{Ll}{3}/u.test(value) ? 'sure' : 'likely';
  return /\d/.test(value) || (hasCapital && /[._]/.test(value)) || pieces.length > 2 ? 'likely' : 'none';
});

/** What leads to a value, in the languages that passwords are told in. */
const leads =
  /(?<![\p{L}])(?:is|was|are|['’]s|to|as|with|reads?|says?|type[ds]?|enter(?:ed|s)?|try|tried|use[ds]?|using|now|it['’]s|that['’]s|from|into|also|ist|sei|war|wäre|lautet|auf|als|mit|gib|tippe?|eingeben|nimm|nun|jetzt|dann|von|est|était|c['’]est|par|avec|tape[rz]?|saisi[rst]|saisissez|mets?|passe à|à|en|le|es|era|con|usa|usar|escrib[ea]|pon|poner|poné|introduce|teclea|temporal|provisional|provisoire|a|por|é|para|com|use|digite|coloque|(?:mete|põe|escreve|usa)-se|è|in|metti|usa|scrivi|na|to|z|jako|wpisz|naar|met|typ|skriv|yaz|taper|digita|gebruik|är|er|on|till|til|je|este|la|là|на|это|введи|такой|είναι|değil)[:]?\s["“„«'`]?$|[→:：]\s?$|['’]s\s$|(?:は|が|を|に|で|是|为|為|成|到|用|로|는|은|이|가)\s?$/iu;
/** `the password, X, is …` */
const apposed = /(?:password|passwort|kennwort|passe|contraseña|senha|hasło|wachtwoord|пароль),\s$/iu;
/** What stands behind a value that is told before its role: `X を入力`, `X als Passwort`. */
const follows =
  /^["”»'`]?\s?(?:を|が|に|で|として|です|为|作|当|이|가|로|을|를|as\s|als\s|comme\s|como\s|come\s|rein|ein[\s.,]|an[\s.,]|eingeben|gesetzt)/u;

/** The part of a text around a noun that says one thing; a question goes on with its answer. */
export function clauseAround(text: string, { start, end }: Span): Span {
  const before = text.slice(Math.max(0, start - reach), start);
  let from = 0;
  for (let at = 0; at < before.length; ) {
    const found = sentenceEnd.exec(before.slice(at));
    if (!found) break;
    at += found.index + found[0].length;
    from = at;
  }
  const behind = text.slice(end, end + reach);
  const stop = sentenceEnd.exec(behind);
  let to = stop ? stop.index : behind.length;
  if (stop && behind[stop.index] === '?') {
    const next = text.slice(end + to + 1, end + to + 1 + reach);
    to += 1 + Math.min(next.length, /(?<=\S)\n|[.!?]\s/.exec(next)?.index ?? next.length);
  }
  // What the reach cuts in two is no word.
  if (from === 0 && start > reach) from = before.length - before.replace(/^\S+/, '').length;
  if (to === reach) to = behind.replace(/\S+$/, '').length;
  return { start: Math.max(0, start - reach) + from, end: end + to };
}

/** All values in the clause of a noun that a person must have made up. */
export function toldInClause(text: string, noun: Span): Finding | undefined {
  if (isAmongNouns(text, noun.start)) return undefined;
  const clause = clauseAround(text, noun);
  const said = text.slice(clause.start, clause.end);
  if (!candidate.test(said) || isCodeLike(said)) return undefined;
  const found: Span[] = [];
  for (const { 0: whole, index: at } of said.matchAll(word)) {
    // A Latin word among letters that put no blanks between words.
    const latin = /\p{Lo}/u.test(whole) ? /[A-Za-z][\x21-\x7e]{5,40}(?=\p{Lo}|$)/u.exec(whole) : null;
    const [one, index] = latin ? [latin[0], at + latin.index] : [whole, at];
    const span = valueAt(text, clause.start + index, one);
    if (span && (span.end <= noun.start || span.start >= noun.end)) found.push(span);
  }
  return findingOf(found);
}

/** The words of the last text that were judged, by where they begin: nouns that stand close share their words. */
const judged = { text: '', spans: new Map<number, Span | undefined>(), last: 0, close: 0 };

/** So many nouns in a row, each near the one before, are a list of words or made to be slow. */
const mostClose = 6;
const near = 60;

function isAmongNouns(text: string, at: number): boolean {
  if (judged.text !== text) {
    judged.text = text;
    judged.spans.clear();
    judged.close = 0;
  } else judged.close = at >= judged.last && at - judged.last < near ? judged.close + 1 : 0;
  judged.last = at;
  return judged.close > mostClose;
}

function valueAt(text: string, at: number, one: string): Span | undefined {
  if (judged.spans.has(at)) return judged.spans.get(at);
  const value = bareOf(one.replace(/^[*_~]+|['’]s$/g, ''));
  const start = at + one.indexOf(value);
  const span = { start, end: start + value.length };
  const told = isToldValue(text, span, value) ? span : undefined;
  judged.spans.set(at, told);
  return told;
}

function isToldValue(text: string, { start, end }: Span, value: string): boolean {
  const looks = looksOf(value);
  if (
    looks === 'none' ||
    /^[(<[]|^\.\w|^:\/\//.test(text.slice(end, end + 3)) ||
    /[/\\@.$<-]$/.test(text.slice(Math.max(0, start - 1), start))
  )
    return false;
  if (looks === 'sure') return text.slice(end, end + 200).split(value, 2).length === 1;
  if (/^[\p{L}.]+$/u.test(value) && viaTool.test(text.slice(Math.max(0, start - 24), start))) return false;
  if (otherScript.test(text.slice(Math.max(0, start - 24), end + 12))) return true;
  const lead = text.slice(Math.max(0, start - 24), start);
  return leads.test(lead) || apposed.test(lead) || follows.test(text.slice(end, end + 10));
}

/** Among these letters a Latin word is a name or a password. */
const otherScript =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Before what a program does it with. */
const viaTool = /(?:use[ds]?|using|with|from|into|mit|avec|con|com|met|usa|via|by)\s["'`]?$/i;

export const isCodeLike = (said: string): boolean =>
  /[{};]\s*$|=>|[\w)]\(|\w\.\w+\(|==|&&|\|\||<\/|[\w"']\s?=\s?["'\w]|^\s*(?:import|const|let|var|def|class|return|if\s?\(|for\s?\(|for \w+ (?:in|of) .*:|function|assert|expect|public|private|#include|@|\/\/|\$ )/m.test(
    said,
  ) || /(?:^|\s)--?[a-z]/.test(said);

/** `log in as amy with X`, `melde dich mit amy und X an`, `用 amy / X 登录`, `amy / X でログイン`. */
const pair =
  /(?:(?<!\p{L})(?:as|with|mit|als|avec|en tant que|con|como|com|come|met|med|cu|dengan|bằng|jako|z|под|с|use|using|nutze|nimm)\s|用\s?|(?:^|[\n,.:(（、，])\s?)["'“`]?(?<user>\p{L}[\w.@\\-]{1,40})["'”`]?(?<joint>\s?\/\s?|\s(?:and|und|et|y|e|en|i|и|with|mit|avec|con|com|met|z|с)\s(?:(?:the|das|dem|le|la|a|o|el|il)\s)?(?:\p{L}{3,14}\s)?)["'“`]?(?<value>[^\s"'`“”,;:()<>{}、，。]{5,64})/giu;

/** Behind a user and a `/`: also with a sign that addresses have. */
const isSlashed = (value: string): boolean =>
  isMarked(value) &&
  !named.test(value) &&
  !counted.test(value) &&
  /^[^*]*[\d#@!$%&+?§]/.test(value) &&
  !/\.\p{L}{2,4}$/u.test(value);

/** A user and a password in the sentence of a verb that lets in. */
function toldInPair(text: string, verb: Span): Finding | undefined {
  const clause = clauseAround(text, verb);
  const said = text.slice(clause.start, clause.end);
  if (!/[\d!#$%^*+?~._§@&-]/.test(said) || isCodeLike(said)) return undefined;
  pair.lastIndex = 0;
  for (let match = pair.exec(said); match; match = pair.exec(said)) {
    // What was taken for a password may be the user of the next pair.
    pair.lastIndex = match.index + 1;
    const { user = '', value: whole = '' } = match.groups ?? {};
    const value = bareOf(whole);
    const looks = looksOf(value);
    const isOther = isKnownSaid(user) || isInterfaceWord(user) || isSaidOfPasswords(value);
    const isBesideSlash = /\//.test(match.groups?.joint ?? '') && isSlashed(value);
    if (isOther || (!isBesideSlash && (looks === 'none' || (looks === 'likely' && !/\d|[._]/.test(value))))) continue;
    const start = clause.start + match.index + match[0].length - whole.length;
    return { start, end: start + value.length };
  }
  return undefined;
}

const pairWords = words(
  'creds|credential|login|log in|zugangsdaten|identifiants|credenciales|credenciais|credenziali',
  'inloggegevens|dane logowania|учётные данные|账号|アカウント',
);

const signInWords = words(
  'sign in|logged in|einlog|einlogg|anmeld|melde dich|melden sie|loggt |connecte-toi|connectez-vous',
  'se connecter|entra con|entre com|inicia sesión|entrar con|accedi|inloggen|log in met|zaloguj|войти',
  'заходи|зайди|входи|logga in|logg inn|log ind|giriş yap|oturum aç|conecta|conéctate|accede|entra com',
  'conecte|acesse|loga |entri |collegati|aanmelden|meld je aan|přihlas|увійди|залогинь|логинься|autentif',
  'zaloguj|kirjaudu|jelentkezz|đăng nhập|masuk dengan|로 접속|で入|登录|登入|登陆|ログイン|로그인|zugang',
);

/** Nouns of what opens a network or a door, with a word of that beside them. */
const keyNouns = words(
  'wifi|wi-fi|wlan|shared secret|psk |pre-shared|preshared|network key|schlüssel|la clé|clef|la clave',
  'la contra |root pw|admin pw|pw now|共有キー|密钥|密鑰|secret one|opens with|recovery phrase|door code',
  'sudo prompt|prompt type|prompt, type|when prompted|when it asks|when asked',
);
const keyNoun =
  /(?:wi-?fi|wlan|netz|network|shared|vpn|router|gäste|guest|box|réseau|routeur|porte|wps|psk|door|shared)[^.\n]{0,70}?(?:code|key|schlüssel|secret|clé|clef|clave|chave|chiave|sleutel|klucz|ключ)|(?:code|key|schlüssel|secret|clé|clef|clave|chave|chiave|sleutel|klucz|ключ)[^.\n]{0,40}?(?:wi-?fi|wlan|network|vpn|router|box|réseau|routeur|porte)|sudo prompt|prompt,? type|when prompted|when (?:it )?ask|secret one|pw now|contra |共有キー|密钥|密鑰/iu;

const isKeyNoun = ({ text, start, end }: Hit): boolean =>
  keyNoun.test(text.slice(Math.max(0, start - 60), end + 60).replaceAll('\n', ' . '));

/** `the credentials for staging are admin / turtleneck` */
const plainPair =
  /^[^\n.:"`=(]{0,40}(?:\s(?:are|is|sind|lauten|sont|son|são)|:)\s{1,2}([\p{L}][\w.@-]{1,30})(?:\s\/\s|\/|:)([^\s"'`(){}<>,;/:.]{4,40})(?=[\s,;.!)]|$)/u;
const everyUser =
  /^(?:admin|administrator|root|test|tester|demo|guest|sa|ops|deploy|postgres|oracle|pi|ubuntu|user\d*)$/i;

/** `credentials: ops:lighthouse12`, `log in with bob and hunter2secret` */
function findPair({ text, start: at, end }: Hit): Finding | undefined {
  const behind = /^[^\n]{0,90}/.exec(text.slice(end, end + 90))?.[0] ?? '';
  const pair =
    /^(?:[^\n.:/"`=]{0,32}[\s(]|:\s)(?:with |as |mit |avec |con )?([\p{L}][\w.@-]{1,30})(?:\s?:|\s?\/\s?|\sand\s|\sund\s|\set\s|\sy\s)([^\s"'`(){}<>,;/:]{6,40})/u.exec(
      behind,
    );
  const plain = plainPair.exec(behind);
  if (plain?.[1] && plain[2] && !isInterfaceWord(plain[1]) && isMadeUpWord(plain[2])) {
    const isUser = everyUser.test(plain[1]) || !/^log/i.test(text.slice(at, end));
    const from = end + plain[0].length - plain[2].length;
    if (isUser) return { start: from, end: from + plain[2].length };
  }
  const [whole = '', user = '', value = ''] = pair ?? [];
  const bare = bareOf(value);
  if (!pair || !/\d/.test(bare) || !isMarked(bare) || isKnownSaid(user) || /^\p{L}+\d+\p{L}+\d|\d{1,4}-\d/u.test(bare))
    return undefined;
  const start = end + whole.length - value.length;
  return { start, end: start + bare.length };
}

/** Users and passwords that a whole clause tells, by what stands in front of the value. */
const clauseRule = (keywords: readonly string[], pattern: RegExp, isValue: (value: string) => boolean): Rule =>
  placeRule('said-password', keywords, ({ text, start }) => {
    pattern.lastIndex = start;
    const match = pattern.exec(text);
    const span = match && spanOf(match, 0);
    return span && isValue(span.text) ? { start: span.start, end: span.end } : undefined;
  });

const isWordsOnly = (value: string): boolean =>
  !value.split(' ').some((one) => isInterfaceWord(one) || isSaidOfPasswords(one));
const roles =
  /^(?:editor|viewer|manager|moderator|superuser|operator|owner|member|guest|staff|customer|developer|maintainer|reader|writer|contributor|superadmin|support|client|server|backend|frontend|dashboard|console)$/;

const clauseRules: readonly Rule[] = [
  // `Use admin / glowworm to log in`
  clauseRule(
    ['use ', 'nutze ', 'usa ', 'utilise '],
    /(?<!\p{L})(?:use|nutze|usa|utilise)\s(?:admin|administrator|root|test|tester|demo|ops|deploy|postgres|pi|ubuntu)\s\/\s(\p{Ll}{6,30})(?=\s(?:to (?:log|sign) in|zum|para entrar|pour se|to connect))/iuy,
    (value) => isMadeUpWord(value) && !roles.test(value),
  ),
  // `network Harbour-Guest, pw seagulls`
  clauseRule(
    ['network ', 'netzwerk ', 'ssid ', 'wifi ', 'wlan '],
    /(?:network|netzwerk|ssid|wifi|wlan)\s(?:is\s)?[^\s,;]{2,40},\s(?:pw|pass|password|passwort)\s(\p{Ll}{6,40})(?=[\s.,!]|$)/iuy,
    isMadeUpWord,
  ),
  // `the passphrase of the disk, if you need it, would be …`
  clauseRule(
    ['passphrase '],
    /passphrase\s(?:of|for|to|on)\s[^.\n:;"]{0,80}?\s(?:would be|is|was)\s((?:[a-z]{3,12} ){3,7}[a-z]{3,12})(?=[.!,\n]|$)/iuy,
    isWordsOnly,
  ),
  clauseRule(
    ["parola d'ordine ", 'parola d’ordine '],
    /(?<=(?:usa|con|digita|inserisci|metti|scrivi)\s(?:la\s)?)parola d['’]ordine\s(\p{Ll}{3,14}(?: \p{Ll}{2,14}){2,6})(?=[.!]?\s*(?:\n|$))/iuy,
    (value) =>
      !value.split(' ').some((one) => isInterfaceWord(one) || /^(?:che|ti|ho|hai|mi|ci|vi|abbiamo)$/.test(one)) &&
      !isSaidOfPasswords(value.split(' ')[0] ?? ''),
  ),
  // `it used to be X, now the password is …`
  clauseRule(
    ['used to be '],
    /used to be ([^\s,;"']{5,40})(?=,? (?:but |and )?now the (?:\w{1,10} )?(?:password|passphrase|passcode|pw) is )/iuy,
    isMarked,
  ),
  // `troquei a senha do wifi, agora é …`
  clauseRule(
    ['senha ', 'contraseña ', 'password '],
    /(?:senha|contraseña|password)(?:\s(?:d[aoe]l?|of|of the)\s[\w-]{2,14})?, (?:(?:e )?agora é|(?:y )?ahora es|(?:and )?now it['’]s)\s(\p{Ll}{4,14}(?: \p{Ll}{4,14}){0,3})(?=[.!]?\s*(?:\n|$))/iuy,
    isWordsOnly,
  ),
  clauseRule(
    ['код от ', 'код для '],
    /код (?:от|для) (?:домофона|подъезда|двери|ворот|калитки|шлагбаума|гаража|сейфа|замка|сигнализации)\s(?:[—–-]\s)?(\d{4,8})(?![\p{L}\p{N}]|[.,:]\d)/iuy,
    () => true,
  ),
];

export const saidPairRules: readonly Rule[] = [
  ...clauseRules,
  // `root/X still works`, `root:X on the console`: a user that every system has, and what a person made up
  tellingRule('said-password', 'root/|root:|admin/|admin:|administrator:|administrator/|sysadmin/|ubuntu:', {
    lead: /(?<![\w/.@:-])$/,
    behind: /^([^\s"'`,;:()<>{}/@]{6,40})(?=[\s,;.)\]!?]|$)/,
    isValue: (value) => looksOf(value) === 'sure',
  }),
  // `user: amy, pass: X`
  tellingRule('said-password', ' pass:', {
    lead: /(?:user(?:name)?|login|account|benutzer)\s?[:=]\s?\S{2,40}[\s,;/]+(?:and )?$/i,
    behind: /^\s?([^\s"'`,;()<>{}]{5,64})(?=[\s,;.)]|$)/,
    isValue: isMarked,
  }),
  // `unlocks with the phrase "four small words"`
  tellingRule('said-password', 'phrase "|phrase “|words "|words “', {
    lead: /(?:opens?|unlocks?|decrypts?|mounts?|open(?:ed)? up)\s(?:it\s)?(?:with|by|using|after)\s(?:the\s)?(?:\w{1,10}\s)?$/i,
    behind: /^([^"”“'»\n]{8,80}?)\s?["”“'»]/,
    isValue: (value) => value.includes(' '),
  }),
  placeRule('said-pair', pairWords, (hit) => findPair(hit) ?? toldInPair(hit.text, hit)),
  placeRule('said-pair', signInWords, (hit) => toldInPair(hit.text, hit)),
  placeRule('said-password', keyNouns, (hit) =>
    isKeyNoun(hit) ? (toldInClause(hit.text, hit) ?? { ...hit, refused: true }) : undefined,
  ),
];
