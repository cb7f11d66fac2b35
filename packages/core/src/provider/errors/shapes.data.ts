/**
 * Requests of a form that is not taken: JSON, fields, roles, calls and results. Fewer messages would not mend it, so none of
 * these is ever compressed, however large the session is.
 */
import { type FailureRule, refused, refusedAnyhow, words } from './rule.ts';

/** Codes that name the mistake. Codes for any wrong parameter are not here: prompts that are too long come with them as well. */
const shapeCodes = words(
  'invalid_request_body invalid_json json_invalid malformed_json json_parse_error unsupported_parameter ' +
    'unsupported_value unknown_parameter extra_forbidden missing_required_parameter missing_required_field ' +
    'invalid_function_parameters invalid_json_schema array_above_max_length invalid_request_message_order',
);

/** Codes of Pydantic and Zod. Zod also checks the answers, so they come last and only with the status of a refusal. */
const schemaCodes = words(
  'missing invalid_type invalid_union string_type list_type model_attributes_type literal_error union_tag_invalid',
);

/** They quote names, and a name may be `context_length` or `max_tokens`: they come before what is too long. */
const quoting: readonly string[] = [
  // Members that are not known or not allowed: OpenAI, Anthropic and Mistral; Gemini; Bedrock; Zod.
  'unsupported (?:parameter|value)|unknown (?:parameter|field|argument)|unrecognized (?:request argument|field)',
  'extra (?:inputs|fields) (?:are )?not permitted|additional properties (?:are )?not allowed',
  'unknown name "[^"]{0,80}"|cannot find field',
  'extraneous key|subject must not be valid against schema|expected type: \\w+, found: \\w+',
  // Pydantic as text: vLLM, SGLang.
  "'type': '\\w+', 'loc': [\\[(]",
  // Tools and their schemas.
  'invalid schema for|not a valid .{0,30}json schema|in parameter type|function parameters is empty|invalid tool type',
  'tools\\.\\d+\\.\\w|tools\\[\\d+\\]',
  // Names and ids have a length of their own, which is no window.
  'string too long.{0,80}maximum length \\d{1,4}\\b|string should have at most \\d{1,4} characters',
  // Calls without results, and the other way round.
  'tool_use` ids? (?:were|was) found without|unexpected `tool_use_id`|tool_result` blocks?|tool_result block\\(s\\)',
  'must be followed by tool messages|must be a response to a prece[e]?ding message with|did not have response messages',
  "tool result's tool id|tool call (?:id is invalid|and result not match)|tool_call_id.{0,40}(?:not found|missing|required)",
  'toolresult blocks|tooluse blocks|conversation blocks and tool result blocks|content field at messages.{0,40}toolresult',
  'function (?:call|response) (?:turn|parts)|number of function calls and responses|no tool output found for',
  '(?:invalid|parse) (?:function|tool call) arguments',
];

/** The mistake in general words. What is too long is sometimes wrapped in them, so they come after it. */
const general: readonly string[] = [
  // Missing, empty, of the wrong type.
  'field required|missing (?:required |field|parameter|property|argument|key)|\\bis (?:a )?required\\b|must provide',
  'must be non-empty|non-empty content|must have non-empty|no user query|(?:must|can) ?not be (?:empty|blank|null)',
  'content. field that is not empty|at least one (?:message|user|content|part)|is too short|is not specified',
  'input should (?:be|have|match)|string should have|value error,|data did not match|unknown variant|input tag ',
  "invalid (?:type|value) (?:for|of) |invalid (?:value|type): |invalid '\\w+[.\\['\\]]",
  'must be (?:a |an |one of |of type |either )?(?:valid )?(?:string|array|list|object|number|integer|boolean|dictionary)',
  "type must be \\w+, but is|expected '.{1,40}' to be|expected .{0,40}(?:string|array|object|number|integer|boolean|list).{0,40}(?:got|found|received|instead)",
  'not match (?:the )?(?:expected )?(?:schema|format|pattern)|schema violations?|validation (?:error|failed)',
  // Roles and their order; what templates say of them.
  'jinja exception|error rendering (?:prompt )?.{0,20}template|conversation must (?:start|end|begin|alternate)',
  'roles must alternate|(?:unexpected|invalid|unknown|unsupported)(?: message)? role|expected last role|turns? must alternate',
  'system message must be|first message must|last message must|(?:must|should) (?:start|end) with a user',
  // Parameters by themselves.
  'invalid params?\\b|param incorrect|invalid (?:api )?parameters?\\b|parameters? .{0,40}(?:illegal|invalid|incorrect|not valid)',
  'does not support (?:tools|function)|(?:is|are) not supported',
  'is not (?:less|greater) or equal to|must be (?:between|greater than)|out of (?:the )?(?:valid )?range',
  // Chinese.
  '(?:参数|消息|字段|角色|格式|messages|content|role).{0,12}(?:非法|错误|无效|有误|不合法|不正确|缺失|为空|必填)',
  '(?:缺少|缺失|未传入|未提供).{0,16}(?:参数|字段|消息)|(?:不能|不可|不得)为空|格式(?:不正确|错误|有误)',
];

/** What a parser says of a body. Without the status of a refusal it may be the answer that cannot be read. */
const unreadable: readonly string[] = [
  'could not parse the json|parse (?:the )?(?:request )?body|body (?:is|was) not valid json|json body',
  '(?:invalid|malformed) json(?! response)|json (?:decode|parse) error|jsondecodeerror|unexpected (?:token|end of)',
  '(?:malformed|invalid|bad) (?:input request|request (?:body|format|payload|syntax)|body|payload)|malformed request',
  'failed to (?:deserialize|decode)|cannot (?:unmarshal|deserialize)|json\\.exception',
  '(?:不是(?:有效|合法)的 ?json|json.{0,6}(?:解析|格式).{0,4}(?:失败|错误|不正确)|请求体.{0,12}(?:错误|无效|非法|解析))',
];

const patterns = (wordings: readonly string[]): readonly RegExp[] => wordings.map((one) => new RegExp(one, 'i'));

/** Tried before what is too long. */
export const quotingShapeRules: readonly FailureRule[] = [
  // The one mistake in form that fewer messages do mend.
  {
    reason: 'context_overflow',
    status: refusedAnyhow,
    text: /invalid '(?:messages|input|contents)': array too long|too many messages|number of messages.{0,30}exceed/i,
  },
  { reason: 'format_error', codes: shapeCodes, status: refusedAnyhow },
  { reason: 'format_error', status: refusedAnyhow, text: patterns(quoting) },
];

/** Tried after it. */
export const shapeRules: readonly FailureRule[] = [
  { reason: 'format_error', status: [...refused, 500], text: patterns(general) },
  { reason: 'format_error', status: [400, 422, 500], text: patterns(unreadable) },
  { reason: 'format_error', codes: schemaCodes, status: [400, 422] },
];
