/**
 * Before a conversation goes on with another model: where its window is smaller, the conversation is compressed first, by the model
 * that still has all of it in its window; so the next request fits, and the smaller model need not read what it cannot hold.
 */
import {
  type CompressionOptions,
  type CompressReport,
  type ConversationOptions,
  createConversations,
  type Summarizer,
} from '@palimpsest/core';
import { summarize } from '@palimpsest/core/ai-sdk';
import { budgetsFor, type JsonValue } from '@palimpsest/core/engine';
import { resolveCompressionConfig } from '@palimpsest/core/settings';
import type { SessionId, Store } from '@palimpsest/core/store';
import type { MainModel } from './main-model.ts';

/** A change of the model. */
export interface SwitchOptions {
  readonly store: Store;
  /** Any session of the conversation. */
  readonly sessionId: SessionId;
  readonly from: Pick<MainModel, 'model' | 'name' | 'contextLength'>;
  readonly to: Pick<MainModel, 'name' | 'contextLength'>;
  /** Tokens of the newest request: `contextTokens` of its report. */
  readonly contextTokens: number;
  /** Definitions of the tools, as they are sent: they take room in any window. */
  readonly tools?: readonly JsonValue[];
  /** `compression` of the settings. */
  readonly config?: CompressionOptions;
  /** What goes with every compression of the conversation: what is remembered first, who hears of it. */
  readonly beside?: Pick<ConversationOptions, 'memory' | 'hooks' | 'onNotice'>;
  /** Who writes the summary. @default `from` */
  readonly summarizer?: Summarizer;
  /** What the summary is to be about. */
  readonly focusTopic?: string;
  readonly signal?: AbortSignal;
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

/**
 * Prepares a change of the model, to be called when no request is under way.
 * @throws ID_UNKNOWN for a session that does not exist; STORE_CONFLICT when another process goes on with it; the signal's reason
 */
export async function prepareSwitch(options: SwitchOptions): Promise<PreparedSwitch> {
  const { store, sessionId, from, to, tools, focusTopic, signal } = options;
  const { contextLength } = to;
  // Of a window that nobody knows nothing can be said before a request is refused.
  if (contextLength === undefined || fits(options, contextLength)) return { type: 'fits' };
  const summarizer =
    options.summarizer ??
    summarize(from.model, { name: from.name, ...(from.contextLength ? { contextLength: from.contextLength } : {}) });
  const conversations = createConversations({
    store,
    model: to.name,
    contextLength,
    summarizer,
    ...options.beside,
    ...(options.config ? { config: options.config } : {}),
  });
  try {
    const report = await conversations.compress({
      sessionId,
      ...(tools ? { tools } : {}),
      ...(focusTopic === undefined ? {} : { focusTopic }),
      ...(signal ? { signal } : {}),
    });
    if (report.after.tokens > contextLength) return { type: 'refused', advice: adviceFor(report, options), report };
    return report.status === 'compressed' ? { type: 'compressed', report } : { type: 'fits' };
  } finally {
    await conversations.stop();
  }
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
