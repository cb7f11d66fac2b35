/** The general registry: engines by name, registered by packages that the configuration names, or by a program itself. */
import { PalimpsestError } from '@palimpsest/core';
import type { EngineFactory } from './engine-host.ts';
import { isPluginName } from './manifest.ts';

/** What `register` of a general plugin is handed. */
export interface PluginRegistry {
  /**
   * Offers an engine; it is used where `context.engine` names it. Throws `BAD_OPTION` for a name that is taken or cannot
   * be one, and for what is no function.
   */
  registerContextEngine(engine: EngineFactory): void;
}

/** A registry, and what was registered. */
export interface OpenRegistry extends PluginRegistry {
  /** The engine of this name; undefined when there is none. */
  find(name: string): EngineFactory | undefined;
  names(): readonly string[];
}

/** An empty registry. */
export function createPluginRegistry(): OpenRegistry {
  const engines = new Map<string, EngineFactory>();
  return {
    registerContextEngine({ name, create }) {
      const problem = !isPluginName(String(name))
        ? 'expected a name of lower-case letters, digits, ".", "_" and "-"'
        : typeof create !== 'function'
          ? `expected create of "${name}" to be a function that creates an engine`
          : engines.has(name)
            ? `expected an unused name: an engine "${name}" is already registered`
            : undefined;
      if (problem) throw new PalimpsestError('BAD_OPTION', `${problem}.`);
      engines.set(name, { name, create });
    },
    find: (name) => engines.get(name),
    names: () => [...engines.keys()],
  };
}
