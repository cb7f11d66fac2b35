/** Decides whether a request is let in at all. */
import { isJsonObject } from '../shared/json.ts';
import { validate } from '../transcript/validate.ts';
import { promptTokens } from './answer.ts';
import type { Dialect, Rejection } from './dialects/dialect.ts';
import type { FakeProviderOptions } from './options.ts';
import type { RequestRecord } from './record.ts';
import type { FakeRequest } from './request.ts';

/** Bytes of a body above which Anthropic answers 413. */
const largestBody = 32 * 1024 * 1024;

/** The first reason to turn a request away: key, body, fields, model, roles, size. */
export function rejectionOf(
  { dialect, request, headers, bytes, value }: RequestRecord,
  { apiKey, models, contextLength, strictRoles }: FakeProviderOptions,
): Rejection | undefined {
  const refused = dialect.authorize(headers, apiKey);
  if (refused) return refused;
  if (bytes > largestBody) return { status: 413 };
  if (!isJsonObject(value)) return notJson(dialect);
  const rejected = dialect.reject(request.body);
  if (rejected) return rejected;
  if (models && !models.includes(request.model)) return unknownModel(dialect, request.model);
  if (strictRoles && breaksRoles(request)) return alternate;
  if (contextLength === undefined) return undefined;
  const tokens = promptTokens(dialect, request);
  return tokens > contextLength ? dialect.overflow(tokens, contextLength) : undefined;
}

/** The server that most templates with strict roles run on words it so. */
const alternate: Rejection = {
  status: 400,
  type: 'BadRequestError',
  message: 'Conversation roles must alternate user/assistant/user/assistant/...',
};

const breaksRoles = ({ messages }: FakeRequest): boolean =>
  validate(messages, { strictRoles: true }).some(
    ({ rule }) => rule === 'users-in-a-row' || rule === 'first-not-user' || rule === 'late-system',
  );

const notJson = ({ name }: Dialect): Rejection => ({
  status: 400,
  type: 'invalid_request_error',
  message:
    name === 'anthropic'
      ? 'The request body is not valid JSON: expected an object'
      : "We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP library correctly. The OpenAI API expects a JSON payload, but what was sent was not valid JSON.)",
});

/** A model that does not exist. */
export const unknownModel = ({ name }: Dialect, model: string): Rejection =>
  name === 'anthropic'
    ? { status: 404, message: `model: ${model}` }
    : {
        status: 404,
        code: 'model_not_found',
        param: 'model',
        message: `The model \`${model}\` does not exist or you do not have access to it.`,
      };
