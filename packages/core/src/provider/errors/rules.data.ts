/**
 * What failures of providers mean, as a table; the first rule that fits wins, so what is special stands above what is
 * general. Sources: the error references of OpenAI, Anthropic, Azure, Amazon Bedrock, Google, OpenRouter, Mistral, DeepSeek,
 * DashScope, Moonshot, Z.AI, MiniMax, xAI and Groq, the sources of vLLM, SGLang, llama.cpp, Ollama and LM Studio, the codes
 * of Node's sockets and of undici, and the reports that `test/provider/fixtures/errors/` names case by case.
 *
 * A refused request (400) is read in this order: images, encrypted or signed reasoning, unknown members and other mistakes
 * that quote names (their text holds "max_tokens"), output, prompt, model and policy, money, rates and keys, prompts in words
 * that are said of rates as well, mistakes in general words, the bare name of max_tokens, and then what says nothing, by the size of the session.
 */
import { type FailureRule, notTooLong, refused, words } from './rule.ts';
import { quotingShapeRules, shapeRules } from './shapes.data.ts';

/** Words that are said of nothing else. Servers of one's own and routers send some of these with a 5xx. */
const tooLong: readonly RegExp[] = [
  /context[ _-]?(?:length|window|size|limit|overflow)|maximum (?:context|prompt|model|sequence) length|maximum context|max_model_len|max_seq_len|n_ctx|slot context/i,
  /(?:prompt|input|query)(?: tokens)?(?: is|:|内容)? ?too long|input length .{0,60}exceed|too many input tokens|reduce the length|maximum allowed input length|input tokens? exceed/i,
  /exceeds? the maximum number of (?:input )?tokens|more than max tokens allowed|exceeds? (?:the )?max(?:imum)? (?:prompt )?length|max length exceeded|prompt token count|exceeds the length limit|\bprompt length\b|messages resulted in \d|max message tokens/i,
  /range of input length|tokens.{0,40}must (?:be <=|have less than)|must have less than \d+ tokens|truncating input|max_tokens must be at least 1, got -|input token\(s\)|length of prompt_tokens/i,
  // Gemini and Vertex; what else is "up to" so many has its name behind the number.
  /(?:tokens?|model|input|prompt).{0,80}supports? up to (?:a maximum of )?\d[\d,]{3,}(?![\d,]| ?(?:output|completion|images?|files?|videos?|functions?|tools?|requests?))/i,
  // Bedrock counts characters; with many digits it is a text and not a name.
  /expected maxlength: \d{5,}, actual|string should have at most \d{5,} characters|max(?:imum)? input characters/i,
  /超(?:过|出)(?:了)?(?:模型)?(?:的)?最大(?:长度|上下文|输入|token|\s?token)|上下文(?:长度|窗口|超)|超长|超(?:过|出)(?:了)?模型(?:的)?(?:token)?(?:限制|最大)|(?:输入|提示词|内容)过长|超出.{0,10}长度限制/i,
  /(?:输入|提示词?|上下文|对话|历史|文本|内容|消息|请求|prompt).{0,10}(?:长度|tokens?|字数|字符数?).{0,20}(?:超过|超出|超限|过长|过大|太长|过多|达到上限)/i,
  /(?:输入|提示词?|上下文|对话|历史|文本|消息|prompt).{0,6}(?:过长|太长|超限)/i,
];

/** Words that limits of a minute are said in as well: tried after money and rates. */
const vaguelyTooLong =
  /token limit|too many tokens|exceeds the limit|(?<!_)tokens?\b.{0,20} exceeds? (?:the )?(?:model )?(?:maximum|max|limit)|max length of current question|tokens?(?:数量?|总数|长度)?.{0,6}(?:超过|超出|超限|过多)|超过.{0,8}tokens?.{0,4}(?:限制|上限)/i;

/** `max_tokens` in the names it has: of OpenAI, Gemini, Amazon's models, Meta, Cohere, MiniMax. */
const maxTokensName =
  '(?:max(?:imum)?[_ ]?(?:completion_?|output_?|new_?)?tokens?(?:_to_sample|count)?|max_gen_len|tokens_to_generate)';
const quote = '[\'"`]?';

/** What is said of it, after its name. Sums of prompt and output have the window in them, and are no such words. */
const afterTheName: readonly string[] = [
  String.raw`(?: value)?.{0,50}(?:too (?:large|high|big)|valid range|limited to|must be (?:less than|at most|<=|in the range)|cannot exceed|\d > \d)`,
  ".{0,40}(?:is not less or equal to|input should be less than|exceed(?:s|ed)? (?:the )?(?:model'?s? |output |maximum |max )*(?:limit|allowed|value|output|tokens|context limit|\\d))",
  '.{0,24}(?:超出|超过|超限|过大|非法|不合法|不能大于|不能超过|必须小于|应小于|取值|范围)',
];

/** Whole sentences. */
const sentences: readonly string[] = [
  String.raw`range of max_(?:completion_|output_)?tokens|supports at most \d+ (?:completion|output) tokens`,
  'maximum allowed (?:number of )?output tokens|maximum tokens you requested exceeds|maxOutputTokens value of',
  String.raw`= available_tokens: \d|supports up to \d[\d,]* (?:output|completion) tokens`,
  `(?:invalid|illegal) (?:value )?(?:for )?${quote}max_(?:completion_|output_)?tokens`,
  // The output in Chinese, where the input is not in the same sentence.
  '^(?!.*(?:输入|上下文|总)).*(?:最大)?输出.{0,12}(?:超出|超过|超限|过长|过大)',
];

const tooMuchOutput: readonly RegExp[] = [
  ...afterTheName.map((words) => new RegExp(`${maxTokensName}${quote}${words}`, 'i')),
  ...sentences.map((words) => new RegExp(words, 'im')),
  /max_(?:completion_|output_)?tokens.{0,200}expected a value <=|expected a value <=.{0,200}max_(?:completion_|output_)?tokens/is,
];

const brokenConnection = words(
  'econnreset econnaborted epipe und_err_socket und_err_aborted err_stream_premature_close',
);
const brokenWords =
  /^terminated$|socket hang up|other side closed|premature close|connection (?:was )?(?:closed|reset|lost)/im;

const serverCodes = words(
  'server_error api_error internal internal_error internal_server_error internalservererror unavailable ' +
    'internalserverexception modelerrorexception modelstreamerrorexception service_unavailable bad_gateway 1234',
);

/** All rules in the order in which they are tried. */
export const failureRules: readonly FailureRule[] = [
  // Calls that were never made, and requests that are refused for what is in them: images and reasoning. They come first, for
  // their texts hold words such as "too large" that mean something else elsewhere.
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
    text: /image exceeds \d+ ?MB|image dimensions? exceeds?|(?:number of|too many) images|(?<!tokens of )image.{0,40}(?:too large|too big|exceeds? (?:the )?(?:max|size|dimension|limit))/i,
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

  ...quotingShapeRules,

  // Too much output for the model, or for what the prompt leaves. Sizes in the message may still say otherwise.
  { reason: 'output_limit', not: notTooLong, text: tooMuchOutput },

  // An account that takes shorter prompts than its model; some call it a rate limit, but no waiting makes it smaller.
  { reason: 'long_context_tier', text: /extra usage.{0,40}long context/i, contextLength: 200_000 },
  { reason: 'long_context_tier', text: /request too large for/i, status: [0, 400, 413, 429] },
  {
    reason: 'context_overflow',
    codes: words(
      'context_length_exceeded context_window_exceeded model_context_window_exceeded max_tokens_exceeded 3051 1261 ' +
        'string_above_max_length prompt_too_long exceed_context_size_error tokens_limit_reached context_exceeded ' +
        'model_max_prompt_tokens_exceeded max_tokens_per_request token_limit_exceeded characters_too_long ' +
        'content_length_exceeds_threshold outofcontexterror 336103',
    ),
  },
  { reason: 'payload_too_large', codes: words('request_too_large payload_too_large request_entity_too_large') },
  // Bedrock refuses for now in the words of a prompt that is too long.
  { reason: 'rate_limit', codes: words('throttlingexception throttling') },
  { reason: 'context_overflow', not: notTooLong, text: tooLong },
  { reason: 'payload_too_large', status: [413] },
  {
    reason: 'payload_too_large',
    not: notTooLong,
    text: /(?:request|payload)(?: body| entity)? (?:is )?too large|string value length \(\d+\) exceeds|total message size \d+ exceeds|maximum request length exceeded/i,
  },

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
    text: /flagged as potentially violating|input was flagged|content management policy|敏感内容|内容涉敏/i,
  },
  {
    reason: 'model_not_found',
    codes: words('model_not_found modelnotfound deploymentnotfound resourcenotfoundexception not_found_error 1211'),
  },
  {
    reason: 'model_not_found',
    text: /^(?:invalid|unknown) model\b|model.{0,120}(?:does not exist|not found)|model identifier is invalid|not a valid model id|no models loaded|模型不存在/im,
  },
  { reason: 'model_not_found', status: [404, 405] },

  // A limit of usage that comes back by itself; the same words without a time mean money.
  { reason: 'rate_limit', status: [0, 402, 429], text: /(?:usage|plan) limit.{0,160}(?:try again|resets?\b|retry)/is },

  // No money left.
  {
    reason: 'billing',
    codes: words(
      'insufficient_quota insufficient_balance insufficient_funds billing_hard_limit_reached billing_not_active ' +
        'billing_error insufficient_balance_error insufficient_user_quota exceeded_current_quota_error arrearage allocationquota.freetieronly quota_exceeded 1113 1309',
    ),
  },
  { reason: 'billing', status: [402] },
  {
    reason: 'billing',
    text: [
      /credit balance is too low|insufficient (?:balance|credits?|funds)|prepayment credits/i,
      /key limit exceeded|spending limit|used all available credits|monthly included credits/i,
      /reached your (?:specified )?(?:api )?usage limits?|free tier of the model has been/i,
      /account (?:is |has been )?suspended.{0,80}(?:billing|balance|recharge)|余额不足|欠费/i,
    ],
  },

  { reason: 'overloaded', codes: ['model_capacity_exhausted'] },
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
    codes: words(
      'rate_limit_exceeded rate_limit_error throttlingexception throttling usage_limit_reached 1302 1303 1304 1308 1310',
    ),
  },
  {
    reason: 'overloaded',
    status: [0, 429, 503],
    text: /overloaded|over capacity|at capacity|no capacity|(?:system|tier) capacity|server (?:is )?busy|pending requests exceeded|loading model|访问量过大|负载(?:过高|已经?饱和)/i,
  },
  {
    reason: 'rate_limit',
    status: [0, 400, 429],
    text: /rate.?limit|too many requests|throttl|tokens per (?:minute|min|day)|请求(?:过于)?频繁|频率(?:超限|过高)|并发数过高|每分钟|速率限制|\b[rt]pm\b/i,
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
    text: /api key (?:not valid|expired|is invalid)|(?:incorrect|invalid) api[ _-]key|no auth credentials|login fail|身份验证失败|鉴权失败|(?:密钥|api ?key) ?(?:无效|错误|不正确)/i,
  },

  { reason: 'context_overflow', not: notTooLong, text: vaguelyTooLong },

  // Failures without a status: errors in a stream, and answers that are none. What reads them speaks as of requests.
  { reason: 'server_error', status: [0], codes: serverCodes },
  {
    reason: 'empty_answer',
    status: [0],
    names: words('AI_EmptyResponseBodyError AI_NoContentGeneratedError AI_NoOutputGeneratedError'),
  },
  {
    reason: 'broken_answer',
    status: [0],
    names: words('AI_JSONParseError AI_TypeValidationError AI_InvalidResponseDataError SyntaxError'),
  },
  { reason: 'broken_answer', status: [0], text: /invalid json response|stream ended/i },

  ...shapeRules,
  // Its name and nothing else that is known: asking for less costs nothing but this answer.
  { reason: 'output_limit', status: [400, 422, 500, 503], text: /\bmax_(?:completion_|output_|new_)?tokens\b/i },

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
  {
    reason: 'timeout',
    codes: words('deadline_exceeded modeltimeoutexception requesttimeout timeout_error timeout call_timeout'),
  },
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
  { reason: 'server_error', codes: serverCodes },
  { reason: 'format_error', status: [400, 422] },

  // A text alone, as loggers and command lines hand errors on.
  {
    reason: 'ssl_cert_verification',
    status: [0],
    text: /self[- ]signed certificate|unable to verify the first certificate/i,
  },
  { reason: 'network', status: [0], text: /connection (?:reset|refused|closed)|no such host|network is unreachable/i },
  { reason: 'timeout', status: [0], text: /\btimed? ?out\b|deadline exceeded/i },
  { reason: 'auth', status: [0], text: /^unauthorized\b/im },
  {
    reason: 'server_error',
    status: [0],
    text: /service (?:is )?(?:temporarily )?unavailable|bad gateway|internal server error/i,
  },
];
