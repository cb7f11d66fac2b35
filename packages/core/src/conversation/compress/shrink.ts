/** One compression of a running conversation: its engine makes a smaller list, and the session goes on in a continuation. */
import { personMessage, unwrapHandoff } from '../../compression/handoff-block.ts';
import type { CompressionResult, SummaryAttempt } from '../../compression/result.ts';
import { defined } from '../../shared/defined.ts';
import { PalimpsestError } from '../../shared/errors.ts';
import type { CompressionAbout } from '../../tracing/compression-span.ts';
import type { Message } from '../../transcript/message.ts';
import { messageText } from '../../transcript/text.ts';
import { note } from '../call-hooks.ts';
import { engineFor, goOn, placesOf, requireTip, type Smaller, snapshotOf, useWindow } from '../engine.ts';
import type { LiveConversation, Runtime, Snapshot, Step } from '../live.ts';
import { keepFor } from '../memory/propose.ts';
import { modelRest } from '../model-wait.ts';
import { readPins } from '../pins.ts';
import type {
  CompressFailure,
  CompressRequest,
  ContextCompression,
  ContextSize,
  ConversationNotice,
} from '../request.ts';
import { besideTokens, mostUnder } from '../size.ts';
import { summaryPrefix } from '../summary-prefix.ts';
import { aheadDone, stopAhead, takeAhead } from './background.ts';
import {
  done,
  holderOf,
  holdLiveLease,
  leaseInTurn,
  not,
  type Outcome,
  runCompression,
  underLease,
} from './compression.ts';
import { noteUsage, restoreRecord } from './stored.ts';

/** What is compressed, and why. */
export interface Wish {
  readonly size: ContextSize;
  /** `engine`: it wishes it. `window`: the request does not fit. `person`: somebody asks for it; `model`: the model of the conversation does. */
  readonly cause: 'engine' | 'window' | 'person' | 'model';
  /** For whose window. @default the model there is */
  readonly nextModel?: CompressRequest['nextModel'] | undefined;
}

/** What a report of a compression says of it. */
export type Made = Pick<ContextCompression, 'result' | 'inBackground' | 'byModel'>;

/**
 * Compresses a conversation, or says why not. Where there is no room for anything else, it waits for what is prepared in
 * the background, and for other processes.
 *
 * @throws STORE_CONFLICT when another process was faster; what the engine throws, but no overflow where all fits
 */
export async function shrink(step: Step, wish: Wish): Promise<Outcome<Made>> {
  const { runtime, live, asked } = step;
  const isForced = wish.cause === 'window';
  if (isForced) {
    await aheadDone(live, asked.call.signal);
    const taken = await takeAhead(step);
    if (taken) return done(taken);
  }
  await stopAhead(live);
  const snapshot = snapshotOf(live, asked);
  live.builtIn?.compressor.useBeside(besideTokens(step, wish.size));
  if (!live.engine.hasContentToCompress(snapshot.list)) return not('nothing');
  const held = isForced ? leaseInTurn(step) : holdLiveLease(runtime, live.session.rootId);
  // The engine numbers the system prompts that it is shown, also where they are not stored.
  const isNumbered = snapshot.promptsHash === live.state.prompts;
  let isShown = false;
  return underLease(await held, async (lease) => {
    await requireTip(step);
    try {
      return await runCompression(step, {
        start: { sessionId: live.session.id, tokens: wish.size.tokens, isForced, inBackground: false },
        about: aboutOf(live, wish),
        make(): Promise<Outcome<Smaller>> {
          isShown = true;
          return smallerList(step, snapshot, wish);
        },
        async write(made, kept): Promise<Made> {
          const worth = await keepFor(step, { snapshot, smaller: made.list, kept });
          await goOn(step, { ...made, ...worth, lease: lease.current() });
          return defined({ result: made.result });
        },
        resultIn: ({ result }) => result,
      });
    } finally {
      if (isShown && !isNumbered) await readNumbersBack(step);
    }
  });
}

const causes = { engine: 'threshold', window: 'window', person: 'asked', model: 'model' } as const;

const aboutOf = ({ session, builtIn, engine }: LiveConversation, { cause }: Wish): CompressionAbout =>
  defined({
    cause: causes[cause],
    conversationId: session.rootId,
    engine: builtIn ? undefined : engine.name,
  });

/** What the engine makes of it, unless that is nothing, or cannot be used. */
async function smallerList(step: Step, snapshot: Snapshot, wish: Wish): Promise<Outcome<Smaller>> {
  const { runtime, live } = step;
  const places = live.builtIn ? placesOf(live.builtIn, snapshot) : [];
  if (live.builtIn) await readPins(runtime.settings.store, live.session.id, live.builtIn);
  live.builtIn?.compressor.usePrefix(summaryPrefix(step, snapshot));
  live.builtIn?.compressor.useModel(wish.cause === 'person' || modelRest(step) === 0);
  const list = await askEngine(step, snapshot, wish);
  if (list === undefined) return not('overflow');
  const result = live.builtIn?.compressor.lastResult();
  if (result) await noteUsage(runtime.settings.store, live.session.id, result);
  if (list === snapshot.list) return not('nothing', defined({ result }));
  if (keepsRequest(snapshot.list, list)) return done({ snapshot, list, places, result });
  const detail = `The engine "${live.engine.name}" removed the newest request, so its list was not used.`;
  note(step, { type: 'refused', level: 'warn', message: detail });
  return not('refused', { detail });
}

/** The list of the engine. An overflow that the engine fears is none where the provider's count says that all fits. */
async function askEngine(
  step: Step,
  { list }: Snapshot,
  { size, cause, nextModel }: Wish,
): Promise<readonly Message[] | undefined> {
  const { focusTopic, signal } = step.asked.call;
  const force = cause === 'person' ? true : undefined;
  const options = { currentTokens: size.tokens, ...defined({ force, focusTopic, signal }) };
  const { guess, contextLength } = step.basis;
  // Where a guess is too low for what must stay, what was not refused yet may do.
  const own = guess ? [contextLength, Math.max(contextLength, mostUnder(guess))] : [contextLength];
  const windows = nextModel ? [nextModel.contextLength] : own;
  try {
    for (const window of windows) {
      useWindow(step, window, nextModel?.name);
      try {
        return await step.live.engine.compress(list, options);
      } catch (error) {
        const isOverflow = PalimpsestError.isInstance(error) && error.code === 'CONTEXT_OVERFLOW';
        if (!isOverflow || (cause === 'window' && !guess)) throw error;
      }
    }
    return undefined;
  } finally {
    useWindow(step, contextLength);
  }
}

/**
 * Invariant 3, for engines that are not ours: the newest words of a person are in the list, as they were written, and not
 * only quoted in a handoff. Where there are no words, something of the kind that was sent.
 */
function keepsRequest(list: readonly Message[], smaller: readonly Message[]): boolean {
  const request = list.findLast((message) => personMessage(message) !== undefined);
  if (!request || smaller.includes(request)) return true;
  const parts = personMessage(request)?.parts ?? [];
  const texts = parts.flatMap((part) => (part.type === 'text' && part.text.trim() !== '' ? [part.text] : []));
  return smaller.some((message) => {
    const said = unwrapHandoff(message) ? personMessage(message) : message;
    if (said?.role !== 'user') return false;
    if (texts.length === 0) return said.parts.some(({ type }) => parts.some((part) => part.type === type));
    return texts.every((text) => messageText(said).includes(text));
  });
}

/**
 * Numbers everything anew, as another process would read it: handoffs name messages by the numbers by which the store finds
 * them again, and no others.
 *
 * @throws STORE_CONFLICT when another process has gone on with the session
 */
async function readNumbersBack(step: Step): Promise<void> {
  const { runtime, basis, live } = step;
  const { builtIn, session, prompts, view } = live;
  if (!builtIn) return;
  await requireTip(step);
  const { store } = runtime.settings;
  const { record, entries, ids, compressions } = await restoreRecord(store, session, basis.tokenizer.count);
  const policy = builtIn.compressor.policyState();
  const made = engineFor(step, session, { record, ids: [...ids], policy, compressions });
  // The record knows the messages of its view by how they were read.
  const shown = [...prompts, ...view].map((one, at) => ({ ...one, message: entries[at]?.message ?? one.message }));
  Object.assign(live, made, { prompts: shown.slice(0, prompts.length), view: shown.slice(prompts.length) });
}

// What went wrong with a compression, and what it means for a person.

const asItWas = 'The conversation was not changed.';

/** In the order in which they happened. */
export async function failuresOf(
  { runtime, live }: Pick<Step, 'runtime' | 'live'>,
  shrunk: Outcome<Made>,
): Promise<readonly CompressFailure[]> {
  if (shrunk.type === 'done') return ofModels(shrunk.made.result, { isCompressed: true });
  const said = ofModels(shrunk.result, { isCompressed: false });
  switch (shrunk.why) {
    case 'busy':
      return [
        ...said,
        { message: await busyWith(runtime, live), consequence: `${asItWas} Try again when it is done.` },
      ];
    case 'vetoed':
      return [...said, { message: `A hook vetoed the compression (${shrunk.detail}).`, consequence: asItWas }];
    case 'refused':
      return [...said, { message: shrunk.detail ?? '', consequence: asItWas }];
    case 'overflow':
      return [
        ...said,
        {
          message: 'The system prompt and the newest request alone are larger than the window, by estimate.',
          consequence: `${asItWas} Shorten them, start a new conversation with /new, or use a model with a larger window.`,
        },
      ];
    case 'nothing':
      // A model that failed has said so already.
      if (said.length > 0) return said;
      return [{ message: shrunk.result?.reason ?? 'There is nothing to compress.', consequence: asItWas }];
  }
}

/** Which models could not write a summary for a request, why, and what was done instead, for people (T6). */
export function modelFailures(shrunk: Outcome<Made>): readonly ConversationNotice[] {
  const isCompressed = shrunk.type === 'done';
  const result = isCompressed ? shrunk.made.result : shrunk.result;
  // When it is tried again is told by the engine, which holds it back.
  return ofModels(result, { isCompressed, otherwise: asItWas }).map(({ message, consequence }) => ({
    type: 'summary_failed',
    level: 'warn',
    message: `${message} ${consequence}`,
  }));
}

interface Followed {
  readonly isCompressed: boolean;
  /** What follows where the conversation stays as it is. */
  readonly otherwise?: string;
}

/** Models that could not write the summary, and what was done instead. */
function ofModels(
  result: CompressionResult | undefined,
  { isCompressed, otherwise = `${asItWas} Try again when the model answers.` }: Followed,
): readonly CompressFailure[] {
  if (!result) return [];
  const { failure, summary } = result;
  const attempts = [...(summary?.failures ?? []), ...(failure?.before ?? []), ...(failure ? [failure] : [])];
  return attempts.map((attempt, at) => {
    const next = attempts[at + 1]?.model ?? summary?.model;
    const isLast = at === attempts.length - 1;
    if (next !== undefined && !(isLast && !summary)) return of(attempt, `${next} was asked instead.`);
    return of(
      attempt,
      isCompressed
        ? 'The handoff was written from extracted facts only, and says so; every message can be restored by its id.'
        : otherwise,
    );
  });
}

const of = ({ model, message }: SummaryAttempt, consequence: string): CompressFailure => ({
  message: `${model} could not write the summary: ${message}`,
  consequence,
});

async function busyWith({ settings }: Runtime, { session }: LiveConversation): Promise<string> {
  const holder = await holderOf(settings.store, session.rootId);
  const who = holder ? `${holder.owner} until ${holder.until} at the latest` : 'another process';
  return `The conversation is being compressed by ${who}.`;
}
