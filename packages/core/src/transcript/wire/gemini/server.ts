/** The Gemini API as a server: requests checked in Google's words, answers whole and as a stream of responses. */
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../../shared/json.ts';
import * as wire from '../answer.ts';
import { asList, asName, asObject, hasAny, is } from '../values.ts';
import { fromGemini, fromGeminiSystem, writePart } from './messages.ts';

/** The dialect of `POST /v1beta/models/MODEL:generateContent`. */
export const geminiDialect: wire.Dialect = {
  name: 'gemini',
  path: '/v1beta/models',
  modelsPath: '/v1beta/models',
  callId: { prefix: 'call_', length: 8 },
  requestId: { prefix: '', length: 22 },
  // The path names the model and what is wanted of it.
  asked: (path) => {
    const [, model, method, query = ''] = /^\/v1beta\/models\/([^/:?]+):(\w+)(?:\?(.*))?$/.exec(path) ?? [];
    if (model === undefined) return undefined;
    if (method === 'generateContent') return { model, stream: false };
    const isSse = method === 'streamGenerateContent' && query.split('&').includes('alt=sse');
    return isSse ? { model, stream: true } : undefined;
  },
  read: (body) => {
    const system = fromGeminiSystem(body.systemInstruction);
    const messages = fromGemini(asList(body.contents));
    return system ? [system, ...messages] : messages;
  },
  reject: rejectGemini,
  // The key stands in a header; one in the query of the path was put there when the request came.
  authorize: (headers, key) => {
    const given = headers['x-goog-api-key'];
    if (key === undefined || given === key) return undefined;
    if (given !== undefined) return invalid('API key not valid. Please pass a valid API key.');
    const message =
      "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.";
    return { status: 403, message };
  },
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
  complete: (answer) => response(answer, spokenParts(answer), ending(answer)),
  stream,
  models: (names) => ({
    models: names.map((id) => ({
      name: `models/${id}`,
      displayName: id,
      supportedGenerationMethods: ['generateContent', 'countTokens'],
    })),
  }),
};

/** What Google sends with a status: its name and message. It has no 402 and no 529; gateways before it do. */
const usual: Readonly<Record<number, readonly [status: string, message: string]>> = {
  400: ['INVALID_ARGUMENT', 'Request contains an invalid argument.'],
  401: [
    'UNAUTHENTICATED',
    'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.',
  ],
  402: ['FAILED_PRECONDITION', 'The balance of the billing account is too low.'],
  403: ['PERMISSION_DENIED', 'The caller does not have permission'],
  404: ['NOT_FOUND', 'Requested entity was not found.'],
  429: [
    'RESOURCE_EXHAUSTED',
    'You exceeded your current quota, please check your plan and billing details. For more information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits.',
  ],
  499: ['CANCELLED', 'The operation was cancelled.'],
  500: [
    'INTERNAL',
    'An internal error has occurred. Please retry or report in https://developers.generativeai.google/guide/troubleshooting',
  ],
  503: ['UNAVAILABLE', 'The model is overloaded. Please try again later.'],
  529: ['UNAVAILABLE', 'The model is overloaded. Please try again later.'],
  504: ['DEADLINE_EXCEEDED', 'The request timed out. Please try again.'],
};

function failureBody({ status: code, type, message }: wire.Rejection): JsonObject {
  const [status, text] = usual[code] ?? ['UNKNOWN', 'The request failed.'];
  return { error: { code, message: message ?? text, status: type ?? status } };
}

// Why a request would be rejected.

const roles: readonly JsonValue[] = ['user', 'model', 'function'];

/** A rejection as Google words them. */
function invalid(message: string): wire.Rejection {
  return { status: 400, type: 'INVALID_ARGUMENT', message };
}

const violation = (place: string, text: string): wire.Rejection =>
  invalid(`* GenerateContentRequest.${place}: ${text}\n`);

/** `model` is the one that the path names. */
function rejectGemini({ contents, systemInstruction }: JsonObject, model = ''): wire.Rejection | undefined {
  if (contents !== undefined && !is.list(contents)) return invalid(`Invalid value at 'contents', expected a list`);
  if (contents === undefined || contents.length === 0) return violation('contents', 'contents is not specified');
  const rejection = wire.firstRejection(contents, (content, index) => rejectContent(content, `contents[${index}]`));
  if (rejection) return rejection;
  if (isJsonObject(systemInstruction) && asList(systemInstruction.parts).length === 0) {
    return violation('system_instruction.parts', 'contents.parts must not be empty.');
  }
  const turns = contents.map(turnOf);
  // Models before Gemini 3 take calls without a signature.
  return rejectTurns(turns) ?? (/gemini-[12](?:\D|$)/.test(model) ? undefined : rejectUnsigned(turns));
}

function rejectContent(value: JsonValue, place: string): wire.Rejection | undefined {
  if (!isJsonObject(value)) return invalid(`Invalid value at '${place}', expected an object`);
  if (value.role !== undefined && !roles.includes(value.role)) return invalid('Please use a valid role: user, model.');
  const parts = asList(value.parts);
  if (parts.length === 0) return violation(`${place}.parts`, 'contents.parts must not be empty.');
  return wire.firstRejection(parts, (part, index) => rejectPart(part, `${place}.parts[${index}]`));
}

/** The proof of an answer may come in a part of its own. */
const dataMembers = [
  'text',
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'executableCode',
  'codeExecutionResult',
  'thoughtSignature',
];

function rejectPart(value: JsonValue, place: string): wire.Rejection | undefined {
  if (!isJsonObject(value)) return invalid(`Invalid value at '${place}', expected an object`);
  const { functionCall: call, functionResponse: response, text } = value;
  if (!hasAny(value, dataMembers)) {
    return violation(`${place}.data`, "required oneof field 'data' must have one initialized field");
  }
  if (text !== undefined && !is.text(text)) return invalid(`Invalid value at '${place}.text' (TYPE_STRING)`);
  const { args = {} } = asObject(call);
  return (
    (call === undefined ? undefined : rejectFunction(call, `${place}.function_call`, ['args', args])) ??
    (response === undefined
      ? undefined
      : rejectFunction(response, `${place}.function_response`, ['response', asObject(response).response ?? null]))
  );
}

function rejectFunction(
  value: JsonValue,
  place: string,
  [name, struct]: readonly [string, JsonValue],
): wire.Rejection | undefined {
  if (asName(asObject(value).name) === undefined) return violation(`${place}.name`, 'Name cannot be empty.');
  if (isJsonObject(struct)) return undefined;
  return invalid(`Invalid value at '${place}.${name}' (type.googleapis.com/google.protobuf.Struct)`);
}

/** What a content does in the exchange. */
interface Turn {
  readonly isModel: boolean;
  readonly calls: readonly JsonObject[];
  /** Names of the functions that are answered. */
  readonly answered: readonly string[];
  /** Set for a content in which a person may speak. */
  readonly asks: boolean;
}

function turnOf(content: JsonValue): Turn {
  const { role, parts } = asObject(content);
  const all = asList(parts).map(asObject);
  const answered = all.flatMap(({ functionResponse }) => (functionResponse ? [nameOf(functionResponse)] : []));
  const calls = all.filter(({ functionCall }) => functionCall !== undefined);
  return { isModel: role === 'model', calls, answered, asks: role !== 'model' && answered.length === 0 };
}

const nameOf = (value: JsonValue | undefined): string => String(asObject(value).name);

const unanswered = invalid(
  'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
);

/** Turns of the model stand between others, and every call is answered in the very next content. */
function rejectTurns(turns: readonly Turn[]): wire.Rejection | undefined {
  const rejection = wire.firstRejection(turns, ({ isModel, calls, answered }, index) => {
    const before = turns[index - 1];
    const asked = (before?.calls ?? []).map(({ functionCall }) => nameOf(functionCall));
    if (answered.length > 0 && asked.length === 0) {
      return invalid('Please ensure that function response turn comes immediately after a function call turn.');
    }
    if (JSON.stringify(answered.toSorted()) !== JSON.stringify(asked.toSorted())) return unanswered;
    if (calls.length > 0 && (!isModel || !before || before.isModel)) {
      return invalid(
        'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
      );
    }
    const isTwice = isModel && before?.isModel;
    return isTwice ? invalid('Please ensure that multiturn requests alternate between user and model.') : undefined;
  });
  return rejection ?? (turns.at(-1)?.calls.length ? unanswered : undefined);
}

/** In the turn that is still open, the first call of every step brings its signature back. */
function rejectUnsigned(turns: readonly Turn[]): wire.Rejection | undefined {
  const start = turns.findLastIndex(({ asks }) => asks) + 1;
  return wire.firstRejection(turns, ({ calls: [first] }, index) => {
    if (index < start || !first || asName(first.thoughtSignature) !== undefined) return undefined;
    return invalid(
      `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${nameOf(first.functionCall)}\` , position ${index + 1}. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.`,
    );
  });
}

// Answers.

const finishReasons: Readonly<Record<wire.Finish, string>> = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  refusal: 'SAFETY',
  // Calls have no reason of their own.
  toolCalls: 'STOP',
  contentFilter: 'SAFETY',
};

/** The responses of a streamed answer: texts in pieces, calls whole, and the reason on the last one. */
function* stream(answer: wire.Answer): Iterable<wire.WireEvent> {
  const opening = answer.usage && { ...answer.usage, outputTokens: 0, reasoningTokens: 0 };
  for (const part of spokenParts(answer)) {
    const { thoughtSignature: _, ...unsigned } = part;
    if (part.functionCall !== undefined) {
      const chars = JSON.stringify(asObject(part.functionCall).args).length;
      yield { data: response(answer, [part], { usage: opening }), chars };
    } else if (is.text(part.text)) {
      for (const text of wire.piecesOf(part.text, answer.pieceChars)) {
        yield { data: response(answer, [{ ...unsigned, text }], { usage: opening }), chars: text.length };
      }
    }
  }
  // The proof of a text comes behind it, in a part without one.
  const proof = answer.calls.length === 0 ? { thoughtSignature: signatureOf(answer) } : {};
  const end = response(answer, [{ text: '', ...proof }], ending(answer));
  yield { data: end, isEnd: true };
}

/** The parts as the format writes them: the first call is signed, and the text where nothing is called. */
function spokenParts(answer: wire.Answer): readonly JsonObject[] {
  // Arguments that were cut off with the answer are never sent: they are no value.
  const isWhole = (input: string): boolean => answer.finish !== 'length' || isJsonObject(parseJson(input));
  const said = wire.partsOf(answer).filter((part) => part.type !== 'toolCall' || isWhole(part.input));
  const call = said.findIndex(({ type }) => type === 'toolCall');
  const proof = call >= 0 ? call : said.findIndex(({ type }) => type === 'text');
  return said.map((part, at) => ({
    ...asObject(writePart(part)),
    ...(at === proof ? { thoughtSignature: signatureOf(answer) } : {}),
  }));
}

/** Base64 as a real signature is, and the same for the same request. */
const signatureOf = ({ number }: wire.Answer): string => `RmFrZVNpZ25hdHVyZQ${String(number).padStart(14, '0')}`;

interface Ending {
  readonly usage: wire.AnswerUsage | undefined;
  readonly finish?: string;
}

const ending = ({ usage, finish }: wire.Answer): Ending => ({ usage, finish: finishReasons[finish] });

function response({ model, number }: wire.Answer, parts: readonly JsonObject[], { usage, finish }: Ending): JsonObject {
  const content = { role: 'model', ...(parts.length > 0 ? { parts } : {}) };
  return {
    candidates: [{ content, ...(finish === undefined ? {} : { finishReason: finish }), index: 0 }],
    ...(usage ? { usageMetadata: usageOf(usage) } : {}),
    modelVersion: model,
    responseId: wire.idOf({ prefix: '', length: 22 }, number),
  };
}

function usageOf(usage: wire.AnswerUsage): JsonObject {
  const { cacheReadTokens: cached, reasoningTokens: thoughts, outputTokens: output } = usage;
  return {
    promptTokenCount: wire.promptTokensOf(usage),
    ...(cached > 0 ? { cachedContentTokenCount: cached } : {}),
    ...(output > thoughts ? { candidatesTokenCount: output - thoughts } : {}),
    ...(thoughts > 0 ? { thoughtsTokenCount: thoughts } : {}),
    totalTokenCount: wire.promptTokensOf(usage) + output,
  };
}
