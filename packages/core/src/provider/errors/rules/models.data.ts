/** Requests for a model, an address or an answer that there is not: unknown names, policies of accounts and of content. */
import { type FailureRule, words } from './rule.ts';

export const modelRules: readonly FailureRule[] = [
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
    text: /^(?:invalid|unknown) model\b|model.{0,120}(?:does not exist|not found)|model identifier is invalid|not a valid model id|no models loaded|模型不存在/im,
  },
  { reason: 'model_not_found', status: [404, 405] },
];
