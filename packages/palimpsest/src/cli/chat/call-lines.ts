/** Lines for the calls of tools as they come: which of them run, and whose result it is that comes. */
import type { AgentEvent } from '../../agent/events.ts';
import type { Line } from '../../terminal/spans.ts';
import { callLabel, toolLine } from './show-event.ts';

/** What is shown of calls. */
export interface CallLines {
  /** The lines of an event; none for what is no call and no result. */
  of(event: AgentEvent): readonly Line[];
  /** The newest of the calls that run, by its name. */
  running(): string | undefined;
}

/** Follows the calls of a conversation and its sub-agents. */
export function createCallLines(): CallLines {
  const open = new Map<string, { readonly name: string; readonly label: string }>();
  /** The call whose line is the newest one. */
  let newest: string | undefined;
  return {
    of(event) {
      if (event.type === 'turn_end' && event.agent === undefined) open.clear();
      if (event.type !== 'tool_call' && event.type !== 'tool_result') return [];
      const key = `${event.agent ?? ''} ${event.id}`;
      if (event.type === 'tool_call') {
        open.set(key, { name: event.name, label: `${event.name} ${callLabel(event.input)}`.trim() });
        newest = key;
        return toolLine(event);
      }
      // Right below its call a result needs no name.
      const of = newest === key ? undefined : open.get(key)?.label;
      open.delete(key);
      newest = undefined;
      return toolLine(event, of);
    },
    running: () => [...open.values()].at(-1)?.name,
  };
}
