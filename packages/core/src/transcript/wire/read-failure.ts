/** The body of an answer that failed, as the classification of failures understands it best. */

import { isJsonObject, type JsonObject, parseJson } from '../../shared/json.ts';
import type { DialectName } from './answer.ts';
import { createAnswerReader } from './answer-reader.ts';
import { is } from './values.ts';

/** Longer bodies send the request back; their start tells what was wrong. */
const maxFailureBytes = 1024 * 1024;

/**
 * What a provider wrote with a status that is none of success: the object of a JSON body whole, the error in a stream, else the text
 * under `body`, empty for no body. Never throws.
 */
export function readFailure(dialect: DialectName, bytes: Uint8Array): JsonObject {
  const start = bytes.subarray(0, maxFailureBytes);
  const text = new TextDecoder().decode(start).trim();
  if (text === '') return {};
  const value = parseJson(text);
  if (isJsonObject(value)) return value;
  // Gemini answers a stream of its JSON array with an array.
  if (is.list(value)) return value.find(isJsonObject) ?? { body: text };
  const reader = createAnswerReader(dialect, { isStream: true });
  reader.read(start);
  return reader.end().error ?? { body: text };
}
