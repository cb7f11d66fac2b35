/**
 * Reads a line for the shell as far as it is nothing but words: programs with their arguments, one after the other or piped.
 * Everything else that a shell can do with a text makes the line unclear; its words are listed all the same, as well as they
 * can be told, so that what is dangerous in them is seen.
 */

/** A word as the program gets it. */
export interface ShellWord {
  readonly text: string;
  /** True where a sign outside of quotes stands for names of files. */
  readonly hasGlob: boolean;
}

/** How a command is tied to the one before it. */
export type Joint = 'first' | 'and' | 'or' | 'then' | 'pipe';

export interface ShellCommand {
  readonly words: readonly ShellWord[];
  readonly joint: Joint;
}

export interface ShellReading {
  /** In their order; of an unclear line as far as they can be told. */
  readonly commands: readonly ShellCommand[];
  /** What the shell would do beyond running these words, as the end of "it …"; undefined where it does nothing else. */
  readonly unclear: string | undefined;
  /** Files that the shell itself would open, by `<` and `>`. */
  readonly redirections: readonly string[];
}

/** A longer line is not read to its end. */
const mostChars = 20_000;

/** What is not seen in a line, or is seen in another place: it could show another command than the one that runs. */
const invisible = /(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;

const keywords: ReadonlySet<string> = new Set(
  '! { } [[ ]] case coproc do done elif else esac fi for function if in select then time until while'.split(' '),
);

export function readCommand(line: string): ShellReading {
  const reader: Reader = {
    line: line.slice(0, mostChars),
    at: 0,
    word: undefined,
    words: [],
    joint: 'first',
    found: emptyFound(),
  };
  if (line.length > mostChars) note(reader, 'is longer than what is read of a command');
  if (!line.isWellFormed() || invisible.test(reader.line)) note(reader, 'holds characters that nobody sees');
  while (reader.at < reader.line.length) step(reader);
  endCommand(reader, 'first');
  const { commands, redirections, unclear } = reader.found;
  return { commands, redirections, unclear };
}

interface Found {
  readonly commands: ShellCommand[];
  readonly redirections: string[];
  unclear: string | undefined;
}

interface Reader {
  readonly line: string;
  at: number;
  /** The word that is being read; undefined between words. */
  word: { text: string; hasGlob: boolean; isQuoted: boolean } | undefined;
  words: { text: string; hasGlob: boolean; isQuoted: boolean }[];
  joint: Joint;
  readonly found: Found;
}

const emptyFound = (): Found => ({ commands: [], redirections: [], unclear: undefined });

function note(reader: Reader, what: string): void {
  reader.found.unclear ??= what;
}

/** Reads on by at least one character. */
function step(reader: Reader): void {
  const sign = reader.line[reader.at] ?? '';
  const read = signs.get(sign);
  if (read) read(reader);
  else plain(reader, sign);
}

/** What each sign outside of quotes means. */
const signs: ReadonlyMap<string, (reader: Reader) => void> = new Map([
  [' ', blank],
  ['\t', blank],
  ["'", singleQuoted],
  ['"', doubleQuoted],
  ['\\', escaped],
  ['$', dollar],
  ['`', (reader) => grouped(reader, 'runs a command inside another one')],
  ['(', (reader) => grouped(reader, 'groups commands, or runs one inside another')],
  [')', (reader) => grouped(reader, 'groups commands, or runs one inside another')],
  ['\n', (reader) => separate(reader, 1, 'then')],
  [';', (reader) => separate(reader, 1, 'then')],
  ['&', ampersand],
  ['|', pipe],
  ['<', redirection],
  ['>', redirection],
]);

function blank(reader: Reader): void {
  endWord(reader);
  reader.at++;
}

function grouped(reader: Reader, what: string): void {
  note(reader, what);
  separate(reader, 1, 'then');
}

function plain(reader: Reader, sign: string): void {
  if (sign === '#' && reader.word === undefined) {
    note(reader, 'has a comment');
    const end = reader.line.indexOf('\n', reader.at);
    reader.at = end < 0 ? reader.line.length : end;
    return;
  }
  if (sign === '~' && (reader.word === undefined || /[=:]$/.test(reader.word.text)))
    note(reader, 'leaves it to the shell where ~ is');
  if (sign === '{' || sign === '}') note(reader, 'leaves words with { } to the shell');
  if (/[*?[]/.test(sign)) wordOf(reader).hasGlob = true;
  // A caret and an exclamation mark mean nothing to a shell that reads no keyboard.
  wordOf(reader).text += sign;
  reader.at++;
}

const wordOf = (reader: Reader): NonNullable<Reader['word']> => {
  reader.word ??= { text: '', hasGlob: false, isQuoted: false };
  return reader.word;
};

function singleQuoted(reader: Reader): void {
  const end = reader.line.indexOf("'", reader.at + 1);
  if (end < 0) note(reader, 'has a quote without its end');
  const word = wordOf(reader);
  word.text += reader.line.slice(reader.at + 1, end < 0 ? undefined : end);
  word.isQuoted = true;
  reader.at = end < 0 ? reader.line.length : end + 1;
}

function doubleQuoted(reader: Reader): void {
  const word = wordOf(reader);
  word.isQuoted = true;
  for (reader.at++; ; reader.at++) {
    const sign = reader.line[reader.at];
    if (sign === undefined) note(reader, 'has a quote without its end');
    if (sign === undefined || sign === '"') break;
    if (sign === '\\' && /["\\$`\n]/.test(reader.line[reader.at + 1] ?? '')) {
      reader.at++;
      if (reader.line[reader.at] !== '\n') word.text += reader.line[reader.at];
      continue;
    }
    if (sign === '`') note(reader, 'runs a command inside another one');
    if (sign === '$' && !/["\s|)/.,\\]/.test(reader.line[reader.at + 1] ?? 'x'))
      note(reader, 'uses a variable or a command inside another one');
    word.text += sign;
  }
  reader.at++;
}

function escaped(reader: Reader): void {
  const next = reader.line[reader.at + 1];
  reader.at += 2;
  // A line that goes on in the next one.
  if (next === '\n') return;
  if (next === undefined) note(reader, 'ends with a backslash');
  const word = wordOf(reader);
  word.text += next ?? '';
  word.isQuoted = true;
}

function dollar(reader: Reader): void {
  const next = reader.line[reader.at + 1];
  if (next !== undefined && !/\s/.test(next)) note(reader, 'uses a variable or a command inside another one');
  if (next === '(') separate(reader, 2, 'then');
  else {
    if (next !== "'" && next !== '"') wordOf(reader).text += '$';
    reader.at++;
  }
}

function ampersand(reader: Reader): void {
  const rest = reader.line.slice(reader.at, reader.at + 2);
  if (rest === '&>') redirection(reader);
  else if (rest === '&&') separate(reader, 2, 'and');
  else grouped(reader, 'leaves a command running behind its back');
}

function pipe(reader: Reader): void {
  const rest = reader.line.slice(reader.at, reader.at + 2);
  if (rest === '|&') note(reader, 'pipes errors too');
  if (rest === '||') separate(reader, 2, 'or');
  else separate(reader, rest === '|&' ? 2 : 1, 'pipe');
}

/** The longest operators first: `>>` is not `>` twice. */
const redirections = /^(?:&>>|&>|<<<|<<-?|<>|<&|<|>>|>\||>&|>)/;

/** `2>&1` and `>/dev/null` change nothing; all others open a file. */
function redirection(reader: Reader): void {
  // The number before the operator says which stream is meant.
  if (reader.word && !reader.word.isQuoted && /^\d+$/.test(reader.word.text)) reader.word = undefined;
  endWord(reader);
  const operator = redirections.exec(reader.line.slice(reader.at, reader.at + 3))?.[0] ?? '>';
  reader.at += operator.length;
  const rest = reader.line.slice(reader.at);
  const harmless =
    operator === '>&'
      ? /^[12](?=[\s;&|)]|$)/.exec(rest)
      : /^(?:&?>>?)$/.test(operator)
        ? /^[ \t]*\/dev\/null(?=[\s;&|)]|$)/.exec(rest)
        : null;
  if (harmless) {
    reader.at += harmless[0].length;
    return;
  }
  note(reader, 'reads or writes a file by < or >');
  const target = /^[ \t]*((?:"[^"]*"|'[^']*'|[^\s;&|<>()])+)/.exec(rest);
  if (target?.[1] !== undefined) reader.found.redirections.push(target[1].replaceAll(/["'\\]/g, ''));
  reader.at += target?.[0].length ?? 0;
}

function separate(reader: Reader, length: number, joint: Joint): void {
  endCommand(reader, joint);
  reader.at += length;
}

function endWord(reader: Reader): void {
  if (reader.word) reader.words.push(reader.word);
  reader.word = undefined;
}

const assignment = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/;

function endCommand(reader: Reader, next: Joint): void {
  endWord(reader);
  const words = [...reader.words];
  for (let first = words[0]; first && !first.isQuoted; first = words[0]) {
    if (assignment.test(first.text)) note(reader, 'sets a variable');
    else if (keywords.has(first.text)) note(reader, 'has loops, conditions or groups');
    else break;
    words.shift();
  }
  if (words.some(startsWithGlob)) note(reader, 'may give a program a file name as an option');
  const { joint } = reader;
  if (words.length > 0)
    reader.found.commands.push({ words: words.map(({ text, hasGlob }) => ({ text, hasGlob })), joint });
  else if (next === 'and' || next === 'or' || next === 'pipe' || joint === 'and' || joint === 'or' || joint === 'pipe')
    note(reader, 'is not complete');
  reader.words = [];
  reader.joint = next;
}

/** A file in a project may be named `-rf`. */
const startsWithGlob = ({ text, hasGlob }: ShellWord): boolean => hasGlob && /^(?:[*?[]|-[^=]*[*?[])/.test(text);
