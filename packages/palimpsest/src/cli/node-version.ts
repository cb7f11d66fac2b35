/** Whether this Node can run the program: one that is too old fails in places that say nothing of it. */

/** As `engines` of package.json has it. */
export const leastNode = 24;

/** What to tell a person whose Node is too old; undefined where it is not. `version` such as `24.1.0`. */
export function nodeProblem(version: string): string | undefined {
  if (Number.parseInt(version, 10) >= leastNode) return undefined;
  return `expected Node ${leastNode} or newer, got Node ${version}: install a newer one, or run: npx -p node@${leastNode} palimpsest`;
}
