/** What stands in a context for a result that was saved whole. Pure; the same result gives the same text. */
import type { OutputId, SavedOutput } from '../store/output-store.ts';
import type { Preview } from './preview.ts';
import { grouped, noun, oneLine, size } from './words.ts';

/** Everything that a notice says. */
export interface NoticeContent {
  readonly output: SavedOutput;
  readonly toolName: string;
  /** How the call ended, in a few words. */
  readonly outcome?: string;
  /** The exit code, said once more in the last line, where those who read outcomes look for it. */
  readonly exitCode?: number;
  readonly preview: Preview;
  /** The MCP envelope that the text was taken out of. */
  readonly envelope?: { readonly id: OutputId; readonly metadata: string };
}

/** The largest that a notice is beside its preview. */
export const noticeFrameChars = 2_400;

/** The text for a result that was saved. What the tool wrote stands between two marks that name its id. */
export function noticeText({ output, toolName, outcome, exitCode, preview, envelope }: NoticeContent): string {
  const { id } = output;
  const facts = [oneLine(toolName, 80) || 'tool', outcome, `${size(output)}`, `output ${id}`];
  const next = JSON.stringify({
    id,
    from: preview.next.line,
    ...(preview.next.char > 1 ? { char: preview.next.char } : {}),
  });
  return [
    `[spilled: ${facts.filter(Boolean).join(' | ')}]`,
    'The result was too large and was saved whole. To read on: ' +
      `read_output ${next}. To find lines: search_output {"id":"${id}","query":"…"}.`,
    ...(envelope ? envelopeLines(envelope) : []),
    ...(preview.text === ''
      ? []
      : [`--- start of output ${id}, as the tool wrote it ---`, preview.text.replace(/\n$/, ''), endMark(id, preview)]),
    ...(exitCode === undefined ? [] : [`[exit code ${exitCode}]`]),
  ].join('\n');
}

/**
 * The id of the saved output that a text stands for; undefined for every other text. A text that is longer than a notice
 * can be is none, whatever it begins with.
 */
export function spilledOutput(text: string, previewChars = 1_500): OutputId | undefined {
  if (!text.startsWith('[spilled: ') || text.length > noticeFrameChars + previewChars) return undefined;
  return /^\[spilled: [^\n]* \| output ([0-9a-f]{16})\]\n/.exec(text)?.[1];
}

const envelopeLines = ({ id, metadata }: NonNullable<NoticeContent['envelope']>): readonly string[] => [
  `It came in an MCP envelope, which is saved as it was as output ${id}. Beside the text it holds: ${metadata}`,
];

function endMark(id: OutputId, { shown, whole }: Preview): string {
  return `--- end of the first ${noun(shown, 'character')} of ${grouped(whole)} of output ${id} ---`;
}
