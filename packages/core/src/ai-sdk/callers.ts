/**
 * Which session a tool call was made in. Ids alone do not tell: some providers count them up in every conversation, and a tool
 * that answers out of another one gives away what was said there. What was said before the call tells.
 */
import { isOnce } from '../conversation/said.ts';
import { contentHash } from '../shared/hash.ts';
import type { SessionId } from '../store/ids.ts';
import type { GivenMessage, GivenMessages } from './interface.ts';

/** A tool call that a model asked for. */
interface CallerNote {
  readonly callId: string;
  readonly name: string;
  /** What the model was asked with, as the program made it. */
  readonly prompt: SaidList;
  readonly sessionId: SessionId;
}

/** The newest tool calls of all conversations of a wrapped model. */
export interface Callers {
  note(call: CallerNote): void;
  /**
   * The session in which a call was made behind these messages; undefined where nobody made it, or several did that cannot be
   * told apart. Messages that are none of those that the model was asked with are passed over only for an id that comes once.
   * They are asked for only where somebody made a call with that id.
   */
  sessionOf(callId: string, before: () => SaidList): SessionId | undefined;
}

export function createCallers(): Callers {
  const sessions = new Map<string, readonly SessionId[]>();
  // Each call has an entry or two there, so of every entry the id is here.
  const ids = new Map<string, true>();
  const add = (key: string, sessionId: SessionId): void => {
    const known = sessions.get(key) ?? [];
    // Two are as good as many.
    remember(sessions, key, known.includes(sessionId) ? known : [...known.slice(-1), sessionId]);
  };
  const only = (key: string): SessionId | undefined => {
    const [one, ...others] = sessions.get(key) ?? [];
    return others.length === 0 ? one : undefined;
  };
  return {
    note({ callId, name, prompt, sessionId }) {
      remember(ids, callId, true);
      add(placeOf(callId, saidKey(prompt)), sessionId);
      if (isOnce({ callId, name })) add(callId, sessionId);
    },
    sessionOf(callId, before) {
      if (!ids.has(callId)) return undefined;
      const said = before();
      const place = placeOf(callId, saidKey(said, callStart(said.messages, callId)));
      return sessions.has(place) ? only(place) : only(callId);
    },
  };
}

const placeOf = (callId: string, said: string): string => `${said} ${callId}`;

/** Where the message with a call stands that waits for its result, as it does when a person had to allow it; else the end. */
function callStart(messages: GivenMessages, callId: string): number {
  const at = messages.findLastIndex(({ role }) => role === 'assistant');
  const asks = at >= 0 && has(messages[at], 'tool-call', callId);
  const isAnswered = messages.slice(at + 1).some((message) => has(message, 'tool-result', callId));
  return asks && !isAnswered ? at : messages.length;
}

function has(message: GivenMessage | undefined, type: 'tool-call' | 'tool-result', callId: string): boolean {
  const content = message?.content ?? '';
  if (typeof content === 'string') return false;
  return content.some((part) => part.type === type && 'toolCallId' in part && part.toolCallId === callId);
}

/** How many entries are kept. */
const kept = 10_000;

/** Puts an entry into a map that forgets the oldest ones. */
export function remember<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= kept) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}

// What was said in a list of messages, as a key that is the same for the messages of a program and for the prompt that the SDK
// makes of them. The SDK joins the results of tools, leaves out empty texts and what a person allowed, and fetches files.

/** Messages as somebody gave them. */
export interface SaidList {
  readonly messages: GivenMessages;
  /**
   * For each of them an object that stands for what it says, and is the same in the next step: reading a long list anew in every
   * step is what a step would cost. @default the messages themselves
   */
  readonly same?: readonly object[];
}

/** The key after all messages of a list, or the first `end` of them; system prompts make no difference. */
function saidKey({ messages, same = messages }: SaidList, end: number = messages.length): string {
  let key = '';
  for (let at = 0; at < end; at++) {
    const message = messages[at];
    if (message && message.role !== 'system') key = keyAfter(key, message, same[at] ?? message);
  }
  return key;
}

/** The key that a message led to. */
const led = new WeakMap<object, { readonly from: string; readonly to: string }>();

function keyAfter(from: string, message: GivenMessage, same: object): string {
  const known = led.get(same);
  if (known?.from === from) return known.to;
  let to = from;
  for (const piece of piecesOf(message)) to = contentHash(to + piece);
  led.set(same, { from, to });
  return to;
}

/** Results stand alone, in whatever messages they came. */
function piecesOf({ role, content }: GivenMessage): readonly string[] {
  const parts: readonly unknown[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const said = parts.map(pieceOf).filter((piece) => piece !== '');
  return role === 'tool' ? said : [`${role}${said.join('')}`];
}

/** The fields of any part, and of what stands in a result. */
interface Fields {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly value?: unknown;
  readonly [field: string]: unknown;
}

function pieceOf(part: unknown): string {
  // A part of any kind is an object of the SDK.
  const { type, ...fields } = part as Fields;
  switch (type) {
    case 'text':
      return fields.text === '' ? '' : field('t', fields.text);
    case 'tool-call':
      return field('c', fields.toolCallId) + field('n', fields.toolName) + field('i', once(fields.input));
    case 'tool-result':
      return field('r', fields.toolCallId) + field('o', outputOf(fields.output));
    case 'file':
    case 'image':
      return 'f';
    default:
      return '';
  }
}

/** Of a list of contents the texts; the SDK writes files anew. */
function outputOf(output: unknown): string {
  const { type, value } = (output ?? {}) as Fields;
  if (type !== 'content' || !Array.isArray(value)) return once(output);
  return value.map((one: Fields) => (one.type === 'text' ? field('t', one.text) : 'f')).join('');
}

const hashes = new WeakMap<object, string>();

/** The hash of a value; arguments and results stay the same objects from step to step. */
function once(value: unknown): string {
  if (typeof value !== 'object' || value === null) return contentHash(jsonOf(value));
  const hash = hashes.get(value) ?? contentHash(jsonOf(value));
  hashes.set(value, hash);
  return hash;
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    // A program may have put anything into it; nobody can tell two of them apart.
    return 'unreadable';
  }
}

/** Its length goes first, so that no two lists run into the same text. */
function field(name: string, value: unknown): string {
  const text = String(value);
  return `${name}${text.length}:${text}`;
}
