/** What is done where an upstream refuses: what is too long is shortened, and what we changed goes again as it came. */

import {
  type ContextRequest,
  classifyFailure,
  estimateTextTokens,
  type FailureReason,
  PalimpsestError,
  type PreparedContext,
} from '@palimpsest/core';
import type { JsonObject } from '@palimpsest/core/settings';
import { readFailure } from '@palimpsest/core/wire';
import { lookAt, mostHeld, readableStart, startHeld, startShows } from '../answers/look.ts';
import { unpackedStart } from '../answers/packing.ts';
import type { HeaderList, Outcome, Prepared, Settlement } from '../middle.ts';
import type { Call } from './call.ts';
import { headersFor, toldOf } from './doing.ts';
import { settleQuietly } from './watch-answer.ts';

/** A request that was sent. */
export interface Recovery {
  readonly call: Call;
  readonly prepared: PreparedContext;
  /** True where other bytes were sent than came. */
  readonly isChanged: boolean;
  /** What is sent for another context in place of this one. */
  readonly again: (prepared: PreparedContext, startedAt: number) => Prepared;
}

/** Looks at what came back that is no answer. */
export function recover(recovery: Recovery, outcome: Outcome): Settlement | undefined {
  const { call, prepared } = recovery;
  if (outcome.type === 'failure' || lookAt(outcome) !== 'judge') {
    settleQuietly(call, prepared, { type: 'aborted', hasBegun: false });
    return undefined;
  }
  const { status, headers } = outcome;
  return { judge: { maxBytes: mostHeld, again: (start) => nextTry(recovery, { status, headers, start }) } };
}

/**
 * Looks at the start of an answer with a good status, which may be an error that says that the request was too long. The client is sent
 * nothing before the first word, or a sign of life: comments and pings pass at once.
 */
export function judgeStart(recovery: Recovery, outcome: Answered): Settlement['judge'] {
  const held = recovery.call.shared.isDryRun ? undefined : startHeld(outcome);
  const { headers } = outcome;
  return (
    held && {
      ...held,
      again: async (start, isWhole) => {
        if (startShows(headers, start, isWhole) !== 'error') return undefined;
        const error = startError(recovery.call, headers, start);
        return aboutSize.has(reasonFor(recovery, error)) ? shorter(recovery, error) : undefined;
      },
    }
  );
}

/** An error in place of an answer, which has no status of its own. */
const startError = ({ received: { dialect } }: Call, headers: HeaderList, start: Uint8Array): JsonObject => ({
  headers: named(headers),
  body: readFailure(dialect, readableStart(headers, start) ?? new Uint8Array()),
});

type Answered = Extract<Outcome, { type: 'answer' }>;

interface Refused {
  readonly status: number;
  readonly headers: HeaderList;
  readonly start: Uint8Array;
}

/** What is tried next; undefined lets the client see the refusal. */
async function nextTry(recovery: Recovery, refused: Refused): Promise<Prepared | undefined> {
  const { call, prepared, isChanged } = recovery;
  const { shared, received } = call;
  const error = errorOf(call, refused);
  const reason = reasonFor(recovery, error);
  if (!shared.isDryRun && aboutSize.has(reason)) return shorter(recovery, error);
  settleQuietly(call, prepared, { type: 'aborted', hasBegun: false });
  if (!isChanged || !aboutForm.has(reason)) return undefined;
  shared.note(`An upstream refused a shortened request (${refused.status}, ${reason}); it was sent again as it came.`);
  const done = { type: 'passed', why: 'refused' } as const;
  return { body: received.body, responseHeaders: headersFor(done), told: toldOf(done, { model: call.request.model }) };
}

/** What a refusal of a context is about, or an error in place of an answer to it; `other`: no other form of it would help. */
export function refusalAbout(
  recovery: Pick<Recovery, 'call' | 'prepared'>,
  outcome: Answered,
  start: Uint8Array,
): 'size' | 'form' | 'other' {
  const { call } = recovery;
  const { status, headers } = outcome;
  const isRefusal = lookAt(outcome) === 'judge';
  const error = isRefusal ? errorOf(call, { status, headers, start }) : startError(call, headers, start);
  const reason = reasonFor(recovery, error);
  if (aboutSize.has(reason)) return 'size';
  return isRefusal && aboutForm.has(reason) ? 'form' : 'other';
}

const reasonFor = ({ call, prepared }: Pick<Recovery, 'call' | 'prepared'>, error: JsonObject): FailureReason =>
  reasonIn(call, error, { promptTokens: prepared.size.tokens, messages: prepared.messages.length });

function reasonIn(
  { shared, received, request }: Call,
  error: JsonObject,
  size: { readonly promptTokens: number; readonly messages: number },
): FailureReason {
  const contextLength = shared.windowOf(received.dialect, request.model);
  return classifyFailure(error, { contextLength, ...size }).reason;
}

/** The conversation shortened, where that is possible. */
async function shorter({ call, prepared, again }: Recovery, error: JsonObject): Promise<Prepared | undefined> {
  const startedAt = Date.now();
  try {
    const next = await call.runtime.settle(prepared, { type: 'failed', error });
    return next.type === 'retry' ? again(next.prepared, startedAt) : undefined;
  } catch (failed) {
    // The client sees the refusal; what it sends next goes on in memory.
    const { health } = call.shared;
    if (!health || health.failed(failed)) return undefined;
    throw failed;
  }
}

/** Reasons for which a shorter request, or a smaller answer, may be taken. */
const aboutSize: ReadonlySet<FailureReason> = new Set<FailureReason>([
  'context_overflow',
  'payload_too_large',
  'long_context_tier',
  'output_limit',
]);

/** Reasons that may lie in what we changed. */
const aboutForm: ReadonlySet<FailureReason> = new Set<FailureReason>([
  'format_error',
  'unknown',
  'thinking_signature',
  'invalid_encrypted_content',
  'reasoning_mandatory',
]);

// A client's own summary is sent as it came, and nothing is kept of it, until it is refused as too long.

/** A summary that was sent as it came. */
interface SummaryRecovery extends Pick<Recovery, 'again'> {
  readonly outcome: Outcome;
  /** What is asked for it, as a turn of the conversation. */
  readonly context: () => Promise<ContextRequest>;
}

/** Looks at what came back for it, be it a refusal or an error at the start of a stream. */
export function recoverSummary(call: Call, recovery: SummaryRecovery): Settlement | undefined {
  const { outcome } = recovery;
  if (outcome.type === 'failure' || call.shared.isDryRun) return undefined;
  const { status, headers } = outcome;
  switch (lookAt(outcome)) {
    case 'judge': {
      const again = (start: Uint8Array) => shorterSummary(call, recovery, errorOf(call, { status, headers, start }));
      return { judge: { maxBytes: mostHeld, again } };
    }
    case 'watch': {
      const held = startHeld(outcome);
      const again = async (start: Uint8Array, isWhole: boolean): Promise<Prepared | undefined> =>
        startShows(headers, start, isWhole) === 'error'
          ? shorterSummary(call, recovery, startError(call, headers, start))
          : undefined;
      return held && { judge: { ...held, again } };
    }
    case 'tell':
      return undefined;
  }
}

async function shorterSummary(
  call: Call,
  { context, again }: SummaryRecovery,
  error: JsonObject,
): Promise<Prepared | undefined> {
  const { messages, text } = call.request.body;
  const size = { promptTokens: estimateTextTokens(text), messages: messages.length };
  if (!aboutSize.has(reasonIn(call, error, size))) return undefined;
  const startedAt = Date.now();
  const prepared = await fitting(call, await context(), error);
  return prepared && again(prepared, startedAt);
}

/** The context after a refusal; undefined where nothing makes it shorter. */
async function fitting(call: Call, context: ContextRequest, error: JsonObject): Promise<PreparedContext | undefined> {
  try {
    const prepared = await call.runtime.prepare(context);
    if (!prepared.isWhole) return prepared;
    const next = await call.runtime.settle(prepared, { type: 'failed', error });
    return next.type === 'retry' ? next.prepared : undefined;
  } catch (failed) {
    if (!PalimpsestError.isInstance(failed)) throw failed;
    call.shared.health?.failed(failed);
    return undefined;
  }
}

/** The refusal as errors of SDKs are: the status, the headers, and the body. */
function errorOf({ received: { dialect } }: Call, { status, headers, start }: Refused): JsonObject {
  const body = unpackedStart(headers, start) ?? new Uint8Array();
  return { status, headers: named(headers), body: readFailure(dialect, body) };
}

const named = (headers: HeaderList): JsonObject =>
  Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));
