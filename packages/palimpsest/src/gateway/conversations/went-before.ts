/** A request that was sent before it was read, and should have gone in another form: that form is tried where it is refused. */
import type { PreparedContext } from '@palimpsest/core';
import { lookAt, mostHeld, startHeld, startShows } from '../answers/look.ts';
import type { Outcome, Prepared, Settlement } from '../middle.ts';
import type { Call } from './call.ts';
import { headersFor } from './doing.ts';
import { settleQuietly, watchUsage } from './watch-answer.ts';

/** `inForm`: what would have been sent for the context. */
export function wentBefore(call: Call, prepared: PreparedContext, inForm: Prepared): Prepared {
  const { isCompacted: _, ...told } = inForm.told ?? {};
  const { wholeBelow } = inForm;
  return {
    body: call.received.body,
    responseHeaders: headersFor({ type: 'passed', why: 'sent' }),
    told: { ...told, action: 'passed', reason: 'sent' },
    ...(wholeBelow ? { wholeBelow } : {}),
    settle: (outcome) => settleSent({ call, prepared, inForm: again(inForm) }, outcome),
  };
}

/** What was compressed for it was told once. */
function again({ told, ...inForm }: Prepared): Prepared {
  if (!told) return inForm;
  const { compression: _, ...rest } = told;
  return { ...inForm, told: { ...rest, isRecovery: true } };
}

interface WentBefore {
  readonly call: Call;
  readonly prepared: PreparedContext;
  readonly inForm: Prepared;
}

function settleSent({ call, prepared, inForm }: WentBefore, outcome: Outcome): Settlement | undefined {
  const look = outcome.type === 'failure' ? 'tell' : lookAt(outcome);
  if (outcome.type === 'failure' || look === 'tell') {
    settleQuietly(call, prepared, { type: 'aborted', hasBegun: false });
    return undefined;
  }
  const { headers } = outcome;
  if (look === 'judge') return { judge: { maxBytes: mostHeld, again: async () => inForm } };
  const held = startHeld(outcome);
  const isError = (start: Uint8Array, isWhole: boolean): boolean => startShows(headers, start, isWhole) === 'error';
  return {
    // What it used is counted; its answer comes with the next request.
    watch: watchUsage(call, prepared, headers),
    ...(held && {
      judge: { ...held, again: async (start, isWhole) => (isError(start, isWhole) ? inForm : undefined) },
    }),
  };
}
