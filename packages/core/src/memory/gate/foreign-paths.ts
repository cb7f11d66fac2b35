/** Which files are not the agent's own: vendored and downloaded ones, those outside of the project, and what became of them. */
import { resolvePath } from '../../compression/ledger/commands.ts';
import type { MemorySource } from '../../store/memory-store.ts';

/** What is known of files by the calls of a conversation. */
export interface FilePlaces {
  /** The project's folder, where it is known. */
  readonly projectFolder?: string;
  /** Where commands run, as far as earlier ones tell. */
  readonly folder?: string;
  /** Files and folders by what was put there. */
  readonly known: ReadonlyMap<string, MemorySource>;
}

/** Folders that hold the work of others, by the names that package managers, build tools and people give them. */
const foreignFolder =
  /(?:^|\/)(?:node_modules|bower_components|jspm_packages|vendor(?:ed)?|third[-_]?part(?:y|ies)|externals?|site-packages|dist-packages|pods|carthage|\.venv|venv|virtualenv|\.cargo\/(?:registry|git)|\.rustup|\.m2|\.gradle|\.npm|\.yarn|\.pnpm-store|go\/pkg\/mod|\.cache|downloads?|attachments?|uploads?|inbox|mail|maildir|clones?|checkouts?|submodules)(?:\/|$)/i;

/** Where anybody may put a file. */
const openFolder =
  /^(?:\/(?:tmp|var\/tmp|private\/tmp|dev\/shm|media|mnt|run\/user)|~?\/?(?:downloads|desktop)|[a-z]:\/(?:temp|users\/[^/]+\/(?:downloads|desktop|appdata\/local\/temp)))(?:\/|$)/i;

/** What tells of the machine, not of anybody's words. */
const machineFolder = /^\/(?:etc|proc|sys|dev|bin|sbin|usr\/(?:s?bin|local\/s?bin))(?:\/|$)/;

const isRooted = (path: string): boolean => /^(?:\/|~|[A-Za-z]:\/)/.test(path);

/** The class of what a file holds; `own-tool` for the project's own. */
export function sourceOfPath(path: string, places: FilePlaces): MemorySource {
  const whole = resolvePath(path, places.folder ?? places.projectFolder);
  const known = knownAt(whole, places) ?? knownAt(resolvePath(path), places);
  if (known) return known;
  const project = places.projectFolder === undefined ? undefined : resolvePath(places.projectFolder);
  const inner = project !== undefined && isBelow(whole, project) ? whole.slice(project.length) : whole;
  if (inner !== whole) return foreignFolder.test(inner) ? 'document' : 'own-tool';
  if (machineFolder.test(whole)) return 'own-tool';
  if (foreignFolder.test(whole) || openFolder.test(whole)) return 'document';
  if (!isRooted(whole)) return whole.startsWith('../') ? 'document' : 'own-tool';
  return project !== undefined && isRooted(project) ? 'document' : 'own-tool';
}

/** The class of the nearest folder or file above that something is known of. */
function knownAt(path: string, { known }: FilePlaces): MemorySource | undefined {
  if (known.size === 0) return undefined;
  for (let at = path; at !== '' && at !== '/'; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    const found = known.get(at);
    if (found) return found;
  }
  return undefined;
}

const isBelow = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);
