/** The result of a tool, in the two forms in which it may come, and the texts in it that can be taken out. Pure. */
import type { ResultContent, ToolResultPart } from '../transcript/message.ts';

/** What a tool gave back, as a tool loop has it. */
export interface ToolOutput {
  readonly toolName: string;
  readonly callId: string;
  readonly content: string | readonly ResultContent[];
  readonly isError?: boolean;
}

/** A result in either form. */
export type AnyResult = ToolOutput | ToolResultPart;

/** A text in a result. */
export interface HeldText {
  /** Its place in the content; 0 where the content is one text. */
  readonly at: number;
  readonly text: string;
}

/** The name of the tool; empty where it is not known. */
export const toolNameOf = (result: AnyResult): string => ('toolName' in result ? result.toolName : result.name) ?? '';

/** The provider ran the tool itself, and takes its result back only as it was. */
export const isForeign = (result: AnyResult): boolean => 'server' in result && result.server === true;

/**
 * The texts of a result: its text parts, the texts of its files, and parts that only their format knows, as JSON. Images
 * and the bytes of files are none.
 */
export function textsOf({ content }: AnyResult): readonly HeldText[] {
  if (typeof content === 'string') return [{ at: 0, text: content }];
  return content.flatMap((part, at) => {
    const text = textOf(part);
    return text === undefined ? [] : [{ at, text }];
  });
}

/** Characters of all texts of a result. */
export const charsOf = (result: AnyResult): number => textsOf(result).reduce((sum, { text }) => sum + text.length, 0);

/** The result with one of its texts replaced; everything else stays. */
export function withText<R extends AnyResult>(result: R, at: number, text: string): R {
  const { content } = result;
  const replaced =
    typeof content === 'string' ? text : content.map((part, i) => (i === at ? replacedPart(part, text) : part));
  // The content keeps its form, so the result keeps its type.
  return { ...result, content: replaced } as R;
}

function textOf(part: ResultContent): string | undefined {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'file':
      return part.text;
    case 'image':
      return undefined;
    case 'other':
      return JSON.stringify(part.value);
  }
}

function replacedPart(part: ResultContent, text: string): ResultContent {
  if (part.type === 'text' || part.type === 'file') return { ...part, text };
  return { type: 'text', text };
}
