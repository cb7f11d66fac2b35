/** How a command knows that an agent runs it, and no person. Imports nothing: the start of the command asks here. */

/**
 * Stands in the environment of all that the tool `terminal` runs, and so of all that these programs run. It keeps nobody out
 * who means to take it away: whoever runs commands as the person can do what the person can. It stops what is run by a file,
 * a build or another name, where reading the line cannot tell what it does.
 */
export const agentVariable = 'PALIMPSEST_AGENT';

/** True within a command of an agent: a terminal is none then, and `--yes` is nobody's word. */
export const isOfAgent = (env: Readonly<Record<string, string | undefined>>): boolean => Boolean(env[agentVariable]);
