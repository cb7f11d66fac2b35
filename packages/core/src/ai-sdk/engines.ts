/** The engines of a wrapped model, one for each conversation: the runtime makes and keeps them, and their tools are called on them. */

import { frozenCopy } from '../compression/guard/copies.ts';
import { isTool } from '../compression/guard/guard-hooks.ts';
import { reasonOf } from '../compression/guard/guarded.ts';
import type { ContextEngine, EngineTool } from '../context/engine.ts';
import type { SessionId } from '../store/ids.ts';
import { createSessionIds } from '../store/ids.ts';
import type { Message } from '../transcript/message.ts';
import { remember } from './callers.ts';

/** What makes an engine for a session. */
type MakeEngine = (sessionId: SessionId) => ContextEngine<Message>;

/** The engines that a program has chosen; the built-in one has no tools. */
export interface Engines {
  /** For the runtime; undefined for the built-in engine. */
  readonly make: MakeEngine | undefined;
  /** That of a conversation, by the ids of its sessions, oldest first; undefined while nobody follows the conversation. */
  find(chain: readonly SessionId[]): ContextEngine<Message> | undefined;
  /**
   * The tools that an engine offers, without those that no provider would take and those whose name is taken. An engine that is
   * never used is made to ask it, once. What is wrong is told in a line; an engine that fails offers nothing.
   */
  offered(taken: readonly string[]): readonly EngineTool[];
}

/** Engines by the session that they were made for. `tell` is told, in a line for people, what is wrong with their tools. */
export function createEngines(make: MakeEngine | undefined, tell: (problem: string) => void): Engines {
  // Who follows a conversation holds its engine, and whatever that holds.
  const made = new Map<SessionId, WeakRef<ContextEngine<Message>>>();
  let known: readonly EngineTool[] | undefined;
  return {
    make:
      make &&
      ((sessionId) => {
        const engine = make(sessionId);
        remember(made, sessionId, new WeakRef(engine));
        return engine;
      }),
    find(chain) {
      const newest = chain.findLast((id) => made.get(id)?.deref() !== undefined);
      return newest === undefined ? undefined : made.get(newest)?.deref();
    },
    offered(taken) {
      known ??= make && offeredBy(make, { taken, tell });
      return known ?? [];
    },
  };
}

interface Asking {
  readonly taken: readonly string[];
  readonly tell: (problem: string) => void;
}

/** Undefined for an engine that fails: the next time it may not. */
function offeredBy(make: MakeEngine, { taken, tell }: Asking): readonly EngineTool[] | undefined {
  let name = '';
  try {
    const engine = make(createSessionIds(Date.now)());
    name = ` "${engine.name}"`;
    const offered: unknown = frozenCopy(engine.toolSchemas());
    if (!Array.isArray(offered)) throw new Error('it did not return a list');
    return sound(offered, { taken, tell: (problem) => tell(`The context engine${name} ${problem}`) });
  } catch (error) {
    tell(`The context engine${name} failed in toolSchemas (${reasonOf(error)}); its tools are not offered.`);
    return undefined;
  }
}

/** Of two tools with one name the one that was there before stays: which of them a model calls must not be left to chance. */
function sound(offered: readonly EngineTool[], { taken, tell }: Asking): readonly EngineTool[] {
  const tools = new Map<string, EngineTool>();
  for (const tool of offered) {
    const called = `offers a tool "${String(tool?.name).slice(0, 64)}"`;
    if (!isTool(tool)) {
      tell(
        `${called} that is not valid: it needs a name of letters, digits, "_" and "-", a description and parameters.`,
      );
    } else if (taken.includes(tool.name)) {
      tell(`${called}, which is the name of a Palimpsest tool; the engine's tool is not offered.`);
    } else if (tools.has(tool.name)) {
      tell(`${called} twice; the first one is offered.`);
    } else {
      tools.set(tool.name, tool);
    }
  }
  return [...tools.values()];
}
