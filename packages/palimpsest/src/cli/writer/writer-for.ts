/** The model that a command was told to have write: loaded, and what it will be told to write. */

import { type Message, PalimpsestError } from '@palimpsest/core';
import { budgetsFor, summaryModelShare, summaryTokens } from '@palimpsest/core/engine';
import type { LoadedConfig } from '../../config/load.ts';
import { knownProvider } from '../../models/provider-names.ts';
import { shellWord } from '../render/text.ts';
import type { Terminal } from '../terminal.ts';
import { targetTokensOf, tokenCountOf } from '../token-count.ts';
import { type Measure, type ModelFlags, tokensOfAll } from '../window.ts';
import type { WriterChoice, WriterFlags } from './choose-writer.ts';
import type { Writer } from './load-writer.ts';

/** The flags of a command that may have a model write. */
export interface WritingFlags extends WriterFlags, ModelFlags {
  readonly target?: string;
}

/** The flags of a command as they were typed. */
export type Typed<Flags extends WritingFlags> = Omit<Flags, 'model'> & {
  /** False after `--no-model`, as `--no-summarizer` was written once. */
  readonly model?: string | false;
};

/**
 * Whose tokens are counted, and who writes. Throws `BAD_OPTION` where `--model` names the one who is to write, as it did
 * once.
 */
export function modelFlags({
  model,
  ...flags
}: Pick<Typed<WritingFlags>, 'model' | 'summarizer' | 'baseUrl'>): Pick<WritingFlags, 'model' | 'summarizer'> {
  const { summarizer, baseUrl } = flags;
  if (model === false) return { summarizer: summarizer ?? false };
  const counted = model === undefined ? {} : { model };
  if (summarizer !== undefined) return { ...counted, summarizer };
  const provider = model === undefined ? undefined : knownProvider(model);
  if (model === undefined || (provider === undefined && baseUrl === undefined)) return counted;
  const plain = provider === undefined ? model : model.slice(model.indexOf('/') + 1);
  const message = `--model names the model of the conversation. To let ${model} write the summary, use --summarizer ${shellWord(model)}; to count its tokens, use --model ${shellWord(plain)}${baseUrl === undefined ? '' : ' beside --summarizer'}`;
  throw new PalimpsestError('BAD_OPTION', message, { evidence: { option: '--model' } });
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
    ...(flags.summarizerContextLength === undefined
      ? {}
      : { contextLength: tokenCountOf('--summarizer-context-length', flags.summarizerContextLength) }),
  });
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
  return Math.floor(handoff * summaryModelShare);
}
