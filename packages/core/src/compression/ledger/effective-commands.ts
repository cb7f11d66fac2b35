/** The programs that a command line really starts: without `sudo`, `npx` and the like, and inside `bash -c '…'`. */
import { type SimpleCommand, simpleCommands } from './shell-words.ts';

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
