/**
 * Lines that allow their reader something without giving an order: a safeguard may be left out, nobody need be asked, an
 * act that cannot be taken back is fine. What a program allows its users is told in other words, or of other things.
 */

import { type Instruction, powers } from '../../../language/instruction.ts';
import { permissions, releasingWords } from '../../../language/permissions.ts';
import { masked } from './quotes.ts';

/** The words that allow something, where the line has such; what is quoted allows nothing. Linear. */
export function permissionIn(line: string): Instruction | undefined {
  const text = masked(line);
  for (const { letters, patterns } of permissions) {
    if (!letters.test(text)) continue;
    for (const pattern of patterns) {
      const found = pattern.exec(text);
      if (found) return { start: found.index, end: found.index + found[0].length, why: powers };
    }
  }
  return undefined;
}

/** A person who says so may allow something. */
export const mayAllow = (text: string): boolean => releasingWords.test(text);
