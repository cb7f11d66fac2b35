/** Where providers, their SDKs and Node keep what they say about a failure. */

/** Members that hold a code as a text, or a status as a number. */
export const codeKeys: readonly string[] = [
  'code',
  'type',
  'status',
  'statusCode',
  'reason',
  '__type',
  'errorCode',
  'error_code',
  'http_code',
];
/** Members that hold a sentence. */
export const messageKeys: readonly string[] = [
  'message',
  'msg',
  'detail',
  'error',
  'error_message',
  'errorMessage',
  'Message',
  'title',
  'status_msg',
  'status_message',
  // Bodies that are no JSON.
  'responseBody',
  'body',
  'raw',
  'details',
  // Some put the sentence here, others the name of the parameter: that one is no message.
  'param',
];
/** Members worth looking into, in the order of their weight. */
export const innerKeys: readonly string[] = [
  'responseBody',
  'data',
  'error',
  'cause',
  'errors',
  'lastError',
  'detail',
  'details',
  'metadata',
  'raw',
  'value',
  'body',
  'response',
  'innererror',
  'upstream_error',
  'base_resp',
];
/** Members under which Amazon's stream has its errors; their names are the codes. */
export const exceptionKeys: readonly string[] = [
  'validationException',
  'throttlingException',
  'serviceUnavailableException',
  'internalServerException',
  'modelStreamErrorException',
  'modelTimeoutException',
];
/** Sizes of llama.cpp. */
export const sizeKeys: readonly string[] = ['n_ctx', 'n_prompt_tokens'];
