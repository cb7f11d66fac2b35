/** The tools of the memory as a wrapped model has them: what they write is judged by the conversation that calls. */
import type { EngineTool } from '../context/engine.ts';
import { createRememberTool, rememberDefinition } from '../memory/entries/remember-tool.ts';
import { memoryDefinition } from '../memory/files/memory-tool.ts';
import { defined } from '../shared/defined.ts';
import type { SessionId } from '../store/ids.ts';
import { remember } from './callers.ts';
import { countedTool } from './counted-tool.ts';
import type { Door } from './door.ts';

/** What a model is offered. */
export const memoryTools: readonly EngineTool[] = [memoryDefinition, rememberDefinition];

/** A call of one of them. */
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
