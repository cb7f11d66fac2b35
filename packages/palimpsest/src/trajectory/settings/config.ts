/** The settings of a run: sections and keys as the known Python compressor of trajectories has them, and a few of our own. */
import {
  badConfig,
  count,
  type Field,
  field,
  flag,
  group,
  nullable,
  numberFrom,
  oneOf,
  problemLog,
  text,
} from '@palimpsest/core/settings';

/** Whose tokens are counted. */
export interface TokenizerSection {
  /** `o200k_base`, `cl100k_base`, or a model; for a model whose tokenizer is not public, an estimate. @default 'o200k_base' */
  readonly name: string;
  /** Taken and not used: no code is loaded with a tokenizer. @default true */
  readonly trustRemoteCode: boolean;
}

/** How much is left. */
export interface CompressionSection {
  /** Tokens that a trajectory may have. @default 15250 */
  readonly targetMaxTokens: number;
  /** Tokens of the summaries; null for 750 each in greedy mode, and for 23 % of the target in value mode. @default null */
  readonly summaryTargetTokens: number | null;
  /** `value` takes the spans that cost least; `greedy` the first ones, as other tools do. @default 'value' */
  readonly mode: 'value' | 'greedy';
  /** Null finds it by each record. @default null */
  readonly format: 'sharegpt' | 'openai-chat' | 'anthropic' | null;
}

/** Turns that stay whatever is compressed. */
export interface ProtectedTurnsSection {
  /** @default true */
  readonly firstSystem: boolean;
  /** @default true */
  readonly firstHuman: boolean;
  /** @default true */
  readonly firstGpt: boolean;
  /** @default true */
  readonly firstTool: boolean;
  /** @default 4 */
  readonly lastNTurns: number;
}

/** The model that writes summaries. */
export interface SummarizationSection {
  /** `provider/model`; null, without an address too, writes them without a model. @default null */
  readonly model: string | null;
  /** Its address, where that is not its provider's own. @default null */
  readonly baseUrl: string | null;
  /** The environment variable that holds the key; null for the usual one of the provider. @default null */
  readonly apiKeyEnv: string | null;
  /** Not sent to models that take none. @default 0.3 */
  readonly temperature: number;
  /** @default 3 */
  readonly maxRetries: number;
  /** Seconds that the first retry waits at most; each later one twice as long, up to 30. @default 2 */
  readonly retryDelay: number;
  /** US dollars that all calls may cost; null for no cap. @default null */
  readonly maxCost: number | null;
  /** At the cap, `stop` ends the run, which can go on later; `ledger` writes the rest without the model. @default 'stop' */
  readonly onCap: 'stop' | 'ledger';
  /** US dollars for a million tokens that the model reads; null, in one of the two, for the list price. @default null */
  readonly inputPrice: number | null;
  /** The same for what it writes. @default null */
  readonly outputPrice: number | null;
}

/** What is written. */
export interface OutputSection {
  /** True tells the model, at the end of the system turn, that turns were summarised; null does in greedy mode alone. @default null */
  readonly addSummaryNotice: boolean | null;
  /** The words of it; null for ours. @default null */
  readonly summaryNoticeText: string | null;
  /** Added to the name of each file of a folder. @default '_compressed' */
  readonly outputSuffix: string;
  /** True writes `loss_mask` into the records. @default false */
  readonly lossMask: boolean;
  /** True writes into each changed record which turns a summary stands for. @default true */
  readonly provenance: boolean;
}

/** How the work is done. */
export interface ProcessingSection {
  /** Workers; null for one for each core. @default null */
  readonly numWorkers: number | null;
  /** Calls of the model at the same time. @default 50 */
  readonly maxConcurrentRequests: number;
  /** True leaves what is under the target as it is. @default true */
  readonly skipUnderTarget: boolean;
  /** False drops what could not be brought under the target. @default true */
  readonly saveOverLimit: boolean;
  /** Seconds for one trajectory. @default 300 */
  readonly perTrajectoryTimeout: number;
  /** Per cent of the records that are taken. @default 100 */
  readonly samplePercent: number;
  /** Decides which. @default 42 */
  readonly seed: number;
  /** Kilobytes of records that a worker is given at once. @default 512 */
  readonly batchKilobytes: number;
  /** Megabytes above which a record is not parsed. @default 32 */
  readonly maxRecordMegabytes: number;
  /** Seconds between the points from which a run can go on. @default 5 */
  readonly checkpointSeconds: number;
}

/** What is counted. */
export interface MetricsSection {
  /** True writes files of metrics. @default true */
  readonly enabled: boolean;
  /** True writes `compression_metrics` into each compressed record. @default true */
  readonly perTrajectory: boolean;
  /** The file with the sum over all files, in the folder of the output. @default 'compression_metrics.json' */
  readonly outputFile: string;
}

/** All settings of a run. */
export interface TrajectoryConfig {
  readonly tokenizer: TokenizerSection;
  readonly compression: CompressionSection;
  readonly protectedTurns: ProtectedTurnsSection;
  readonly summarization: SummarizationSection;
  readonly output: OutputSection;
  readonly processing: ProcessingSection;
  readonly metrics: MetricsSection;
}

/** Some of the settings; the others keep their defaults. */
export type TrajectorySettings = { readonly [Section in keyof TrajectoryConfig]?: Partial<TrajectoryConfig[Section]> };

/** Every default of a run. */
export const trajectoryConfigDefaults: TrajectoryConfig = {
  tokenizer: { name: 'o200k_base', trustRemoteCode: true },
  compression: { targetMaxTokens: 15_250, summaryTargetTokens: null, mode: 'value', format: null },
  protectedTurns: { firstSystem: true, firstHuman: true, firstGpt: true, firstTool: true, lastNTurns: 4 },
  summarization: {
    model: null,
    baseUrl: null,
    apiKeyEnv: null,
    temperature: 0.3,
    maxRetries: 3,
    retryDelay: 2,
    maxCost: null,
    onCap: 'stop',
    inputPrice: null,
    outputPrice: null,
  },
  output: {
    addSummaryNotice: null,
    summaryNoticeText: null,
    outputSuffix: '_compressed',
    lossMask: false,
    provenance: true,
  },
  processing: {
    numWorkers: null,
    maxConcurrentRequests: 50,
    skipUnderTarget: true,
    saveOverLimit: true,
    perTrajectoryTimeout: 300,
    samplePercent: 100,
    seed: 42,
    batchKilobytes: 512,
    maxRecordMegabytes: 32,
    checkpointSeconds: 5,
  },
  metrics: { enabled: true, perTrajectory: true, outputFile: 'compression_metrics.json' },
};

const anyText = field('a text', (value): value is string => typeof value === 'string');
const fileName = field(
  'the name of a file, without a folder',
  (value): value is string => typeof value === 'string' && /^[^/\\]+$/.test(value) && !/^\.+$/.test(value),
);
const suffix = field(
  'a text without / and \\',
  (value): value is string => typeof value === 'string' && !/[/\\\0]/.test(value),
);
const share = field(
  'a number above 0 and up to 100',
  (value): value is number => typeof value === 'number' && value > 0 && value <= 100,
);

/** The field of the whole. */
const trajectoryField: Field<TrajectoryConfig> = group<TrajectoryConfig>(
  {
    tokenizer: group<TokenizerSection>({ name: text, trustRemoteCode: flag }, trajectoryConfigDefaults.tokenizer),
    compression: group<CompressionSection>(
      {
        targetMaxTokens: count(1),
        summaryTargetTokens: nullable(count(1)),
        mode: oneOf(['value', 'greedy']),
        format: nullable(oneOf(['sharegpt', 'openai-chat', 'anthropic'])),
      },
      trajectoryConfigDefaults.compression,
    ),
    protectedTurns: group<ProtectedTurnsSection>(
      { firstSystem: flag, firstHuman: flag, firstGpt: flag, firstTool: flag, lastNTurns: count(0) },
      trajectoryConfigDefaults.protectedTurns,
    ),
    summarization: group<SummarizationSection>(
      {
        model: nullable(text),
        baseUrl: nullable(text),
        apiKeyEnv: nullable(text),
        temperature: numberFrom(0, 2),
        maxRetries: count(0),
        retryDelay: numberFrom(0, 3_600),
        maxCost: nullable(numberFrom(0, 1_000_000)),
        onCap: oneOf(['stop', 'ledger']),
        inputPrice: nullable(numberFrom(0, 1_000_000)),
        outputPrice: nullable(numberFrom(0, 1_000_000)),
      },
      trajectoryConfigDefaults.summarization,
    ),
    output: group<OutputSection>(
      {
        addSummaryNotice: nullable(flag),
        summaryNoticeText: nullable(anyText),
        outputSuffix: suffix,
        lossMask: flag,
        provenance: flag,
      },
      trajectoryConfigDefaults.output,
    ),
    processing: group<ProcessingSection>(
      {
        numWorkers: nullable(numberFrom(1, 256, 'whole')),
        maxConcurrentRequests: count(1),
        skipUnderTarget: flag,
        saveOverLimit: flag,
        perTrajectoryTimeout: numberFrom(0.01, 86_400),
        samplePercent: share,
        seed: numberFrom(0, 2 ** 32 - 1, 'whole'),
        batchKilobytes: numberFrom(1, 16_384, 'whole'),
        maxRecordMegabytes: numberFrom(1, 1_024, 'whole'),
        checkpointSeconds: numberFrom(0, 3_600),
      },
      trajectoryConfigDefaults.processing,
    ),
    metrics: group<MetricsSection>(
      { enabled: flag, perTrajectory: flag, outputFile: fileName },
      trajectoryConfigDefaults.metrics,
    ),
  },
  trajectoryConfigDefaults,
);

/**
 * The settings that were given, with all others at their defaults. `snake_case` as files write them. Throws `BAD_CONFIG` that lists
 * everything wrong; an unknown key with the nearest known one.
 */
export function resolveTrajectoryConfig(
  given: object,
  { keys = 'camelCase', source = 'configuration of trajectories' }: ResolveOptions = {},
): TrajectoryConfig {
  const log = problemLog(keys);
  const config = trajectoryField.parse(given, log.place);
  if (!config || log.problems.length > 0) throw badConfig(log.problems, source);
  const { batchKilobytes, maxRecordMegabytes } = config.processing;
  if (batchKilobytes * 1_024 <= maxRecordMegabytes * 1_048_576) return config;
  const message = `is ${batchKilobytes}; expected at most max_record_megabytes (${maxRecordMegabytes})`;
  throw badConfig([{ at: 'processing.batch_kilobytes', message }], source);
}

interface ResolveOptions {
  readonly keys?: 'camelCase' | 'snake_case';
  /** What the error calls it. */
  readonly source?: string;
}

/** Sections over sections: what `over` gives wins. */
export function mergedSettings(under: Sections, over: Sections): Sections {
  const names = new Set([...Object.keys(under), ...Object.keys(over)]);
  return Object.fromEntries([...names].map((name) => [name, mergedSection(under[name], over[name])]));
}

/** The same with the keys that the Python compressor has elsewhere in their place. */
export function withOtherNames(sections: Sections): Sections {
  const { output, processing } = sections;
  if (!isSection(output) || !('save_over_limit' in output)) return sections;
  const { save_over_limit, ...rest } = output;
  return { ...sections, output: rest, processing: mergedSection({ save_over_limit }, processing) };
}

/** Settings as files write them: by section and key. */
export type Sections = Readonly<Record<string, unknown>>;

const isSection = (value: unknown): value is Sections =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function mergedSection(under: unknown, over: unknown): unknown {
  if (over === undefined) return under ?? {};
  return isSection(under) && isSection(over) ? { ...under, ...over } : over;
}
