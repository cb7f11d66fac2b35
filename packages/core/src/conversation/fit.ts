/** Has a context compressed as often as that helps where it is too big, and makes it valid. */
import { policyRules } from '../compression/policy/reduce.ts';
import { madeProgress } from '../compression/policy/state.ts';
import { repair } from '../compression/repair.ts';
import { defined } from '../shared/defined.ts';
import { PalimpsestError } from '../shared/errors.ts';
import type { Message } from '../transcript/message.ts';
import { lastGroup, toolCalls } from '../transcript/text.ts';
import { note, tellEnd } from './call-hooks.ts';
import { takeAhead } from './compress/background.ts';
import { type Made, modelFailures, shrink } from './compress/shrink.ts';
import { useWindow } from './engine.ts';
import { roomySize } from './give-way.ts';
import {
  type Checked,
  countPass,
  donePassesOf,
  type LiveConversation,
  passesOf,
  promptsFor,
  type Step,
  shownAs,
  turnOf,
} from './live.ts';
import { noteModel, restAdvice } from './model-wait.ts';
import { type Need, needFor } from './need.ts';
import type { ContextCompression, ContextSize, ConversationNotice } from './request.ts';
import { saveState } from './save-state.ts';
import { estimateOf, type Fill, isAnswered, mostUnder, overflows, roomOf, sizeOf } from './size.ts';

/** A context that can be sent. */
export interface Fitted extends Fill {
  readonly messages: readonly Message[];
  /** The estimate of the whole request, where there was no report to go on from. */
  readonly estimate: number | undefined;
  readonly compression?: ContextCompression;
}

/**
 * The context of a conversation, compressed where it must be, and valid.
 *
 * @throws CONTEXT_OVERFLOW for what does not fit the window
 */
export async function fit(step: Step): Promise<Fitted> {
  const { runtime, basis, live, asked } = step;
  useWindow(step, basis.contextLength);
  const room = roomOf(step);
  const { size, compression, failures } = await compressToFit(step, room);
  if (!compression) noteHeldBack(step, { size, room });
  for (const notice of failures) note(step, notice);
  // Also what led to no context is remembered.
  await saveState(step);
  // Whether what a guess does not hold is too long, its provider says.
  const most = basis.guess ? Math.max(room, mostUnder(basis.guess)) : room;
  if (overflows(live, { size, room: most })) throw overflow(step, { size, room: most });
  const { sent } = promptsFor(live, asked.prompts);
  const messages = valid(live, shownAs(live.view, asked.said, sent), runtime.settings.config.prune.orphanCalls);
  const estimate = size.from === 'anchored' ? undefined : estimateOf(step);
  return { messages, size, room, estimate, ...defined({ compression }) };
}

interface Compressed {
  readonly size: ContextSize;
  readonly compression: ContextCompression | undefined;
  /** What models could not do for it. */
  readonly failures: readonly ConversationNotice[];
}

/** Passes, as many as help and as the turn may have. */
async function compressToFit(step: Step, room: number): Promise<Compressed> {
  const { live } = step;
  const failures: ConversationNotice[] = [];
  let size = sizeOf(step);
  let compression: ContextCompression | undefined;
  for (let isFirst = true; ; isFirst = false) {
    const need = needFor(step, { size, room, isFirst });
    if (need === 'none' || passesOf(live) >= policyRules.attempts) break;
    const before = { tokens: size.tokens, messages: live.view.length, session: live.session.id };
    const made = await passFor(step, { size, need, failures });
    // What was prepared for another conversation is out of the way now.
    if (!made && need === 'prepared') continue;
    // An engine that finds nothing to do has used nothing up, unless there is no other way.
    if (made || need === 'window') countPass(live, { isDone: made !== undefined });
    if (!made) break;
    size = await roomySize(step, room);
    const { from = before.session, tokensBefore = before.tokens } = compression ?? {};
    live.state = { ...live.state, leftTokens: size.tokens };
    compression = { ...made, from, to: live.session.id, tokensBefore, tokensAfter: size.tokens };
    if (!madeProgress(before, { tokens: size.tokens, messages: live.view.length })) break;
  }
  if (overflows(live, { size, room })) size = await roomySize(step, room);
  return { size, failures, compression };
}

interface Pass {
  readonly size: ContextSize;
  readonly need: Exclude<Need, 'none'>;
  /** Takes what models could not do. */
  readonly failures: ConversationNotice[];
}

async function passFor(step: Step, { size, need, failures }: Pass): Promise<Made | undefined> {
  if (need === 'prepared') {
    const made = await takeAhead(step);
    noteModel(step, made?.result);
    if (made) failures.push(...modelFailures({ type: 'done', made }));
    return made;
  }
  const outcome = need === 'wish' ? await shrinkAsWished(step, size) : await shrink(step, { size, cause: need });
  noteModel(step, outcome.type === 'done' ? outcome.made.result : outcome.result);
  failures.push(...modelFailures(outcome));
  return outcome.type === 'done' ? outcome.made : undefined;
}

/** The model gets it once, and nothing that only a person or the window may force. */
async function shrinkAsWished(step: Step, size: ContextSize): Promise<Awaited<ReturnType<typeof shrink>>> {
  const { asked, live } = step;
  const focusTopic = asked.call.focusTopic ?? (live.state.wish || undefined);
  // It was heard, whatever comes of it.
  live.state = { ...live.state, wish: null };
  const call = { ...asked.call, ...defined({ focusTopic }) };
  const outcome = await shrink({ ...step, asked: { ...asked, call } }, { size, cause: 'model' });
  return outcome.type === 'done' ? { ...outcome, made: { ...outcome.made, byModel: true } } : outcome;
}

/** Tells people and hooks. */
export async function noteCompression(step: Step, report: ContextCompression): Promise<void> {
  const { tokensBefore, tokensAfter, result } = report;
  const over = result?.overTarget ? ` ${result.overTarget.why}` : '';
  const how = report.inBackground
    ? 'compressed in the background'
    : report.byModel
      ? 'compressed because its model asked for it'
      : 'compressed';
  const message = `The conversation was ${how} from about ${tokensBefore} to about ${tokensAfter} tokens; everything that was said is kept.${over}`;
  note(step, { type: 'compressed', level: 'log', message });
  await tellEnd(step, report);
}

/** Once for each reason; in every turn that a provider takes more than the window holds. */
function noteHeldBack(step: Step, fill: Fill): void {
  const { live } = step;
  const isTaken = isAnswered(live, fill);
  const advice = isTaken ? answeredAdvice(fill) : heldBack(step, fill.size.tokens);
  const reason = isTaken ? `answered ${turnOf(live)}` : (advice?.replaceAll(/\d+/g, 'n') ?? null);
  if (reason === live.state.advised) return;
  live.state = { ...live.state, advised: reason };
  if (advice !== undefined) note(step, { type: 'held_back', level: 'warn', message: advice });
}

function heldBack(step: Step, tokens: number): string | undefined {
  const { engine } = step.live;
  return (tokens >= engine.thresholdTokens ? restAdvice(step) : undefined) ?? engine.heldBack(tokens);
}

const answeredAdvice = ({ size, room }: Fill): string =>
  `By the provider's count the context has about ${size.tokens} tokens, more than the ${room} that a request may have, but it still answers: ` +
  'requests are sent as they are. If the model has a larger window, set contextLength; otherwise start a new conversation with /new, or use /compress <topic>.';

function overflow({ runtime, live }: Step, { size: { tokens }, room }: Fill): PalimpsestError {
  const { enabled } = runtime.settings.config;
  const isUsedUp = passesOf(live) >= policyRules.attempts && donePassesOf(live) > 0;
  const tried = isUsedUp ? 'this turn has used up its compressions' : 'compression does not make it smaller';
  const why = enabled ? tried : 'automatic compression is turned off (compression.enabled)';
  return new PalimpsestError(
    'CONTEXT_OVERFLOW',
    `Expected a request of at most ${room} tokens, got about ${tokens}, and ${why}. ` +
      'Start a new conversation with /new, keep one topic with /compress <topic>, shorten the newest message, or use a model with a larger window.',
    { evidence: { room, tokens } },
  );
}

// Makes a context valid for every provider (invariant 2), in time that grows with what is new in it.

/** The list, or what a repair makes of it. @throws BAD_MESSAGES where that is nothing to answer */
function valid(
  known: Pick<LiveConversation, 'checked'>,
  messages: readonly Message[],
  unanswered: 'remove' | 'stub',
): readonly Message[] {
  const { checked } = known;
  const repaired = (list: readonly Message[]): readonly Message[] => repair(list, { unanswered }).messages;
  const goesOn = checked && isContinued(checked, messages, (tail) => repaired(tail) === tail);
  const list = goesOn ? messages : repaired(messages);
  known.checked = undefined;
  if (list !== messages) return requireWords(list);
  const callIds = goesOn ? checked.callIds : new Set<string>();
  for (const id of callsFrom(messages, goesOn ? checked.messages.length : 0)) callIds.add(id);
  known.checked = { messages, callIds };
  return messages;
}

/** A repair may leave nothing, and no provider takes that. */
function requireWords(list: readonly Message[]): readonly Message[] {
  if (list.some(({ role }) => role !== 'system')) return list;
  throw new PalimpsestError(
    'BAD_MESSAGES',
    'expected something that a model can answer, got only blank messages, or results without calls',
  );
}

/** True when a list that needed no repair goes on in a way that needs none. */
function isContinued(
  { messages: before, callIds }: Checked,
  messages: readonly Message[],
  isValid: (tail: readonly Message[]) => boolean,
): boolean {
  if (before.length === 0 || messages.length < before.length) return false;
  if (before.some((message, at) => message !== messages[at])) return false;
  // The last group may have been waiting, for results or for a person; everything before it is closed.
  const start = lastGroup(before)?.start ?? 0;
  if (messages[start]?.role === 'system') return false;
  return callsFrom(messages, before.length).every((id) => !callIds.has(id)) && isValid(messages.slice(start));
}

const callsFrom = (messages: readonly Message[], start: number): readonly string[] =>
  messages.slice(start).flatMap((message) => toolCalls(message).map(({ callId }) => callId));
