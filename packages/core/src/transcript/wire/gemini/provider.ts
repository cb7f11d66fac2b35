/** Google's side of the Gemini API: why it would reject a body, in its own words, and what its answers look like. */
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../../shared/json.ts';
import {
  type Answer,
  type AnswerUsage,
  type Finish,
  idOf,
  listOf,
  partsOf,
  piecesOf,
  type Rejection,
  type WireEvent,
} from '../answer.ts';
import { asObject } from '../values.ts';
import { writePart } from './write.ts';

const roles: readonly JsonValue[] = ['user', 'model', 'function'];

/** The first reason for which Google would not take a body; `model` is the one that the path names. */
export function rejectGemini(body: JsonObject, model = ''): Rejection | undefined {
  const { contents, systemInstruction } = body;
  if (contents === undefined) return invalid('* GenerateContentRequest.contents: contents is not specified\n');
  if (!Array.isArray(contents)) return invalid(`Invalid value at 'contents', expected a list`);
  if (contents.length === 0) return invalid('* GenerateContentRequest.contents: contents is not specified\n');
  for (const [index, content] of contents.entries()) {
    const rejection = rejectContent(content, `contents[${index}]`);
    if (rejection) return rejection;
  }
  if (isJsonObject(systemInstruction) && listOf(systemInstruction.parts).length === 0) {
    return invalid('* GenerateContentRequest.system_instruction.parts: contents.parts must not be empty.\n');
  }
  const turns = contents.map(turnOf);
  return rejectTurns(turns) ?? (demandsSignatures(model) ? rejectUnsigned(turns) : undefined);
}

/** A rejection as Google words them. */
export const invalid = (message: string): Rejection => ({ status: 400, type: 'INVALID_ARGUMENT', message });

function rejectContent(value: JsonValue, place: string): Rejection | undefined {
  if (!isJsonObject(value)) return invalid(`Invalid value at '${place}', expected an object`);
  if (value.role !== undefined && !roles.includes(value.role)) return invalid('Please use a valid role: user, model.');
  const parts = listOf(value.parts);
  if (parts.length === 0)
    return invalid(`* GenerateContentRequest.${place}.parts: contents.parts must not be empty.\n`);
  for (const [index, part] of parts.entries()) {
    const rejection = rejectPart(part, `${place}.parts[${index}]`);
    if (rejection) return rejection;
  }
  return undefined;
}

const dataMembers = [
  'text',
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'executableCode',
  'codeExecutionResult',
];

function rejectPart(value: JsonValue, place: string): Rejection | undefined {
  if (!isJsonObject(value)) return invalid(`Invalid value at '${place}', expected an object`);
  const { functionCall: call, functionResponse: response } = value;
  // The proof of an answer may come in a part of its own.
  if (!dataMembers.some((name) => name in value) && value.thoughtSignature === undefined) {
    return invalid(
      `* GenerateContentRequest.${place}.data: required oneof field 'data' must have one initialized field\n`,
    );
  }
  if (value.text !== undefined && typeof value.text !== 'string')
    return invalid(`Invalid value at '${place}.text' (TYPE_STRING)`);
  if (call !== undefined) {
    if (!isNamed(call)) return invalid(`* GenerateContentRequest.${place}.function_call.name: Name cannot be empty.\n`);
    if (call.args !== undefined && !isJsonObject(call.args))
      return invalid(`Invalid value at '${place}.function_call.args' (type.googleapis.com/google.protobuf.Struct)`);
  }
  if (response !== undefined) {
    if (!isNamed(response))
      return invalid(`* GenerateContentRequest.${place}.function_response.name: Name cannot be empty.\n`);
    if (!isJsonObject(response.response))
      return invalid(
        `Invalid value at '${place}.function_response.response' (type.googleapis.com/google.protobuf.Struct)`,
      );
  }
  return undefined;
}

const isNamed = (value: JsonValue): value is JsonObject =>
  isJsonObject(value) && typeof value.name === 'string' && value.name !== '';

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
  const all = listOf(parts).map(asObject);
  const answered = all.flatMap(({ functionResponse }) => (functionResponse ? [nameOf(functionResponse)] : []));
  return {
    isModel: role === 'model',
    calls: all.filter(({ functionCall }) => functionCall !== undefined),
    answered,
    asks: role !== 'model' && answered.length === 0,
  };
}

const nameOf = (value: JsonValue | undefined): string => String(asObject(value).name);

/** Turns of the model stand between others, and every call is answered in the very next content. */
function rejectTurns(turns: readonly Turn[]): Rejection | undefined {
  for (const [index, { isModel, calls, answered }] of turns.entries()) {
    const before = turns[index - 1];
    const asked = before?.calls ?? [];
    if (answered.length > 0 && asked.length === 0) {
      return invalid('Please ensure that function response turn comes immediately after a function call turn.');
    }
    if (answered.length !== asked.length || !isSameNames(answered, asked)) return unanswered;
    if (calls.length > 0 && (!isModel || !before || before.isModel)) {
      return invalid(
        'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
      );
    }
    if (isModel && before?.isModel)
      return invalid('Please ensure that multiturn requests alternate between user and model.');
  }
  return turns.at(-1)?.calls.length ? unanswered : undefined;
}

const isSameNames = (answered: readonly string[], asked: readonly JsonObject[]): boolean => {
  const names = asked.map(({ functionCall }) => nameOf(functionCall)).toSorted();
  return answered.toSorted().every((name, at) => name === names[at]);
};

const unanswered = invalid(
  'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
);

/** Models before Gemini 3 take calls without a signature. */
const demandsSignatures = (model: string): boolean => !/gemini-[12](?:\D|$)/.test(model);

/** In the turn that is still open, the first call of every step brings its signature back. */
function rejectUnsigned(turns: readonly Turn[]): Rejection | undefined {
  const start = turns.findLastIndex(({ asks }) => asks) + 1;
  for (const [index, { calls }] of turns.entries()) {
    const [first] = calls;
    if (index < start || !first || (typeof first.thoughtSignature === 'string' && first.thoughtSignature !== ''))
      continue;
    return invalid(
      `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${nameOf(first.functionCall)}\` , position ${index + 1}. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.`,
    );
  }
  return undefined;
}

// An answer, whole and as a stream of responses.

const finishReasons: Readonly<Record<Finish, string>> = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  refusal: 'SAFETY',
  // Calls have no reason of their own.
  toolCalls: 'STOP',
  contentFilter: 'SAFETY',
};

/** The body of an answer that is not streamed. */
export function geminiResponse(answer: Answer): JsonObject {
  return response(answer, spokenParts(answer), { finish: finishReasons[answer.finish], usage: answer.usage });
}

/** The responses of a streamed answer: texts in pieces, calls whole, and the reason on the last one. */
export function* geminiStream(answer: Answer): Iterable<WireEvent> {
  const opening = answer.usage && { ...answer.usage, outputTokens: 0, reasoningTokens: 0 };
  for (const part of spokenParts(answer)) {
    const { text, functionCall } = part;
    if (functionCall !== undefined) {
      const chars = JSON.stringify(asObject(functionCall).args).length;
      yield { data: response(answer, [part], { usage: opening }), chars };
    }
    if (typeof text !== 'string') continue;
    const { thoughtSignature: _, ...unsigned } = part;
    for (const piece of piecesOf(text, answer.pieceChars)) {
      yield { data: response(answer, [{ ...unsigned, text: piece }], { usage: opening }), chars: piece.length };
    }
  }
  // The proof of a text comes behind it, in a part without one.
  const end = answer.calls.length === 0 ? { text: '', thoughtSignature: signatureOf(answer.number) } : { text: '' };
  yield { data: response(answer, [end], { finish: finishReasons[answer.finish], usage: answer.usage }), isEnd: true };
}

/** The parts as the format writes them: the first call is signed, and the text where nothing is called. */
function spokenParts(answer: Answer): readonly JsonObject[] {
  const said = partsOf(answer).filter((part) => part.type !== 'toolCall' || isWhole(part.input, answer.finish));
  const parts = said.map((part) => asObject(writePart(part)));
  const call = parts.findIndex(({ functionCall }) => functionCall !== undefined);
  const proof = call >= 0 ? call : said.findIndex(({ type }) => type === 'text');
  const thoughtSignature = signatureOf(answer.number);
  return parts.map((part, at) => (at === proof ? { ...part, thoughtSignature } : part));
}

/** Arguments that were cut off with the answer are never sent: they are no value. */
const isWhole = (input: string, finish: Finish): boolean => finish !== 'length' || isJsonObject(parseJson(input));

/** Base64 as a real signature is, and the same for the same request. */
const signatureOf = (number: number): string => `RmFrZVNpZ25hdHVyZQ${String(number).padStart(14, '0')}`;

interface Ending {
  readonly finish?: string;
  readonly usage: AnswerUsage | undefined;
}

function response(answer: Answer, parts: readonly JsonObject[], { finish, usage }: Ending): JsonObject {
  const content = { role: 'model', ...(parts.length > 0 ? { parts } : {}) };
  return {
    candidates: [{ content, ...(finish === undefined ? {} : { finishReason: finish }), index: 0 }],
    ...(usage ? { usageMetadata: usageOf(usage) } : {}),
    modelVersion: answer.model,
    responseId: idOf({ prefix: '', length: 22 }, answer.number),
  };
}

function usageOf(usage: AnswerUsage): JsonObject {
  const prompt = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  const { cacheReadTokens: cached, reasoningTokens: thoughts, outputTokens: output } = usage;
  return {
    promptTokenCount: prompt,
    ...(cached > 0 ? { cachedContentTokenCount: cached } : {}),
    ...(output > thoughts ? { candidatesTokenCount: output - thoughts } : {}),
    ...(thoughts > 0 ? { thoughtsTokenCount: thoughts } : {}),
    totalTokenCount: prompt + output,
  };
}
