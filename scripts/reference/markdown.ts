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
