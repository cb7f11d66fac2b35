/** What went wrong with a compression that a person asked for, and what it means for them. */
import type { CompressionResult, SummaryAttempt } from '../../compression/result.ts';
import type { CompressFailure } from '../compress-request.ts';
import type { LiveConversation } from '../live/live.ts';
import type { ConversationNotice } from '../request.ts';
import type { Runtime } from '../runtime.ts';
import { holderOf } from './held-lease.ts';
import type { Shrunk } from './shrink.ts';

const asItWas = 'The conversation was not changed.';

/** In the order in which they happened. */
export async function failuresOf(
  runtime: Runtime,
  live: LiveConversation,
  shrunk: Shrunk,
): Promise<readonly CompressFailure[]> {
  if (shrunk.type === 'done') return ofModels(shrunk.made.result, { isCompressed: true });
  const said = ofModels(shrunk.result, { isCompressed: false });
  switch (shrunk.why) {
    case 'busy':
      return [
        ...said,
        { message: await busyWith(runtime, live), consequence: `${asItWas} Try again when it is done.` },
      ];
    case 'vetoed':
      return [...said, { message: `A hook vetoed the compression (${shrunk.detail}).`, consequence: asItWas }];
    case 'refused':
      return [...said, { message: shrunk.detail ?? '', consequence: asItWas }];
    case 'overflow':
      return [
        ...said,
        {
          message: 'The system prompt and the newest request alone are larger than the window, by estimate.',
          consequence: `${asItWas} Shorten them, start a new conversation with /new, or use a model with a larger window.`,
        },
      ];
    case 'nothing':
      // A model that failed has said so already.
      if (said.length > 0) return said;
      return [{ message: shrunk.result?.reason ?? 'There is nothing to compress.', consequence: asItWas }];
  }
}

/** Which models could not write a summary for a request, why, and what was done instead, for people (T6). */
export function modelFailures(shrunk: Shrunk): readonly ConversationNotice[] {
  const isCompressed = shrunk.type === 'done';
  const result = isCompressed ? shrunk.made.result : shrunk.result;
  // When it is tried again is told by the engine, which holds it back.
  return ofModels(result, { isCompressed, otherwise: asItWas }).map(({ message, consequence }) => ({
    type: 'summary_failed',
    level: 'warn',
    message: `${message} ${consequence}`,
  }));
}

interface Outcome {
  readonly isCompressed: boolean;
  /** What follows where the conversation stays as it is. */
  readonly otherwise?: string;
}

/** Models that could not write the summary, and what was done instead. */
function ofModels(
  result: CompressionResult | undefined,
  { isCompressed, otherwise = `${asItWas} Try again when the model answers.` }: Outcome,
): readonly CompressFailure[] {
  if (!result) return [];
  const { failure, summary } = result;
  const attempts = [...(summary?.failures ?? []), ...(failure?.before ?? []), ...(failure ? [failure] : [])];
  return attempts.map((attempt, at) => {
    const next = attempts[at + 1]?.model ?? summary?.model;
    const isLast = at === attempts.length - 1;
    if (next !== undefined && !(isLast && !summary)) return of(attempt, `${next} was asked instead.`);
    return of(
      attempt,
      isCompressed
        ? 'The handoff was written from extracted facts only, and says so; every message can be restored by its id.'
        : otherwise,
    );
  });
}

const of = ({ model, message }: SummaryAttempt, consequence: string): CompressFailure => ({
  message: `${model} could not write the summary: ${message}`,
  consequence,
});

async function busyWith({ settings }: Runtime, { session }: LiveConversation): Promise<string> {
  const holder = await holderOf(settings.store, session.rootId);
  const who = holder ? `${holder.owner} until ${holder.until} at the latest` : 'another process';
  return `The conversation is being compressed by ${who}.`;
}
