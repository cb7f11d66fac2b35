/**
 * Words that turn a sentence into its opposite: `not`, `never`, `without`, `avoid`, nicht, 不, ない, 않. Closed classes
 * of seven languages, and the commonest verbs that deny by themselves. Too many are found rather than too few.
 */

const latin = [
  // English
  `not|never|no|none|nobody|nothing|nowhere|neither|nor|cannot|without|hardly|unless|except|instead|rather|\\w+n['’]t|dont|wont|cant`,
  `avoid\\w*|refrain\\w*|forbid\\w*|forbad\\w*|forbidden|prohibit\\w*|refus\\w*|reject\\w*|declin\\w*|den(?:y|ies|ied)|stop\\w*|skip\\w*|exclud\\w*|prevent\\w*|ban(?:s|ned)?`,
  // German
  `nicht|nichts|nie|niemals|niemand\\w*|nirgends|keine?[mnrs]?|keinesfalls|keineswegs|ohne|weder|statt|außer|kaum|vermeid\\w*|verboten\\w*|unterlass\\w*|verzicht\\w*|lass\\w*|finger weg`,
  // French
  `ne|n['’]\\w+|pas|jamais|aucun\\w*|rien|personne|sans|ni|sauf|évit\\w*|interdi\\w*|arrêt\\w*|refus\\w*|non`,
  // Spanish
  `nunca|jamás|sin|ningun\\w*|ningún|nadie|nada|tampoco|salvo|excepto|evit\\w*|prohib\\w*|dej\\w+ de|en vez|rechaz\\w*`,
].join('|');

const wide = [
  // Chinese and Japanese characters; without the words in which they deny nothing.
  '不(?!过|過|错|同|断|久)|没|沒|(?<!特|分|区|差|类|级|个|性|识|告)[别別](?!人|的|名|墅)|[勿莫]|未(?!来|來)|[无無](?!论|論|理|事)|非(?!常)|禁|避|拒|除非|除了|除外|停止',
  // Japanese
  'ない|ません|なく|なし|ぬ(?=[。、]|$)|せず|ずに|いけな|だめ|駄目|やめ|いいえ',
  // Korean
  '않|못|없|금지|아니|말(?:고|아|것| 것|라|자|아야|도록|기)|마세요|마십시오|마라|지 마|(?<!\\p{L})안 |외에|제외|말고|빼고',
].join('|');

const words = new RegExp(`(?<![\\p{L}\\d_])(?:${latin})(?![\\p{L}\\d_])|${wide}`, 'iu');

/** True where a word of the text denies, forbids or excludes something. Linear. */
export const isNegated = (text: string): boolean => words.test(text);
