/** ★ A person asks for a compression: done at once, whatever holds automatic ones back, and reported with every failure (F5). */

import { PalimpsestError } from '../shared/errors.ts';
import { newestSession } from '../store/newest-session.ts';
import { checkRequest } from './check-request.ts';
import { failuresOf } from './compress/compress-failures.ts';
import { type Shrunk, shrink } from './compress/shrink.ts';
import type { CompressReport, CompressRequest } from './compress-request.ts';
import { useWindow } from './engine-session.ts';
import { noteCompression, sizeOf } from './fit/fit.ts';
import { askedFor } from './follow/ask.ts';
import { follow, readBack } from './follow/follow.ts';
import type { LiveConversation } from './live/live.ts';
import type { ContextCompression, ContextSize } from './request.ts';
import type { Asked, Runtime } from './runtime.ts';
import { saveState } from './save-state.ts';
import { inTurn, type Turn } from './turns.ts';

/** See `ConversationRuntime.compress`. */
export async function compressNow(runtime: Runtime, request: CompressRequest): Promise<CompressReport> {
  const asked = await wanted(runtime, request);
  return inTurn(runtime, asked, async (turn) => {
    const { live, said } = await conversationFor(runtime, asked, turn);
    const basis = await runtime.basis();
    useWindow(runtime, live, basis.contextLength);
    const from = live.session.id;
    const before = sizeOf(basis, live, said);
    const messages = live.view.length;
    const shrunk = await shrink(runtime, live, { asked: said, size: before, cause: 'person' });
    const after = shrunk.type === 'done' ? sizeOf(basis, live, said) : before;
    await saveState(runtime, live);
    const compression = compressionOf(shrunk, { from, to: live.session.id, before, after });
    if (compression) await noteCompression(runtime, said, compression);
    const sizes = { before, after, messages: [messages, live.view.length] as const };
    return {
      ...{ status: compression ? 'compressed' : 'unchanged', sessionId: live.session.id, before, after },
      headline: headlineOf(shrunk, sizes),
      ...(compression ? { compression } : {}),
      failures: await failuresOf(runtime, live, shrunk),
      notices: [...asked.notices],
    };
  });
}

/** The request, or one that says nothing but the newest session of a stored conversation. */
async function wanted(runtime: Runtime, request: CompressRequest): Promise<Asked> {
  checkRequest(request);
  const { messages, sessionId, tools = [], focusTopic, signal } = request;
  const call = {
    ...(focusTopic === undefined ? {} : { focusTopic }),
    ...(signal === undefined ? {} : { signal }),
  };
  if (messages)
    return askedFor(runtime, { messages, tools, ...(sessionId === undefined ? {} : { sessionId }), ...call });
  if (sessionId === undefined) {
    throw new PalimpsestError('BAD_OPTION', 'expected messages or a sessionId to compress, got neither');
  }
  const { id } = await newestSession(runtime.settings.store.sessions, sessionId);
  return { prompts: [], said: [], hashes: [], tools, sessionId: id, call, notices: [] };
}

interface Found {
  readonly live: LiveConversation;
  /** The request with everything that was said in it. */
  readonly said: Asked;
}

async function conversationFor(runtime: Runtime, asked: Asked, turn: Turn): Promise<Found> {
  if (asked.said.length > 0) return { live: await follow(runtime, asked, turn), said: asked };
  const { sessionId = '' } = asked;
  const live = turn.owner ?? (await readBack(runtime, sessionId, { turn, asked }));
  const { said, hashes, prompts } = live;
  return { live, said: { ...asked, said, hashes, prompts: prompts.map(({ message }) => message) } };
}

interface Ends {
  readonly from: string;
  readonly to: string;
  readonly before: ContextSize;
  readonly after: ContextSize;
}

function compressionOf(shrunk: Shrunk, { from, to, before, after }: Ends): ContextCompression | undefined {
  if (shrunk.type !== 'done') return undefined;
  return { ...shrunk.made, from, to, tokensBefore: before.tokens, tokensAfter: after.tokens };
}

interface Sizes {
  readonly before: ContextSize;
  readonly after: ContextSize;
  /** Before and after. */
  readonly messages: readonly [number, number];
}

function headlineOf({ type }: Shrunk, { before, after, messages: [had, has] }: Sizes): string {
  if (type === 'not') return `Nothing was changed: ${number(had)} messages, about ${number(before.tokens)} tokens.`;
  return `Compressed from ${number(had)} to ${number(has)} messages, from about ${number(before.tokens)} to about ${number(after.tokens)} tokens.`;
}

const number = (value: number): string => value.toLocaleString('en-US');
