/** The OpenAI Responses API. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import type { Message } from '../../transcript/message.ts';
import { fromOpenAiResponses } from '../../transcript/wire/responses/format.ts';
import { type Dialect, type FailurePlace, idOf, listOf, type Rejection, type WireEvent } from './dialect.ts';
import { typeNamed } from './openai-chat-check.ts';
import {
  authorizeBearer,
  failureFields,
  invalid,
  openAiFailure,
  openAiLimits,
  openAiModels,
} from './openai-failure.ts';
import { responseObject, responseStream } from './openai-responses-answer.ts';

/** The dialect of `POST /v1/responses`. */
export const openAiResponses: Dialect = {
  name: 'openai-responses',
  path: '/v1/responses',
  callId: { prefix: 'call_', length: 24 },
  requestId: { header: 'x-request-id', prefix: 'req_', length: 32 },
  read,
  reject: rejectResponses,
  authorize: authorizeBearer,
  failure: openAiFailure,
  failureEvents,
  overflow: () => ({
    status: 400,
    type: 'invalid_request_error',
    code: 'context_length_exceeded',
    param: 'input',
    message: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
  }),
  limitHeaders: openAiLimits,
  complete: responseObject,
  stream: responseStream,
  models: openAiModels,
};

/** A plain string is one user message; `instructions` lead. */
function read({ instructions, input }: JsonObject): readonly Message[] {
  const system: readonly Message[] =
    typeof instructions === 'string' && instructions !== ''
      ? [{ role: 'system', parts: [{ type: 'text', text: instructions }] }]
      : [];
  const given: readonly Message[] =
    typeof input === 'string'
      ? [{ role: 'user', parts: [{ type: 'text', text: input }] }]
      : fromOpenAiResponses(listOf(input));
  return [...system, ...given];
}

/** An `error` event, and the response as it stands after it. */
function failureEvents(error: Rejection, { number, sent }: FailurePlace): readonly WireEvent[] {
  const { message, code, param, type } = failureFields(error);
  const reason = code ?? type;
  const response = {
    id: idOf({ prefix: 'resp_', length: 48 }, number),
    object: 'response',
    status: 'failed',
    error: { code: reason, message },
    output: [],
    usage: null,
  };
  return [
    { name: 'error', data: { type: 'error', sequence_number: sent, code: reason, message, param }, isEnd: true },
    { name: 'response.failed', data: { type: 'response.failed', sequence_number: sent + 1, response }, isEnd: true },
  ];
}

// Why OpenAI would reject a body of the Responses API, in its own words.

const roles = ['assistant', 'system', 'developer', 'user'];

/** Types of calls, with the type of what answers each. */
const answers = new Map([
  ['function_call', 'function_call_output'],
  ['custom_tool_call', 'custom_tool_call_output'],
]);
const outputTypes: ReadonlySet<string> = new Set(answers.values());

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
  const isPaired = answers.has(type) || outputTypes.has(type);
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
    if (answers.has(type)) {
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
