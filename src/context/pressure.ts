/**
 * Notices for people about a context that fills up. They are never put into the model's context: models that read
 * about pressure give up early. Pure: the state goes in, the next state and the notices come out.
 */
import type { PressureConfig, PressureTiers } from '../config/compression.ts';

/** What has been said already. Plain JSON, so that a session can keep it. */
export interface PressureState {
  /** The notice near the threshold was given and usage has not fallen since. */
  readonly nearThreshold: boolean;
  /** The highest tier that was announced and not left again. */
  readonly tier: keyof PressureTiers | null;
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
}

/** Something to tell a person; never put into the model's context. */
export interface PressureNotice {
  readonly type: 'near_threshold' | 'tier' | 'repeated';
  /** `log` is for log files only; `compress` and `emergency` also name what the host should do now. */
  readonly level: keyof PressureTiers;
  /** One line for a person. */
  readonly message: string;
}

/** Where every session starts. */
export const noPressure: PressureState = { nearThreshold: false, tier: null, compressionCount: 0 };

/** What to tell a person after this reading, and what has been told then. */
export function notePressure(
  state: PressureState,
  reading: PressureReading,
  config: PressureConfig,
): { readonly state: PressureState; readonly notices: readonly PressureNotice[] } {
  const { preset } = config;
  const near = preset === 'threshold' || preset === 'both' ? nearThreshold(reading, config) : false;
  const tier = preset === 'tiers' || preset === 'both' ? tierOf(reading, config.tiers) : null;
  const repeated = preset !== 'off' && isRepeated(state, reading, config);
  const notices = [
    ...(near && !state.nearThreshold ? [nearNotice(reading)] : []),
    ...(tier && rank(tier) > rank(state.tier) ? [tierNotice(tier, reading)] : []),
    ...(repeated ? [repeatedNotice(reading)] : []),
  ];
  return { state: { nearThreshold: near, tier, compressionCount: reading.compressionCount }, notices };
}

/** The highest tier of the window that a reading has reached; null below all, or without a window. */
export function tierOf(reading: PressureReading, tiers: PressureTiers): keyof PressureTiers | null {
  if (reading.contextLength <= 0) return null;
  const share = reading.promptTokens / reading.contextLength;
  return tierNames.findLast((name) => share >= tiers[name]) ?? null;
}

const tierNames = ['log', 'warn', 'compress', 'emergency'] as const satisfies readonly (keyof PressureTiers)[];

const rank = (tier: keyof PressureTiers | null): number => (tier === null ? -1 : tierNames.indexOf(tier));

function nearThreshold({ promptTokens, thresholdTokens }: PressureReading, config: PressureConfig): boolean {
  return thresholdTokens > 0 && promptTokens >= thresholdTokens * config.thresholdShare;
}

function isRepeated(state: PressureState, reading: PressureReading, { repeatFrom }: PressureConfig): boolean {
  const { compressionCount } = reading;
  return repeatFrom !== null && compressionCount >= repeatFrom && compressionCount > state.compressionCount;
}

function nearNotice({ promptTokens, thresholdTokens }: PressureReading): PressureNotice {
  const share = percent(promptTokens, thresholdTokens);
  const message = `The context is at ${share} of the point where it is compressed (${tokens(promptTokens)} of ${tokens(thresholdTokens)} tokens).`;
  return { type: 'near_threshold', level: 'warn', message };
}

const tierAdvice: Readonly<Record<keyof PressureTiers, string>> = {
  log: '',
  warn: ' It will soon be compressed; /compress does it now.',
  compress: ' It is compressed now.',
  emergency: ' It must be compressed before the next call; if that does not help, start anew with /new.',
};

function tierNotice(tier: keyof PressureTiers, { promptTokens, contextLength }: PressureReading): PressureNotice {
  const share = percent(promptTokens, contextLength);
  const message = `The context fills ${share} of the window (${tokens(promptTokens)} of ${tokens(contextLength)} tokens).${tierAdvice[tier]}`;
  return { type: 'tier', level: tier, message };
}

function repeatedNotice({ compressionCount }: PressureReading): PressureNotice {
  const message = `This session was compressed ${compressionCount} times; accuracy may degrade. Consider /new for a new task.`;
  return { type: 'repeated', level: 'warn', message };
}

const percent = (part: number, whole: number): string => `${Math.round((100 * part) / whole)} %`;

/** Written out by hand: the locale of a machine must not change a message. */
const tokens = (count: number): string => String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ',');
