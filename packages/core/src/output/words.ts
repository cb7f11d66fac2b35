/** Numbers and sizes as a model and a person read them. */
import type { SavedOutput } from '../store/output-store.ts';

/** `1234567` → `1,234,567`. */
export const grouped = (value: number): string => String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');

/** `1 line`, `20,431 lines`. */
export const noun = (count: number, one: string): string => `${grouped(count)} ${one}${count === 1 ? '' : 's'}`;

/**
 * `1,234,567 characters (1.2 MB), 20,431 lines`.
 *
 * @example
 * import { size } from '@palimpsest/core/store';
 * size({ characters: 1_234_567, bytes: 1_234_567, lines: 20_431 });
 */
export const size = ({ characters, bytes, lines }: Pick<SavedOutput, 'characters' | 'bytes' | 'lines'>): string =>
  `${noun(characters, 'character')} (${bytesText(bytes)}), ${noun(lines, 'line')}`;

/**
 * `1234567` bytes → `1.2 MB`: in KB, or in MB from one on.
 *
 * @example
 * import { bytesText } from '@palimpsest/core/store';
 * bytesText(1_234_567); // '1.2 MB'
 */
export function bytesText(bytes: number): string {
  const kilobytes = bytes / 1024;
  // What rounds to 1024 KB is a megabyte.
  return kilobytes >= 1023.95 ? `${(kilobytes / 1024).toFixed(1)} MB` : `${kilobytes.toFixed(1)} KB`;
}

/** A text from outside in one short line that cannot be taken for another part of what it is put into. */
export function oneLine(text: string, maxChars: number): string {
  const line = text
    .slice(0, 4 * maxChars)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Z}]+/gu, ' ')
    .replaceAll(/[[\]|]/g, '')
    .trim();
  return (line.length > maxChars ? `${line.slice(0, maxChars - 1)}…` : line).toWellFormed();
}
