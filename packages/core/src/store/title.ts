/** What a title may look like, in every adapter. */
import { PalimpsestError } from '../shared/errors.ts';
import type { TitleOrigin } from './session-store.ts';

/** Characters at most. */
export const maxTitleCharacters = 100;

/** Control characters, format characters (which have no width), and halves of surrogate pairs. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}]/gu;

/**
 * A title on one line without characters that cannot be seen; undefined when nothing is left. Throws `BAD_OPTION` for
 * one that is too long; what a tool's own file gives is cut instead, since nobody is there to choose another.
 */
export function cleanTitle(title: string, from: TitleOrigin): string | undefined {
  const clean = title.replaceAll(/\s+/g, ' ').replaceAll(unseen, '').replaceAll(/ +/g, ' ').trim();
  if (clean === '') return undefined;
  const characters = Array.from(clean);
  if (characters.length <= maxTitleCharacters) return clean;
  if (from === 'source')
    return `${characters
      .slice(0, maxTitleCharacters - 1)
      .join('')
      .trimEnd()}…`;
  throw new PalimpsestError(
    'BAD_OPTION',
    `A title has at most ${maxTitleCharacters} characters; this one has ${characters.length}. Shorten it.`,
    { evidence: { characters: characters.length } },
  );
}

/** A title without its number, and the number: `X #3` is the third `X`. */
export function titleNumber(title: string): { readonly base: string; readonly number: number } {
  const [, base, digits] = /^(.*\S) #(\d{1,9})$/.exec(title) ?? [];
  return base === undefined ? { base: title, number: 1 } : { base, number: Number(digits) };
}

/** The title with another number, cut so that both fit. */
export function numberedTitle(base: string, number: number): string {
  const end = ` #${number}`;
  return `${Array.from(base)
    .slice(0, maxTitleCharacters - end.length)
    .join('')
    .trimEnd()}${end}`;
}

/** True when a title that `from` gives may take the place of one that `known` gave. */
export const mayReplace = (from: TitleOrigin, known: TitleOrigin | undefined): boolean =>
  known === undefined || strength[from] >= strength[known];

const strength: Readonly<Record<TitleOrigin, number>> = { user: 2, model: 1, source: 0 };
