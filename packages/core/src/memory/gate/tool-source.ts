/** Whose words the result of a tool holds: those of the agent's own work, of somebody outside, or of a document. */
import { callArguments, commandOf, plainName, toolKind } from '../../compression/outcome.ts';
import type { JsonValue } from '../../shared/json.ts';
import type { MemorySource } from '../../store/memory-store.ts';
import type { ToolCallPart } from '../../transcript/message.ts';
import { type FilePlaces, sourceOfPath } from './foreign-paths.ts';
import { readShell, remoteAddress, type ShellReading } from './shell-source.ts';
import { lowest } from './sources.ts';

/** Classes of tools by name, or a function that tells one; what it leaves undefined is judged as ever. */
export type ToolSources =
  | Readonly<Record<string, MemorySource>>
  | ((name: string, input: string) => MemorySource | undefined);

/** What else is known of the place where tools run. */
export interface ToolSourceOptions {
  readonly toolSources?: ToolSources;
  /** The folder of the project; files outside of it are documents. */
  readonly projectFolder?: string;
}

/**
 * The class of what a call of a tool gives back, by the tool's name and its arguments (JSON text, or the free text of a
 * tool that takes such). A tool that nobody knows, and every tool of an MCP server, is an outside tool.
 *
 * @example
 * import { sourceOfTool } from '@palimpsest/core/memory';
 * sourceOfTool('bash', '{"command":"npm test"}'); // 'own-tool'
 * sourceOfTool('bash', '{"command":"curl https://site.example"}'); // 'outside-tool'
 * sourceOfTool('read_file', '{"path":"node_modules/left/README.md"}'); // 'document'
 */
export function sourceOfTool(name: string, input: string, options: ToolSourceOptions = {}): MemorySource {
  const isJson = /^\s*[[{]/.test(input);
  const call: ToolCallPart = { type: 'toolCall', callId: '', name, input, inputType: isJson ? 'json' : 'text' };
  return readCall(call, { ...options, known: new Map() }).source;
}

/** A call as far as its words tell. */
export type CallReading = ShellReading & {
  /** It fills files with what the model wrote. */
  readonly fills?: true;
};

/** The class of what a call gives back, and what it puts where. */
export function readCall(call: ToolCallPart, around: FilePlaces & ToolSourceOptions): CallReading {
  const set = settled(call, around.toolSources);
  const read = readKnown(call, around);
  return set === undefined ? read : { ...read, source: set };
}

function settled({ name, input }: ToolCallPart, sources: ToolSources | undefined): MemorySource | undefined {
  if (sources === undefined) return undefined;
  if (typeof sources === 'function') return sources(name, input);
  return Object.hasOwn(sources, name) ? sources[name] : undefined;
}

const nothing: ReadonlyMap<string, MemorySource> = new Map();
const only = (source: MemorySource): CallReading => ({ source, puts: nothing });

function readKnown(call: ToolCallPart, places: FilePlaces): CallReading {
  if (/^mcp__|^mcp[._:]/i.test(call.name)) return only('outside-tool');
  const input = callArguments(call);
  switch (toolKind(call)) {
    case 'shell': {
      const folder = text(input.cwd) ?? text(input.workdir) ?? text(input.working_directory);
      return readShell(commandOf(call) ?? '', folder === undefined ? places : { ...places, folder });
    }
    case 'code':
      return only(remoteAddress.test(call.input) ? 'outside-tool' : sourceOfFiles(call, places));
    case 'read':
    case 'notebook':
      return only(remoteAddress.test(call.input) ? 'outside-tool' : sourceOfFiles(call, places));
    case 'write':
    case 'edit':
      return { ...only(sourceOfFiles(call, places)), fills: true };
    case 'search':
      return only(isSearchOfFiles(call) ? sourceOfFiles(call, places) : 'outside-tool');
    case 'memory':
      return only(/recall|search/i.test(plainName(call.name)) ? 'outside-tool' : 'own-tool');
    case 'todo':
    case 'skill':
    case 'ask':
      return only('own-tool');
    case 'web':
    case 'browser':
    case 'delegate':
    case 'other':
      return only('outside-tool');
  }
}

const text = (value: JsonValue | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** A search in files says so by its name or by where it looks; one for a query alone may go anywhere. */
function isSearchOfFiles(call: ToolCallPart): boolean {
  const name = plainName(call.name).replaceAll(/[^a-z]/g, '');
  if (/session|memory|recall/.test(name)) return false;
  if (!/^(?:search|find)$/.test(name)) return true;
  const input = callArguments(call);
  return ['path', 'paths', 'pattern', 'glob', 'dir', 'directory', 'include'].some((key) => input[key] !== undefined);
}

const sourceOfFiles = (call: ToolCallPart, places: FilePlaces): MemorySource =>
  filesOf(call).reduce<MemorySource>((found, path) => lowest(found, sourceOfPath(path, places)), 'own-tool');

/** Arguments that hold text of files, not their names. */
const contents = /content|text|string|str$|body|code|patch|diff|query|pattern|regex|description|reason|prompt|insert/i;
const patchLine = /^\*\*\* (?:Add|Update|Delete) File: (.+)$|^\+\+\+ (?:b\/)?(\S+)/gm;
const pathInCode = /["'`]([^"'`\n]*[/\\][^"'`\n]*)["'`]/g;

/** The files that a call names. */
export function filesOf(call: ToolCallPart): readonly string[] {
  const patched = [...call.input.replaceAll('\\n', '\n').matchAll(patchLine)].flatMap(
    ([, one, other]) => one ?? other ?? [],
  );
  if (call.inputType === 'text')
    return [...patched, ...(patched.length === 0 && !/\s/.test(call.input) ? [call.input] : [])];
  const input = callArguments(call);
  const inCode =
    typeof input.code === 'string' ? [...input.code.matchAll(pathInCode)].flatMap(([, path]) => path ?? []) : [];
  return [
    ...patched,
    ...inCode,
    ...Object.entries(input).flatMap(([key, value]) => (contents.test(key) ? [] : namesIn(value))),
  ];
}

function namesIn(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return /[/\\.]|^[\w-]+$/.test(value) && value.length < 1_000 ? [value] : [];
  if (Array.isArray(value)) return value.flatMap(namesIn);
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(namesIn) : [];
}
