/** What a tool call is about: its type, its target, the files it touches, and whether it may be done twice. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import type { ToolCallPart } from '../../transcript/message.ts';
import { callArguments, commandOf, plainName, type ToolKind, toolKind } from '../outcome.ts';
import { type Checking, checkingIn } from './checks.ts';
import { type FileTouch, patchTouches, readCommand, resolvePath } from './commands.ts';
import type { ActionType } from './facts.ts';
import { newNames } from './new-names.ts';
import { type BoxChange, boxChange } from './plan-files.ts';
import { firstString, type PlanChange, planChange } from './plans.ts';
import { toolActsOutside } from './side-effects.ts';

/** A call as the ledger sees it before its result is known. */
export interface Intent {
  readonly tool: string;
  readonly type: ActionType;
  readonly target: string;
  readonly files: readonly FileTouch[];
  /** What of it has an effect that must not be repeated, outside the working copy; undefined when nothing has. */
  readonly sideEffect: string | undefined;
  /** What the call tries, the thing that decides about its outcome last; equal for calls that try the same thing. */
  readonly keys: readonly string[];
  /** What the call does to the agent's plan. */
  readonly plan: PlanChange | undefined;
  /** What it does to the boxes of a file. */
  readonly boxes: BoxChange | undefined;
  /** What its command checks. */
  readonly checking: Checking | undefined;
  /** What it notes down for others in words: a comment on an issue. */
  readonly note: string | undefined;
  /** Names that it brings into a file. */
  readonly names: readonly string[];
}

const typeOfKind: Readonly<Record<ToolKind, ActionType>> = {
  shell: 'run',
  code: 'run',
  read: 'read',
  write: 'create',
  edit: 'change',
  search: 'search',
  web: 'fetch',
  browser: 'fetch',
  delegate: 'delegate',
  todo: 'plan',
  memory: 'plan',
  skill: 'read',
  ask: 'other',
  notebook: 'change',
  other: 'other',
};

/** Reads a call. Never throws; a call it cannot read has an empty target. */
export function intentOf(call: ToolCallPart): Intent {
  const kind = toolKind(call);
  const input = callArguments(call);
  const name = plainName(call.name);
  const { files, outside, ...effect } = effectOf(kind, call, input);
  const command = kind === 'shell' ? commandOf(call) : undefined;
  const target = effect.target ?? targetOf(kind, call, input);
  // Tools of a service name the thing first and then what is to become of it, which varies from try to try.
  const keys = effect.keys ?? [kind === 'other' ? (target.split(', ', 1)[0] ?? '') : target];
  return {
    tool: call.name,
    type: deleting.test(name) ? 'delete' : typeOfKind[kind],
    target,
    files,
    sideEffect: outside ?? (toolActsOutside(call, kind) ? target || call.name : undefined),
    keys: keys.map((key) => `${call.name}\n${key}`),
    plan: kind === 'todo' ? planChange(name, input) : undefined,
    boxes: kind === 'edit' || kind === 'write' ? boxChange(files[0]?.path, input, patchText(call, input)) : undefined,
    checking: command === undefined ? undefined : checkingIn(command),
    note: noteOf(command === undefined ? writesNote.test(name) && firstString(input, noteKeys) : noteIn(command)),
    names: kind === 'edit' ? newNames(input, files.length > 0 ? patchText(call, input) : '') : [],
  };
}

const deleting = /delete|remove_?file/;

/** Headings, or what stands in bold at the beginning of lines, with numbers: tasks and steps for somebody else. */
const stepHeading = /^(?:#{1,6}\s+|\*\*)[^\d\n*]{0,20}\d{1,3}[.:)、：]/gm;
const leastSteps = 2;

/** A text that tells how things are; one that lays down steps tells what is to be seen on the way. */
const noteOf = (text: string | false | undefined): string | undefined =>
  text && (text.match(stepHeading)?.length ?? 0) < leastSteps ? text : undefined;

const writesNote = /comment|note(?!book)/;
const noteKeys = ['body', 'comment', 'note', 'content', 'text'];
const longText = /"((?:[^"\\]|\\[\s\S]){80,4000})"|'([^']{80,4000})'/g;
const noteCommand = /(?:^|\s)(?:-\S*)?(?:comments?|notes?)(?=\s|$)/;

/** The text of a command that leaves a comment or a note. */
function noteIn(command: string): string | undefined {
  const texts: string[] = [];
  const rest = command.replace(longText, (_, double: string = '', single: string = '') => {
    texts.push(double || single);
    return '';
  });
  return texts.length > 0 && noteCommand.test(rest.replace(/-(?=notes?\s)/g, ' ')) ? texts.join('\n') : undefined;
}

interface Effect {
  readonly files: readonly FileTouch[];
  readonly target?: string | undefined;
  readonly outside?: string | undefined;
  readonly keys?: readonly string[];
}

function effectOf(kind: ToolKind, call: ToolCallPart, input: JsonObject): Effect {
  const folder = firstString(input, ['workdir', 'cwd', 'working_directory', 'workingDirectory', 'dir_path']);
  if (kind === 'shell' || kind === 'code') {
    const command = commandOf(call);
    if (command === undefined) return { files: [] };
    const target = commandLine(command);
    if (kind === 'code') {
      const outside = acting.test(command) ? command.trim().split('\n', 1)[0] : undefined;
      return { files: codeTouches(command), target, outside };
    }
    const { files, outside, keys } = readCommand(command, folder);
    return { files, target, outside: outside.length > 0 ? outside.join(' && ') : undefined, keys };
  }
  const patched = kind === 'edit' ? patchTouches(patchText(call, input), folder) : [];
  if (patched.length > 0) return { files: patched, target: patched[0]?.path };
  return { files: toolTouches(kind, call, input).map((one) => ({ ...one, path: resolvePath(one.path, folder) })) };
}

const pathKeys = [
  'file_path',
  'filePath',
  'path',
  'notebook_path',
  'target_file',
  'filename',
  'file_name',
  'fileName',
  'absolute_path',
  'relative_path',
  'file',
  'uri',
];

/** Every path that a tool is given: one, or a list of them. */
function pathArguments(input: JsonObject): readonly string[] {
  const path = firstString(input, pathKeys);
  if (path !== undefined) return [path];
  const list: readonly JsonValue[] = [input.paths, input.file_paths, input.files].find(Array.isArray) ?? [];
  return list.filter((entry) => typeof entry === 'string').filter((entry) => entry.trim() !== '');
}

function toolTouches(kind: ToolKind, call: ToolCallPart, input: JsonObject): readonly FileTouch[] {
  const name = plainName(call.name);
  if (/^(?:move|rename|copy)(?:_?file)?$/.test(name)) return moved(name, input);
  const state = stateOfKind(kind, name);
  return state === undefined ? [] : pathArguments(input).map((path) => ({ path, state }));
}

function stateOfKind(kind: ToolKind, name: string): FileTouch['state'] | undefined {
  if (deleting.test(name)) return 'deleted';
  if (kind === 'read') return 'read';
  if (kind === 'write') return 'created';
  if (kind === 'notebook') return name.includes('read') ? 'read' : 'changed';
  return kind === 'edit' ? 'changed' : undefined;
}

function moved(name: string, input: JsonObject): readonly FileTouch[] {
  const from = firstString(input, ['source', 'from', 'old_path', 'oldPath', 'source_path']);
  const to = firstString(input, ['destination', 'to', 'new_path', 'newPath', 'destination_path', 'target']);
  if (from === undefined || to === undefined) return [];
  const created: FileTouch = { path: to, state: 'created' };
  return name.startsWith('copy') ? [created] : [{ path: from, state: 'deleted' }, created];
}

function patchText(call: ToolCallPart, input: JsonObject): string {
  return call.inputType === 'text' ? call.input : (firstString(input, ['patch', 'input', 'diff', 'patch_text']) ?? '');
}

// What a piece of code that an interpreter tool runs writes, and whether it acts on a service.

const opened = /\bopen\(\s*r?(["'])([^"'\n]{1,300})\1\s*,\s*(?:mode\s*=\s*)?(["'])([rwaxbt+]{1,4})\3/g;
const written =
  /\b(?:Path\(\s*(["'])([^"'\n]{1,300})\1\s*\)\.write_(?:text|bytes)|(?:writeFile|writeFileSync)\(\s*(["'`])([^"'`\n]{1,300})\3)/g;

/** Files that Python or JavaScript code opens for writing by a literal name. */
function codeTouches(code: string): readonly FileTouch[] {
  const touches = [...code.matchAll(opened)].map(([, , path = '', , mode = '']): FileTouch => {
    const state = /[a+]/.test(mode) ? 'changed' : /[wx]/.test(mode) ? 'created' : 'read';
    return { path: resolvePath(path), state };
  });
  for (const [, , python, , javascript] of code.matchAll(written)) {
    touches.push({ path: resolvePath(python ?? javascript ?? ''), state: 'created' });
  }
  return touches;
}

/** Code that sends, changes or removes something on a service or in a database. */
const acting =
  /\b(?:requests|httpx|session|client|axios|http)\.(?:post|put|patch|delete)\(|\bmethod\s*[:=]\s*["'](?:POST|PUT|PATCH|DELETE)["']|\.(?:sendmail|send_message)\(|["'](?:git push|gh pr create|npm publish)\b|\b(?:INSERT INTO|DELETE FROM|DROP TABLE|ALTER TABLE|UPDATE \w+ SET)\b/;

// What a call is about, in one line: its command, file, query, address or subject.

const targetKeys = [
  'pattern',
  'query',
  'url',
  'title',
  'subject',
  'question',
  'name',
  'skill',
  'description',
  'prompt',
  'message',
  'text',
];

/** The target of a call that runs no command; empty when its arguments name nothing. */
function targetOf(kind: ToolKind, call: ToolCallPart, input: JsonObject): string {
  const path = firstString(input, pathKeys);
  const named = firstString(input, targetKeys) ?? (kind === 'ask' ? questions(input) : undefined);
  if (kind === 'search') return oneLine([named, path].filter(Boolean).join(' in '));
  if (path !== undefined) return path;
  if (named !== undefined) return oneLine(named);
  if (call.inputType === 'text') return oneLine(call.input);
  const values = Object.values(input).filter((value) => typeof value === 'string' || typeof value === 'number');
  return oneLine(values.slice(0, 2).join(', '));
}

function questions({ questions: list }: JsonObject): string | undefined {
  if (!Array.isArray(list)) return undefined;
  const asked = list.flatMap((entry: JsonValue) =>
    isJsonObject(entry) ? (firstString(entry, ['question', 'title', 'header']) ?? []) : [],
  );
  return asked.join(' ') || undefined;
}

/** A text that an argument holds as a here-document is represented by its first line, as agents write commit messages. */
const documentArgument = /"?\$\(\s*cat\s*<<-?\s*(['"]?)[\w.-]+\1[^\n]*\n\s*([^\n]*)/g;
const openingChars = 2000;

function commandLine(command: string): string {
  const opening = command.slice(0, openingChars).toWellFormed();
  return oneLine(opening.replace(/[ \t]*\\\r?\n\s*/g, ' ').replace(documentArgument, '"$2"'));
}

/** The first line that says something; `cd somewhere &&` in front of a command does not. */
function oneLine(text: string): string {
  const line = text.split('\n').find((each) => each.trim() && !/^\s*(?:#|set -\w+\s*$)/.test(each)) ?? '';
  return line.trim().replace(/^cd (?:"[^"]*"|'[^']*'|\S+) *(?:&&|;) */, '');
}
