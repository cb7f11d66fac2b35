/**
 * Calls that were never made, and requests that are refused for what is in them: images and reasoning. They come first, for
 * their texts hold words such as "too large" that mean something else elsewhere.
 */
import { type FailureRule, refused, words } from './rule.ts';

export const refusalRules: readonly FailureRule[] = [
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
];
