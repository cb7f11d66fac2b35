/** Which folder `--project` means. */
import { resolve } from 'node:path';

/**
 * The folder from where the command runs; a path of Windows as it is written, since a log from there may be read
 * anywhere.
 */
export const projectFolder = (project: string, cwd: string): string =>
  /^(?:[A-Za-z]:[\\/]|\\\\)/.test(project) ? project : resolve(cwd, project);
