/** Shortening of one text with a mark that says how much is gone and how to get it back. */

/** What the mark says besides the number of characters that are gone. */
export interface CutMark {
  /** The id that brings the whole text back. */
  readonly ref: string;
  readonly remark?: string;
}

/** Characters kept at the start and at the end. */
export interface Ends {
  readonly head: number;
  readonly tail: number;
}

/** Start and end of a text, `keep` characters in all, around a mark with the number of characters cut. */
export function cutMiddle(text: string, keep: number | Ends, { ref, remark = '' }: CutMark): string {
  const half = typeof keep === 'number' ? Math.max(0, Math.floor(keep / 2)) : 0;
  const { head, tail } = typeof keep === 'number' ? { head: half, tail: half } : keep;
  const start = text.slice(0, head).replace(/[\ud800-\udbff]$/, '');
  // The ends of a short text must not say the same twice.
  const end = tail === 0 ? '' : text.slice(Math.max(start.length, text.length - tail)).replace(/^[\udc00-\udfff]/, '');
  const gone = text.length - start.length - end.length;
  return `${start}\n[… ${gone} chars cut${remark && `, ${remark}`} | expand ${ref} …]\n${end}`;
}

/** The start of a text, `max` characters with the mark. */
export function cutEnd(text: string, max: number, ref: string): string {
  if (text.length <= max) return text;
  const mark = (gone: number): string => `… [${gone} chars cut | expand ${ref}]`;
  const keep = Math.max(0, max - mark(text.length).length);
  const start = text.slice(0, keep).replace(/[\ud800-\udbff]$/, '');
  return `${start}${mark(text.length - start.length)}`;
}
