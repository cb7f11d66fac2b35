/** Bars of several parts, told apart by colour and, without colours, by their filling. */
import { cellsOf } from './bar.ts';
import { type Screen, type Style, styled } from './screen.ts';

interface Look {
  readonly unicode: string;
  readonly ascii: string;
  readonly style: Style;
}

/** In the order of the parts; what has more parts than looks shares the last one. */
const looks: readonly Look[] = [
  { unicode: '█', ascii: '#', style: 'cyan' },
  { unicode: '▓', ascii: '=', style: 'magenta' },
  { unicode: '▒', ascii: ':', style: 'yellow' },
  { unicode: '▞', ascii: '/', style: 'green' },
  { unicode: '░', ascii: '.', style: 'blue' },
];

const lookAt = (part: number): Look =>
  looks[Math.min(part, looks.length - 1)] ?? { unicode: '█', ascii: '#', style: 'cyan' };

/** A bar of at most `width` cells for sizes out of `whole`; what is there at all has a cell while there is room. */
export function stackedBar(
  sizes: readonly number[],
  { whole, width }: { readonly whole: number; readonly width: number },
  screen: Screen,
): string {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const room = total === 0 || whole <= 0 ? 0 : Math.max(1, Math.round((width * total) / whole));
  const cells = cellsOf(sizes, { scale: room / Math.max(total, Number.MIN_VALUE), room });
  return cells.map((count, part) => draw(part, count, screen)).join('');
}

/** What the filling of a part means. */
export const partKey = (part: number, name: string, screen: Screen): string => `${draw(part, 1, screen)} ${name}`;

function draw(part: number, count: number, screen: Screen): string {
  const { unicode, ascii, style } = lookAt(part);
  return styled((screen.unicode ? unicode : ascii).repeat(Math.max(0, count)), style, screen);
}
