/** What is said of the model that writes summaries of trajectories: before, after and in place of a run. */
import { moneyLabel } from '@palimpsest/core/usage';
import type { CostEstimate } from '../../trajectory/model/estimate.ts';
import type { ModelUse } from '../../trajectory/model/summary-desk.ts';
import type { TrajectoryConfig } from '../../trajectory/settings/config.ts';
import { counted, linesOf, megabytes, oneLine, thousands } from '../render/text.ts';

/** What a run will cost, and what that was worked out from. */
export function estimateText(estimate: CostEstimate, { summarization: { maxCost } }: TrajectoryConfig): string {
  const { model, calls, lookedAtBytes, totalBytes, costUsd } = estimate;
  const basis = lookedAtBytes < totalBytes ? `from the first ${megabytes(lookedAtBytes)} of` : 'from all';
  const isOver = maxCost !== null && costUsd !== undefined && costUsd > maxCost;
  return `${nameOf(model)} will be asked about ${counted(calls, 'time')}: ${tokensText(estimate)}, ${moneyText(costUsd)} (worked out ${basis} ${megabytes(totalBytes)})${isOver ? `; that is more than the cap of $${maxCost}` : ''}`;
}

/** What a run that is not made would cost. */
export const plannedText = (use: ModelUse): string =>
  `${nameOf(use.model)} would be asked ${counted(use.calls, 'time')}: ${tokensText(use)}, ${moneyText(use.isPriced ? use.costUsd : undefined)}`;

/** What a run has cost. */
export function usedText(use: ModelUse): string {
  const { model, calls, retries, errors, inputTokens, outputTokens, isPriced, costUsd, unreported } = use;
  const failed = `${counted(retries, 'repeated call')}, ${counted(errors, 'error')}`;
  const estimated = unreported > 0 ? ` (${thousands(unreported)} calls estimated: their tokens were not reported)` : '';
  return `${nameOf(model)}: ${counted(calls, 'call')}, ${failed}; ${thousands(inputTokens)} tokens in and ${thousands(outputTokens)} out${estimated}, ${moneyText(isPriced ? costUsd : undefined)}`;
}

/** What a person should know of a model that did not write everything. */
export const modelNotes = (use: ModelUse | undefined): readonly string[] =>
  linesOf(
    use?.capReached && 'the cap on the cost was reached: the other summaries are written from extracted facts',
    use !== undefined &&
      use.errors > 0 &&
      `${summaries(use.errors)} could not be had from ${nameOf(use.model)} and are written from extracted facts`,
  );

const summaries = (count: number): string => `${thousands(count)} ${count === 1 ? 'summary' : 'summaries'}`;

const nameOf = (model: string): string => (model === '' ? 'the model' : oneLine(model));

const tokensText = ({ inputTokens, outputTokens }: Pick<ModelUse, 'inputTokens' | 'outputTokens'>): string =>
  `about ${thousands(inputTokens)} tokens in and ${thousands(outputTokens)} out`;

const moneyText = (amount: number | undefined): string =>
  amount === undefined ? 'at a price that is not known' : moneyLabel({ status: 'estimated', amount });
