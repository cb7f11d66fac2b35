/** What a tool call is about: its type, its target, the files it touches, and whether it may be done twice. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import type { ToolCallPart } from '../../transcript/message.ts';
import { commandOf } from '../shell-command.ts';
import { callArguments, plainName, type ToolKind, toolKind } from '../tool-kinds.ts';
import type { ActionType, FileFact, PlanEntry } from './facts.ts';

export interface FileTouch {
  readonly path: string;
  readonly state: FileFact['state'];
}

/** A call as the ledger sees it before its result is known. */
export interface Intent {
  readonly tool: string;
  readonly type: ActionType;
  readonly target: string;
  readonly files: readonly FileTouch[];
  /** True for an effect outside the working copy that must not be repeated. */
  readonly sideEffect: boolean;
  /** The agent's plan, when the call sets it whole. */
  readonly plan: readonly PlanEntry[] | undefined;
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
  const command = kind === 'shell' || kind === 'code' ? commandOf(call) : undefined;
  const patched = kind === 'edit' ? patchTouches(patchText(call, input)) : [];
  const path = pathArgument(input);
  const files =
    patched.length > 0 ? patched : command !== undefined ? commandTouches(command) : touch(path, kind, call);
  return {
    tool: call.name,
    type: plainName(call.name).includes('delete') ? 'delete' : typeOfKind[kind],
    target: patched[0]?.path ?? targetOf(kind, { command, path, input, call }),
    files,
    sideEffect: command === undefined ? toolActsOutside(call, kind) : commandActsOutside(command),
    plan: kind === 'todo' ? planOf(input) : undefined,
  };
}

const planStates: Readonly<Record<string, PlanEntry['state']>> = {
  completed: 'done',
  done: 'done',
  in_progress: 'active',
  active: 'active',
};

/** The entries of a to-do call: lists of `{content | step | title | text, status}`. */
function planOf(input: JsonObject): readonly PlanEntry[] | undefined {
  const list = [input.todos, input.plan, input.items, input.tasks].find(Array.isArray);
  const entries = list?.filter(isJsonObject).flatMap((entry): PlanEntry[] => {
    const text = firstString(entry, ['content', 'step', 'title', 'text', 'task', 'subject', 'description']);
    const status = typeof entry.status === 'string' ? entry.status.toLowerCase() : '';
    return text === undefined ? [] : [{ text, state: planStates[status] ?? 'open' }];
  });
  return entries && entries.length > 0 ? entries : undefined;
}

const pathKeys = ['file_path', 'filePath', 'path', 'notebook_path', 'target_file', 'filename', 'file', 'uri'];

const pathArgument = (input: JsonObject): string | undefined => firstString(input, pathKeys);

function firstString(input: JsonObject, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = input[key];
    if (typeof value === 'string' && value.trim()) return value.trim();
  }
  return undefined;
}

interface Target {
  readonly command: string | undefined;
  readonly path: string | undefined;
  readonly input: JsonObject;
  readonly call: ToolCallPart;
}

const targetKeys = [
  'pattern',
  'query',
  'url',
  'description',
  'prompt',
  'question',
  'name',
  'title',
  'subject',
  'skill',
];

function targetOf(kind: ToolKind, { command, path, input, call }: Target): string {
  if (command !== undefined) return oneLine(command);
  const named = firstString(input, targetKeys);
  if (kind === 'search') return oneLine([named, path].filter(Boolean).join(' in '));
  if (path !== undefined) return path;
  if (named !== undefined) return oneLine(named);
  if (call.inputType === 'text') return oneLine(call.input);
  const values = Object.values(input).flatMap((value: JsonValue) =>
    typeof value === 'string' || typeof value === 'number' ? [String(value)] : [],
  );
  return oneLine(values.slice(0, 2).join(', '));
}

/** The first line that says something; `cd somewhere &&` in front of a command does not. */
function oneLine(text: string): string {
  const line = text.split('\n').find((l) => l.trim() && !l.trim().startsWith('#')) ?? '';
  return line.trim().replace(/^cd \S+ *(?:&&|;) */, '');
}

function touch(path: string | undefined, kind: ToolKind, call: ToolCallPart): readonly FileTouch[] {
  if (path === undefined) return [];
  if (plainName(call.name).includes('delete')) return [{ path, state: 'deleted' }];
  if (kind === 'read') return [{ path, state: 'read' }];
  if (kind === 'write') return [{ path, state: 'created' }];
  return kind === 'edit' || kind === 'notebook' ? [{ path, state: 'changed' }] : [];
}

function patchText(call: ToolCallPart, input: JsonObject): string {
  if (call.inputType === 'text') return call.input;
  return firstString(input, ['patch', 'input', 'diff']) ?? '';
}

const patchHeader = /^\*\*\* (Add|Update|Delete) File: (.+)$|^\+\+\+ (?:b\/)?(\S+)/gm;

function patchTouches(patch: string): readonly FileTouch[] {
  const touches: FileTouch[] = [];
  for (const [, verb, named, plus] of patch.matchAll(patchHeader)) {
    const path = named?.trim() ?? plus;
    if (!path || path === '/dev/null') continue;
    touches.push({ path, state: verb === 'Add' ? 'created' : verb === 'Delete' ? 'deleted' : 'changed' });
  }
  return touches;
}

const fileShape = /^(?:[~.]{0,2}\/)?[\w@.+-]+(?:\/[\w@.+-]+)*$/;
const isFile = (word: string | undefined): word is string =>
  word !== undefined && word.length >= 3 && fileShape.test(word) && /[./]/.test(word) && !/^[\d.]+$/.test(word);

/** Files that a command line writes, moves or removes, as far as its words show it. */
function commandTouches(command: string): readonly FileTouch[] {
  const touches: FileTouch[] = [];
  const add = (path: string | undefined, state: FileTouch['state']): void => {
    if (isFile(path) && !path.startsWith('/dev/')) touches.push({ path, state });
  };
  for (const segment of command.slice(0, 4000).split(/&&|\|\||[;\n|]/)) {
    const words = segment.trim().split(/\s+/);
    const [first, second] = words;
    const paths = words.slice(1).filter((word) => !word.startsWith('-'));
    if (first === 'rm' || (first === 'git' && second === 'rm')) for (const path of paths) add(path, 'deleted');
    else if (first === 'mv' || (first === 'git' && second === 'mv')) {
      add(paths.at(-2), 'deleted');
      add(paths.at(-1), 'created');
    } else if (first === 'touch') for (const path of paths) add(path, 'created');
    else if (first === 'cp') add(paths.at(-1), 'created');
    else if (first === 'sed' && words.some((word) => word.startsWith('-i'))) add(paths.at(-1), 'changed');
    for (const [, path] of segment.matchAll(/(?<![0-9&])>{1,2}\s*([^\s&|;<>]+)/g)) add(path, 'created');
  }
  return touches;
}

const outsideCommands: readonly RegExp[] = [
  /\bgit (?:-C \S+ )?(?:push|commit|tag (?!-l|--list)\S|merge|rebase|cherry-pick|reset --hard)\b/,
  /\bgh (?:pr|issue|release|repo|workflow|api)\b.*\b(?:create|merge|close|comment|edit|delete|run|upload|-X|--method|-f)\b/,
  /\b(?:npm|pnpm|yarn|cargo|twine|gem|poetry|uv) (?:publish|upload|deprecate|unpublish|yank)\b/,
  /\b(?:docker|podman) (?:push|rm|stop|kill|system prune)\b|\bhelm (?:install|upgrade|uninstall)\b/,
  /\bkubectl (?:apply|create|delete|scale|rollout|patch|edit)\b|\bterraform (?:apply|destroy|import)\b/,
  /\bcurl\b.*(?:-X ?|--request[ =])(?:POST|PUT|PATCH|DELETE)|\bcurl\b.*(?:\s-d\s|--data)/,
  /\b(?:vercel|netlify|fly|flyctl|heroku|wrangler|firebase|gcloud|aws|az)\b.*\b(?:deploy|apply|create|delete|put|update|release|push|rm|cp|sync)\b/,
  /\b(?:scp|rsync|sendmail|mail|systemctl (?:start|stop|restart|enable|disable)|kill|pkill|killall|shutdown|reboot)\b/,
  /\b(?:migrate|db:migrate|migration:run|alembic upgrade|prisma migrate|flyway)\b/,
  /\b(?:insert into|update \w+ set|delete from|drop (?:table|database)|alter table|truncate table)\b/i,
];

/** True when a command line changes something outside the working copy, or its recorded history. */
export function commandActsOutside(command: string): boolean {
  const text = command.slice(0, 4000);
  return outsideCommands.some((pattern) => pattern.test(text));
}

const outsideVerbs =
  /^(?:send|post|publish|create|book|order|pay|purchase|cancel|update|delete|refund|transfer|merge|deploy|submit|schedule|reply|comment|invite|approve|reject|close|add|remove|modify|charge|issue|trigger|run_workflow)[_A-Z]/;

/** Tools whose name says that they act on a service: `book_reservation`, `sendEmail`, `create_pull_request`. */
function toolActsOutside(call: ToolCallPart, kind: ToolKind): boolean {
  if (kind !== 'other') return false;
  const name = call.name.replace(/^mcp__.*?__/, '').replace(/^.*[./:](?=[^./:]+$)/, '');
  return outsideVerbs.test(name);
}
