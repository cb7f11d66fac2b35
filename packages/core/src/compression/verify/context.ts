/** What every check of a verification looks at, and what it gives back. */
import type { LedgerFacts } from '../ledger/facts.ts';
import type { ClaimLine } from './claim-line.ts';
import type { ClaimType, WrongClaim } from './claims.ts';
import type { Lookup } from './lookup.ts';
import type { Passages } from './passages.ts';
import type { RecordRows } from './record-rows.ts';
import type { Source } from './source.ts';
import type { UserWords } from './user-words.ts';

export interface Context {
  readonly source: Source;
  readonly lookup: Lookup;
  readonly passages: Passages;
  readonly facts: LedgerFacts;
  readonly rows: RecordRows;
  readonly lines: readonly ClaimLine[];
  /** True for a line that the conversation says word for word, or that the ledger writes of it. */
  isVerbatim(line: ClaimLine): boolean;
  readonly userWords: UserWords;
  /** True for words that stand so in a message of the user. */
  isUsers(text: string): boolean;
}

/** What one check found in one line. */
export interface Checked {
  /** What was looked at. */
  readonly claims: readonly ClaimType[];
  readonly wrong: readonly WrongClaim[];
}

/** Looks at one line. */
export type Check = (line: ClaimLine, context: Context) => Checked;

export const nothing: Checked = { claims: [], wrong: [] };
