/** Decides whether a context is too big, has it compressed as often as that helps, and makes it valid. */

import { policyRules } from '../../compression/policy/reduce.ts';
import { madeProgress } from '../../compression/policy/state.ts';
import type { CompressionConfig } from '../../context/settings.ts';
import { PalimpsestError } from '../../shared/errors.ts';
import type { Message } from '../../transcript/message.ts';
import { takeAhead } from '../compress/background.ts';
import { modelFailures } from '../compress/compress-failures.ts';
import { tellEnd } from '../compress/compression-hooks.ts';
import { type Made, shrink } from '../compress/shrink.ts';
import { useWindow } from '../engine-session.ts';
import { type LiveConversation, promptsFor, shownAs } from '../live/live.ts';
import { contextSize, estimatedTokens, frameOf, type Measured } from '../live/size.ts';
import { note } from '../notices.ts';
import { countPass, donePassesOf, passesOf, turnOf } from '../passes.ts';
import type { ContextCompression, ContextSize, ConversationNotice } from '../request.ts';
import type { Asked, Basis, Runtime } from '../runtime.ts';
import { saveState } from '../save-state.ts';
import { valid } from '../valid.ts';
import { mostUnder } from './lower-window.ts';
import { type Need, needFor } from './need.ts';
import { type Fill, isAnswered, overflows } from './overflow.ts';

/** A context that can be sent. */
export interface Fitted {
  readonly messages: readonly Message[];
  readonly size: ContextSize;
  /** What a request may have, in tokens. */
  readonly room: number;
  /** The estimate of the whole request, where there was no report to go on from. */
  readonly estimate: number | undefined;
  readonly compression?: ContextCompression;
}

/**
 * The context of a conversation, compressed where it must be, and valid.
 *
 * @throws CONTEXT_OVERFLOW for what does not fit the window
 */
export async function fit(runtime: Runtime, live: LiveConversation, asked: Asked): Promise<Fitted> {
  const basis = await runtime.basis();
  useWindow(runtime, live, basis.contextLength);
  const room = roomOf(basis, runtime);
  const { size, compression, failures } = await compressedToFit(runtime, live, { asked, basis, room });
  if (!compression) noteHeldBack(runtime, live, { asked, size, room });
  for (const notice of failures) note(runtime, asked, notice);
  // Also what led to no context is remembered.
  await saveState(runtime, live);
  // Whether what a guess does not hold is too long, its provider says.
  const most = basis.guess ? Math.max(room, mostUnder(basis.guess)) : room;
  if (overflows(live, { size, room: most })) throw overflow(live, { size, room: most }, runtime.settings.config);
  const { sent } = promptsFor(live, asked.prompts);
  const messages = valid(live, shownAs(live.view, asked.said, sent), runtime.settings.config.prune.orphanCalls);
  const estimate = size.from === 'anchored' ? undefined : estimateOf(basis, live, asked);
  return { messages, size, room, estimate, ...(compression ? { compression } : {}) };
}

interface Fitting {
  readonly asked: Asked;
  readonly basis: Basis;
  readonly room: number;
}

interface Compressed extends Pick<Fitted, 'size' | 'compression'> {
  /** What models could not do for it. */
  readonly failures: readonly ConversationNotice[];
}

/** Passes, as many as help and as the turn may have. */
async function compressedToFit(
  runtime: Runtime,
  live: LiveConversation,
  { asked, basis, room }: Fitting,
): Promise<Compressed> {
  const failures: ConversationNotice[] = [];
  let size = sizeOf(basis, live, asked);
  let compression: ContextCompression | undefined;
  for (let isFirst = true; ; isFirst = false) {
    const need = needFor(runtime, live, { asked, size, room, isFirst, tokenizer: basis.tokenizer });
    if (need === 'none' || passesOf(live) >= policyRules.attempts) break;
    const before = { tokens: size.tokens, messages: live.view.length, session: live.session.id };
    const done = await passFor(runtime, live, { asked, size, need, failures });
    // What was prepared for another conversation is out of the way now.
    if (!done && need === 'prepared') continue;
    // An engine that finds nothing to do has used nothing up, unless there is no other way.
    if (done || need === 'window') countPass(live, { isDone: done !== undefined });
    if (!done) break;
    size = roomySize(runtime, live, { asked, basis, room });
    const { from = before.session, tokensBefore = before.tokens } = compression ?? {};
    compression = { ...done, from, to: live.session.id, tokensBefore, tokensAfter: size.tokens };
    if (!madeProgress(before, { tokens: size.tokens, messages: live.view.length })) break;
  }
  if (overflows(live, { size, room })) size = roomySize(runtime, live, { asked, basis, room });
  return { size, failures, ...(compression ? { compression } : {}) };
}

/** The size, without what a hook wanted kept where there is no room for that: a hook costs no message. */
function roomySize(runtime: Runtime, live: LiveConversation, { asked, basis, room }: Fitting): ContextSize {
  const size = sizeOf(basis, live, asked);
  if (live.state.kept === null || !overflows(live, { size, room })) return size;
  live.state = { ...live.state, kept: null, report: null };
  const message = 'The text that a hook asked to keep was dropped: there is no room for it.';
  note(runtime, asked, { type: 'hook', level: 'warn', message });
  return sizeOf(basis, live, asked);
}

interface Pass {
  readonly asked: Asked;
  readonly size: ContextSize;
  readonly need: Exclude<Need, 'none'>;
  /** Takes what models could not do. */
  readonly failures: ConversationNotice[];
}

async function passFor(
  runtime: Runtime,
  live: LiveConversation,
  { asked, size, need, failures }: Pass,
): Promise<Made | undefined> {
  if (need === 'prepared') {
    const made = await takeAhead(runtime, live, asked);
    if (made) failures.push(...modelFailures({ type: 'done', made }));
    return made;
  }
  const shrunk = await shrink(runtime, live, { asked, size, cause: need });
  failures.push(...modelFailures(shrunk));
  return shrunk.type === 'done' ? shrunk.made : undefined;
}

const measured = (live: LiveConversation, { prompts, said, tools }: Asked): Measured => ({
  prompts: promptsFor(live, prompts).sent,
  tools,
  frame: frameOf({ prompts, tools }),
  size: live.view.length,
  idAt: (at) => live.view[at]?.id,
  from: (at) => shownAs(live.view.slice(at), said),
});

/** The tokens of a conversation as it would be sent now. */
export function sizeOf({ tokenizer, calibration }: Basis, live: LiveConversation, asked: Asked): ContextSize {
  return contextSize(measured(live, asked), { tokenizer, calibration, report: live.state.report ?? undefined });
}

/** The same without what any provider has reported. */
export const estimateOf = ({ tokenizer }: Basis, live: LiveConversation, asked: Asked): number =>
  estimatedTokens(measured(live, asked), tokenizer);

/** What a request may have beside the output it reserves room for. */
function roomOf({ contextLength }: Basis, { settings }: Runtime): number {
  return contextLength - Math.min(settings.reservedOutputTokens, Math.floor(contextLength / 2));
}

/** Tells people and hooks. */
export async function noteCompression(runtime: Runtime, asked: Asked, report: ContextCompression): Promise<void> {
  const { tokensBefore, tokensAfter } = report;
  const how = report.inBackground ? 'compressed in the background' : 'compressed';
  const message = `The conversation was ${how} from about ${tokensBefore} to about ${tokensAfter} tokens; everything that was said is kept.`;
  note(runtime, asked, { type: 'compressed', level: 'log', message });
  await tellEnd(runtime, { notices: asked.notices, signal: asked.call.signal }, report);
}

/** Once for each reason; in every turn that a provider takes more than the window holds. */
function noteHeldBack(
  runtime: Runtime,
  live: LiveConversation,
  { asked, ...fill }: Fill & { readonly asked: Asked },
): void {
  const isTaken = isAnswered(live, fill);
  const advice = isTaken ? answeredAdvice(fill) : live.engine.heldBack(fill.size.tokens);
  const reason = isTaken ? `answered ${turnOf(live)}` : (advice?.replaceAll(/\d+/g, 'n') ?? null);
  if (reason === live.state.advised) return;
  live.state = { ...live.state, advised: reason };
  if (advice !== undefined) note(runtime, asked, { type: 'held_back', level: 'warn', message: advice });
}

const answeredAdvice = ({ size, room }: Fill): string =>
  `By the provider's count the context has about ${size.tokens} tokens, more than the ${room} that a request may have, but it still answers: ` +
  'requests are sent as they are. If the model has a larger window, set contextLength; otherwise start a new conversation with /new, or use /compress <topic>.';

function overflow(
  live: LiveConversation,
  { size: { tokens }, room }: Fill,
  { enabled }: CompressionConfig,
): PalimpsestError {
  const isUsedUp = passesOf(live) >= policyRules.attempts && donePassesOf(live) > 0;
  const tried = isUsedUp
    ? 'and this turn has used up its compressions. '
    : 'and compression does not make it smaller. ';
  const why = enabled ? tried : 'and automatic compression is turned off (compression.enabled). ';
  return new PalimpsestError(
    'CONTEXT_OVERFLOW',
    `Expected a request of at most ${room} tokens, got about ${tokens}, ${why}` +
      'Start a new conversation with /new, keep one topic with /compress <topic>, shorten the newest message, or use a model with a larger window.',
    { evidence: { room, tokens } },
  );
}
