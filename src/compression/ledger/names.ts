/** Foreign text on its way into a row of the handoff. */

/** On one line: what others wrote never begins a row, or it could pass for somebody's words (invariant 4). */
export const flat = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** A tool's name as it may stand behind a ref: without the colon that marks a speaker. */
export const toolName = (name: string): string => flat(name).replace(/[:：\s]/g, '_');

/** The text up to `length` characters on one line, with a mark where it was cut. */
export function clip(text: string, length: number): string {
  const line = flat(text);
  return line.length <= length ? line : `${line.slice(0, length - 1).trimEnd()}…`;
}
