/** Failures that say nothing but a status or the end of a connection, and answers that are none. */
import { type FailureRule, words } from './rule.ts';

const brokenConnection = words(
  'econnreset econnaborted epipe und_err_socket und_err_aborted err_stream_premature_close',
);
const brokenWords =
  /^terminated$|socket hang up|other side closed|premature close|connection (?:was )?(?:closed|reset|lost)/im;

const serverCodes = words(
  'server_error api_error internal internal_error internal_server_error internalservererror unavailable ' +
    'internalserverexception modelerrorexception modelstreamerrorexception service_unavailable bad_gateway 1234',
);

/** Failures without a status: errors in a stream, and answers that are none. What reads them speaks as of requests. */
export const streamRules: readonly FailureRule[] = [
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
];

export const connectionRules: readonly FailureRule[] = [
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
