/** Finds the one active engine by its name. */

/** What can be found: an engine, or what makes engines of that name. */
export interface Named {
  readonly name: string;
}

/** A place where engines come from. Gives undefined for a name it does not have. */
export interface EngineSource<E extends Named> {
  /** For messages, such as `plugins/context_engine`. */
  readonly label: string;
  readonly find: (name: string) => Promise<E | undefined>;
}

/** The engine to use, where it was found, and what a person should hear of it. */
export interface ResolvedEngine<E extends Named> {
  readonly engine: E;
  /** Where it came from: a label, or `built-in`. */
  readonly from: string;
  /** Set when the engine asked for is not the one that runs: what to tell the person. */
  readonly warning?: string;
  /** What is wrong with the engine asked for, set with `warning`: `is not known`, or why it could not be loaded. */
  readonly problem?: string;
}

/** Where engines are looked for, in this order: the sources, then the built-in ones. */
export interface EnginePlaces<E extends Named> {
  readonly sources: readonly EngineSource<E>[];
  readonly builtIn: readonly E[];
  readonly fallback: E;
}

/**
 * The engine with this name: from the first source that has it (plugin folder, then plugin registry), else a built-in
 * one. A source is only asked for the name that was chosen, so no plugin becomes active by lying around. An unknown or
 * broken engine never stops a session: the fallback runs and the warning says so.
 */
export async function resolveEngine<E extends Named>(
  name: string,
  { sources, builtIn, fallback }: EnginePlaces<E>,
): Promise<ResolvedEngine<E>> {
  const broken: string[] = [];
  for (const source of sources) {
    try {
      const engine = await source.find(name);
      if (engine) return { engine, from: source.label };
    } catch (error) {
      broken.push(`${source.label} failed to load it: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const engine = [fallback, ...builtIn].find((candidate) => candidate.name === name);
  const reasons = broken.length > 0 ? ` (${broken.join('; ')})` : '';
  if (engine) {
    if (broken.length === 0) return { engine, from: 'built-in' };
    const warning = `The built-in context engine "${name}" is used${reasons}.`;
    return { engine, from: 'built-in', warning, problem: `could not be loaded${reasons}` };
  }
  const known = [fallback, ...builtIn].map((candidate) => candidate.name).join(', ');
  const problem = broken.length > 0 ? `could not be loaded${reasons}` : 'is not known';
  const warning = `The context engine "${name}" ${problem}; "${fallback.name}" is used instead. Set context.engine to one of: ${known}, or to an installed plugin.`;
  return { engine: fallback, from: 'built-in', warning, problem };
}
