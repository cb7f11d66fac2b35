/** Words that turn a sentence into its opposite, say what comes before what, or speak of all of something. */
import { allWords, denyingWords, type Order, opposingWords, orderWords } from '../../../language/negations.ts';

/** True where a word of the text denies. Linear. */
export const isDenied = (text: string): boolean => denyingWords.test(text);

/** True where a word of the text denies, forbids or leaves something out. Linear. */
export const isNegated = (text: string): boolean => opposingWords.test(text);

/** The orders that a text speaks of. Linear. */
export const ordersIn = (text: string): ReadonlySet<Order> =>
  new Set(orderWords.flatMap(([order, found]) => (found.test(text) ? [order] : [])));

/** True for a line that speaks of all of something. Linear. */
export const saysAll = (text: string): boolean => allWords.test(text);
