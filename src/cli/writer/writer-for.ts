/** The model that a command was told to have write: loaded, counted by, and what it will be told to write. */
import type { LoadedConfig } from '../../config/load.ts';
import { budgetsFor, summaryTokens } from '../../context/threshold.ts';
import { modelInfo } from '../../tokens/models.ts';
import type { Message } from '../../transcript/message.ts';
import type { Terminal } from '../terminal.ts';
import { targetTokensOf, tokenCountOf } from '../token-count.ts';
import { type Measure, type ModelFlags, tokensOfAll } from '../window.ts';
import { namesWriter, type WriterChoice, type WriterFlags } from './choose-writer.ts';
import type { Writer } from './load-writer.ts';

/** The flags of a command that may have a model write. */
export interface WritingFlags extends WriterFlags, Omit<ModelFlags, 'model'> {
  readonly target?: string;
}

interface Setting {
  readonly flags: WritingFlags;
  readonly settings: LoadedConfig;
  readonly terminal: Terminal;
}

/** The writer that was chosen; undefined where the ledger writes. */
export async function writerFor(
  choice: WriterChoice,
  { flags, settings, terminal }: Setting,
): Promise<Writer | undefined> {
  if (choice.type === 'ledger') return undefined;
  // Only who wants a model waits for what reaches one.
  const { loadWriter } = await import('./load-writer.ts');
  return loadWriter(choice, {
    env: terminal.env,
    timeouts: settings.config.auxiliary.compression,
    ...(flags.contextLength === undefined
      ? {}
      : { contextLength: tokenCountOf('--context-length', flags.contextLength) }),
  });
}

/**
 * The model whose tokens are counted: the one that was named. Of a name that nobody knows, such as that of a model on
 * one's own server, neither tokenizer nor window can be told: then the model that the file names counts.
 */
export function countedBy(flags: WritingFlags): ModelFlags {
  const { model, contextLength } = flags;
  const window = contextLength === undefined ? {} : { contextLength };
  if (model === false || model === undefined) return window;
  return namesWriter(flags) && modelInfo(model) === undefined ? window : { model, ...window };
}

/** About what the model will be told to write; the handoff, of which it fills a share, is not cut out yet. */
export function expectedTokens(
  messages: readonly Message[],
  { flags, settings, measure }: Pick<Setting, 'flags' | 'settings'> & { readonly measure: Measure },
): number {
  const { compression } = settings.config;
  const target = flags.target === undefined ? undefined : targetTokensOf(flags.target);
  const all = tokensOfAll(messages, measure);
  const budgets = budgetsFor(measure.window.tokens, compression);
  const handoff = target ?? summaryTokens(all, compression, budgets);
  return Math.floor(handoff * compression.summary.modelShare);
}
