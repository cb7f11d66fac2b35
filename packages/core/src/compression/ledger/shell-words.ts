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

type Redirect = 'write' | 'append' | 'ignored';

interface State {
  readonly text: string;
  at: number;
  word: string | undefined;
  redirect: Redirect | undefined;
  words: string[];
  writes: { path: string; append: boolean }[];
  /** End marks of here-documents whose bodies begin behind the line. */
  documents: string[];
  readonly commands: SimpleCommand[];
}

/** The commands of a line or script, in order. Linear; never throws. */
export function simpleCommands(text: string): readonly SimpleCommand[] {
  const state: State = {
    text,
    at: 0,
    word: undefined,
    redirect: undefined,
    words: [],
    writes: [],
    documents: [],
    commands: [],
  };
  while (state.at < text.length) step(state);
  endCommand(state);
  return state.commands;
}

const plainRun = /[^\s'"\\$`#;&|()<>]+/y;

function step(state: State): void {
  plainRun.lastIndex = state.at;
  const run = plainRun.exec(state.text)?.[0];
  if (run !== undefined) {
    state.word = (state.word ?? '') + run;
    state.at += run.length;
    return;
  }
  readSign(state, state.text[state.at] ?? '');
}

function readSign(state: State, sign: string): void {
  if (sign === "'") literal(state);
  else if (sign === '"') quoted(state);
  else if (sign === '\\') escaped(state);
  else if (sign === '$') dollar(state);
  else if (sign === '`') backtick(state);
  else if (sign === '#') hash(state);
  else if (sign === '<') input(state);
  else if (sign === '>' || (sign === '&' && state.text[state.at + 1] === '>')) output(state);
  else {
    if (sign === '\n') endLine(state);
    else if (/\s/.test(sign)) endWord(state);
    else endCommand(state);
    state.at++;
  }
}

function endWord(state: State): void {
  const { word, redirect } = state;
  if (word === undefined) return;
  if (redirect === undefined) state.words.push(word);
  else if (redirect !== 'ignored') state.writes.push({ path: word, append: redirect === 'append' });
  state.word = undefined;
  state.redirect = undefined;
}

function endCommand(state: State): void {
  endWord(state);
  if (state.words.length > 0 || state.writes.length > 0)
    state.commands.push({ words: state.words, writes: state.writes });
  state.words = [];
  state.writes = [];
  state.redirect = undefined;
}

function endLine(state: State): void {
  endCommand(state);
  // The bodies stand behind the line in the order of their marks; the caller steps over the line break itself.
  for (const mark of state.documents) state.at = documentEnd(state.text, state.at, mark).end - 1;
  state.documents = [];
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

function literal(state: State): void {
  const end = indexOrEnd(state.text, "'", state.at + 1);
  state.word = (state.word ?? '') + state.text.slice(state.at + 1, end);
  state.at = end + 1;
}

function quoted(state: State): void {
  const { text } = state;
  let word = state.word ?? '';
  let at = state.at + 1;
  let from = at;
  while (at < text.length && text[at] !== '"') {
    if (text[at] === '\\') {
      word += text.slice(from, at) + (text[at + 1] === '\n' ? '' : (text[at + 1] ?? ''));
      from = at += 2;
    } else if (text[at] === '$' && text[at + 1] === '(') {
      const inner = substitution(text, at);
      word += text.slice(from, at) + inner.value;
      from = at = inner.end;
    } else at++;
  }
  state.word = word + text.slice(Math.min(from, text.length), at);
  state.at = at + 1;
}

/** A backslash joins lines and takes a sign literally; before a letter it stays, as in Windows paths. */
function escaped(state: State): void {
  const next = state.text[state.at + 1] ?? '';
  if (next === '\n') endWord(state);
  else state.word = (state.word ?? '') + (/[A-Za-z0-9]/.test(next) ? `\\${next}` : next);
  state.at += 2;
}

function dollar(state: State): void {
  if (state.text[state.at + 1] !== '(') {
    state.word = `${state.word ?? ''}$`;
    state.at++;
    return;
  }
  const { value, end } = substitution(state.text, state.at);
  state.word = (state.word ?? '') + value;
  state.at = end;
}

const document = /^\$\(\s*cat\s*<<-?\s*(['"]?)([\w.-]+)\1[^\n]*\n/;

/**
 * A command substitution. One that only prints a here-document, as agents write commit messages, is that text; any
 * other one stays as it is written.
 */
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

function backtick(state: State): void {
  const end = indexOrEnd(state.text, '`', state.at + 1);
  state.word = (state.word ?? '') + state.text.slice(state.at, end + 1);
  state.at = end + 1;
}

function hash(state: State): void {
  if (state.word === undefined) state.at = indexOrEnd(state.text, '\n', state.at);
  else {
    state.word += '#';
    state.at++;
  }
}

const documentMark = /<<-?\s*(?:'([^'\n]*)'|"([^"\n]*)"|\\?([^\s;&|<>()'"]+))/y;

function input(state: State): void {
  const { text } = state;
  if (text.startsWith('<<<', state.at)) {
    endWord(state);
    state.redirect = 'ignored';
    state.at += 3;
    return;
  }
  documentMark.lastIndex = state.at;
  const mark = documentMark.exec(text);
  if (mark) {
    endWord(state);
    state.documents.push(mark[1] ?? mark[2] ?? mark[3] ?? '');
    state.at += mark[0].length;
    return;
  }
  endWord(state);
  state.redirect = 'ignored';
  state.at++;
}

const redirection = /&?>(>|\|)?(?:&(?:\d+|-))?/y;

function output(state: State): void {
  const { word } = state;
  redirection.lastIndex = state.at;
  const sign = redirection.exec(state.text)?.[0] ?? '>';
  const stream = word !== undefined && /^\d$/.test(word) ? word : undefined;
  if (stream === undefined) endWord(state);
  else state.word = undefined;
  state.at += sign.length;
  if (/>&/.test(sign)) return;
  state.redirect = stream !== undefined && stream !== '1' ? 'ignored' : sign.includes('>>') ? 'append' : 'write';
}

function indexOrEnd(text: string, sign: string, from: number): number {
  const at = text.indexOf(sign, from);
  return at < 0 ? text.length : at;
}
