/** A client of others as the harness knows it: what to install, how to start it, and which call makes it read a file. */
import type { FakeRequest, ReplyCall } from '@palimpsest/core/testing';

export interface Client {
  /** As `palimpsest connect` calls it. */
  readonly name: string;
  /** On npm, at exactly this version. */
  readonly package: string;
  readonly version: string;
  /** As it is called on the command line; absent where `palimpsest run` cannot point it anywhere. */
  readonly command?: string;
  /** Where its program lies under `node_modules`; run by Node, or by itself where it is no JavaScript. */
  readonly program: (modules: string) => string;
  /** The words behind the program that make it answer one prompt and end. */
  readonly args: (prompt: string) => readonly string[];
  /** Beside a home of its own: keys that are none, and no reports, updates or colours. */
  readonly env: Readonly<Record<string, string>>;
  /** Files that it needs before `palimpsest connect` changes them, by their path in the home. */
  readonly files?: Readonly<Record<string, string>>;
  /** Files that point it at an address, for one that `palimpsest connect` cannot set. */
  readonly byHand?: (gateway: string) => Readonly<Record<string, string>>;
  /** The call of one of the tools in the request that reads a file. */
  readonly readFile: (request: FakeRequest, path: string) => ReplyCall;
  /** How it is given the MCP server; absent where that is not run. */
  readonly mcp?: McpSetup;
}

export interface McpSetup {
  /** Its files, by their path in the home, for a server with these words. */
  readonly files: (command: string, args: readonly string[]) => Readonly<Record<string, string>>;
  /** How its model names a tool of the server. */
  readonly tool: (name: string) => Pick<ReplyCall, 'name' | 'namespace'>;
}

/** The first of these calls whose tool the request offers. Throws with the names that it does offer. */
export function offeredCall(request: FakeRequest, calls: readonly ReplyCall[]): ReplyCall {
  const names = toolNames(request);
  const found = calls.find(({ name }) => names.includes(name));
  if (found) return found;
  const wanted = calls.map(({ name }) => name).join(' or ');
  throw new Error(`Expected the client to offer ${wanted}; it offers ${names.join(', ') || 'no tools'}.`);
}

/** In every dialect: at the top, in `function`, or in the declarations of Gemini. */
export function toolNames({ body }: Pick<FakeRequest, 'body'>): readonly string[] {
  const tools: readonly unknown[] = Array.isArray(body.tools) ? body.tools : [];
  return tools.flatMap((tool) => {
    const { name, function: inner, functionDeclarations } = Object(tool);
    const inside: readonly unknown[] = Array.isArray(functionDeclarations) ? functionDeclarations : [inner];
    return [name, ...inside.map((one) => Object(one).name)].filter((one) => typeof one === 'string');
  });
}
