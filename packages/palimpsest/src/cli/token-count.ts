/** Sizes in tokens, as options name them. */
import { PalimpsestError } from '@palimpsest/core';
import { parseTokenCount } from '@palimpsest/core/engine';

/** What is typed, such as `64_000`, `200k` or `1M`. Throws `BAD_OPTION` with the name of the option. */
export function tokenCountOf(option: string, text: string, { least = 1 }: { readonly least?: number } = {}): number {
  const tokens = parsed(text);
  if (tokens !== undefined && tokens >= least) return tokens;
  const got = JSON.stringify(text.slice(0, 40));
  const message = `expected ${option} to be a number of tokens of at least ${least}, such as 3000, 64_000, 200k or 1M; got ${got}`;
  throw new PalimpsestError('BAD_OPTION', message, { evidence: { option, value: text.slice(0, 40) } });
}

function parsed(text: string): number | undefined {
  try {
    return parseTokenCount(text);
  } catch (error) {
    if (PalimpsestError.isInstance(error)) return undefined;
    throw error;
  }
}

/** The tokens that `--target` names; a smaller handoff would say nothing. */
export const targetTokensOf = (text: string): number => tokenCountOf('--target', text, { least: leastTarget });

/** The least that our engine takes. */
export const leastTarget = 300;
