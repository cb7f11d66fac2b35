/** The tools of the memory provider of a runtime: what they give back is an outsider's. */
import type { ToolSources } from '../../memory/gate/tool-source.ts';
import type { MemoryProvider, ProviderTool } from '../../memory/providers/provider.ts';
import { admittedTools } from '../../memory/providers/tools.ts';
import { isJsonObject, parseJson } from '../../shared/json.ts';
import type { ToolCallPart } from '../../transcript/message.ts';
import type { MemoryUse } from '../options.ts';

/** The names of what a model may be offered of it. */
export const providerToolNames = (memory: Using): readonly string[] => toolsOf(memory).map(({ name }) => name);

type Using = Pick<MemoryUse, 'provider' | 'toolSources'> | undefined;

const everything = { taken: [], isExternal: true, refuse: () => undefined };
const known = new WeakMap<MemoryProvider, readonly ProviderTool[]>();

function toolsOf(memory: Using): readonly ProviderTool[] {
  const provider = memory?.provider;
  if (!provider) return [];
  const tools = known.get(provider) ?? admittedTools(provider, everything);
  known.set(provider, tools);
  return tools;
}

/** True for a call that has a provider keep something, as far as its answer tells: a failure stands in no fence. */
export function isKeptByProvider(memory: Using, { name, input }: ToolCallPart, result: string | undefined): boolean {
  const writes = toolsOf(memory).find((tool) => tool.name === name)?.writes;
  const args = parseJson(input);
  if (writes === undefined || !isJsonObject(args) || (args[writes] ?? '') === '') return false;
  return result?.startsWith('<memory-context>') === true;
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
