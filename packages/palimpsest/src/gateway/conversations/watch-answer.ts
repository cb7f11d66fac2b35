/** Reads an answer beside the relay, so that the conversation has it: what was said, and what it cost. */
import { type CallOutcome, normaliseUsage, type PreparedContext } from '@palimpsest/core';
import type { CallTokens } from '@palimpsest/core/tracing';
import { type AnswerReader, createAnswerReader, type ReadAnswer } from '@palimpsest/core/wire';
import { isPacked, unpacking } from '../answers/packing.ts';
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

const watched = (call: Call, options: Watched): Watch =>
  isPacked(options.headers) ? watchedPacked(call, options) : watchedPlain(call, options);

/** Calls without ids get theirs from their place in the next request, which is the client's own. */
const readerFor = ({ received, request }: Call): AnswerReader =>
  createAnswerReader(received.dialect, { at: request.body.entries.at(-1)?.to ?? 0 });

/**
 * A piece that its end comes with, most often the whole answer, is read when that is kept: in one go, with nothing that waits. What is made
 * of it and lives longer than a moment costs as much again to collect.
 */
function watchedPlain(call: Call, { prepared, kept }: Watched): Watch {
  let reader: AnswerReader | undefined;
  let last: Uint8Array | undefined;
  let hasEnded = false;
  const readLast = (): AnswerReader => {
    const known = reader ?? readerFor(call);
    if (last) known.read(last);
    last = undefined;
    return known;
  };
  return {
    read: (bytes) => {
      if (last) reader = readLast();
      last = bytes;
      queueMicrotask(() => {
        if (!hasEnded) reader = readLast();
      });
    },
    end: (how) => {
      hasEnded = true;
      const told = Promise.withResolvers<CallOutcome>();
      // Begun with the next request of its conversation, it has to be asked for before that: `settle` in the same moment.
      const keep = async (): Promise<void> => {
        const outcome = outcomeOf(how, readLast().end());
        reader = undefined;
        told.resolve(outcome);
        await call.runtime.settle(prepared, kept(outcome));
      };
      const done = call.shared.later.add(beginningOf(call.request), keep);
      done.catch(told.reject);
      keepQuietly(call, done);
      return usedIn(told.promise);
    },
  };
}

/** What is packed is unpacked beside everything, piece by piece. */
function watchedPacked(call: Call, { prepared, headers, kept }: Watched): Watch {
  const reader = readerFor(call);
  const answer = unpacking(headers, (bytes) => reader.read(bytes));
  return {
    read: (bytes) => answer.read(bytes),
    end: (how) => {
      const heard = answer.end().then((isRead) => outcomeOf(isRead ? how : 'broken', reader.end()));
      const keep = (outcome: CallOutcome): Promise<unknown> =>
        call.shared.later.add(beginningOf(call.request), () => call.runtime.settle(prepared, kept(outcome)));
      keepQuietly(call, heard.then(keep));
      return usedIn(heard);
    },
  };
}

const usedIn = (heard: Promise<CallOutcome>): Promise<CallTokens | undefined> =>
  heard.then(
    (outcome) => (outcome.type === 'failed' ? undefined : normaliseUsage(outcome.usage)),
    () => undefined,
  );

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
