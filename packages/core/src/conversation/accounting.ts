/** What a call used: priced, told to the engine, and taken as the size of what was sent. */
import { type CompressionCourse, notePressure } from '../context/pressure.ts';
import { afterAnswer } from '../provider/errors/recovery.ts';
import { defined } from '../shared/defined.ts';
import type { SessionId } from '../store/ids.ts';
import type { UsageEntry } from '../store/usage-store.ts';
import { modelInfo, plainId } from '../tokens/models.ts';
import { countedCall } from '../usage/counted-call.ts';
import { normaliseUsage, promptTokensOf, type Usage } from '../usage/normalise.ts';
import { note } from './call-hooks.ts';
import type { Calibration, LiveConversation, Pending, Runtime, Step } from './live.ts';
import type { ContextSize } from './request.ts';
import { type Beside, unsavedState } from './save-state.ts';
import { calibrated, calibrationKey, estimateOf } from './size.ts';
import { initialState } from './state.ts';

/** What came back with an answer. */
export interface Reading {
  readonly pending: Pending;
  readonly size: ContextSize;
  readonly usage: unknown;
  readonly model: string | undefined;
}

/** What is known of a call. */
export interface CountedTurn {
  /** In one form, if the provider reported any. */
  readonly usage: Usage | undefined;
  /** To be kept with its answer. */
  readonly beside: Beside;
}

/** Counts an answered call, before its answer is kept: what is known of its conversation now goes with that. */
export function countTurn(step: Step, reading: Reading): CountedTurn {
  const { runtime, basis, live } = step;
  const { pending } = reading;
  const { usage, calibrate } = takeUsage(step, reading);
  live.state = { ...live.state, lastCall: { at: runtime.settings.now(), cachedTokens: cachedIn(usage) } };
  const state = unsavedState(live);
  // What came behind its commit failed, and it is settled again.
  if (pending.isCounted) return { usage, beside: { meta: state, usage: [] } };
  const whenKept = (): void => {
    pending.isCounted = true;
    basis.calibration = calibrate(basis.calibration);
  };
  const meta = { ...calibrationMeta(step, calibrate(basis.calibration)), ...state };
  return { usage, beside: { meta, usage: [countedTurn(runtime, live.session.id, reading)], whenKept } };
}

/** Changes nothing where nothing was learnt. */
function calibrationMeta({ runtime, basis }: Step, calibration: Calibration | undefined): Beside['meta'] {
  if (calibration === undefined || calibration === basis.calibration) return {};
  return { [calibrationKey(runtime.settings.model)]: JSON.stringify(calibration) };
}

/** What of a prompt a cache holds; null where nothing is known of caches. */
function cachedIn({ cacheReadTokens, cacheWriteTokens }: Usage = {}): number | null {
  if (cacheReadTokens === undefined && cacheWriteTokens === undefined) return null;
  return (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0);
}

interface TakenUsage {
  readonly usage: Usage | undefined;
  /** What is known of the model with what this call tells of it: how far reports lie above estimates. */
  readonly calibrate: (before: Calibration | undefined) => Calibration | undefined;
}

/** Takes what a call says of its prompt; what it says of the model is learnt when its answer is kept. */
function takeUsage(
  step: Step,
  { pending, size, usage: raw, model = step.runtime.settings.model }: Reading,
): TakenUsage {
  const { runtime, live } = step;
  const usage = normaliseUsage(raw);
  // What was sent before a compression says nothing about what is sent after it.
  const isOfView = live.view[pending.sent.size - 1]?.id === pending.sent.last;
  // No provider has read nothing: a zero is no report.
  const told = (usage && promptTokensOf(usage)) || undefined;
  const isFalse = told !== undefined && isSetAside(step, told);
  const reported = isFalse ? undefined : told;
  const isOwn = isSameModel(model, runtime.settings.model);
  const { estimate } = pending;
  const calibrate: TakenUsage['calibrate'] = (before) =>
    reported === undefined || estimate === undefined || !isOwn ? before : calibrated(before, reported, estimate);
  if (reported !== undefined) {
    const report = isOfView ? { promptTokens: reported, ...pending.sent } : live.state.report;
    live.state = { ...live.state, report, usageSeen: true };
  }
  // Where usage is never reported, or cannot be true, the estimate decides.
  const read = reported ?? (live.state.usageSeen && !isFalse ? undefined : size.tokens);
  const promptTokens = isOfView ? read : undefined;
  tellEngine(live, { usage: usage ?? {}, promptTokens, isReported: reported !== undefined && isOfView });
  const { thresholdTokens } = live.engine;
  const answer = { thresholdTokens, ...defined({ promptTokens }) };
  live.recovery = { ...live.recovery, state: afterAnswer(live.recovery.state, answer) };
  if (promptTokens !== undefined) takeReading(step, promptTokens);
  return { usage, calibrate };
}

/** Estimates are never so far off: a report of more than so many times as much counts something else than the prompt. */
const beyondBelief = 2;

/**
 * True for a report of more than the window holds and far more than there was: of what all calls took together, or of nothing that
 * there is. Believed, it would have every context compressed, or none. Who was caught at it is believed again once what is
 * reported fits the window.
 */
function isSetAside(step: Step, promptTokens: number): boolean {
  const { basis, live } = step;
  const { setAside } = live.state;
  const estimate = promptTokens <= basis.contextLength ? undefined : estimateOf(step);
  if (estimate === undefined || (setAside === null && promptTokens <= estimate * beyondBelief)) {
    live.state = { ...live.state, setAside: null };
    return false;
  }
  const { compressionCount } = live.engine;
  live.state = { ...live.state, setAside: compressionCount };
  // Once, and again after a compression.
  if (setAside === compressionCount) return true;
  const message =
    `The provider reports ${promptTokens} tokens for a request of about ${estimate}, more than the window of ${basis.contextLength} holds: ` +
    'its count is ignored, and estimates decide when to compress. If the model has a larger window, set contextLength; otherwise check the usage that it reports.';
  note(step, { type: 'usage', level: 'warn', message });
  return true;
}

/** A call whose usage or price is not known counts as a call without a price. */
export const countedTurn = (
  { settings: { model: own } }: Runtime,
  sessionId: SessionId,
  { usage, model = own }: Pick<Reading, 'usage' | 'model'>,
): UsageEntry => ({ sessionId, task: 'turn', ...countedCall(model, usage) });

/** By names of providers, which add dates, regions and vendors: what another model counts says nothing of this one's estimates. */
const isSameModel = (a: string, b: string): boolean => a === b || knownId(a) === knownId(b);
const knownId = (model: string): string => modelInfo(model)?.id ?? plainId(model);

interface Told {
  readonly usage: Usage;
  readonly promptTokens: number | undefined;
  /** The parts of the prompt are told with it, or not at all: an engine adds them up where it has no prompt. */
  readonly isReported: boolean;
}

function tellEngine({ engine }: LiveConversation, { usage, promptTokens, isReported }: Told): void {
  const { outputTokens, reasoningTokens } = usage;
  const total = promptTokens === undefined || outputTokens === undefined ? undefined : promptTokens + outputTokens;
  const told = isReported ? usage : defined({ outputTokens, reasoningTokens });
  engine.updateFromResponse({
    ...told,
    ...defined({ promptTokens, completionTokens: outputTokens, totalTokens: total }),
  });
}

/** Notices for people, and new passes for a turn that has room again (T6, T7). */
function takeReading(step: Step, promptTokens: number): void {
  const { runtime, basis, live } = step;
  const { thresholdTokens, compressionCount } = live.engine;
  const { contextLength } = basis;
  const course = courseOf(step, promptTokens);
  const reading = { promptTokens, thresholdTokens, contextLength, compressionCount, course };
  const { state: pressure, notices } = notePressure(live.state.pressure, reading, runtime.settings.config.pressure);
  const hasRoom = promptTokens < thresholdTokens;
  live.state = { ...live.state, pressure, ...(hasRoom ? { passes: initialState.passes, advised: null } : {}) };
  for (const notice of notices) note(step, notice);
}

/** What becomes of the context when it is full. */
function courseOf({ runtime: { settings }, live: { engine } }: Step, promptTokens: number): CompressionCourse {
  if (!settings.config.enabled) return 'off';
  if (promptTokens >= engine.thresholdTokens && !engine.shouldCompress(promptTokens)) return 'held';
  return settings.planner ? 'planned' : 'automatic';
}
