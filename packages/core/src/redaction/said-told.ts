/** Passwords of plain words that a sentence gives a noun: behind a verb, by a change, as a role, in another clause. */
import { lazily } from '../shared/lazily.ts';
import { type Finding, type Hit, placeRule, type Rule, type Span } from './rule.ts';
import { type Expected, valueFrom, valueUpTo } from './said-reader.ts';
import { firstLine, lastLine } from './said-values.ts';
import {
  againWords,
  articles,
  asWords,
  changes,
  followWords,
  insteadWords,
  isWords,
  setWords,
  toWords,
  typeWords,
} from './said-words-told.ts';

const reach = 110;

/** What may stand between the noun and its verb: what it is of, since when, who says so. */
const ofWords =
  "for|of|to|on|at|in|from|für|fürs|vom|von|der|des|zu|zum|zur|im|am|beim|auf|pour|de|du|des|d['’]|sur|del|da|do|dos|das|no|na|di|della|dello|dei|per|al|van|voor|op|od|do|от|для|на|к|в|у";
const whoWords = 'that|which|I|we|you|he|she|they|que|qu|ich|wir|che|który|który|которы[йе]|wat|die|den|das|ik';
const plainAdverbs =
  'itself|now|here|there|currently|selbst|hier|jetzt|nun|provisoire|temporaire|actuel|nouveau|habituel|temporal|provisional|nueva|actual|provisória|temporária|nova|atual|provvisoria|temporanea|nuova|attuale|tymczasowe|nowe';
const link = `(?:\\s(?:(?:${ofWords})(?:\\s|(?<=['’]))|(?:${whoWords})[\\s'’])[^.,;:!?\\n"“„«»=(){}<>]{1,60}?|,\\s(?:that|which|das|die|que|qui|che|который|który)\\s[^.;:!?\\n"=(){}]{1,50},|\\s(?:${plainAdverbs})){0,2}?`;

const behindVerb = lazily(
  () =>
    new RegExp(
      `^(?:${link}\\s(?:${isWords})|['’]s|${link},? (?:it['’]s|c['’]est|das ist|es ist|è|é|es)|${link},\\s(?:which|qui|che|que)\\s(?:is|est|è|es|é)|${link} (?:—|–)(?=\\s\\p{Script=Cyrillic})),?:?(?=\\s)`,
      'iu',
    ),
);
const auxiliary =
  'was|is|has been|had been|got|being|wurde|ist|wird|est|a été|fue|ha sido|se|foi|è stata|è|werd|is|została|был|была';
interface ChangePatterns {
  readonly before: RegExp;
  /** `set the password of the box to X` */
  readonly object: RegExp;
  /** `the password was set to X` */
  readonly subject: RegExp;
  readonly isAmbiguous: boolean;
}
const changePatterns = lazily((): readonly ChangePatterns[] =>
  changes.map(({ set, to, isAmbiguous = false }) => ({
    before: new RegExp(`(?<!\\p{L})(?:${set})\\s(?:[\\p{L}'’]{1,14}\\s){0,3}(?:[\\p{L}-]{1,12}-)?$`, 'iu'),
    object: new RegExp(`^${link}\\s(?:${to})(?=\\s)`, 'iu'),
    subject: new RegExp(`^${link}(?:\\s(?:${auxiliary})(?:\\s\\p{L}{2,10})?)?\\s(?:${set})\\s(?:${to})(?=\\s)`, 'iu'),
    isAmbiguous,
  })),
);
const changedLater = lazily(
  () => new RegExp(`^[^.!?\\n=(){}]{0,60}?(?<!\\p{L})(?:${setWords})\\s(?:${toWords})(?=\\s)`, 'iu'),
);
/** German puts the verb last: `auf X geändert`. */
const verbLast = lazily(
  () =>
    new RegExp(
      `^(?:\\s[^.,;:!?\\n"=(){}]{1,40}?)?\\s(?:auf|in|zu|naar|op)\\s(?=[^\\n.]{2,50}?\\s(?:${setWords})(?!\\p{L}))`,
      'iu',
    ),
);
const changedBefore = new RegExp(
  `(?<!\\p{L})(?:${setWords})\\s(?:[\\p{L}'’]{1,14}\\s){0,3}(?:[\\p{L}-]{1,12}-)?$`,
  'iu',
);
const follows = lazily(
  () =>
    new RegExp(
      `^(?:\\s[^.,;:!?\\n]{1,40}?)?\\s(?:(?:is|ist|lautet|est|es|é|è)\\s)?(?:${followWords})\\s?[:：](?=\\s)`,
      'iu',
    ),
);
const asBefore = lazily(
  () => new RegExp(`(?<!\\p{L})(?:${asWords})\\s(?:(?:${articles})\\s)?(?:\\p{L}{3,12}\\s)?$`, 'iu'),
);
const typedAs = lazily(
  () => new RegExp(`(?<!\\p{L})(?:${typeWords})\\s(?:${asWords})\\s(?:(?:${articles})\\s)?$`, 'iu'),
);
const plainly =
  /^\s(?:einfach|bitte|mal|just|simply|simplement|juste|simplemente|simplesmente|semplicemente|просто)(?=\s)/iu;
/** `als Kennwort einfach X genommen` */
const chosen = /^\s(?:einfach|mal|jetzt|nun)(?=\s\S{4,40}\s(?:genommen|gewählt|gesetzt|vergeben|benutzt|verwendet))/iu;
const withBefore = /(?<!\p{L})(?:with|using|mit|avec|con|com|met|с)\s(?:\p{L}{1,12}\s){0,2}$/iu;
const asBehind = lazily(
  () =>
    new RegExp(
      `^(?:\\s(?:${typeWords})|(?:\\s(?:le|te|lhe|ho|he|ich|du|man|je|j['’]ai|tu|nimmt|habe|hab|puse|puso|pusimos|puesto|pon|pones|pongo|messo|metti|mettete|usi|mis|metta|coloquei|pus|usei|use|used|we|I|you|give|set|chose|picked)(?=\\s)){1,3})?:?(?=\\s)`,
      'iu',
    ),
);
const typeLead = lazily(
  () =>
    new RegExp(
      `(?<!\\p{L})(?:${typeWords}|${setWords}|with|mit|avec|con|com|met|с|opens with|unlocks with|opened with|geht mit|öffnet mit|s['’]ouvre avec|abre con|abre com|si apre con|открывается)\\s`,
      'giu',
    ),
);
const typeVerb = lazily(() => new RegExp(typeLead().source, 'iu'));
const roleBehind = lazily(
  () => new RegExp(`^(?<value>.{2,60}?)\\s(?:${asWords})\\s(?:(?:${articles})\\s?)?(?:[\\p{L}-]{1,14}\\s)?$`, 'iu'),
);
/** `enter X for the password` */
const typedFor = lazily(
  () =>
    new RegExp(
      `(?<!\\p{L})(?:type|enter|key in|tape[rz]?|saisi[rst]+|escrib[ae]s?|digit[ae]r?|tippe?|gib)\\s(?<value>\\S{6,40})\\s(?:for|für|pour|para|per)\\s(?:${articles})\\s$`,
      'iu',
    ),
);
const thatIs = lazily(
  () =>
    new RegExp(
      `^(?<value>.{2,60}?)\\s?[,(—–-]{1,2}\\s?(?:that['’]s|that (?:is|was)(?: always)?|this is|das war|c['’]était|era|it['’]s|das ist|c['’]est|esa es|ese es|es|essa é|esta é|é|questa è|è|это|to|dat is)\\s(?:(?:${articles})\\s?)?(?:[\\p{L}-]{1,14}\\s)?$`,
      'iu',
    ),
);
/** The noun is whole: what follows does not make it one of something else. */
const isWhole =
  /^(?:\s*(?:$|[.,;:!?)\n…"”—–])|\s(?:for|of|to|on|at|in|and|but|now|if|when|für|vom|von|der|und|pour|de|du|des|et|sur|del|da|do|y|e|per|della|di|van|voor|на|от|для|и)(?!\p{L}))/u;
const typedBehind = lazily(
  () => new RegExp(`^[^.!\\n]{0,50}?(?:[,;:–—-]|\\?\\s{0,3})\\s?(?:[>-]\\s)?(?:${typeWords}):?(?=\\s)`, 'iu'),
);
const asksFor =
  /(?:ask|prompt|want|need|request|frag|verlang|demand|pid[ea]|ped[ei]|chied|vraag|pyta|спрос|запрос|прос|when|what|quand|wenn|si|quando|cuando|если|когда)[^.\n]{0,50}$/iu;
const again = lazily(
  () =>
    new RegExp(
      `^[^\\n]{0,80}?(?:[.,;?!]["”]?|\\s[—–-]|(?=\\s(?:and|but|und|aber|et|mais|y|pero|e|mas|ma|а|но|и)\\s)|^)\\s["“]?(?:(?:and|but|und|aber|et|mais|y|pero|e|mas|ma|а|но|и)\\s)?(?:${againWords})(?=\\s)`,
      'iu',
    ),
);
const instead = lazily(() => new RegExp(`^\\s(?:${insteadWords})(?=\\s)`, 'iu'));
const oldOne =
  /^[^.\n]{0,60}?(?:the old one|the new one|das alte|das neue|l['’]ancien(?:ne)?|la vieja|la antigua|a antiga|la vecchia|старый|старая)\s\(/iu;
/** `la clave es escuchar`: the key to something is to do something, or what somebody has. */
const keyNoun = /^(?:clave|chave)$/i;
/** `la clave del éxito: constancia`: the key to something, and no password. */
export const isKeyToSomething = (before: string, value: string): boolean =>
  /(?:clave|chave)$/iu.test(before) && isAct.test(value);
const isAct = /^\p{Ll}+(?:[aei]r|[aei]rse|ción|ção|dad|dade|encia|ência|ancia|ância|anza|eza|ismo)(?: |$)/u;
const phraseNoun = /(?:phrase|frase|satz|zin|фраза)/iu;

/** What a sentence tells around a noun, in front of it or behind it. */
export function toldInWords(text: string, noun: Span): Finding | undefined {
  const tail = text.slice(noun.end, noun.end + 200);
  // Nouns again and again are a list of words or made to be slow.
  if (tail.split(text.slice(noun.start, noun.end), 4).length > 3) return undefined;
  const head = lastLine(text.slice(Math.max(0, noun.start - reach), noun.start));
  if (isCode(head, firstLine(tail))) return undefined;
  const promise: Expected = { isPhrase: phraseNoun.test(text.slice(noun.start, noun.end + 14)) };
  const found = behindNoun(text, noun, { tail, head, promise }) ?? beforeNoun(text, noun, { tail, head, promise });
  return found ? { ...found, more: laterValues(text, found.end) } : laterOnly(text, noun.end, tail);
}

interface Around {
  readonly tail: string;
  readonly head: string;
  readonly promise: Expected;
}

function behindNoun(text: string, { start, end }: Span, { tail, head, promise }: Around): Span | undefined {
  if (/^\s?[:=(]|^["'`\])](?!s\s)/.test(tail)) return undefined;
  const at = (pattern: RegExp): number | undefined => {
    const match = pattern.exec(tail);
    return match ? end + match[0].length : undefined;
  };
  // `our old passphrase, "four small words", …`
  const apposed = /^,\s["“„«]/.test(tail) ? valueFrom(text, end + 1) : undefined;
  if (apposed && text.slice(apposed.start, apposed.end).includes(' ')) return apposed;
  const told = at(behindVerb()) ?? at(follows());
  const value = told === undefined ? undefined : valueFrom(text, told, promise);
  if (value && !(keyNoun.test(text.slice(start, end)) && isAct.test(text.slice(value.start, value.end)))) return value;
  const last = at(verbLast());
  if (last !== undefined) return upToVerb(text, last);
  const changed = changedBehind(text, end, { tail, head, promise });
  if (changed) return changed;
  // `opens with the passphrase four small words`
  if (promise.isPhrase && withBefore.test(head)) {
    const words = valueFrom(text, end, { isPhrase: true, isWordEnough: false });
    if (words && text.slice(words.start, words.end).split(' ').length >= 4) return words;
  }
  if (asBefore().test(head) && !/^\s(?:is|was|ist|war|est|es|é|è)\s/.test(tail)) {
    const role = at(chosen) ?? at(asBehind()) ?? (typedAs().test(head) ? (at(plainly) ?? end) : undefined);
    // Directly behind the noun only where the sentence has a verb for it: `changer de mot de passe` has none.
    const used =
      role === undefined || (role === end && !typeVerb().test(head) && !isGetsIn(head))
        ? undefined
        : valueFrom(text, role, { isWordEnough: role > end || isGetsIn(head) || typedAs().test(head) });
    if (used) return used;
  }
  const typed = asksFor.test(head) ? at(typedBehind()) : undefined;
  const keyed = typed === undefined ? undefined : valueFrom(text, typed, { isPhrase: true });
  if (keyed) return keyed;
  const later = at(changedLater());
  return later === undefined ? undefined : quotedFrom(text, later);
}

function changedBehind(text: string, end: number, { tail, head, promise }: Around): Span | undefined {
  if (!anySet().test(tail) && !changedBefore.test(head)) return undefined;
  for (const { before, object, subject, isAmbiguous } of changePatterns()) {
    const match = subject.exec(tail) ?? (before.test(head) ? object.exec(tail) : null);
    const value = match ? valueFrom(text, end + match[0].length, promise) : undefined;
    if (
      value &&
      !(isAmbiguous && /^\p{Ll}+(?: |$)/u.test(text.slice(value.start, value.end)) && !isQuoted(text, value))
    )
      return value;
  }
  return undefined;
}
const anySet = lazily(() => new RegExp(`\\s(?:${setWords})\\s`, 'iu'));
const isQuoted = (text: string, { start }: Span): boolean => /["“„«‘「'`]/.test(text[start - 1] ?? '');

const isGetsIn = (head: string): boolean =>
  /(?<!\p{L})(?:user|login|utente|usuario|usuário|utilisateur|identifiant|benutzer|nutzer|konto|логин)/iu.test(head);

/** `auf X geändert`: the value ends where the verb stands. */
function upToVerb(text: string, at: number): Span | undefined {
  const verb = new RegExp(`\\s(?:${setWords})(?!\\p{L})`, 'iu').exec(text.slice(at, at + 60));
  return verb ? valueUpTo(text, at, at + verb.index) : undefined;
}

const quotedFrom = (text: string, at: number): Span | undefined =>
  /^\s{0,2}["“„«‘「']/.test(text.slice(at, at + 3)) ? valueFrom(text, at) : undefined;

/** `type X as the password`, `it opens with X (that's the password)` */
function beforeNoun(text: string, noun: Span, { tail, head }: Around): Span | undefined {
  if (!isWhole.test(tail.slice(0, 24))) return undefined;
  const entered = typedFor().exec(head);
  if (entered?.groups?.value !== undefined) {
    const at = noun.start - head.length + entered.index + entered[0].indexOf(entered.groups.value);
    return valueUpTo(text, at, at + entered.groups.value.length);
  }
  const leads = [...head.matchAll(typeLead())];
  const lead = leads.at(-1);
  if (!lead) return undefined;
  const from = lead.index + lead[0].length;
  const said = head.slice(from);
  const value = (roleBehind().exec(said) ?? thatIs().exec(said))?.groups?.value;
  const start = noun.start - head.length + from;
  return value === undefined ? undefined : valueUpTo(text, start, start + value.length);
}

/** `…, now it's X instead of Y`, `… (the old one was Y)` */
function laterValues(text: string, end: number): readonly Span[] {
  const tail = text.slice(end, end + reach);
  const found: Span[] = [];
  for (const pattern of [again, instead]) {
    const match = pattern().exec(tail);
    const value = match ? valueFrom(text, end + match[0].length) : undefined;
    if (value) found.push(value, ...(pattern === again ? laterValues(text, value.end) : []));
  }
  const old = oldOne.exec(tail);
  const close = old ? tail.indexOf(')', old[0].length) : -1;
  const inBrackets = old && close !== -1 ? valueUpTo(text, end + old[0].length, end + close) : undefined;
  return inBrackets ? [...found, inBrackets] : found;
}

/** `I changed the password, now it's X`: only where the noun's own clause has no value. */
function laterOnly(text: string, end: number, tail: string): Finding | undefined {
  const match = again().exec(tail);
  const value = match ? valueFrom(text, end + match[0].length) : undefined;
  return value ? { ...value, more: laterValues(text, value.end) } : undefined;
}

/** `I changed the router login. It used to be X, now it's Y`, where the noun is of no password. */
function toldOfLogin({ text, start, end }: Hit): Finding | undefined {
  const head = lastLine(text.slice(Math.max(0, start - reach), start));
  return changedBefore.test(head) && isWholeLogin.test(text.slice(end, end + 14))
    ? laterOnly(text, end, text.slice(end, end + 200))
    : undefined;
}

const isWholeLogin =
  /^(?:[.,;:!]|\s(?:yesterday|today|again|last|this|on|for|at|of|to|details|gestern|heute|für|vom|hier|du|de|ayer|ontem|ieri|del|do|да)(?!\p{L}))/u;

const networkBefore =
  /(?<!\p{L})(?:ssid|wi-?fi|wlan|network|netzwerk|netz|hotspot|réseau|red|rede|rete|netwerk|sieć|сеть|router)(?!\p{L})[^.\n]{0,50}[,;:/|(—–-]\s?(?:(?:and|the|und|der|et|la|y|e)\s)?$/iu;
/** `ssid Chapel, key is X` */
function keyOfNetwork({ text, start, end }: Hit): Finding | undefined {
  if (!networkBefore.test(text.slice(Math.max(0, start - 80), start))) return undefined;
  const is = new RegExp(`^\\s(?:${isWords}):?(?=\\s)`, 'iu').exec(text.slice(end, end + 40));
  return is ? valueFrom(text, end + is[0].length) : undefined;
}

const answerWord = lazily(
  () =>
    new RegExp(
      `^[^\\n]{0,80}?(?<!\\p{L})(?:answer|antwort|réponse|respuesta|resposta|risposta|antwoord|odpowiedź|ответ)(?:\\s[^.,:;!?\\n]{1,40}?)??(?:\\s(?:${isWords})|\\s?:)(?=\\s)`,
      'iu',
    ),
);
/** `the security question is about …, the answer is X` */
function answerOfQuestion({ text, end }: Hit): Finding | undefined {
  const match = answerWord().exec(text.slice(end, end + 140));
  return match ? valueFrom(text, end + match[0].length) : undefined;
}

/** `the username is amy and you'll need this to get in: X` */
const behindUser = /^\s[^\s,;]{2,40}[^.\n:]{0,80}:\s(?=\S{5,40}(?:[.,;]?\s|$))/;
function besideUserName({ text, end }: Hit): Finding | undefined {
  const match = behindUser.exec(text.slice(end, end + 180));
  const value = match ? valueFrom(text, end + match[0].length, { isWordEnough: false }) : undefined;
  return value && !text.slice(value.start, value.end).includes(' ') ? value : undefined;
}

const puk = lazily(
  () =>
    new RegExp(
      `puk(?:[ -]?(?:code|number|nummer|kod))?${link}(?:\\s?[:：]|\\s(?:${isWords}))?\\s(\\d{6,10})(?!\\d)`,
      'iuy',
    ),
);

export const toldRules: readonly Rule[] = [
  placeRule(
    'said-password',
    'username is|user name is|login is|user is|benutzername ist|benutzer ist|identifiant est|usuario es|usuário é|utente è|логин',
    besideUserName,
  ),
  placeRule('said-password', 'login|zugang|anmeldung|access|acceso|acesso|accès|accesso|credentials', toldOfLogin),
  placeRule('said-password', ' key|schlüssel|clé|clave|chave|chiave|sleutel|klucz|ключ|code', keyOfNetwork),
  placeRule(
    'said-password',
    'security question|secret question|sicherheitsfrage|question secrète|question de sécurité|pregunta de seguridad|pregunta secreta|pergunta de segurança|pergunta secreta|domanda di sicurezza|domanda segreta|контрольный вопрос|секретный вопрос',
    answerOfQuestion,
  ),
  placeRule('said-password', 'secret answer|security answer|sicherheitsantwort', ({ text, start }) =>
    answerOfQuestion({ text, start, end: start - 1 }),
  ),
  placeRule('said-pin', 'puk ', ({ text, start }) => {
    const pattern = puk();
    pattern.lastIndex = start;
    const value = pattern.exec(text)?.[1];
    return value === undefined ? undefined : { start: pattern.lastIndex - value.length, end: pattern.lastIndex };
  }),
];

const isCode = (head: string, line: string): boolean =>
  /[\p{L}\p{N}_]\(|[{;=]|=>|<(?!!--)|\bdef\b|^\s*["'](?!\p{Lu}\p{Ll}*['’ ])|^\s*@\w+\s*$/u.test(head) ||
  /[;{[]\s*$|^\S*\(|[=<>{}]/.test(line);
