/** Sizes as people write them: a number of tokens. */
import { PalimpsestError } from '../errors.ts';

const units: Readonly<Record<string, number>> = { '': 1, k: 1_000, m: 1_000_000 };

/**
 * A number of tokens as people write it: `128000`, `64_000`, `64,000`, `200k`, `1M`, `1.05m`. `k` is a thousand and `m` a
 * million. Throws `BAD_OPTION` for anything else, zero and negative numbers included.
 */
export function parseTokenCount(value: string | number): number {
  const text = String(value).trim();
  const match = /^(\d{1,3}(?:[_,]?\d{3})*|\d+)(\.\d+)?\s*([km]?)$/i.exec(text);
  const tokens = match ? Math.round(Number(match[1]?.replace(/[_,]/g, '') + (match[2] ?? '')) * unitOf(match[3])) : 0;
  if (match && tokens > 0 && Number.isSafeInteger(tokens) && isWhole(match)) return tokens;
  throw new PalimpsestError(
    'BAD_OPTION',
    `Expected a number of tokens above 0, such as 128000, 64_000, 200k or 1M; got "${text.slice(0, 40)}".`,
    { evidence: { value: text.slice(0, 40) } },
  );
}

const unitOf = (unit = ''): number => units[unit.toLowerCase()] ?? 1;

/** Only thousands and millions have decimals: half a token is a mistake. */
const isWhole = (match: RegExpExecArray): boolean => match[2] === undefined || unitOf(match[3]) > 1;
