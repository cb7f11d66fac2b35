/** ★ Before a model call: the conversation is found, brought up to date, and fitted into the window. */
import type { RecoveryState, StrippedParts } from '../provider/errors/recovery.ts';
import { defined } from '../shared/defined.ts';
import { type CallSpan, openCall } from '../tracing/call-span.ts';
import type { Message, Part, ResultContent } from '../transcript/message.ts';
import { askedFor } from './ask.ts';
import { beginAhead } from './compress/background.ts';
import { fit, noteCompression } from './fit.ts';
import { follow } from './follow.ts';
import { type LiveConversation, type Runtime, type Step, strippedIn, wholeStart } from './live.ts';
import { absentTools } from './memory/provider.ts';
import { withRecall } from './recall.ts';
import type { ContextCompression, ContextRequest, PreparedContext } from './request.ts';
import { frameOf } from './size.ts';
import { aboutCall } from './trace-call.ts';
import { inTurn } from './turns.ts';

/** See `ConversationRuntime.prepare`. */
export async function prepare(runtime: Runtime, request: ContextRequest): Promise<PreparedContext> {
  const asked = askedFor(runtime, request);
  return inTurn(runtime, asked, async (turn) => {
    const step = await follow(turn);
    return contextFor(step);
  });
}

/** What led to a context that is made for a retry. */
export interface Retrying {
  /** The compression that led to it. */
  readonly compression?: Omit<ContextCompression, 'tokensAfter'>;
  readonly recovery?: RecoveryState;
  /** The call that is tried again. */
  readonly span?: CallSpan | undefined;
}

/** The context of a conversation that holds everything the client has said. */
export async function contextFor(step: Step, { compression, recovery, span }: Retrying = {}): Promise<PreparedContext> {
  const { runtime, live, asked } = step;
  const { signal } = asked.call;
  signal?.throwIfAborted();
  const fitted = await fit(step);
  const { size, estimate, room } = fitted;
  const before = compression ? { ...compression, to: live.session.id } : fitted.compression;
  const report = before && { ...fitted.compression, ...before, tokensAfter: size.tokens };
  if (report) await noteCompression(step, report);
  signal?.throwIfAborted();
  const { messages, recalled, tokens: recallTokens } = await withRecall(step, fitted);
  const stripped = strippedIn(live);
  const memory = live.memory?.message;
  const absent = absentTools(step);
  const isAll = isWhole(live) && !asked.isUnfenced && stripped.length === 0;
  const prepared: PreparedContext = {
    sessionId: live.session.id,
    conversationId: live.session.rootId,
    messages: without(messages, stripped),
    size: { ...size, tokens: size.tokens + recallTokens },
    contextLength: step.basis.contextLength,
    thresholdTokens: live.engine.thresholdTokens,
    isWhole: isAll && recalled.length === 0 && !memory,
    ...(isAll ? defined({ recalled: recalled.length === 0 ? undefined : recalled, memory }) : {}),
    ...(recovery?.maxTokens ? { maxTokens: recovery.maxTokens } : {}),
    ...(stripped.includes('reasoning') ? { isThoughtless: true } : {}),
    ...(absent.length > 0 ? { absentTools: absent } : {}),
    ...defined({ compression: report }),
    notices: [...asked.notices],
  };
  const sent = { size: live.view.length, last: live.view.at(-1)?.id ?? '', frame: frameOf(asked), room };
  beginAhead(step, size.tokens);
  const { sessionId } = prepared;
  const whole = estimate === undefined ? undefined : estimate + recallTokens;
  const call = openCall(span, () => aboutCall(step, prepared));
  const outcome = { isCounted: false, settling: undefined };
  runtime.pending.set(prepared, { asked, sessionId, sent, estimate: whole, span: call, ...outcome });
  return prepared;
}

const isWhole = ({ view, said }: LiveConversation): boolean =>
  view.length === said.length && wholeStart(view) === view.length;

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
