/** What the tools share: answers of bounded size, and errors that say what to do. */
import { estimateTextTokens, PalimpsestError } from '@palimpsest/core';

export interface ToolAnswer {
  readonly text: string;
  /** True where nothing was done, and the text says what to do. */
  readonly isError?: boolean;
}

/** Clients warn of results from 10,000 tokens on, and cut them from 25,000. */
export const mostAnswerTokens = 8_000;

/** Characters of a page, which in English take 5,000 tokens; other scripts take more. */
const usualPageChars = 20_000;
const leastPageChars = 400;
const mostTries = 4;

/** An answer in as large a page as fits: what makes it says in it how to read on. */
export async function fitted(make: (pageChars: number) => Promise<string>): Promise<string> {
  let pageChars = usualPageChars;
  let text = await make(pageChars);
  for (let tries = 1; tries < mostTries; tries++) {
    const tokens = estimateTextTokens(text);
    if (tokens <= mostAnswerTokens || pageChars === leastPageChars) break;
    pageChars = Math.max(leastPageChars, Math.floor((pageChars * 0.9 * mostAnswerTokens) / tokens));
    text = await make(pageChars);
  }
  return clipped(text);
}

/** For what has no pages: its beginning. */
export function clipped(text: string): string {
  const tokens = estimateTextTokens(text);
  if (tokens <= mostAnswerTokens) return text;
  const kept = text.slice(0, Math.floor((text.length * 0.9 * mostAnswerTokens) / tokens)).toWellFormed();
  return `${kept}\n[cut here: ${text.length - kept.length} more characters. Ask for less: a narrower query, a smaller limit or window]`;
}

/** For the model: an error of ours says what to do; of any other nothing is told but that it is one. */
export const errorText = (error: unknown): string =>
  PalimpsestError.isInstance(error)
    ? `${error.message} (${error.code})`
    : 'An error in Palimpsest itself; nothing was changed. Go on without, and tell the user.';

/** The text that stands in an argument; undefined for an empty one and for everything else. */
export function textOf(value: unknown): string | undefined {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  return text === '' ? undefined : text;
}
