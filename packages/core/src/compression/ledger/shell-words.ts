/**
 * Takes a shell command line apart without running it: quotes, continuation lines, here-documents, redirections,
 * lists and pipes. One pass; anything that is not shell comes out as words all the same.
 */

/** One command of a line, such as `git push origin main`. */
export interface SimpleCommand {
  /** Its words without their quotes; redirections and here-documents left out. */
  readonly words: readonly string[];
  /** Files that its output goes to. */
  readonly writes: readonly { readonly path: string; readonly append: boolean }[];
}

/** The commands of a line or script, in order. Linear; never throws. */
export function simpleCommands(text: string): readonly SimpleCommand[] {
  const reader = new Reader(text);
  return reader.commands();
}

/** What stands for itself: a run of plain signs, a text in single quotes, a command in backticks. */
const plain = /[^\s'"\\$`#;&|()<>]+|`[^`]*`?/y;
const literal = /'([^']*)'?/y;
/** A backslash joins lines and takes a sign literally; before a letter it stays, as in Windows paths. */
const escaped = /\\(?:\n|([A-Za-z0-9])|([\s\S]?))/y;
const comment = /#[^\n]*/y;
const blanks = /[^\S\n]+/y;
const documentMark = /<<-?\s*(?:'([^'\n]*)'|"([^"\n]*)"|\\?([^\s;&|<>()'"]+))/y;
const input = /<<<|</y;
const output = /&?>(?:>|\|)?(?:&(?:\d+|-))?/y;

class Reader {
  readonly #text: string;
  #at = 0;
  #word: string | undefined;
  #redirect: 'write' | 'append' | 'ignored' | undefined;
  #words: string[] = [];
  #writes: { path: string; append: boolean }[] = [];
  /** End marks of here-documents whose bodies begin behind the line. */
  #documents: string[] = [];
  readonly #commands: SimpleCommand[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  commands(): readonly SimpleCommand[] {
    while (this.#at < this.#text.length) this.#step();
    this.#endCommand();
    return this.#commands;
  }

  /** Steps over what the pattern finds here. */
  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found) this.#at = pattern.lastIndex;
    return found;
  }

  #extend(text: string): void {
    this.#word = (this.#word ?? '') + text;
  }

  #step(): void {
    const sign = this.#text[this.#at];
    const run = this.#take(plain);
    if (run) this.#extend(run[0]);
    else if (sign === "'") this.#extend(this.#take(literal)?.[1] ?? '');
    else if (sign === '"') this.#quoted();
    else if (sign === '\\') this.#escaped();
    else if (sign === '$' && this.#text[this.#at + 1] === '(') this.#substitution();
    else if (sign === '#' && this.#word === undefined) this.#take(comment);
    else if (sign === '<') this.#input();
    else if (sign === '>' || (sign === '&' && this.#text[this.#at + 1] === '>')) this.#output();
    else if (sign === '$' || sign === '#') this.#sign(sign);
    else if (this.#take(blanks)) this.#endWord();
    else this.#endCommands(sign === '\n');
  }

  #sign(sign: string): void {
    this.#extend(sign);
    this.#at++;
  }

  #endWord(): void {
    const path = this.#word;
    if (path === undefined) return;
    if (this.#redirect === undefined) this.#words.push(path);
    else if (this.#redirect !== 'ignored') this.#writes.push({ path, append: this.#redirect === 'append' });
    this.#word = undefined;
    this.#redirect = undefined;
  }

  #endCommand(): void {
    this.#endWord();
    const [words, writes] = [this.#words, this.#writes];
    if (words.length > 0 || writes.length > 0) this.#commands.push({ words, writes });
    [this.#words, this.#writes, this.#redirect] = [[], [], undefined];
  }

  /** Behind a line stand the bodies of its here-documents, in the order of their marks. */
  #endCommands(isLine: boolean): void {
    this.#endCommand();
    if (isLine) {
      for (const mark of this.#documents) this.#at = documentEnd(this.#text, this.#at, mark).end - 1;
      this.#documents = [];
    }
    this.#at++;
  }

  #quoted(): void {
    const text = this.#text;
    let from = ++this.#at;
    this.#extend('');
    while (this.#at < text.length && text[this.#at] !== '"') {
      const next = text[this.#at + 1];
      if (text[this.#at] === '\\') {
        this.#extend(text.slice(from, this.#at) + (next === '\n' ? '' : (next ?? '')));
        from = this.#at += 2;
      } else if (text[this.#at] === '$' && next === '(') {
        this.#extend(text.slice(from, this.#at));
        this.#substitution();
        from = this.#at;
      } else this.#at++;
    }
    this.#extend(text.slice(from, this.#at));
    this.#at++;
  }

  #escaped(): void {
    const [whole, letter, other] = this.#take(escaped) ?? [''];
    if (whole.endsWith('\n')) this.#endWord();
    else this.#extend(letter === undefined ? (other ?? '') : whole);
  }

  /**
   * A command substitution. One that only prints a here-document, as agents write commit messages, is that text; any
   * other one stays as it is written.
   */
  #substitution(): void {
    const { value, end } = substitution(this.#text, this.#at);
    this.#extend(value);
    this.#at = end;
  }

  #input(): void {
    this.#endWord();
    const mark = this.#text.startsWith('<<<', this.#at) ? undefined : this.#take(documentMark);
    if (mark) {
      this.#documents.push(mark[1] ?? mark[2] ?? mark[3] ?? '');
      return;
    }
    this.#take(input);
    this.#redirect = 'ignored';
  }

  #output(): void {
    const sign = this.#take(output)?.[0] ?? '>';
    const stream = this.#word !== undefined && /^\d$/.test(this.#word) ? this.#word : undefined;
    if (stream === undefined) this.#endWord();
    else this.#word = undefined;
    if (/>&/.test(sign)) return;
    this.#redirect = stream !== undefined && stream !== '1' ? 'ignored' : sign.includes('>>') ? 'append' : 'write';
  }
}

/** Where a here-document's body ends, and where the text goes on; `from` is the line break before the body. */
function documentEnd(text: string, from: number, mark: string): { readonly body: number; readonly end: number } {
  for (let start = from; start >= 0 && start < text.length; start = text.indexOf('\n', start + 1)) {
    const stop = text.indexOf('\n', start + 1);
    const line = text.slice(start + 1, stop < 0 ? undefined : stop);
    if (line.trim() === mark) return { body: start, end: stop < 0 ? text.length : stop + 1 };
  }
  return { body: text.length, end: text.length };
}

const document = /^\$\(\s*cat\s*<<-?\s*(['"]?)([\w.-]+)\1[^\n]*\n/;

function substitution(text: string, at: number): { readonly value: string; readonly end: number } {
  const opening = document.exec(text.slice(at, at + 200));
  if (opening) {
    const start = at + opening[0].length;
    const { body, end } = documentEnd(text, start - 1, opening[2] ?? '');
    return { value: text.slice(start, Math.max(start, body)), end: indexOrEnd(text, ')', end) + 1 };
  }
  let depth = 0;
  let i = at + 1;
  for (; i < text.length; i++) {
    const sign = text[i];
    if (sign === '\\') i++;
    else if (sign === "'") i = indexOrEnd(text, "'", i + 1);
    else if (sign === '(') depth++;
    else if (sign === ')' && --depth === 0) break;
  }
  return { value: text.slice(at, i + 1), end: i + 1 };
}

function indexOrEnd(text: string, sign: string, from: number): number {
  const at = text.indexOf(sign, from);
  return at < 0 ? text.length : at;
}
