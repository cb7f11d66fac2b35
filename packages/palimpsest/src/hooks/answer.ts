/** What a command says on its standard output, read as the answer to a compression that is about to begin. */

import type { CompressionStartAnswer, ReadAnswer } from '@palimpsest/core';
import { parseJson } from '@palimpsest/core/settings';
import { readStartAnswer } from '@palimpsest/core/store';

/** An empty output is an empty answer; one that is no JSON is none. */
export function readAnswer(output: string): ReadAnswer {
  const text = output.trim();
  return text === '' ? readStartAnswer(undefined) : readStartAnswer(parseJson(text) ?? text);
}

/** Several answers as one: the first veto, and everything that is to be kept. */
export function joined(answers: readonly CompressionStartAnswer[]): CompressionStartAnswer {
  const veto = answers.find((answer) => answer.veto !== undefined)?.veto;
  const keep = answers.flatMap((answer) => answer.keep ?? []).join('\n\n');
  return { ...(veto === undefined ? {} : { veto }), ...(keep === '' ? {} : { keep }) };
}
