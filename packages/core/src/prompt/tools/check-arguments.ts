/** Arguments of a tool against its JSON Schema, where the tool brings no check of its own: what models get wrong, at the top. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import { describe, unknownKey } from '../../shared/options/schema.ts';

/** What is wrong with the arguments, each in a clause; empty where nothing is, as far as the top of the schema tells. */
export function wrongArguments(given: JsonObject, schema: JsonObject): readonly string[] {
  const { required, properties, additionalProperties } = schema;
  const known = isJsonObject(properties) ? properties : {};
  const needed = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  const missing = needed.filter((name) => !Object.hasOwn(given, name)).map((name) => `${name} is missing`);
  const strangers =
    additionalProperties === false ? Object.keys(given).filter((name) => !Object.hasOwn(known, name)) : [];
  return [
    ...missing,
    ...strangers.map((name) => `${name.slice(0, 40)} ${unknownKey(name, Object.keys(known))}`),
    ...Object.entries(given).flatMap(([name, value]) => {
      const expected = Object.hasOwn(known, name) ? expectedOf(known[name], value) : undefined;
      return expected === undefined ? [] : [`expected ${name} to be ${expected}, got ${describe(value)}`];
    }),
  ];
}

/** What a value should be that it is not. */
function expectedOf(schema: JsonValue | undefined, value: JsonValue): string | undefined {
  if (!isJsonObject(schema)) return undefined;
  const { type, enum: choices } = schema;
  if (Array.isArray(choices) && !choices.some((choice) => JSON.stringify(choice) === JSON.stringify(value)))
    return `one of ${choices.map((choice) => JSON.stringify(choice)).join(', ')}`;
  const types = (Array.isArray(type) ? type : [type]).filter((name) => typeof name === 'string');
  if (types.length === 0 || types.some((name) => isOf(name, value))) return undefined;
  return types.join(' or ');
}

function isOf(type: string, value: JsonValue): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isJsonObject(value);
    case 'integer':
      return Number.isInteger(value);
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type;
    default:
      return true;
  }
}
