/** Charts over time: stacked columns in SVG, which stretch with the page, their words beside it in HTML, which do not. */
import { decimals, escaped } from './markup.ts';

/** One column. */
export interface PageBar {
  /** What shows when the pointer rests on it, and what a screen reader says. */
  readonly title: string;
  /** From the bottom up. */
  readonly parts: readonly number[];
  /** True where it stands for less time than the others. */
  readonly isPart: boolean;
}

export interface PageChart {
  readonly id: string;
  readonly title: string;
  /** One sentence for those who do not see it. */
  readonly description: string;
  readonly bars: readonly PageBar[];
  /** What stands below every column, or below the first, the middle and the last one. */
  readonly ends: readonly string[];
  readonly labelOf: (value: number) => string;
  /** The top of the scale. @default a round number above the highest column */
  readonly top?: number;
  /** The names of the parts; none where there is only one. */
  readonly key: readonly string[];
  /** The same figures as a table, as HTML. */
  readonly table: string;
}

/** Colours by the place of the part. */
export function chartFigure({ id, title, description, bars, ends, labelOf, key, table, ...chart }: PageChart): string {
  const sums = bars.map(({ parts }) => parts.reduce((sum, part) => sum + part, 0));
  const top = chart.top ?? roundTop(Math.max(...sums, 0));
  const scale = [top, top / 2, 0].map((value) => `<span>${escaped(labelOf(value))}</span>`).join('');
  const names = key.map((name, at) => `<li><i class="c${at}"></i>${escaped(name)}</li>`).join('');
  return `<figure aria-labelledby="${id}">
<figcaption><h2 id="${id}">${escaped(title)}</h2></figcaption>
<div class="plot"><div class="scale" aria-hidden="true">${scale}</div>${columnsSvg(bars, { top, description })}
<div class="ends${ends.length === bars.length ? ' each' : ''}">${ends.map((end) => `<span>${escaped(end)}</span>`).join('')}</div></div>
${key.length > 1 ? `<ul class="key">${names}</ul>` : ''}
<details><summary>Show as a table</summary>${table}</details>
</figure>`;
}

/** Each column is one unit wide, the scale 100 units high. */
function columnsSvg(
  bars: readonly PageBar[],
  { top, description }: { readonly top: number; readonly description: string },
): string {
  const width = Math.max(1, bars.length);
  const lines = [0, 50, 100].map((y) => `<line x1="0" x2="${width}" y1="${y}" y2="${y}"/>`).join('');
  const groups = bars.map((bar, at) => columnGroup(bar, at, { top, fullness: fullnessOf(bars.length) })).join('\n');
  return `<svg viewBox="0 0 ${width} 100" preserveAspectRatio="none" role="img" aria-label="${escaped(description)}">
${lines}
${groups}
</svg>`;
}

/** How much of its unit a column fills: a few columns stay slim. */
const fullnessOf = (columns: number): number => Math.min(0.78, Math.max(0.15, columns / 16));
/** Less than this cannot be seen. */
const leastHeight = 0.8;

function columnGroup(
  { title, parts, isPart }: PageBar,
  at: number,
  { top, fullness }: { readonly top: number; readonly fullness: number },
): string {
  const x = decimals(at + (1 - fullness) / 2);
  let y = 100;
  const rects = parts.flatMap((part, place) => {
    if (part <= 0) return [];
    const height = Math.max(leastHeight, (part / top) * 100);
    y -= height;
    return [
      `<rect class="c${place}" x="${x}" y="${decimals(y)}" width="${decimals(fullness)}" height="${decimals(height)}"/>`,
    ];
  });
  const hit = `<rect class="hit" x="${at}" y="0" width="1" height="100"/>`;
  return `<g${isPart ? ' class="part"' : ''}><title>${escaped(title)}</title>${hit}${rects.join('')}</g>`;
}

/** Tops of a scale whose half is easy to read, too. */
const steps = [1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10] as const;

/** The next of the steps times a power of ten. */
function roundTop(most: number): number {
  if (most <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  const step = steps.find((one) => one * power >= most) ?? 10;
  return step * power;
}
