/** The hooks around a compression: asked before it begins, told when it has ended. */
import { redact } from '../../redaction/redact.ts';
import { isJsonObject } from '../../shared/json.ts';
import { bounded, type HookHost } from '../bounded.ts';
import type { CompressionStart, CompressionStartAnswer, HookCall, SessionContinue } from '../hooks.ts';
import { note } from '../notices.ts';
import type { ContextCompression, ConversationNotice } from '../request.ts';

/** What the hook wants. */
export interface StartAnswer {
  /** Why the context is to stay as it is; undefined where nobody minds, or where there is no other way. */
  readonly veto: string | undefined;
  /** What the new context is to begin with. */
  readonly kept: string | null;
}

const keptCharacters = 8_000;

/** Who asks, and hears what there is to say. */
interface Asking {
  readonly notices: ConversationNotice[];
  /** Of the request, or of the work in the background. */
  readonly signal: AbortSignal | undefined;
}

/** What the hook says: a veto holds only where there is another way. @throws the signal's reason */
export async function askStartHook(host: HookHost, asking: Asking, start: CompressionStart): Promise<StartAnswer> {
  const { onCompressionStart } = host.settings.hooks;
  if (!onCompressionStart) return { veto: undefined, kept: null };
  const { signal } = asking;
  const work = async (call: HookCall): Promise<ReadAnswer> => readStartAnswer(await onCompressionStart(start, call));
  const read = await bounded(host, asking, { name: 'onCompressionStart', work, signal });
  signal?.throwIfAborted();
  if (read?.type === 'wrong') {
    const message = `The hook onCompressionStart: ${read.why}; it was ignored.`;
    note(host, asking, { type: 'hook', level: 'warn', message });
  }
  const { veto, keep } = read?.type === 'answer' ? read.answer : {};
  if (veto !== undefined) {
    const what = start.isForced ? 'could not be vetoed: there is no room' : 'was vetoed';
    note(host, asking, { type: 'hook', level: 'warn', message: `The compression ${what} (${veto}).` });
  }
  return { veto: start.isForced ? undefined : veto, kept: keptText(keep) };
}

/** Tells the hook that the session goes on in another one. */
export async function tellContinued(host: HookHost, asking: Asking, sessions: SessionContinue): Promise<void> {
  const { onSessionContinue } = host.settings.hooks;
  if (!onSessionContinue) return;
  const work = (call: HookCall): unknown => onSessionContinue(sessions, call);
  await bounded(host, asking, { name: 'onSessionContinue', work, signal: asking.signal });
}

/** Tells the hook what the compression came to. */
export async function tellEnd(host: HookHost, asking: Asking, report: ContextCompression): Promise<void> {
  const { onCompressionEnd } = host.settings.hooks;
  if (!onCompressionEnd) return;
  const work = (call: HookCall): unknown => onCompressionEnd(report, call);
  await bounded(host, asking, { name: 'onCompressionEnd', work, signal: asking.signal });
}

/** What of a hook's text is kept, without credentials; null for nothing. Half a credential would not be recognised: it is cut last. */
const keptText = (keep = ''): string | null =>
  keep.trim() === '' ? null : redact(keep).slice(0, keptCharacters).toWellFormed();

// Reads what a hook says to a compression that is about to begin: hooks come from programs that no compiler of ours
// has checked.

/** The answer, or what is wrong with it. */
export type ReadAnswer =
  | { readonly type: 'answer'; readonly answer: CompressionStartAnswer }
  | { readonly type: 'wrong'; readonly why: string };

const expected = 'expected a JSON object with veto, keep, both or neither, each a text';

/** Nothing, null and blank texts say nothing. What is wrong is passed over whole: half an answer is none. */
export function readStartAnswer(value: unknown): ReadAnswer {
  if (value === undefined || value === null) return { type: 'answer', answer: {} };
  if (!isJsonObject(value)) return { type: 'wrong', why: `${expected}, got something else` };
  const { veto, keep, ...others } = value;
  const [stranger] = Object.keys(others);
  if (stranger !== undefined) return { type: 'wrong', why: `${expected}, got the key ${stranger.slice(0, 40)}` };
  if (!isText(veto)) return { type: 'wrong', why: `${expected}, got a veto that is not a text` };
  if (!isText(keep)) return { type: 'wrong', why: `${expected}, got a keep that is not a text` };
  const reason = veto?.trim() ? { veto: lineOf(veto) } : {};
  return { type: 'answer', answer: { ...reason, ...(keep?.trim() ? { keep } : {}) } };
}

const isText = (value: unknown): value is string | null | undefined => typeof (value ?? '') === 'string';

/** A reason is for a notice, which has one line, and no credentials. */
const lineOf = (text: string): string =>
  redact(text).replaceAll(/\s+/g, ' ').trim().slice(0, longestReason).toWellFormed();

const longestReason = 500;
