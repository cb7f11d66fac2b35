/** What is not ours and has a say: hooks and listeners, called so that they can neither stop nor break a conversation. */
import { reasonOf } from '../compression/guard/guarded.ts';
import { inTime } from '../compression/guard/in-time.ts';
import { redact } from '../redaction/redact.ts';
import { isJsonObject } from '../shared/json.ts';
import { platformTimers, type Timers } from '../shared/timers.ts';
import type { CompressionStart, CompressionStartAnswer, ConversationHooks, HookCall, HookName } from './hooks.ts';
import type { ConversationSettings } from './options.ts';
import type { ContextCompression, ConversationNotice } from './request.ts';

/** For whom hooks are called: a request at work, or one compression outside of any runtime. */
export interface Host {
  readonly runtime: {
    readonly settings: Pick<ConversationSettings, 'hooks' | 'hookTimeoutMs' | 'timers' | 'onNotice'>;
  };
  readonly asked: {
    readonly notices: ConversationNotice[];
    readonly call: { readonly signal?: AbortSignal };
  };
}

/** Tells whoever listens, and whoever asked; nothing of it reaches the model. */
export function note({ runtime, asked }: Host, notice: ConversationNotice): void {
  asked.notices.push(notice);
  try {
    const heard: unknown = runtime.settings.onNotice?.(notice);
    if (heard instanceof Promise) heard.catch(() => undefined);
  } catch {
    // A listener that fails must not cost a message; the notice is in the result as well.
  }
}

/** The same about a hook. */
export const noteHook = (host: Host, message: string): void => note(host, { type: 'hook', level: 'warn', message });

/** Work that is not ours: a hook by its name, or what it does, as a notice says it. */
type Foreign<T> = Work<T> & ({ readonly name: string } | { readonly subject: string });

interface Work<T> {
  readonly work: (call: HookCall) => T | Promise<T>;
  /** Of the request that waits. @default it is never called off */
  readonly signal?: AbortSignal | undefined;
}

/** What the work gives; undefined when it failed or took too long, and when its request was called off. */
export async function bounded<T>(host: Host, { work, signal, ...who }: Foreign<T>): Promise<T | undefined> {
  if (signal?.aborted) return undefined;
  const { hookTimeoutMs, timers = platformTimers } = host.runtime.settings;
  const late = new AbortController();
  const after: Timers['after'] = (ms, fire) =>
    timers.after(ms, () => {
      late.abort(new Error(`no answer after ${ms} ms`));
      fire();
    });
  try {
    return await inTime({ timers: { after }, timeoutMs: hookTimeoutMs, signal }, (over) =>
      work({ signal: AbortSignal.any([late.signal, over]) }),
    );
  } catch (error) {
    if (signal?.aborted) return undefined;
    const what = late.signal.aborted ? `took longer than ${hookTimeoutMs} ms` : `failed (${reasonOf(error)})`;
    if ('name' in who) noteHook(host, `The hook ${who.name} ${what}; it was ignored.`);
    else note(host, { type: 'memory', level: 'warn', message: `${who.subject} ${what}.` });
    return undefined;
  }
}

/** Calls the hook of this name, if there is one, and waits for it. */
export async function callHook<T>(
  host: Host,
  name: HookName,
  call: (hooks: ConversationHooks, call: HookCall) => T | Promise<T>,
): Promise<T | undefined> {
  const { hooks } = host.runtime.settings;
  if (!hooks[name]) return undefined;
  return bounded(host, { name, work: (one) => call(hooks, one), signal: host.asked.call.signal });
}

/** Tells the hook what a compression came to. */
export const tellEnd = (host: Host, report: ContextCompression): Promise<void> =>
  callHook(host, 'onCompressionEnd', (hooks, call) => hooks.onCompressionEnd?.(report, call));

// The hook that is asked before a compression begins.

/** What it wants. */
export interface StartAnswer {
  /** Why the context is to stay as it is; undefined where nobody minds, or where there is no other way. */
  readonly veto: string | undefined;
  /** What the new context is to begin with. */
  readonly kept: string | null;
}

/** What the hook says: a veto holds only where there is another way. @throws the signal's reason */
export async function askStartHook(host: Host, start: CompressionStart): Promise<StartAnswer> {
  const read = await callHook(host, 'onCompressionStart', async (hooks, call) =>
    readStartAnswer(await hooks.onCompressionStart?.(start, call)),
  );
  if (host.runtime.settings.hooks.onCompressionStart) host.asked.call.signal?.throwIfAborted();
  if (read?.type === 'wrong') noteHook(host, `The hook onCompressionStart: ${read.why}; it was ignored.`);
  const { veto, keep } = read?.type === 'answer' ? read.answer : {};
  if (veto !== undefined) {
    const what = start.isForced ? 'could not be vetoed: there is no room' : 'was vetoed';
    noteHook(host, `The compression ${what} (${veto}).`);
  }
  return { veto: start.isForced ? undefined : veto, kept: keptText(keep) };
}

const keptCharacters = 8_000;

/** What of a hook's text is kept, without credentials; null for nothing. Half a credential would not be recognised: it is cut last. */
const keptText = (keep = ''): string | null =>
  keep.trim() === '' ? null : redact(keep).slice(0, keptCharacters).toWellFormed();

/** The answer, or what is wrong with it. */
export type ReadAnswer =
  | { readonly type: 'answer'; readonly answer: CompressionStartAnswer }
  | { readonly type: 'wrong'; readonly why: string };

/**
 * Reads what a hook says, which no compiler of ours has checked. Nothing, null and blank texts say nothing. What is wrong is
 * passed over whole: half an answer is none.
 */
export function readStartAnswer(value: unknown): ReadAnswer {
  if (value === undefined || value === null) return { type: 'answer', answer: {} };
  const wrong = (came: string): ReadAnswer => ({
    type: 'wrong',
    why: `expected a JSON object with veto, keep, both or neither, each a text, got ${came}`,
  });
  if (!isJsonObject(value)) return wrong('something else');
  const { veto, keep, ...others } = value;
  const [stranger] = Object.keys(others);
  if (stranger !== undefined) return wrong(`the key ${stranger.slice(0, 40)}`);
  if (!isText(veto)) return wrong('a veto that is not a text');
  if (!isText(keep)) return wrong('a keep that is not a text');
  const reason = veto?.trim() ? { veto: lineOf(veto) } : {};
  return { type: 'answer', answer: { ...reason, ...(keep?.trim() ? { keep } : {}) } };
}

const isText = (value: unknown): value is string | null | undefined => typeof (value ?? '') === 'string';

/** A reason is for a notice, which has one line, and no credentials. */
const lineOf = (text: string): string =>
  redact(text).replaceAll(/\s+/g, ' ').trim().slice(0, longestReason).toWellFormed();

const longestReason = 500;
