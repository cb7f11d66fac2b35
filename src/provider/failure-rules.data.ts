/**
 * What failures of providers mean, as a table; the first rule that fits wins, so what is special stands above what is
 * general. Sources: the error references of OpenAI, Anthropic, Azure, Amazon Bedrock, Google, OpenRouter, Mistral,
 * DeepSeek, DashScope, Moonshot, Z.AI, xAI and Groq, the sources of vLLM, llama.cpp, Ollama and LM Studio, and the
 * codes of Node's sockets and of undici.
 */
import type { FailureKind } from '../compression/policy/state.ts';

/** A rule fits when everything it names fits; of a list one is enough. */
export interface FailureRule {
  readonly kind: FailureKind;
  /** The prompt is too long for the model. */
  readonly overflow?: true;
  readonly status?: readonly number[];
  /** Codes and types, in lower case. */
  readonly codes?: readonly string[];
  /** Names of errors. */
  readonly names?: readonly string[];
  /** Matched against all messages. */
  readonly text?: RegExp;
  /** Only once the answer has begun to arrive. */
  readonly phase?: 'stream';
}

const words = (text: string): readonly string[] => text.split(/\s+/);

const brokenConnection = words(
  'econnreset econnaborted epipe und_err_socket und_err_aborted err_stream_premature_close',
);

export const failureRules: readonly FailureRule[] = [
  // Nobody to ask.
  {
    kind: 'no_provider',
    names: words('AI_LoadAPIKeyError AI_LoadSettingError AI_NoSuchModelError AI_NoSuchProviderError'),
  },
  { kind: 'no_provider', names: words('AI_UnsupportedModelVersionError CredentialsProviderError TokenProviderError') },
  { kind: 'no_provider', text: /could not load (?:credentials from any providers|the default credentials)/i },

  // A parameter that the model does not take: its text often holds "max_tokens", which is no overflow.
  { kind: 'other', text: /unsupported (?:parameter|value)|unknown parameter|unrecognized request argument/i },
  { kind: 'other', text: /maximum allowed number of output tokens|supports at most \d+ completion tokens/i },

  // A request that no waiting makes smaller, although some call it a rate limit.
  { kind: 'other', overflow: true, text: /request too large for|extra usage.{0,40}long context/i },
  {
    kind: 'other',
    overflow: true,
    codes: words(
      'context_length_exceeded context_window_exceeded max_tokens_exceeded string_above_max_length prompt_too_long ' +
        'exceed_context_size_error request_too_large tokens_limit_reached model_max_prompt_tokens_exceeded 3051 1261',
    ),
  },

  // No money left.
  {
    kind: 'quota',
    codes: words(
      'insufficient_quota insufficient_balance insufficient_funds billing_hard_limit_reached billing_not_active ' +
        'billing_error exceeded_current_quota_error arrearage allocationquota.freetieronly quota_exceeded 1113',
    ),
  },
  { kind: 'quota', status: [402] },
  { kind: 'quota', text: /credit balance is too low|insufficient (?:balance|credits?|funds)|prepayment credits/i },
  { kind: 'quota', text: /key limit exceeded|spending limit|used all available credits|monthly included credits/i },
  { kind: 'quota', text: /reached your (?:specified )?(?:api )?usage limits?|free tier of the model has been/i },
  { kind: 'quota', text: /account (?:is |has been )?suspended.{0,80}(?:billing|balance|recharge)|余额不足|欠费/i },

  // Google's word for a limit per minute, whose message speaks of the quota as others do when the money is spent.
  { kind: 'rate_limit', codes: ['resource_exhausted'] },
  { kind: 'quota', text: /exceeded your current quota/i },

  // Too busy, whatever the status says.
  {
    kind: 'server_error',
    codes: words('overloaded_error engine_overloaded_error server_overloaded server_is_overloaded model_overloaded'),
  },
  { kind: 'server_error', codes: words('slow_down modelnotreadyexception serviceunavailableexception 1305') },
  {
    kind: 'rate_limit',
    codes: words(
      'rate_limit_exceeded rate_limit_error rate_limit_reached_error throttling throttlingexception ' +
        'throttling.ratequota throttling.allocationquota throttling.burstrate toomanyrequestsexception ' +
        'servicequotaexceededexception requests tokens 1302 1303',
    ),
    status: [400, 429],
  },
  { kind: 'rate_limit', codes: words('rate_limit_exceeded rate_limit_error throttlingexception throttling') },

  // The key.
  {
    kind: 'auth',
    codes: words(
      'invalid_api_key invalidapikey api_key_invalid api_key_service_blocked authentication_error ' +
        'invalid_authentication_error permission_error permission_denied unauthenticated unauthorized ' +
        'accessdeniedexception accessdenied access_denied expiredtokenexception unrecognizedclientexception ' +
        'invalidsignatureexception unsupported_country_region_territory account_deactivated 1000 1001 1002',
    ),
  },
  {
    kind: 'auth',
    text: /api key (?:not valid|expired|is invalid)|(?:incorrect|invalid) api[ _-]key|no auth credentials/i,
  },

  // The prompt is too long.
  {
    kind: 'other',
    overflow: true,
    text: /context[ _-]?(?:length|window|size|limit|overflow)|maximum (?:context|prompt length|model length)|max_model_len|n_ctx/i,
  },
  {
    kind: 'other',
    overflow: true,
    text: /(?:prompt|input)(?: is|:)? too long|input length .{0,40}exceed|too many (?:input )?tokens|reduce the length/i,
  },
  {
    kind: 'other',
    overflow: true,
    text: /token limit|exceeds? the maximum number of (?:input )?tokens|more than max tokens allowed|exceeds max length/i,
  },
  {
    kind: 'other',
    overflow: true,
    text: /range of input length|tokens.{0,40}must (?:be <=|have less than)|must have less than \d+ tokens|truncating input/i,
  },
  { kind: 'other', overflow: true, text: /超过最大长度|上下文长度|超长|输入过长/ },
  { kind: 'other', overflow: true, status: [413] },

  // The model or the address.
  {
    kind: 'no_provider',
    codes: words('model_not_found modelnotfound deploymentnotfound resourcenotfoundexception not_found_error 1211'),
  },
  {
    kind: 'no_provider',
    text: /model.{0,120}(?:does not exist|not found)|model identifier is invalid|not a valid model id|no models loaded/i,
  },
  { kind: 'no_provider', status: [404, 405] },

  // What the provider will not read or write.
  {
    kind: 'bad_output',
    codes: words(
      'content_filter content_policy_violation responsibleaipolicyviolation datainspectionfailed ' +
        'data_inspection_failed invalid_prompt prohibited_content 1301',
    ),
  },

  // The way there.
  {
    kind: 'timeout',
    codes: words('etimedout esockettimedout und_err_connect_timeout und_err_headers_timeout und_err_body_timeout'),
  },
  { kind: 'timeout', codes: words('deadline_exceeded modeltimeoutexception requesttimeout timeout_error timeout') },
  { kind: 'timeout', names: ['TimeoutError'] },
  { kind: 'bad_output', codes: brokenConnection, phase: 'stream' },
  {
    kind: 'bad_output',
    text: /^terminated$|socket hang up|other side closed|premature close|connection (?:was )?(?:closed|reset|lost)/im,
    phase: 'stream',
  },
  {
    kind: 'network',
    codes: [
      ...brokenConnection,
      ...words('econnrefused enotfound eai_again ehostunreach enetunreach ehostdown enetdown eprotonosupport'),
      ...words('cert_has_expired depth_zero_self_signed_cert self_signed_cert_in_chain err_tls_cert_altname_invalid'),
      ...words('unable_to_verify_leaf_signature unable_to_get_issuer_cert_locally err_ssl_wrong_version_number'),
    ],
  },
  { kind: 'network', text: /^fetch failed$|socket hang up|other side closed|cannot connect to api|getaddrinfo/im },
  { kind: 'network', status: [407, 525, 526] },

  // The status alone.
  { kind: 'auth', status: [401, 403] },
  { kind: 'timeout', status: [408, 504, 522, 524] },
  { kind: 'rate_limit', status: [429] },
  { kind: 'server_error', status: words('500 501 502 503 505 507 508 509 520 521 523 529 530').map(Number) },
  {
    kind: 'server_error',
    codes: words(
      'server_error api_error internal internal_error internal_server_error internalservererror unavailable ' +
        'internalserverexception modelerrorexception modelstreamerrorexception service_unavailable bad_gateway 1234',
    ),
  },

  // An answer that is none.
  {
    kind: 'empty_output',
    names: words('AI_EmptyResponseBodyError AI_NoContentGeneratedError AI_NoOutputGeneratedError'),
  },
  {
    kind: 'bad_output',
    names: words('AI_JSONParseError AI_TypeValidationError AI_InvalidResponseDataError SyntaxError'),
  },
  { kind: 'bad_output', text: /invalid json response|stream ended/i },
];
