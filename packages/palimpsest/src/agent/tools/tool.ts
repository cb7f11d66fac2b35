/** A tool as its file writes it, and what all of them need. */
import { isJsonObject, type JsonObject, nearest } from '@palimpsest/core/settings';
import type { PathPlace, Project } from '../approval/project.ts';
import type { ApprovalRequest, Approve } from '../approval/request.ts';

/** Answers with a text, whatever a model sends; rejects only with the reason of the signal. */
export interface AgentTool {
  readonly name: string;
  readonly description: string;
  /** A JSON Schema. */
  readonly parameters: JsonObject;
  run(given: unknown, call: ToolCall): Promise<string>;
}

export interface ToolCall {
  /** The id of the call, as the model gave it. */
  readonly id: string;
  readonly signal: AbortSignal | undefined;
}

/** Where tools act, and whom they ask. */
export interface ToolPlace {
  readonly project: Project;
  readonly approve: Approve;
}

/** What a model may give, by name; what is missing is undefined. */
export type ArgumentType = 'text' | 'number' | 'flag' | 'list';

export interface Arguments {
  text(name: string): string | undefined;
  number(name: string): number | undefined;
  flag(name: string): boolean;
  list(name: string): readonly unknown[] | undefined;
}

/** Reads what a model sends: a number as a text is a number. A text says what is wrong, and what is taken. */
export function readArguments(given: unknown, known: Readonly<Record<string, ArgumentType>>): Arguments | string {
  if (!isJsonObject(given)) return `Expected an object with ${Object.keys(known).join(', ')}.`;
  const values = new Map<string, unknown>();
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined) continue;
    const type = known[name];
    if (!Object.hasOwn(known, name) || type === undefined) return unknownArgument(name, Object.keys(known));
    const read = converted(value, type);
    if (read === undefined) return `Expected ${name} as a ${type}, got ${JSON.stringify(value).slice(0, 60)}.`;
    values.set(name, read);
  }
  const of = <T>(name: string, is: (value: unknown) => value is T): T | undefined => {
    const value = values.get(name);
    return is(value) ? value : undefined;
  };
  return {
    text: (name) => of(name, (value) => typeof value === 'string'),
    number: (name) => of(name, (value) => typeof value === 'number'),
    flag: (name) => of(name, (value) => typeof value === 'boolean') ?? false,
    list: (name) => of(name, (value) => Array.isArray(value)),
  };
}

function unknownArgument(name: string, names: readonly string[]): string {
  const near = nearest(name, names);
  return `There is no argument ${name.slice(0, 40)}: ${near === undefined ? `there are ${names.join(', ')}` : `did you mean ${near}?`}`;
}

function converted(value: unknown, type: ArgumentType): unknown {
  switch (type) {
    case 'text':
      return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined;
    case 'number': {
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
      return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
    }
    case 'flag':
      return typeof value === 'boolean' ? value : value === 'true' ? true : value === 'false' ? false : undefined;
    case 'list':
      return listOf(value);
  }
}

/** Some models write a list as a text. */
function listOf(value: unknown): unknown {
  if (typeof value !== 'string') return Array.isArray(value) ? value : isJsonObject(value) ? [value] : undefined;
  try {
    const read: unknown = JSON.parse(value);
    return Array.isArray(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

/** Where a path leads; a text where it is none. */
export function placeOf(path: string | undefined, { project }: ToolPlace): PathPlace | string {
  if (path === undefined || path.trim() === '') return 'Expected path: a file or folder, relative to the project.';
  if (path.includes('\0') || path.length > 4_000) return 'Expected path as the name of a file, got something else.';
  return project.look(path);
}

/** Asks for reading, where that is no matter of course. Undefined where it may be read, else what to tell the model. */
export async function mayRead(tool: string, place: PathPlace, { call, approve }: Asking): Promise<string | undefined> {
  if ((place.isInside || place.isSkill) && !place.isSecret) return undefined;
  const kind = place.isSecret ? 'read-secret' : 'read-outside';
  return refusal({ tool, kind, target: place.path }, { call, approve });
}

export interface Asking {
  readonly approve: Approve;
  readonly call: ToolCall;
}

/** Undefined where it is allowed. */
export async function refusal(request: ApprovalRequest, { call, approve }: Asking): Promise<string | undefined> {
  const result = await approve(request, call.signal);
  call.signal?.throwIfAborted();
  return result.allowed ? undefined : result.reason;
}

/** 12345 → `12,345`. */
export const grouped = (count: number): string => String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',');

export const counted = (count: number, noun: string): string => `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
