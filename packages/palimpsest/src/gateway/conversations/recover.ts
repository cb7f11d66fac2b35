/** What is done where an upstream refuses: what is too long is shortened, and what we changed goes again as it came. */

import { classifyFailure, type FailureReason, type PreparedContext } from '@palimpsest/core';
import type { JsonObject } from '@palimpsest/core/settings';
import { readFailure } from '@palimpsest/core/wire';
import type { HeaderList, Outcome, Prepared, Settlement } from '../middle.ts';
import type { Call } from './call.ts';
import { headersFor, toldOf } from './doing.ts';
import { lookAt, mostHeld } from './look.ts';
import { unpacked } from './packing.ts';
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

interface Refused {
  readonly status: number;
  readonly headers: HeaderList;
  readonly start: Uint8Array;
}

/** What is tried next; undefined lets the client see the refusal. */
async function nextTry(
  { call, prepared, isChanged, again }: Recovery,
  refused: Refused,
): Promise<Prepared | undefined> {
  const { shared, received, runtime, request } = call;
  const error = errorOf(call, refused);
  const contextLength = shared.windowOf(received.dialect, request.model);
  const { tokens: promptTokens } = prepared.size;
  const { reason } = classifyFailure(error, { contextLength, promptTokens, messages: prepared.messages.length });
  if (!shared.isDryRun && aboutSize.has(reason)) {
    const startedAt = Date.now();
    const next = await runtime.settle(prepared, { type: 'failed', error });
    return next.type === 'retry' ? again(next.prepared, startedAt) : undefined;
  }
  settleQuietly(call, prepared, { type: 'aborted', hasBegun: false });
  if (!isChanged || !aboutForm.has(reason)) return undefined;
  shared.note(`An upstream refused a shortened request (${refused.status}, ${reason}); it was sent again as it came.`);
  const done = { type: 'passed', why: 'refused' } as const;
  return { body: received.body, responseHeaders: headersFor(done), told: toldOf(done, { model: request.model }) };
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

/** The refusal as errors of SDKs are: the status, the headers, and the body. */
function errorOf({ received: { dialect } }: Call, { status, headers, start }: Refused): JsonObject {
  const named = Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));
  return { status, headers: named, body: readFailure(dialect, wholeOf(headers, start)) };
}

function wholeOf(headers: HeaderList, start: Uint8Array): Uint8Array {
  try {
    return unpacked(headers, start) ?? new Uint8Array();
  } catch {
    return new Uint8Array();
  }
}
