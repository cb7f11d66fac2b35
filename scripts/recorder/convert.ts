/** Turns a recorded session into another transcript format, with what that format knows more than OpenAI chat. */
import type { FormatName, Message, Part, Transcript } from '../../packages/core/src/transcript/message.ts';
import { readTranscripts } from '../../packages/core/src/transcript/read.ts';
import { writeTranscript } from '../../packages/core/src/transcript/registry.ts';
import { resultText } from '../../packages/core/src/transcript/text.ts';

export interface Conversion {
  readonly format: FormatName;
  readonly title: string;
  /** When the first message was said, in seconds since 1970. */
  readonly startSeconds: number;
}

/** Seconds between two messages. */
const pause = 37;

/** The text of the session in the format: with times, a folder, a title, and failed results marked as failed. */
export async function convertSession(text: string, conversion: Conversion): Promise<string> {
  const { transcripts } = await readTranscripts(text, { format: 'openai-chat' });
  const [recorded] = transcripts;
  if (!recorded) throw new Error('expected a recorded session with messages, found none');
  const { format, title, startSeconds } = conversion;
  const messages = recorded.messages.map((message, index) => ({
    ...message,
    parts: message.parts.map(withFailure),
    time: new Date((startSeconds + index * pause) * 1000).toISOString(),
  }));
  const transcript: Transcript = { ...recorded, messages, title, workingDirectory: '/repo' };
  return [
    ...writeTranscript(format === 'sharegpt' ? { ...transcript, messages: spoken(messages) } : transcript, format),
  ].join('');
}

/** What the recorder writes at the end of a failed command, and at the start of a failed file tool. */
const failure = /\[(?:exit code|stopped after) \d+.*\]$|^Error: /;

function withFailure(part: Part): Part {
  return part.type === 'toolResult' && failure.test(resultText(part)) ? { ...part, isError: true } : part;
}

/** A plain chat has no system prompt. */
const spoken = (messages: readonly Message[]): readonly Message[] => messages.filter(({ role }) => role !== 'system');
