/** Any value that JSON can carry. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** True for a JSON object: not null, not a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** How every JSON text begins: most texts that are none are told by that, and an error is dear to make. */
const opensJson = /^[ \t\r\n]*(?:[[{"\d-]|true|false|null)/;

/** The value of a JSON text, or undefined when the text is not JSON. */
export function parseJson(text: string): JsonValue | undefined {
  if (!opensJson.test(text)) return undefined;
  try {
    // JSON.parse returns what JSON can carry and nothing else.
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
