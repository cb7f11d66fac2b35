/** Says what of a call makes no sense, to callers whom no compiler has told. */

import { PalimpsestError } from '../shared/errors.ts';
import { describe } from '../shared/options/schema.ts';

export const wrongOption = (name: string, expected: string, came: unknown): PalimpsestError =>
  new PalimpsestError('BAD_OPTION', `expected as ${name} ${expected}, got ${describe(came)}`, {
    evidence: { option: name },
  });
