/**
 * Programs that only look, with the options under which that stays true. What is not listed is not known to be harmless:
 * `sort -o`, `uniq IN OUT`, `date -s`, `find -delete`, `rg --pre` and their like are left out, not forbidden.
 */
import type { KnownArguments } from './arguments.ts';

export interface ReadingProgram extends KnownArguments {
  /** What its words are: nothing, any text, names to be shown, files whose content is shown. */
  readonly operands: 'none' | 'text' | 'names' | 'files';
  /** How many words before the files are text, such as a pattern. @default 0 */
  readonly textFirst?: number;
  /** With one of these options there is no such text. */
  readonly textIn?: string;
  /** Most words that are no options. @default no limit */
  readonly mostOperands?: number;
  /** It goes through folders: always, or with one of these options; the folder it is in where none is named. */
  readonly searches?: 'always' | string;
  /** What the words that are no options must be. */
  readonly pattern?: RegExp;
  /** Without an option it runs what comes in by its standard input. */
  readonly needsOption?: boolean;
  /** Names that begin with a dot are looked into only with one of these options. @default they are looked into */
  readonly hiddenWith?: string;
}

const grep: ReadingProgram = {
  flags:
    '-n --line-number -i --ignore-case -l --files-with-matches -L --files-without-match -c --count -v --invert-match ' +
    '-w --word-regexp -x --line-regexp -E --extended-regexp -F --fixed-strings -G --basic-regexp -P --perl-regexp -o --only-matching ' +
    '-h --no-filename -H --with-filename -q --quiet -s --no-messages -r --recursive -I -a --text --color --colour -b -Z -z',
  values:
    '-A -B -C --after-context --before-context --context -m --max-count -e --regexp --include --exclude --exclude-dir --color --colour',
  hasNumbers: true,
  operands: 'files',
  textFirst: 1,
  textIn: '-e --regexp',
  searches: '-r --recursive',
};

const version: ReadingProgram = { flags: '--version', operands: 'none', needsOption: true };
const shortVersion: ReadingProgram = { flags: '--version -v', operands: 'none', needsOption: true };

export const readingPrograms: Readonly<Record<string, ReadingProgram>> = {
  pwd: { flags: '-P -L', operands: 'none' },
  true: { operands: 'none' },
  false: { operands: 'none' },
  echo: { flags: '-n -e -E', operands: 'text' },
  ls: {
    flags:
      '-a -A -l -h -1 -t -r -R -S -d -F -p -i -s -c -u -X -n -o -g -k -m -x -C -L -v -Q --all --almost-all --human-readable --recursive ' +
      '--reverse --directory --classify --color --group-directories-first --full-time --size --inode --no-group',
    values: '--color --sort --time --time-style -I --ignore -w --width --format',
    operands: 'names',
  },
  tree: {
    flags: '-a -d -f -i -p -s -h -D -F -C -n -v -t -r --dirsfirst --noreport --gitignore --du --prune',
    values: '-L -I -P --filelimit',
    operands: 'names',
  },
  cat: { flags: '-n -b -s -A -e -t -v -E -T --number --show-all', operands: 'files' },
  nl: { flags: '-p', values: '-b -w -s -n -v', operands: 'files' },
  tac: { operands: 'files' },
  head: { flags: '-q -v', values: '-n -c --lines --bytes', hasNumbers: true, operands: 'files' },
  tail: { flags: '-q -v -r', values: '-n -c --lines --bytes', hasNumbers: true, operands: 'files' },
  wc: { flags: '-l -w -c -m -L --lines --words --bytes --chars', operands: 'files' },
  cut: {
    flags: '-s --complement',
    values: '-d -f -c -b --delimiter --fields --characters --output-delimiter',
    operands: 'files',
  },
  tr: { flags: '-d -s -c -C -t', operands: 'text', mostOperands: 2 },
  sort: {
    flags:
      '-r -n -u -h -V -f -b -d -g -M -s -z -c --reverse --numeric-sort --unique --human-numeric-sort --version-sort',
    values: '-k -t --key --field-separator',
    operands: 'files',
  },
  // Its second word would be the file that it writes.
  uniq: { flags: '-c -d -u -i -z --count --repeated --unique', values: '-f -s -w', operands: 'files', mostOperands: 1 },
  comm: { flags: '-1 -2 -3', operands: 'files', mostOperands: 2 },
  cmp: { flags: '-s -l -b', operands: 'files', mostOperands: 2 },
  diff: {
    flags:
      '-u -r -q -s -w -b -B -i -y -N -a -c -p -t --brief --unified --recursive --ignore-all-space --ignore-space-change --color --minimal',
    values: '-U -C -W -x --exclude --unified --context --color --width --label',
    operands: 'files',
    searches: '-r --recursive -N',
  },
  column: { flags: '-t', values: '-s -c -o', operands: 'files' },
  fold: { flags: '-s -b', values: '-w', operands: 'files' },
  paste: { flags: '-s', values: '-d', operands: 'files' },
  rev: { operands: 'files' },
  grep,
  egrep: grep,
  fgrep: grep,
  // No --hidden, no -u; a glob brings names with a dot back.
  rg: {
    flags:
      '-n -N -i -s -S -l -c -v -w -x -F -P -U -o -H -I -q -0 --line-number --no-line-number --ignore-case --smart-case --case-sensitive ' +
      '--files-with-matches --files-without-match --count --count-matches --invert-match --word-regexp --line-regexp --fixed-strings ' +
      '--multiline --only-matching --with-filename --no-filename --no-heading --heading --files --type-list --column --trim --json --vimgrep ' +
      '--stats --no-messages --pcre2 --no-config',
    values:
      '-e -A -B -C -m -g -t -T -r -d -j -M --regexp --after-context --before-context --context --max-count --glob --iglob --type --type-not ' +
      '--replace --max-depth --threads --max-columns --color --colors --sort --sortr --max-filesize',
    operands: 'files',
    textFirst: 1,
    textIn: '-e --regexp --files --type-list',
    searches: 'always',
    hiddenWith: '-g --glob --iglob',
  },
  find: {
    // Its options are tests; -exec, -ok, -delete, -fprint, -fls and -files0-from are none of these.
    flags:
      '-print -print0 -empty -not -a -o -and -or -prune -readable -writable -executable -true -false -ls -H -P -xdev -mount -depth -nouser -nogroup',
    values:
      '-name -iname -path -ipath -wholename -type -maxdepth -mindepth -size -mtime -mmin -atime -ctime -amin -cmin -perm -regex -iregex -regextype -links -user -group',
    operands: 'names',
  },
  basename: { flags: '-a -z', values: '-s', operands: 'text' },
  dirname: { flags: '-z', operands: 'text' },
  realpath: { flags: '-e -m -s -q', operands: 'names' },
  readlink: { flags: '-f -e -m -n', operands: 'names' },
  stat: { flags: '-L -t', values: '-c --format', operands: 'names' },
  file: { flags: '-b -i -L -h --mime --mime-type --brief', operands: 'names' },
  du: { flags: '-s -h -a -c -k -m -b --summarize --human-readable', values: '-d --max-depth', operands: 'names' },
  df: { flags: '-h -k -m -T -i --human-readable', operands: 'names' },
  date: { flags: '-u -R -I', values: '--iso-8601', operands: 'text', mostOperands: 1, pattern: /^\+/ },
  uname: { flags: '-a -s -r -m -n -o -p', operands: 'none' },
  whoami: { operands: 'none' },
  id: { flags: '-u -g -n -G', operands: 'none' },
  nproc: { operands: 'none' },
  hostname: { operands: 'none' },
  which: { flags: '-a', operands: 'text', pattern: /^[\w.+-]+$/ },
  type: { flags: '-a -t -p', operands: 'text', pattern: /^[\w.+-]+$/ },
  test: { flags: '-e -f -d -s -r -w -x -L -h -n -z', operands: 'names', mostOperands: 1 },
  sleep: { operands: 'text', mostOperands: 1, pattern: /^\d{1,2}(?:\.\d+)?s?$/ },
  // A script of sed may write and run: only `1,20p` is known.
  sed: { flags: '-n -E', operands: 'files', textFirst: 1 },
  md5sum: { operands: 'files' },
  sha1sum: { operands: 'files' },
  sha256sum: { operands: 'files' },
  od: { flags: '-c -b -x', values: '-A -t -N -j -w', operands: 'files' },
  hexdump: { flags: '-C -c -x -v', values: '-n -s', operands: 'files' },
  strings: { flags: '-a', values: '-n', operands: 'files' },
  node: shortVersion,
  npm: shortVersion,
  pnpm: shortVersion,
  python3: version,
  python: version,
  go: { operands: 'text', mostOperands: 1, pattern: /^version$/ },
  cargo: version,
  rustc: version,
  java: { flags: '-version --version', operands: 'none', needsOption: true },
};

/** Words of `find` that are no options and no folders. */
export const findOperators: ReadonlySet<string> = new Set(['(', ')', '!', ',']);

/** What `sed -n` may be told. */
export const sedScript: RegExp = /^(?:\d{1,9}(?:,(?:\d{1,9}|\$))?p;?)+$/;

/** The same for commands of Git. None of them takes `--output`, `--ext-diff`, `--textconv`, `--no-index` or a pager. */
export const readingGit: Readonly<Record<string, ReadingProgram>> = {
  status: {
    flags:
      '-s --short -b --branch -u -v --long --porcelain --show-stash --ahead-behind -z --untracked-files --ignored --no-renames',
    values: '--porcelain --untracked-files --ignored',
    operands: 'names',
  },
  diff: { ...diffArguments(), operands: 'names' },
  log: { ...diffArguments(), operands: 'names' },
  show: { ...diffArguments(), operands: 'names' },
  blame: { flags: '-w -s -e -l -t -M -C --porcelain --line-porcelain', values: '-L --since', operands: 'names' },
  'ls-files': {
    flags: '-c -m -d -o -s -t -z --cached --modified --deleted --others --stage --exclude-standard --full-name',
    operands: 'names',
  },
  'ls-tree': { flags: '-r -t -d -l -z --name-only --long --full-tree', operands: 'names' },
  'rev-parse': {
    flags:
      '--show-toplevel --abbrev-ref --short --verify --is-inside-work-tree --show-prefix --git-dir --symbolic-full-name -q',
    operands: 'names',
  },
  'rev-list': {
    flags: '--count --all --left-right --first-parent --merges --no-merges',
    values: '-n --max-count',
    hasNumbers: true,
    operands: 'names',
  },
  'merge-base': { flags: '--is-ancestor --all', operands: 'names' },
  describe: { flags: '--tags --always --long --all', values: '--abbrev --match', operands: 'names' },
  shortlog: { flags: '-s -n -e --summary --numbered --email', values: '--since --until', operands: 'names' },
  branch: {
    flags: '-a -r -v -vv --all --remotes --list --show-current --verbose',
    values: '--sort --format',
    operands: 'none',
  },
  tag: { flags: '-l --list', values: '--sort', operands: 'none' },
  remote: { flags: '-v --verbose', operands: 'none' },
  stash: { operands: 'text', mostOperands: 1, pattern: /^list$/ },
  worktree: { operands: 'text', mostOperands: 1, pattern: /^list$/ },
  reflog: { operands: 'none' },
  grep: {
    flags: '-n -i -l -c -w -v -E -F -P -h -H -o --line-number --ignore-case --name-only --count --word-regexp --cached',
    values: '-e -A -B -C -m',
    hasNumbers: true,
    operands: 'names',
    textFirst: 1,
    textIn: '-e',
  },
  'count-objects': { flags: '-v -H', operands: 'none' },
};

function diffArguments(): KnownArguments {
  return {
    flags:
      '-p -u -s -w -b -z -M -C -R -a -c --stat --numstat --shortstat --dirstat --summary --name-only --name-status --cached --staged --patch ' +
      '--no-patch --raw --oneline --graph --all --decorate --no-decorate --reverse --merges --no-merges --first-parent --follow --no-color ' +
      '--color --word-diff --color-words --check --no-renames --find-renames --minimal --patience --histogram --ignore-all-space ' +
      '--ignore-space-change --abbrev-commit --no-ext-diff --no-textconv --full-index --no-prefix --left-right --cherry-pick --quiet ' +
      '--exit-code --merge-base --function-context --topo-order --date-order --branches --tags --remotes --no-notes --no-pager --relative-date',
    values:
      '-n -U -S -G -L --max-count --skip --since --after --until --before --author --committer --grep --format --pretty --date --unified ' +
      '--diff-filter --stat --decorate --color --word-diff --abbrev --diff-algorithm --find-renames --inter-hunk-context',
    hasNumbers: true,
  };
}
