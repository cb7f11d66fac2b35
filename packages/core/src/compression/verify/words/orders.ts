/** Words that say what comes before what. */

export type Order = 'before' | 'after' | 'sequence';

const words: readonly (readonly [Order, RegExp])[] = [
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

/** The orders that a text speaks of. Linear. */
export const ordersIn = (text: string): ReadonlySet<Order> =>
  new Set(words.flatMap(([order, found]) => (found.test(text) ? [order] : [])));
