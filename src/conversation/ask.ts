/** Takes a request apart, and only looks at what of it is new. */
import { checkMessages } from '../compression/options.ts';
import { PalimpsestError } from '../shared/errors.ts';
import { isSameMessage } from '../transcript/identity.ts';
import type { Message } from '../transcript/message.ts';
import type { LiveConversation } from './live.ts';
import { unfenced } from './recall-fence.ts';
import type { ContextRequest } from './request.ts';
import type { Asked, Runtime } from './runtime.ts';
import { rollingHashes } from './said.ts';

/** @throws BAD_MESSAGES, BAD_OPTION for what is no request */
export function askedFor(runtime: Runtime, request: ContextRequest): Asked {
  const { messages, tools = [], sessionId, focusTopic, maxTokens, recall, signal } = request;
  if (!Array.isArray(tools)) throw new PalimpsestError('BAD_OPTION', 'expected as tools a list of definitions');
  const opening = Array.isArray(messages) ? messages.findIndex((message) => message?.role !== 'system') : -1;
  checkMessages(opening < 0 ? messages : messages.slice(0, opening + 1));
  if (opening < 0) {
    throw new PalimpsestError('BAD_MESSAGES', 'expected something said besides system prompts, got nothing to answer');
  }
  const call = {
    ...(focusTopic === undefined ? {} : { focusTopic }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(recall === undefined ? {} : { recall }),
    ...(signal === undefined ? {} : { signal }),
  };
  const prompts = messages.slice(0, opening);
  return { prompts, ...saidBefore(runtime, messages.slice(opening)), tools, sessionId, call, notices: [] };
}

/**
 * What was said, in the objects of the request before where they are equal: clients send their whole list anew, and what
 * is known of an object (its hash, its tokens, that it is valid) need not be found out again.
 */
function saidBefore({ openers }: Runtime, sent: readonly Message[]): Pick<Asked, 'said' | 'hashes'> {
  // The first message was looked at with the system prompts.
  const alike = openers.get(rollingHashes(sent.slice(0, 1).map(unfenced))[0] ?? '') ?? [];
  // Objects that were sent before were looked at before.
  const fresh = sent.slice(Math.max(0, ...alike.map((one) => startOf(one.said, sent, isSame))));
  checkMessages(fresh);
  // Recalled text that comes back is nobody's words.
  const said = fresh.some((message) => unfenced(message) !== message) ? sent.map(unfenced) : sent;
  let [same, near]: [number, LiveConversation | undefined] = [0, undefined];
  for (const one of alike) {
    const shared = startOf(one.said, said, isEqual);
    if (shared > same) [same, near] = [shared, one];
  }
  if (!near) return { said, hashes: rollingHashes(said) };
  const isKept = startOf(near.said, said, isSame) === same;
  const known = isKept ? said : [...near.said.slice(0, same), ...said.slice(same)];
  return { said: known, hashes: rollingHashes(known, { hashes: near.hashes, size: same }) };
}

/** How many messages two lists share from their start on. */
function startOf(
  a: readonly Message[],
  b: readonly Message[],
  isShared: (one: Message, other: Message) => boolean,
): number {
  const end = Math.min(a.length, b.length);
  for (let at = 0; at < end; at++) {
    const [one, other] = [a[at], b[at]];
    if (!one || !other || !isShared(one, other)) return at;
  }
  return end;
}

const isSame = (a: Message, b: Message): boolean => a === b;

/** With every field that can be sent. */
const isEqual = (a: Message, b: Message): boolean =>
  a === b ||
  (isSameMessage(a, b) &&
    a.origin === b.origin &&
    a.time === b.time &&
    a.model === b.model &&
    a.providerId === b.providerId &&
    (a.extra === b.extra || JSON.stringify(a.extra) === JSON.stringify(b.extra)));
