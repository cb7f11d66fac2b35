/** The sizes in a provider's words: what its model takes, how much there was, and how much output would fit. */
import { sizeWordings, tierWordings } from './wordings.data.ts';

/** What a provider said about sizes, in tokens. What it did not say is absent. */
export interface FailureLimits {
  /** The window: between `windowRange.from` and `windowRange.to`. */
  readonly contextLength?: number;
  /** The most output that this call could have asked for. */
  readonly outputTokens?: number;
  /** How large the provider found the request: as a whole where it says so, else the prompt. */
  readonly requestedTokens?: number;
}

/** No window is smaller or larger; what is, is another number. */
export const windowRange = { from: 1_024, to: 10_000_000 } as const;

/** True for a number that can be a window. */
export const isWindow = (tokens: number | undefined): tokens is number =>
  tokens !== undefined && Number.isInteger(tokens) && tokens >= windowRange.from && tokens <= windowRange.to;

/** The sizes of a text, by their names in `wordings.data.ts`. */
export type Sizes = Readonly<Partial<Record<SizeName, number>>>;

type SizeName =
  | ('window' | 'prompt' | 'more' | 'images' | 'atLeast' | 'chars')
  | ('output' | 'total' | 'room' | 'cap' | 'below');

/** Digits are bounded, for a long run of them would be tried from each of them on. */
const patternOf = (wording: string): RegExp =>
  new RegExp(wording.replaceAll(/<(\w+)>/g, '(?<$1>\\d[\\d,_]{0,24})'), 'i');
const sizePatterns: readonly RegExp[] = sizeWordings.map(patternOf);
const tierPatterns: readonly RegExp[] = tierWordings.map(patternOf);

/** Finds the sizes; `tier` also takes the limits of an account for one. */
export function sizesIn(text: string, { tier = false }: { tier?: boolean } = {}): Sizes {
  const sizes: Partial<Record<SizeName, number>> = {};
  for (const pattern of tier ? tierPatterns : sizePatterns) {
    const groups = pattern.exec(text)?.groups;
    if (!groups) continue;
    for (const [name, digits] of Object.entries(groups)) {
      const tokens = Number(digits.replaceAll(/[,_]/g, ''));
      // The groups are named in `wordings.data.ts`, by these names.
      if (Number.isSafeInteger(tokens)) sizes[name as SizeName] ??= tokens;
    }
  }
  return sizes;
}

/** A character of mixed text is about a third of a token: rather too much than too little. */
const charsPerToken = 3;

/** Tokens of the prompt as the provider counted them; an estimate where it counted characters. */
export function promptIn({ prompt, more, images, chars }: Sizes): number | undefined {
  if (prompt !== undefined) return prompt + (more ?? 0) + (images ?? 0);
  return chars === undefined ? undefined : Math.ceil(chars / charsPerToken);
}

/**
 * Output that would have fitted. Where the prompt is known the rest of the window is; where only its least size is, the
 * rest may be as much as was asked for, so half of that is tried.
 */
export function roomIn(sizes: Sizes): number | undefined {
  const { window, output, atLeast, room, cap, below } = sizes;
  const prompt = promptIn(sizes);
  const rests = [
    room,
    cap,
    below === undefined ? undefined : below - 1,
    isWindow(window) && prompt !== undefined ? window - prompt : undefined,
    atLeast !== undefined && output !== undefined ? Math.floor(output / 2) : undefined,
  ].filter((rest) => rest !== undefined && rest > 0);
  return rests.length === 0 ? undefined : Math.min(...rests.map(Number));
}

/** The limits that the sizes amount to. `output` says whether too much output was the trouble. */
export function limitsOf(sizes: Sizes, { output }: { output: boolean }): FailureLimits {
  const room = output ? roomIn(sizes) : undefined;
  const requested = sizes.total ?? promptIn(sizes) ?? sizes.atLeast;
  return {
    ...(isWindow(sizes.window) ? { contextLength: sizes.window } : {}),
    ...(room === undefined ? {} : { outputTokens: room }),
    ...(requested === undefined ? {} : { requestedTokens: requested }),
  };
}
