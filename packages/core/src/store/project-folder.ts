/** What lies in a folder, by the paths of projects alone: logs of any machine are read on any other. */

export interface ProjectFolder {
  /** Without a slash at its end, but for a root. */
  readonly folder: string;
  /** How the path of everything below begins: with one slash or the other, and for a root with its own. */
  readonly below: readonly [string, string];
}

/** A folder as a person writes it, with or without slashes behind it. */
export function projectFolder(project: string): ProjectFolder {
  const folder = project.replace(/[\\/]+$/, '');
  const [root = ''] = project;
  return { folder: folder || root, below: folder === '' ? [root, root] : [`${folder}/`, `${folder}\\`] };
}
