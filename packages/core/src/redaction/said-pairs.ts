/** Users and passwords told as a pair, and keys of networks and doors, whose nouns mean other things elsewhere. */
import { isInterfaceWord, isKnownSaid, isSaidOfPasswords } from './plain-words.ts';
import { type Finding, type Hit, placeRule, type Rule, words } from './rule.ts';
import { tellingRule } from './said-around.ts';
import { looksOf, toldInClause, toldInPair } from './said-clause.ts';
import { bareOf, isMadeUpWord, isMarked, spanOf } from './said-values.ts';

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
