/** How much room each part of a prompt gets, and how a text is cut to it. Pure. */
import { asAttribute } from './folder-fence.ts';
import type { Line } from './lines.ts';

/**
 * Gives out `room`: nobody gets more than they need, and what the small ones leave is shared by the large ones alike. In order of
 * the needs, whole tokens.
 */
export function shares(needs: readonly number[], room: number): readonly number[] {
  const order = needs.map((_, at) => at).sort((a, b) => (needs[a] ?? 0) - (needs[b] ?? 0) || a - b);
  const given = needs.map(() => 0);
  let left = room;
  for (const [served, at] of order.entries()) {
    const share = Math.max(0, Math.min(needs[at] ?? 0, Math.floor(left / (order.length - served))));
    given[at] = share;
    left -= share;
  }
  return given;
}

/** A text that may have to be cut. */
export interface Cuttable {
  readonly lines: readonly Line[];
  /** Lines of the file behind these, and bytes of it that were not read. */
  readonly unreadLines: number;
  readonly unreadBytes: number;
  /** The text of a part from what is shown of it. */
  readonly render: (shown: string) => string;
  /** Where the rest stands; undefined where a model cannot read it. */
  readonly source: string | undefined;
  readonly count: (text: string) => number;
}

/** A text as it fits. */
export interface CutText {
  readonly text: string;
  readonly isCut: boolean;
}

/** Tokens that any cut leaves free, because a count of two texts is not quite the sum of both. */
const slack = 2;

/** As many whole lines as fit, and behind them what is missing; of a first line that is too long its beginning. */
export function cutTo(cuttable: Cuttable, room: number): CutText {
  const { lines, render, count, unreadLines, unreadBytes } = cuttable;
  const whole = render(lines.map(({ text }) => text).join('\n'));
  if (unreadLines === 0 && unreadBytes === 0 && count(whole) <= room) return { text: whole, isCut: false };
  const most = room - slack;
  const fits = (text: string): boolean => count(text) <= most;
  const firstLines = (size: number): string => {
    const shown = lines.slice(0, size).map(({ text }) => text);
    return render([...shown, markOf(cuttable, { shown: size })].join('\n'));
  };
  const size = largest(lines.length, (tried) => fits(firstLines(tried)));
  if (size > 0) return { text: firstLines(size), isCut: true };
  const [first] = lines;
  const start = (chars: number): string =>
    render(`${first?.text.slice(0, chars).toWellFormed() ?? ''}\n${markOf(cuttable, { shown: 1, isPartly: true })}`);
  const chars = largest(first?.text.length ?? 0, (tried) => fits(start(tried)));
  if (chars >= leastChars) return { text: start(chars), isCut: true };
  const alone = markOf(cuttable, { shown: 0 });
  return { text: fits(alone) ? alone : '', isCut: true };
}

/** Less of a line tells nothing. */
const leastChars = 40;

/** The largest number up to `most` that holds, where all smaller ones do; 0 where none does. */
function largest(most: number, holds: (size: number) => boolean): number {
  let [low, high] = [0, most];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

interface Shown {
  readonly shown: number;
  /** Only the beginning of the last one. */
  readonly isPartly?: true;
}

/** How much is missing, and where it stands. */
function markOf({ lines, unreadLines, unreadBytes, source }: Cuttable, { shown, isPartly }: Shown): string {
  const all = lines.length + unreadLines;
  const missing = all - shown;
  const parts = [
    ...(isPartly ? ['the rest of a line'] : []),
    ...(missing > 0 ? [`${missing} of ${all} lines`] : []),
    ...(unreadBytes > 0 ? [`${Math.ceil(unreadBytes / 1_024)} KB that were not read`] : []),
  ];
  const rest = source === undefined ? '' : ` The rest stands in ${asAttribute(source)}.`;
  return `[Cut for want of room: ${parts.join(' and ')}.${rest}]`;
}
