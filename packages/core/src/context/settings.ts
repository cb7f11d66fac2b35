/** How compression is configured: every number it uses, with its default. In files under `compression`, in snake_case. */

export interface CompressionConfig {
  /** Whether anything is compressed without being asked. @default true */
  readonly enabled: boolean;
  /** Share of the window at which compression starts, 0.05–0.95. @default 0.5 */
  readonly threshold: number;
  /** Never start later than at this many prompt tokens; null for no such cap. @default null */
  readonly thresholdTokens: number | null;
  /** The threshold is at least this many tokens, so that a small share does not compress all the time. @default 64000 */
  readonly thresholdFloorTokens: number;
  /** Where that floor binds, the threshold is at most this share of the window, so that small windows work. @default 0.85 */
  readonly thresholdFloorShare: number;
  /** Windows under 512K use at least this share as threshold; null leaves `threshold` alone. @default null */
  readonly smallWindowThreshold: number | null;
  /**
   * Thresholds by model: a part of the model's id, or `provider:part`, to a share (up to 1) or a number of tokens
   * (1,000 and more). The longest match wins, `provider:part` on equal length. @default {}
   */
  readonly modelThresholds: Readonly<Record<string, number>>;
  /** Tail budget as a share of the threshold, moved into 0.10–0.80. @default 0.2 */
  readonly targetRatio: number;
  /** Newest messages kept where the tail budget protects fewer. @default 20 */
  readonly protectLastN: number;
  /** Messages after the system prompt kept at the start; none of them once the session was compressed. @default 3 */
  readonly protectFirstN: number;
  /** The tail has at least this many messages, whatever they weigh. @default 3 */
  readonly minTailMessages: number;
  /** The tail may overshoot its budget up to this factor rather than cut a group. @default 1.5 */
  readonly tailCeilingRatio: number;
  /** How the tail budget is found: a share of the threshold, the fixed `reserved` or the small `lean`. @default 'budget' */
  readonly tailPreset: 'budget' | 'reserved' | 'lean';
  /** The budgets of the tail preset `reserved`. */
  readonly reserved: ReservedBudgets;
  /** The tail budget of the tail preset `lean`. */
  readonly lean: LeanBudget;
  /** The length of the summary. */
  readonly summary: SummaryConfig;
  /** The headings of the summary: a preset, or your own sections. @default 'handoff' */
  readonly template: 'handoff' | 'progress' | 'brief' | OwnTemplate;
  /** A call whose result is gone is removed, or gets a stub as result. @default 'remove' */
  readonly orphanCalls: 'remove' | 'stub';
  /** What replaces an old tool result: one line with its outcome, a fixed text, or its head and tail. @default 'stub' */
  readonly resultMode: 'stub' | 'placeholder' | 'head_tail';
  /** Old tool results over this many characters are replaced. @default 200 */
  readonly pruneResultChars: number;
  /** What the result mode `head_tail` keeps. */
  readonly headTail: HeadTailConfig;
  /** Identical tool results of at least this many characters become a reference to the newest. @default 200 */
  readonly dedupeChars: number;
  /** Old tool-call arguments over this many characters are shortened. @default 500 */
  readonly argumentChars: number;
  /** Texts inside such arguments over this many characters are cut. @default 200 */
  readonly argumentLeafChars: number;
  /** Newest images kept as images. @default 3 */
  readonly keepImages: number;
  /** Compressions tried in one turn, 1–10. @default 3 */
  readonly attempts: number;
  /**
   * Whether a model's summary is prepared while the conversation goes on, so that nobody waits for it; null leaves it to
   * the program, and `createConversations` then leaves it off. @default null
   */
  readonly background: boolean | null;
  /** Share of the threshold at which that begins, 0.5–1. @default 0.8 */
  readonly backgroundAt: number;
  /**
   * Whether conversations are compressed when carrying on has cost more than a compression would, by the list prices and the
   * prompt cache of the model: never later than at the threshold, and further down. @default false
   */
  readonly planned: boolean;
  /** Notices for people; they never reach the model. */
  readonly pressure: PressureConfig;
  /** When automatic compression holds back after passes that failed or did not help. */
  readonly policy: PolicyConfig;
}

export interface ReservedBudgets {
  /** Tokens for the kept start. @default 4000 */
  readonly headTokens: number;
  /** Tokens for the kept end. @default 16000 */
  readonly tailTokens: number;
  /** Most tokens of the summary. @default 4000 */
  readonly summaryTokens: number;
}

export interface LeanBudget {
  /** Tail budget as a share of the window. @default 0.025 */
  readonly windowShare: number;
  /** At least this many tokens. @default 10000 */
  readonly minTokens: number;
  /** At most this many tokens. @default 25000 */
  readonly maxTokens: number;
}

export interface SummaryConfig {
  /** `fixed` uses `ratio`; `sliding` 20, 15, 10, 5 % below 10K, 30K, 100K compressed tokens and above. @default 'fixed' */
  readonly preset: 'fixed' | 'sliding';
  /** Summary tokens as a share of the compressed tokens. @default 0.2 */
  readonly ratio: number;
  /** At least this many tokens, where the window has room. @default 2000 */
  readonly minTokens: number;
  /** At most this many tokens. @default 12000 */
  readonly maxTokens: number;
  /** At most this share of the window. @default 0.05 */
  readonly windowShare: number;
  /** Share of the summary that a focus topic gets. @default 0.65 */
  readonly focusShare: number;
  /** Without a topic, this many newest user messages are the focus. @default 3 */
  readonly focusMessages: number;
  /** Share of the handoff that a model is told to fill; the user's words and the ledger's lines need the rest. @default 0.5 */
  readonly modelShare: number;
}

/** A summary template of your own: sections in the order in which they are written. */
export interface OwnTemplate {
  readonly sections: readonly {
    /** The heading, as it appears in the summary. */
    readonly heading: string;
    /** What belongs under it, told to whoever writes the summary. */
    readonly instruction: string;
  }[];
}

export interface HeadTailConfig {
  /** Characters kept at the start. @default 800 */
  readonly headChars: number;
  /** Characters kept at the end. @default 800 */
  readonly tailChars: number;
  /** Results up to this many characters stay whole. @default 2000 */
  readonly minChars: number;
}

export interface PressureConfig {
  /** One notice near the threshold, one for each tier of the window, both, or none. @default 'threshold' */
  readonly preset: 'threshold' | 'tiers' | 'both' | 'off';
  /** Share of the threshold at which the notice appears. @default 0.85 */
  readonly thresholdShare: number;
  /** Shares of the window, rising: what to log, to warn about, to compress at (the threshold is never later), to call an emergency. */
  readonly tiers: PressureTiers;
  /** From this compression of a session on, warn that accuracy may degrade; null for never. @default 2 */
  readonly repeatFrom: number | null;
}

export interface PressureTiers {
  /** @default 0.65 */
  readonly log: number;
  /** @default 0.75 */
  readonly warn: number;
  /** @default 0.85 */
  readonly compress: number;
  /** @default 0.95 */
  readonly emergency: number;
}

export interface PolicyConfig {
  /** A pass that saved a smaller share of the tokens counts as a strike. @default 0.1 */
  readonly minSavedShare: number;
  /** Strikes in a row that block automatic passes. @default 2 */
  readonly strikes: number;
  /** Handoffs in a row written without a model, because it failed, that block automatic passes. @default 2 */
  readonly fallbacks: number;
  /** Seconds until a blocked session may try once. @default 300 */
  readonly probeAfterSeconds: number;
  /** Seconds to wait when there was nothing to compress. @default 300 */
  readonly nothingSeconds: number;
  /** Seconds to wait when no provider is usable: none configured, key refused, quota spent. @default 600 */
  readonly noProviderSeconds: number;
  /** Seconds to wait after the first, second, … timeout, rate limit, server or network error. @default [60, 300, 900] */
  readonly overloadSeconds: readonly number[];
  /** Seconds to wait after an unusable or empty summary. @default 30 */
  readonly badOutputSeconds: number;
  /** Seconds to wait after any other failure. @default 60 */
  readonly otherSeconds: number;
  /** A pass that neither finished nor failed within this many seconds has died with its process. @default 600 */
  readonly runningSeconds: number;
}

/** What a caller may give: any part of the configuration. */
export type CompressionOptions = Partial<Omit<CompressionConfig, Groups | 'pressure'>> & {
  readonly [G in Groups]?: Partial<CompressionConfig[G]>;
} & { readonly pressure?: Partial<Omit<PressureConfig, 'tiers'>> & { readonly tiers?: Partial<PressureTiers> } };

type Groups = 'reserved' | 'lean' | 'summary' | 'headTail' | 'policy';

/** Every default of compression. */
export const compressionDefaults: CompressionConfig = {
  enabled: true,
  threshold: 0.5,
  thresholdTokens: null,
  thresholdFloorTokens: 64_000,
  thresholdFloorShare: 0.85,
  smallWindowThreshold: null,
  modelThresholds: {},
  targetRatio: 0.2,
  protectLastN: 20,
  protectFirstN: 3,
  minTailMessages: 3,
  tailCeilingRatio: 1.5,
  tailPreset: 'budget',
  reserved: { headTokens: 4_000, tailTokens: 16_000, summaryTokens: 4_000 },
  lean: { windowShare: 0.025, minTokens: 10_000, maxTokens: 25_000 },
  summary: {
    preset: 'fixed',
    ratio: 0.2,
    minTokens: 2_000,
    maxTokens: 12_000,
    windowShare: 0.05,
    focusShare: 0.65,
    focusMessages: 3,
    modelShare: 0.5,
  },
  template: 'handoff',
  orphanCalls: 'remove',
  resultMode: 'stub',
  pruneResultChars: 200,
  headTail: { headChars: 800, tailChars: 800, minChars: 2_000 },
  dedupeChars: 200,
  argumentChars: 500,
  argumentLeafChars: 200,
  keepImages: 3,
  attempts: 3,
  background: null,
  backgroundAt: 0.8,
  planned: false,
  pressure: {
    preset: 'threshold',
    thresholdShare: 0.85,
    tiers: { log: 0.65, warn: 0.75, compress: 0.85, emergency: 0.95 },
    repeatFrom: 2,
  },
  policy: {
    minSavedShare: 0.1,
    strikes: 2,
    fallbacks: 2,
    probeAfterSeconds: 300,
    nothingSeconds: 300,
    noProviderSeconds: 600,
    overloadSeconds: [60, 300, 900],
    badOutputSeconds: 30,
    otherSeconds: 60,
    runningSeconds: 600,
  },
};
