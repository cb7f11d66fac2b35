/** `@palimpsest/core/formats`: transcripts read and written, and what a message holds. */

export { messageHash } from './transcript/message.ts';
export { isFromPerson, originOf } from './transcript/origin.ts';
export { redactedMessage, redactedPart } from './transcript/redact.ts';
export { formats, writableFormats } from './transcript/registry.ts';
export { carriesResults, groupsOf, messageText, readableText, toolCalls, toolResults } from './transcript/text.ts';
