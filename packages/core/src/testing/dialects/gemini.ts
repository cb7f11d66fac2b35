/** Google as a server: `generateContent` and `streamGenerateContent` of the Gemini API. */
import type { JsonObject } from '../../shared/json.ts';
import { listOf, type Rejection } from '../../transcript/wire/answer.ts';
import { fromGemini, fromGeminiSystem } from '../../transcript/wire/gemini/format.ts';
import { geminiResponse, geminiStream, invalid, rejectGemini } from '../../transcript/wire/gemini/provider.ts';
import type { Dialect } from './dialect.ts';

/** The dialect of `POST /v1beta/models/MODEL:generateContent`. */
export const gemini: Dialect = {
  name: 'gemini',
  path: '/v1beta/models',
  modelsPath: '/v1beta/models',
  callId: { prefix: 'call_', length: 8 },
  requestId: { prefix: '', length: 22 },
  asked,
  read: (body) => {
    const system = fromGeminiSystem(body.systemInstruction);
    const messages = fromGemini(listOf(body.contents));
    return system ? [system, ...messages] : messages;
  },
  reject: rejectGemini,
  authorize,
  failure: (error) => ({ status: error.status, body: failureBody(error) }),
  failureEvents: (error) => [{ data: failureBody(error), isEnd: true }],
  overflow: (tokens, limit) =>
    invalid(`The input token count (${tokens}) exceeds the maximum number of tokens allowed (${limit}).`),
  notJson: invalid('Invalid JSON payload received. Expected an object.'),
  unknownModel: (model) => ({
    status: 404,
    message: `models/${model} is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.`,
  }),
  unknownPath: (_, path) =>
    path.includes(':streamGenerateContent')
      ? invalid('This server streams server-sent events only: add ?alt=sse to the path.')
      : { status: 404 },
  limitHeaders: () => ({}),
  complete: geminiResponse,
  stream: geminiStream,
  models: (names) => ({
    models: names.map((id) => ({
      name: `models/${id}`,
      displayName: id,
      supportedGenerationMethods: ['generateContent', 'countTokens'],
    })),
  }),
};

/** The path names the model and what is wanted of it. */
function asked(path: string): ReturnType<Dialect['asked']> {
  const [, model, method, query = ''] = /^\/v1beta\/models\/([^/:?]+):(\w+)(?:\?(.*))?$/.exec(path) ?? [];
  if (model === undefined) return undefined;
  if (method === 'generateContent') return { model, stream: false };
  const isSse = method === 'streamGenerateContent' && query.split('&').includes('alt=sse');
  return isSse ? { model, stream: true } : undefined;
}

/** What Google sends with a status. */
const usual: Readonly<Record<number, { readonly status: string; readonly message: string }>> = {
  400: { status: 'INVALID_ARGUMENT', message: 'Request contains an invalid argument.' },
  401: {
    status: 'UNAUTHENTICATED',
    message:
      'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.',
  },
  // Google has no 402 and no 529; gateways before it do.
  402: { status: 'FAILED_PRECONDITION', message: 'The balance of the billing account is too low.' },
  403: { status: 'PERMISSION_DENIED', message: 'The caller does not have permission' },
  404: { status: 'NOT_FOUND', message: 'Requested entity was not found.' },
  429: {
    status: 'RESOURCE_EXHAUSTED',
    message:
      'You exceeded your current quota, please check your plan and billing details. For more information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits.',
  },
  499: { status: 'CANCELLED', message: 'The operation was cancelled.' },
  500: {
    status: 'INTERNAL',
    message:
      'An internal error has occurred. Please retry or report in https://developers.generativeai.google/guide/troubleshooting',
  },
  503: { status: 'UNAVAILABLE', message: 'The model is overloaded. Please try again later.' },
  529: { status: 'UNAVAILABLE', message: 'The model is overloaded. Please try again later.' },
  504: {
    status: 'DEADLINE_EXCEEDED',
    message: 'The request timed out. Please try again.',
  },
};

function failureBody({ status: code, type, message }: Rejection): JsonObject {
  const standard = usual[code] ?? { status: 'UNKNOWN', message: 'The request failed.' };
  return { error: { code, message: message ?? standard.message, status: type ?? standard.status } };
}

/** The key stands in `x-goog-api-key`; one in the query of the path was put there when the request came. */
function authorize(headers: Readonly<Record<string, string>>, key: string | undefined): Rejection | undefined {
  if (key === undefined) return undefined;
  const given = headers['x-goog-api-key'];
  if (given === key) return undefined;
  if (given !== undefined) return invalid('API key not valid. Please pass a valid API key.');
  return {
    status: 403,
    message:
      "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
  };
}
