/** Passwords that are the subject of their sentence, `golondrina es la contraseña`, and those that were set in it, `auf X geändert`. */

import { isInterfaceWord, isKnownSaid, remembered } from './plain-words.ts';
import type { Span } from './rule.ts';
import { bareOf, inQuotes, isMadeUpWord, isMarked, isQuotedPassword, spanOf } from './said-values.ts';

const reach = 110;

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
  /^(?:this|that|these|those|it|what|which|who|whose|where|there|here|how|why|when|then|below|above|following|attached|enclosed|email|e-mail|mail|phone|name|username|user|login|date|birthday|birthdate|question|problem|issue|goal|point|idea|trick|thing|reason|cause|answer|solution|step|part|only|nothing|everything|something|anything|none|both|mine|yours|same|default|important|missing|security|safety|identity|knowledge|length|entropy|strength|complexity|biometrics?|root|admin|today|tomorrow|yesterday|error|result|output|input|value|field|line|file|link|note|notes|case|all|also|maybe|perhaps|because|since|although|though|while|like|such|first|second|third|last|next|weakness|simplicity|else|wichtig|wichtiger|gesucht|gefragt|gemeint|hier|dies|dieses|das|folgendes|unten|oben|anbei|sicherheit|problem|ursache|grund|ziel|voici|voilà|ceci|cela|celui-ci|dessous|sécurité|problème|aquí|abajo|arriba|esto|esta|eso|esa|seguridad|aqui|abaixo|isto|isso|esse|essa|segurança|ecco|qui|questo|questa|quella|quello|sotto|sicurezza|hier|dit|deze|veiligheid|hieronder|tutaj|poniżej|oto|najważniejsze|bezpieczeństwo|pierwsze|główne|здесь|ниже|вот|главное|важно|это|основное|далее|безопасность|проблема|här|detta|denna|följande|säkerhet|nedan|zde|níže|toto|bezpečnost|aici|acesta|aceasta|security|ini|itu|đây|đó|này|important|principal|clave|seule?|solo|sola|único|única|tutto|toda|todo|alles|wszystko|всё|все|allt)$/iu;

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
export function toldAsSubject(text: string, noun: Span): Span | undefined {
  const from = Math.max(0, noun.start - reach);
  const before = text.slice(from, noun.start);
  if (before === '' || !goesOn.test(text.slice(noun.end, noun.end + 24))) return undefined;
  const lead = before.slice(before.lastIndexOf('\n') + 1);
  const pattern = bareNoun.test(text.slice(noun.start, noun.end)) ? withoutArticle : withArticle;
  const match = pattern.exec(lead);
  const value = match && spanOf(match, noun.start - lead.length);
  if (!value || (before.length === lead.length && from > 0)) return undefined;
  const isTold = value.isQuoted ? isQuotedPassword(value.text) : isSubject(value.text);
  return isTold ? { start: value.start, end: value.end } : undefined;
}

const one = '([^\\s"\'`“”„«»<>()[\\]{}|\\\\,:;=]{4,40})';
/** Behind a value that a password was set to: `auf X geändert`, `X olarak değiştirdim`. */
const setTo = new RegExp(
  `^\\p{L}{0,6}(?:\\s[\\p{L}-]{2,16}){0,2}?\\s(?:auf|in|zu|til|till|naar|op|na|на)\\s(?:${inQuotes}|${one})\\s(?:geändert|umgestellt|gesetzt|gewechselt|abgeändert|zurückgesetzt|veranderd|gewijzigd|gezet|zmieni|змени|поменя|сменил|ändrat|bytt|endret|ændret)|^(?:\\p{L}{0,6})\\s(?:${inQuotes}|${one})\\solarak\\s(?:değiş|ayarla|belirle|güncelle|yap|koy)`,
  'iu',
);
/** The same with the verb in front: `changed the password to lavender.` */
const changedBefore =
  /(?:changed|reset|switched|set|updated|zmieni\p{L}+|поменял\p{L}?|сменил\p{L}?|изменил\p{L}?|cambié|cambiado|he cambiado|changé|mudei|troquei|cambiato|ändrade|bytte)\s(?:\p{L}{1,8}\s){0,3}(?:[\p{L}-]{1,12}-)?$/iu;
const changedTo = new RegExp(
  `^(?:\\s[\\p{L}-]{2,16}){0,3}?\\s(?:to|na|на|a|por|en|para|in|till|à)\\s(?:${inQuotes}|(\\p{L}[^\\s"'\`“”„«»<>()[\\]{}|\\\\,:;=]{3,39}))(?=[.,;!)]?(?:\\s*$|\\s*\\n|[.,;!)]\\s))`,
  'iu',
);

/** What a password was changed into, where the verb stands behind it or in front of the noun. */
export function setInto(text: string, noun: Span): Span | undefined {
  const behind = text.slice(noun.end, noun.end + 90);
  if (!behind.trimEnd().includes(' ', 2) || behind[0] === ':') return undefined;
  const match =
    setTo.exec(behind) ??
    (changedBefore.test(text.slice(Math.max(0, noun.start - 48), noun.start)) ? changedTo.exec(behind) : null);
  const value = match && spanOf(match, noun.end);
  if (!value) return undefined;
  if (value.isQuoted) return isQuotedPassword(value.text) ? value : undefined;
  const bare = bareOf(value.text);
  return isMarked(bare) || isMadeUpWord(bare) ? { start: value.start, end: value.start + bare.length } : undefined;
}

/** `kelebek ofis wifi şifresi`: without a verb, the word, the place and the noun are the whole line. */
const verbless =
  /(?:^|[\n.!?,]\s*)(\p{Ll}{4,20})\s(?:(?:ofis|ev|misafir|yeni|eski|bizim|ortak|şirket)(?:in|nin|deki)?\s){0,2}(?:wifi|wi-fi|modem|router|kablosuz|internet|ağ|zip|arşiv|kasa|alarm|kapı|yazıcı|vpn|nas)\S{0,4}\s$/iu;
const turkishTopics =
  /^(?:ofis|modem|sunucu|misafir|kullanıcı|yönetici|admin|veritabanı|şirket|yeni|eski|bizim|ortak|işte|budur|aşağıda|ağ|router|yanlış|hatalı|bunun|onun|benim|senin|için|kablosuz|wifi|giriş|gerekli|lütfen|unutulan)$/iu;

export function toldWithoutVerb(text: string, noun: Span): Span | undefined {
  if (
    !(text[noun.start]?.toLowerCase() === 'ş' || text.startsWith('arola', noun.start + 1)) ||
    !/^(?:si|sı)?\s*(?:$|[.,!\n])/u.test(text.slice(noun.end, noun.end + 4))
  )
    return undefined;
  const from = Math.max(0, noun.start - 60);
  const match = verbless.exec(text.slice(from, noun.start));
  const value = match?.[1];
  if (!match || value === undefined || turkishTopics.test(value) || !isMadeUpWord(value)) return undefined;
  const start = from + match.index + match[0].indexOf(value);
  return { start, end: start + value.length };
}
