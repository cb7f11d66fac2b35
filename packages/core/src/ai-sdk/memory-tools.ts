/**
 * The tools of the memory and of its provider as a wrapped model has them: what they write is judged by the conversation that
 * calls.
 */
import type { EngineTool } from '../context/engine.ts';
import { createRememberTool, rememberDefinition } from '../memory/entries/remember-tool.ts';
import { memoryDefinition } from '../memory/files/memory-tool.ts';
import type { MemoryProvider } from '../memory/providers/provider.ts';
import { admittedTools } from '../memory/providers/tools.ts';
import { defined } from '../shared/defined.ts';
import type { SessionId } from '../store/ids.ts';
import { remember } from './callers.ts';
import { countedTool } from './counted-tool.ts';
import type { Door } from './door.ts';
import type { CallOptions } from './interface.ts';

/** What a model is offered. */
export const memoryTools: readonly EngineTool[] = [memoryDefinition, rememberDefinition];

/** A call of one of the tools. */
export interface MemoryCall {
  readonly name: string;
  readonly given: unknown;
  readonly door: Door;
  /** The session that calls; undefined where it cannot be told from others. */
  readonly sessionId: SessionId | undefined;
}

/** The answer to a call. Throws what opening the store throws. */
export async function memoryAnswer({ name, given, door, sessionId }: MemoryCall): Promise<string> {
  const memory = await door.memory();
  if (!memory) return JSON.stringify({ success: false, error: 'There is no memory. Go on without.' });
  const runtime = await door.conversations();
  // Each time anew: what has been said since then has a say.
  const { turn, ...writer } = await runtime.writer(sessionId);
  if (name === rememberDefinition.name)
    return createRememberTool({ memory, ...writer, ...defined({ clock: door.clock.now }) }).run(given);
  const files = memory.files(writer);
  const counted = door.memoryTurns.get(turn) ?? countedTool();
  remember(door.memoryTurns, turn, counted);
  return counted.run(files, given);
}

// The tools of a memory provider. A program asks for its tools once, before any conversation; those of a provider that does not
// work are left out of the calls.

/** The memory provider of a wrapped model. */
export function providerOf({ memory }: Door['options']): MemoryProvider | undefined {
  return memory && 'provider' in memory ? memory.provider : undefined;
}

/** What a model is offered of the provider, without names that are taken; the door keeps them in mind. */
export function providerTools(door: Door, taken: readonly string[]): readonly EngineTool[] {
  const provider = providerOf(door.options);
  if (!provider) return [];
  const refuse = (reason: string): void =>
    door.notify({ type: 'memory', level: 'warn', message: `The memory provider ${provider.name}: ${reason}.` });
  const tools = admittedTools(provider, { taken, isExternal: true, refuse });
  for (const { name, description } of tools) door.providerTools.set(name, description);
  return tools;
}

/** The answer to a call of one of them. Throws what opening the store throws. */
export async function providerAnswer({ name, given, door, sessionId, signal }: ProviderToolCall): Promise<string> {
  if (sessionId === undefined) return failure(`It is not known which conversation calls ${name}.`);
  const runtime = await door.conversations();
  const answer = await (await runtime.memoryProvider(sessionId))?.runTool(name, given, signal);
  return answer ?? failure(`${name} cannot be used now: go on without it.`);
}

interface ProviderToolCall extends MemoryCall {
  readonly signal: AbortSignal | undefined;
}

const failure = (error: string): string => JSON.stringify({ success: false, error });

/** The call without the tools of a provider that does not work; what a program insists on stays. */
export function withoutAbsentTools(
  { providerTools: offered }: Door,
  call: CallOptions,
  absent: readonly string[],
): CallOptions {
  const { tools, toolChoice, ...rest } = call;
  if (!tools || absent.length === 0) return call;
  const forced = toolChoice?.type === 'tool' ? toolChoice.toolName : undefined;
  const left = tools.filter(
    (tool) =>
      tool.type !== 'function' ||
      tool.name === forced ||
      !absent.includes(tool.name) ||
      // A tool of the program may have the name.
      offered.get(tool.name) !== tool.description,
  );
  if (left.length === tools.length) return call;
  return left.length === 0 ? rest : { ...rest, tools: left, ...defined({ toolChoice }) };
}
