/** How a search may be narrowed. */

import { PalimpsestError } from '../../shared/errors.ts';
import { checkKnownOptions, type KnownOptions } from '../../shared/options/known-options.ts';
import { describe, isObject } from '../../shared/options/schema.ts';
import type { Instant } from '../../store/ids.ts';
import type { SearchFilter } from '../../store/search-index.ts';
import type { Embedder } from '../vectors/embedder.ts';

/** Which messages are searched, and how much is shown of them. */
export interface SearchOptions extends SearchFilter {
  /** Most hits, 1 to 1000. @default 20 */
  readonly limit?: number;
  /** Characters of a passage, 40 to 20,000. @default 240 */
  readonly passageCharacters?: number;
  /** Passages as they were said. @default false: recognised credentials are masked */
  readonly raw?: boolean;
  /** The model whose vectors take part in the ranking; `embedMessages` makes them. @default words alone */
  readonly vectors?: Embedder;
  /** Tell what each score is made of. @default false */
  readonly explain?: boolean;
}

export const searchDefaults = { limit: 20, passageCharacters: 240 } as const;

const known: KnownOptions<SearchOptions> = {
  roles: true,
  sources: true,
  project: true,
  sessions: true,
  without: true,
  since: true,
  until: true,
  limit: true,
  passageCharacters: true,
  raw: true,
  vectors: true,
  explain: true,
};

/** Options with their names and every number checked. Throws `BAD_OPTION`. */
export function resolveSearchOptions(
  options: SearchOptions,
): Required<Pick<SearchOptions, 'limit' | 'passageCharacters'>> {
  checkKnownOptions('search', options, known);
  const { limit = searchDefaults.limit, passageCharacters = searchDefaults.passageCharacters } = options;
  requireWhole('limit', limit, [1, 1000]);
  requireWhole('passageCharacters', passageCharacters, [40, 20_000]);
  for (const name of ['since', 'until'] as const) requireInstant(name, options[name]);
  return { limit, passageCharacters };
}

/** Throws `BAD_OPTION` for what is no store. */
export function requireSearchable(store: unknown): void {
  if (isObject(store) && isObject(store.index) && isObject(store.messages)) return;
  const message = `expected a store to search, as openStore gives it, got ${describe(store)}`;
  throw new PalimpsestError('BAD_OPTION', message, { evidence: { option: 'store' } });
}

/** Throws `BAD_OPTION` for what is no query. */
export function requireQuery(text: unknown): void {
  if (typeof text === 'string') return;
  throw new PalimpsestError('BAD_OPTION', `expected a query as a text, got ${describe(text)}`, {
    evidence: { option: 'query' },
  });
}

function requireWhole(option: string, value: number, [least, most]: readonly [number, number]): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  const message = `expected ${option} to be a whole number from ${least} to ${most}, got ${String(value)}`;
  throw new PalimpsestError('BAD_OPTION', message, { evidence: { option, value: String(value) } });
}

function requireInstant(option: string, value: Instant | undefined): void {
  if (value === undefined || Number.isFinite(value)) return;
  const message = `expected ${option} to be milliseconds since 1970, got ${String(value)}`;
  throw new PalimpsestError('BAD_OPTION', message, { evidence: { option, value: String(value) } });
}
