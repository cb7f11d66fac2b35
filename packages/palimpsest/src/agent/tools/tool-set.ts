/** Our tools as those of the AI SDK. */
import { jsonSchema, type ToolSet } from 'ai';
import type { AgentTool } from './tool.ts';

/** What a model sends is looked at by the tools themselves, which answer with what is wrong. */
export function toolSet(tools: readonly AgentTool[]): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, parameters, run }) => [
      name,
      {
        description,
        // A JSON Schema is plain data; the type of the SDK says so with more words.
        inputSchema: jsonSchema<Readonly<Record<string, unknown>>>(parameters as Parameters<typeof jsonSchema>[0]),
        execute: (given: unknown, { toolCallId, abortSignal }: { toolCallId: string; abortSignal?: AbortSignal }) =>
          run(given, { id: toolCallId, signal: abortSignal }),
      },
    ]),
  );
}
