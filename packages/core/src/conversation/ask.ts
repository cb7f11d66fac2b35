/** Takes a request apart, and only looks at what of it is new. */
import { checkMessages } from '../compression/options.ts';
import { defined } from '../shared/defined.ts';
import { PalimpsestError } from '../shared/errors.ts';
import { aText, checkValues, type OptionRule } from '../shared/options/known-options.ts';
import { isSameMessage, type Message } from '../transcript/message.ts';
import { type Asked, type LiveConversation, promptsIn, type Runtime } from './live.ts';
import { unpaused } from './pauses.ts';
import { unfenced } from './recall-fence.ts';
import type { ContextRequest } from './request.ts';
import { type RollingHashes, rollingHashes } from './said.ts';

/** @throws BAD_MESSAGES, BAD_OPTION for what is no request */
export function askedFor(runtime: Runtime, request: ContextRequest): Asked {
  const { messages, tools = [], sessionId, project, follows, focusTopic, maxTokens, recall, signal } = request;
  checkRequest(request);
  const opening = Array.isArray(messages) ? messages.findIndex((message) => message?.role !== 'system') : -1;
  checkMessages(opening < 0 ? messages : messages.slice(0, opening + 1));
  if (opening < 0) {
    throw new PalimpsestError('BAD_MESSAGES', 'expected a message besides system prompts, got none');
  }
  const call = defined({ project, follows, focusTopic, maxTokens, recall, signal });
  const { near, ...said } = saidBefore(runtime, messages.slice(opening));
  const prompts = promptsBefore(near, messages.slice(0, opening));
  return { prompts, ...said, tools, sessionId, call, notices: [] };
}

/** What goes with the messages of a request. @throws BAD_OPTION */
export function checkRequest(request: Omit<ContextRequest, 'messages'>): void {
  checkValues(request, requestRules);
}

const isDefinition = (tool: unknown): boolean => tool !== undefined && typeof tool !== 'function';

const requestRules: Readonly<Record<Exclude<keyof ContextRequest, 'messages' | 'focusTopic'>, OptionRule>> = {
  tools: { expected: 'a list of definitions', holds: (tools) => Array.isArray(tools) && tools.every(isDefinition) },
  sessionId: { ...aText, expected: 'the id of a session' },
  follows: { ...aText, expected: 'the id of a session' },
  project: { ...aText, expected: 'the path of a folder' },
  maxTokens: { expected: 'a number of tokens', holds: (value) => typeof value === 'number' && !Number.isNaN(value) },
  recall: aText,
  signal: {
    expected: 'an AbortSignal',
    // Of whatever realm: test runners bring their own.
    holds: (signal) => typeof Reflect.get(Object(signal), 'throwIfAborted') === 'function',
  },
};

/** What was said, and the conversation that shares most of it. */
interface SaidBefore extends Pick<Asked, 'said' | 'hashes' | 'isUnfenced'> {
  readonly near: LiveConversation | undefined;
}

/**
 * What was said, in the objects of the request before where they are equal: clients send their whole list anew, and what
 * is known of an object (its hash, its tokens, that it is valid) need not be found out again.
 */
function saidBefore({ openers }: Runtime, sent: readonly Message[]): SaidBefore {
  // The first message was looked at with the system prompts.
  const alike = openers.get(rollingHashes(sent.slice(0, 1).map(asTyped))[0] ?? '') ?? [];
  let { same, near, isKept } = longestShared(alike, sent);
  // What equals a message that was sent before was looked at before.
  const fresh = sent.slice(same);
  checkMessages(fresh);
  let said = sent;
  if (fresh.some((message) => asTyped(message) !== message)) {
    // Recalled text that comes back is nobody's words, nor is the mark of a pause.
    said = sent.map(asTyped);
    ({ same, near, isKept } = longestShared(alike, said));
  }
  const isUnfenced = said !== sent;
  if (!near) return { said, hashes: rollingHashes(said), isUnfenced, near };
  const known = isKept ? said : near.said.slice(0, same).concat(said.slice(same));
  return { said: known, hashes: rollingHashes(known, { hashes: near.hashes, size: same }), isUnfenced, near };
}

/** A message without what this program has put into it. */
const asTyped = (message: Message): Message => unpaused(unfenced(message));

/**
 * The hashes by which a list is recognised, for doors: without the system prompts that open it. Of its start, those that are
 * known are not computed again.
 */
export const saidHashes = (
  messages: readonly Message[],
  known?: { readonly hashes: RollingHashes; readonly size: number },
): RollingHashes => rollingHashes(messages.slice(promptsIn(messages)).map(asTyped), known);

interface Shared {
  /** How many messages are equal from the start on. */
  readonly same: number;
  readonly near: LiveConversation | undefined;
  /** They are the very same objects. */
  readonly isKept: boolean;
}

function longestShared(alike: readonly LiveConversation[], said: readonly Message[]): Shared {
  let longest: Shared = { same: 0, near: undefined, isKept: true };
  for (const near of alike) {
    const objects = sameObjects(near.said, said);
    const same = sameContent(near.said, said, objects);
    if (same > longest.same) longest = { same, near, isKept: same === objects };
  }
  return longest;
}

/** The system prompts, in the objects of the request before where they are equal. */
function promptsBefore(near: LiveConversation | undefined, prompts: readonly Message[]): readonly Message[] {
  const before = near?.lastPrompts ?? [];
  const isKnown = before.length === prompts.length && sameContent(before, prompts, 0) === before.length;
  return isKnown ? before : prompts;
}

/** How many messages at the start of two lists are the same objects. */
function sameObjects(a: readonly Message[], b: readonly Message[]): number {
  const end = Math.min(a.length, b.length);
  let at = 0;
  while (at < end && a[at] === b[at]) at++;
  return at;
}

/** How many messages at the start of two lists are equal, where so many are known to be. */
function sameContent(a: readonly Message[], b: readonly Message[], known: number): number {
  const end = Math.min(a.length, b.length);
  for (let at = known; at < end; at++) {
    const [one, other] = [a[at], b[at]];
    if (!one || !other || !isEqual(one, other)) return at;
  }
  return end;
}

/** With every field that can be sent. */
const isEqual = (a: Message, b: Message): boolean =>
  a === b ||
  (isSameMessage(a, b) &&
    a.origin === b.origin &&
    a.time === b.time &&
    a.model === b.model &&
    a.providerId === b.providerId &&
    (a.extra === b.extra || JSON.stringify(a.extra) === JSON.stringify(b.extra)));
