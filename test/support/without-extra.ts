/** Messages as the model names them, without what a format keeps for itself. */
import type { JsonValue } from '../../packages/core/src/shared/json.ts';
import type { Message } from '../../packages/core/src/transcript/message.ts';

/** The value without `extra` and `source`, at any depth. */
export function withoutExtra(messages: readonly Message[]): JsonValue {
  const text = JSON.stringify(messages, (key, value: unknown) =>
    key === 'extra' || key === 'source' ? undefined : value,
  );
  // JSON.parse returns what JSON can carry and nothing else.
  return JSON.parse(text) as JsonValue;
}
