/** Lets one request at a time into a conversation, and reads it back where another process was faster. */
import { PalimpsestError } from '../shared/errors.ts';
import type { SessionId } from '../store/ids.ts';
import type { Asked, Lane, LiveConversation, Runtime, Step } from './live.ts';
import { sharedStart } from './said.ts';

/** The time in which a request has a conversation for itself. */
export interface Turn extends Pick<Step, 'runtime' | 'basis' | 'asked'> {
  /** The conversation that it seems to belong to. */
  readonly owner: LiveConversation | undefined;
  /** A lane for another conversation that is opened meanwhile; it opens when this turn is over. */
  newLane(): Lane;
  /** Everything that was followed for the first time in this turn. */
  readonly opened: LiveConversation[];
}

/** How often a request reads a conversation back because another process was faster. */
const attempts = 3;

/** Does the work alone in the conversation that a request belongs to. */
export async function inTurn<T>(runtime: Runtime, asked: Asked, work: (turn: Turn) => Promise<T>): Promise<T> {
  for (let conflicts = 0; ; ) {
    const owner = ownerOf(runtime, asked);
    const { promise: over, resolve: leave } = Promise.withResolvers<void>();
    const opened: LiveConversation[] = [];
    asked.notices.length = 0;
    try {
      const done = await enter(runtime, { owner, asked }, async () => {
        const basis = await runtime.basis();
        // Whoever was here before may have opened it, made a branch of it, or forgotten it.
        if (ownerOf(runtime, asked) !== owner) return undefined;
        asked.call.signal?.throwIfAborted();
        return { value: await work({ runtime, basis, asked, owner, newLane: () => createLane(over), opened }) };
      });
      if (done) return done.value;
    } catch (error) {
      if (!isOfRequest(error, asked)) for (const live of [owner, ...opened]) forget(runtime, live);
      if (!(hasCode(error, 'STORE_CONFLICT') || isGone(error)) || ++conflicts >= attempts) throw error;
    } finally {
      leave();
    }
  }
}

/**
 * The same for what became of a request: where its session was deleted while the model was asked, its conversation begins
 * anew, as it would with the next request.
 */
export async function inTurnOrAnew<T>(runtime: Runtime, asked: Asked, work: (turn: Turn) => Promise<T>): Promise<T> {
  try {
    return await inTurn(runtime, asked, work);
  } catch (error) {
    if (!isGone(error)) throw error;
    return inTurn(runtime, { ...asked, sessionId: undefined }, work);
  }
}

type Entering = Pick<Turn, 'owner' | 'asked'>;

/** Does the work when its turn comes. A request that is called off does not wait for it; what has begun is not left. */
function enter<T>(runtime: Runtime, { owner, asked }: Entering, work: () => Promise<T>): Promise<T> {
  const { signal } = asked.call;
  const run: Lane['run'] = (begin) =>
    owner ? owner.lane.run(begin) : inNamedLane(runtime, asked.sessionId ?? asked.hashes[0] ?? '', begin);
  if (!signal) return run(work);
  signal.throwIfAborted();
  const { promise: calledOff, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  const begun = (): Promise<T> => {
    signal.removeEventListener('abort', stop);
    return work();
  };
  return Promise.race([run(begun), calledOff]);
}

/** A lane that opens when `busy` is over. */
function createLane(busy: Promise<unknown> = Promise.resolve()): Lane {
  let last = busy;
  return {
    run(work) {
      const done = last.then(work);
      // Who comes next does not care how this one ended.
      last = done.catch(() => undefined);
      return done;
    },
  };
}

async function inNamedLane<T>({ lanes }: Runtime, name: string, work: () => Promise<T>): Promise<T> {
  const entry = lanes.get(name) ?? { lane: createLane(), users: 0 };
  lanes.set(name, entry);
  entry.users++;
  try {
    return await entry.lane.run(work);
  } finally {
    if (--entry.users === 0) lanes.delete(name);
  }
}

/** The conversation of the session that the door names, if the request continues it; else that with the longest start. */
function ownerOf({ live, starts }: Runtime, { sessionId, hashes }: Asked): LiveConversation | undefined {
  const named = sessionId === undefined ? undefined : live.get(sessionId);
  if (named && sharedStart(named.hashes, hashes) === named.hashes.length) return named;
  return starts.find(hashes) ?? named;
}

/** How many conversations that open alike are looked at. */
const openersKept = 4;

/**
 * Follows a conversation, with what was said in it from the message `from` on, and gives up the one unused for longest
 * where there are too many.
 */
export function remember(runtime: Runtime, one: LiveConversation, from = 0): void {
  const { followed, starts, openers, settings } = runtime;
  for (const id of [one.session.rootId, one.session.id]) nameLive(runtime, id, one);
  followed.delete(one);
  followed.add(one);
  starts.add(one, one.hashes, from);
  const [opener] = one.hashes;
  const alike = opener === undefined ? [] : (openers.get(opener) ?? []);
  if (opener !== undefined && alike[0] !== one) {
    openers.set(opener, [one, ...alike.filter((other) => other !== one)].slice(0, openersKept));
  }
  const [oldest] = followed;
  if (followed.size > settings.maxLive) forget(runtime, oldest);
}

/** Has the runtime find a conversation under the id of a session. */
export function nameLive({ live }: Runtime, id: SessionId, one: LiveConversation): void {
  live.set(id, one);
  one.names.add(id);
}

/** What is not followed is read back from the store when it is asked for. */
export function forget({ live, followed, starts, openers }: Runtime, one: LiveConversation | undefined): void {
  if (!one) return;
  followed.delete(one);
  one.ahead?.stop();
  one.ahead = undefined;
  starts.remove(one, one.hashes);
  for (const id of one.names) if (live.get(id) === one) live.delete(id);
  const [opener = ''] = one.hashes;
  const alike = openers.get(opener)?.filter((other) => other !== one) ?? [];
  if (alike.length > 0) openers.set(opener, alike);
  else openers.delete(opener);
}

const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  PalimpsestError.isInstance(error) && codes.includes(error.code);

/** A session that was followed may be deleted by a person. */
const isGone = (error: unknown): boolean => hasCode(error, 'ID_UNKNOWN');

/** Errors that say something about a request, or that it was called off: what is known of the conversation is still true. */
const isOfRequest = (error: unknown, { call }: Asked): boolean =>
  (call.signal?.aborted && error === call.signal.reason) ||
  hasCode(error, 'CONTEXT_OVERFLOW', 'BAD_MESSAGES', 'BAD_OPTION');
