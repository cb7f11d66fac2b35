/**
 * Words that turn a sentence into its opposite: `not`, `never`, `without`, nicht, 不, ない, 않; and the commonest verbs
 * that deny by themselves: `avoid`, `forbid`. Of seven languages; too many are found rather than too few.
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

const denying = words(latin, wide);
const opposing = words(`${latin}|${denyingVerbs}`, `${wide}|${denyingWide}`);

/** True where a word of the text denies. Linear. */
export const isDenied = (text: string): boolean => denying.test(text);

/** True where a word of the text denies, forbids or leaves something out. Linear. */
export const isNegated = (text: string): boolean => opposing.test(text);
