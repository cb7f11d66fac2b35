/**
 * The one line that stands for an old tool result: what was called, how it ended, how large it was, and the id that
 * brings the full text back; of a result that was saved whole, the id of the output too. A failure always says so.
 */
import type { ToolCallPart, ToolResultPart } from '../../transcript/message.ts';
import { redactedPart } from '../../transcript/redact.ts';
import { spilledOutputs } from '../../transcript/spilled-output.ts';
import { resultText } from '../../transcript/text.ts';
import { outcomeOf } from '../outcome.ts';
import { callTarget } from './call-target.ts';

/** What a stub stands for. */
export interface StubSource {
  readonly call: ToolCallPart | undefined;
  readonly result: ToolResultPart;
  /** The id under which the message can be expanded. */
  readonly ref: string;
  /** The id of a newer message with the same text. */
  readonly sameAs?: string;
}

/** The longest stub that there can be; what is longer is not one. */
const maxStubChars = 900;

/** The stub line for a result; credentials in the call and in the result are masked in it. */
export function stubLine({ ref, sameAs, ...source }: StubSource): string {
  const text = resultText(source.result);
  const call = source.call && redactedPart(source.call);
  const result = redactedPart(source.result);
  const lines = text.split('\n').length;
  const size = `${text.length} chars${lines > 1 ? `, ${lines} lines` : ''}`;
  const pieces = [
    oneLine(`${(call?.name ?? result.name ?? 'tool').slice(0, 80)} ${callTarget(call, resultText(result))}`),
    ...outcomeWords(call, result),
    sameAs === undefined ? size : `${size}, same as the newer ${sameAs}`,
    ...savedWords(source.result),
    `expand ${ref}`,
  ];
  return `[pruned: ${pieces.join(' | ')}]`;
}

/** True for a text that a pruning left behind: it is never pruned again. */
export function isStub(text: string): boolean {
  return text.length <= maxStubChars && /^\[pruned: [^\n]* \| expand [^\n\]]+\]$/.test(text);
}

/** True for a result that a pruning replaced, whatever stands beside the stub. */
export function hasStub(part: ToolResultPart): boolean {
  return part.content.some((one) => one.type === 'text' && isStub(one.text));
}

/** The text of the mode `placeholder`; the same for all results but for their ids. */
export const placeholderLine = (ref: string, result: ToolResultPart): string =>
  `[pruned: ${['old tool output', ...savedWords(result), `expand ${ref}`].join(' | ')}]`;

/** More would make the stub longer than one is. */
const mostOutputs = 4;

/** A result that was saved whole is read by the id of its output, as before. */
function savedWords(result: ToolResultPart): readonly string[] {
  const ids = spilledOutputs(result).slice(0, mostOutputs);
  return ids.length === 0 ? [] : [`saved whole as output ${ids.join(', ')}`];
}

function outcomeWords(call: ToolCallPart | undefined, result: ToolResultPart): readonly string[] {
  const { ok, exitCode, firstErrorLine } = outcomeOf(call, result);
  const exit = exitCode === undefined ? '' : `exit ${exitCode}`;
  if (ok === false) return [`FAILED${exit && `, ${exit}`}${firstErrorLine ? `: ${oneLine(firstErrorLine)}` : ''}`];
  if (ok) return [exit ? `ok, ${exit}` : 'ok'];
  return exit ? [exit] : [];
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
