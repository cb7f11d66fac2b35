/** What a tool call is about: its type, its target, the files it touches, and whether it may be done twice. */
import type { JsonObject } from '../../shared/json.ts';
import type { ToolCallPart } from '../../transcript/message.ts';
import { commandOf } from '../shell-command.ts';
import { callArguments, plainName, type ToolKind, toolKind } from '../tool-kinds.ts';
import { codeActsOutside, codeTouches } from './code-effects.ts';
import { readCommand } from './commands.ts';
import type { ActionType } from './facts.ts';
import { firstString, targetOf } from './intent-target.ts';
import { type PlanChange, planChange } from './plans.ts';
import { toolActsOutside } from './tool-effects.ts';
import { type FileTouch, patchTouches, resolvePath } from './touches.ts';

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
  const effect = effectOf(kind, call, input);
  const target = effect.target ?? targetOf({ kind, command: effect.command, path: pathArgument(input), input, call });
  return {
    tool: call.name,
    type: /delete|remove_?file/.test(plainName(call.name)) ? 'delete' : typeOfKind[kind],
    target,
    files: effect.files,
    sideEffect: effect.outside ?? (toolActsOutside(call, kind) ? target || call.name : undefined),
    // Tools of a service name the thing first and then what is to become of it, which varies from try to try.
    keys: (effect.keys ?? [kind === 'other' ? (target.split(', ', 1)[0] ?? '') : target]).map(
      (key) => `${call.name}\n${key}`,
    ),
    plan: kind === 'todo' ? planChange(plainName(call.name), input) : undefined,
  };
}

interface Effect {
  readonly files: readonly FileTouch[];
  readonly command?: string | undefined;
  readonly target?: string | undefined;
  readonly outside?: string | undefined;
  readonly keys?: readonly string[];
}

function effectOf(kind: ToolKind, call: ToolCallPart, input: JsonObject): Effect {
  const folder = firstString(input, ['workdir', 'cwd', 'working_directory', 'workingDirectory', 'dir_path']);
  if (kind === 'shell' || kind === 'code') {
    const command = commandOf(call);
    if (command === undefined) return { files: [] };
    if (kind === 'code') {
      return {
        files: codeTouches(command),
        command,
        outside: codeActsOutside(command) ? firstLine(command) : undefined,
      };
    }
    const { files, outside, keys } = readCommand(command, folder);
    return { files, command, outside: outside.length > 0 ? outside.join(' && ') : undefined, keys };
  }
  const patched = kind === 'edit' ? patchTouches(patchText(call, input), folder) : [];
  if (patched.length > 0) return { files: patched, target: patched[0]?.path };
  return { files: toolTouches(kind, call, input).map((one) => ({ ...one, path: resolvePath(one.path, folder) })) };
}

const firstLine = (text: string): string => text.trim().split('\n', 1)[0] ?? '';

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

const pathArgument = (input: JsonObject): string | undefined => firstString(input, pathKeys);

/** Every path that a tool is given: one, or a list of them. */
function pathArguments(input: JsonObject): readonly string[] {
  const list = [input.paths, input.file_paths, input.files].find(Array.isArray);
  const listed = list?.filter((entry) => typeof entry === 'string' && entry.trim() !== '') ?? [];
  const path = pathArgument(input);
  // The filter above leaves strings, which the type of a JSON list forgets.
  return path === undefined ? (listed as string[]) : [path];
}

function toolTouches(kind: ToolKind, call: ToolCallPart, input: JsonObject): readonly FileTouch[] {
  const name = plainName(call.name);
  if (/^(?:move|rename|copy)(?:_?file)?$/.test(name)) return moved(name, input);
  const state = stateOfKind(kind, name);
  return state === undefined ? [] : pathArguments(input).map((path) => ({ path, state }));
}

function stateOfKind(kind: ToolKind, name: string): FileTouch['state'] | undefined {
  if (/delete|remove_?file/.test(name)) return 'deleted';
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
