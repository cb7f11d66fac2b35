/** Whose words a command line shows, what it puts where, and where the next one runs. */
import { effectiveCommands, resolvePath } from '../../compression/ledger/commands.ts';
import type { MemorySource } from '../../store/memory-store.ts';
import { type FilePlaces, sourceOfPath } from './foreign-paths.ts';
import { commandOfGit, pathInVersion, showsHistory } from './shell-history.ts';
import { lowest } from './sources.ts';

/** A command line, as far as its words tell. */
export interface ShellReading {
  /** The lowest class of what it may show. */
  readonly source: MemorySource;
  /** Files and folders that it makes, by what they hold. */
  readonly puts: ReadonlyMap<string, MemorySource>;
  /** The folder in which it ends. */
  readonly folder?: string;
}

/** Programs that show what somebody outside wrote. */
const fetching: ReadonlySet<string> = new Set(
  (
    'curl wget http https xh httpie aria2c axel lynx w3m links elinks gh glab hub tea jira linear acli scp sftp ftp rsync rclone ' +
    'nc ncat netcat socat telnet websocat ssh mail mutt himalaya notmuch whois dig nslookup host yt-dlp gdown gsutil aws az gcloud s3cmd ' +
    'slack telegram-cli irssi newsboat trafilatura playwright puppeteer Invoke-WebRequest Invoke-RestMethod iwr irm'
  ).split(' '),
);
/** The project's own remote is its own; what is cloned is not. */
const fetchingGit: ReadonlySet<string> = new Set(['clone', 'submodule', 'subtree']);
/** Programs that show nothing of what is in a file. */
const silent = /^(?:test|\[|\[\[|mkdir|rm|rmdir|cp|mv|ln|chmod|chown|touch|wc|du|stat|which|sleep|kill|install|ditto)$/;
const fetchingPackages = /^(?:npm|pnpm|yarn|bun)$/;
const packageTexts = new Set(['view', 'info', 'show', 'search', 'pack', 'docs', 'repo', 'dlx']);
const interpreters = /^(?:python[\d.]*|py|node|deno|bun|ruby|perl|php|Rscript|lua|osascript|pwsh|powershell)$/;
const unpacking = /^(?:tar|bsdtar|unzip|7z|7za|unrar|gunzip|zcat|bunzip2|unxz|cpio|ar|jar)$/;
const copying = /^(?:cp|mv|ln|install|rsync|ditto|Copy-Item|Move-Item)$/;

/** An address on another machine. */
export const remoteAddress: RegExp =
  /\b(?:https?|wss?|ftp|sftp|ssh|git|gopher):\/\/(?!(?:[^/@\s]*@)?(?:localhost|127\.\d|0\.0\.0\.0|\[?::1|host\.docker\.internal)\b)[^\s"'`]|\bgit@[\w.-]+:/i;
const localAddress = /(?:^|\/\/|@)(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1\])(?=[:/]|$)|^:\d+/i;

/** What another machine is told to run comes out of it as commands of its own. */
const onOtherMachine = /(?:^|[;&|(\n]\s*|\bsudo\s+)ssh\s/;

const named = (args: readonly string[]): readonly string[] => args.filter((arg) => arg !== '' && !arg.startsWith('-'));

/** Reads a command line. Linear; never throws. */
export function readShell(command: string, places: FilePlaces): ShellReading {
  const puts = new Map<string, MemorySource>();
  const known = new Map(places.known);
  let folder = places.folder ?? places.projectFolder;
  let source: MemorySource = folder === undefined ? 'own-tool' : sourceOfPath(folder, { ...places, known });
  if (onOtherMachine.test(command)) source = lowest(source, 'outside-tool');
  const put = (path: string | undefined, from: MemorySource): void => {
    if (path === undefined || path === '' || path === '-' || path.startsWith('/dev/')) return;
    const whole = resolvePath(path, folder);
    known.set(whole, from);
    puts.set(whole, from);
  };
  for (const { words, writes } of effectiveCommands(command)) {
    const [program = '', ...args] = words;
    const name = program.slice(program.lastIndexOf('/') + 1);
    const here: FilePlaces = { ...places, known, ...(folder === undefined ? {} : { folder }) };
    if (name === 'cd' || name === 'pushd') {
      const target = args[0] === undefined || args[0] === '-' ? '..' : resolvePath(args[0], folder);
      // From a place that nobody knows, the way up leads to another one.
      folder = target.startsWith('..') ? undefined : target;
      if (folder !== undefined) source = lowest(source, sourceOfPath(folder, here));
      continue;
    }
    const shown = sourceOfCommand(name, args, { command, places: here });
    if (!silent.test(name)) source = lowest(source, shown);
    for (const path of madeBy(name, args)) put(path, shown === 'own-tool' ? 'own-tool' : 'document');
    // A pipe hands on what the commands before it showed.
    for (const { path } of writes) put(path, source === 'own-tool' ? 'own-tool' : 'document');
  }
  return { source, puts, ...(folder === undefined ? {} : { folder }) };
}

interface Around {
  readonly command: string;
  readonly places: FilePlaces;
}

function sourceOfCommand(name: string, args: readonly string[], { command, places }: Around): MemorySource {
  const words = name === 'git' ? named(args).map(pathInVersion) : named(args);
  const read = words.map((word) => (isPath(word, places) ? sourceOfPath(word, places) : 'own-tool'));
  const files = read.reduce<MemorySource>(lowest, 'own-tool');
  if (isFetching(name, args)) return lowest(files, 'outside-tool');
  if (showsHistory(name, args)) return lowest(files, 'document');
  if (interpreters.test(name) && remoteAddress.test(command)) return lowest(files, 'outside-tool');
  if (unpacking.test(name) && named(args).some((word) => /\.(?:zip|tar|tgz|t?[gx]z|bz2|7z|rar|jar)$/i.test(word)))
    return 'document';
  return files;
}

function isFetching(name: string, args: readonly string[]): boolean {
  const words = named(args);
  if (name === 'git') return fetchingGit.has(commandOfGit(args)[0] ?? '');
  if (fetchingPackages.test(name)) return packageTexts.has(words[0] ?? '');
  if (/^pip[\d.]*$/.test(name)) return words[0] === 'show' || words[0] === 'download';
  if (!fetching.has(name)) return false;
  // A server of one's own is a thing that the agent runs itself.
  return !(/^(?:curl|wget|https?|xh|nc|ncat|websocat)$/.test(name) && words.some((word) => localAddress.test(word)));
}

/** A word that may name a file: one with a sign of a path, or one that a file is known by. */
const isPath = (word: string, { known, folder }: FilePlaces): boolean =>
  /[/\\]|\.\w/.test(word) ||
  known.has(resolvePath(word, folder)) ||
  /^(?:vendor|node_modules|third[-_]party)$/.test(word);

/** What a command makes of what it was given. */
function madeBy(name: string, args: readonly string[]): readonly string[] {
  const words = named(args);
  const last = words.at(-1) ?? '';
  if (name === 'git' && words[0] === 'clone') {
    const [, from = '', to] = words.filter((word) => !/^\d+$/.test(word));
    return [to ?? baseName(from).replace(/\.git$/, '')];
  }
  if (name === 'gh' && words[1] === 'clone') return [words[3] ?? baseName(words[2] ?? '')];
  if (/^(?:curl|wget|aria2c)$/.test(name)) return downloads(args, words);
  if (unpacking.test(name)) {
    const flag = args.findIndex((arg) => /^-(?:C|d)$|^--directory$/.test(arg));
    const archive = words.find((word) => /\.\w{2,3}$/.test(word)) ?? '';
    return [flag < 0 ? baseName(archive).replace(/(?:\.tar)?\.\w{2,3}$/, '') : (args[flag + 1] ?? '')];
  }
  if (copying.test(name) && words.length > 1)
    return last.endsWith('/') || last === '.' ? words.slice(0, -1).map((word) => `${last}/${baseName(word)}`) : [last];
  return name === 'tee' ? words : [];
}

function downloads(args: readonly string[], words: readonly string[]): readonly string[] {
  const flag = args.findIndex((arg) => /^-(?:[a-zA-Z]*o|O|P)$|^--output(?:-document)?$/.test(arg));
  const to = flag < 0 ? undefined : args[flag + 1];
  const fromAddress = baseName((words.find((word) => word.includes('/')) ?? '').replace(/[?#].*/, ''));
  return [to === undefined || to.startsWith('http') ? fromAddress : to];
}

const baseName = (path: string): string => path.replace(/\/+$/, '').split(/[/:]/).at(-1) ?? '';
