/** Which projects a person trusts: code and commands of all others do not run. */
import type { PluginFiles } from './plugin-files.ts';

/**
 * True where the person's own configuration names this very folder; one that lies below a trusted folder is not trusted
 * by that. Links are followed on both sides.
 */
export async function isTrustedProject(
  project: string,
  trusted: readonly string[],
  { realPath }: Pick<PluginFiles, 'realPath'>,
): Promise<boolean> {
  if (trusted.length === 0) return false;
  const [here, ...named] = await Promise.all([project, ...trusted].map((path) => realPath(path)));
  return here !== undefined && named.includes(here);
}
