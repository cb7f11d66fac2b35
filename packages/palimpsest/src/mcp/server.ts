/** ★ Start here: what a client may ask of the server, over what is kept. One instance serves one connection, or one request. */
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError, Server } from '@modelcontextprotocol/server';
import { isJsonObject, PalimpsestError } from '@palimpsest/core/settings';
import { instructions } from './instructions.ts';
import type { Kept, KeptCall } from './kept.ts';
import { promptDefinitions } from './prompt-definitions.ts';
import { type ToolDefinition, toolDefinitions } from './tools/definitions.ts';

export interface ServerParts {
  readonly kept: Kept;
  /** Of Palimpsest. */
  readonly version: string;
  /** True where nothing may be changed. */
  readonly isReadOnly: boolean;
}

/** The lists are the same as long as the server runs. */
const lasting = { ttlMs: 3_600_000, cacheScope: 'private' } as const;

export function createServer(parts: ServerParts): Server {
  const server = new Server(
    { name: 'palimpsest', title: 'Palimpsest', version: parts.version },
    {
      capabilities: { tools: {}, resources: {}, prompts: {} },
      instructions: instructions(parts),
      cacheHints: {
        'tools/list': lasting,
        'prompts/list': lasting,
        'resources/templates/list': lasting,
        'server/discover': lasting,
      },
    },
  );
  offerTools(server, parts);
  offerResources(server, parts);
  offerPrompts(server, parts);
  return server;
}

function offerTools(server: Server, { kept, isReadOnly }: ServerParts): void {
  const tools = toolDefinitions({ isReadOnly });
  server.setRequestHandler('tools/list', () => ({ tools: tools.map(listedTool) }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq: { signal } }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (!tool) throw invalid(`There is no tool ${quoted(params.name)}: there are ${namesOf(tools)}.`);
    const { runTool } = await import('./tools/run-tool.ts');
    const given: unknown = params.arguments ?? {};
    const { text, isError = false } = await runTool(tool.name, isJsonObject(given) ? given : {}, {
      kept: kept.call(),
      isReadOnly,
      signal,
    });
    return { content: [{ type: 'text', text: text.toWellFormed() }], ...(isError ? { isError } : {}) };
  });
}

const listedTool = ({ name, title, description, inputSchema, isReading }: ToolDefinition) => ({
  name,
  title,
  description,
  // A schema of an object, as all of the definitions are.
  inputSchema: { ...inputSchema, type: 'object' as const },
  annotations: { readOnlyHint: isReading, destructiveHint: false, openWorldHint: false },
});

function offerResources(server: Server, { kept }: ServerParts): void {
  server.setRequestHandler('resources/templates/list', async () => {
    const { resourceTemplates } = await import('./resources.ts');
    return { resourceTemplates: [...resourceTemplates] };
  });
  server.setRequestHandler('resources/list', () =>
    inWords(kept.call(), async (call) => {
      const { listResources } = await import('./resources.ts');
      return { resources: [...(await listResources(call))] };
    }),
  );
  server.setRequestHandler('resources/read', ({ params: { uri } }) =>
    inWords(kept.call(), async (call) => {
      const { readResource } = await import('./resources.ts');
      const found = await readResource(uri, call);
      if (!found) throw new ResourceNotFoundError(uri.slice(0, 200));
      return { contents: [{ ...found, text: found.text.toWellFormed() }] };
    }),
  );
}

function offerPrompts(server: Server, { kept }: ServerParts): void {
  server.setRequestHandler('prompts/list', () => ({
    prompts: promptDefinitions.map((prompt) => ({ ...prompt, arguments: [...prompt.arguments] })),
  }));
  server.setRequestHandler('prompts/get', ({ params }) =>
    inWords(kept.call(), async (call) => {
      const prompt = promptDefinitions.find(({ name }) => name === params.name);
      if (!prompt) throw invalid(`There is no prompt ${quoted(params.name)}: there are ${namesOf(promptDefinitions)}.`);
      const { writePrompt } = await import('./prompts.ts');
      const text = await writePrompt(prompt.name, params.arguments ?? {}, call);
      return {
        description: prompt.description,
        messages: [{ role: 'user' as const, content: { type: 'text' as const, text: text.toWellFormed() } }],
      };
    }),
  );
}

/** Where a result cannot be an error, an error of ours goes out with its words: those of others may name anything. */
async function inWords<T>(kept: KeptCall, work: (kept: KeptCall) => Promise<T>): Promise<T> {
  try {
    return await work(kept);
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    await kept.failed(error);
    if (!PalimpsestError.isInstance(error))
      throw new ProtocolError(ProtocolErrorCode.InternalError, 'An error in Palimpsest itself; nothing was changed.');
    const isWrong = ['ID_UNKNOWN', 'ID_AMBIGUOUS', 'BAD_OPTION'].includes(error.code);
    const code = isWrong ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
    throw new ProtocolError(code, `${error.message} (${error.code})`);
  }
}

const invalid = (message: string): ProtocolError => new ProtocolError(ProtocolErrorCode.InvalidParams, message);
const quoted = (name: string): string => JSON.stringify(name.slice(0, 60));
const namesOf = (all: readonly { readonly name: string }[]): string => all.map(({ name }) => name).join(', ');
