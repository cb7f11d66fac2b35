/** OpenAI's side of the Responses API: why it would reject a body, in its own words, and what its answers look like. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { type Answer, type AnswerUsage, idOf, listOf, piecesOf, type Rejection, type WireEvent } from '../answer.ts';
import { invalid, typeNamed } from '../chat/provider.ts';
import { isClientCall, outputTypes } from './items.ts';

const roles = ['assistant', 'system', 'developer', 'user'];

/** The first reason, in the order in which the real server looks. */
export function rejectResponses(body: JsonObject): Rejection | undefined {
  if (typeof body.model !== 'string' || body.model === '') {
    return invalid("Missing required parameter: 'model'.", 'model', 'missing_required_parameter');
  }
  const { input } = body;
  const continues = typeof body.previous_response_id === 'string' || body.prompt !== undefined;
  if (input === undefined && !continues) {
    const message = "One of 'input' or 'previous_response_id' or 'prompt' or 'conversation_id' must be provided.";
    return invalid(`Missing required parameter. ${message}`, 'input', 'missing_required_parameter');
  }
  if (typeof input === 'string' || input === undefined) return undefined;
  if (!Array.isArray(input)) {
    const message = `Invalid type for 'input': expected one of an array of objects or string, but got ${typeNamed(input)} instead.`;
    return invalid(message, 'input', 'invalid_type');
  }
  for (const [index, value] of input.entries()) {
    const rejection = rejectEntry(value, index);
    if (rejection) return rejection;
  }
  return continues ? undefined : rejectPairs(input);
}

function rejectEntry(value: JsonValue, index: number): Rejection | undefined {
  const place = `input[${index}]`;
  if (!isJsonObject(value)) {
    const message = `Invalid type for '${place}': expected an input item, but got ${typeNamed(value)} instead.`;
    return invalid(message, place, 'invalid_type');
  }
  const { type, role } = value;
  if (type === undefined || type === 'message') return rejectMessage(value, place);
  if (typeof type !== 'string') {
    return invalid(
      `Invalid type for '${place}.type': expected a string, but got ${typeNamed(type)} instead.`,
      `${place}.type`,
      'invalid_type',
    );
  }
  const isPaired = isClientCall(type) || outputTypes.has(type);
  if (isPaired && (typeof value.call_id !== 'string' || value.call_id === '')) {
    return invalid(`Missing required parameter: '${place}.call_id'.`, `${place}.call_id`, 'missing_required_parameter');
  }
  if (outputTypes.has(type) && value.output === undefined) {
    return invalid(`Missing required parameter: '${place}.output'.`, `${place}.output`, 'missing_required_parameter');
  }
  return role === undefined
    ? undefined
    : invalid(`Unknown parameter: '${place}.role'.`, `${place}.role`, 'unknown_parameter');
}

function rejectMessage(value: JsonObject, place: string): Rejection | undefined {
  const { role, content } = value;
  if (role === undefined) {
    return invalid(`Missing required parameter: '${place}.role'.`, `${place}.role`, 'missing_required_parameter');
  }
  if (typeof role !== 'string' || !roles.includes(role)) {
    const message = `Invalid value: '${String(role)}'. Supported values are: 'assistant', 'system', 'developer', and 'user'.`;
    return invalid(message, `${place}.role`, 'invalid_value');
  }
  if (content === undefined || content === null) {
    const param = `${place}.content`;
    return invalid(`Missing required parameter: '${param}'.`, param, 'missing_required_parameter');
  }
  const wrong = role === 'assistant' ? 'input_text' : 'output_text';
  const at = listOf(content).findIndex((part) => isJsonObject(part) && part.type === wrong);
  if (at === -1) return undefined;
  const supported =
    role === 'assistant' ? "'output_text' and 'refusal'" : "'input_text', 'input_image', and 'input_file'";
  const message = `Invalid value: '${wrong}'. Supported values are: ${supported}.`;
  return invalid(message, `${place}.content[${at}].type`, 'invalid_value');
}

/** A call has its output somewhere behind it, and an output its call before it. */
function rejectPairs(input: readonly JsonValue[]): Rejection | undefined {
  const waiting = new Map<string, string>();
  const known = new Set<string>();
  for (const value of input) {
    if (!isJsonObject(value) || typeof value.type !== 'string' || typeof value.call_id !== 'string') continue;
    const { type, call_id: id } = value;
    if (isClientCall(type)) {
      known.add(id);
      waiting.set(id, type);
    } else if (outputTypes.has(type)) {
      if (!known.has(id)) return invalid(`No tool call found for ${nameOf(type)} with call_id ${id}.`, 'input');
      waiting.delete(id);
    }
  }
  const [open] = waiting;
  return open && invalid(`No tool output found for ${nameOf(open[1])} ${open[0]}.`, 'input');
}

const nameOf = (type: string): string => type.replaceAll('_', ' ');

// An answer, whole and as a stream of `response.*` events.

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
