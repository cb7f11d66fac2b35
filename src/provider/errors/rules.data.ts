/**
 * What failures of providers mean, as a table; the first rule that fits wins, so what is special stands above what is
 * general. Sources: the error references of OpenAI, Anthropic, Azure, Amazon Bedrock, Google, OpenRouter, Mistral, DeepSeek,
 * DashScope, Moonshot, Z.AI, MiniMax, xAI and Groq, the sources of vLLM, SGLang, llama.cpp, Ollama and LM Studio, the codes
 * of Node's sockets and of undici, and the reports that `test/provider/fixtures/errors/` names case by case.
 *
 * A refused request (400) is read in this order: images, encrypted or signed reasoning, unknown parameters (their text holds
 * "max_tokens"), output, prompt, policy and model, money and rates, and then what says nothing, by the size of the session.
 */
import type { FailureKind } from '../../compression/policy/state.ts';
import type { FailureReason } from './reasons.data.ts';

/** A session is large when it fills more than this share of its window, or is large in a window of usual size. */
export interface LargeSession {
  readonly share: number;
  /** These count in windows of at most `usualWindow` tokens. */
  readonly tokens: number;
  readonly messages: number;
}

/** The largest window in which tokens and messages alone make a session large. */
export const usualWindow = 256_000;

/** A rule fits when everything it names fits; of a list one is enough. */
export interface FailureRule {
  readonly reason: FailureReason;
  /** What it means for a summary, where that is not what the reason means. */
  readonly kind?: FailureKind;
  /** 0 stands for none. */
  readonly status?: readonly number[];
  /** Statuses that it does not fit. */
  readonly not?: readonly number[];
  /** Codes and types, in lower case. */
  readonly codes?: readonly string[];
  /** Names of errors. */
  readonly names?: readonly string[];
  /** Matched against all messages. */
  readonly text?: RegExp;
  /** Only once the answer has begun to arrive (`stream`), or only before. */
  readonly phase?: 'request' | 'stream';
  /** Only when the provider said next to nothing. */
  readonly silent?: true;
  /** Only in a session of this size. */
  readonly large?: LargeSession;
  /** Not for models that reason: they are silent for so long that connections close. */
  readonly unlessReasoning?: true;
  /** The window to reckon with when the message names none. */
  readonly contextLength?: number;
}

const words = (text: string): readonly string[] => text.split(/\s+/);

/** Statuses of a request that was read and refused. */
const refused = [0, 400, 422];
/** Statuses that say something else than "too long", whatever the words. */
const notTooLong = [401, 402, 403, 404, 405, 429];

const brokenConnection = words(
  'econnreset econnaborted epipe und_err_socket und_err_aborted err_stream_premature_close',
);
const brokenWords =
  /^terminated$|socket hang up|other side closed|premature close|connection (?:was )?(?:closed|reset|lost)/im;

export const failureRules: readonly FailureRule[] = [
  // Nobody to ask, or nobody who still wants the answer.
  {
    reason: 'auth_permanent',
    kind: 'no_provider',
    names: words('AI_LoadAPIKeyError AI_LoadSettingError CredentialsProviderError TokenProviderError'),
  },
  {
    reason: 'auth_permanent',
    kind: 'no_provider',
    text: /could not load (?:credentials from any providers|the default credentials)/i,
  },
  {
    reason: 'model_not_found',
    names: words('AI_NoSuchModelError AI_NoSuchProviderError AI_UnsupportedModelVersionError'),
  },
  { reason: 'timeout', names: words('TimeoutError APIConnectionTimeoutError') },
  { reason: 'cancelled', names: words('AbortError APIUserAbortError ResponseAborted'), status: [0] },
  { reason: 'cancelled', text: /^request was aborted/im, status: [0] },

  // Images.
  {
    reason: 'multimodal_tool_content_unsupported',
    status: refused,
    text: /`?text`? is not (?:set|present)|is not a multimodal model|images? .{0,40}not (?:supported|allowed) in tool|tool (?:message|result|content).{0,60}(?:must be|should be|only supports?|expects?) (?:a |only )?(?:string|text)/i,
  },
  {
    reason: 'image_too_large',
    status: [...refused, 413],
    text: /image exceeds \d+ ?MB|image dimensions? exceeds?|image.{0,40}(?:too large|too big|exceeds? (?:the )?(?:max|size|dimension|limit))/i,
  },
  {
    reason: 'image_corrupt',
    status: refused,
    codes: words('invalid_image_format image_parse_error invalid_image invalid_base64_image'),
  },
  {
    reason: 'image_corrupt',
    status: refused,
    text: /could not process image|unable to process input image|does not represent a valid image|provided image is not valid|an unsupported image|图片(?:输入)?(?:格式|解析)/i,
  },

  // Reasoning that was encrypted or signed, or that must not be missing.
  { reason: 'invalid_encrypted_content', codes: ['invalid_encrypted_content'] },
  { reason: 'invalid_encrypted_content', text: /encrypted content.{0,300}could not be (?:verified|decrypted)/is },
  {
    reason: 'thinking_signature',
    status: refused,
    text: /invalid `?signature`? in `?thinking|thinking`? blocks?.{0,80}cannot be modified|expected `?thinking`? or `?redacted_thinking|thought[_ ]signature/i,
  },
  {
    reason: 'reasoning_mandatory',
    text: /reasoning is mandatory|thinking (?:cannot|can not) be (?:disabled|turned off)/i,
  },
  {
    reason: 'llama_cpp_grammar_pattern',
    text: /failed to (?:parse|initialize) grammar|error parsing grammar|json schema conversion failed|pattern must start with '\^'/i,
  },
  { reason: 'oauth_long_context_beta_forbidden', text: /long context beta is not (?:yet )?available/i },

  // A request of a form that is not taken: parameters, bodies, templates. Fewer messages would not mend it.
  {
    reason: 'format_error',
    status: [0, 400, 404, 422],
    text: /unsupported (?:parameter|value)|unknown parameter|unrecognized request argument|extra inputs are not permitted/i,
  },
  {
    reason: 'format_error',
    codes: words('invalid_request_body unsupported_parameter unsupported_value unknown_parameter'),
  },
  {
    reason: 'format_error',
    status: [0, 400, 422, 500],
    text: /must be non-empty|non-empty content|must have non-empty|no user query|roles must alternate|jinja exception|error rendering (?:prompt )?.{0,20}template|system message must be at the beginning/i,
  },
  {
    reason: 'format_error',
    status: refused,
    text: /tool_use` ids? (?:were|was) found without|unexpected `tool_use_id`|must be followed by tool messages|must be a response to a prece[e]?ding message with|did not have response messages/i,
  },

  // Too much output for the model, or for what the prompt leaves. Sizes in the message may still say otherwise.
  {
    reason: 'output_limit',
    not: notTooLong,
    text: /max(?:imum)?_?(?:completion_|output_|new_)?tokens['`"]?(?: value)?.{0,50}(?:too large|valid range|参数非法|limited to|must be (?:less than or equal|at most|<=)|cannot exceed|\d > \d)/i,
  },
  {
    reason: 'output_limit',
    not: notTooLong,
    text: /range of max_(?:completion_|output_)?tokens|supports at most \d+ (?:completion|output) tokens|maximum allowed (?:number of )?output tokens|maximum tokens you requested exceeds|maxOutputTokens value of/i,
  },
  {
    reason: 'output_limit',
    not: notTooLong,
    text: /max_(?:completion_|output_)?tokens.{0,200}expected a value <=|expected a value <=.{0,200}max_(?:completion_|output_)?tokens|input length and `?max_tokens`? exceed/is,
  },

  // An account that takes shorter prompts than its model; some call it a rate limit, but no waiting makes it smaller.
  { reason: 'long_context_tier', text: /extra usage.{0,40}long context/i, contextLength: 200_000 },
  { reason: 'long_context_tier', text: /request too large for/i, status: [0, 400, 413, 429] },

  // Too long, by a code.
  {
    reason: 'context_overflow',
    codes: words(
      'context_length_exceeded context_window_exceeded model_context_window_exceeded max_tokens_exceeded 3051 1261 ' +
        'string_above_max_length prompt_too_long exceed_context_size_error tokens_limit_reached ' +
        'model_max_prompt_tokens_exceeded',
    ),
  },
  { reason: 'payload_too_large', codes: words('request_too_large payload_too_large request_entity_too_large') },

  // No money left.
  {
    reason: 'billing',
    codes: words(
      'insufficient_quota insufficient_balance insufficient_funds billing_hard_limit_reached billing_not_active ' +
        'billing_error exceeded_current_quota_error arrearage allocationquota.freetieronly quota_exceeded 1113 1309',
    ),
  },
  { reason: 'billing', status: [402] },
  { reason: 'billing', text: /credit balance is too low|insufficient (?:balance|credits?|funds)|prepayment credits/i },
  { reason: 'billing', text: /key limit exceeded|spending limit|used all available credits|monthly included credits/i },
  { reason: 'billing', text: /reached your (?:specified )?(?:api )?usage limits?|free tier of the model has been/i },
  { reason: 'billing', text: /account (?:is |has been )?suspended.{0,80}(?:billing|balance|recharge)|余额不足|欠费/i },

  // Google's word for a limit per minute, whose message speaks of the quota as others do when the money is spent.
  { reason: 'rate_limit', codes: ['resource_exhausted'] },
  { reason: 'billing', text: /exceeded your current quota/i },

  // Too busy, whatever the status says.
  {
    reason: 'overloaded',
    codes: words('overloaded_error engine_overloaded_error server_overloaded server_is_overloaded model_overloaded'),
  },
  { reason: 'overloaded', codes: words('slow_down modelnotreadyexception serviceunavailableexception 1305 1312') },
  {
    reason: 'upstream_rate_limit',
    status: [0, 429],
    text: /rate.?limited upstream|error from provider.{0,60}too many requests/i,
  },
  {
    reason: 'rate_limit',
    codes: words(
      'rate_limit_exceeded rate_limit_error rate_limit_reached_error throttling throttlingexception ' +
        'throttling.ratequota throttling.allocationquota throttling.burstrate toomanyrequestsexception ' +
        'servicequotaexceededexception requests tokens 1302 1303',
    ),
    status: [400, 429],
  },
  {
    reason: 'rate_limit',
    codes: words('rate_limit_exceeded rate_limit_error throttlingexception throttling 1302 1303 1304 1308 1310'),
  },
  {
    reason: 'overloaded',
    status: [0, 429, 503],
    text: /overloaded|over capacity|at capacity|访问量过大|负载(?:过高|已经?饱和)/i,
  },
  {
    reason: 'rate_limit',
    status: [0, 429],
    text: /rate.?limit|too many requests|throttl|tokens per (?:minute|min|day)|请求(?:过于)?频繁|频率(?:超限|过高)|并发数过高/i,
  },

  // The key.
  {
    reason: 'auth_permanent',
    codes: words(
      'permission_error permission_denied accessdeniedexception accessdenied access_denied account_deactivated',
    ),
  },
  { reason: 'auth_permanent', codes: words('unsupported_country_region_territory api_key_service_blocked 1220 1311') },
  {
    reason: 'auth',
    codes: words(
      'invalid_api_key invalidapikey api_key_invalid authentication_error invalid_authentication_error unauthenticated ' +
        'unauthorized expiredtokenexception unrecognizedclientexception invalidsignatureexception 1000 1001 1002 1003 1004',
    ),
  },
  {
    reason: 'auth',
    text: /api key (?:not valid|expired|is invalid)|(?:incorrect|invalid) api[ _-]key|no auth credentials/i,
  },

  // Too long, by its words. Servers of one's own and routers send some of these with a 5xx.
  {
    reason: 'context_overflow',
    not: notTooLong,
    text: /context[ _-]?(?:length|window|size|limit|overflow)|maximum (?:context|prompt|model|sequence) length|maximum context|max_model_len|max_seq_len|n_ctx|slot context/i,
  },
  {
    reason: 'context_overflow',
    not: notTooLong,
    text: /(?:prompt|input|query)(?: is|:|内容)? ?too long|input length .{0,60}exceed|too many (?:input )?tokens|reduce the length|maximum allowed input length|input tokens? exceed/i,
  },
  {
    reason: 'context_overflow',
    not: notTooLong,
    text: /token limit|exceeds? the maximum number of (?:input )?tokens|more than max tokens allowed|exceeds? (?:the )?max(?:imum)? (?:prompt )?length|max length exceeded|prompt token count|exceeds the limit of \d/i,
  },
  {
    reason: 'context_overflow',
    not: notTooLong,
    text: /range of input length|tokens.{0,40}must (?:be <=|have less than)|must have less than \d+ tokens|truncating input|max_tokens must be at least 1, got -|input token\(s\)|length of prompt_tokens/i,
  },
  {
    reason: 'context_overflow',
    not: notTooLong,
    text: /超(?:过|出)(?:了)?(?:模型)?(?:的)?最大(?:长度|上下文|输入|token|\s?token)|上下文(?:长度|窗口|超)|超长|(?:输入|提示词|内容)过长|超出.{0,10}长度限制/i,
  },
  { reason: 'payload_too_large', status: [413] },
  { reason: 'payload_too_large', not: notTooLong, text: /(?:request|payload)(?: body| entity)? (?:is )?too large/i },

  // Policy, the model or the address.
  {
    reason: 'provider_policy_blocked',
    text: /no endpoints (?:found|available) matching your (?:data policy|guardrail)|all providers have been ignored/i,
  },
  {
    reason: 'content_policy_blocked',
    codes: words(
      'content_filter content_policy_violation responsibleaipolicyviolation datainspectionfailed ' +
        'data_inspection_failed invalid_prompt prohibited_content 1301',
    ),
  },
  {
    reason: 'content_policy_blocked',
    status: [0, 400, 403],
    text: /flagged as potentially violating|content management policy|敏感内容|内容涉敏/i,
  },
  {
    reason: 'model_not_found',
    codes: words('model_not_found modelnotfound deploymentnotfound resourcenotfoundexception not_found_error 1211'),
  },
  {
    reason: 'model_not_found',
    text: /model.{0,120}(?:does not exist|not found)|model identifier is invalid|not a valid model id|no models loaded|模型不存在/i,
  },
  { reason: 'model_not_found', status: [404, 405] },

  // A refusal that says nothing, and a connection that closed without a word: what is too long often ends like that.
  {
    reason: 'context_overflow',
    status: [400],
    silent: true,
    large: { share: 0.4, tokens: 80_000, messages: 80 },
  },
  { reason: 'timeout', codes: ['eproto'] },
  { reason: 'timeout', status: [0], text: /\bssl(?:v3)? alert|\btlsv1 alert|bad record mac|ssl routines/i },
  ...[{ codes: brokenConnection }, { text: brokenWords }].map(
    (how): FailureRule => ({
      ...how,
      reason: 'context_overflow',
      status: [0],
      phase: 'request',
      unlessReasoning: true,
      large: { share: 0.6, tokens: 120_000, messages: 200 },
    }),
  ),

  // The way there.
  {
    reason: 'timeout',
    codes: words('etimedout esockettimedout und_err_connect_timeout und_err_headers_timeout und_err_body_timeout'),
  },
  { reason: 'timeout', codes: words('deadline_exceeded modeltimeoutexception requesttimeout timeout_error timeout') },
  { reason: 'timeout', status: [0], text: /^request timed out/im },
  { reason: 'broken_answer', codes: brokenConnection, phase: 'stream' },
  { reason: 'broken_answer', text: brokenWords, phase: 'stream' },
  {
    reason: 'ssl_cert_verification',
    codes: [
      ...words('cert_has_expired depth_zero_self_signed_cert self_signed_cert_in_chain err_tls_cert_altname_invalid'),
      ...words('unable_to_verify_leaf_signature unable_to_get_issuer_cert_locally cert_untrusted cert_not_yet_valid'),
    ],
  },
  {
    reason: 'network',
    codes: [
      ...brokenConnection,
      ...words('econnrefused enotfound eai_again ehostunreach enetunreach ehostdown enetdown eprotonosupport'),
      'err_ssl_wrong_version_number',
    ],
  },
  {
    reason: 'network',
    text: /^fetch failed$|^connection error\.?$|socket hang up|other side closed|cannot connect to api|getaddrinfo/im,
  },
  { reason: 'network', status: [407] },
  { reason: 'ssl_cert_verification', status: [525, 526] },

  // The status alone.
  { reason: 'auth', status: [401] },
  { reason: 'auth_permanent', status: [403] },
  { reason: 'timeout', status: [408, 504, 522, 524] },
  { reason: 'rate_limit', status: [429] },
  { reason: 'overloaded', status: [529] },
  { reason: 'server_error', status: words('500 501 502 503 505 507 508 509 520 521 523 530').map(Number) },
  {
    reason: 'server_error',
    codes: words(
      'server_error api_error internal internal_error internal_server_error internalservererror unavailable ' +
        'internalserverexception modelerrorexception modelstreamerrorexception service_unavailable bad_gateway 1234',
    ),
  },
  { reason: 'format_error', status: [400, 422] },

  // An answer that is none.
  {
    reason: 'empty_answer',
    names: words('AI_EmptyResponseBodyError AI_NoContentGeneratedError AI_NoOutputGeneratedError'),
  },
  {
    reason: 'broken_answer',
    names: words('AI_JSONParseError AI_TypeValidationError AI_InvalidResponseDataError SyntaxError'),
  },
  { reason: 'broken_answer', text: /invalid json response|stream ended/i },
];
