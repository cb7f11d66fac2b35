/**
 * Skills: folders with a `SKILL.md` that begins with a name and a description. A prompt has only the index of them; the model reads
 * the file when it needs it. Those of the person come first; those of a project are data, as its `AGENTS.md` is.
 */
import { readdir, realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { PromptFile } from '@palimpsest/core/prompt';
import { dataFolder, userFolder } from './folders.ts';
import {
  absent,
  checkoutOf,
  type FoundFile,
  foldersBetween,
  isWithin,
  type PlaceOptions,
  readOne,
} from './prompt-files.ts';
import { readSkillHead } from './skill-head.ts';

/** The index of the skills of one owner. */
export interface SkillIndex {
  /** For `skills` of a prompt: a line a skill. */
  readonly file: PromptFile;
  /** The files that its lines tell of, in their order. */
  readonly paths: readonly string[];
}

/** What was found. */
export interface Skills {
  readonly own?: SkillIndex;
  readonly project?: SkillIndex;
  /** Skills that are there and are not shown, each with the reason. */
  readonly notes: readonly string[];
}

interface Skill {
  readonly name: string;
  readonly description: string;
  /** As the model can read it. */
  readonly shown: string;
  readonly file: FoundFile;
  /** The folder of skills that it lies in. */
  readonly place: string;
}

/** In this order in each folder of a project: ours, the one that agents share, and that of Claude Code. */
const projectPlaces = ['.palimpsest', '.agents', '.claude'] as const;

/** The folders of a person's own skills, the first ones first. */
export function ownSkillPlaces({ env, platform }: Pick<PlaceOptions, 'env' | 'platform'>): readonly string[] {
  const home = env.HOME ?? env.USERPROFILE;
  const ours = [userFolder(env, platform), dataFolder(env, platform)];
  const shared = home === undefined ? [] : [join(home, '.agents'), join(home, '.claude')];
  return [...ours, ...shared].flatMap((folder) => (folder === undefined ? [] : [join(folder, 'skills')]));
}

/**
 * Reads them. Never fails, waits for a pipe or a device, or reads a skill of a project that lies outside of its checkout. Of two
 * skills with one name the person's own counts, then the one that is nearest to the folder; a copy counts once.
 */
export async function readSkills(options: PlaceOptions): Promise<Skills> {
  const { cwd, env, hasProject = true } = options;
  const notes: string[] = [];
  const here = await realpath(cwd).catch(() => cwd);
  const home = env.HOME ?? env.USERPROFILE;
  const found: Skill[] = [];
  const add = async (place: Place): Promise<readonly Skill[]> => {
    const fresh = (await skillsIn(place, notes)).filter((skill) => isNew(skill, found, notes));
    found.push(...fresh);
    return fresh;
  };
  const own: Skill[] = [];
  for (const folder of ownSkillPlaces(options)) own.push(...(await add({ folder, base: home, sign: '~' })));
  const project: Skill[] = [];
  const root = await checkoutOf(here);
  for (const above of hasProject ? foldersBetween(root, here).toReversed() : [])
    for (const name of projectPlaces)
      project.push(...(await add({ folder: join(above, name, 'skills'), base: here, root })));
  return {
    ...(own.length === 0 ? {} : { own: indexOf(own, 'Skills of the person:\n') }),
    ...(project.length === 0 ? {} : { project: indexOf(project) }),
    notes,
  };
}

interface Place {
  readonly folder: string;
  /** The folder from which paths are told, and what stands for it; other paths are told whole. */
  readonly base: string | undefined;
  readonly sign?: string;
  /** The folder that links may not lead out of; absent for the person's own skills. */
  readonly root?: string;
}

/** More folders than anybody has skills. */
const mostFolders = 200;

/** A head is at the beginning; the rest is read by the model. */
const mostHeadBytes = 64 * 1_024;

async function skillsIn({ folder, base, sign, root }: Place, notes: string[]): Promise<readonly Skill[]> {
  const names = await namesIn(folder, root, notes);
  const skills: Skill[] = [];
  for (const name of names.slice(0, mostFolders)) {
    const path = join(folder, name, 'SKILL.md');
    const file = await readOne(path, { notes, mostBytes: mostHeadBytes, ...(root === undefined ? {} : { root }) });
    if (!file) continue;
    const head = hidesSigns(path) ? 'its path has signs that nobody sees' : await readSkillHead(file.text, name);
    if (typeof head === 'string') notes.push(`${path} is not shown to the model: ${head}.`);
    else if (head.isForModels) skills.push({ ...head, file, place: folder, shown: shownPath(path, base, sign) });
  }
  if (names.length > mostFolders)
    notes.push(`${folder} has ${names.length} folders: the skills in the first ${mostFolders} are shown to the model.`);
  return skills;
}

/** A path with them is not the one that a model would write. */
const hidesSigns = (path: string): boolean => /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(path);

/** Folders and links in a folder, in an order that is the same on every machine; none where there is no such folder. */
async function namesIn(folder: string, root: string | undefined, notes: string[]): Promise<readonly string[]> {
  try {
    const real = await realpath(folder);
    if (root !== undefined && !isWithin(root, real)) {
      notes.push(`The skills in ${folder} are not shown to the model: it is a link that leads out of the project.`);
      return [];
    }
    const entries = await readdir(real, { withFileTypes: true });
    return entries
      .filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && !entry.name.startsWith('.'))
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    try {
      absent(error);
    } catch {
      notes.push(`The skills in ${folder} are not shown to the model: it cannot be read as a folder.`);
    }
    return [];
  }
}

function shownPath(path: string, base: string | undefined, sign: string | undefined): string {
  if (base === undefined || !isWithin(base, path)) return path;
  const inner = relative(base, path).split(sep).join('/');
  return sign === undefined ? inner : `${sign}/${inner}`;
}

/** The same letters in another form are the same name. */
const keyOf = ({ name }: Skill): string => name.normalize('NFKC').toLowerCase();

function isNew(skill: Skill, found: readonly Skill[], notes: string[]): boolean {
  const { path, real, text } = skill.file;
  const other = found.find((one) => one.file.real === real || keyOf(one) === keyOf(skill));
  if (!other) return true;
  const isCopy = other.file.real === real || other.file.text === text;
  if (!isCopy)
    notes.push(
      `${path} is not shown to the model: ${other.file.path} has the same name (${skill.name}) and goes first.`,
    );
  return false;
}

/** Descriptions of so many characters, the longest that all of them have room for. */
const descriptionChars = [1_024, 500, 250, 120, 60] as const;

/** About the room that skills have in a prompt. */
const mostIndexChars = 6_000;

/** A line a skill, by name. Where there are many, their descriptions are cut, so that all names are there. */
function indexOf(skills: readonly Skill[], heading = ''): SkillIndex {
  const sorted = skills.toSorted((a, b) => compared(keyOf(a), keyOf(b)) || compared(a.shown, b.shown));
  const textWith = (most: number): string =>
    sorted.map(({ name, description, shown }) => `- ${name}: ${cut(description, most)} (${shown})`).join('\n');
  const most = descriptionChars.find((chars) => textWith(chars).length <= mostIndexChars) ?? descriptionChars.at(-1);
  const path = [...new Set(sorted.map(({ place }) => place))].join(', ');
  return {
    file: { path, text: heading + textWith(most ?? 0), ...(heading === '' ? {} : { isOwn: true }) },
    paths: sorted.map(({ file }) => file.path),
  };
}

const compared = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most).toWellFormed().trimEnd()}…`;
}
