/** Text that others wrote, made harmless for a terminal. */

const unsafe = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The text with every control character but tabs and line breaks written as its code. */
export function visible(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(unsafe, codeOf);
}

const codeOf = (character: string): string => {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
};

/** The colours of a tool's output: ours are the only ones. */
const colours = /\x1b\[[\d;:]*m/g;

/** Line breaks that no terminal shows, and letters of no width that spell something for a model alone; flags use them, too. */
const hidden = /[\u2028\u2029]|(?<!\u{1f3f4}[\u{e0020}-\u{e007f}]*)[\u{e0000}-\u{e007f}]/gu;

const ordinary = /^[\x20-\x7e]*$/;
const tabWidth = 4;

/**
 * One line as a terminal may show it: nothing in it moves the cursor, changes a mode or reaches the clipboard. Colours are
 * left out, tabs become spaces, every other control character becomes its code.
 */
export function harmless(line: string): string {
  if (ordinary.test(line)) return line;
  const shown = visible(line.replaceAll(colours, '')).replaceAll('\n', '\\x0a').replaceAll(hidden, codeOf);
  return withoutTabs(shown).toWellFormed();
}

/** Tab stops count characters: what stands before a tab is seldom wide. */
function withoutTabs(line: string): string {
  if (!line.includes('\t')) return line;
  let text = '';
  for (const [at, piece] of line.split('\t').entries())
    text += (at === 0 ? '' : ' '.repeat(tabWidth - (text.length % tabWidth))) + piece;
  return text;
}
