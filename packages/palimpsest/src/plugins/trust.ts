/** Which projects a person trusts: code and commands of all others do not run. */
import type { PluginFiles } from './plugin-files.ts';

/** Whether a project is trusted, and what of the person's list is not what it was. */
export interface Trust {
  readonly isTrusted: boolean;
  /** Paths of the list that lead elsewhere by now, and where. */
  readonly moved: readonly { readonly path: string; readonly to: string }[];
}

/**
 * Trusted where the person's own configuration names the real path of this very folder; one that lies below a trusted
 * folder is not trusted by that. A path that is a link, or has become one, stands for nothing: whoever can change the link
 * would choose what is trusted.
 */
export async function trustOf(
  project: string,
  trusted: readonly string[],
  { realPath }: Pick<PluginFiles, 'realPath'>,
): Promise<Trust> {
  if (trusted.length === 0) return { isTrusted: false, moved: [] };
  const here = await realPath(project);
  const named = await Promise.all(trusted.map(async (path) => ({ path, to: await realPath(path) })));
  const moved = named.filter(({ path, to }) => path !== to);
  return {
    isTrusted: named.some(({ path, to }) => path === to && to === here),
    moved: moved.filter(({ to }) => to === here),
  };
}
