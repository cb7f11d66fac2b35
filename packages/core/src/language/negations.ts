/**
 * Words that deny, order, join or limit what a sentence says. Of what denies, too many words are found rather than too
 * few, in seven languages.
 */

const latin = [
  "not|never|no|none|nobody|nothing|nowhere|neither|nor|cannot|without|hardly|unless|except|instead|rather|\\w+n['’]t|dont|wont|cant",
  'nicht|nichts|nie|niemals|niemand\\w*|nirgends|keine?[mnrs]?|keinesfalls|keineswegs|ohne|weder|statt|außer|kaum|finger weg',
  "ne|n['’]\\w+|pas|jamais|aucun\\w*|rien|personne|sans|ni|sauf|non",
  'nunca|jamás|sin|ningun\\w*|ningún|nadie|nada|tampoco|salvo|excepto|en vez',
].join('|');

const denyingVerbs = [
  'avoid\\p{L}*|refrain\\p{L}*|forbid\\p{L}*|forbad\\p{L}*|prohibit\\p{L}*|refus\\p{L}*|reject\\p{L}*|declin\\p{L}*|den(?:y|ies|ied)|stop\\p{L}*|skip\\p{L}*|exclud\\p{L}*|prevent\\p{L}*|ban(?:s|ned)?',
  'vermeid\\p{L}*|verboten\\p{L}*|unterlass\\p{L}*|verzicht\\p{L}*|lass\\p{L}*',
  'évit\\p{L}*|interdi\\p{L}*|arrêt\\p{L}*',
  'evit\\p{L}*|prohib\\p{L}*|dej\\p{L}+ de|rechaz\\p{L}*',
].join('|');

const wide = [
  // Chinese and Japanese characters, without the words in which they deny nothing.
  '不(?!过|過|错|同|断|久)|没|沒|(?<!特|分|区|差|类|级|个|性|识|告)[别別](?!人|的|名|墅)|[勿莫]|未(?!来|來)|[无無](?!论|論|理|事)|非(?!常)|除非|除了|除外',
  'ない|ません|なく|なし|ぬ(?=[。、]|$)|せず|ずに|いけな|だめ|駄目|いいえ',
  '않|못|없|아니|말(?:고|아|것| 것|라|지|자|아야|도록|기)|마세요|마십시오|마라|지 마|(?<!\\p{L})안 |외에|제외|빼고',
].join('|');

const denyingWide = '禁|避|拒|停止|やめ|금지';

const words = (narrow: string, broad: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\d_])(?:${narrow})(?![\\p{L}\\d_])|${broad}`, 'iu');

/** Words that deny. */
export const denyingWords: RegExp = words(latin, wide);

/** Words that deny, forbid or refuse. */
export const opposingWords: RegExp = words(`${latin}|${denyingVerbs}`, `${wide}|${denyingWide}`);

/** Never, and not even once. */
export const neverWords: RegExp =
  /\bnever\b|\bnot (?:even )?once\b|\bat no time\b|从未|从来没|一次也没|始终没|始终未|一度も|一回も|한 ?번도|끝내|전혀/i;

/** Words that speak of all there is of something. */
export const allWords: RegExp =
  /(?<!\p{L})(?:all|every(?:thing|one|body)?|whole|entire|any|always|alle[rsnm]?|alles|sämtliche[rsnm]?|jede[rsnm]?|immer|tous|toutes?|toujours|todos|todas|siempre)(?!\p{L})|所有|全部|全都|均|都|总是|一律|すべて|全て|全テスト|全部|常に|모든|모두|전부|항상/iu;

/** Which of two things comes first. */
export type Order = 'before' | 'after' | 'sequence';

/** Words for each order. */
export const orderWords: readonly (readonly [Order, RegExp])[] = [
  [
    'before',
    /(?<!\p{L})(?:before|until|prior to|bevor|vor(?:her)?|bis|avant|jusqu['’]|antes|hasta)(?!\p{L})|之前|以前|前(?=[，,]|に|再)|まで|る前|前に|전에|전까지|이전에/iu,
  ],
  [
    'after',
    /(?<!\p{L})(?:after|once|nachdem|nach|sobald|après|dès que|después|tras|una vez)(?!\p{L})|之后|以后|后(?=[，,再]|に)|した後|た後|後に|後で|てから|후에|뒤에|이후에|다음에/iu,
  ],
  [
    'sequence',
    /(?<!\p{L})(?:first|then|erst|zuerst|dann|danach|d['’]abord|puis|ensuite|primero|luego)(?!\p{L})|先|再|然后|まず|次に|それから|먼저|그다음|그 다음/iu,
  ],
];

/** A rule that allows something in one case denies it in all others. */
export const onlyIfWords: RegExp =
  /(?<!\p{L})(?:only (?:if|when|with|after|once|by)|nur (?:wenn|falls|mit|nach)|(?:seulement|uniquement) (?:si|avec|après)|s[oó]lo (?:si|con|cuando|tras))(?!\p{L})|(?:さ|)れない限り|場合のみ|場合に限り|只有|仅当|除非|경우에만|때만/iu;

/** What stands between two clauses that may contradict each other. */
export const senseClauses: RegExp = /[,，、:：]|\s(?:but|and then|aber|mais|pero)\s|但/iu;

/** What stands between two clauses of which one may admit a failure. */
export const admissionClauses: RegExp =
  /[,，、.。!！;；:：—–]+(?:\s+|$)|[，、。！；：]|\s(?:and|but|und|aber|et|mais|y|pero)\s|(?<=[\uac00-\ud7a3](?:고|지만))\s/u;

/** What stands between two names with their values. */
export const pairSeparators: RegExp = /[,;]\s+|[，、；\n]|\s(?:and|und|et|y)\s/u;

/** What stands between the members of a list, or between two sentences. */
export const listOrSentenceEnds: RegExp = /[,;，、；。]\s*|\.(?:\s+|$)|\s(?:and|und|et|y)\s/u;

/** Words that list several things. */
export const listingWords: RegExp = /(?<!\p{L})(?:and|und|et|y|e)(?!\p{L})|[和与、]|と|하고|와 |과 /iu;

/** What stands between two options. */
export const choiceJoints: RegExp =
  /\s(?:or|oder|ou|o|u|versus|vs\.?)\s|还是|還是|それとも|または|か[、，]?(?=[^かっ]{1,24}か[？?])|\s?(?:아니면|또는)\s?/iu;

/** A second verb of which the user is the subject. */
export const furtherVerbs: RegExp =
  /\b(?:and|but|then) (?:then |also |explicitly |later )*(?=(?:asked|requested|wanted|wants|told|instructed|demanded|ordered|approved|allowed|agreed|decided)\b)/gi;

/** Their full stop ends no clause. */
export const abbreviations: RegExp = /(?:^|[\s(])(?:e\.g|i\.e|vs|etc|cf|no|\d{1,3})$/i;

/** What makes the number behind it a rough one. */
export const approximations: RegExp =
  /(?:~|≈|\b(?:about|around|approx\w*|roughly|nearly|almost|over|under|up to|more than|less than|at least|some)|约|大约|超过|約|およそ|以上|약|대략)\s*[$€]?$/i;

/** The same behind the number. */
export const approximationsBehind: RegExp = /^\+|^\s?(?:以上|多|余|여)/;

/** What stands before the number of a line. */
export const lineNumberSigns: RegExp = /(?:[\w/]\.\w{1,5}:|:\d+:|\blines?\s|\bL|第|行)$/i;
