/** How the page looks: its colours and style, and the pieces of HTML that it is made of. */
import { visible } from '../text.ts';

/** Colours of the parts of a chart; each stands apart from its neighbours and from the ground in both themes. */
const light = ['#2563a8', '#d97706', '#0f8a6d', '#a8327a', '#6d5bd0', '#8a8f98'] as const;
const dark = ['#6aa9f0', '#f2a33c', '#3fc7a4', '#e879b9', '#a99af5', '#8b919c'] as const;

/** How many parts have a colour of their own; the last one is for all others. */
export const pageColours: number = light.length;

/** The colour of a part among so many; where there are not enough colours, the last one is shared. */
export const colourOf = (part: number, parts: number): number =>
  parts > pageColours ? Math.min(part, pageColours - 1) : part;

const variables = (colours: readonly string[]): string => colours.map((colour, at) => `--c${at}: ${colour};`).join(' ');

/** The rules of the page. */
export const pageStyle: string = `
:root {
  color-scheme: light dark;
  --ground: #fbfaf7; --card: #ffffff; --ink: #1d1f23; --soft: #5c6068; --line: #e2dfd8; --warn: #8a4b00;
  ${variables(light)}
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #15171b; --card: #1d2026; --ink: #eceae4; --soft: #a3a8b1; --line: #333842; --warn: #f2b563;
    ${variables(dark)}
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1.5rem 1rem 3rem; max-width: 62rem; background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif;
  font-variant-numeric: tabular-nums;
}
header { margin-bottom: 1.25rem; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 0.25rem; letter-spacing: -0.01em; }
h2 { font-size: 1.05rem; margin: 0 0 0.75rem; }
p { margin: 0.25rem 0; }
.soft { color: var(--soft); }
.warn { color: var(--warn); font-size: 0.9rem; }
.tiles { display: grid; grid-template-columns: repeat(3, 1fr); gap: 0.75rem; margin: 0 0 1rem; padding: 0; }
.tiles > div, section, figure {
  margin: 0 0 1rem; padding: 1rem; background: var(--card); border: 1px solid var(--line); border-radius: 0.6rem;
}
.tiles > div { margin: 0; }
.tiles dt { color: var(--soft); font-size: 0.85rem; }
.tiles dd { margin: 0; font-size: 1.5rem; font-weight: 650; letter-spacing: -0.01em; }
.tiles dd small { display: block; font-size: 0.8rem; font-weight: 400; color: var(--soft); letter-spacing: 0; }
.plot { display: grid; grid-template-columns: auto 1fr; gap: 0 0.6rem; }
.scale { display: flex; flex-direction: column; justify-content: space-between; text-align: right; height: 12.5rem; margin: -0.6em 0; font-size: 0.75rem; color: var(--soft); line-height: 1.2; }
.plot svg { width: 100%; height: 11.3rem; display: block; overflow: visible; }
.ends { grid-column: 2; display: flex; justify-content: space-between; font-size: 0.75rem; color: var(--soft); margin-top: 0.35rem; }
.each span { flex: 1; text-align: center; }
svg line { stroke: var(--line); stroke-width: 1; vector-effect: non-scaling-stroke; }
svg .hit { fill: transparent; }
svg .part rect:not(.hit) { fill-opacity: 0.55; }
svg g:hover .hit { fill: var(--ink); fill-opacity: 0.07; }
${light.map((_, at) => `.c${at} { fill: var(--c${at}); background: var(--c${at}); }`).join('\n')}
.key { display: flex; flex-wrap: wrap; gap: 0.25rem 1.1rem; list-style: none; margin: 0.75rem 0 0; padding: 0; font-size: 0.85rem; overflow-wrap: anywhere; }
.key i { display: inline-block; width: 0.75rem; height: 0.75rem; border-radius: 0.15rem; margin-right: 0.4rem; }
.kinds { display: grid; grid-template-columns: auto auto 1fr; gap: 0.45rem 0.75rem; align-items: center; font-size: 0.9rem; }
.kinds svg, td svg { width: 100%; height: 0.8rem; display: block; }
.kinds b { font-weight: 600; text-align: right; }
section p { font-size: 0.9rem; }
details { margin-top: 0.75rem; font-size: 0.9rem; }
summary { cursor: pointer; color: var(--soft); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 0.88rem; }
th { text-align: left; font-weight: 500; color: var(--soft); white-space: nowrap; }
th, td { padding: 0.3rem 0.6rem 0.3rem 0; border-bottom: 1px solid var(--line); }
tr:last-child > * { border-bottom: 0; }
.n { text-align: right; white-space: nowrap; padding: 0.3rem 0 0.3rem 0.9rem; }
td.name { min-width: 9rem; overflow-wrap: anywhere; }
td.bar { width: 24%; min-width: 4rem; }
footer { color: var(--soft); font-size: 0.85rem; }
@media (min-width: 34.01rem) { th.n { width: 5.5rem; } }
@media (max-width: 34rem) {
  body { padding: 1rem 0.6rem 2rem; }
  .bar, .less { display: none; }
  td.name { min-width: 6rem; }
  .kinds { grid-template-columns: 1fr auto; gap: 0.15rem 0.75rem; }
  .kinds svg { grid-column: 1 / -1; margin-bottom: 0.5rem; }
  .ends:not(.each) span:nth-child(2) { display: none; }
  .each { font-size: 0.65rem; }
}
@media (max-width: 26rem) { .tiles { grid-template-columns: repeat(2, 1fr); } }
@media print { body { background: none; } section, figure { break-inside: avoid; } }
`;

// Pieces of HTML: whatever comes from a store is made harmless here.

/** Text for HTML, in attributes too. */
export function escaped(text: string): string {
  const names: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return visible(text).replaceAll(/[&<>"']/g, (character) => names[character] ?? '');
}

/** A column of a table. */
export interface PageColumn {
  readonly title: string;
  /** Numbers (`n`) stand at the right; bars and what is `less` important are left out on a phone. */
  readonly kind: 'name' | 'n' | 'n less' | 'bar';
}

/** A table; cells are HTML. */
export function pageTable(columns: readonly PageColumn[], rows: readonly (readonly string[])[]): string {
  const head = columns.map(({ title, kind }) => `<th scope="col" class="${kind}">${escaped(title)}</th>`).join('');
  const body = rows.map((cells) => {
    const shown = columns.map(({ kind }, at) => `<td class="${kind}">${cells[at] ?? ''}</td>`);
    return `<tr>${shown.join('')}</tr>`;
  });
  return `<div class="scroll"><table><thead><tr>${head}</tr></thead><tbody>${body.join('\n')}</tbody></table></div>`;
}

/** A bar from the left, as long as its share; what there is at all can be seen. */
export function shareBar(share: number, colour: number): string {
  const width = share > 0 ? Math.max(0.7, Math.min(1, share) * 100) : 0;
  const rect = `<rect class="c${colour}" width="${decimals(width)}" height="10" rx="0.6"/>`;
  return `<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">${rect}</svg>`;
}

/** A coordinate. */
export const decimals = (value: number): string => String(Math.round(value * 1_000) / 1_000);
