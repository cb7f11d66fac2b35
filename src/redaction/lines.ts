/** The lines around a place: whether they are a configuration or code. */

/** How far is looked. */
const reach = 240;
/** Line ends may be escaped. Split by a string: an expression would be asked at every character. */
const linesOf = (text: string): readonly string[] => text.replaceAll('\\n', '\n').split('\n');

const code =
  /[,;{(]\s*$|^\s*[})\]]|=>|\b(?:const|let|var|def|function|return|import|class|interface|public|private|val|fn|func|struct|self)\b.*[({=:]|\bthis\b.*[.({=]|^\s*(?:\w+ ){0,2}(?:if|for|type)\b.*[({=:]/;
const entry = /^\s*(?:- )?["']?[\w./-]{1,60}["']?\s{0,12}[:=](?:\s|$|\S{1,200}$)|^\s*\[\[?[\w .-]{1,60}\]\]?\s*$|^\s*#/;

/** What a line among others is part of: entries of a configuration, code, or neither. */
export type Kind = 'config' | 'code' | 'unknown';

/** The kind of the lines before `from` and behind the line that holds `to`. */
export function kindOfLines(text: string, from: number, to: number): Kind {
  const around = [...linesBefore(text, from), ...linesBehind(text, to)];
  if (around.some((line) => code.test(line))) return 'code';
  return around.some((line) => entry.test(line)) ? 'config' : 'unknown';
}

/** The nearest two lines that are not empty, without the one that `from` is in. */
function linesBefore(text: string, from: number): readonly string[] {
  const lines = linesOf(text.slice(Math.max(0, from - reach), from));
  return lines
    .slice(0, -1)
    .filter((line) => line.trim() !== '')
    .slice(-2);
}

function linesBehind(text: string, to: number): readonly string[] {
  const lines = linesOf(text.slice(to, to + reach));
  return lines
    .slice(1)
    .filter((line) => line.trim() !== '')
    .slice(0, 2);
}

/** True where a `[section]` opens among the lines before: an INI file or TOML. */
export const isInSection = (text: string, at: number): boolean =>
  /(?:^|\n|\\n)\[\[?[\w ."'-]{1,60}\]\]?\s*(?:\r?\n|\\n)/.test(text.slice(Math.max(0, at - 2 * reach), at));
