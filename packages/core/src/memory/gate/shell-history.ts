/**
 * Commands that show the history of a project. Whoever had a change taken in wrote a message into it, and chose the name
 * under which they stand there: words of others, while the files themselves are the project's own.
 */

const ofGit =
  'log show blame annotate shortlog whatchanged reflog show-branch range-diff format-patch cherry cat-file notes';
const historyCommands: ReadonlyMap<string, readonly string[]> = new Map([
  ['git', ofGit.split(' ')],
  ['hg', ['log', 'history', 'annotate', 'blame', 'export', 'tip', 'heads', 'incoming', 'outgoing']],
  ['svn', ['log', 'blame', 'annotate', 'praise', 'ann']],
  ['jj', ['log', 'show', 'evolog', 'obslog']],
]);
/** These show messages where they are asked for them. */
const listing: ReadonlySet<string> = new Set(['branch', 'tag', 'for-each-ref', 'rev-list']);
const asksForMessages = /^(?:-[a-z]*v[a-z]*|--verbose|-n\d*|--(?:pretty|format)(?:=.*)?)$/;
/** A form of nothing but ids, names of branches and dates. */
const onlyIds =
  /^--(?:format|pretty)=(?=.*%)(?:[^%]|%(?:[hHtTpPn%]|[ac][dDrtiIs]|\((?:objectname|refname)(?::short)?\)))*$/;
/** Options of git before its command that take a word. */
const valued = /^(?:-C|-c|--git-dir|--work-tree|--namespace|--exec-path|--config-env)$/;

/** The command of git, with what stands behind it. */
export function commandOfGit(args: readonly string[]): readonly string[] {
  const at = args.findIndex((arg, i) => !arg.startsWith('-') && !valued.test(args[i - 1] ?? ''));
  return at === -1 ? [] : args.slice(at);
}

/** The path in `HEAD:src/a.ts`; any other word as it is. */
export const pathInVersion = (word: string): string => word.replace(/^[^/\\:]*:(?!\/\/)/, '');

/** A file in some version (`git show HEAD:src/a.ts`) is no history: it comes without a message. */
export function showsHistory(name: string, args: readonly string[]): boolean {
  if (name === 'tig') return true;
  const [command = '', ...rest] =
    name === 'git' ? commandOfGit(args) : args.filter((arg) => arg !== '' && !arg.startsWith('-'));
  if (args.some((arg) => onlyIds.test(arg))) return false;
  if (name === 'git' && listing.has(command)) return rest.some((arg) => asksForMessages.test(arg));
  const shown = rest.filter((arg) => !arg.startsWith('-'));
  if (command === 'show' && shown.length > 0 && shown.every((arg) => arg.includes(':'))) return false;
  return historyCommands.get(name)?.includes(command) ?? false;
}
