/** Reads an answer beside the relay, so that the conversation has it: what was said, and what it cost. */
import { type CallOutcome, normaliseUsage, type PreparedContext } from '@palimpsest/core';
import { createAnswerReader, type ReadAnswer } from '@palimpsest/core/wire';
import { unpacking } from '../answers/packing.ts';
import type { AnswerEnd, HeaderList, Watch } from '../middle.ts';
import { beginningOf, type Call } from './call.ts';
import { saidForm } from './said-form.ts';

/** Watches the answer to a context. */
export const watchAnswer = (call: Call, prepared: PreparedContext, headers: HeaderList): Watch =>
  watched(call, { prepared, headers, kept: (outcome) => outcome });

/** Watches one for what it used: to the context that was prepared it is no answer. */
export const watchUsage = (call: Call, prepared: PreparedContext, headers: HeaderList): Watch =>
  watched(call, { prepared, headers, kept: usedAlone });

const usedAlone = (outcome: CallOutcome): CallOutcome =>
  outcome.type === 'answered' ? { type: 'aborted', hasBegun: true, usage: outcome.usage } : outcome;

interface Watched {
  readonly prepared: PreparedContext;
  readonly headers: HeaderList;
  /** What is kept of it. */
  readonly kept: (outcome: CallOutcome) => CallOutcome;
}

function watched(call: Call, { prepared, headers, kept }: Watched): Watch {
  const { received, request } = call;
  // Calls without ids get theirs from their place in the next request, which is the client's own.
  const reader = createAnswerReader(received.dialect, { at: request.body.entries.at(-1)?.to ?? 0 });
  const answer = unpacking(headers, (bytes) => reader.read(bytes));
  return {
    read: (bytes) => answer.read(bytes),
    end: (how) => {
      const heard = answer.end().then((isRead) => outcomeOf(isRead ? how : 'broken', reader.end()));
      keepQuietly(
        call,
        heard.then((outcome) =>
          call.shared.later.add(beginningOf(request), () => call.runtime.settle(prepared, kept(outcome))),
        ),
      );
      return heard.then(
        (outcome) => (outcome.type === 'failed' ? undefined : normaliseUsage(outcome.usage)),
        () => undefined,
      );
    },
  };
}

function outcomeOf(how: AnswerEnd, { reply, usage, isWhole, error }: ReadAnswer): CallOutcome {
  const reported = usage === undefined ? {} : { usage };
  if (how !== 'whole' || !isWhole || error !== undefined || reply === undefined)
    return { type: 'aborted', hasBegun: reply !== undefined || usage !== undefined, ...reported };
  return { type: 'answered', reply: saidForm(reply), ...reported };
}

/** Settles beside the relay. */
export function settleQuietly(call: Call, prepared: PreparedContext, outcome: CallOutcome): void {
  keepQuietly(call, call.runtime.settle(prepared, outcome));
}

/** What cannot be kept is told, and costs the client nothing. Whoever stops waits for it. */
function keepQuietly({ shared: { onTheWay, note, health } }: Call, settled: Promise<unknown>): void {
  const kept = settled
    .catch((error: unknown) => {
      // In memory for a while, it is lost to nobody: its client sends it again.
      if (!health || health.failed(error)) return;
      note(`An answer could not be kept: ${error instanceof Error ? error.message : String(error)}`);
    })
    .finally(() => onTheWay.delete(kept));
  onTheWay.add(kept);
}
