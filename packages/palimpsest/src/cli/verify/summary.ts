/** A summary that is to be held against a conversation, and the words of the tool around it. */
import type { Message } from '@palimpsest/core';
import { unwrapHandoff } from '@palimpsest/core/engine';

export interface Summary {
  /** For reports: where it is from. */
  readonly title: string;
  /** As it came, with the block of the tool that wrote it. */
  readonly text: string;
  /** The summary alone. */
  readonly body: string;
  /** Where the body begins in the text; undefined where the text has it in other characters. */
  readonly start?: number;
  /** Refs of the messages that it stands for, where its block names them, such as `m4-m160`. */
  readonly covers?: string;
}

/** A text as a summary; a block of ours or of another tool around it is recognised. */
export function summaryOf(text: string, title: string): Summary {
  return summaryIn({ role: 'user', parts: [{ type: 'text', text }] }, title) ?? { title, text, body: text, start: 0 };
}

/** The summary that a message carries; undefined when there is none in it. */
export function summaryIn(message: Message, title: string): Summary | undefined {
  const body = unwrapHandoff(message)?.body.trim();
  if (!body) return undefined;
  const text = message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  const start = text.indexOf(body);
  const covers = /^\s*<handoff covers="([^"\n]*)"/.exec(text)?.[1]?.trim();
  return { title, text, body, ...(start < 0 ? {} : { start }), ...(covers ? { covers } : {}) };
}

/** Lines of the text above the body. */
export const linesAbove = ({ text, start = 0 }: Summary): number => text.slice(0, start).split('\n').length - 1;

/** The text with another body, in the same block; the body alone where its place is not known. */
export function withBody({ text, body, start }: Summary, changed: string): string {
  return start === undefined ? changed : text.slice(0, start) + changed + text.slice(start + body.length);
}
