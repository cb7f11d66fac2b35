/** `@palimpsest/core/formats`: transcripts read and written, and what a message holds. */

export { groupsOf } from './transcript/groups.ts';
export { messageHash } from './transcript/identity.ts';
export { isFromPerson, originOf } from './transcript/origin.ts';
export { redactedMessage, redactedPart } from './transcript/redact.ts';
export { formats, writableFormats } from './transcript/registry.ts';
export { carriesResults, messageText, readableText, toolCalls, toolResults } from './transcript/text.ts';
