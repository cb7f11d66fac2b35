/** The OpenAI Responses API. */
import type { JsonObject } from '../../shared/json.ts';
import { fromOpenAiResponses } from '../../transcript/formats/openai-responses.ts';
import type { Message } from '../../transcript/message.ts';
import { type Dialect, type FailurePlace, idOf, listOf, type Rejection, type WireEvent } from './dialect.ts';
import { authorizeBearer, failureFields, openAiFailure, openAiLimits, openAiModels } from './openai-failure.ts';
import { responseObject, responseStream } from './openai-responses-answer.ts';
import { rejectResponses } from './openai-responses-check.ts';

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
