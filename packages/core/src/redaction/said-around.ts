/** Passwords that a sentence names around their noun: as its subject, as what they were set to, as an answer, beside a user. */
import { looksRandom } from './looks.ts';
import { isInterfaceWord, isKnownSaid, remembered } from './plain-words.ts';
import { placeRule, type Rule, type Span } from './rule.ts';
import { bareOf, inQuotes, isMadeUpWord, isMarked, isQuotedPassword, spanOf } from './said-values.ts';
import { isPassword } from './values.ts';

/** How a sentence tells a password: what stands around the noun, and what may be the value. */
export interface Telling {
  /** Of the text in front of the noun. */
  readonly lead?: RegExp | ((lead: string) => boolean);
  /** Of the text behind it. */
  readonly tail?: RegExp;
  /** Has the value in a group, in front of the noun or behind it; its last group is for values without quotes. */
  readonly before?: RegExp;
  readonly behind?: RegExp;
  /** The noun is one of these. */
  readonly noun?: RegExp;
  /** Asked of a value without quotes and without the signs that end a clause. */
  readonly isValue: (value: string) => boolean;
  /** Asked of one in quotes. @default isQuotedPassword */
  readonly isQuoted?: (value: string) => boolean;
}

/** The value of a telling around a noun, if it has one. */
export const toldBy = (telling: Telling, text: string, noun: Span): Span | undefined =>
  toldIn(telling, sayingAround(text, noun));

/** The value of the first telling that has one. */
export function toldByAny(list: readonly Telling[], text: string, noun: Span): Span | undefined {
  const saying = sayingAround(text, noun);
  for (const telling of list) {
    const found = toldIn(telling, saying);
    if (found) return found;
  }
  return undefined;
}

/** A noun with what stands around it. */
interface Saying extends Span {
  readonly word: string;
  readonly front: string;
  readonly rest: string;
  /** False where the noun is followed by one word at most: by no value. */
  readonly goesOn: boolean;
}

function sayingAround(text: string, { start, end }: Span): Saying {
  const rest = text.slice(end, end + 200);
  const front = text.slice(Math.max(0, start - 120), start);
  return { start, end, word: text.slice(start, end), front, rest, goesOn: rest.includes(' ') || rest.includes('\n') };
}

function toldIn(
  { lead, tail, before, behind, noun, isValue, isQuoted = isQuotedPassword }: Telling,
  { start, end, word, front, rest, goesOn }: Saying,
): Span | undefined {
  if (behind && !goesOn) return undefined;
  if (noun && !noun.test(word)) return undefined;
  if (tail && !tail.test(rest)) return undefined;
  if (lead && !(typeof lead === 'function' ? lead(front) : lead.test(front))) return undefined;
  const match = before?.exec(front) ?? behind?.exec(rest);
  const value = match && spanOf(match, before ? start - front.length : end);
  if (!value) return undefined;
  if (value.isQuoted) return isQuoted(value.text) ? value : undefined;
  const bare = bareOf(value.text);
  return isValue(bare) ? { start: value.start, end: value.start + bare.length } : undefined;
}

/** A rule for what is told around a keyword. */
export const tellingRule = (id: string, keywords: string, telling: Telling): Rule =>
  placeRule(id, keywords, (hit) => toldBy(telling, hit.text, hit));

export const isMadeUp = (value: string): boolean => isMarked(value) || isMadeUpWord(value);
export const isUser = (name: string | undefined): boolean =>
  name !== undefined && !isKnownSaid(name) && !isInterfaceWord(name);

/** `is` in the languages that passwords are told in, with the demonstrative that may stand in front of it. */
const copula =
  "(?:,?\\s(?:is|was|will be|is now|is still|ist|war|est|était|sera|es|era|será|é|è|jest|är|er|var|je|bylo|este|είναι|là|adalah|ialah|to(?: jest)?|это|це|теперь|on)\\s|['’]s\\s|" +
  ",?\\s(?:that['’]s|it['’]s|c['’]est|c['’]était|das ist|dat is|det är|det er|eso es|isso é|questa è|è questa|ecco|вот)\\s|\\s[—–-]\\s(?:(?:that['’]s|it['’]s|c['’]est|das ist|dat is|это|це|to|eso es|isso é|è)\\s)?)";
const article =
  'the|our|my|your|their|his|her|das|unser|mein|dein|le|notre|mon|ton|la|el|nuestra|mi|tu|a|o|nossa|minha|sua|il|nostra|het|ons|mijn|nasze|moje|наш|мой|твой|det|vårt|mitt|a';
/** Where no article is used, or it is the end of the noun. */
const bareNoun =
  /^(?:lösenord|adgangskod|passord|hasł|haslo|hesl|парол|пасс|jelsz|parol|salasana|κωδικ|mật|sandi|kata)/iu;
const place = '[\\p{L}\\p{N}_-]{1,16}';

const subject = (isArticleNeeded: boolean): RegExp =>
  new RegExp(
    `(?:^|[\\n.!?;:,(—–]\\s*|[-*>]\\s)(?:(?:so|ok|okay|yes|yep|btw|oh|also|and|hint|ja|oui|sí|sim|да|то|и)[,:]?\\s)?` +
      `(?:${inQuotes}|([^\\s"'\`“”„«»‘’「」<>()[\\]{}|\\\\,:;=]{4,40}|\\p{Ll}{3,14}(?: \\p{Ll}{3,14}){2,5}))${copula}` +
      `\\s*(?:(?:${article})\\s${isArticleNeeded ? '' : ')?(?:'})(?:${place}[\\s-]){0,3}(?:[\\p{L}-]{1,16}-)?$`,
    'iu',
  );
const withArticle = subject(true);
const withoutArticle = subject(false);

/** The noun ends the clause, or says what it opens. */
const goesOn =
  /^(?:\p{L}{1,3})?(?:\s*(?:$|[.,;!?)\n…"”—–])|\s(?:for|of|to|on|at|in|as|now|and|but|all|there|here|we|you|i|it|everywhere|again|btw|für|fürs|vom|von|der|des|beim|im|zum|zur|und|pour|du|de|des|sur|del|da|do|dos|das|para|per|dei|degli|della|dello|di|van|voor|op|na|w|we|do|od|dla|от|для|на|к|в|до|від|för|till|til|på|i|k|ke|pro|od|a|pentru|για|του|της|cho|của|untuk|dari)(?!\p{L}))/iu;

/** What stands in front of `is the password` and is none: what the sentence is about. */
const topics =
  /^(?:this|that|these|those|it|what|which|who|whose|where|there|here|how|why|when|then|below|above|following|attached|enclosed|email|e-mail|mail|phone|name|username|user|login|date|birthday|birthdate|question|problem|issue|goal|point|idea|trick|thing|reason|cause|answer|solution|step|part|only|nothing|everything|something|anything|none|both|mine|yours|same|default|important|missing|security|safety|identity|knowledge|length|entropy|strength|complexity|biometrics?|root|admin|today|tomorrow|yesterday|error|result|output|input|value|field|line|file|link|note|notes|case|all|also|maybe|perhaps|because|since|although|though|while|like|such|first|second|third|last|next|weakness|simplicity|else|wichtig|wichtiger|gesucht|gefragt|gemeint|hier|dies|dieses|das|folgendes|unten|oben|anbei|sicherheit|problem|ursache|grund|ziel|voici|voilà|ceci|cela|celui-ci|dessous|sécurité|problème|aquí|abajo|arriba|esto|esta|eso|esa|seguridad|aqui|abaixo|isto|isso|esse|essa|segurança|ecco|qui|questo|questa|quella|quello|sotto|sicurezza|hier|dit|deze|veiligheid|hieronder|tutaj|poniżej|oto|najważniejsze|bezpieczeństwo|pierwsze|główne|здесь|ниже|вот|главное|важно|это|основное|далее|безопасность|проблема|här|detta|denna|följande|säkerhet|nedan|zde|níže|toto|bezpečnost|aici|acesta|aceasta|security|ini|itu|đây|đó|này|celui|celle|ceux|celles|ce|cet|quel|quels|quelles|cuál|cual|quale|welches|welcher|wie|какой|такой|quello|aquele|aquela|aquel|aquella|ese|ésta|derjenige|dasjenige|everywhere|nowhere|somewhere|anywhere|teil|parte|partie|pieza|geheimsache|chefsache|vertrauenssache|wunsch|anfrage|anweisung|basis|important|principal|clave|seule?|solo|sola|único|única|tutto|toda|todo|alles|wszystko|всё|все|allt)$/iu;

/** What a sentence is about, and no password. */
export const isTopic = (word: string): boolean => topics.test(word);

const isSubject: (value: string) => boolean = remembered((value) => {
  if (isMarked(value)) return true;
  const words = value.split(' ');
  if (words.some((one) => topics.test(one) || isKnownSaid(one) || isInterfaceWord(one))) return false;
  if (words.length > 1) return words.every((one) => isMadeUpWord(one) || one.length < 4) && !/ć|ź|ż|ę/u.test(value);
  return (
    /^\p{Ll}{4,}(?:[-_]\p{Ll}{3,}){1,3}$|^\p{L}\p{Ll}{3,29}$/u.test(value) &&
    !/(?:tion|sion|ness|ment|heit|keit|ung|ción|ção|zione|ость|ое|ее|ność)$/.test(value)
  );
});

/** `golondrina es la contraseña del wifi`, `"blue heron" is our password` */
export function toldAsSubject(text: string, { start, end }: Span): Span | undefined {
  const before = text.slice(Math.max(0, start - reach), start);
  if (before === '' || !goesOn.test(text.slice(end, end + 24))) return undefined;
  const line = before.slice(before.lastIndexOf('\n') + 1);
  if (line.length === reach) return undefined;
  const match = (bareNoun.test(text.slice(start, end)) ? withoutArticle : withArticle).exec(line);
  const value = match && spanOf(match, start - line.length);
  return value && (value.isQuoted ? isQuotedPassword : isSubject)(value.text)
    ? { start: value.start, end: value.end }
    : undefined;
}
const reach = 110;

const one = '([^\\s"\'`“”„«»<>()[\\]{}|\\\\,:;=]{4,40})';
/** Behind a value that a password was set to: `auf X geändert`, `X olarak değiştirdim`. */
const setTo = new RegExp(
  `^\\p{L}{0,6}(?:\\s[\\p{L}-]{2,16}){0,2}?\\s(?:auf|in|zu|til|till|naar|op|na|на)\\s(?:${inQuotes}|${one})\\s(?:geändert|umgestellt|gesetzt|gewechselt|abgeändert|zurückgesetzt|veranderd|gewijzigd|gezet|zmieni|змени|поменя|сменил|ändrat|bytt|endret|ændret)|^(?:\\p{L}{0,6})\\s(?:${inQuotes}|${one})\\solarak\\s(?:değiş|ayarla|belirle|güncelle|yap|koy)`,
  'iu',
);
/** The same with the verb in front: `changed the password to lavender.` */
const changedBefore =
  /(?:changed|reset|switched|set|updated|zmieni\p{L}+|поменял\p{L}?|сменил\p{L}?|изменил\p{L}?|cambié|cambiado|he cambiado|changé|mudei|troquei|cambiato|ändrade|bytte)\s(?:\p{L}{1,8}\s){0,3}(?:[\p{L}-]{1,12}-)?$/iu;
const changedTo = (words: string): RegExp =>
  new RegExp(
    `^(?:\\s[\\p{L}-]{2,16}){0,3}?\\s(?:${words})\\s(?:${inQuotes}|(\\p{L}[^\\s"'\`“”„«»<>()[\\]{}|\\\\,:;=]{3,39}))(?=[.,;!)]?(?:\\s*$|\\s*\\n|[.,;!)]\\s))`,
    'iu',
  );

/** `kelebek ofis wifi şifresi`: without a verb, the word, the place and the noun are the whole line. */
const verbless =
  /(?:^|[\n.!?,]\s*)(\p{Ll}{4,20})\s(?:(?:ofis|ev|misafir|yeni|eski|bizim|ortak|şirket)(?:in|nin|deki)?\s){0,2}(?:wifi|wi-fi|modem|router|kablosuz|internet|ağ|zip|arşiv|kasa|alarm|kapı|yazıcı|vpn|nas)\S{0,4}\s$/iu;
const turkishTopics =
  /^(?:ofis|modem|sunucu|misafir|kullanıcı|yönetici|admin|veritabanı|şirket|yeni|eski|bizim|ortak|işte|budur|aşağıda|ağ|router|yanlış|hatalı|bunun|onun|benim|senin|için|kablosuz|wifi|giriş|gerekli|lütfen|unutulan)$/iu;

const typed =
  /^[^.\n]{0,50}?(?<!\p{L})(?:type[ds]?|enter(?:ed)?|keyed in|gib|tippe?|eingeben|tape[rz]?|saisi[rst]?|saisissez|escrib[ea]|teclea|digite|scrivi|wpisz|typ):?\s["“„«]?(?<words>\p{Ll}{2,}(?:\s\p{L}{1,20}){2,9})(?=["”“»]?[.!]?\s*(?:\n|$))/u;
const asPhrase = /^\s(?<words>\p{Ll}{2,}(?:\s\p{L}{1,20}){2,9})(?=\s(?:ein|eingeben)[.!]?\s*(?:\n|$))/u;

/** What is called by a name with digits, and is no password: ways to hash, to encode, to log in. */
const method =
  /^(?:argon2|sha-?\d|md[45]|pbkdf2|scrypt|bcrypt|oauth|base\d\d|utf-?\d|http|ipv[46]|x\.?509|pkcs|aes|des|rc4|rsa|ecdsa|ed\d|ntlm|tls|ssl|ssh|wpa|web|win|v\d|u2f|fido|totp|hotp|[12]fa|[12]password|iso|rfc|http2)/i;

const opening =
  'log ?in|login|sign in|connect|create|unlock|open|extract|encrypt|decrypt|protect|unzip|access|authenticate|register|use|ssh';
/** Verbs of getting in, of which one must stand in the sentence. */
const getsIn = new RegExp(
  `(?<!\\p{L})(?:${opening}|anmeld\\p{L}*|melden?|einlog\\p{L}*|öffnen?|entsperr\\p{L}*|connecte\\p{L}*|cré\\p{L}+|ouvr\\p{L}+|inici\\p{L}+|entr[aáeo]\\p{L}*|conect\\p{L}+|abr\\p{L}+|acced\\p{L}+|acess\\p{L}+|войти|зайти)(?!\\p{L})`,
  'iu',
);
const withNoun =
  /(?<!\p{L})(?:with|using|by|and|mit|und|avec|et|con|y|com|e|с|и)\s(?:\p{L}{1,5}\s)?(?:[\p{L}-]{1,12}\s)?$/iu;

const asks =
  /(?:what(?:['’]s| is| was)|which(?: is)?|was ist|wie (?:lautet|ist|heißt|war)|quel(?:le)? est|c['’]est quoi|cuál es|qual é|com'è|какой|jakie jest|wat is)\s[^.?!\n]{0,40}$/i;
const answer =
  /^[^.\n?]{0,40}\?["”»“]?\s{0,3}\n[\s>—–-]{0,6}(?:[\p{L}\d_]{1,20}:\s)?(?:["“„«]\s?([^"”“»\n]{4,60}?)\s?[.!]?["”“»]|([^\s"<>:]{4,40}))[.!]?\s*(?:\n|$)/u;

const made =
  /^\s(?:[^\s:;"'(){}=]{1,40}\s){0,7}?(?:generated|created|assigned|issued|set|reset|is|for|erzeugt|generiert|vergeben|lautet|für|généré|créé|pour|generada|creada|para|gerada|criada)\s(?:[^\s:;"'(){}=]{1,40}\s?){0,4}:\s([^\s"'`]{6,80})(?=\s|$)/iu;

const asUser =
  /(?<!\p{L})(?:(?:in|on|connect|login|ssh|su|user) as|with|as|als|mit|unter|en tant que|comme|avec|como|con|com|come|как|под)\s([\p{L}][\p{L}\w.@-]{1,30})(?:\s?[,;/]\s?(?:\p{L}{1,4}\s)?|,?\s(?:and|und|et|y|e|en|и|with|mit|avec|con|com)\s(?:\p{L}{1,5}\s)?)$/iu;

const isTypedPhrase = (value: string): boolean => {
  const words = value.split(' ');
  return words.length > 2 && !words.some(isInterfaceWord) && !isKnownSaid(words[0] ?? '');
};

/** What nobody would say in words. */
const isDrawn = (value: string): boolean =>
  (looksRandom(value, 8) || (/[!#$%&*+?^~<>@]/.test(value) && /\d/.test(value))) &&
  isPassword(value) &&
  !/[/\\(]|^\S+@\S+\.\w/.test(value);

const isCertain = (value: string): boolean =>
  isMarked(value) &&
  ((/\p{L}/u.test(value) && /[\d#@!$%&*+]/.test(value.slice(1))) ||
    /^\p{Lu}\p{Ll}+(?:[._]\p{Lu}\p{Ll}+)+$/u.test(value)) &&
  !method.test(value);

const phrases = /(?:phrase|frase|zin|фраза)$/iu;
const anyUser = 'user(?:name)?|login|account|host|server|benutzer|usuario|utilisateur|usuário';

/** What a password was changed into, and what is told without a verb. */
export const tellings: readonly Telling[] = [
  { behind: setTo, isValue: isMadeUp },
  { lead: changedBefore, behind: changedTo('to|para|till'), isValue: isMadeUp },
  // Where the word also tells where or how, a plain word with a capital.
  {
    lead: changedBefore,
    behind: changedTo('na|на|a|por|en|in|à'),
    isValue: (value) => isMarked(value) || (/^\p{Lu}/u.test(value) && isMadeUpWord(value)),
  },
  {
    noun: /^(?:ş|.arola)/iu,
    tail: /^(?:si|sı)?\s*(?:$|[.,!\n])/u,
    before: verbless,
    isValue: (value) => !turkishTopics.test(value) && isMadeUpWord(value),
  },
  // `for the passphrase, type: four small words`: up to the end of the line, where no word says what to type instead.
  { noun: phrases, behind: typed, isValue: isTypedPhrase },
  { noun: phrases, behind: asPhrase, isValue: isTypedPhrase },
];

/** `What's the password?`, and the next line is it. */
export const answered: Telling = {
  lead: asks,
  behind: answer,
  isValue: (value) => isMarked(value) || (/^\p{Ll}/u.test(value) && isMadeUpWord(value)),
};

/** Behind a noun and a blank. */
export const besideTellings: readonly Telling[] = [
  // `ssh in as root, password …`, `melde dich mit anna und dem Kennwort … an`
  {
    lead: (lead) => isUser(asUser.exec(lead)?.[1]),
    behind: /^[ ]([^\s"'`,;:()<>{}]{4,64})(?=\s|[,;.]|$)/,
    isValue: isMadeUp,
  },
  // `A temporary password is generated for root@localhost: …`
  { behind: made, isValue: isDrawn },
  // At the start of a line: `pwd applesauce user svc_backup host nas2`
  {
    lead: (lead) => lead === '' || /[\n,;]\s?$/.test(lead),
    behind: new RegExp(
      `^[ ]([^\\s"'\`,;:(){}<>=]{4,40}),?[ ](?:${anyUser})(?:[:=]\\s?|[ ])[\\w.@-]{2,40}(?:\\s|$|[,;])`,
      'i',
    ),
    isValue: isMadeUp,
  },
  // `log in with the password pineapplehat.`: a word that says nothing of a password and ends the sentence.
  {
    lead: (lead) => withNoun.test(lead) && getsIn.test(lead.slice(lead.lastIndexOf('. ') + 1)),
    behind: /^[ ](\p{Ll}{6,30})(?=[ ](?:an|ein)[.!]?\s*(?:$|\n)|[.!]?[ ]*(?:$|\n))/u,
    isValue: isMadeUpWord,
  },
];

/** Of a line that is no code: `the password toor-9`, `Kennwort Start#2024`. */
export const besideMarked: Telling = {
  behind: /^[ ]([^\s"'`“”„«»<>()[\]{}|\\=/:,;.@$-][^\s"'`“”„«»<>()[\]{}|\\=/:,;]{4,63})(?=[\s,;.!?)]|$)/u,
  isValue: isCertain,
};
