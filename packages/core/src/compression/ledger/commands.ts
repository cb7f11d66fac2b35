/** What a shell command line reads, writes and removes, and what makes two lines tries of the same thing. */

import { type SimpleCommand, simpleCommands } from './shell-words.ts';
import { actsOutside } from './side-effects.ts';
import { type FileTouch, patchTouches, resolvePath } from './touches.ts';

/** A command line as far as its words show what it does. */
export interface CommandReading {
  readonly files: readonly FileTouch[];
  /** Its commands with an effect outside the working copy, each on one line. */
  readonly outside: readonly string[];
  /**
   * What the line tries, the thing that most likely decides about its outcome last: `npm test` in `cd a && npm test |
   * tail && git commit`. Equal for tries of the same thing, whatever flags, filters and redirections they have.
   */
  readonly keys: readonly string[];
}

type Add = (path: string | undefined, state: FileTouch['state'], isTree?: boolean) => void;

/** Reads a command line; `folder` is where it runs, when the call says so. Linear; never throws. */
export function readCommand(command: string, folder?: string): CommandReading {
  const files: FileTouch[] = [];
  const outside: string[] = [];
  const tried = new Set<string>();
  const recorded = new Set<string>();
  let firstKey = '';
  let base = folder;
  const add: Add = (path, state, isTree = false) => {
    if (path === undefined || !(isTree ? isPlain(path) : isFile(path))) return;
    files.push({ path: resolvePath(path, base), state, ...(isTree ? { isTree: true } : {}) });
  };
  const commands = effectiveCommands(command);
  for (const [at, { words, writes }] of commands.entries()) {
    const before = files.length;
    const [program = '', ...args] = words;
    if (program === 'cd' || program === 'pushd') base = folderAfter(base, args[0]);
    touching.get(program)?.(args, add);
    for (const { path, append } of writes) add(path, append ? 'changed' : 'created');
    if (at < commands.length - 1) markEarly(files, before);
    if (actsOutside(words)) outside.push(shown(words));
    if (program && !isPreparing(program, args)) (program === 'git' ? recorded : tried).add(keyOf(program, args));
    firstKey ||= keyOf(program, args);
  }
  if (command.includes('*** Begin Patch')) files.push(...patchTouches(command, folder));
  const keys = [...recorded, ...tried].slice(-maxKeys);
  return { files, outside, keys: keys.length > 0 ? keys : [firstKey] };
}

const maxKeys = 8;

function markEarly(files: FileTouch[], from: number): void {
  for (let i = from; i < files.length; i++) {
    const touch = files[i];
    if (touch) files[i] = { ...touch, isEarly: true };
  }
}

/** What comes before or behind the thing that is tried: moving files about and filtering lines says nothing of it. */
function isPreparing(program: string, args: readonly string[]): boolean {
  if (program === 'git') return args[0] === 'add' || args[0] === 'mv' || args[0] === 'rm';
  return preparing.has(program) || (touching.has(program) && program !== 'curl' && program !== 'wget');
}

function folderAfter(base: string | undefined, target: string | undefined): string | undefined {
  if (target === undefined || !isPlain(target) || target === '-') return undefined;
  return resolvePath(target, base);
}

/** A word that stands for itself: no pattern, variable or substitution. */
const isPlain = (word: string): boolean => word.length <= 400 && /^[^*?[\]{}$`<>|;!"'\n]+$/.test(word);
const isFile = (word: string): boolean =>
  word.length >= 3 && isPlain(word) && /[./]/.test(word) && !/^[\d.,:]+$|^\/dev\/|^[-+=(]|:\/\/|\/$/.test(word);

const named = (args: readonly string[]): readonly string[] => args.filter((arg) => arg !== '' && !arg.startsWith('-'));

const removes = (args: readonly string[], add: Add): void => {
  const isTree = args.some((arg) => /^-\w*[rR]|^--recursive$/.test(arg));
  for (const path of named(args)) add(path, 'deleted', isTree);
};
const each =
  (state: FileTouch['state']) =>
  (args: readonly string[], add: Add): void => {
    for (const path of named(args)) add(path, state);
  };

/** `mv a b`, `mv a b folder/`: what was there is gone, and is at the new place under the same name in a folder. */
function moves(args: readonly string[], add: Add, sourceState: 'deleted' | undefined): void {
  const paths = named(args);
  const target = paths.at(-1);
  if (target === undefined || paths.length < 2) return;
  for (const source of paths.slice(0, -1)) {
    const name = source.slice(source.lastIndexOf('/') + 1);
    const intoFolder =
      paths.length > 2 || /\/$|^\.{1,2}$/.test(target) || (!/\.\w+$/.test(target) && /\.\w+$/.test(name));
    if (sourceState) add(source, sourceState, !name.includes('.'));
    add(intoFolder ? `${target.replace(/\/$/, '')}/${name}` : target, 'created');
  }
}

/** `sed -i script files` changes them, `sed -n script files` shows them. */
function edits(args: readonly string[], add: Add): void {
  const inPlace = args.some((arg) => /^-[nErsz]*i|^--in-place/.test(arg));
  const scripted = args.some((arg) => /^-\w*[ef]$|^--expression/.test(arg));
  const files = args.filter((arg, at) => arg !== '' && !arg.startsWith('-') && !/^-\w*[ef]$/.test(args[at - 1] ?? ''));
  for (const path of scripted ? files : files.slice(1)) add(path, inPlace ? 'changed' : 'read');
}

function git([verb, ...args]: readonly string[], add: Add): void {
  if (verb === 'rm') removes(args, add);
  else if (verb === 'mv') moves(args, add, 'deleted');
  else if (verb === 'restore' && !args.includes('--staged')) for (const path of named(args)) add(path, 'changed');
  else if (verb === 'checkout' && args.includes('--'))
    for (const path of named(args.slice(args.indexOf('--')))) add(path, 'changed');
}

function downloads(args: readonly string[], add: Add): void {
  const flag = args.findIndex((arg) => /^-(?:[a-zA-Z]*o|O)$|^--output(?:-document)?$/.test(arg));
  if (flag >= 0) add(args[flag + 1], 'created');
}

/** What programs do to the files they are given. */
const table: readonly (readonly [programs: string, touch: (args: readonly string[], add: Add) => void])[] = [
  ['rm unlink rmdir trash Remove-Item del', removes],
  ['cat head tail nl less more bat batcat Get-Content', each('read')],
  ['touch New-Item Set-Content Out-File', each('created')],
  ['mv', (args, add) => moves(args, add, 'deleted')],
  ['cp', (args, add) => moves(args, add, undefined)],
  ['ln', (args, add) => add(named(args).at(-1), 'created')],
  ['tee', (args, add) => each(args.includes('-a') ? 'changed' : 'created')(args, add)],
  ['sed', edits],
  ['perl', (args, add) => (args.some((arg) => /^-\w*i/.test(arg)) ? edits(['-i', ...args], add) : undefined)],
  ['git', git],
  ['curl wget', downloads],
];

/** A Map, because a command line may say `constructor`. */
const touching: ReadonlyMap<string, (args: readonly string[], add: Add) => void> = new Map(
  table.flatMap(([programs, touch]) => programs.split(' ').map((program) => [program, touch] as const)),
);

/** Commands that prepare others and say nothing of what is tried. */
const preparing = new Set(
  (
    'cd pushd popd export set source . echo printf mkdir sleep true fi done esac chmod for read ' +
    'grep egrep rg wc sort uniq cut tr awk jq column ls test ['
  ).split(' '),
);

/** Flags before words of a message. */
const speaking = /^(?:-[a-z]*m|--(?:message|title|body))$/;

/** The program and the first two names it is given. */
function keyOf(program: string, args: readonly string[]): string {
  const names = args.filter(
    (arg, at) => /^[^-\s]\S*$/.test(arg) && !/^\d+$/.test(arg) && !speaking.test(args[at - 1] ?? ''),
  );
  // `node --test` and `node -e` are different things.
  return [program, ...(names.length > 0 ? names.slice(0, 2) : args.slice(0, 1))].join(' ');
}

const shownChars = 300;

/** The words as one line; of a text of several lines the first. */
function shown(words: readonly string[]): string {
  const texts = words.map((word) => {
    const line =
      word
        .trim()
        .replace(/=\s*\n\s*/, '=')
        .split('\n', 1)[0] ?? '';
    return /\s/.test(line) || line === '' ? `"${line}"` : line;
  });
  return texts.join(' ').slice(0, shownChars).toWellFormed();
}

// The programs that a command line really starts: without `sudo`, `npx` and the like, and inside `bash -c '…'`.

/** The commands of a line, program first, with those that it hands to a shell of its own. Linear; never throws. */
export function effectiveCommands(line: string): readonly SimpleCommand[] {
  return commandsIn(line, 0);
}

const maxDepth = 4;

function commandsIn(line: string, depth: number): readonly SimpleCommand[] {
  return simpleCommands(line).flatMap(({ words: all, writes }) => {
    const words = withoutPrefixes(all);
    const script = depth < maxDepth ? scriptOf(words) : undefined;
    if (script === undefined) return [{ words, writes }];
    return [...commandsIn(script, depth + 1), { words: [], writes }];
  });
}

/** The command line that a shell is given to run. */
function scriptOf([program = '', ...args]: readonly string[]): string | undefined {
  if (program === 'eval') return args.join(' ');
  if (program === 'ssh') return args.slice(countWhile(args, isFlag) + 1).join(' ') || undefined;
  if (!/^(?:\/(?:usr\/)?bin\/)?(?:ba|z|da|fi|k)?sh$/.test(program)) return undefined;
  const flag = args.findIndex((arg) => /^-\w*c$/.test(arg));
  return flag < 0 ? undefined : args[flag + 1];
}

const keywords = new Set('if then else elif do while until ! { time command exec nohup builtin'.split(' '));
const assignment = /^\w+=/;

function withoutPrefixes(words: readonly string[]): readonly string[] {
  let at = 0;
  for (; at < words.length; at++) {
    const word = words[at] ?? '';
    if (keywords.has(word) || assignment.test(word)) continue;
    const skipped = starters.get(word)?.(words.slice(at + 1, at + 8));
    if (skipped === undefined) break;
    at += skipped;
  }
  return at === 0 ? words : words.slice(at);
}

type Skip = (rest: readonly string[]) => number | undefined;

const isFlag = (word: string): boolean => word.startsWith('-');
const flags: Skip = (rest) => countWhile(rest, isFlag);
const flagsAndNumbers: Skip = (rest) => countWhile(rest, (word) => isFlag(word) || /^\d+$|^\{\}$/.test(word));
const verb =
  (...verbs: string[]): Skip =>
  (rest) =>
    verbs.includes(rest[0] ?? '') ? 1 : undefined;

/** Programs that start another one, and how many words behind them are theirs; undefined when they start none. */
const starters: ReadonlyMap<string, Skip> = new Map([
  ['sudo', flags],
  ['npx', flags],
  ['bunx', flags],
  ['nice', flagsAndNumbers],
  ['xargs', flagsAndNumbers],
  ['env', (rest) => countWhile(rest, (word) => isFlag(word) || assignment.test(word))],
  ['timeout', (rest) => countWhile(rest, (word) => isFlag(word) || /^[\d.]+[smhd]?$/.test(word))],
  ['pnpm', verb('exec', 'dlx')],
  ['yarn', verb('dlx')],
  ['bundle', verb('exec')],
  ['poetry', verb('run')],
  ['uv', verb('run')],
]);

function countWhile(words: readonly string[], test: (word: string) => boolean): number {
  const end = words.findIndex((word) => !test(word));
  return end < 0 ? words.length : end;
}
