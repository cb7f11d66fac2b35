/** `read_output` and `search_output`: tool results that were too large and were saved whole. */
import { createOutputTools } from '@palimpsest/core';
import type { JsonObject } from '@palimpsest/core/settings';
import { type OutputStore, outputMeant } from '@palimpsest/core/store';
import type { KeptCall } from '../kept.ts';
import { errorText, fitted, type ToolAnswer, textOf } from './tool.ts';

export async function readOutput(given: JsonObject, kept: KeptCall): Promise<ToolAnswer> {
  const { outputs } = await kept.record();
  const isMeant = textOf(given.id) !== undefined && (await isSaved(given, outputs));
  return runTool(0, given, { outputs, isMeant });
}

export async function searchOutput(given: JsonObject, kept: KeptCall): Promise<ToolAnswer> {
  const { outputs } = await kept.record();
  const isMeant = textOf(given.query) !== undefined && (await isSaved(given, outputs));
  return runTool(1, given, { outputs, isMeant });
}

/** False for an id of nothing; without one all are meant. */
async function isSaved({ id }: JsonObject, outputs: OutputStore): Promise<boolean> {
  const wanted = textOf(id);
  return wanted === undefined || (await outputMeant(wanted, { outputs })).type === 'found';
}

/** The tools of the library, which say in words what is wrong; `at` is the place of the one that is meant. */
async function runTool(
  at: 0 | 1,
  given: JsonObject,
  { outputs, isMeant }: { readonly outputs: OutputStore; readonly isMeant: boolean },
): Promise<ToolAnswer> {
  let failure: { readonly error: unknown } | undefined;
  const text = await fitted(async (pageChars) => {
    const onFailure = (error: unknown): void => {
      failure = { error };
    };
    const tool = createOutputTools({ outputs, isMasked: true, pageChars, onFailure })[at];
    return (await tool?.run(given)) ?? '';
  });
  return failure ? { text: errorText(failure.error), isError: true } : { text, isError: !isMeant };
}
