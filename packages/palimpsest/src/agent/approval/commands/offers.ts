/** Which rules may be offered for a command: the narrowest that make sense, and none for what runs anything it is told. */
import type { Project } from '../project.ts';
import type { AllowRule } from '../request.ts';
import { readCommand, type ShellCommand } from '../shell/read-command.ts';
import { isPlainFollower } from './followers.ts';
import { isReading, type PlacedCommand, placedCommands } from './reading-command.ts';

/** Programs that run what they are told, reach out, or destroy: each time is another matter. */
const never: ReadonlySet<string> = new Set(
  (
    'bash sh zsh dash ksh fish csh tcsh busybox pwsh powershell cmd sudo su doas pkexec env xargs parallel eval exec source . command builtin ' +
    'nohup setsid timeout time nice ionice stdbuf script expect watch rm rmdir unlink shred srm dd mkfs chmod chown chgrp chattr kill pkill killall ' +
    'curl wget fetch aria2c nc ncat netcat socat telnet ftp sftp ssh scp rsync awk gawk mawk perl ruby php lua osascript crontab at batch ' +
    'systemctl launchctl service docker podman kubectl helm terraform aws gcloud az gh npx bunx pnpx dlx uvx pipx palimpsest tmux screen ' +
    'mount umount iptables visudo passwd useradd usermod alias export set unset trap history tee install ln'
  ).split(' '),
);

/** Interpreters: a file of the project is one thing, a text on the line another. */
const interpreters: ReadonlySet<string> = new Set('node deno bun python tsx ts-node'.split(' '));

/** Programs whose beginnings make a rule: their own name, or with their first words. `*` is any one plain word. */
const beginnings: readonly string[] = [
  'npm test',
  'npm t',
  'npm run *',
  'npm run-script *',
  'npm ls',
  'npm outdated',
  'pnpm test',
  'pnpm run *',
  'yarn test',
  'yarn run *',
  'bun test',
  'bun run *',
  'node --test',
  'deno test',
  'git status',
  'git diff',
  'git log',
  'git show',
  'git add',
  'git commit',
  'cargo build',
  'cargo check',
  'cargo test',
  'cargo clippy',
  'cargo fmt',
  'go build',
  'go test',
  'go vet',
  'go fmt',
  'python -m pytest',
  'python3 -m pytest',
  'pytest',
  'tsc',
  'eslint',
  'biome check',
  'biome lint',
  'biome format',
  'prettier --check',
  'prettier --write',
  'ruff check',
  'ruff format',
  'mypy',
  'vitest run',
  'jest',
  'phpunit',
  'rspec',
];

export interface CommandOffers {
  readonly rules: readonly AllowRule[];
  /** Why there is none, as the end of "it …". */
  readonly noRule: string | undefined;
}

const none = (noRule: string): CommandOffers => ({ rules: [], noRule });

/** The rules for a line that is not dangerous; narrowest first. */
export function commandOffers(line: string, project: Project): CommandOffers {
  const reading = readCommand(line);
  if (reading.unclear !== undefined) return none(reading.unclear);
  const placed = placedCommands(reading, project);
  if (!placed || placed.length === 0) return none('changes to a folder that is not known before');
  const open = placed.filter((one) => !isReading(one, project));
  const anything = open.find(({ command }) => runsAnything(command));
  if (anything) return none(`runs ${anything.command.words[0]?.text}, which does whatever it is told`);
  const exact: AllowRule = { type: 'command', text: line };
  const [one, other] = open;
  const words = one && !other ? beginningOf(one, project) : undefined;
  return { rules: words ? [exact, { type: 'commands', words }] : [exact], noRule: undefined };
}

function runsAnything({ words }: ShellCommand): boolean {
  const [program = '', ...rest] = words.map(({ text }) => text);
  const name = programName(program);
  // A name that only looks like a known one, or that is no name.
  if (!/^[\w.+-]+$/.test(name) || /[^\x20-\x7e]/.test(program) || never.has(name) || /^mkfs/.test(name)) return true;
  const options = rest.filter((word) => word.startsWith('-'));
  if (interpreters.has(name)) {
    const [first = ''] = rest;
    return !/^(?:-m|--test)$/.test(first) && (first === '' || first.startsWith('-') || options.some(isCode));
  }
  if (name === 'git') return runsAnythingInGit(rest);
  if (name === 'find' || name === 'fd') return true;
  return (
    /^(?:npm|pnpm|yarn|bun|cargo|go|pip|gem|uv|poetry)$/.test(name) &&
    /^(?:exec|x|dlx|create|init|publish|install-test)$/.test(rest[0] ?? '')
  );
}

/** `/usr/bin/python3.12` → `python`. */
export const programName = (program: string): string =>
  (program.split(/[/\\]/).at(-1) ?? '')
    .toLowerCase()
    .replace(/\.exe$/, '')
    .replace(/(?<=[a-z])[\d.]+$/, '');

const isCode = (option: string): boolean =>
  /^(?:-[cepr]|--(?:eval|print|require|import|loader|experimental-loader))(?:=|$)/.test(option);

/** Options before the command of Git may name programs, and some commands run what they are told. */
function runsAnythingInGit([first = '', ...rest]: readonly string[]): boolean {
  if (first === '' || first.startsWith('-')) return true;
  if (
    /^(?:config|push|bisect|filter-branch|submodule|difftool|mergetool|rebase|send-email|hook|maintenance|daemon|clone|remote)$/.test(
      first,
    )
  )
    return true;
  return rest.some(
    (word) =>
      /^(?:-c$|--(?:exec|upload-pack|receive-pack|output|ext-diff|textconv|open-files-in-pager|config))/.test(word) ||
      /^ext::/.test(word),
  );
}

/** The words that the rule would begin with, where such a rule covers this very command. */
function beginningOf({ command, folder }: PlacedCommand, project: Project): readonly string[] | undefined {
  const given = command.words.map(({ text }) => text);
  for (const beginning of beginnings) {
    const parts = beginning.split(' ');
    const isOne = parts.every((part, i) =>
      part === '*' ? /^[A-Za-z][\w:.-]*$/.test(given[i] ?? '') : given[i] === part,
    );
    if (!isOne) continue;
    const words = given.slice(0, parts.length);
    const behind = command.words.slice(parts.length);
    return isPlainFollower(behind, { words, folder, project }) ? words : undefined;
  }
  return undefined;
}
