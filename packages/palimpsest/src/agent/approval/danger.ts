/** What is dangerous whatever was allowed: it destroys, outlives the session, or would change who may do what. */
import { programName } from './commands/offers.ts';
import type { Project } from './project.ts';
import type { ApprovalRequest } from './request.ts';
import { readCommand, type ShellReading } from './shell/read-command.ts';

/** What a request does that no rule and no policy may let pass by itself, as the end of "it …"; undefined for nothing. */
export function dangerOf(request: ApprovalRequest, project: Project): string | undefined {
  switch (request.kind) {
    case 'run':
      return commandDanger(request.command ?? '', project);
    case 'write':
    case 'write-outside':
      return project.look(request.target).danger;
    default:
      return undefined;
  }
}

/** True for a change to what we keep ourselves, which no tool may make. */
export const isOwnChange = ({ kind, target }: ApprovalRequest, project: Project): boolean =>
  (kind === 'write' || kind === 'write-outside') && project.look(target).isOwn;

/** Signs in the text of a line, however it is quoted. */
const signs: readonly (readonly [RegExp, string])[] = [
  [/:\s*\(\s*\)\s*\{/, 'starts copies of itself until nothing else runs'],
  [/\b(\w+)\s*\(\s*\)\s*\{[^}]*\b\1\s*\|\s*\1\b/, 'starts copies of itself until nothing else runs'],
  [/--no-preserve-root/, 'deletes everything'],
  [/(?:>|\bof=)\s*["']?\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|disk|mem|kmem|mapper)/, 'writes to a device'],
  [/(?:^|[/\s"'=:])\.ssh(?:[/\s"']|$)|authorized_keys/, 'touches the keys that let you log in'],
  [
    /(?:^|[/\s"'=:~])\.(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases|zshrc|zshenv|zprofile|zlogin|profile|kshrc|cshrc|tcshrc|inputrc)(?![\w-])|config\.fish/,
    'touches what every shell of yours runs',
  ],
  [
    /\.git\/(?:hooks|config|info)|core\.hooks?path|core\.fsmonitor|core\.sshcommand/i,
    'changes what Git runs by itself',
  ],
  [
    /\/etc\/(?:cron|passwd|shadow|sudoers|profile|rc\.|init|systemd|ld\.so|hosts)|\/var\/spool\/cron/,
    'touches the system',
  ],
  [/(?:\.config|\.local\/share|Application Support)\/palimpsest/, 'touches what Palimpsest itself keeps'],
  [/\/proc\/(?:self|\d+|\$\w*)\/(?:environ|mem)/, 'reads what programs keep to themselves'],
];

const dangerousPrograms: Readonly<Record<string, string>> = {
  wipefs: 'destroys a file system',
  fdisk: 'changes a disk',
  sfdisk: 'changes a disk',
  parted: 'changes a disk',
  shred: 'destroys files for good',
  shutdown: 'stops the machine',
  reboot: 'stops the machine',
  halt: 'stops the machine',
  poweroff: 'stops the machine',
  crontab: 'changes what runs at set times',
  at: 'changes what runs at set times',
  batch: 'changes what runs at set times',
  visudo: 'changes who may do what',
  passwd: 'changes who may log in',
  useradd: 'changes who may log in',
  usermod: 'changes who may log in',
  palimpsest: 'changes what Palimpsest itself keeps',
};

const mostChars = 20_000;

/** How deep a line in a line in a line is followed. */
const mostDepth = 5;

function commandDanger(line: string, project: Project, depth = 0): string | undefined {
  if (line.length > mostChars) return 'is too long to be looked through';
  const reading = readCommand(line);
  // Once as it stands, and once as the programs get it: `~/.s"s"h`, `\.ssh`.
  const words = reading.commands.flatMap((one) => one.words.map(({ text }) => text));
  const texts = [line, words.join(' '), reading.redirections.join(' ')];
  const sign = signs.find(([pattern]) => texts.some((text) => pattern.test(text)));
  if (sign) return sign[1];
  const places = [...words, ...reading.redirections].flatMap(pathsIn);
  if (places.some((path) => project.look(withHome(path, project)).isOwn)) return 'touches what Palimpsest itself keeps';
  const written = reading.redirections.map((path) => project.look(withHome(path, project)).danger);
  return (
    written.find((danger) => danger !== undefined) ??
    pipedDanger(reading, depth) ??
    firstOf(reading.commands, (command) =>
      programDanger(
        command.words.map(({ text }) => text),
        { project, depth },
      ),
    )
  );
}

/** A word, and what stands behind the `=` in it. */
function pathsIn(word: string): readonly string[] {
  if (word.length > 4_000 || word.includes('\0') || word.includes('\n')) return [];
  const value = /=(.+)$/.exec(word)?.[1];
  return [word, ...(value === undefined ? [] : [value])];
}

const withHome = (path: string, { home }: Project): string =>
  home === undefined ? path : path.replace(/^(?:\$HOME|\$\{HOME\})(?=\/|$)/, home);

/** A text that comes from the net, or out of another command, and is run. */
function pipedDanger({ commands, unclear }: ShellReading, depth: number): string | undefined {
  const names = commands.map(({ words }) => programName(words[0]?.text ?? ''));
  const fetches = names.some((name) => /^(?:curl|wget|fetch|aria2c|nc|ncat)$/.test(name));
  const shell = /^(?:bash|sh|zsh|dash|ksh|fish|source|\.|eval|python|node|perl|ruby|php)$/;
  if (fetches && unclear !== undefined && (depth > 0 || names.some((name) => shell.test(name))))
    return 'runs what it downloads';
  for (const [i, { joint, words }] of commands.entries()) {
    if (joint !== 'pipe') continue;
    const wrapped = unwrapped(words.map(({ text }) => text));
    const [program = '', ...rest] = wrapped;
    const takesText = rest.every((word) => word.startsWith('-')) || /^-s?$/.test(rest[0] ?? '');
    if (!shell.test(programName(program)) || !takesText) continue;
    return fetches && i > 0 ? 'runs what it downloads' : 'runs a text that another command writes';
  }
  return undefined;
}

interface Around {
  readonly project: Project;
  readonly depth: number;
}

function programDanger(words: readonly string[], around: Around): string | undefined {
  const inner = unwrapped(words);
  const [program = '', ...rest] = inner;
  const name = programName(program);
  if (around.depth < mostDepth) {
    const text = textOfShell(name, rest);
    const danger = text === undefined ? undefined : commandDanger(text, around.project, around.depth + 1);
    if (danger !== undefined) return danger;
    // Some wrappers take the whole line in one word: `env -S TEXT`.
    const lines = wrappers.test(programName(words[0] ?? '')) ? words.filter((word) => /\s/.test(word)) : [];
    const inside = firstOf(lines, (one) => commandDanger(one, around.project, around.depth + 1));
    if (inside !== undefined) return inside;
    const run = rest.findIndex((word) => /^-(?:exec|execdir|ok|okdir|x|X)$/.test(word));
    if (/^(?:find|fd)$/.test(name) && run >= 0) {
      const found = programDanger(rest.slice(run + 1), { ...around, depth: around.depth + 1 });
      if (found !== undefined) return found;
    }
  }
  const known = Object.hasOwn(dangerousPrograms, name) ? dangerousPrograms[name] : undefined;
  if (known !== undefined && !isHarmlessUse(name, rest)) return known;
  if (name === 'find' && rest.some((word) => /^-delete$|(?:^|\/)rm$/.test(word))) {
    // What is found lies in the folders that come first.
    const first = rest.findIndex((word) => /^[-(!]/.test(word));
    return removalDanger(['-r', ...rest.slice(0, first)], around);
  }
  if (/^(?:mkfs|newfs)/.test(name)) return 'destroys a file system';
  if (name === 'rm' || name === 'rmdir' || name === 'unlink') return removalDanger(rest, around);
  if (name === 'dd') return ddDanger(rest, around.project);
  if (/^(?:chmod|chown|chgrp)$/.test(name)) return modeDanger(rest, around.project);
  if (name === 'git') return gitDanger(rest);
  if (/^(?:kill|pkill|killall)$/.test(name) && rest.includes('-1')) return 'ends every program of yours';
  if (name === 'systemctl' || name === 'launchctl') return 'changes what starts by itself';
  return writeDanger(name, rest, around.project);
}

const isHarmlessUse = (name: string, rest: readonly string[]): boolean =>
  (name === 'crontab' && rest.length === 1 && rest[0] === '-l') ||
  (name === 'palimpsest' && rest.length === 1 && /^(?:--version|--help|-v|-h)$/.test(rest[0] ?? ''));

/** Programs that run the words behind them; their own options and settings go. */
const wrappers =
  /^(?:sudo|doas|pkexec|env|command|builtin|exec|nohup|setsid|time|nice|ionice|stdbuf|timeout|xargs|parallel|watch|caffeinate|npx|bunx)$/;

function unwrapped(words: readonly string[]): readonly string[] {
  let left = words;
  for (let tries = 0; tries < 10 && wrappers.test(programName(left[0] ?? '')); tries++) {
    let next = 1;
    // An option of a wrapper may take the word behind it; a program is never a number.
    while (next < left.length && /^-|^[A-Za-z_]\w*=|^\d+(?:\.\d+)?[smhd]?$/.test(left[next] ?? '')) {
      next += /^-(?:u|g|n|I|L|P|s|k|S|d|h|C)$/.test(left[next] ?? '') ? 2 : 1;
    }
    left = left.slice(next);
  }
  return left;
}

/** What a shell is told to run: `bash -c TEXT`, `eval TEXT`. */
function textOfShell(name: string, rest: readonly string[]): string | undefined {
  if (name === 'eval') return rest.join(' ');
  if (!/^(?:bash|sh|zsh|dash|ksh|fish|busybox|su)$/.test(name)) return undefined;
  const at = rest.findIndex((word) => /^-[a-z]*c[a-z]*$/.test(word));
  return at < 0 ? undefined : rest[at + 1];
}

function removalDanger(rest: readonly string[], { project }: Around): string | undefined {
  const options = rest.filter((word) => /^-./.test(word));
  const targets = rest.filter((word) => !/^-./.test(word));
  const isDeep = options.some((option) => /^-[a-zA-Z]*[rR]/.test(option) || /^--r/.test(option));
  for (const target of targets) {
    // Everything in a folder is as much as the folder.
    const folder = target.replace(/(?:^|\/)\.?\*+$/, '');
    const path = withHome(folder || (target.startsWith('/') ? '/' : '.'), project);
    const place = project.look(path);
    if (place.danger !== undefined) return place.danger;
    if (!isDeep) continue;
    if (/[$`]/.test(path)) return 'deletes folders that cannot be told before';
    if (!place.isInside) return `deletes ${place.shown} with everything in it`;
    if (place.path === project.folder || /^\.git(?:\/|$)/.test(place.shown)) return 'deletes the whole project';
  }
  if (isDeep && targets.length === 0) return 'deletes folders that cannot be told before';
  return undefined;
}

function ddDanger(rest: readonly string[], project: Project): string | undefined {
  const target = rest.find((word) => word.startsWith('of='))?.slice('of='.length);
  if (target === undefined || target === '/dev/null') return undefined;
  return target.startsWith('/dev/') ? 'writes to a device' : project.look(target).danger;
}

function modeDanger(rest: readonly string[], project: Project): string | undefined {
  const isDeep = rest.some((word) => /^-[a-zA-Z]*R/.test(word) || word === '--recursive');
  const outside = rest.find((word) => /^[/~$]|\.\./.test(word) && !project.look(withHome(word, project)).isInside);
  return isDeep && outside !== undefined ? `changes who may use ${outside}` : undefined;
}

function gitDanger(rest: readonly string[]): string | undefined {
  const at = rest.findIndex(
    (word, i) => !word.startsWith('-') && !/^(?:-c|-C|--git-dir|--work-tree)$/.test(rest[i - 1] ?? ''),
  );
  const [command, ...words] = rest.slice(at);
  if (command === 'push') {
    const forces = words.some(
      (word) => /^--(?:for|mi|de|pru)/.test(word) || /^-[a-zA-Z]*[fd]/.test(word) || /^[+:]/.test(word),
    );
    return forces ? 'overwrites what others have pushed' : undefined;
  }
  if (command === 'config' && words.some((word) => /^--(?:global|system|file)|^-f$/.test(word)))
    return 'changes what Git runs for you everywhere';
  if (
    command === 'config' &&
    words.some((word) => /^(?:alias|filter|diff|core|credential|include|url|gpg|pager|merge)\./i.test(word)) &&
    words.length > 1
  )
    return 'changes what Git runs by itself';
  return undefined;
}

/** Programs that write where their words say. */
const writers = /^(?:tee|cp|mv|ln|install|touch|truncate|rsync|sed|mkdir|tar|unzip|ditto)$/;

const writeDanger = (name: string, rest: readonly string[], project: Project): string | undefined =>
  writers.test(name)
    ? firstOf(rest.flatMap(pathsIn), (path) =>
        path.startsWith('-') ? undefined : project.look(withHome(path, project)).danger,
      )
    : undefined;

function firstOf<T>(list: readonly T[], of: (one: T) => string | undefined): string | undefined {
  for (const one of list) {
    const found = of(one);
    if (found !== undefined) return found;
  }
  return undefined;
}
