/** Asks the hook that hears of a compression before it begins. */
import { redact } from '../../redaction/redact.ts';
import { isJsonObject } from '../../shared/json.ts';
import { bounded } from '../bounded.ts';
import type { CompressionStart, CompressionStartAnswer, HookCall } from '../hooks.ts';
import { note } from '../notices.ts';
import type { ConversationNotice } from '../request.ts';
import type { Runtime } from '../runtime.ts';

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
export async function askStartHook(runtime: Runtime, asking: Asking, start: CompressionStart): Promise<StartAnswer> {
  const { onCompressionStart } = runtime.settings.hooks;
  if (!onCompressionStart) return { veto: undefined, kept: null };
  const { signal } = asking;
  const work = async (call: HookCall): Promise<ReadAnswer> => readStartAnswer(await onCompressionStart(start, call));
  const read = await bounded(runtime, asking, { name: 'onCompressionStart', work, signal });
  signal?.throwIfAborted();
  if (read?.type === 'wrong') {
    const message = `The hook onCompressionStart: ${read.why}; it was ignored.`;
    note(runtime, asking, { type: 'hook', level: 'warn', message });
  }
  const { veto, keep } = read?.type === 'answer' ? read.answer : {};
  if (veto !== undefined) {
    const what = start.isForced ? 'could not be vetoed: there is no room' : 'was vetoed';
    note(runtime, asking, { type: 'hook', level: 'warn', message: `The compression ${what} (${veto}).` });
  }
  return { veto: start.isForced ? undefined : veto, kept: keptText(keep) };
}

/** What of a hook's text is kept, without credentials; null for nothing. Half a credential would not be recognised: it is cut last. */
export const keptText = (keep = ''): string | null =>
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
