/** Takes a request apart, and only looks at what of it is new. */
import { checkMessages } from '../compression/options.ts';
import { PalimpsestError } from '../shared/errors.ts';
import { isSameMessage } from '../transcript/identity.ts';
import type { Message } from '../transcript/message.ts';
import { type LiveConversation, promptsIn } from './live.ts';
import type { ContextRequest } from './request.ts';
import type { Asked, Runtime } from './runtime.ts';
import { rollingHashes } from './said.ts';

/** @throws BAD_MESSAGES, BAD_OPTION for what is no request */
export function askedFor(runtime: Runtime, request: ContextRequest): Asked {
  const { messages, tools = [], sessionId, focusTopic, maxTokens, signal } = request;
  if (!Array.isArray(tools)) throw new PalimpsestError('BAD_OPTION', 'expected as tools a list of definitions');
  checkNew(messages);
  const opening = promptsIn(messages);
  if (opening === messages.length) {
    throw new PalimpsestError('BAD_MESSAGES', 'expected something said besides system prompts, got nothing to answer');
  }
  const call = {
    ...(focusTopic === undefined ? {} : { focusTopic }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(signal === undefined ? {} : { signal }),
  };
  const prompts = messages.slice(0, opening);
  return { prompts, ...saidBefore(runtime, messages.slice(opening)), tools, sessionId, call, notices: [] };
}

/** Messages that were looked at in an earlier request. */
const seen = new WeakSet<object>();

function checkNew(messages: readonly Message[]): void {
  let known = 0;
  if (Array.isArray(messages)) while (known < messages.length && seen.has(messages[known])) known++;
  const fresh = known > 0 ? messages.slice(known) : messages;
  checkMessages(fresh);
  for (const message of fresh) seen.add(message);
}

/**
 * What was said, in the objects of the request before where they are equal: clients send their whole list anew, and what
 * is known of an object (its hash, its tokens, that it is valid) need not be found out again.
 */
function saidBefore({ openers }: Runtime, said: readonly Message[]): Pick<Asked, 'said' | 'hashes'> {
  let [same, near]: [number, LiveConversation | undefined] = [0, undefined];
  for (const one of openers.get(rollingHashes(said.slice(0, 1))[0] ?? '') ?? []) {
    const shared = sameStart(one.said, said);
    if (shared > same) [same, near] = [shared, one];
  }
  if (!near) return { said, hashes: rollingHashes(said) };
  const known = [...near.said.slice(0, same), ...said.slice(same)];
  return { said: known, hashes: rollingHashes(known, near.hashes.slice(0, same)) };
}

/** How many messages two lists share from their start on. */
function sameStart(a: readonly Message[], b: readonly Message[]): number {
  const end = Math.min(a.length, b.length);
  for (let at = 0; at < end; at++) {
    const [one, other] = [a[at], b[at]];
    if (one !== other && !(one && other && isEqual(one, other))) return at;
  }
  return end;
}

/** With every field that can be sent. */
const isEqual = (a: Message, b: Message): boolean =>
  isSameMessage(a, b) &&
  a.origin === b.origin &&
  a.time === b.time &&
  a.model === b.model &&
  a.providerId === b.providerId &&
  (a.extra === b.extra || JSON.stringify(a.extra) === JSON.stringify(b.extra));
