/** One compression of a conversation: its engine makes a smaller list, and the session goes on in a continuation. */
import { noteUsage } from '../compression/compress-session.ts';
import type { CompressOptions } from '../context/engine.ts';
import { redact } from '../redaction/redact.ts';
import { PalimpsestError } from '../shared/errors.ts';
import type { Lease } from '../store/lease-store.ts';
import type { Message } from '../transcript/message.ts';
import { isFromPerson } from '../transcript/origin.ts';
import { messageText } from '../transcript/text.ts';
import { bounded } from './bounded.ts';
import { continuation } from './continuation.ts';
import { noteSessionStart } from './engine-session.ts';
import { type LiveConversation, promptsFor, promptsHash } from './live.ts';
import { note } from './notices.ts';
import type { ContextCompression, ContextSize } from './request.ts';
import type { Asked, Runtime } from './runtime.ts';
import { remember } from './turns.ts';

/** What is compressed, and why. */
export interface Shrink {
  readonly asked: Asked;
  readonly size: ContextSize;
  /** The request does not fit the window: there is no other way. */
  readonly isForced: boolean;
}

/** What became of it; undefined where nothing was done. */
type Shrunk = Pick<ContextCompression, 'result'> | undefined;

/** Longer than a model may be silent. */
const leaseMilliseconds = 300_000;

/**
 * Compresses a conversation, or says why not by doing nothing.
 *
 * @throws STORE_CONFLICT when another process was faster; what the engine throws, but no overflow where all fits
 */
export async function shrink(runtime: Runtime, live: LiveConversation, wish: Shrink): Promise<Shrunk> {
  const { store, owner } = runtime.settings;
  const { listed } = promptsFor(live, wish.asked.prompts);
  const list = [...listed, ...live.view.map(({ message }) => message)];
  if (!live.engine.hasContentToCompress(list)) return undefined;
  const lease = await store.leases.acquire(`compress:${live.session.rootId}`, owner, leaseMilliseconds);
  // Another process is at it: its result is read when it is there.
  if (!lease && !wish.isForced) return undefined;
  try {
    await requireTip(runtime, live);
    return await compressed(runtime, live, { ...wish, list, lease });
  } finally {
    if (lease) await store.leases.release(lease);
  }
}

interface Leased extends Shrink {
  readonly list: readonly Message[];
  readonly lease: Lease | undefined;
}

async function compressed(runtime: Runtime, live: LiveConversation, wish: Leased): Promise<Shrunk> {
  const { asked, list, lease } = wish;
  const { store } = runtime.settings;
  const start = await askedHook(runtime, live, wish);
  if (start.veto) return undefined;
  // Messages of the record get the ids that they are stored under, before others take their place in the view.
  const places = placesOf(live);
  const smaller = await engineList(live, wish);
  const result = smaller && live.builtIn?.compressor.lastResult();
  if (result) await noteUsage(store, live.session.id, result);
  if (!smaller || smaller === list) return undefined;
  if (!keepsRequest(list, smaller)) {
    const message = `The engine "${live.engine.name}" left out the newest request; its list was not used.`;
    note(runtime, asked, { type: 'refused', level: 'warn', message });
    return undefined;
  }
  const made = await continuation(store, live, { list, smaller, places, result, lease });
  Object.assign(live, made, {
    state: { ...live.state, report: null, prompts: promptsHash(asked.prompts), kept: start.kept },
  });
  remember(runtime, live, live.hashes.length);
  await noteSessionStart(runtime, live, { reason: 'compression', notices: asked.notices });
  return result ? { result } : {};
}

/** What the hook says: a veto holds only where there is another way. */
async function askedHook(
  runtime: Runtime,
  { session }: LiveConversation,
  { asked, size, isForced }: Shrink,
): Promise<{ readonly veto: boolean; readonly kept: string | null }> {
  const { onCompressionStart } = runtime.settings.hooks;
  if (!onCompressionStart) return { veto: false, kept: null };
  const work = (): ReturnType<typeof onCompressionStart> =>
    onCompressionStart({ sessionId: session.id, tokens: size.tokens, isForced });
  const { veto, keep } = (await bounded(runtime, asked, { name: 'onCompressionStart', work })) ?? {};
  if (veto !== undefined) {
    const what = isForced ? 'could not be held back: there is no room' : 'was held back';
    note(runtime, asked, { type: 'hook', level: 'warn', message: `The compression ${what} (${veto}).` });
  }
  const kept = keep === undefined || keep.trim() === '' ? null : redact(keep.slice(0, keptCharacters));
  return { veto: veto !== undefined && !isForced, kept };
}

const keptCharacters = 8_000;

/** The list of the engine. An overflow that the engine fears is none where the provider's count says that all fits. */
async function engineList(live: LiveConversation, { asked, list, size, isForced }: Leased) {
  const { focusTopic, signal } = asked.call;
  const options: CompressOptions = {
    currentTokens: size.tokens,
    ...(focusTopic === undefined ? {} : { focusTopic }),
    ...(signal === undefined ? {} : { signal }),
  };
  try {
    return await live.engine.compress(list, options);
  } catch (error) {
    const isOverflow = PalimpsestError.isInstance(error) && error.code === 'CONTEXT_OVERFLOW';
    if (isOverflow && !isForced) return undefined;
    throw error;
  }
}

/** For every message of the stored view its place in the record; empty for another engine. */
function placesOf({ builtIn, prompts, view }: LiveConversation): readonly number[] {
  if (!builtIn) return [];
  const { record, ids } = builtIn;
  const shown = [...prompts, ...view];
  const places = record.ingest(shown.map(({ message }) => message));
  for (const [at, place] of places.entries()) if (place >= 0) ids[place] ??= shown[at]?.id;
  return places;
}

/** Invariant 3, for engines that are not ours: the newest words of a person are in the list, as they were written. */
function keepsRequest(list: readonly Message[], smaller: readonly Message[]): boolean {
  const request = list.findLast(isFromPerson);
  if (!request || smaller.includes(request)) return true;
  const text = messageText(request);
  return smaller.some((message) => message.role === 'user' && messageText(message).includes(text));
}

/** Whoever held the lease before may have gone on from the session. */
async function requireTip({ settings }: Runtime, { session, prompts, view }: LiveConversation): Promise<void> {
  const tip = await settings.store.sessions.tip(session.id);
  if (tip.id === session.id && tip.messages === prompts.length + view.length) return;
  throw new PalimpsestError(
    'STORE_CONFLICT',
    `Expected session ${session.id} as it was left, but another process has gone on with it: read it again.`,
    { evidence: { id: session.id } },
  );
}
