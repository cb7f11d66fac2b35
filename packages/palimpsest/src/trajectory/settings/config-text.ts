/** The settings of a run as a file that a person edits. */
import { snakeCase } from '@palimpsest/core/settings';
import { type TrajectoryConfig, trajectoryConfigDefaults } from './config.ts';

type Notes = { readonly [S in keyof TrajectoryConfig]: { readonly [K in keyof TrajectoryConfig[S]]: string } };

/** What each setting means, in one line. */
const notes: Notes = {
  tokenizer: {
    name: 'o200k_base, cl100k_base, or a model; an estimate where its tokenizer is not public',
    trustRemoteCode: 'taken for the sake of other tools; no code is loaded with a tokenizer',
  },
  compression: {
    targetMaxTokens: 'tokens that a trajectory may have',
    summaryTargetTokens: 'tokens of the summaries; null: 750 each in greedy mode, 23 % of the target in value mode',
    mode: 'value: the spans that cost least; greedy: the first ones, as other tools do',
    format: 'sharegpt, openai-chat or anthropic; null finds it by each record',
  },
  protectedTurns: {
    firstSystem: 'these turns stay whatever is compressed',
    firstHuman: '',
    firstGpt: '',
    firstTool: '',
    lastNTurns: 'so many at the end stay',
  },
  summarization: {
    model: 'provider/model that writes the summaries; null writes them without a model',
    baseUrl: "its address, where that is not its provider's own",
    apiKeyEnv: 'environment variable that holds the key; null for the usual one',
    temperature: 'not sent to models that take none',
    maxRetries: '',
    retryDelay: 'seconds that the first retry waits at most; each later one twice as long, up to 30',
    maxCost: 'US dollars that all calls may cost; null for no cap',
    onCap: 'stop: end the run, to go on later; ledger: write the rest without the model',
    inputPrice: 'US dollars for a million tokens that it reads; null for the list price',
    outputPrice: 'the same for what it writes',
  },
  output: {
    addSummaryNotice: 'tell the model in the system turn that turns were summarised; null does in greedy mode',
    summaryNoticeText: 'the words of it; null for ours',
    outputSuffix: 'added to the name of each file of a folder',
    lossMask: 'write loss_mask into the records',
    provenance: 'write which turns each summary stands for into changed records',
  },
  processing: {
    numWorkers: 'null for one for each core',
    maxConcurrentRequests: 'calls of the model at the same time',
    skipUnderTarget: 'leave what is under the target as it is',
    saveOverLimit: 'false drops what could not be brought under the target',
    perTrajectoryTimeout: 'seconds for one trajectory',
    samplePercent: 'per cent of the records that are taken',
    seed: 'decides which',
    batchKilobytes: 'kilobytes of records that a worker is given at once',
    maxRecordMegabytes: 'a larger record is not parsed: it stays as it is, and is listed',
    checkpointSeconds: 'seconds between the points from which --resume can go on',
  },
  metrics: {
    enabled: 'write <name>_metrics.json beside each output, and the sum',
    perTrajectory: 'write compression_metrics into each compressed record',
    outputFile: 'file with the sum over all files',
  },
};

/** Every setting with its value and what it means, as YAML. */
export function configText(config: TrajectoryConfig = trajectoryConfigDefaults): string {
  const sections = Object.entries(config).map(([section, values]) => {
    const told: Readonly<Record<string, string>> = notes[section as keyof Notes];
    const lines = Object.entries(values).map(([key, value]) => {
      const setting = `  ${snakeCase(key)}: ${JSON.stringify(value)}`;
      const note = told[key] ?? '';
      return note === '' ? setting : `${setting.padEnd(40)} # ${note}`;
    });
    return [`${snakeCase(section)}:`, ...lines].join('\n');
  });
  return `# Settings of palimpsest trajectories compress: --config FILE. What is left out has the value shown here.\n${sections.join('\n')}\n`;
}

/** Every setting as a file has it, for programs. */
export const writtenConfig = (config: TrajectoryConfig): Readonly<Record<string, object>> =>
  Object.fromEntries(
    Object.entries(config).map(([section, values]) => [
      snakeCase(section),
      Object.fromEntries(Object.entries(values).map(([key, value]) => [snakeCase(key), value])),
    ]),
  );
