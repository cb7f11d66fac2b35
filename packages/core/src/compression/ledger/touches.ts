/** Which files a call touches, and how. */

/** What a call does to a file. */
export interface FileTouch {
  readonly path: string;
  readonly state: 'read' | 'created' | 'changed' | 'deleted';
  /** Set when the path may be a folder with everything in it. */
  readonly isTree?: true;
  /** Set when more commands follow in the same call: it happened although the call failed later. */
  readonly isEarly?: true;
}

/** The path without detours (`./`, `//`, `a/..`), below `folder` when it is relative and the folder is known. */
export function resolvePath(path: string, folder?: string): string {
  const slashed = path.replace(/^file:\/\//, '').replaceAll('\\', '/');
  const isRooted = /^(?:\/|~|[A-Za-z]:\/|[a-z][\w+.-]*:\/\/)/.test(slashed);
  const whole = folder === undefined || isRooted ? slashed : `${folder}/${slashed}`;
  if (whole.includes('://')) return whole;
  const segments: string[] = [];
  for (const segment of whole.split('/')) {
    if (segment === '' || segment === '.') continue;
    const last = segments.at(-1);
    if (segment === '..' && last !== undefined && last !== '..' && last !== '~') segments.pop();
    else segments.push(segment);
  }
  return (whole.startsWith('/') ? '/' : '') + segments.join('/') || path;
}

const patchHeader =
  /^\*\*\* (Add|Update|Delete) File: (.+)$|^\*\*\* Move to: (.+)$|^--- (?:a\/)?(\S+).*\n\+\+\+ (?:b\/)?(\S+)|^rename (from|to) (.+)$/gm;

/** Files that a patch adds, changes, moves or deletes; in the form of `apply_patch` or as a unified diff. */
export function patchTouches(patch: string, folder?: string): readonly FileTouch[] {
  const touches: FileTouch[] = [];
  const add = (path: string | undefined, state: FileTouch['state']): void => {
    if (path?.trim()) touches.push({ path: resolvePath(path.trim(), folder), state });
  };
  for (const [, verb, named, moved, before, after, direction, renamed] of patch.matchAll(patchHeader)) {
    if (verb) add(named, verb === 'Add' ? 'created' : verb === 'Delete' ? 'deleted' : 'changed');
    else if (moved) {
      const source = touches.pop();
      add(source?.path, 'deleted');
      add(moved, 'created');
    } else if (direction) add(renamed, direction === 'from' ? 'deleted' : 'created');
    else if (after === '/dev/null') add(before, 'deleted');
    else add(after, before === '/dev/null' ? 'created' : 'changed');
  }
  return touches;
}
