/**
 * The folder that an agent works in, and what a path means there: where it really leads, whether that is inside, and what
 * is special about it. Nothing is opened; links are followed.
 */
import { lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { checkKnownOptions } from '@palimpsest/core/settings';
import { gitConfigRuns } from './commands/git-config.ts';
import { guardedName, isSecretName, lastingPlace } from './special-names.ts';

/** Where an agent works. */
export interface ProjectOptions {
  /** The folder of the project. */
  readonly folder: string;
  /** The home of the person: `~`. Undefined where the environment names none. */
  readonly home: string | undefined;
  /** Our own folders, with the configuration, the memory and the approvals: no tool ever writes there. */
  readonly ownFolders: readonly string[];
  /** Folders with skills of the person, whose files are read without a question. @default none */
  readonly skillFolders?: readonly string[];
}

/** What a path leads to. */
export interface PathPlace {
  /** The real path, links followed. */
  readonly path: string;
  /** The same for people and models: relative in the project, with `~` in the home. */
  readonly shown: string;
  readonly isInside: boolean;
  /** True for a file that holds credentials, as far as its name tells. */
  readonly isSecret: boolean;
  /** True for a file in the project that some program runs or obeys by itself, such as `.envrc`. */
  readonly isGuarded: boolean;
  /** What a change there does beyond the project, as the end of "it …"; undefined for nothing. */
  readonly danger: string | undefined;
  /** True in a folder of our own. */
  readonly isOwn: boolean;
  /** True in a skill of the person. */
  readonly isSkill: boolean;
}

export interface Project {
  /** The real path of the folder. */
  readonly folder: string;
  readonly home: string | undefined;
  readonly ownFolders: readonly string[];
  /** What a path leads to; a relative one begins at `base`. @default the folder of the project */
  look(path: string, base?: string): PathPlace;
  /**
   * True where a folder holds a file with credentials, or is too large to tell; installed packages do not count, nor names that
   * begin with a dot unless `hidden`. A file is itself such a file, or is not.
   */
  holdsSecrets(path: string, options: { readonly hidden: boolean }): boolean;
  /** True where Git, in this folder, may run a program that the configuration of the repository names, or where that cannot be told. */
  gitRunsPrograms(folder: string): boolean;
}

/** @throws BAD_OPTION for an option that does not exist */
export function openProject(options: ProjectOptions): Project {
  checkKnownOptions('openProject', options, { folder: true, home: true, ownFolders: true, skillFolders: true });
  const folder = realOf(resolve(options.folder));
  const home = options.home === undefined ? undefined : realOf(resolve(options.home));
  const ownFolders = options.ownFolders.map((own) => realOf(resolve(own)));
  const { skillFolders = [] } = options;
  const look = (path: string, base: string = folder): PathPlace => {
    const real = realOf(resolve(base, expanded(path, home)));
    const isInside = isBelow(real, folder);
    const within = isInside ? relative(folder, real) : undefined;
    const isOwn = ownFolders.some((own) => isBelow(real, own));
    return {
      path: real,
      shown: shownPath(real, { folder, home }),
      isInside,
      isSecret: isSecretName(real),
      isGuarded: within !== undefined && guardedName(within),
      danger: isOwn ? 'changes what Palimpsest itself keeps' : lastingPlace(real, { home }),
      isOwn,
      isSkill: !isInside && skillFolders.some((skills) => isInSkill(real, skills)),
    };
  };
  return { folder, home, ownFolders, look, holdsSecrets, gitRunsPrograms };
}

/** True for a path that is a folder or lies in it. */
export function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

function expanded(path: string, home: string | undefined): string {
  if (home === undefined || !/^~(?:[/\\]|$)/.test(path)) return path;
  return join(home, path.slice(1));
}

function shownPath(path: string, { folder, home }: { folder: string; home: string | undefined }): string {
  if (path === folder) return '.';
  if (isBelow(path, folder)) return relative(folder, path).split(sep).join('/');
  if (home !== undefined && isBelow(path, home)) return join('~', relative(home, path)).split(sep).join('/');
  return path;
}

/** As many links as systems follow. */
const mostLinks = 40;

/** The real path of what is there, or of what would be made there: also behind a link that leads to nothing yet. */
function realOf(path: string, links = 0): string {
  try {
    return realpathSync.native(path);
  } catch {
    // It is not there, or may not be looked at: its folder is told first.
  }
  const parent = dirname(path);
  if (parent === path || links > mostLinks) return path;
  const real = join(realOf(parent, links), basename(path));
  const target = linkTarget(real);
  return target === undefined ? real : realOf(resolve(dirname(real), target), links + 1);
}

function linkTarget(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    return undefined;
  }
}

/** A search through more names than this is not called harmless. */
const mostNames = 20_000;

function holdsSecrets(path: string, { hidden }: { readonly hidden: boolean }): boolean {
  if (isSecretName(path)) return true;
  let left = mostNames;
  const open = [path];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const entry of entriesOf(next)) {
      if (--left < 0) return true;
      if (entry.name === 'node_modules' || (!hidden && entry.name.startsWith('.'))) continue;
      const inner = join(next, entry.name);
      if (isSecretName(inner)) return true;
      if (entry.isDirectory()) open.push(inner);
    }
  }
  return false;
}

/** True below a folder with a `SKILL.md`, which may be a link to where the person keeps it. */
const isInSkill = (path: string, skills: string): boolean =>
  entriesOf(skills).some(({ name }) => {
    const skill = realOf(join(skills, name));
    return isBelow(path, skill) && typeOf(join(skill, 'SKILL.md')) === 'file';
  });

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // A file, or a folder that nobody may read: nothing in it is shown.
    return [];
  }
}

function gitRunsPrograms(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    const found = join(at, '.git');
    const type = typeOf(found);
    if (type === 'folder') return configRuns(found);
    if (type === 'file') return worktreeRuns(found);
    if (type === 'other') return true;
    if (dirname(at) === at) return false;
  }
}

function typeOf(path: string): 'folder' | 'file' | 'other' | 'none' {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return 'none';
  return found.isDirectory() ? 'folder' : found.isFile() ? 'file' : 'other';
}

/** A work tree beside another one names the folder of Git in a file; the configuration lies in that of the first. */
function worktreeRuns(file: string): boolean {
  const named = /^gitdir: (.+)$/m.exec(readText(file) ?? '')?.[1];
  if (named === undefined) return true;
  const folder = isAbsolute(named) ? named : resolve(dirname(file), named);
  const common = readText(join(folder, 'commondir'))?.trim();
  return configRuns(common === undefined ? folder : resolve(folder, common));
}

/** Submodules and single work trees may have a configuration of their own. */
function configRuns(folder: string): boolean {
  const text = readText(join(folder, 'config'));
  if (text === undefined || gitConfigRuns(text)) return true;
  return ['config.worktree', 'modules'].some((name) => typeOf(join(folder, name)) !== 'none');
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
