/** The file around a list of messages: the object with its other fields, a bare list, or lines. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import type { FormatName, Message, Transcript } from '../message.ts';
import { asName, asObject, defined, isList } from './fields.ts';
import type { Gathered } from './gather.ts';
import { extraOf, fieldsOf, hintsOf, isSameFamily } from './wire.ts';

/** What a format calls its list, and whether its body names the model and the tools. */
export interface BodyShape {
  readonly format: FormatName;
  readonly list: string;
  /** False where `model` has no meaning of its own. */
  readonly hasModel?: boolean;
}

/** The transcript of a gathered conversation: model and tools get their names, the rest is kept as it came. */
export function transcriptOf(
  { format, list, hasModel = true }: BodyShape,
  gathered: Pick<Gathered, 'shape' | 'lists'> & { readonly envelope: JsonObject },
  messages: readonly Message[],
): Transcript {
  const { model, tools, ...rest } = gathered.envelope;
  const name = hasModel && typeof model === 'string' && model !== '' ? model : undefined;
  const definitions = isList(tools) ? tools : undefined;
  const fields = {
    ...rest,
    ...(model !== undefined && name === undefined ? { model } : {}),
    ...(tools !== undefined && definitions === undefined ? { tools } : {}),
  };
  const [key] = gathered.lists;
  const hints = {
    shape: gathered.shape === 'object' ? undefined : gathered.shape,
    list: key === undefined || key === list ? undefined : key,
  };
  return {
    format,
    messages,
    ...(name === undefined ? {} : { model: name }),
    ...(definitions === undefined ? {} : { tools: definitions }),
    ...extraOf(format, fields, hints),
  };
}

export interface BodyParts {
  /** Absent where the fields hold the messages already. */
  readonly items?: Iterable<JsonValue>;
  /** Further fields of the object around the list. */
  readonly fields?: JsonObject;
  /** The key of the list, where it is neither the usual one nor the one that was read. */
  readonly key?: string;
}

/** The text of a file, a message a piece. */
export function* bodyText(
  { format, list, hasModel = true }: BodyShape,
  transcript: Transcript,
  { items, fields = {}, key: wanted }: BodyParts,
): Iterable<string> {
  const hints = hintsOf(transcript.extra, format);
  const tools = toolsFor(format, transcript);
  const around: JsonObject = {
    ...(hasModel && transcript.model !== undefined ? { model: transcript.model } : {}),
    ...fieldsOf(transcript.extra, format),
    ...fields,
    ...(tools === undefined ? {} : { tools }),
  };
  if (!items) {
    yield `${JSON.stringify(around)}\n`;
    return;
  }
  const isBare = Object.keys(around).length === 0;
  if (isBare && hints.shape === 'lines') {
    for (const item of items) yield `${JSON.stringify(item)}\n`;
  } else if (isBare && hints.shape === 'list') {
    yield* listText(items);
    yield '\n';
  } else {
    const head = JSON.stringify(around).slice(0, -1);
    const key = wanted ?? (typeof hints.list === 'string' ? hints.list : list);
    yield `${head}${isBare ? '' : ','}${JSON.stringify(key)}:`;
    yield* listText(items);
    yield '}\n';
  }
}

export function* listText(items: Iterable<JsonValue>): Iterable<string> {
  let isFirst = true;
  yield '[';
  for (const item of items) {
    yield `${isFirst ? '\n' : ',\n'}${JSON.stringify(item)}`;
    isFirst = false;
  }
  yield isFirst ? ']' : '\n]';
}

// Tool definitions in the words of each format: the same three things under other names.

interface Definition {
  readonly name: string;
  readonly description?: string;
  readonly schema: JsonObject;
}

/** The transcript's tools as `format` writes them; tools that only the provider of another format runs are left out. */
function toolsFor(format: FormatName, { tools, format: from }: Transcript): readonly JsonValue[] | undefined {
  if (!tools || isSameFamily(from, format)) return tools;
  const converted = tools.flatMap((tool) => {
    const definition = definitionOf(tool);
    return definition ? [written(definition, format)] : [];
  });
  return converted.length > 0 ? converted : undefined;
}

/** OpenAI chat nests the function, OpenAI Responses does not, Anthropic calls the schema `input_schema`. */
function definitionOf(tool: JsonValue): Definition | undefined {
  if (!isJsonObject(tool)) return undefined;
  const inner = isJsonObject(tool.function) ? tool.function : tool;
  const name = asName(inner.name);
  const schema = inner.parameters ?? inner.input_schema ?? inner.inputSchema;
  if (name === undefined || (schema === undefined && tool.type !== 'function')) return undefined;
  return { ...defined({ description: asName(inner.description) }), name, schema: asObject(schema) };
}

function written({ name, description, schema }: Definition, format: FormatName): JsonObject {
  const about = { name, ...(description === undefined ? {} : { description }) };
  const parameters = Object.keys(schema).length > 0 ? schema : { type: 'object', properties: {} };
  if (format === 'openai-responses') return { type: 'function', ...about, parameters };
  if (format === 'anthropic') return { ...about, input_schema: parameters };
  return { type: 'function', function: { ...about, parameters } };
}
