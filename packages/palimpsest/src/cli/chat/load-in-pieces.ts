/** What a conversation is made of is loaded while the prompt stands: in pieces, so that no key waits for all of it. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';

/**
 * A module is loaded with everything that it imports, in one go, and no key is heard meanwhile. So what is large comes on its own,
 * and before what builds on it.
 */
const pieces: readonly (() => Promise<unknown>)[] = [
  () => import('@palimpsest/core/formats'),
  () => import('@palimpsest/core/usage'),
  () => import('@palimpsest/core/prompt'),
  () => import('@palimpsest/core/memory'),
  () => import('@palimpsest/core/search'),
  () => import('@palimpsest/core'),
  () => import('@palimpsest/core/store'),
  async () => (await import('../../models/load-model.ts')).loadCompatible(),
  // With the AI SDK.
  () => import('../../agent/tools/tool-set.ts'),
  () => import('@palimpsest/core/ai-sdk'),
  () => import('./open-chat.ts'),
  () => import('./interactive.ts'),
];

/** Loads it all. Keys that come meanwhile are heard between two pieces. */
export async function loadInPieces(): Promise<void> {
  for (const load of pieces) {
    await load();
    await nextTurn();
  }
}

/**
 * From here on the space for what is young stays as it is. What is loaded lasts, which the engine takes for a reason to let that space
 * grow from 2 to 34 MB, and it never gives them back on its own.
 */
export const keepYoungSpaceSmall = (): void => setFlagsFromString('--semi-space-growth-factor=1');

/** Ends that: what is worked on later is short-lived, and large conversations need the space. 2 is what the engine begins with. */
export const letYoungSpaceGrow = (): void => setFlagsFromString('--semi-space-growth-factor=2');
