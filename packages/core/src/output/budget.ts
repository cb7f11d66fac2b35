/** Holds the results of tools to their room in the window: what is too large is saved whole, and its start stands for it. */
import { checkKnownOptions, type KnownOptions } from '../shared/options/known-options.ts';
import type { SessionId } from '../store/ids.ts';
import type { OutputStore } from '../store/output-store.ts';
import type { ToolResultPart } from '../transcript/message.ts';
import { type Admission, admitResult, admitResults } from './admit.ts';
import { type OutputLimits, outputLimits } from './limits.ts';
import { type OutputOptions, resolveOutputConfig } from './settings.ts';
import { createShortener } from './shorten.ts';
import type { ToolOutput } from './tool-output.ts';
import { requireOutputs } from './tools/find-output.ts';
import { createOutputTools, type OutputTool } from './tools/output-tools.ts';

/** What a budget is made of. */
export interface OutputBudgetOptions {
  /** Where results are saved: `store.outputs`. */
  readonly outputs: OutputStore;
  /** The model's window in tokens. @default a window that is large enough for all limits of `config` */
  readonly contextLength?: number;
  /** The session that results are saved under; one that the store does not have yet is left out. */
  readonly sessionId?: SessionId;
  /** The sessions that it continues: the tools find their results too. @default [] */
  readonly lineage?: readonly SessionId[];
  readonly config?: OutputOptions;
  /** What tools say of themselves, by name: the most characters that they give back. @default {} */
  readonly declaredChars?: Readonly<Record<string, number>>;
  /** Told why a result could not be saved and was cut instead. */
  readonly onSaveFailure?: (error: unknown) => void;
}

const known: KnownOptions<OutputBudgetOptions> = {
  outputs: true,
  contextLength: true,
  sessionId: true,
  lineage: true,
  config: true,
  declaredChars: true,
  onSaveFailure: true,
};

/** Holds results to their limits, and brings back what was saved. */
export interface OutputBudget {
  /** In characters. */
  readonly limits: OutputLimits;
  /** `read_output` and `search_output`, for the model. */
  readonly tools: readonly OutputTool[];
  /** One result as it arrives; the same object when it is small enough. Never throws for what a tool or the store does. */
  admit<R extends ToolOutput | ToolResultPart>(result: R): Promise<R>;
  /**
   * All results of one answer before the model sees them: each as `admit` has it, then the largest are saved until
   * they fit together. The same list when nothing had to change. Never throws for what a tool or the store does.
   */
  admitTurn<R extends ToolOutput | ToolResultPart>(results: readonly R[]): Promise<readonly R[]>;
}

/**
 * Makes the budget for a window. Give it results before the model has seen them, so that no cached prompt breaks; what it
 * changed once stays as it is. Throws `BAD_CONFIG` and `BAD_OPTION`.
 */
export function createOutputBudget(options: OutputBudgetOptions): OutputBudget {
  checkKnownOptions('createOutputBudget', options, known);
  requireOutputs('createOutputBudget', options);
  const { outputs, sessionId, lineage = [], declaredChars: declared = {}, onSaveFailure } = options;
  const config = resolveOutputConfig(options.config);
  const limits = outputLimits(options.contextLength, config);
  const session = sessionId === undefined ? {} : { sessionId };
  const admission = (): Admission => ({
    limits,
    tools: { config, declared },
    shorten: createShortener({ outputs, previewChars: config.previewChars, onSaveFailure, ...session }),
  });
  const scope = sessionId === undefined ? {} : { sessionIds: [sessionId, ...lineage] };
  return {
    limits,
    tools: createOutputTools({ outputs, pageChars: limits.page, ...scope }),
    admit: (result) => admitResult(result, admission()),
    admitTurn: (results) => admitResults(results, admission()),
  };
}
