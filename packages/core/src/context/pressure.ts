/**
 * Notices for people about a context that fills up. They are never put into the model's context: models that read
 * about pressure give up early. Pure: the state goes in, the next state and the notices come out.
 */
import type { CompressionConfig } from './settings.ts';

/** Shares of the window at which something is said: what to log, to warn about, to compress at, to call an emergency. */
export const pressureTiers = { log: 0.65, warn: 0.75, compress: 0.85, emergency: 0.95 } as const;

/** Share of the threshold at which the notice near it appears. */
const nearShare = 0.85;
/** From this compression of a session on, accuracy may degrade. */
const repeatFrom = 2;

type PressureTier = keyof typeof pressureTiers;

/** What has been said already. Plain JSON, so that a session can keep it. */
export interface PressureState {
  /** The notice near the threshold was given and usage has not fallen since. */
  readonly nearThreshold: boolean;
  /** The highest tier that was announced and not left again. */
  readonly tier: PressureTier | null;
  /** Compressions of the session that were known at the last look. */
  readonly compressionCount: number;
}

/** How full the context is now. */
export interface PressureReading {
  /** Reported, or estimated where nothing was reported. */
  readonly promptTokens: number;
  readonly thresholdTokens: number;
  /** 0 when the window is not known; tiers are silent then. */
  readonly contextLength: number;
  readonly compressionCount: number;
  /**
   * What becomes of a context that is full. `automatic`: it is compressed at its threshold. `planned`: when its planner says so.
   * `held`: not now, though it is over its threshold. `off`: when a person asks for it. @default 'automatic'
   */
  readonly course?: CompressionCourse;
}

/** Who decides when a context is compressed, and whether anybody does now. */
export type CompressionCourse = 'automatic' | 'planned' | 'held' | 'off';

/** Something to tell a person; never put into the model's context. */
export interface PressureNotice {
  readonly type: 'near_threshold' | 'tier' | 'repeated';
  /** `log` is for log files only; `compress` and `emergency` also name what the host should do now. */
  readonly level: PressureTier;
  /** One line for a person. */
  readonly message: string;
}

/** Where every session starts. */
export const noPressure: PressureState = { nearThreshold: false, tier: null, compressionCount: 0 };

/** What to tell a person after this reading, and what has been told then. */
export function notePressure(
  state: PressureState,
  reading: PressureReading,
  preset: CompressionConfig['pressure'],
): { readonly state: PressureState; readonly notices: readonly PressureNotice[] } {
  const near = preset === 'threshold' || preset === 'both' ? nearThreshold(reading) : false;
  const tier = preset === 'tiers' || preset === 'both' ? tierOf(reading) : null;
  const repeated = preset !== 'off' && isRepeated(state, reading);
  const notices = [
    ...(near && !state.nearThreshold ? [nearNotice(reading)] : []),
    ...(tier && rank(tier) > rank(state.tier) ? [tierNotice(tier, reading)] : []),
    ...(repeated ? [repeatedNotice(reading)] : []),
  ];
  return { state: { nearThreshold: near, tier, compressionCount: reading.compressionCount }, notices };
}

/** The highest tier of the window that a reading has reached; null below all, or without a window. */
export function tierOf(reading: PressureReading): PressureTier | null {
  if (reading.contextLength <= 0) return null;
  const share = reading.promptTokens / reading.contextLength;
  return tierNames.findLast((name) => share >= pressureTiers[name]) ?? null;
}

const tierNames = ['log', 'warn', 'compress', 'emergency'] as const satisfies readonly PressureTier[];

const rank = (tier: PressureTier | null): number => (tier === null ? -1 : tierNames.indexOf(tier));

function nearThreshold({ promptTokens, thresholdTokens }: PressureReading): boolean {
  return thresholdTokens > 0 && promptTokens >= thresholdTokens * nearShare;
}

function isRepeated(state: PressureState, reading: PressureReading): boolean {
  const { compressionCount } = reading;
  return compressionCount >= repeatFrom && compressionCount > state.compressionCount;
}

function nearNotice(reading: PressureReading): PressureNotice {
  const { promptTokens, thresholdTokens, course = 'automatic' } = reading;
  const point = course === 'automatic' ? 'the point where it is compressed' : 'its threshold';
  const sizes = `${percent(promptTokens, thresholdTokens)} of ${point} (${tokens(promptTokens)} of ${tokens(thresholdTokens)} tokens)`;
  const message = `The context is at ${sizes}.${course === 'automatic' ? '' : ` ${courseWords[course]}`}`;
  return { type: 'near_threshold', level: 'warn', message };
}

const courseWords: Readonly<Record<Exclude<CompressionCourse, 'automatic'>, string>> = {
  planned: 'It is compressed when that saves money, at the latest when the window is full; /compress does it now.',
  held: 'Automatic compression is paused for now: use /compress to make room, or /new to start a new conversation.',
  off: 'Automatic compression is turned off: use /compress to make room, or /new to start a new conversation.',
};

/** What is announced is what comes next, and no more: whether it then can be done is told by who tries. */
function tierWords(
  tier: PressureTier,
  { promptTokens, thresholdTokens, course = 'automatic' }: PressureReading,
): string {
  if (tier === 'log') return '';
  if (course !== 'automatic') return ` ${courseWords[course]}`;
  if (promptTokens < thresholdTokens) return ` It is compressed at ${tokens(thresholdTokens)}; /compress does it now.`;
  const help =
    tier === 'emergency' ? 'if that does not help, start a new conversation with /new' : '/compress does it now';
  return ` It is about to be compressed; ${help}.`;
}

function tierNotice(tier: PressureTier, reading: PressureReading): PressureNotice {
  const { promptTokens, contextLength } = reading;
  const share = percent(promptTokens, contextLength);
  const message = `The context fills ${share} of the window (${tokens(promptTokens)} of ${tokens(contextLength)} tokens).${tierWords(tier, reading)}`;
  return { type: 'tier', level: tier, message };
}

function repeatedNotice({ compressionCount }: PressureReading): PressureNotice {
  const message = `This session was compressed ${compressionCount} times; accuracy may degrade. Consider /new for a new task.`;
  return { type: 'repeated', level: 'warn', message };
}

const percent = (part: number, whole: number): string => `${Math.round((100 * part) / whole)} %`;

/** Written out by hand: the locale of a machine must not change a message. */
const tokens = (count: number): string => String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ',');
