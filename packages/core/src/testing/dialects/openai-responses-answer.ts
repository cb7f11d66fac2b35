/** An answer as the Responses API writes it, whole and as a stream of `response.*` events. */
import type { JsonObject, JsonValue } from '../../shared/json.ts';
import { type Answer, type AnswerUsage, idOf, piecesOf, type WireEvent } from './dialect.ts';

/** One entry of `output`: how it opens, what is said inside, and how it stands when done. */
interface OutputEntry {
  readonly opened: JsonObject;
  readonly done: JsonObject;
  readonly events: Iterable<SaidEvent>;
}

/** An event without its number and its place in the output. */
interface SaidEvent {
  readonly type: string;
  readonly fields: JsonObject;
  readonly chars?: number;
}

/** The body of an answer that is not streamed. */
export function responseObject(answer: Answer): JsonObject {
  return envelope(
    answer,
    statusOf(answer),
    outputOf(answer).map(({ done }) => done),
  );
}

/** The events of a streamed answer, from `response.created` to `response.completed` or `response.incomplete`. */
export function* responseStream(answer: Answer): Iterable<WireEvent> {
  let sequence = 0;
  const event = (type: string, fields: JsonObject, more: Omit<WireEvent, 'name' | 'data'> = {}): WireEvent => ({
    name: type,
    data: { type, sequence_number: sequence++, ...fields },
    ...more,
  });
  yield event('response.created', { response: envelope(answer, 'in_progress', []) });
  yield event('response.in_progress', { response: envelope(answer, 'in_progress', []) });
  const output = outputOf(answer);
  for (const [index, { opened, done, events }] of output.entries()) {
    yield event('response.output_item.added', { output_index: index, item: opened });
    for (const { type, fields, chars } of events) {
      yield event(type, { output_index: index, ...fields }, chars === undefined ? {} : { chars });
    }
    yield event('response.output_item.done', { output_index: index, item: done });
  }
  const status = statusOf(answer);
  const response = envelope(
    answer,
    status,
    output.map(({ done }) => done),
  );
  yield event(`response.${status}`, { response }, { isEnd: true });
}

const statusOf = ({ finish }: Answer): 'completed' | 'incomplete' =>
  finish === 'length' || finish === 'contentFilter' ? 'incomplete' : 'completed';

function outputOf(answer: Answer): readonly OutputEntry[] {
  const { text, reasoning, calls } = answer;
  return [
    ...(reasoning === '' ? [] : [reasoningEntry(answer)]),
    ...(text === '' && (calls.length > 0 || reasoning !== '') ? [] : [messageEntry(answer)]),
    ...calls.map((call, index) => callEntry(answer, call, index)),
  ];
}

function reasoningEntry({ number, reasoning, pieceChars, request }: Answer): OutputEntry {
  const id = idOf({ prefix: 'rs_', length: 48 }, number);
  const include = Array.isArray(request.include) && request.include.includes('reasoning.encrypted_content');
  const sealed = include ? { encrypted_content: `fake-encrypted-reasoning-${number}` } : {};
  const part = { type: 'summary_text', text: reasoning };
  const place = { item_id: id, summary_index: 0 };
  function* events(): Iterable<SaidEvent> {
    yield { type: 'response.reasoning_summary_part.added', fields: { ...place, part: { ...part, text: '' } } };
    for (const piece of piecesOf(reasoning, pieceChars)) {
      yield { type: 'response.reasoning_summary_text.delta', fields: { ...place, delta: piece }, chars: piece.length };
    }
    yield { type: 'response.reasoning_summary_text.done', fields: { ...place, text: reasoning } };
    yield { type: 'response.reasoning_summary_part.done', fields: { ...place, part } };
  }
  return {
    opened: { id, type: 'reasoning', summary: [], ...sealed },
    done: { id, type: 'reasoning', summary: [part], ...sealed },
    events: events(),
  };
}

function messageEntry(answer: Answer): OutputEntry {
  const { number, text, pieceChars, finish } = answer;
  const id = idOf({ prefix: 'msg_', length: 48 }, number);
  const isRefusal = finish === 'refusal';
  const part = (value: string): JsonObject =>
    isRefusal
      ? { type: 'refusal', refusal: value }
      : { type: 'output_text', annotations: [], logprobs: [], text: value };
  const place = { item_id: id, content_index: 0 };
  const kind = isRefusal ? 'refusal' : 'output_text';
  const more = isRefusal ? {} : { logprobs: [] };
  function* events(): Iterable<SaidEvent> {
    yield { type: 'response.content_part.added', fields: { ...place, part: part('') } };
    for (const piece of piecesOf(text, pieceChars)) {
      yield { type: `response.${kind}.delta`, fields: { ...place, delta: piece, ...more }, chars: piece.length };
    }
    const whole = isRefusal ? { refusal: text } : { text };
    yield { type: `response.${kind}.done`, fields: { ...place, ...whole, ...more } };
    yield { type: 'response.content_part.done', fields: { ...place, part: part(text) } };
  }
  const message = { id, type: 'message', role: 'assistant' };
  return {
    opened: { ...message, status: 'in_progress', content: [] },
    done: { ...message, status: statusOf(answer), content: [part(text)] },
    events: events(),
  };
}

function callEntry({ number, pieceChars }: Answer, call: Answer['calls'][number], index: number): OutputEntry {
  const id = idOf({ prefix: 'fc_', length: 48 }, number, index);
  const entry = { id, type: 'function_call', call_id: call.id, name: call.name };
  function* events(): Iterable<SaidEvent> {
    for (const piece of piecesOf(call.input, pieceChars)) {
      const fields = { item_id: id, delta: piece };
      yield { type: 'response.function_call_arguments.delta', fields, chars: piece.length };
    }
    yield { type: 'response.function_call_arguments.done', fields: { item_id: id, arguments: call.input } };
  }
  return {
    opened: { ...entry, status: 'in_progress', arguments: '' },
    done: { ...entry, status: 'completed', arguments: call.input },
    events: events(),
  };
}

function envelope(answer: Answer, status: string, output: readonly JsonObject[]): JsonObject {
  const { number, created, model, finish, usage, request } = answer;
  const isOpen = status === 'in_progress';
  const reason = finish === 'length' ? 'max_output_tokens' : 'content_filter';
  const given = (key: string, otherwise: JsonValue): JsonValue => request[key] ?? otherwise;
  return {
    id: idOf({ prefix: 'resp_', length: 48 }, number),
    object: 'response',
    created_at: created,
    status,
    background: false,
    error: null,
    incomplete_details: status === 'incomplete' ? { reason } : null,
    instructions: given('instructions', null),
    max_output_tokens: given('max_output_tokens', null),
    max_tool_calls: null,
    model,
    output,
    parallel_tool_calls: given('parallel_tool_calls', true),
    previous_response_id: given('previous_response_id', null),
    prompt_cache_key: given('prompt_cache_key', null),
    reasoning: given('reasoning', { effort: null, summary: null }),
    safety_identifier: null,
    service_tier: isOpen ? 'auto' : 'default',
    store: given('store', true),
    temperature: given('temperature', 1),
    text: given('text', { format: { type: 'text' }, verbosity: 'medium' }),
    tool_choice: given('tool_choice', 'auto'),
    tools: given('tools', []),
    top_logprobs: 0,
    top_p: given('top_p', 1),
    truncation: given('truncation', 'disabled'),
    usage: isOpen || !usage ? null : responseUsage(usage),
    user: null,
    metadata: given('metadata', {}),
  };
}

function responseUsage(usage: AnswerUsage): JsonObject {
  const input = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: usage.cacheReadTokens, cache_write_tokens: usage.cacheWriteTokens },
    output_tokens: usage.outputTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    total_tokens: input + usage.outputTokens,
  };
}
