/** Numbers that somebody keys in at a door, a safe or an alarm: `dial 3171 and the gate opens`, `4186で開きます`. */
import { type Finding, type Hit, placeRule, type Rule, words } from './rule.ts';
import { clauseAround, isCodeLike } from './said-clause.ts';

/** What a number opens, each of them nothing that programs have. */
const opened = words(
  'alarm|gate |garage|front door|back door|lockbox|key box|key safe|padlock|the safe|shed|letterbox|keypad',
  'schlüsselkasten|schlüsselbox|schlüsselsafe|haustür|garagentor|tresor|hoftor|digicode|portail|coffre-fort|boîte à clés',
  'buzón|caja fuerte|caja de llaves|portón|candado|cofre|portão|cadeado|fechadura|cassaforte|cancello|portone|lucchetto',
  'домофон|калитк|сейф|шлагбаум|ворот|门锁|門鎖|大门|门禁|保险柜|保险箱|キーボックス|金庫|ドア|玄関|裏口|南京錠',
  '현관|대문|금고|도어락|자물쇠|창고 문|출입문',
);

const number =
  '(?<value>\\d{4,6}|\\d{1,3}[A-Z]\\d{1,3}|\\d{2,4}[A-Z])(?![\\p{Script=Latin}\\p{Script=Cyrillic}\\d]|[.,:/-]\\d|[ ]?(?:€|\\$|%|euros?|reais|元|円|원|m²))';
/** The number is all that is keyed in, and counts nothing: a clause ends behind it, or goes on with a small word. */
const over =
  '(?=\\s*(?:[.,;:!?)—–-]|$)|\\s(?:and|then|at|on|to|twice|again|now|und|auf|rein|ein|an|dann|jetzt|et|puis|pour|maintenant|sur|y|e|en|na|no|para|luego|agora|depois|ahora|ora|poi|sul|и|на|потом)(?!\\p{L}))';
/** Keyed in: the verb in front of the number, or behind it. */
const keyed = new RegExp(
  '(?<!\\p{L})(?:key in|punch in|type(?: in)?|enter|dial|press|mit (?:der|dem)|tippe?|gib|wähle?|tape[rz]?|compose[rz]?|' +
    'marca[rs]?|marque|pulsa[rs]?|teclea[rs]?|digit(?:ando|ar|a|e|i)|premi|prema|набери(?:те)?|введи(?:те)?|нажми(?:те)?)\\s' +
    `(?:the code |the |den code |le code |el código |o código |code |код )?${number}${over}|(?<![\\d.,:/-])(?:按|输入|输|打)\\s?${number}|` +
    `(?<![\\d.,:/-])${number}\\s?(?:で開|で解錠|を押|を入力|(?:을|를)?\\s?(?:누르|눌러|입력)|(?:으)?로\\s열)`,
  'iu',
);

function keyedIn({ text, start, end }: Hit): Finding | undefined {
  // Asked first: to look for the ends of a clause costs more.
  if (!/\d\d/.test(text.slice(Math.max(0, start - 90), end + 90))) return undefined;
  const clause = clauseAround(text, { start, end });
  const said = text.slice(clause.start, clause.end);
  if (isCodeLike(said)) return undefined;
  const match = keyed.exec(said);
  const value = match?.groups?.value;
  if (!match || value === undefined || /^(?:19|20)\d\d$/.test(value)) return undefined;
  const from = clause.start + match.index + match[0].lastIndexOf(value);
  return { start: from, end: from + value.length };
}

export const doorRules: readonly Rule[] = [placeRule('said-pin', opened, keyedIn)];
