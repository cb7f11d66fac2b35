/** The sizes that follow from the configuration for one window, and what they mean. */
import type { CompressionConfig } from '@palimpsest/core';
import { type Budgets, budgetsFor } from '@palimpsest/core/engine';
import type { Screen } from './render/screen.ts';
import { table } from './render/table.ts';
import { percent, thousands } from './render/text.ts';
import type { Window } from './window.ts';

export interface Sizes extends Budgets {
  readonly contextLength: number;
}

/** Every size for a window and a model. */
export function sizesFor(window: Window, config: CompressionConfig, model: string | undefined): Sizes {
  const budgets = budgetsFor(window.tokens, config, model === undefined ? {} : { model: { id: model } });
  return { contextLength: window.tokens, ...budgets };
}

/** The table that `status` and `config show` print. */
export function sizeLines(sizes: Sizes, window: Window, screen: Screen): readonly string[] {
  const { contextLength } = sizes;
  const row = (name: string, tokens: number, meaning: string): readonly string[] => [
    name,
    thousands(tokens),
    percent(tokens, contextLength),
    meaning,
  ];
  const rows = [
    row('window', contextLength, window.from),
    row('threshold', sizes.thresholdTokens, 'prompt tokens at which compression starts'),
    row('tail', sizes.tailTokens, `newest messages, kept; at most ${thousands(sizes.tailCeilingTokens)}`),
    row('summary', sizes.summaryMaxTokens, `longest handoff; at least ${thousands(sizes.summaryMinTokens)}`),
    ...(sizes.headTokens === null ? [] : [row('head', sizes.headTokens, 'first messages, kept')]),
  ];
  const columns = [
    { title: 'size' },
    { title: 'tokens', align: 'right' as const },
    { title: 'of window', align: 'right' as const },
    { title: '', gives: true as const },
  ];
  return table(columns, rows, { screen });
}

/** A window that so many tokens fill twice, as `--context-length` takes it. */
export const smallerWindow = (tokens: number): string => `${Math.max(2, Math.ceil(tokens / 2_000))}k`;

/** What a person should know where most of a conversation stays, because it never comes near the threshold. */
export function belowThreshold(promptTokens: number, { thresholdTokens, contextLength }: Sizes): readonly string[] {
  if (promptTokens >= thresholdTokens) return [];
  const target = `${Math.max(1, Math.ceil(promptTokens / 4_000))}k`;
  return [
    `the conversation has ${thousands(promptTokens)} tokens; in a window of ${thousands(contextLength)}, compression starts only at ${thousands(thresholdTokens)}: to compress more, try --target ${target} or --context-length ${smallerWindow(promptTokens)}`,
  ];
}
