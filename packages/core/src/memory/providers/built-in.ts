/** The memory that comes with Palimpsest, as the first of the providers. */
import type { EngineTool } from '../../context/engine.ts';
import type { MemoryProvider } from './provider.ts';

/** What it is made of; `createMemoryTool` and `openMemoryFiles` give such parts. */
export interface BuiltInParts {
  /** What the system prompt shows, read once for a session. */
  readonly snapshot?: () => Promise<{ readonly text: string }>;
  readonly tools: readonly (EngineTool & { run(args: unknown): Promise<string>; startTurn?(): void })[];
}

/**
 * The provider over these parts. One for each conversation.
 *
 * @example
 * import { builtInProvider, createMemoryProviders, createMemoryTool, openMemoryFiles } from '@palimpsest/core/memory';
 * const files = openMemoryFiles({ folder: 'memories', check: () => undefined });
 * const builtIn = builtInProvider({ snapshot: () => files.snapshot(), tools: [createMemoryTool({ files })] });
 * const providers = createMemoryProviders({ builtIn });
 */
export function builtInProvider({ snapshot, tools }: BuiltInParts): MemoryProvider {
  let text = '';
  return {
    name: 'built-in',
    start: async () => {
      text = (await snapshot?.())?.text ?? '';
    },
    promptText: () => text,
    onTurnStart: () => {
      for (const tool of tools) tool.startTurn?.();
    },
    tools: tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
    runTool: (name, args) => tools.find((tool) => tool.name === name)?.run(args),
  };
}
