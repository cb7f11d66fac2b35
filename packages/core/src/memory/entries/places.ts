/** Which file shows which entry: the two of the person and of everywhere, and one for each project. */
import { basename, join } from 'node:path';
import { contentHash } from '../../shared/hash.ts';
import type { MemoryEntry } from '../../store/memory-store.ts';
import type { MemoryTarget } from '../files/entries.ts';
import { type MemoryFiles, type MemoryFilesOptions, openMemoryFiles } from '../files/memory-files.ts';

/** A file of the memory. */
export interface Place {
  readonly target: MemoryTarget;
  /** Absent for what holds everywhere. */
  readonly project?: string;
}

/** The files of one folder, its projects included. */
export interface Places {
  /** What is read and written here: the person's, everybody's, and those of the project. */
  readonly own: readonly Place[];
  files(place: Place): MemoryFiles;
}

export function openPlaces(options: MemoryFilesOptions, project: string | undefined): Places {
  const opened = new Map<string, MemoryFiles>();
  return {
    own: [
      { target: 'user' },
      { target: 'memory' },
      ...(project === undefined ? [] : [{ target: 'memory', project } as const]),
    ],
    files: ({ project: of }) => {
      const folder = of === undefined ? options.folder : join(options.folder, 'projects', projectFolder(of));
      const files = opened.get(folder) ?? openMemoryFiles({ ...options, folder });
      opened.set(folder, files);
      return files;
    },
  };
}

/** The name tells a person which project it is, and the hash tells it from others of that name. */
export function projectFolder(project: string): string {
  const name = basename(project)
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}_.-]+/gu, '-')
    .replace(/^[.-]+/, '')
    .slice(0, 40);
  return `${name || 'project'}-${contentHash(project).slice(0, 8)}`;
}

/** Where an entry stands while it is live. What is so of the person holds in every project. */
export const placeOf = ({ target, project }: Pick<MemoryEntry, 'target' | 'project'>): Place =>
  target === 'user' || project === undefined ? { target } : { target, project };

/** The same for the same file. */
export const placeKey = ({ target, project }: Place): string => `${target} ${project ?? ''}`;

export const isAt = (entry: Pick<MemoryEntry, 'target' | 'project'>, place: Place): boolean =>
  placeKey(placeOf(entry)) === placeKey(place);

/** What a project is called: the name of its folder. */
export const projectName = (project: string): string => basename(project) || project;

/** For a person: `MEMORY.md`, `USER.md`, or the file of a project. */
export const placeName = ({ target, project }: Place): string =>
  `${target === 'user' ? 'USER.md' : 'MEMORY.md'}${project === undefined ? '' : ` of ${projectName(project)}`}`;
