/** How words that instruct the reader are described, and what is said of each kind. */
import { instructionHeads } from '../../../language/instruction.ts';

/** Where an order may begin. Found once for all patterns, which is what keeps them cheap. Linear. */
export const orderHeads = (text: string): readonly number[] => [
  /^[^\p{L}\p{N}]{0,16}/u.exec(text)?.[0].length ?? 0,
  ...[...text.matchAll(instructionHeads)].map(({ 0: found, index }) => index + found.length),
];
