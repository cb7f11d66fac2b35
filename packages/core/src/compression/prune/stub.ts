/**
 * The one line that stands for an old tool result: what was called, how it ended, how large it was, and the id that
 * brings the full text back; of a result that was saved whole, the id of the output too. A failure always says so.
 */

import type { JsonObject, JsonValue } from '../../shared/json.ts';
import type { ToolCallPart, ToolResultPart } from '../../transcript/message.ts';
import { redactedPart } from '../../transcript/redact.ts';
import { resultText, spilledOutputs } from '../../transcript/text.ts';
import { callArguments, commandOf, outcomeOf, type ToolKind, toolKind } from '../outcome.ts';

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

// What a call was about, in a few words, by the kind of its tool.

interface Asked {
  readonly call: ToolCallPart;
  readonly input: JsonObject;
  /** The text of the result. */
  readonly output: string;
}

/** The target of a call for a stub; empty when there is nothing to say. Never throws, whatever the arguments are. */
function callTarget(call: ToolCallPart | undefined, output: string): string {
  if (!call) return '';
  return targets[toolKind(call)]({ call, input: callArguments(call), output });
}

/** One row a kind of tool. */
const targets: Readonly<Record<ToolKind, (asked: Asked) => string>> = {
  shell: ({ call, input }) =>
    short(commandOf(call)?.replace(leadingCd, '') ?? first(input, ['action', 'session_id', 'shellId', 'bash_id']), 80),
  code: ({ call }) => short(commandOf(call) ?? '', 60),
  read: ({ input }) => `${pathOf(input)}${rangeOf(input)}`,
  write: ({ input }) => `${pathOf(input)}${linesOf(first(input, ['content', 'file_text', 'text', 'contents']))}`,
  edit: ({ call, input }) => patchedFiles(call, input) || pathOf(input),
  search: ({ input, output }) => {
    const where = first(input, ['path', 'dir', 'directory', 'dir_path', 'glob', 'include', 'file_pattern']);
    const what = first(input, ['pattern', 'query', 'regex', 'search_term', 'file_name', 'name', 'target']);
    return `${quoted(what)}${where ? ` in ${short(where, 60)}` : ''}${foundIn(output)}`.trim();
  },
  web: ({ input }) => {
    const urls = input.urls;
    if (Array.isArray(urls) && urls.length > 0) {
      return `${short(urlOf(urls[0]), 100)}${urls.length > 1 ? ` +${urls.length - 1} more` : ''}`;
    }
    return short(first(input, ['url', 'uri', 'query', 'prompt']), 100);
  },
  browser: ({ input }) =>
    short(first(input, ['url', 'element', 'ref', 'selector', 'text', 'function', 'code', 'key']), 60),
  delegate: ({ input }) =>
    quoted(first(input, ['description', 'goal', 'task', 'title', 'prompt', 'message', 'agent_id'])),
  todo: ({ input }) => short([first(input, ['subject', 'taskId', 'task_id']), first(input, ['status'])].join(' '), 60),
  memory: ({ input }) =>
    short([first(input, ['action']), first(input, ['target', 'key', 'fact', 'content'])].join(' '), 60),
  skill: ({ input }) => short(first(input, ['skill', 'name', 'command', 'action']), 60),
  // What the user answered is worth more than the question: it stays.
  ask: ({ output }) => short(output, 400),
  notebook: ({ input }) => `${pathOf(input)} ${first(input, ['cell_id', 'cell_number', 'edit_mode'])}`.trim(),
  other: ({ call, input }) => {
    const shown = Object.entries(input).slice(0, 2);
    const args = shown.map(([key, value]) => `${key}=${short(asText(value), 40)}`).join(' ');
    return short(args, 160) || (call.inputType === 'text' ? short(call.input, 60) : '');
  },
};

/** Many agents go to their folder before every command; the command is what counts. */
const leadingCd = /^\s*cd (?:"[^"]*"|'[^']*'|\S+) (?:&&|;) +(?=\S)/;

const pathKeys = ['file_path', 'path', 'filePath', 'filename', 'file', 'notebook_path', 'uri', 'target_file', 'paths'];
const pathOf = (input: JsonObject): string => short(first(input, pathKeys), 120);

function rangeOf(input: JsonObject): string {
  const view = input.view_range;
  if (Array.isArray(view) && view.length === 2) return `:${asText(view[0])}-${asText(view[1])}`;
  const start = first(input, ['offset', 'start_line', 'line_start', 'line', 'line_number']);
  const end = first(input, ['end_line', 'line_end']);
  const limit = first(input, ['limit']);
  if (!start && !limit) return '';
  return `:${start || '1'}${end ? `-${end}` : limit ? `+${limit}` : ''}`;
}

const linesOf = (text: string): string => (text ? ` (${text.split('\n').length} lines)` : '');

/** The files of a patch, which Codex and opencode pass as one text. */
function patchedFiles(call: ToolCallPart, input: JsonObject): string {
  const patch = call.inputType === 'text' ? call.input : first(input, ['input', 'patch', 'patchText', 'diff']);
  const files = patch
    .slice(0, 200_000)
    .split('\n')
    .flatMap((line) => /^(?:\*\*\* (?:Add|Update|Delete) File: |\+\+\+ b\/)(.+)$/.exec(line)?.[1] ?? []);
  return files.length > 3
    ? `${short(files.slice(0, 3).join(' '), 240)} +${files.length - 3} more`
    : short(files.join(' '), 240);
}

function foundIn(output: string): string {
  const count = /^(?:Found (\d+)|(\d+) (?:match|result|file)|.{0,200}"total_count": ?(\d+))/.exec(output.slice(0, 400));
  if (count) return `, ${count[1] ?? count[2] ?? count[3]} found`;
  return /^No (?:files|matches|results)/i.test(output) ? ', none found' : '';
}

function urlOf(value: JsonValue | undefined): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return asText(value ?? '');
  // What is neither null nor a list is an object here; the type of readonly lists hides that from the compiler.
  return first(value as JsonObject, ['url', 'href']);
}

function first(input: JsonObject, keys: readonly string[]): string {
  for (const key of keys) {
    const value = input[key];
    if (value !== undefined && value !== null && value !== '') return asText(value);
  }
  return '';
}

const asText = (value: JsonValue | undefined): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
const quoted = (text: string): string => (text ? `"${short(text, 60)}"` : '');

function short(text: string, max: number): string {
  const line = text
    .slice(0, max * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= max ? line : `${line.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
