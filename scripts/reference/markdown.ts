/** Markdown of generated pages. */

/** The line that every generated page begins with, after its title. */
export const generatedNote = 'Made by `npm run docs` from the code; do not edit.';

/** A table; `|` in cells is escaped. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(headings), line(headings.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A page from its blocks of text. */
export const page = (title: string, ...paragraphs: readonly string[]): string =>
  `${[`# ${title}`, generatedNote, ...paragraphs].join('\n\n')}\n`;

/** The anchors of a page's headings in their order, as GitHub makes them: of equal ones the second gets `-1`. */
export function anchorsOf(markdown: string): readonly string[] {
  const seen = new Map<string, number>();
  const withoutCode = markdown.replaceAll(/^```[\s\S]*?^```$/gm, '');
  return [...withoutCode.matchAll(/^#{1,6} (.*)$/gm)].map(([, heading = '']) => {
    const anchor = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
      .trim()
      .replaceAll(' ', '-');
    const times = seen.get(anchor) ?? 0;
    seen.set(anchor, times + 1);
    return times === 0 ? anchor : `${anchor}-${times}`;
  });
}
