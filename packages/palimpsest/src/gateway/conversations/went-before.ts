/** A request that was sent before it was read, and should have gone in another form: that form is tried where it is refused. */
import type { PreparedContext } from '@palimpsest/core';
import { lookAt, mostHeld, startHeld, startShows } from '../answers/look.ts';
import type { Outcome, Prepared, Settlement, WholeBelow } from '../middle.ts';
import type { Call } from './call.ts';
import { headersFor } from './doing.ts';
import { refusalAbout } from './recover.ts';
import { nameOf } from './runtimes.ts';
import { settleQuietly, watchUsage } from './watch-answer.ts';

/** Requests for its model wait to be read, so that its next one goes as it should. */
export function readFirst({ shared, received, request }: Call): WholeBelow {
  shared.wholeSizes?.beware(nameOf(received.dialect, request.model));
  return { of: 'model', bytes: 0 };
}

/** `inForm`: what would have been sent for the context. */
export function wentBefore(call: Call, prepared: PreparedContext, inForm: Prepared): Prepared {
  const { isCompacted: _, ...told } = inForm.told ?? {};
  return {
    body: call.received.body,
    responseHeaders: headersFor({ type: 'passed', why: 'sent' }),
    told: { ...told, action: 'passed', reason: 'sent' },
    wholeBelow: readFirst(call),
    settle: (outcome) => settleSent({ call, prepared, inForm }, outcome),
  };
}

interface WentBefore {
  readonly call: Call;
  readonly prepared: PreparedContext;
  readonly inForm: Prepared;
}

function settleSent(went: WentBefore, outcome: Outcome): Settlement | undefined {
  const { call, prepared } = went;
  const leave = (): undefined => {
    settleQuietly(call, prepared, { type: 'aborted', hasBegun: false });
  };
  if (outcome.type === 'failure' || lookAt(outcome) === 'tell') return leave();
  if (lookAt(outcome) === 'judge') {
    const again = async (start: Uint8Array): Promise<Prepared | undefined> => tried(went, outcome, start) ?? leave();
    return { judge: { maxBytes: mostHeld, again } };
  }
  const held = startHeld(outcome);
  const again = async (start: Uint8Array, isWhole: boolean): Promise<Prepared | undefined> =>
    startShows(outcome.headers, start, isWhole) === 'error' ? tried(went, outcome, start) : undefined;
  // What it used is counted; its answer comes with the next request.
  return { watch: watchUsage(call, prepared, outcome.headers), ...(held && { judge: { ...held, again } }) };
}

/** The form that it should have had, where that may help. What was compressed for it was told before. */
function tried(
  { call, prepared, inForm }: WentBefore,
  outcome: Extract<Outcome, { type: 'answer' }>,
  start: Uint8Array,
): Prepared | undefined {
  const about = refusalAbout({ call, prepared }, outcome, start);
  if (about === 'other') return undefined;
  const { told, ...rest } = inForm;
  if (!told) return rest;
  const { compression: _, ...toldBefore } = told;
  return { ...rest, told: about === 'size' ? { ...toldBefore, isRecovery: true } : toldBefore };
}
