/** Prompts that are too long by the words of the provider, and what is wrong with the model or the content otherwise. */
import { type FailureRule, notTooLong, words } from './rule.ts';

export const lengthRules: readonly FailureRule[] = [
  // Too long, by its words. Servers of one's own and routers send some of these with a 5xx.
  {
    reason: 'context_overflow',
    not: notTooLong,
    text: /context[ _-]?(?:length|window|size|limit|overflow)|maximum (?:context|prompt|model|sequence) length|maximum context|max_model_len|max_seq_len|n_ctx|slot context/i,
  },
  {
    reason: 'context_overflow',
    not: notTooLong,
    text: /(?:prompt|input|query)(?: tokens)?(?: is|:|内容)? ?too long|input length .{0,60}exceed|too many (?:input )?tokens|reduce the length|maximum allowed input length|input tokens? exceed/i,
  },
  {
    reason: 'context_overflow',
    not: notTooLong,
    text: /token limit|exceeds? the maximum number of (?:input )?tokens|more than max tokens allowed|exceeds? (?:the )?max(?:imum)? (?:prompt )?length|max length exceeded|prompt token count|exceeds the (?:length )?limit|\bprompt length\b|messages resulted in \d|max message tokens/i,
  },
  {
    reason: 'context_overflow',
    not: notTooLong,
    text: /range of input length|tokens.{0,40}must (?:be <=|have less than)|must have less than \d+ tokens|truncating input|max_tokens must be at least 1, got -|input token\(s\)|length of prompt_tokens/i,
  },
  {
    reason: 'context_overflow',
    not: notTooLong,
    text: /超(?:过|出)(?:了)?(?:模型)?(?:的)?最大(?:长度|上下文|输入|token|\s?token)|上下文(?:长度|窗口|超)|超长|超(?:过|出)(?:了)?模型(?:的)?(?:token)?限制|(?:输入|提示词|内容)过长|超出.{0,10}长度限制/i,
  },
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
];
