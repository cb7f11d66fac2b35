/** Prompts that are too long, by a code of the provider or by its words. */
import { type FailureRule, notTooLong, words } from './rule.ts';

/** Words that are said of nothing else. Servers of one's own and routers send some of these with a 5xx. */
const clear: readonly RegExp[] = [
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
const vague =
  /token limit|too many tokens|exceeds the limit|(?<!_)tokens?\b.{0,20} exceeds? (?:the )?(?:model )?(?:maximum|max|limit)|max length of current question|tokens?(?:数量?|总数|长度)?.{0,6}(?:超过|超出|超限|过多)|超过.{0,8}tokens?.{0,4}(?:限制|上限)/i;

export const lengthRules: readonly FailureRule[] = [
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
  ...clear.map((text): FailureRule => ({ reason: 'context_overflow', not: notTooLong, text })),
  { reason: 'payload_too_large', status: [413] },
  {
    reason: 'payload_too_large',
    not: notTooLong,
    text: /(?:request|payload)(?: body| entity)? (?:is )?too large|string value length \(\d+\) exceeds|total message size \d+ exceeds|maximum request length exceeded/i,
  },
];

export const vagueLengthRules: readonly FailureRule[] = [{ reason: 'context_overflow', not: notTooLong, text: vague }];
