/** Laws over random cases that say nothing where the cases that matter never came. */
import assert from 'node:assert/strict';
import fc from 'fast-check';

const mostRounds = 8;

/**
 * A law of random cases, `numRuns` at a time until they have shown what it is about. Chance alone leaves that out of a few
 * cases now and then; out of eight times as many, something is wrong.
 *
 * @param missing - what was not shown yet, in words; empty when all of it was
 */
export async function requireLaw<Ts>(
  law: fc.IAsyncProperty<Ts>,
  { numRuns, missing }: { readonly numRuns: number; readonly missing: () => string },
): Promise<void> {
  const { seed } = fc.readConfigureGlobal();
  for (let round = 0; round < mostRounds; round++) {
    await fc.assert(law, { numRuns, ...(seed !== undefined && { seed: seed + round }) });
    if (missing() === '') return;
  }
  assert.fail(`${mostRounds * numRuns} cases never showed ${missing()}`);
}
