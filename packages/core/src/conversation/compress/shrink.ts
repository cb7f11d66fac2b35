/** One compression of a conversation: its engine makes a smaller list, and the session goes on in a continuation. */
import { personMessage, unwrapHandoff } from '../../compression/handoff-block.ts';
import type { CompressionResult } from '../../compression/result.ts';
import type { CompressOptions } from '../../context/engine.ts';
import { PalimpsestError } from '../../shared/errors.ts';
import type { Message } from '../../transcript/message.ts';
import { messageText } from '../../transcript/text.ts';
import { engineFor } from '../engine-for.ts';
import { useWindow } from '../engine-session.ts';
import { mostUnder } from '../fit/lower-window.ts';
import type { HeldLease } from '../live/ahead.ts';
import type { LiveConversation } from '../live/live.ts';
import type { Snapshot } from '../live/view.ts';
import { note } from '../notices.ts';
import type { ContextCompression, ContextSize } from '../request.ts';
import type { Asked, Runtime } from '../runtime.ts';
import { placesOf, requireTip, snapshotOf } from '../snapshot.ts';
import { aheadDone, stopAhead, takeAhead } from './background.ts';
import { askStartHook } from './compression-hooks.ts';
import { goOn } from './go-on.ts';
import { holdLiveLease, leaseInTurn } from './held-lease.ts';
import { noteUsage, restoreRecord } from './stored-conversation.ts';

/** What is compressed, and why. */
export interface Shrink {
  readonly asked: Asked;
  readonly size: ContextSize;
  /** `engine`: it wishes it. `window`: the request does not fit. `person`: somebody asks for it. */
  readonly cause: 'engine' | 'window' | 'person';
}

/** What became of it. */
export type Shrunk =
  | { readonly type: 'done'; readonly made: Made }
  | {
      readonly type: 'not';
      readonly why: 'nothing' | 'busy' | 'vetoed' | 'refused' | 'overflow';
      /** Where there is more to say. */
      readonly detail?: string;
      /** The report of the built-in engine, where it was asked. */
      readonly result?: CompressionResult;
    };

/** What a report of a compression says of it. */
export type Made = Pick<ContextCompression, 'result' | 'inBackground'>;

const not = (why: Extract<Shrunk, { type: 'not' }>['why']): Shrunk => ({ type: 'not', why });

/**
 * Compresses a conversation, or says why not. Where there is no room for anything else, it waits for what is prepared in
 * the background.
 *
 * @throws STORE_CONFLICT when another process was faster; what the engine throws, but no overflow where all fits
 */
export async function shrink(runtime: Runtime, live: LiveConversation, wish: Shrink): Promise<Shrunk> {
  if (wish.cause === 'window') {
    await aheadDone(live, wish.asked.call.signal);
    const taken = await takeAhead(runtime, live, wish.asked);
    if (taken) return { type: 'done', made: taken };
  }
  await stopAhead(live);
  const snapshot = snapshotOf(live, wish.asked);
  if (!live.engine.hasContentToCompress(snapshot.list)) return not('nothing');
  const { rootId } = live.session;
  // Another process is at it: its result is read when it is there, and waited for where there is no room without it.
  const lease =
    wish.cause === 'window'
      ? await leaseInTurn(runtime, rootId, wish.asked.call.signal)
      : await holdLiveLease(runtime, rootId);
  if (!lease) return not('busy');
  try {
    await requireTip(runtime, live);
    return await compressed(runtime, live, { ...wish, snapshot, lease });
  } finally {
    await lease.release();
  }
}

interface Leased extends Shrink {
  readonly snapshot: Snapshot;
  readonly lease: HeldLease;
}

async function compressed(runtime: Runtime, live: LiveConversation, wish: Leased): Promise<Shrunk> {
  const { asked, size } = wish;
  const sessionId = live.session.id;
  const start = { sessionId, tokens: size.tokens, isForced: wish.cause === 'window', inBackground: false };
  const { veto, kept } = await askStartHook(runtime, { notices: asked.notices, signal: asked.call.signal }, start);
  if (veto !== undefined) return { type: 'not', why: 'vetoed', detail: veto };
  const isNumbered = wish.snapshot.promptsHash === live.state.prompts;
  try {
    return await engineDone(runtime, live, { ...wish, kept });
  } finally {
    if (!isNumbered) await readNumbersBack(runtime, live);
  }
}

interface Answered extends Leased {
  /** What a hook wants the new context to begin with. */
  readonly kept: string | null;
}

async function engineDone(runtime: Runtime, live: LiveConversation, wish: Answered): Promise<Shrunk> {
  const { asked, snapshot, lease, kept } = wish;
  const { list } = snapshot;
  const places = live.builtIn ? placesOf(live.builtIn, snapshot) : [];
  const smaller = await engineList(runtime, live, wish);
  if (smaller === undefined) return not('overflow');
  const result = live.builtIn?.compressor.lastResult();
  if (result) await noteUsage(runtime.settings.store, live.session.id, result);
  if (smaller === list) return { type: 'not', why: 'nothing', ...(result ? { result } : {}) };
  if (!keepsRequest(list, smaller)) {
    const message = `The engine "${live.engine.name}" removed the newest request, so its list was not used.`;
    note(runtime, asked, { type: 'refused', level: 'warn', message });
    return { type: 'not', why: 'refused', detail: message };
  }
  await goOn(runtime, live, { asked, kept, snapshot, smaller, places, result, lease: lease.current() });
  return { type: 'done', made: result ? { result } : {} };
}

/** The list of the engine. An overflow that the engine fears is none where the provider's count says that all fits. */
async function engineList(
  runtime: Runtime,
  live: LiveConversation,
  { asked, snapshot, size, cause }: Leased,
): Promise<readonly Message[] | undefined> {
  const { focusTopic, signal } = asked.call;
  const options: CompressOptions = {
    currentTokens: size.tokens,
    ...(cause === 'person' ? { force: true } : {}),
    ...(focusTopic === undefined ? {} : { focusTopic }),
    ...(signal === undefined ? {} : { signal }),
  };
  const { guess, contextLength } = await runtime.basis();
  // Where a guess is too low for what must stay, what was not refused yet may do.
  const windows = guess ? [contextLength, Math.max(contextLength, mostUnder(guess))] : [contextLength];
  try {
    for (const window of windows) {
      useWindow(runtime, live, window);
      try {
        return await live.engine.compress(snapshot.list, options);
      } catch (error) {
        const isOverflow = PalimpsestError.isInstance(error) && error.code === 'CONTEXT_OVERFLOW';
        if (!isOverflow || (cause === 'window' && !guess)) throw error;
      }
    }
    return undefined;
  } finally {
    useWindow(runtime, live, contextLength);
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

// The numbers by which handoffs name messages: those by which the store finds them again, and no others.

/**
 * Numbers everything anew, as another process would read it. The engine was shown system prompts that were not stored then,
 * and has numbered them: everything that is said from now on would have other numbers here than in the store.
 *
 * @throws STORE_CONFLICT when another process has gone on with the session
 */
async function readNumbersBack(runtime: Runtime, live: LiveConversation): Promise<void> {
  const { builtIn, session, prompts, view } = live;
  if (!builtIn) return;
  await requireTip(runtime, live);
  const { tokenizer } = await runtime.basis();
  const { record, entries, ids, compressions } = await restoreRecord(runtime.settings.store, session, tokenizer.count);
  const policy = builtIn.compressor.policyState();
  const made = await engineFor(runtime, session, { record, ids: [...ids], policy, compressions });
  // The record knows the messages of its view by how they were read.
  const shown = [...prompts, ...view].map((one, at) => ({ ...one, message: entries[at]?.message ?? one.message }));
  Object.assign(live, made, { prompts: shown.slice(0, prompts.length), view: shown.slice(prompts.length) });
}
