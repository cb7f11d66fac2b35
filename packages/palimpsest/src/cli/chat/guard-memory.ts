/** What commands of the agent write into the files of the memory is not taken for what the person wrote there. */
import { PalimpsestError } from '@palimpsest/core';
import type { HeldChanges, Memory } from '@palimpsest/core/memory';
import type { MemoryAct } from '@palimpsest/core/store';
import type { WatchCommand } from '../../agent/tools/terminal/terminal.ts';
import { linesOf, oneLine } from '../render/text.ts';

/** Holds back what changes in the files while a command runs, and tells the person of it. */
export function guardMemory(memory: Memory, onNotice: (message: string) => void): WatchCommand {
  return async ({ line, variable }) => {
    const hold = await memory.holdEdits({ by: line, variable });
    return async () => {
      try {
        for (const message of messagesOf(await hold.release(), oneLine(hold.by))) onNotice(message);
      } catch (error) {
        onNotice(unsettled(error));
      }
    };
  };
}

/** What a conversation left that was killed while a command ran; undefined for nothing, and where the memory cannot be read. */
export async function leftBehind(memory: Memory): Promise<string | undefined> {
  try {
    const act = await memory.reconcile();
    return act?.what === 'hold' ? waitingOf([act]) : undefined;
  } catch (error) {
    // The memory says so itself where it is needed.
    if (PalimpsestError.isInstance(error)) return undefined;
    throw error;
  }
}

function messagesOf({ acts, moved, stillRuns }: HeldChanges, by: string): readonly string[] {
  return linesOf(
    acts.length > 0 && waitingOf(acts),
    moved.length > 0 &&
      `A command put something in the place of files of the memory (${by}): they are as they were, and it lies beside them as ${moved.join(', ')}.`,
    stillRuns &&
      `Something that a command started still runs (${by}): until it ends, what is changed in the files of the memory waits for your yes, by hand too.`,
  );
}

function waitingOf(acts: readonly MemoryAct[]): string {
  const ids = acts.flatMap(({ changes }) => changes.map(({ after }) => after.id));
  const reasons = acts.map(({ reason }) => reason).join(' ');
  return `${reasons} Look with palimpsest memory pending; then palimpsest memory approve or reject ${ids.join(' ')}.`;
}

const unsettled = (error: unknown): string =>
  `What a command may have written into the memory could not be looked at: ${error instanceof Error ? error.message : String(error)} Until that is done, what is changed there waits for your yes.`;
