/**
 * What a request can do without gives way before anybody is told that it does not fit: none of it is a message, and all of it can be found again. In this order: what was recalled for earlier
 * turns; what a hook wanted to be kept through a compression; what was recalled for this turn; marks of pauses; what is
 * remembered, in the prompt of the session; that prompt itself.
 */
import type { RecalledText } from './beside.ts';
import { noteHook } from './call-hooks.ts';
import { type Step, turnOf } from './live.ts';
import { dropMemory, forgetMemory } from './memory/snapshot.ts';
import { dropPauses, pauseTokens } from './pauses.ts';
import { dropRecalled, recalledTokens } from './recalled.ts';
import type { ContextSize } from './request.ts';
import { overflows, sizeOf } from './size.ts';

/** The size without as much of what is optional as it takes to fit the room. */
export async function roomySize(step: Step, room: number): Promise<ContextSize> {
  let size = sizeOf(step);
  for (const giveWay of order) {
    if (!overflows(step.live, { size, room })) return size;
    if (await giveWay(step)) size = sizeOf(step);
  }
  return size;
}

/** True where something gave way. */
type GiveWay = (step: Step) => boolean | Promise<boolean>;

const order: readonly GiveWay[] = [
  async (step) => {
    const current = turnOf(step.live);
    const isOld = ({ turn, text }: RecalledText): boolean => turn !== current && text !== '';
    if (!step.live.recalled.some(isOld)) return false;
    await dropRecalled(step, isOld);
    return true;
  },
  (step) => {
    const { live } = step;
    if (live.state.kept === null) return false;
    live.state = { ...live.state, kept: null, report: null };
    noteHook(step, 'The text that was to be kept through the compression was dropped: there is no room for it.');
    return true;
  },
  dropAllRecalled,
  async (step) => {
    if (pauseTokens(step) === 0) return false;
    await dropPauses(step);
    return true;
  },
  forgetMemory,
  (step) => {
    if (!step.live.memory?.message) return false;
    dropMemory(step);
    return true;
  },
];

/** Takes all recalled text away, also that of this turn. */
export async function dropAllRecalled(step: Step): Promise<boolean> {
  if (recalledTokens(step) === 0) return false;
  await dropRecalled(step, () => true);
  return true;
}
