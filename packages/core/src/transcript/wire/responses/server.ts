/** The Responses API as a server: requests checked in OpenAI's words, answers whole and as a stream of `response.*` events. */
import { defined } from '../../../shared/defined.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import type { Message } from '../../message.ts';
import * as wire from '../answer.ts';
import { failureFields, invalid, missing, openAiDialect, rejectRole, wrongType } from '../openai.ts';
import { asList, asName, asObject, is } from '../values.ts';
import { isClientCall, outputTypes } from './items.ts';
import { fromOpenAiResponses } from './messages.ts';

/** The dialect of `POST /v1/responses`. */
export const responsesDialect: wire.Dialect = openAiDialect({
  name: 'openai-responses',
  path: '/v1/responses',
  read,
  reject: rejectResponses,
  failureEvents: (error, { number, sent }) => {
    const { message, code, param, type } = failureFields(error);
    const reason = code ?? type;
    // An `error` event, and the response as it stands after it.
    const id = responseId(number);
    const failed = { status: 'failed', error: { code: reason, message }, output: [], usage: null };
    const response = { id, object: 'response', ...failed };
    return [
      { name: 'error', data: { type: 'error', sequence_number: sent, code: reason, message, param }, isEnd: true },
      { name: 'response.failed', data: { type: 'response.failed', sequence_number: sent + 1, response }, isEnd: true },
    ];
  },
  overflow: () => ({
    status: 400,
    type: 'invalid_request_error',
    code: 'context_length_exceeded',
    param: 'input',
    message: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
  }),
  complete: (answer) =>
    envelope(
      answer,
      statusOf(answer),
      outputOf(answer).map(({ done }) => done),
    ),
  stream,
});

/** A plain string is one user message; `instructions` lead. */
function read({ instructions, input }: JsonObject): readonly Message[] {
  const said = (role: 'system' | 'user', text: string): Message => ({ role, parts: [{ type: 'text', text }] });
  const system = asName(instructions);
  const given = is.text(input) ? [said('user', input)] : fromOpenAiResponses(asList(input));
  return system === undefined ? given : [said('system', system), ...given];
}

// Why a request would be rejected.

const roles = ['assistant', 'system', 'developer', 'user'];

function rejectResponses(body: JsonObject): wire.Rejection | undefined {
  const { model, input } = body;
  if (!is.text(model) || model === '') return missing('model');
  const continues = is.text(body.previous_response_id) || body.prompt !== undefined;
  if (input === undefined && !continues) {
    const message = "One of 'input' or 'previous_response_id' or 'prompt' or 'conversation_id' must be provided.";
    return invalid(`Missing required parameter. ${message}`, 'input', 'missing_required_parameter');
  }
  if (is.text(input) || input === undefined) return undefined;
  if (!is.list(input)) return wrongType('input', 'one of an array of objects or string', input);
  return (
    wire.firstRejection(input, (value, index) => rejectEntry(value, index)) ??
    (continues ? undefined : rejectPairs(input))
  );
}

function rejectEntry(value: JsonValue, index: number): wire.Rejection | undefined {
  const place = `input[${index}]`;
  if (!isJsonObject(value)) return wrongType(place, 'an input item', value);
  const { type } = value;
  if (type === undefined || type === 'message') return rejectMessage(value, place);
  if (!is.text(type)) return wrongType(`${place}.type`, 'a string', type);
  const isPaired = isClientCall(type) || outputTypes.has(type);
  if (isPaired && asName(value.call_id) === undefined) return missing(`${place}.call_id`);
  if (outputTypes.has(type) && value.output === undefined) return missing(`${place}.output`);
  const isSaid = value.role !== undefined;
  return isSaid ? invalid(`Unknown parameter: '${place}.role'.`, `${place}.role`, 'unknown_parameter') : undefined;
}

function rejectMessage({ role, content }: JsonObject, place: string): wire.Rejection | undefined {
  const unfit = rejectRole(role, roles, place);
  if (unfit) return unfit;
  if (content === undefined || content === null) return missing(`${place}.content`);
  const wrong = role === 'assistant' ? 'input_text' : 'output_text';
  const at = asList(content).findIndex((part) => asObject(part).type === wrong);
  if (at === -1) return undefined;
  const supported =
    role === 'assistant' ? "'output_text' and 'refusal'" : "'input_text', 'input_image', and 'input_file'";
  const message = `Invalid value: '${wrong}'. Supported values are: ${supported}.`;
  return invalid(message, `${place}.content[${at}].type`, 'invalid_value');
}

/** A call has its output somewhere behind it, and an output its call before it. */
function rejectPairs(input: readonly JsonValue[]): wire.Rejection | undefined {
  const waiting = new Map<string, string>();
  const known = new Set<string>();
  const nameOf = (type: string): string => type.replaceAll('_', ' ');
  const stray = wire.firstRejection(input.map(asObject), ({ type, call_id: id }) => {
    if (!is.text(type) || !is.text(id)) return undefined;
    if (isClientCall(type)) {
      known.add(id);
      waiting.set(id, type);
    } else if (outputTypes.has(type)) {
      waiting.delete(id);
      if (!known.has(id)) return invalid(`No tool call found for ${nameOf(type)} with call_id ${id}.`, 'input');
    }
    return undefined;
  });
  const [open] = waiting;
  return stray ?? (open && invalid(`No tool output found for ${nameOf(open[1])} ${open[0]}.`, 'input'));
}

// Answers.

/** One entry of `output`: how it opens, what is said inside, and how it stands when done. */
interface OutputEntry {
  readonly opened: JsonObject;
  readonly done: JsonObject;
  readonly events: Iterable<SaidEvent>;
}

/** The name of an event behind `response.`, and its fields without number and place in the output. */
type SaidEvent = readonly [type: string, fields: JsonObject, chars?: number | undefined];

/** The events of a streamed answer, from `response.created` to `response.completed` or `response.incomplete`. */
function* stream(answer: wire.Answer): Iterable<wire.WireEvent> {
  let sequence = 0;
  const event = (
    name: string,
    fields: JsonObject,
    more: Omit<wire.WireEvent, 'name' | 'data'> = {},
  ): wire.WireEvent => {
    const type = `response.${name}`;
    return { name: type, data: { type, sequence_number: sequence++, ...fields }, ...more };
  };
  yield event('created', { response: envelope(answer, 'in_progress', []) });
  yield event('in_progress', { response: envelope(answer, 'in_progress', []) });
  const output = outputOf(answer);
  for (const [index, { opened, done, events }] of output.entries()) {
    yield event('output_item.added', { output_index: index, item: opened });
    for (const [type, fields, chars] of events) {
      yield event(type, { output_index: index, ...fields }, chars === undefined ? {} : { chars });
    }
    yield event('output_item.done', { output_index: index, item: done });
  }
  const status = statusOf(answer);
  const done = output.map((entry) => entry.done);
  yield event(status, { response: envelope(answer, status, done) }, { isEnd: true });
}

const statusOf = ({ finish }: wire.Answer): 'completed' | 'incomplete' =>
  finish === 'length' || finish === 'contentFilter' ? 'incomplete' : 'completed';

function outputOf(answer: wire.Answer): readonly OutputEntry[] {
  const { text, reasoning, calls } = answer;
  return [
    ...(reasoning === '' ? [] : [reasoningEntry(answer)]),
    ...(text === '' && (calls.length > 0 || reasoning !== '') ? [] : [messageEntry(answer)]),
    ...calls.map((call, index) => callEntry(answer, call, index)),
  ];
}

function* deltas(name: string, pieces: Iterable<string>, fields: JsonObject): Iterable<SaidEvent> {
  for (const piece of pieces) yield [`${name}.delta`, { ...fields, delta: piece }, piece.length];
}

function reasoningEntry({ number, reasoning, pieceChars, request }: wire.Answer): OutputEntry {
  const id = wire.idOf({ prefix: 'rs_', length: 48 }, number);
  const isSealed = asList(request.include).includes('reasoning.encrypted_content');
  const sealed = isSealed ? { encrypted_content: `fake-encrypted-reasoning-${number}` } : {};
  const part = { type: 'summary_text', text: reasoning };
  const place = { item_id: id, summary_index: 0 };
  function* events(): Iterable<SaidEvent> {
    yield ['reasoning_summary_part.added', { ...place, part: { ...part, text: '' } }];
    yield* deltas('reasoning_summary_text', wire.piecesOf(reasoning, pieceChars), place);
    yield ['reasoning_summary_text.done', { ...place, text: reasoning }];
    yield ['reasoning_summary_part.done', { ...place, part }];
  }
  const item = (summary: readonly JsonValue[]): JsonObject => ({ id, type: 'reasoning', summary, ...sealed });
  return { opened: item([]), done: item([part]), events: events() };
}

function messageEntry(answer: wire.Answer): OutputEntry {
  const { number, text, pieceChars, finish } = answer;
  const id = wire.idOf({ prefix: 'msg_', length: 48 }, number);
  const isRefusal = finish === 'refusal';
  const kind = isRefusal ? 'refusal' : 'output_text';
  const part = (value: string): JsonObject =>
    isRefusal ? { type: kind, refusal: value } : { type: kind, annotations: [], logprobs: [], text: value };
  const place = { item_id: id, content_index: 0 };
  const whole: JsonObject = isRefusal ? { refusal: text } : { text, logprobs: [] };
  function* events(): Iterable<SaidEvent> {
    yield ['content_part.added', { ...place, part: part('') }];
    for (const [name, fields, chars] of deltas(kind, wire.piecesOf(text, pieceChars), place)) {
      yield [name, isRefusal ? fields : { ...fields, logprobs: [] }, chars];
    }
    yield [`${kind}.done`, { ...place, ...whole }];
    yield ['content_part.done', { ...place, part: part(text) }];
  }
  const message = { id, type: 'message', role: 'assistant' };
  return {
    opened: { ...message, status: 'in_progress', content: [] },
    done: { ...message, status: statusOf(answer), content: [part(text)] },
    events: events(),
  };
}

function callEntry(
  { number, pieceChars }: wire.Answer,
  call: wire.Answer['calls'][number],
  index: number,
): OutputEntry {
  const id = wire.idOf({ prefix: 'fc_', length: 48 }, number, index);
  const { name, namespace } = call;
  const entry = { id, type: 'function_call', call_id: call.id, name, ...defined({ namespace }) };
  function* events(): Iterable<SaidEvent> {
    yield* deltas('function_call_arguments', wire.piecesOf(call.input, pieceChars), { item_id: id });
    yield ['function_call_arguments.done', { item_id: id, arguments: call.input }];
  }
  return {
    opened: { ...entry, status: 'in_progress', arguments: '' },
    done: { ...entry, status: 'completed', arguments: call.input },
    events: events(),
  };
}

const responseId = (number: number): string => wire.idOf({ prefix: 'resp_', length: 48 }, number);

function envelope(answer: wire.Answer, status: string, output: readonly JsonObject[]): JsonObject {
  const { number, created, model, finish, usage, request } = answer;
  const isOpen = status === 'in_progress';
  const reason = finish === 'length' ? 'max_output_tokens' : 'content_filter';
  const given = (key: string, otherwise: JsonValue): JsonValue => request[key] ?? otherwise;
  return {
    id: responseId(number),
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
    usage: isOpen || !usage ? null : usageOf(usage),
    user: null,
    metadata: given('metadata', {}),
  };
}

const usageOf = (usage: NonNullable<wire.Answer['usage']>): JsonObject => ({
  input_tokens: wire.promptTokensOf(usage),
  input_tokens_details: { cached_tokens: usage.cacheReadTokens, cache_write_tokens: usage.cacheWriteTokens },
  output_tokens: usage.outputTokens,
  output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
  total_tokens: wire.promptTokensOf(usage) + usage.outputTokens,
});
