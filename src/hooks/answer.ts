/** What a command says on its standard output, read as the answer to a compression that is about to begin. */
import type { CompressionStartAnswer } from '../conversation/hooks.ts';
import { isJsonObject, parseJson } from '../shared/json.ts';

/** The answer, none where nothing was said, or what is wrong with it. */
export type ReadAnswer =
  | { readonly type: 'answer'; readonly answer: CompressionStartAnswer }
  | { readonly type: 'wrong'; readonly why: string };

const expected = 'expected a JSON object with veto, keep, both or neither, each a text';

/** An empty output is an empty answer. `null` stands for nothing. */
export function readAnswer(output: string): ReadAnswer {
  const text = output.trim();
  if (text === '') return { type: 'answer', answer: {} };
  const value = parseJson(text);
  if (!isJsonObject(value)) return { type: 'wrong', why: `${expected}, got something else` };
  const { veto = null, keep = null, ...others } = value;
  const [stranger] = Object.keys(others);
  if (stranger !== undefined) return { type: 'wrong', why: `${expected}, got the key ${stranger.slice(0, 40)}` };
  if (veto !== null && typeof veto !== 'string') return { type: 'wrong', why: `${expected}, got a veto that is none` };
  if (keep !== null && typeof keep !== 'string') return { type: 'wrong', why: `${expected}, got a keep that is none` };
  return { type: 'answer', answer: { ...(veto === null ? {} : { veto }), ...(keep === null ? {} : { keep }) } };
}

/** Several answers as one: the first veto, and everything that is to be kept. */
export function joined(answers: readonly CompressionStartAnswer[]): CompressionStartAnswer {
  const veto = answers.find((answer) => answer.veto !== undefined)?.veto;
  const keep = answers.flatMap((answer) => answer.keep ?? []).join('\n\n');
  return { ...(veto === undefined ? {} : { veto }), ...(keep === '' ? {} : { keep }) };
}
