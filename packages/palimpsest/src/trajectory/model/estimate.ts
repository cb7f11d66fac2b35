/** What the summaries of a run will cost, from its first records. */
import type { PlannedFile } from '../read/find-inputs.ts';
import { kindOf, openInput } from '../read/open-input.ts';
import type { TrajectoryConfig } from '../settings/config.ts';
import { jobSpecOf, splitLimitsOf } from '../settings/job-spec.ts';
import { runJob } from '../work/job.ts';
import { saltOf } from '../work/sample.ts';
import { tokenizerOf } from '../work/tokenizer.ts';
import { countDesk } from './count-desk.ts';
import { pricingOf } from './open-desk.ts';
import type { SummaryDesk } from './summary-desk.ts';

/** What a model would be asked. */
export interface CostEstimate {
  /** As the settings name it. */
  readonly model: string;
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** US dollars; undefined where the price is not known. */
  readonly costUsd: number | undefined;
  /** Bytes of the inputs that were looked at, and of all of them: the figures are scaled up from the one to the other. */
  readonly lookedAtBytes: number;
  readonly totalBytes: number;
}

/** Bytes that are looked at, of so many files at most: about a second of work. */
const mostBytes = 4 * 1_048_576;
const mostFiles = 8;

/** Plans the first records as the run will; undefined where an input is no file, so that nobody knows how much comes. */
export async function estimateCost(
  config: TrajectoryConfig,
  files: readonly PlannedFile[],
): Promise<CostEstimate | undefined> {
  const totalBytes = files.reduce((sum, { size }) => sum + (size ?? Number.NaN), 0);
  if (Number.isNaN(totalBytes)) return undefined;
  const desk = countDesk(pricingOf(config.summarization, config.summarization.model ?? ''));
  const read = await plan(config, files, desk);
  const { model, calls, inputTokens, outputTokens, costUsd, isPriced } = desk.use();
  const scale = read === 0 ? 0 : totalBytes / read;
  return {
    model,
    calls: Math.round(calls * scale),
    inputTokens: Math.round(inputTokens * scale),
    outputTokens: Math.round(outputTokens * scale),
    costUsd: isPriced ? costUsd * scale : undefined,
    lookedAtBytes: Math.min(read, totalBytes),
    totalBytes,
  };
}

/** Plans records of files that lie evenly among all; gives back how many bytes of the inputs they are. */
async function plan(config: TrajectoryConfig, files: readonly PlannedFile[], desk: SummaryDesk): Promise<number> {
  const spec = jobSpecOf(config);
  const tokenizer = await tokenizerOf(spec.tokenizer);
  const summarizer = () => async (request: { readonly text: string; readonly targetTokens: number }) => {
    await desk.ask({ ...request, withinMs: spec.timeoutMs });
    return undefined;
  };
  const step = Math.max(1, files.length / mostFiles);
  const chosen = files.filter((_, at) => at === Math.floor(Math.ceil(at / step) * step));
  let read = 0;
  for (const file of chosen) {
    const kind = await kindOf(file);
    const { splits, bytesRead } = await openInput(file, {
      kind,
      from: { offset: 0, records: 0 },
      limits: splitLimitsOf(config),
      stdin: undefined,
    });
    const isPacked = /\.(?:gz|zst)$/i.test(file.path ?? '');
    let done = 0;
    let isWhole = true;
    for await (const split of splits) {
      if (split.type === 'batch')
        await runJob(
          { ...split, salt: saltOf(file.below), framing: 'lines', packing: 'plain' },
          { spec, tokenizer, summarizer },
        );
      done = isPacked ? bytesRead() : split.end;
      isWhole = done < mostBytes / chosen.length;
      if (!isWhole) break;
    }
    read += isWhole ? (file.size ?? 0) : done;
  }
  return read;
}
