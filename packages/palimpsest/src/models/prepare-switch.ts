/**
 * Before a conversation goes on with another model: where its window is smaller, the conversation is compressed first, while the model
 * that there is still has all of it in its window, and in its cache. So the next request fits, and the smaller model need not read what
 * it cannot hold.
 */
import type { CompressionOptions, CompressReport } from '@palimpsest/core';
import { budgetsFor } from '@palimpsest/core/engine';
import { resolveCompressionConfig } from '@palimpsest/core/settings';
import type { MainModel } from './main-model.ts';

/** A model with a window that is known. */
export interface WindowedModel {
  readonly name: string;
  readonly contextLength: number;
}

/** A change of the model. */
export interface SwitchOptions {
  readonly from: Pick<MainModel, 'name'>;
  readonly to: Pick<MainModel, 'name' | 'contextLength'>;
  /** Tokens of the newest request: `contextTokens` of its report. */
  readonly contextTokens: number;
  /** `compression` of the settings. */
  readonly config?: CompressionOptions;
  /** Compresses the conversation for the window of the next model, with the one that there is: `compress` of its runtime. */
  readonly compress: (nextModel: WindowedModel) => Promise<CompressReport>;
}

/** What became of it. */
export type PreparedSwitch =
  /** The next request fits as it is. */
  | { readonly type: 'fits' }
  | { readonly type: 'compressed'; readonly report: CompressReport }
  /** Stay with the model there is; `advice` says why, and what a person can do. */
  | { readonly type: 'refused'; readonly advice: string; readonly report: CompressReport };

/** Tokenizers of different models count the same text by up to so much apart. */
const countMargin = 1.2;

/** Prepares a change of the model, to be called when no request is under way. @throws what `compress` throws */
export async function prepareSwitch(options: SwitchOptions): Promise<PreparedSwitch> {
  const { to, compress } = options;
  const { name, contextLength } = to;
  // Of a window that nobody knows nothing can be said before a request is refused.
  if (contextLength === undefined || fits(options, contextLength)) return { type: 'fits' };
  const report = await compress({ name, contextLength });
  if (report.after.tokens > contextLength) return { type: 'refused', advice: adviceFor(report, options), report };
  return report.status === 'compressed' ? { type: 'compressed', report } : { type: 'fits' };
}

/** True where the new model would not even wish to compress. */
function fits({ contextTokens, to, config }: SwitchOptions, contextLength: number): boolean {
  const { thresholdTokens } = budgetsFor(contextLength, resolveCompressionConfig(config), { model: { id: to.name } });
  return contextTokens * countMargin < thresholdTokens;
}

function adviceFor({ after, status, why, failures }: CompressReport, { from, to }: SwitchOptions): string {
  const window = `the window of ${to.name} has ${amount(to.contextLength ?? 0)}`;
  const [failure] = failures;
  if (why === 'busy' || why === 'vetoed' || why === 'model_failed') {
    const said = failure ? ` ${failure.message}` : '';
    return `The conversation has about ${amount(after.tokens)} tokens and ${window}, and it could not be compressed.${said} It stays with ${from.name}.`;
  }
  const compressed = status === 'compressed' ? 'Even compressed, the' : 'The';
  return (
    `${compressed} conversation has about ${amount(after.tokens)} tokens, but ${window}: its system prompt, its tools and its newest request alone are too long. ` +
    `It stays with ${from.name}. Choose a model with a larger window, or start a new conversation with /new.`
  );
}

const amount = (value: number): string => Math.round(value).toLocaleString('en-US');
