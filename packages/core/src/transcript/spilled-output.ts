/** Recognises the text that stands in a context for a tool result that was saved whole. */
import type { ToolResultPart } from './message.ts';

/** The largest that such a text is beside the start of the result that it shows. */
const noticeFrameChars = 2_800;

/**
 * The id of the saved output that a text stands for; undefined for every other text. A text that is longer than a notice
 * can be is none, whatever it begins with.
 *
 * @example
 * import { spilledOutput } from '@palimpsest/core';
 * spilledOutput('the text of a tool result'); // undefined: it stands for itself
 */
export function spilledOutput(text: string, previewChars = 1_500): string | undefined {
  if (!text.startsWith('[spilled: ') || text.length > noticeFrameChars + previewChars) return undefined;
  return /^\[spilled: [^\n]* \| output ([0-9a-f]{16})\]\n/.exec(text)?.[1];
}

/** The ids of all outputs that stand in a result, each once. */
export function spilledOutputs({ content }: ToolResultPart): readonly string[] {
  const texts = content.flatMap((one) => (one.type === 'text' || one.type === 'file' ? (one.text ?? []) : []));
  // How much of a result is shown is a setting: whatever its length, the first line tells.
  return [...new Set(texts.flatMap((text) => spilledOutput(text, Number.POSITIVE_INFINITY) ?? []))];
}
