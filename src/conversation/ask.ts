/** Takes a request apart, and only looks at what of it is new. */
import { checkMessages } from '../compression/options.ts';
import { PalimpsestError } from '../shared/errors.ts';
import type { ContextRequest } from './request.ts';
import type { Asked, Runtime } from './runtime.ts';
import { type RollingHashes, rollingHashes } from './said.ts';

/** @throws BAD_MESSAGES, BAD_OPTION for what is no request */
export function askedFor(runtime: Runtime, request: ContextRequest): Asked {
  const { messages, tools = [], sessionId, focusTopic, maxTokens, signal } = request;
  if (!Array.isArray(tools)) throw new PalimpsestError('BAD_OPTION', 'expected as tools a list of definitions');
  // Whatever untyped callers hand over is looked at before anything is read of it.
  const list: readonly { readonly role?: string }[] = Array.isArray(messages) ? messages : [];
  const opening = list.findIndex((message) => message?.role !== 'system');
  const known = opening < 0 ? [] : knownStart(runtime, messages.slice(opening));
  checkMessages(known.length > 0 ? messages.toSpliced(opening, known.length) : messages);
  if (opening < 0) {
    throw new PalimpsestError('BAD_MESSAGES', 'expected something said besides system prompts, got nothing to answer');
  }
  const said = messages.slice(opening);
  const call = {
    ...(focusTopic === undefined ? {} : { focusTopic }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(signal === undefined ? {} : { signal }),
  };
  const prompts = messages.slice(0, opening);
  return { prompts, said, hashes: rollingHashes(said, known), tools, sessionId, call, notices: [] };
}

/** The hashes of the messages that a client sends again as the same objects. */
function knownStart({ openers }: Runtime, said: ContextRequest['messages']): RollingHashes {
  const [opener] = said;
  const near = typeof opener === 'object' && opener !== null ? openers.get(opener) : undefined;
  if (!near) return [];
  const end = Math.min(near.said.length, said.length);
  let same = 0;
  while (same < end && near.said[same] === said[same]) same++;
  return near.hashes.slice(0, same);
}
