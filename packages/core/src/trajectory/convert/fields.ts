/** What of a record stands beside its turns: kept under its name, put where the other format has it, or left out. */
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../shared/json.ts';
import { membersOf } from '../../shared/json-spans.ts';
import { asObject, is } from '../../transcript/wire/values.ts';
import type { Trajectory, TrajectoryFormat } from '../turn.ts';
import { imagesOf } from './images.ts';

/** A member of a record, as JSON. */
export type WrittenField = readonly [name: string, json: string];

/** Members before and behind the turns, and the names of those that were left out. */
export interface RecordFields {
  readonly fields: readonly WrittenField[];
  /** Tool definitions, as they came. */
  readonly tools: readonly JsonValue[] | undefined;
  readonly leftOut: readonly string[];
}

const listNames: readonly string[] = ['conversations', 'messages', 'conversation', 'items'];

/** They tell of tokens and turns as they were: after a conversation they would be wrong. */
const positional: ReadonlySet<string> = new Set(['loss_mask', 'provenance', 'compression_metrics']);

/** The members of a record that another format takes along, each as it was written. */
export function fieldsOf({ line, record, turns, list }: Trajectory): RecordFields {
  if (!isJsonObject(record)) return { fields: [], tools: undefined, leftOut: [] };
  const isSystemRead = turns.some(({ field }) => field === 'system');
  const tools = toolsIn(record.tools);
  const known = (name: string): boolean =>
    (name === 'system' && (isSystemRead || record.system === '')) ||
    (name === 'tools' && tools !== undefined) ||
    ((name === 'images' || name === 'image') && imagesOf(record) !== undefined);
  const members = membersOf(line).filter(
    (member, at, all) => all.findLastIndex(({ name }) => name === member.name) === at,
  );
  const rest = members.filter(({ name, start }) => start !== list.start && !known(name));
  // A second list of turns would be taken for the conversation.
  const isLeft = (name: string): boolean =>
    positional.has(name) || name === 'system' || (listNames.includes(name) && is.list(record[name]));
  return {
    fields: rest.filter(({ name }) => !isLeft(name)).map(({ name, start, end }) => [name, line.slice(start, end)]),
    tools,
    leftOut: rest.filter(({ name }) => isLeft(name)).map(({ name }) => name),
  };
}

/** A list, or the text of one, as sets of ShareGPT have it. */
function toolsIn(value: JsonValue | undefined): readonly JsonValue[] | undefined {
  const list = is.text(value) ? parseJson(value) : value;
  return is.list(list) && list.every(isJsonObject) ? list : undefined;
}

/** The definitions as a format writes them: ShareGPT as a text, Anthropic with `input_schema`, OpenAI within `function`. */
export function toolsFor(format: TrajectoryFormat, tools: readonly JsonValue[]): JsonValue {
  const written = tools.map((tool) => definitionFor(format, asObject(tool)));
  return format === 'sharegpt' ? JSON.stringify(written) : written;
}

/** What cannot be told to be a definition stays as it is. */
function definitionFor(format: TrajectoryFormat, tool: JsonObject): JsonObject {
  const inner = isJsonObject(tool.function) ? tool.function : tool;
  const isAnthropic = inner === tool && isJsonObject(tool.input_schema);
  if (!is.text(inner.name) || (format === 'anthropic') === isAnthropic) {
    const isDone = isAnthropic || inner !== tool || !is.text(inner.name);
    return isDone ? tool : { type: 'function', function: inner };
  }
  const about = { name: inner.name, ...(is.text(inner.description) ? { description: inner.description } : {}) };
  const schema = inner.parameters ?? inner.input_schema ?? { type: 'object', properties: {} };
  if (format === 'anthropic') return { ...about, input_schema: schema };
  return { type: 'function', function: { ...about, parameters: schema } };
}
