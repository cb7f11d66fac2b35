/** How one value in the text of a file of settings is read, set and taken out, while everything else stays byte for byte. */
import { PalimpsestError } from '@palimpsest/core/settings';

/** Where a value stands: keys from the outside in, and numbers for places in a list. */
export type KeyPath = readonly (string | number)[];

/** One format of files. All of it throws `BAD_CONFIG` for a text that is not what it should be, with the line. */
export interface Editor {
  /** Undefined where the key is not set. Throws where it holds something else than a text. */
  read(text: string, path: KeyPath): string | undefined;
  /** The text with the value set, by the smallest change. */
  set(text: string, path: KeyPath, value: string): string;
  /** The text without the key; of the keys around it, those from `made` on go too where they are empty then. */
  remove(text: string, path: KeyPath, made: number): string;
  /** How many keys of the path are there, from the outside. */
  depth(text: string, path: KeyPath): number;
  /** The entries of the list at a path, in order; none where there is no list, or where the format has none. */
  entries(text: string, path: KeyPath): readonly ListEntry[];
}

/** An entry of a list: the texts that stand in it by their keys, each with where it begins. */
export interface ListEntry {
  readonly texts: Readonly<Record<string, { readonly value: string; readonly start: number } | undefined>>;
}

export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export const splice = (text: string, { start, end, text: between }: Splice): string =>
  text.slice(0, start) + between + text.slice(end);

/** What the lines of a text end with. */
export const lineEnd = (text: string): string => (/\r\n/.test(text) ? '\r\n' : '\n');

/** Tells what is wrong and where, and never what stands there: it may be a key. */
export function broken(text: string, at: number, what: string): PalimpsestError {
  const line = text.slice(0, at).split('\n').length;
  return new PalimpsestError('BAD_CONFIG', `line ${line}: ${what}`, { evidence: { line } });
}

export const keyName = (path: KeyPath): string => path.join('.');

export const notText = (path: KeyPath): string =>
  `expected ${keyName(path)} to be a text, or not to be set; it is something else`;
