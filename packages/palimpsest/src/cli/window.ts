/** Which model a command is about, how big its window and the parts of it are, and how its tokens are counted. */
import {
  type CompressionConfig,
  exactTokenizer,
  loadEncoding,
  type Message,
  messageTokens,
  modelInfo,
  type Tokenizer,
  type Transcript,
  tokenizerFor,
} from '@palimpsest/core';
import { type Budgets, budgetsFor, toolSchemaTokens } from '@palimpsest/core/engine';
import type { Screen } from '../terminal/screen.ts';
import type { LoadedConversation } from './load.ts';
import { given, tokenCountOf } from './option-values.ts';
import { gives, right, tableOf } from './render/table.ts';
import { percent, thousands } from './render/text.ts';

export interface ModelFlags {
  readonly model?: string;
  readonly contextLength?: string;
}

export interface Window {
  readonly tokens: number;
  /** Where the size is from, for a person. */
  readonly from: string;
}

export interface Measure {
  readonly model?: string;
  readonly window: Window;
  readonly tokenizer: Tokenizer;
  /** Tokens of the tool definitions, where the format carries them. */
  readonly toolTokens: number;
  readonly notes: readonly string[];
}

/** The window of most models that agents use today, for a model that is not known. */
const usualWindow = 200_000;

/** The window as given, else that of the model, else the usual one. Throws `BAD_OPTION` for a size that is none. */
export function windowFor({ contextLength, ...flags }: ModelFlags, model: string | undefined): Window {
  if (contextLength !== undefined) return { tokens: tokenCountOf('--context-length', contextLength), from: 'as given' };
  const name = flags.model ?? model;
  const known = name === undefined ? undefined : modelInfo(name)?.contextWindow;
  if (known !== undefined) return { tokens: known, from: `of ${name}` };
  return { tokens: usualWindow, from: name === undefined ? 'assumed' : `assumed: the window of ${name} is not known` };
}

/** Everything needed to count the tokens of a conversation and to compare them with its window. */
export async function measureFor(
  {
    messages,
    transcript,
  }: Pick<LoadedConversation, 'messages'> & { readonly transcript: Pick<Transcript, 'model' | 'tools'> },
  flags: ModelFlags,
): Promise<Measure> {
  const model = flags.model ?? transcript.model ?? messages.findLast((message) => message.model)?.model;
  const tokenizer = model === undefined ? exactTokenizer(await loadEncoding('o200k_base')) : await tokenizerFor(model);
  const { tools = [] } = transcript;
  return {
    ...given({ model }),
    window: windowFor(flags, model),
    tokenizer,
    toolTokens: tools.length === 0 ? 0 : toolSchemaTokens(tools, tokenizer),
    notes: model === undefined ? [noModel] : [],
  };
}

const noModel =
  'the transcript names no model: tokens are counted with the tokenizer of GPT-4o (choose another with --model)';

export const tokensOfAll = (messages: readonly Message[], { tokenizer }: Pick<Measure, 'tokenizer'>): number =>
  messages.reduce((sum, message) => sum + messageTokens(message, tokenizer), 0);

/** The sizes that follow from the configuration for one window. */
export interface Sizes extends Budgets {
  readonly contextLength: number;
}

export function sizesFor(window: Window, config: CompressionConfig, model: string | undefined): Sizes {
  const budgets = budgetsFor(window.tokens, config, model === undefined ? {} : { model: { id: model } });
  return { contextLength: window.tokens, ...budgets };
}

/** The table that `status` and `config show` print. */
export function sizeLines(sizes: Sizes, window: Window, screen: Screen): readonly string[] {
  const { contextLength, thresholdTokens, tailTokens, tailCeilingTokens, headTokens } = sizes;
  const rows: readonly (readonly [name: string, tokens: number, meaning: string])[] = [
    ['window', contextLength, window.from],
    ['threshold', thresholdTokens, 'prompt tokens at which compression starts'],
    ['tail', tailTokens, `newest messages, kept; at most ${thousands(tailCeilingTokens)}`],
    ['summary', sizes.summaryMaxTokens, `longest handoff; at least ${thousands(sizes.summaryMinTokens)}`],
    ...(headTokens === null ? [] : [['head', headTokens, 'first messages, kept'] as const]),
  ];
  return tableOf(
    rows,
    [
      ['size', ([name]) => name],
      ['tokens', ([, tokens]) => thousands(tokens), right],
      ['of window', ([, tokens]) => percent(tokens, contextLength), right],
      ['', ([, , meaning]) => meaning, gives],
    ],
    { screen },
  );
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
