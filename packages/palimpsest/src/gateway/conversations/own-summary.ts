/**
 * Clients that summarise a conversation by themselves: the words with which each of them asks its model for it. Seen in the clients
 * themselves: Claude Code 2.1.330, Codex 0.169.0, opencode 1.18.33, pi 0.73.1, Gemini CLI 0.61.0, Qwen Code 0.24.4.
 */
import type { Message } from '@palimpsest/core';
import type { Body } from '@palimpsest/core/wire';

/** The start of the last text of the newest message. */
const asking: readonly RegExp[] = [
  /^CRITICAL: Respond with TEXT ONLY\. Do NOT call any tools/,
  /^You are performing a CONTEXT CHECKPOINT COMPACTION/,
  /^Create a new anchored summary from the conversation history/,
];

/** In the system prompt, where clients say it there. */
const prompting: readonly RegExp[] = [/^You are a context summarization assistant/, /<state_snapshot>/];

/** True for a request whose answer is the client's own summary of its conversation. */
export function writesOwnSummary({ messages }: Body): boolean {
  const newest = messages.at(-1);
  if (newest?.role === 'user' && asking.some((mark) => mark.test(lastText(newest)))) return true;
  const prompts = messages.filter(({ role }) => role === 'system').flatMap(textsOf);
  return prompts.some((text) => prompting.some((mark) => mark.test(text.trimStart())));
}

const textsOf = ({ parts }: Message): readonly string[] =>
  parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));

const lastText = (message: Message): string => (textsOf(message).at(-1) ?? '').trimStart();
