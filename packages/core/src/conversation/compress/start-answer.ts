/** Reads what a hook says to a compression that is about to begin: hooks come from programs that no compiler of ours has checked. */
import { redact } from '../../redaction/redact.ts';
import { isJsonObject } from '../../shared/json.ts';
import type { CompressionStartAnswer } from '../hooks.ts';

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
