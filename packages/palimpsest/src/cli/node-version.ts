/** Which Node this needs. Imports nothing: a Node that is too old must be able to load this file. */

/** As `engines` of package.json has it. */
export const leastNode = 24;

/** What to tell a person whose Node is too old; undefined where it is not. `version` such as `24.1.0`. */
export function nodeProblem(version: string): string | undefined {
  if (Number.parseInt(version, 10) >= leastNode) return undefined;
  return `expected Node ${leastNode} or newer, got Node ${version}: install a newer one, or run: npx -p node@${leastNode} palimpsest`;
}
