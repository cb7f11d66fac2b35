/**
 * How the model of the week uses tools: it reads what it is offered, as a model does. So the names of arguments may change, and
 * a tool may be deferred behind another one, and the week goes on.
 */
import type { FakeRequest, Reply, ReplyCall } from '@palimpsest/core/testing';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../packages/core/src/shared/json.ts';
import { readableText } from '../../../packages/core/src/transcript/text.ts';

/** What the model wants a tool for. */
export type Intent =
  | { readonly to: 'run'; readonly command: string }
  | { readonly to: 'read'; readonly path: string }
  | { readonly to: 'write'; readonly path: string; readonly content: string }
  | { readonly to: 'patch'; readonly path: string; readonly old: string; readonly new: string }
  | { readonly to: 'find'; readonly pattern: string }
  | { readonly to: 'expand'; readonly refs: string }
  | { readonly to: 'search'; readonly query: string }
  | { readonly to: 'remember'; readonly text: string }
  | { readonly to: 'correct'; readonly old: string; readonly text: string };

/** Names by which an argument may go, the usual one first, and its value. */
type Argument = readonly [names: readonly [string, ...string[]], value: string];

interface Wanted {
  readonly tool: string;
  readonly given: readonly Argument[];
}

const pathNames = ['path', 'file_path', 'file', 'filename'] as const;

function wanted(intent: Intent): Wanted {
  switch (intent.to) {
    case 'run':
      return { tool: 'terminal', given: [[['command', 'cmd'], intent.command]] };
    case 'read':
      return { tool: 'read_file', given: [[pathNames, intent.path]] };
    case 'write':
      return {
        tool: 'write_file',
        given: [
          [pathNames, intent.path],
          [['content', 'text', 'contents'], intent.content],
        ],
      };
    case 'patch':
      return {
        tool: 'patch',
        given: [
          [pathNames, intent.path],
          [['old_text', 'old', 'old_string', 'find', 'search'], intent.old],
          [['new_text', 'new', 'new_string', 'replace', 'replacement'], intent.new],
        ],
      };
    case 'find':
      return { tool: 'search_files', given: [[['pattern', 'query', 'text', 'content', 'regex'], intent.pattern]] };
    case 'expand':
      return { tool: 'expand', given: [[['refs'], intent.refs]] };
    case 'search':
      return { tool: 'session_search', given: [[['query'], intent.query]] };
    case 'remember':
      return {
        tool: 'remember',
        given: [
          [['text'], intent.text],
          [['about'], 'project'],
        ],
      };
    case 'correct':
      return {
        tool: 'memory',
        given: [
          [['action'], 'replace'],
          [['old_text'], intent.old],
          [['content'], intent.text],
        ],
      };
  }
}

/** The call of a tool, for the tools of a request. */
export function callFor(intent: Intent, request: FakeRequest): ReplyCall {
  const { tool, given } = wanted(intent);
  const offered = offeredTools(request);
  if (offered.has(tool) || !offered.has('call_tool')) return { name: tool, input: filled(offered.get(tool), given) };
  const input = filled(deferredSchema(tool, request), given);
  return {
    name: 'call_tool',
    input: filledWith(offered.get('call_tool'), [
      [['name', 'tool'], tool],
      [['arguments', 'input', 'args'], input],
    ]),
  };
}

/** True where a tool has to be found before it can be called. */
export function mustBeFound(intent: Intent, request: FakeRequest): boolean {
  const { tool } = wanted(intent);
  const offered = offeredTools(request);
  return !offered.has(tool) && offered.has('find_tools') && deferredSchema(tool, request) === undefined;
}

/** Asks for a deferred tool. */
export function findFor(intent: Intent, request: FakeRequest): Reply {
  const schema = offeredTools(request).get('find_tools');
  const input = filled(schema, [[['query', 'words', 'search'], wanted(intent).tool]]);
  return { toolCalls: [{ name: 'find_tools', input }] };
}

/** The schemas of the tools that a request offers, by name, in the words of any dialect. */
export function offeredTools({ body }: FakeRequest): ReadonlyMap<string, JsonObject> {
  const tools = Array.isArray(body.tools) ? body.tools : [];
  return new Map(
    tools.filter(isJsonObject).flatMap((tool): [string, JsonObject][] => {
      const inner = isJsonObject(tool.function) ? tool.function : tool;
      const schema = [inner.parameters, inner.input_schema].find(isJsonObject) ?? {};
      return typeof inner.name === 'string' ? [[inner.name, schema]] : [];
    }),
  );
}

/** The schema of a tool as `find_tools` has shown it in the messages that are still there. */
function deferredSchema(tool: string, { messages }: FakeRequest): JsonObject | undefined {
  for (const message of messages.toReversed()) {
    if (message.role !== 'tool') continue;
    const text = readableText(message);
    if (text.includes(`"${tool}"`) && text.includes('properties')) return schemaIn(text, tool) ?? {};
    if (new RegExp(`^#* ?${tool}\\b`, 'm').test(text)) return {};
  }
  return undefined;
}

function schemaIn(text: string, tool: string): JsonObject | undefined {
  try {
    return findSchema(JSON.parse(text), tool);
  } catch {
    return undefined;
  }
}

function findSchema(value: JsonValue, tool: string): JsonObject | undefined {
  if (Array.isArray(value)) return value.map((one) => findSchema(one, tool)).find((one) => one !== undefined);
  if (!isJsonObject(value)) return undefined;
  if (value.name === tool) return [value.parameters, value.input_schema, value.inputSchema].find(isJsonObject);
  return findSchema(
    Object.values(value).filter((one) => one !== undefined),
    tool,
  );
}

const filled = (schema: JsonObject | undefined, given: readonly Argument[]): JsonObject => filledWith(schema, given);

/** The arguments under the names that the schema has; what it has only inside a list of objects goes in there. */
function filledWith(
  schema: JsonObject | undefined,
  given: readonly (readonly [names: readonly [string, ...string[]], value: JsonValue])[],
): JsonObject {
  const properties = propertiesOf(schema);
  const own = given.filter(([names]) => names.some((name) => Object.hasOwn(properties, name)));
  const nested = Object.entries(properties).find(
    ([, property]) => isJsonObject(property) && isJsonObject(property.items) && own.length < given.length,
  );
  const named = (args: typeof given, names: JsonObject): JsonObject =>
    Object.fromEntries(args.map(([all, value]) => [all.find((name) => Object.hasOwn(names, name)) ?? all[0], value]));
  if (!nested) return named(given, properties);
  const [list, property] = nested;
  const inside = isJsonObject(property) && isJsonObject(property.items) ? propertiesOf(property.items) : {};
  const others = given.filter((argument) => !own.includes(argument));
  if (!others.every(([names]) => names.some((name) => Object.hasOwn(inside, name)))) return named(given, properties);
  return { ...named(own, properties), [list]: [named(others, inside)] };
}

const propertiesOf = (schema: JsonObject | undefined): JsonObject =>
  isJsonObject(schema?.properties) ? schema.properties : {};
