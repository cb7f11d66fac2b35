/** Failures as providers send them, one row each: status, body, and what they mean. The values in them are ours. */
import type { FailureKind } from '../../src/compression/policy/state.ts';

export interface FailureCase {
  readonly from: string;
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly kind: FailureKind;
  /** Set where the prompt is too long; the window where the text names it. */
  readonly overflow?: true | number;
}

const openai = (message: string, type: string, code: string | null = null): unknown => ({
  error: { message, type, param: null, code },
});
const anthropic = (type: string, message: string): unknown => ({
  type: 'error',
  error: { type, message },
  request_id: 'req_01',
});
const google = (code: number, status: string, message: string, details: readonly unknown[] = []): unknown => ({
  error: { code, message, status, details },
});

export const failureCases: readonly FailureCase[] = [
  {
    from: 'OpenAI',
    status: 401,
    kind: 'auth',
    body: openai('Incorrect API key provided: sk-ab**yz.', 'invalid_request_error', 'invalid_api_key'),
  },
  {
    from: 'OpenAI',
    status: 403,
    kind: 'auth',
    body: openai(
      'Country, region, or territory not supported',
      'request_forbidden',
      'unsupported_country_region_territory',
    ),
  },
  {
    from: 'OpenAI',
    status: 429,
    kind: 'quota',
    body: openai(
      'You exceeded your current quota, please check your plan and billing details.',
      'insufficient_quota',
      'insufficient_quota',
    ),
  },
  {
    from: 'OpenAI',
    status: 429,
    kind: 'rate_limit',
    body: openai(
      'Rate limit reached for gpt-5 on requests per min (RPM): Limit 3, Used 3.',
      'requests',
      'rate_limit_exceeded',
    ),
  },
  {
    from: 'OpenAI',
    status: 429,
    kind: 'other',
    overflow: true,
    body: openai(
      'Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 94000.',
      'tokens',
      'rate_limit_exceeded',
    ),
  },
  {
    from: 'OpenAI',
    status: 400,
    kind: 'other',
    overflow: 8_192,
    body: openai(
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.",
      'invalid_request_error',
      'context_length_exceeded',
    ),
  },
  {
    from: 'OpenAI',
    status: 400,
    kind: 'other',
    overflow: true,
    body: openai(
      'Your input exceeds the context window of this model. Please adjust your input and try again.',
      'invalid_request_error',
      'context_length_exceeded',
    ),
  },
  {
    from: 'OpenAI',
    status: 400,
    kind: 'other',
    body: openai(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens'.",
      'invalid_request_error',
      'unsupported_parameter',
    ),
  },
  {
    from: 'OpenAI',
    status: 404,
    kind: 'no_provider',
    body: openai(
      'The model `gpt-9` does not exist or you do not have access to it.',
      'invalid_request_error',
      'model_not_found',
    ),
  },
  {
    from: 'OpenAI',
    status: 400,
    kind: 'bad_output',
    body: openai(
      'Invalid prompt: your prompt was flagged as potentially violating our usage policy.',
      'invalid_request_error',
      'invalid_prompt',
    ),
  },
  {
    from: 'OpenAI',
    status: 500,
    kind: 'server_error',
    body: openai('The server had an error while processing your request.', 'server_error'),
  },
  { from: 'OpenAI', status: 503, kind: 'server_error', body: openai('Slow down', 'server_error', 'slow_down') },

  { from: 'Anthropic', status: 401, kind: 'auth', body: anthropic('authentication_error', 'invalid x-api-key') },
  {
    from: 'Anthropic',
    status: 403,
    kind: 'auth',
    body: anthropic('permission_error', 'Your API key does not have permission to use the specified resource.'),
  },
  {
    from: 'Anthropic',
    status: 400,
    kind: 'quota',
    body: anthropic(
      'invalid_request_error',
      'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing.',
    ),
  },
  {
    from: 'Anthropic',
    status: 400,
    kind: 'quota',
    body: anthropic(
      'invalid_request_error',
      'You have reached your specified API usage limits. You will regain access on 2027-01-01.',
    ),
  },
  {
    from: 'Anthropic',
    status: 429,
    kind: 'rate_limit',
    body: anthropic(
      'rate_limit_error',
      "This request would exceed your organization's rate limit of 40,000 input tokens per minute.",
    ),
  },
  {
    from: 'Anthropic',
    status: 429,
    kind: 'other',
    overflow: true,
    body: anthropic('rate_limit_error', 'Extra usage is required for long context requests.'),
  },
  {
    from: 'Anthropic',
    status: 400,
    kind: 'other',
    overflow: 200_000,
    body: anthropic('invalid_request_error', 'prompt is too long: 213456 tokens > 200000 maximum'),
  },
  {
    from: 'Anthropic',
    status: 400,
    kind: 'other',
    overflow: true,
    body: anthropic(
      'invalid_request_error',
      'input length and `max_tokens` exceed context limit: 190000 + 64000 > 200000',
    ),
  },
  {
    from: 'Anthropic',
    status: 400,
    kind: 'other',
    body: anthropic(
      'invalid_request_error',
      'max_tokens: 64000 > 8192, which is the maximum allowed number of output tokens for this model',
    ),
  },
  {
    from: 'Anthropic',
    status: 400,
    kind: 'other',
    body: anthropic('invalid_request_error', 'messages: text content blocks must be non-empty'),
  },
  {
    from: 'Anthropic',
    status: 413,
    kind: 'other',
    overflow: true,
    body: anthropic('request_too_large', 'Request exceeds the maximum size'),
  },
  { from: 'Anthropic', status: 404, kind: 'no_provider', body: anthropic('not_found_error', 'model: claude-opus-9') },
  { from: 'Anthropic', status: 529, kind: 'server_error', body: anthropic('overloaded_error', 'Overloaded') },
  { from: 'Anthropic', status: 500, kind: 'server_error', body: anthropic('api_error', 'Internal server error') },
  { from: 'Anthropic', status: 504, kind: 'timeout', body: anthropic('timeout_error', 'Request timed out') },

  {
    from: 'Azure',
    status: 401,
    kind: 'auth',
    body: { error: { code: '401', message: 'Access denied due to invalid subscription key or wrong API endpoint.' } },
  },
  {
    from: 'Azure',
    status: 404,
    kind: 'no_provider',
    body: { error: { code: 'DeploymentNotFound', message: 'The API deployment for this resource does not exist.' } },
  },
  {
    from: 'Azure',
    status: 429,
    kind: 'rate_limit',
    body: {
      error: {
        code: 'RateLimitReached',
        message: 'Requests to the ChatCompletions_Create Operation have exceeded call rate limit.',
      },
    },
  },
  {
    from: 'Azure',
    status: 400,
    kind: 'bad_output',
    body: {
      error: {
        code: 'content_filter',
        message: 'The response was filtered',
        innererror: { code: 'ResponsibleAIPolicyViolation' },
      },
    },
  },

  {
    from: 'Bedrock',
    status: 400,
    kind: 'rate_limit',
    headers: { 'x-amzn-errortype': 'ThrottlingException:http://internal.example/' },
    body: { message: 'Too many tokens, please wait before trying again.' },
  },
  {
    from: 'Bedrock',
    status: 400,
    kind: 'other',
    overflow: true,
    headers: { 'x-amzn-errortype': 'ValidationException' },
    body: { message: 'Input is too long for requested model.' },
  },
  {
    from: 'Bedrock',
    status: 403,
    kind: 'auth',
    body: {
      __type: 'com.amazon.coral.service#AccessDeniedException',
      Message: 'User is not authorized to perform: bedrock:InvokeModel',
    },
  },
  {
    from: 'Bedrock',
    status: 403,
    kind: 'auth',
    body: { __type: 'ExpiredTokenException', message: 'The security token included in the request is expired' },
  },
  { from: 'Bedrock', status: 400, kind: 'no_provider', body: { message: 'The provided model identifier is invalid.' } },
  {
    from: 'Bedrock',
    status: 408,
    kind: 'timeout',
    body: { __type: 'ModelTimeoutException', message: 'Model has timed out in processing the request.' },
  },
  {
    from: 'Bedrock',
    status: 429,
    kind: 'server_error',
    body: { __type: 'ModelNotReadyException', message: 'Model is not ready for inference.' },
  },

  {
    from: 'Gemini',
    status: 400,
    kind: 'auth',
    body: google(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', [
      { '@type': 'type.example/ErrorInfo', reason: 'API_KEY_INVALID' },
    ]),
  },
  {
    from: 'Gemini',
    status: 429,
    kind: 'rate_limit',
    body: [
      google(
        429,
        'RESOURCE_EXHAUSTED',
        'You exceeded your current quota, please check your plan and billing details. Please retry in 34s.',
      ),
    ],
  },
  {
    from: 'Gemini',
    status: 429,
    kind: 'quota',
    body: google(429, 'RESOURCE_EXHAUSTED', 'Your prepayment credits are depleted.'),
  },
  {
    from: 'Gemini',
    status: 400,
    kind: 'other',
    overflow: 1_048_576,
    body: google(
      400,
      'INVALID_ARGUMENT',
      'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
    ),
  },
  {
    from: 'Gemini',
    status: 404,
    kind: 'no_provider',
    body: google(404, 'NOT_FOUND', 'models/gemini-99 is not found for API version v1beta'),
  },
  {
    from: 'Gemini',
    status: 503,
    kind: 'server_error',
    body: google(503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.'),
  },
  {
    from: 'Gemini',
    status: 504,
    kind: 'timeout',
    body: google(504, 'DEADLINE_EXCEEDED', 'Deadline expired before operation could complete.'),
  },

  {
    from: 'OpenRouter',
    status: 402,
    kind: 'quota',
    body: { error: { code: 402, message: 'This request requires more credits, or fewer max_tokens.' } },
  },
  {
    from: 'OpenRouter',
    status: 403,
    kind: 'quota',
    body: { error: { code: 403, message: 'Key limit exceeded (total limit).' } },
  },
  {
    from: 'OpenRouter',
    status: 401,
    kind: 'auth',
    body: { error: { code: 401, message: 'No auth credentials found' } },
  },
  {
    from: 'OpenRouter',
    status: 400,
    kind: 'no_provider',
    body: { error: { code: 400, message: 'acme/none is not a valid model ID' } },
  },
  {
    from: 'OpenRouter',
    status: 400,
    kind: 'other',
    overflow: 131_072,
    body: {
      error: {
        code: 400,
        message: 'Provider returned error',
        metadata: {
          raw: '{"error":{"message":"This endpoint\'s maximum context length is 131072 tokens."}}',
          provider_name: 'X',
        },
      },
    },
  },
  {
    from: 'OpenRouter',
    status: 502,
    kind: 'server_error',
    body: { error: { code: 502, message: 'Provider returned error' } },
  },

  { from: 'Mistral', status: 401, kind: 'auth', body: { detail: 'Unauthorized' } },
  {
    from: 'Mistral',
    status: 400,
    kind: 'other',
    overflow: 32_768,
    body: {
      object: 'error',
      message: 'Prompt contains 40000 tokens, too large for model with 32768 maximum context length',
      type: 'invalid_request_prompt',
      code: '3051',
    },
  },
  {
    from: 'Mistral',
    status: 429,
    kind: 'rate_limit',
    body: { object: 'error', message: 'Rate limit exceeded', type: 'rate_limited', code: '1300' },
  },
  {
    from: 'Mistral',
    status: 422,
    kind: 'other',
    body: { detail: [{ type: 'extra_forbidden', loc: ['body', 'x'], msg: 'Extra inputs are not permitted' }] },
  },

  {
    from: 'DeepSeek',
    status: 402,
    kind: 'quota',
    body: openai('Insufficient Balance', 'unknown_error', 'invalid_request_error'),
  },
  {
    from: 'DashScope',
    status: 401,
    kind: 'auth',
    body: { code: 'InvalidApiKey', message: 'Invalid API-key provided.', request_id: 'x' },
  },
  {
    from: 'DashScope',
    status: 400,
    kind: 'quota',
    body: { code: 'Arrearage', message: 'Access denied, please make sure your account is in good standing.' },
  },
  {
    from: 'DashScope',
    status: 403,
    kind: 'quota',
    body: { code: 'AllocationQuota.FreeTierOnly', message: 'The free tier of the model has been exhausted.' },
  },
  {
    from: 'DashScope',
    status: 429,
    kind: 'rate_limit',
    body: { code: 'Throttling.RateQuota', message: 'Requests rate limit exceeded, please try again later.' },
  },
  {
    from: 'DashScope',
    status: 400,
    kind: 'other',
    overflow: 98_304,
    body: { code: 'InvalidParameter', message: 'Range of input length should be [1, 98304]' },
  },
  {
    from: 'DashScope',
    status: 400,
    kind: 'bad_output',
    body: { code: 'DataInspectionFailed', message: 'Input data may contain inappropriate content.' },
  },
  {
    from: 'Kimi',
    status: 429,
    kind: 'quota',
    body: openai(
      'Your account is suspended, please check your plan and billing details',
      'exceeded_current_quota_error',
    ),
  },
  {
    from: 'Kimi',
    status: 429,
    kind: 'server_error',
    body: openai('The engine is currently overloaded, please try again later', 'engine_overloaded_error'),
  },
  {
    from: 'Kimi',
    status: 400,
    kind: 'other',
    overflow: 131_072,
    body: openai('Invalid request: Your request exceeded model token limit: 131072', 'invalid_request_error'),
  },
  {
    from: 'Z.AI',
    status: 429,
    kind: 'quota',
    body: { error: { code: '1113', message: '余额不足或无可用资源包,请充值。' } },
  },
  {
    from: 'Z.AI',
    status: 429,
    kind: 'rate_limit',
    body: { error: { code: '1302', message: '您当前使用该API的并发数过高' } },
  },
  {
    from: 'Z.AI',
    status: 400,
    kind: 'other',
    overflow: true,
    body: { error: { code: '1210', message: 'tokens in request more than max tokens allowed' } },
  },

  {
    from: 'vLLM',
    status: 400,
    kind: 'other',
    overflow: 8_192,
    body: {
      object: 'error',
      message: "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens.",
      type: 'BadRequestError',
      code: 400,
    },
  },
  {
    from: 'vLLM',
    status: 404,
    kind: 'no_provider',
    body: { object: 'error', message: 'The model `llama` does not exist.', type: 'NotFoundError', code: 404 },
  },
  {
    from: 'llama.cpp',
    status: 500,
    kind: 'other',
    overflow: true,
    body: {
      error: {
        code: 500,
        message: 'the request exceeds the available context size, try increasing it',
        type: 'exceed_context_size_error',
      },
    },
  },
  {
    from: 'Ollama',
    status: 404,
    kind: 'no_provider',
    body: openai('model "llama9" not found, try pulling it first', 'api_error'),
  },
  {
    from: 'LM Studio',
    status: 400,
    kind: 'other',
    overflow: 4_096,
    body: {
      error:
        'Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens.',
    },
  },
  {
    from: 'LM Studio',
    status: 400,
    kind: 'no_provider',
    body: { error: { message: 'No models loaded. Please load a model in the developer page.' } },
  },
  {
    from: 'xAI',
    status: 429,
    kind: 'quota',
    body: {
      code: 'Some resource has been exhausted',
      error: 'Your team has either used all available credits or reached its monthly spending limit.',
    },
  },
  {
    from: 'Groq',
    status: 413,
    kind: 'other',
    overflow: true,
    body: openai(
      'Request too large for model `llama` on tokens per minute (TPM): Limit 6000, Requested 12000',
      'tokens',
      'rate_limit_exceeded',
    ),
  },
  {
    from: 'Hugging Face',
    status: 402,
    kind: 'quota',
    body: { error: 'You have exceeded your monthly included credits for Inference Providers.' },
  },
  {
    from: 'a router',
    status: 502,
    kind: 'server_error',
    body: '<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>',
  },
  { from: 'a router', status: 524, kind: 'timeout', body: '<!DOCTYPE html><title>524: A timeout occurred</title>' },
  { from: 'a company network', status: 407, kind: 'network', body: '' },
  { from: 'a wrong base URL', status: 404, kind: 'no_provider', body: '404 page not found' },
  { from: 'a wrong base URL', status: 405, kind: 'no_provider', body: { detail: 'Method Not Allowed' } },
  { from: 'somebody', status: 418, kind: 'other', body: {} },
];
