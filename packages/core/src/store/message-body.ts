/** How every adapter writes a message down, and the id that follows from it. */
import { hash } from 'node:crypto';
import { PalimpsestError } from '../shared/errors.ts';
import type { Message, Part, Role } from '../transcript/message.ts';
import type { MessageId } from './ids.ts';

/** A message as it is stored. */
export interface MessageBody {
  /** JSON without the place in a file. Fields of the model stand in alphabetical order, those of a format as they came. */
  readonly text: string;
  /** SHA-256 of the text. */
  readonly hash: Uint8Array;
  /** The ids that it may get, best first: another content may have taken the first one. */
  readonly ids: readonly MessageId[];
}

const idDigits = 16;
const idStarts: readonly number[] = [0, 16, 32, 48];

/** Writes a message down. Throws `BAD_MESSAGES` for what is none; `at` is its place in what the caller handed in. */
export function messageBody(message: Message, at: number): MessageBody {
  requireMessage(message, at);
  const { source: _, ...content } = message;
  // JSON escapes NUL and lone surrogates, which text columns cannot hold.
  const text = jsonOf({ ...inOrder(content), parts: message.parts.map(partInOrder) }, at);
  return { text, ...contentIds(text) };
}

/** Hash and ids of a text: ids are cut from the digits of its SHA-256, one behind the other. */
export function contentIds(text: string | Uint8Array): { hash: Uint8Array; ids: readonly string[] } {
  const bytes = hash('sha256', text, 'buffer');
  const digits = bytes.toString('hex');
  return { hash: bytes, ids: idStarts.map((start) => digits.slice(start, start + idDigits)) };
}

/** JSON of a message. What is no JSON, or lists within lists thousands deep, is refused. */
function jsonOf(value: object, at: number): string {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    throw badMessage(at, 'values that JSON can hold, nested some hundred levels deep at most', cause);
  }
}

function partInOrder(part: Part): object {
  const ordered = inOrder(part);
  return part.type === 'toolResult' ? { ...ordered, content: part.content.map(inOrder) } : ordered;
}

/** The same fields, sorted by name, so that the same message is the same text whoever built it. */
function inOrder(value: object): object {
  const keys = Object.keys(value);
  if (isSorted(keys)) return value;
  return Object.fromEntries(keys.sort().map((key) => [key, Reflect.get(value, key)]));
}

function isSorted(keys: readonly string[]): boolean {
  for (let i = 1; i < keys.length; i++) if ((keys[i - 1] ?? '') > (keys[i] ?? '')) return false;
  return true;
}

// What can be stored: a message with parts of the types that there are, each with the fields that everybody reads.

const roles: Readonly<Record<Role, true>> = { system: true, user: true, assistant: true, tool: true };

/** The fields of each type of part that must be texts; without it the field may be absent. */
const texts: Readonly<
  Record<Part['type'], { readonly always: readonly string[]; readonly sometimes?: readonly string[] }>
> = {
  text: { always: ['text'] },
  reasoning: { always: ['text'], sometimes: ['signature', 'encrypted'] },
  image: { always: [], sometimes: ['mediaType', 'data', 'url', 'fileId'] },
  file: { always: [], sometimes: ['mediaType', 'name', 'data', 'url', 'fileId', 'text'] },
  toolCall: { always: ['callId', 'name', 'input'] },
  toolResult: { always: ['callId'], sometimes: ['name'] },
  other: { always: [] },
};

const fieldsOfMessage = ['name', 'time', 'model', 'providerId'];

/** Throws `BAD_MESSAGES` for what is no message; `at` is its place in what the caller handed in. */
function requireMessage(message: Message, at: number): void {
  const fault = faultOf(message);
  if (fault !== undefined) throw badMessage(at, fault);
}

/** `expected` says what a message must have. */
function badMessage(at: number, expected: string, cause?: unknown): PalimpsestError {
  const text = `Message ${at} cannot be stored: expected ${expected}. Read other formats with readTranscript first.`;
  return new PalimpsestError('BAD_MESSAGES', text, { evidence: { at }, ...(cause === undefined ? {} : { cause }) });
}

/** What was expected where something else came; undefined for a message that is one. Reads what any caller may pass. */
function faultOf(message: unknown): string | undefined {
  const role = field(message, 'role');
  const parts = field(message, 'parts');
  if (typeof role !== 'string' || !Object.hasOwn(roles, role) || !Array.isArray(parts))
    return `a role (${Object.keys(roles).join(', ')}) and a list of parts`;
  const wrong = fieldsOfMessage.find((name) => !isTextOrNone(field(message, name)));
  if (wrong !== undefined) return `${wrong} to be a text`;
  for (const [place, part] of parts.entries()) {
    const fault = faultOfPart(part);
    if (fault !== undefined) return `part ${place} to have ${fault}`;
  }
  return undefined;
}

function faultOfPart(part: unknown): string | undefined {
  const type = field(part, 'type');
  if (!isPartType(type)) return `a type (${Object.keys(texts).join(', ')})`;
  const { always, sometimes = [] } = texts[type];
  const wrong =
    always.find((name) => typeof field(part, name) !== 'string') ??
    sometimes.find((name) => !isTextOrNone(field(part, name)));
  if (wrong !== undefined) return `a text as its ${wrong}`;
  return type === 'toolResult' ? faultOfContent(field(part, 'content')) : undefined;
}

/** Calls, results and reasoning do not stand inside a result. */
const inResults: readonly unknown[] = ['text', 'image', 'file', 'other'];

function faultOfContent(content: unknown): string | undefined {
  if (!Array.isArray(content)) return 'a list as its content';
  for (const one of content) {
    const fault = inResults.includes(field(one, 'type')) ? faultOfPart(one) : `a type (${inResults.join(', ')})`;
    if (fault !== undefined) return `content with ${fault}`;
  }
  return undefined;
}

const isPartType = (type: unknown): type is Part['type'] => typeof type === 'string' && Object.hasOwn(texts, type);

const isTextOrNone = (value: unknown): boolean => value === undefined || typeof value === 'string';

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
