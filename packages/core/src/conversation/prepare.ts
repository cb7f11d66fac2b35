/** ★ Before a model call: the conversation is found, brought up to date, and fitted into the window. */
import type { RecoveryState, StrippedParts } from '../provider/errors/recovery-state.ts';
import type { Message, Part, ResultContent } from '../transcript/message.ts';
import { beginAhead } from './compress/background.ts';
import { type Fitted, fit, noteCompression } from './fit/fit.ts';
import { askedFor } from './follow/ask.ts';
import { follow } from './follow/follow.ts';
import { type LiveConversation, wholeStart } from './live/live.ts';
import { frameOf } from './live/size.ts';
import { strippedIn } from './passes.ts';
import { type WithRecall, withRecall } from './recall/recall.ts';
import type { ContextCompression, ContextRequest, PreparedContext } from './request.ts';
import type { Asked, Runtime } from './runtime.ts';
import { inTurn } from './turns.ts';

/** See `ConversationRuntime.prepare`. */
export async function prepare(runtime: Runtime, request: ContextRequest): Promise<PreparedContext> {
  const asked = askedFor(runtime, request);
  return inTurn(runtime, asked, async (turn) => {
    const live = await follow(runtime, asked, turn);
    return contextFor(runtime, live, { asked });
  });
}

/** What a context is made for. */
export interface Wished {
  readonly asked: Asked;
  /** The compression that led to it. */
  readonly compression?: Omit<ContextCompression, 'tokensAfter'>;
  /** Set for a retry. */
  readonly recovery?: RecoveryState;
}

/** The context of a conversation that holds everything the client has said. */
export async function contextFor(
  runtime: Runtime,
  live: LiveConversation,
  { asked, compression, recovery }: Wished,
): Promise<PreparedContext> {
  const { signal } = asked.call;
  signal?.throwIfAborted();
  const fitted = await fit(runtime, live, asked);
  const { size } = fitted;
  const before = compression ? { ...compression, to: live.session.id } : fitted.compression;
  const done = before && { ...fitted.compression, ...before, tokensAfter: size.tokens };
  if (done) await noteCompression(runtime, asked, done);
  signal?.throwIfAborted();
  const { messages, carrier, tokens: recallTokens } = await withRecalled(runtime, live, { asked, fitted });
  const stripped = strippedIn(live);
  const isAll = isWhole(live) && !asked.isUnfenced && stripped.length === 0;
  const prepared: PreparedContext = {
    sessionId: live.session.id,
    messages: without(messages, stripped),
    size: { ...size, tokens: size.tokens + recallTokens },
    isWhole: isAll && !carrier,
    ...(isAll && carrier ? { carrier } : {}),
    ...(recovery?.maxTokens ? { maxTokens: recovery.maxTokens } : {}),
    ...(stripped.includes('reasoning') ? { isThoughtless: true } : {}),
    ...(done ? { compression: done } : {}),
    notices: [...asked.notices],
  };
  const { prompts, tools } = asked;
  const last = live.view.at(-1)?.id ?? '';
  const sent = { size: live.view.length, last, frame: frameOf({ prompts, tools }), room: fitted.room };
  beginAhead(runtime, live, { asked, tokens: size.tokens });
  const { sessionId } = prepared;
  const { estimate } = fitted;
  runtime.pending.set(prepared, { asked, sessionId, sent, recallTokens, estimate, settling: undefined });
  return prepared;
}

const isWhole = ({ view, said }: LiveConversation): boolean =>
  view.length === said.length && wholeStart(view) === view.length;

async function withRecalled(
  runtime: Runtime,
  live: LiveConversation,
  { asked, fitted }: { readonly asked: Asked; readonly fitted: Fitted },
): Promise<WithRecall> {
  const { tokenizer } = await runtime.basis();
  const left = fitted.room - fitted.size.tokens;
  return withRecall(runtime, live, { asked, messages: fitted.messages, left, tokenizer });
}

// Leaves out of one request what its provider cannot take; what is stored stays as it is.

const leftOut = { type: 'text', text: '[image left out: the provider refused it]' } as const;

/** The messages without these parts; the same list when there is nothing to leave out. */
function without(messages: readonly Message[], stripped: readonly StrippedParts[]): readonly Message[] {
  if (stripped.length === 0) return messages;
  return messages.map((message) => ({ ...message, parts: message.parts.flatMap((part) => kept(part, stripped)) }));
}

function kept(part: Part, stripped: readonly StrippedParts[]): readonly Part[] {
  const noImages = stripped.includes('images');
  if (part.type === 'image' && noImages) return [leftOut];
  if (part.type === 'reasoning' && stripped.includes('reasoning')) return [];
  if (part.type !== 'toolResult' || !noImages) return [part];
  const content = part.content.map((inner): ResultContent => (inner.type === 'image' ? leftOut : inner));
  return [{ ...part, content }];
}
