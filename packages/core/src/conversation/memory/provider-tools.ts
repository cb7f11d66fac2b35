/** The tools of the memory provider of a runtime: what they give back is an outsider's. */
import type { ToolSources } from '../../memory/gate/tool-source.ts';
import type { MemoryProvider } from '../../memory/providers/provider.ts';
import { admittedTools } from '../../memory/providers/tools.ts';
import type { MemoryUse } from '../options.ts';

/** What a model may be offered of it. */
export const providerToolNames = (memory: Pick<MemoryUse, 'provider'> | undefined): readonly string[] =>
  memory?.provider ? namesOf(memory.provider) : [];

const everything = { taken: [], isExternal: true, refuse: () => undefined };
const known = new WeakMap<MemoryProvider, readonly string[]>();

function namesOf(provider: MemoryProvider): readonly string[] {
  const names = known.get(provider) ?? admittedTools(provider, everything).map(({ name }) => name);
  known.set(provider, names);
  return names;
}

/** Whose words tools bring: what a program says of them goes first, and no name makes a provider's tool one of ours. */
export function toolSourcesOf(
  memory: Pick<MemoryUse, 'provider' | 'toolSources'> | undefined,
): ToolSources | undefined {
  const names = providerToolNames(memory);
  const given = memory?.toolSources;
  if (names.length === 0) return given;
  return (name, input) => {
    const said = typeof given === 'function' ? given(name, input) : ownMember(given, name);
    return said ?? (names.includes(name) ? 'outside-tool' : undefined);
  };
}

const ownMember = <T>(object: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  object && Object.hasOwn(object, name) ? object[name] : undefined;
