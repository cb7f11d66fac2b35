/** Pieces of HTML: whatever comes from a store is made harmless here. */
import { visible } from '../text.ts';

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
