/** An answer as the Anthropic Messages API writes it, whole and as a stream of events. */
import { type JsonObject, type JsonValue, parseJson } from '../../shared/json.ts';
import type { Finish } from '../reply.ts';
import { type Answer, type AnswerUsage, idOf, piecesOf, type WireEvent } from './dialect.ts';

const stopReasons: Readonly<Record<Finish, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  refusal: 'refusal',
  toolCalls: 'tool_use',
  contentFilter: 'refusal',
};

/** The body of an answer that is not streamed. */
export function anthropicMessage(answer: Answer): JsonObject {
  return {
    ...message(
      answer,
      contentOf(answer).map(({ block }) => block),
    ),
    ...stopFields(answer),
  };
}

/** The events of a streamed answer, from `message_start` to `message_stop`. */
export function* anthropicStream(answer: Answer): Iterable<WireEvent> {
  const { usage } = answer;
  const event = (type: string, fields: JsonObject, more: Omit<WireEvent, 'name' | 'data'> = {}): WireEvent => ({
    name: type,
    data: { type, ...fields },
    ...more,
  });
  // The first report has the prompt whole and of the answer one token, as the real one.
  const opening: Answer = { ...answer, usage: usage && { ...usage, outputTokens: 1, reasoningTokens: 0 } };
  yield event('message_start', { message: { ...message(opening, []), stop_reason: null, stop_sequence: null } });
  for (const [index, entry] of contentOf(answer).entries()) {
    yield event('content_block_start', { index, content_block: emptied(entry.block) });
    if (index === 0) yield event('ping', {});
    for (const { delta, chars } of deltasOf(entry, answer.pieceChars)) {
      yield event('content_block_delta', { index, delta }, { chars });
    }
    yield event('content_block_stop', { index });
  }
  const reported = usage ? { usage: deltaUsage(usage) } : { usage: { output_tokens: 0 } };
  yield event('message_delta', { delta: stopFields(answer), ...reported }, { isEnd: true });
  yield event('message_stop', {}, { isEnd: true });
}

/** A block of the content, and what the deltas of a stream spell out: text, thinking or arguments. */
interface ContentEntry {
  readonly block: JsonObject & { readonly type: 'thinking' | 'text' | 'tool_use' };
  readonly said: string;
}

function contentOf({ number, text, reasoning, calls }: Answer): readonly ContentEntry[] {
  const entries: ContentEntry[] = [];
  if (reasoning !== '') {
    entries.push({ block: { type: 'thinking', thinking: reasoning, signature: signatureOf(number) }, said: reasoning });
  }
  if (text !== '') entries.push({ block: { type: 'text', text }, said: text });
  for (const { id, name, input } of calls) {
    entries.push({ block: { type: 'tool_use', id, name, input: argumentsOf(input) }, said: input });
  }
  return entries;
}

/** Base64 as a real signature is, and the same for the same request. */
const signatureOf = (number: number): string => `RmFrZVNpZ25hdHVyZQ${String(number).padStart(14, '0')}`;

/** The format carries arguments as a value: text that is no JSON arrives as a string. */
const argumentsOf = (input: string): JsonValue => (input === '' ? {} : (parseJson(input) ?? input));

/** A block as it stands when it opens. */
function emptied(block: ContentEntry['block']): JsonObject {
  if (block.type === 'thinking') return { type: 'thinking', thinking: '', signature: '' };
  return block.type === 'text' ? { type: 'text', text: '' } : { ...block, input: {} };
}

const deltaTypes = {
  text: { type: 'text_delta', key: 'text' },
  thinking: { type: 'thinking_delta', key: 'thinking' },
  tool_use: { type: 'input_json_delta', key: 'partial_json' },
} as const;

function* deltasOf({ block, said }: ContentEntry, pieceChars: number): Iterable<{ delta: JsonObject; chars: number }> {
  const { type, key } = deltaTypes[block.type];
  if (block.type === 'tool_use') yield { delta: { type, [key]: '' }, chars: 0 };
  for (const piece of piecesOf(said, pieceChars)) yield { delta: { type, [key]: piece }, chars: piece.length };
  if (block.type === 'thinking') {
    yield { delta: { type: 'signature_delta', signature: String(block.signature) }, chars: 0 };
  }
}

const message = ({ number, model, usage }: Answer, content: readonly JsonObject[]): JsonObject => ({
  id: idOf({ prefix: 'msg_', length: 24 }, number),
  type: 'message',
  role: 'assistant',
  model,
  content,
  ...(usage ? { usage: wholeUsage(usage) } : { usage: { input_tokens: 0, output_tokens: 0 } }),
});

function stopFields({ finish }: Answer): JsonObject {
  const stopReason = stopReasons[finish];
  const details = { type: 'refusal', category: null, explanation: null };
  return {
    stop_reason: stopReason,
    stop_sequence: null,
    stop_details: stopReason === 'refusal' ? details : null,
  };
}

const wholeUsage = (usage: AnswerUsage): JsonObject => ({
  input_tokens: usage.inputTokens,
  cache_creation_input_tokens: usage.cacheWriteTokens,
  cache_read_input_tokens: usage.cacheReadTokens,
  cache_creation: { ephemeral_5m_input_tokens: usage.cacheWriteTokens, ephemeral_1h_input_tokens: 0 },
  output_tokens: usage.outputTokens,
  ...reasoningDetails(usage),
  service_tier: 'standard',
});

const deltaUsage = (usage: AnswerUsage): JsonObject => ({
  input_tokens: usage.inputTokens,
  cache_creation_input_tokens: usage.cacheWriteTokens,
  cache_read_input_tokens: usage.cacheReadTokens,
  output_tokens: usage.outputTokens,
  ...reasoningDetails(usage),
});

const reasoningDetails = ({ reasoningTokens }: AnswerUsage): JsonObject =>
  reasoningTokens === 0 ? {} : { output_tokens_details: { thinking_tokens: reasoningTokens } };
