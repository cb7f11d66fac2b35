/** Every rule, the most particular first: where two find the same span, the first names it. */
import { namedRules } from './named.ts';
import { codeRules } from './named-codes.ts';
import type { Rule } from './rule.ts';
import { fileRules } from './rules-files.ts';
import { keyRules } from './rules-keys.ts';
import { literalRules } from './rules-literals.ts';
import { placeRules } from './rules-places.ts';
import { saidRules } from './said.ts';
import { answerRules } from './said-answers.ts';
import { doorRules } from './said-doors.ts';
import { saidRandomRules } from './said-random.ts';
import { saidScriptRules } from './said-scripts.ts';
import { toldRules } from './said-told.ts';
import { serviceRules } from './service-keys.ts';
import { tableRules } from './tables.ts';
import { vendorRules } from './vendor-keys.ts';

/** Every rule for credentials, in the order in which they are tried. */
export const rules: readonly Rule[] = [
  ...vendorRules,
  ...serviceRules,
  ...keyRules,
  ...placeRules,
  ...fileRules,
  ...namedRules,
  ...codeRules,
  ...literalRules,
  ...tableRules,
  ...saidRules,
  ...toldRules,
  ...answerRules,
  ...doorRules,
  ...saidScriptRules,
  ...saidRandomRules,
];
