/** Which model a command is about, how big its window is, and how its tokens are counted. */
import {
  exactTokenizer,
  loadEncoding,
  type Message,
  messageTokens,
  modelInfo,
  type Tokenizer,
  type Transcript,
  tokenizerFor,
} from '@palimpsest/core';
import { toolSchemaTokens } from '@palimpsest/core/engine';
import type { LoadedConversation } from './load.ts';
import { tokenCountOf } from './token-count.ts';

/** The options that say how much room there is. */
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
export function windowFor(flags: ModelFlags, model: string | undefined): Window {
  if (flags.contextLength !== undefined)
    return { tokens: tokenCountOf('--context-length', flags.contextLength), from: 'as given' };
  const name = flags.model ?? model;
  const known = name === undefined ? undefined : modelInfo(name)?.contextWindow;
  if (known !== undefined) return { tokens: known, from: `of ${name}` };
  return { tokens: usualWindow, from: name === undefined ? 'assumed' : `assumed: the window of ${name} is not known` };
}

/** Everything needed to count the tokens of a conversation and to compare them with its window. */
export async function measureFor(
  loaded: Pick<LoadedConversation, 'messages'> & { readonly transcript: Pick<Transcript, 'model' | 'tools'> },
  flags: ModelFlags,
): Promise<Measure> {
  const model = flags.model ?? loaded.transcript.model ?? loaded.messages.findLast((message) => message.model)?.model;
  const tokenizer = model === undefined ? exactTokenizer(await loadEncoding('o200k_base')) : await tokenizerFor(model);
  const tools = loaded.transcript.tools ?? [];
  return {
    ...(model === undefined ? {} : { model }),
    window: windowFor(flags, model),
    tokenizer,
    toolTokens: tools.length === 0 ? 0 : toolSchemaTokens(tools, tokenizer),
    notes: model === undefined ? [noModel] : [],
  };
}

const noModel =
  'the transcript names no model: tokens are counted with the tokenizer of GPT-4o (choose another with --model)';

/** Tokens of some messages together. */
export function tokensOfAll(messages: readonly Message[], { tokenizer }: Measure): number {
  return messages.reduce((sum, message) => sum + messageTokens(message, tokenizer), 0);
}
