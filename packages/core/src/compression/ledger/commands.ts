/** What a shell command line reads, writes and removes, and what makes two lines tries of the same thing. */
import { type SimpleCommand, simpleCommands } from './shell-words.ts';
import { actsOutside } from './side-effects.ts';

/** What a call does to a file. */
export interface FileTouch {
  readonly path: string;
  readonly state: 'read' | 'created' | 'changed' | 'deleted';
  /** Set when the path may be a folder with everything in it. */
  readonly isTree?: true;
  /** Set when more commands follow in the same call: it happened although the call failed later. */
  readonly isEarly?: true;
}

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

/** The path without detours (`./`, `//`, `a/..`), below `folder` when it is relative and the folder is known. */
export function resolvePath(path: string, folder?: string): string {
  const slashed = path.replace(/^file:\/\//, '').replaceAll('\\', '/');
  const isRooted = /^(?:\/|~|[A-Za-z]:\/|[a-z][\w+.-]*:\/\/)/.test(slashed);
  const whole = folder === undefined || isRooted ? slashed : `${folder}/${slashed}`;
  if (whole.includes('://')) return whole;
  const segments: string[] = [];
  for (const segment of whole.split('/')) {
    if (segment === '' || segment === '.') continue;
    const last = segments.at(-1);
    if (segment === '..' && last !== undefined && last !== '..' && last !== '~') segments.pop();
    else segments.push(segment);
  }
  return (whole.startsWith('/') ? '/' : '') + segments.join('/') || path;
}

const patchHeader =
  /^\*\*\* (Add|Update|Delete) File: (.+)$|^\*\*\* Move to: (.+)$|^--- (?:a\/)?(\S+).*\n\+\+\+ (?:b\/)?(\S+)|^rename (from|to) (.+)$/gm;

/** Files that a patch adds, changes, moves or deletes; in the form of `apply_patch` or as a unified diff. */
export function patchTouches(patch: string, folder?: string): readonly FileTouch[] {
  const touches: FileTouch[] = [];
  const add = (path: string | undefined, state: FileTouch['state']): void => {
    if (path?.trim()) touches.push({ path: resolvePath(path.trim(), folder), state });
  };
  for (const [, verb, named, moved, before, after, direction, renamed] of patch.matchAll(patchHeader)) {
    if (verb) add(named, verb === 'Add' ? 'created' : verb === 'Delete' ? 'deleted' : 'changed');
    else if (moved) {
      add(touches.pop()?.path, 'deleted');
      add(moved, 'created');
    } else if (direction) add(renamed, direction === 'from' ? 'deleted' : 'created');
    else if (after === '/dev/null') add(before, 'deleted');
    else add(after, before === '/dev/null' ? 'created' : 'changed');
  }
  return touches;
}

type Add = (path: string | undefined, state: FileTouch['state'], isTree?: boolean) => void;
type Touching = (args: readonly string[], add: Add) => void;

const maxKeys = 8;

/** Reads a command line; `folder` is where it runs, when the call says so. Linear; never throws. */
export function readCommand(command: string, folder?: string): CommandReading {
  const files: FileTouch[] = [];
  const outside: string[] = [];
  const tried = new Set<string>();
  const recorded = new Set<string>();
  let firstKey = '';
  let base = folder;
  const commands = effectiveCommands(command);
  for (const [at, { words, writes }] of commands.entries()) {
    const early = at < commands.length - 1 ? ({ isEarly: true } as const) : {};
    const add: Add = (path, state, isTree = false) => {
      if (path === undefined || !(isTree ? isPlain(path) : isFile(path))) return;
      files.push({ path: resolvePath(path, base), state, ...(isTree ? { isTree: true } : {}), ...early });
    };
    const [program = '', ...args] = words;
    if (program === 'cd' || program === 'pushd') base = folderAfter(base, args[0]);
    touching.get(program)?.(args, add);
    for (const { path, append } of writes) add(path, append ? 'changed' : 'created');
    if (actsOutside(words)) outside.push(shown(words));
    if (program && !isPreparing(program, args)) (program === 'git' ? recorded : tried).add(keyOf(program, args));
    firstKey ||= keyOf(program, args);
  }
  if (command.includes('*** Begin Patch')) files.push(...patchTouches(command, folder));
  const keys = [...recorded, ...tried].slice(-maxKeys);
  return { files, outside, keys: keys.length > 0 ? keys : [firstKey] };
}

/** What comes before or behind the thing that is tried: moving files about and filtering lines says nothing of it. */
function isPreparing(program: string, [verb = '']: readonly string[]): boolean {
  if (program === 'git') return verb === 'add' || verb === 'mv' || verb === 'rm';
  return preparing.has(program) || (touching.has(program) && program !== 'curl' && program !== 'wget');
}

const folderAfter = (base: string | undefined, target: string | undefined): string | undefined =>
  target === undefined || !isPlain(target) || target === '-' ? undefined : resolvePath(target, base);

/** A word that stands for itself: no pattern, variable or substitution. */
const isPlain = (word: string): boolean => word.length <= 400 && /^[^*?[\]{}$`<>|;!"'\n]+$/.test(word);
const isFile = (word: string): boolean =>
  word.length >= 3 && isPlain(word) && /[./]/.test(word) && !/^[\d.,:]+$|^\/dev\/|^[-+=(]|:\/\/|\/$/.test(word);

const isFlag = (word: string): boolean => word.startsWith('-');
const named = (args: readonly string[]): readonly string[] => args.filter((arg) => arg !== '' && !isFlag(arg));

const each =
  (state: FileTouch['state']): Touching =>
  (args, add) => {
    for (const path of named(args)) add(path, state);
  };

const removes: Touching = (args, add) => {
  const isTree = args.some((arg) => /^-\w*[rR]|^--recursive$/.test(arg));
  for (const path of named(args)) add(path, 'deleted', isTree);
};

/** `mv a b`, `mv a b folder/`: what was there is gone, and is at the new place under the same name in a folder. */
const moves =
  (isGone: boolean): Touching =>
  (args, add) => {
    const sources = named(args);
    const target = sources.at(-1);
    if (target === undefined || sources.length < 2) return;
    for (const source of sources.slice(0, -1)) {
      const name = source.slice(source.lastIndexOf('/') + 1);
      const intoFolder =
        sources.length > 2 || /\/$|^\.{1,2}$/.test(target) || (!/\.\w+$/.test(target) && /\.\w+$/.test(name));
      if (isGone) add(source, 'deleted', !name.includes('.'));
      add(intoFolder ? `${target.replace(/\/$/, '')}/${name}` : target, 'created');
    }
  };

/** `sed -i script files` changes them, `sed -n script files` shows them. */
const edits: Touching = (args, add) => {
  const inPlace = args.some((arg) => /^-[nErsz]*i|^--in-place/.test(arg));
  const scripted = args.some((arg) => /^-\w*[ef]$|^--expression/.test(arg));
  const files = args.filter((arg, at) => arg !== '' && !isFlag(arg) && !/^-\w*[ef]$/.test(args[at - 1] ?? ''));
  for (const path of scripted ? files : files.slice(1)) add(path, inPlace ? 'changed' : 'read');
};

const git: Touching = ([verb, ...args], add) => {
  if (verb === 'rm') removes(args, add);
  else if (verb === 'mv') moves(true)(args, add);
  else if (verb === 'restore' && !args.includes('--staged')) each('changed')(args, add);
  else if (verb === 'checkout' && args.includes('--')) each('changed')(args.slice(args.indexOf('--')), add);
};

const downloads: Touching = (args, add) => {
  const flag = args.findIndex((arg) => /^-(?:[a-zA-Z]*o|O)$|^--output(?:-document)?$/.test(arg));
  if (flag >= 0) add(args[flag + 1], 'created');
};

/** What programs do to the files they are given. */
const table: readonly (readonly [programs: string, touch: Touching])[] = [
  ['rm unlink rmdir trash Remove-Item del', removes],
  ['cat head tail nl less more bat batcat Get-Content', each('read')],
  ['touch New-Item Set-Content Out-File', each('created')],
  ['mv', moves(true)],
  ['cp', moves(false)],
  ['ln', (args, add) => add(named(args).at(-1), 'created')],
  ['tee', (args, add) => each(args.includes('-a') ? 'changed' : 'created')(args, add)],
  ['sed', edits],
  ['perl', (args, add) => (args.some((arg) => /^-\w*i/.test(arg)) ? edits(['-i', ...args], add) : undefined)],
  ['git', git],
  ['curl wget', downloads],
];

/** A Map, because a command line may say `constructor`. */
const touching: ReadonlyMap<string, Touching> = new Map(
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
    const [line = ''] = word
      .trim()
      .replace(/=\s*\n\s*/, '=')
      .split('\n', 1);
    return /\s/.test(line) || line === '' ? `"${line}"` : line;
  });
  return texts.join(' ').slice(0, shownChars).toWellFormed();
}

// The programs that a command line really starts: without `sudo`, `npx` and the like, and inside `bash -c '…'`.

const maxDepth = 4;

/** The commands of a line, program first, with those that it hands to a shell of its own. Linear; never throws. */
export function effectiveCommands(line: string, depth = 0): readonly SimpleCommand[] {
  return simpleCommands(line).flatMap(({ words: all, writes }) => {
    const words = withoutPrefixes(all);
    const script = depth < maxDepth ? scriptOf(words) : undefined;
    if (script === undefined) return [{ words, writes }];
    return [...effectiveCommands(script, depth + 1), { words: [], writes }];
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

const prefix = /^(?:if|then|else|elif|do|while|until|!|\{|time|command|exec|nohup|builtin)$|^\w+=/;

function withoutPrefixes(words: readonly string[]): readonly string[] {
  let at = 0;
  for (; at < words.length; at++) {
    const word = words[at] ?? '';
    if (prefix.test(word)) continue;
    const own = starters.get(word);
    const rest = words.slice(at + 1, at + 8);
    if (own instanceof RegExp) at += countWhile(rest, (one) => own.test(one));
    else if (own?.includes(rest[0] ?? '')) at++;
    else break;
  }
  return at === 0 ? words : words.slice(at);
}

/** Programs that start another one: which words behind them are theirs, or by which verb they do. */
const starters: ReadonlyMap<string, RegExp | readonly string[]> = new Map<string, RegExp | readonly string[]>([
  ['sudo', /^-/],
  ['npx', /^-/],
  ['bunx', /^-/],
  ['nice', /^-|^\d+$|^\{\}$/],
  ['xargs', /^-|^\d+$|^\{\}$/],
  ['env', /^-|^\w+=/],
  ['timeout', /^-|^[\d.]+[smhd]?$/],
  ['pnpm', ['exec', 'dlx']],
  ['yarn', ['dlx']],
  ['bundle', ['exec']],
  ['poetry', ['run']],
  ['uv', ['run']],
]);

function countWhile(words: readonly string[], test: (word: string) => boolean): number {
  const end = words.findIndex((word) => !test(word));
  return end < 0 ? words.length : end;
}
