/** Tool definitions in the words of each format: the same three things under other names. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import type { FormatName, Transcript } from '../message.ts';
import { asName, asObject, defined } from './fields.ts';
import { isSameFamily } from './wire.ts';

interface Definition {
  readonly name: string;
  readonly description?: string;
  readonly schema: JsonObject;
}

/** The transcript's tools as `format` writes them; tools that only the provider of another format runs are left out. */
export function toolsFor(format: FormatName, { tools, format: from }: Transcript): readonly JsonValue[] | undefined {
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
