/** Runs a tool by its name. Loaded with the first call: what the tools work on is large, and most sessions never call one. */
import type { JsonObject } from '@palimpsest/core/settings';
import type { KeptCall } from '../kept.ts';
import { compressText } from './compress-text.ts';
import type { ToolName } from './definitions.ts';
import { proposeToRemember, showOrChangeMemory } from './memory.ts';
import { readOutput, searchOutput } from './outputs.ts';
import { expandRefs, searchSessions } from './recall.ts';
import { errorText, type ToolAnswer } from './tool.ts';

export interface ToolPlace {
  readonly kept: KeptCall;
  readonly isReadOnly: boolean;
  /** Aborted when the client calls the call off. */
  readonly signal: AbortSignal;
}

/** The answer to a call, whatever a model sends; errors are answers. Rejects only with the reason of the signal. */
export async function runTool(name: ToolName, given: JsonObject, place: ToolPlace): Promise<ToolAnswer> {
  const { kept, signal } = place;
  try {
    signal.throwIfAborted();
    return await answerOf(name, given, place);
  } catch (error) {
    signal.throwIfAborted();
    await kept.failed(error);
    return { text: errorText(error), isError: true };
  }
}

function answerOf(name: ToolName, given: JsonObject, place: ToolPlace): Promise<ToolAnswer> {
  const { kept, signal } = place;
  switch (name) {
    case 'session_search':
      return searchSessions(given, kept, signal);
    case 'expand':
      return expandRefs(given, kept);
    case 'read_output':
      return readOutput(given, kept);
    case 'search_output':
      return searchOutput(given, kept);
    case 'memory':
      return showOrChangeMemory(given, place);
    case 'remember':
      return proposeToRemember(given, kept);
    case 'compress_text':
      return compressText(given);
  }
}
