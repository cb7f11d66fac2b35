/**
 * What each reason of a failure means: for the call, for a summary, and for a person. The rules in `rules.data.ts` find the
 * reason; nothing else decides by the words of a provider.
 */
import type { FailureKind } from '../../compression/policy/state.ts';

/** Why a call of a model failed. */
export type FailureReason =
  /** The key was refused. */
  | 'auth'
  /** The key is there and does not allow this, or there is none: asking again will not help. */
  | 'auth_permanent'
  /** No credit, no plan, or a spending limit. */
  | 'billing'
  /** Too many requests or tokens for now. */
  | 'rate_limit'
  /** The same, behind a router: the key here is not at its limit. */
  | 'upstream_rate_limit'
  /** Too busy, whatever the status says. */
  | 'overloaded'
  /** It failed on its own side. */
  | 'server_error'
  /** No answer in time, or a handshake that broke. */
  | 'timeout'
  /** Nobody is there: refused, unknown host, no route, broken before the answer. */
  | 'network'
  /** The certificate is not trusted here. */
  | 'ssl_cert_verification'
  /** The prompt is longer than the window. */
  | 'context_overflow'
  /** The request has more bytes than the server takes. */
  | 'payload_too_large'
  /** The account takes shorter prompts than the model does. */
  | 'long_context_tier'
  /** More output was asked for than the model writes, or than the prompt leaves room for. */
  | 'output_limit'
  | 'image_too_large'
  | 'image_corrupt'
  /** No images where they stand, such as in a tool result. */
  | 'multimodal_tool_content_unsupported'
  /** No such model or address. */
  | 'model_not_found'
  /** The request breaks a rule of the provider: fewer messages would break it as well. */
  | 'format_error'
  | 'invalid_encrypted_content'
  /** Thinking was changed, or belongs to another model. */
  | 'thinking_signature'
  | 'reasoning_mandatory'
  /** The account's own settings leave no provider. */
  | 'provider_policy_blocked'
  | 'content_policy_blocked'
  /** The header that asks for a long context is not allowed for this sign-in. */
  | 'oauth_long_context_beta_forbidden'
  /** A tool's schema that llama.cpp cannot turn into a grammar. */
  | 'llama_cpp_grammar_pattern'
  /** The answer broke off or cannot be read. */
  | 'broken_answer'
  | 'empty_answer'
  /** The caller stopped it. */
  | 'cancelled'
  | 'unknown';

/** What can be done about a failure before giving up. */
export type Cure = 'compress' | 'lower_output' | 'strip_images' | 'strip_reasoning' | 'wait' | 'none';

/** What a reason means. */
export interface ReasonRow {
  readonly cure: Cure;
  /** Another model may well answer. */
  readonly elsewhere: boolean;
  /** What it means for a summary that could not be had. */
  readonly kind: FailureKind;
  /** One sentence for a person: what happened, and what to do. */
  readonly advice: string;
  /** How often waiting is worth while, where that is less than for others. */
  readonly waits?: number;
}

type Meaning = Pick<ReasonRow, 'cure' | 'kind' | 'waits'> & {
  /** Another model would not answer either. */
  readonly isHere?: true;
};

const meanings: Readonly<Record<FailureReason, Meaning>> = {
  auth: { cure: 'none', kind: 'auth' },
  auth_permanent: { cure: 'none', kind: 'auth' },
  billing: { cure: 'none', kind: 'quota' },
  rate_limit: { cure: 'wait', kind: 'rate_limit' },
  upstream_rate_limit: { cure: 'wait', kind: 'rate_limit' },
  overloaded: { cure: 'wait', kind: 'server_error' },
  server_error: { cure: 'wait', kind: 'server_error' },
  timeout: { cure: 'wait', kind: 'timeout' },
  network: { cure: 'wait', kind: 'network' },
  ssl_cert_verification: { cure: 'none', kind: 'network' },
  context_overflow: { cure: 'compress', kind: 'other', isHere: true },
  payload_too_large: { cure: 'compress', kind: 'other', isHere: true },
  long_context_tier: { cure: 'compress', kind: 'other', isHere: true },
  output_limit: { cure: 'lower_output', kind: 'other', isHere: true },
  image_too_large: { cure: 'strip_images', kind: 'other' },
  image_corrupt: { cure: 'strip_images', kind: 'other' },
  multimodal_tool_content_unsupported: { cure: 'strip_images', kind: 'other' },
  model_not_found: { cure: 'none', kind: 'no_provider' },
  format_error: { cure: 'none', kind: 'other' },
  invalid_encrypted_content: { cure: 'strip_reasoning', kind: 'other' },
  thinking_signature: { cure: 'strip_reasoning', kind: 'other' },
  reasoning_mandatory: { cure: 'none', kind: 'other' },
  provider_policy_blocked: { cure: 'none', kind: 'no_provider' },
  content_policy_blocked: { cure: 'none', kind: 'bad_output' },
  oauth_long_context_beta_forbidden: { cure: 'none', kind: 'other' },
  llama_cpp_grammar_pattern: { cure: 'none', kind: 'other' },
  broken_answer: { cure: 'wait', kind: 'bad_output' },
  empty_answer: { cure: 'wait', kind: 'empty_output' },
  cancelled: { cure: 'none', kind: 'other', isHere: true },
  // It may as well be a mistake in the caller's own code, which no waiting mends.
  unknown: { cure: 'wait', kind: 'other', waits: 1 },
};

const advice: Readonly<Record<FailureReason, string>> = {
  auth: 'The provider refused the key: check it, and its permissions.',
  auth_permanent: 'There is no key that allows this: check the key, its permissions and its region.',
  billing: 'The account has no credit left: add some with the provider, or choose another model.',
  rate_limit: 'The provider accepts no more requests for now: wait, or choose another model.',
  upstream_rate_limit: 'The provider behind the router is at its limit: wait, or choose another model or provider.',
  overloaded: 'The model is overloaded: wait a little, or choose another model.',
  server_error: 'The provider failed on the server side: try again, or choose another model.',
  timeout: 'No answer came in time: try again, or choose another model.',
  network: 'The provider cannot be reached: check the base URL and the connection.',
  ssl_cert_verification: 'The certificate of the server is not trusted: check the base URL and NODE_EXTRA_CA_CERTS.',
  context_overflow:
    'The conversation no longer fits in the window: use /compress to make room, or /new to start a new conversation.',
  payload_too_large:
    'The request is larger than the server accepts: use /compress to make room, send fewer images, or use /new to start a new conversation.',
  long_context_tier:
    'The account allows only shorter prompts than the model: use /compress to make room, /new to start a new conversation, or a higher tier of the account.',
  output_limit: 'The request asks for more output than there is room for: lower max_tokens in the settings.',
  image_too_large: 'An image is too large for the model: send a smaller one.',
  image_corrupt: 'The model cannot read an image: send it as PNG, JPEG, WebP or GIF.',
  multimodal_tool_content_unsupported: 'The model accepts no images in this place: choose a model that does.',
  model_not_found: 'There is no such model or address: check its name and the base URL.',
  format_error:
    'The provider does not accept a request of this form, and a shorter one would not help: its message shows what to change.',
  invalid_encrypted_content:
    'The provider cannot read the encrypted reasoning of earlier answers: it was made by another account or model.',
  thinking_signature:
    'The reasoning of earlier answers does not match its signature: it was changed, or made by another model.',
  reasoning_mandatory: 'This model always reasons: do not turn reasoning off for it.',
  provider_policy_blocked:
    'The privacy settings of the account leave no provider for this model: change them, or choose another model.',
  content_policy_blocked: 'The provider will not read or write this content: rephrase it, or choose another model.',
  oauth_long_context_beta_forbidden:
    'This sign-in may not use the long context: omit the beta header, or set context_length to 200000.',
  llama_cpp_grammar_pattern:
    'The server cannot turn the schema of a tool into a grammar: remove "pattern" and "format" from it.',
  broken_answer: 'The answer broke off or cannot be read: try again, or choose another model.',
  empty_answer: 'The answer was empty: try again, or choose another model.',
  cancelled: 'The call was stopped before it was answered.',
  unknown: 'The call failed for an unknown reason: its message shows whether another model helps.',
};

/** What each reason means. */
export const reasonRows = Object.fromEntries(
  Object.entries(meanings).map(([reason, { isHere = false, ...meaning }]) => [
    reason,
    // The keys of one table are those of the other.
    { ...meaning, elsewhere: !isHere, advice: advice[reason as FailureReason] },
  ]),
) as Readonly<Record<FailureReason, ReasonRow>>; // every reason has a row

/** Reasons that less of the conversation helps against. */
export const isOverflow = (reason: FailureReason): boolean => reasonRows[reason].cure === 'compress';
