/** Bars of characters. */
import { type Screen, type Style, styled } from './screen.ts';

/** The stretches of a context, in the order in which they stand in the window. */
const stretches = ['tools', 'system', 'head', 'middle', 'summary', 'tail', 'messages'] as const;

type Stretch = (typeof stretches)[number];

export type Filling = Readonly<Partial<Record<Stretch, number>>>;

interface Look {
  readonly unicode: string;
  readonly ascii: string;
  readonly style: Style;
}

/** Different fillings, so that the bar can be read without colours. */
const looks: Readonly<Record<Stretch, Look>> = {
  tools: { unicode: '▞', ascii: 'T', style: 'blue' },
  system: { unicode: '█', ascii: '#', style: 'cyan' },
  head: { unicode: '█', ascii: '#', style: 'cyan' },
  middle: { unicode: '▒', ascii: ':', style: 'dim' },
  summary: { unicode: '▓', ascii: 'S', style: 'magenta' },
  tail: { unicode: '▄', ascii: '=', style: 'green' },
  messages: { unicode: '▒', ascii: ':', style: 'green' },
};
const free: Look = { unicode: '·', ascii: '.', style: 'dim' };
const over: Look = { unicode: '▶', ascii: '>', style: 'red' };

/** A bar of `width` cells for a window; what does not fit is marked at its end. */
export function bar(filling: Filling, { window, width }: { window: number; width: number }, screen: Screen): string {
  const sizes = stretches.map((name) => filling[name] ?? 0);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const overflows = total > window;
  const room = overflows ? width - 1 : width;
  const cells = cellsOf(sizes, { scale: room / Math.max(window, total, 1), room });
  const shown = stretches.map((name, at) => draw(looks[name], cells[at] ?? 0, screen));
  const used = cells.reduce((sum, count) => sum + count, 0);
  return shown.join('') + draw(free, room - used, screen) + (overflows ? draw(over, 1, screen) : '');
}

/** What the fillings of some bars mean; only those that occur. */
export function legend(fillings: readonly Filling[], screen: Screen): string {
  const seen = stretches.filter((name) => fillings.some((filling) => (filling[name] ?? 0) > 0));
  // The two share a look: both are the kept start.
  const names = seen.filter((name) => name !== 'head' || !seen.includes('system'));
  const label = (name: Stretch): string => (name === 'system' && seen.includes('head') ? 'system and head' : name);
  return [
    ...names.map((name) => `${draw(looks[name], 1, screen)} ${label(name)}`),
    `${draw(free, 1, screen)} free`,
  ].join('  ');
}

/** Whole cells by cumulative rounding, so that their sum is right; what is there at all gets a cell while there is room. */
function cellsOf(sizes: readonly number[], { scale, room }: { scale: number; room: number }): number[] {
  let done = 0;
  let used = 0;
  return sizes.map((size) => {
    done += size;
    const wanted = size > 0 ? Math.max(1, Math.round(done * scale) - used) : 0;
    const cells = Math.min(wanted, room - used);
    used += cells;
    return cells;
  });
}

function draw(look: Look, count: number, screen: Screen): string {
  return styled((screen.unicode ? look.unicode : look.ascii).repeat(Math.max(0, count)), look.style, screen);
}

const partLooks: readonly Look[] = [
  { unicode: '█', ascii: '#', style: 'cyan' },
  { unicode: '▓', ascii: '=', style: 'magenta' },
  { unicode: '▒', ascii: ':', style: 'yellow' },
  { unicode: '▞', ascii: '/', style: 'green' },
  { unicode: '░', ascii: '.', style: 'blue' },
];

const lookAt = (part: number): Look =>
  partLooks[Math.min(part, partLooks.length - 1)] ?? { unicode: '█', ascii: '#', style: 'cyan' };

/** A bar of at most `width` cells for sizes out of `whole`; what is there at all has a cell while there is room. */
export function stackedBar(
  sizes: readonly number[],
  { whole, width }: { readonly whole: number; readonly width: number },
  screen: Screen,
): string {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const room = total === 0 || whole <= 0 ? 0 : Math.max(1, Math.round((width * total) / whole));
  const cells = cellsOf(sizes, { scale: room / Math.max(total, Number.MIN_VALUE), room });
  return cells.map((count, part) => draw(lookAt(part), count, screen)).join('');
}

export const partKey = (part: number, name: string, screen: Screen): string =>
  `${draw(lookAt(part), 1, screen)} ${name}`;
