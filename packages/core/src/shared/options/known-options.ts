/** Refuses options that nobody knows: a misspelt one would be left out without a word. */
import { PalimpsestError } from '../errors.ts';
import { nearest } from './nearest.ts';
import { describe, isObject } from './schema.ts';

/** Every option of a function, so that the compiler tells when one is missing. */
export type KnownOptions<Options> = Readonly<Record<keyof Options & string, true>>;

/**
 * @param owner the function or class that takes the options, as its user writes it
 * @throws BAD_OPTION for what is no object, and for an option that is not in `known`
 */
export function checkKnownOptions<Options extends object>(
  owner: string,
  options: Options,
  known: KnownOptions<Options>,
): void {
  const given: unknown = options;
  if (!isObject(given)) {
    const message = `expected the options of ${owner} as an object, got ${describe(given)}`;
    throw new PalimpsestError('BAD_OPTION', message, { evidence: { option: 'options' } });
  }
  const stranger = Object.keys(given).find((name) => !Object.hasOwn(known, name));
  if (stranger === undefined) return;
  const option = stranger.slice(0, 40);
  const names = Object.keys(known);
  const near = nearest(option, names);
  const meant = near === undefined ? `the options are ${names.join(', ')}` : `did you mean ${near}?`;
  throw new PalimpsestError('BAD_OPTION', `expected an option of ${owner}, got ${option}: ${meant}`, {
    evidence: { option },
  });
}
