/** Sub-agents: a task of its own with a context of its own, one answer back, and a record that is linked and searchable. */
import type { AnyModel } from '@palimpsest/core/ai-sdk';
import type { Store } from '@palimpsest/core/store';
import { jsonSchema, type ModelMessage, type Tool, type ToolSet } from 'ai';
import type { OnAgentEvent, TurnEnd } from './events.ts';
import { runTurn } from './turn.ts';

/** What a sub-agent is made of: asked for with each call, since the model and the session change. */
export interface DelegateParts {
  readonly model: AnyModel;
  /** `provider/model`. */
  readonly modelName: string;
  /** Those of the agent that a sub-agent may have. */
  readonly tools: ToolSet;
  /** The session that delegates. */
  readonly sessionId: string | undefined;
  readonly store: Store;
  readonly project: string;
  readonly onEvent: OnAgentEvent;
}

/** What the model sends. */
export interface DelegateArguments {
  readonly task: string;
}

const parameters = {
  type: 'object',
  properties: {
    task: {
      type: 'string',
      description:
        'The whole task: what to do, where, what is known, and what to report. Nothing else of this conversation is seen.',
    },
  },
  required: ['task'],
  additionalProperties: false,
} as const;

const description =
  'Gives a task to a sub-agent with an empty context and the same tools, and returns its report. For work that reads much and reports little.';

/** What a sub-agent is told in front of the prompt that every session has. */
const rules =
  'You are a sub-agent: another agent gave you the task below, and reads nothing but your last message. Do the task, then report what you did, what you found with exact names and places, and what is not done. Nobody can answer questions.';

/** Steps that one task may take. */
const mostSteps = 100;

/** The tool `delegate`. Calls of one step run side by side. */
export function delegateTool(parts: () => DelegateParts): Tool<DelegateArguments, string> {
  return {
    description,
    inputSchema: jsonSchema<DelegateArguments>(parameters),
    execute: ({ task }, { toolCallId, abortSignal }) =>
      delegate(parts(), { task, id: toolCallId, signal: abortSignal }),
  };
}

interface Order {
  readonly task: string;
  /** The call, which names the sub-agent. */
  readonly id: string;
  readonly signal: AbortSignal | undefined;
}

async function delegate(parts: DelegateParts, { task, id, signal }: Order): Promise<string> {
  const { store, sessionId: parentId, project, modelName: model, onEvent } = parts;
  const link = parentId === undefined ? {} : { parentId, relation: 'side' as const };
  const session = await store.sessions.create({ source: 'chat', project, model, ...link });
  const asked: ModelMessage = { role: 'user', content: task };
  const turn = runTurn({
    model: parts.model,
    tools: parts.tools,
    instructions: rules,
    messages: [asked],
    sessionId: session.id,
    project,
    maxSteps: mostSteps,
    isSteered: () => false,
    onEvent: (event) => onEvent({ agent: id, ...event }),
  });
  const stop = (): void => turn.interrupt();
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted) stop();
  const { end, said, sessionId } = await turn.outcome;
  signal?.removeEventListener('abort', stop);
  if (end.reason !== 'steered') onEvent({ type: 'turn_end', agent: id, sessionId, end });
  await store.sessions.end(sessionId, end.reason);
  signal?.throwIfAborted();
  return `${lastText(said)}${remark(end)}\n\n[Record of the sub-agent: session ${sessionId}]`;
}

/** What it said last. */
function lastText(said: readonly ModelMessage[]): string {
  const texts = said.flatMap(({ role, content }) => {
    if (role !== 'assistant') return [];
    if (typeof content === 'string') return [content];
    return [content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')];
  });
  return texts.findLast((text) => text.trim() !== '') ?? '';
}

/** Why the report is not what was asked for; nothing where it is. */
function remark(end: TurnEnd | { readonly reason: 'steered' }): string {
  if (end.reason === 'done' || end.reason === 'steered') return '';
  if (end.reason === 'interrupted') return '\n\n[The sub-agent was stopped before it was done.]';
  return `\n\n[The sub-agent did not finish: ${end.message}]`;
}
