/** What a call was about, in a few words, by the kind of its tool. */
import type { JsonObject, JsonValue } from '../../shared/json.ts';
import type { ToolCallPart } from '../../transcript/message.ts';
import { commandOf } from '../shell-command.ts';
import { callArguments, type ToolKind, toolKind } from '../tool-kinds.ts';

interface Asked {
  readonly call: ToolCallPart;
  readonly input: JsonObject;
  /** The text of the result. */
  readonly output: string;
}

/** The target of a call for a stub; empty when there is nothing to say. Never throws, whatever the arguments are. */
export function callTarget(call: ToolCallPart | undefined, output: string): string {
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
