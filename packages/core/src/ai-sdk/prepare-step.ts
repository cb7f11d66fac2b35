/** Compression alone, for `prepareStep`: without a store, and without a wrapped model. */
import type { Instructions, LanguageModel, ModelMessage } from 'ai';
import type { CompressorOptions } from '../compression/engine.ts';
import { type Compressor, createCompressor } from '../compression/engine.ts';
import { promptTokensOf } from '../context/define-engine.ts';
import { PalimpsestError } from '../shared/errors.ts';
import { conversationTokens } from '../tokens/measure.ts';
import { modelInfo } from '../tokens/models.ts';
import { type Tokenizer, tokenizerFor } from '../tokens/tokenizer.ts';
import type { Message } from '../transcript/message.ts';
import { messageText } from '../transcript/text.ts';
import { messagesOf, promptOf } from './prompt.ts';

/** What the SDK says of a step, as far as it matters here. */
export interface StepInput {
  readonly messages: ModelMessage[];
  readonly initialMessages: ModelMessage[];
  readonly instructions: Instructions | undefined;
  readonly model: LanguageModel;
  readonly steps: readonly { readonly usage: { readonly inputTokens?: number | undefined } }[];
}

/** What is sent in this step and, as the SDK has it, in the steps after it. */
export interface StepContext {
  readonly messages: ModelMessage[];
  readonly instructions?: Instructions;
}

/** How steps are compressed: the model and its window are those of the step where nothing else is said. */
export type PrepareStepOptions = Omit<CompressorOptions, 'record' | 'policy' | 'compressionCount'>;

/**
 * A function for `prepareStep` of `generateText`, `streamText` and agents that compresses the messages of a step when they fill
 * the window. Nothing is kept: what was compressed away cannot be brought back; for that there is `withPalimpsest`. A step that
 * cannot be compressed goes as it is. Throws `BAD_CONFIG` and `BAD_OPTION` for options that make no sense.
 */
export function prepareStep(options: PrepareStepOptions = {}): (step: StepInput) => Promise<StepContext | undefined> {
  createCompressor(options);
  const running = new WeakMap<readonly ModelMessage[], Running>();
  return async (step) => {
    // The list that a call began with is the same in all of its steps.
    const known = running.get(step.initialMessages) ?? (await begun(options, step));
    running.set(step.initialMessages, known);
    const context = await compressed(known, step);
    known.sent = context?.messages.length ?? step.messages.length;
    return context;
  };
}

/** What the steps of one call share. */
interface Running {
  readonly compressor: Compressor<Message>;
  readonly tokenizer: Tokenizer;
  /** Messages of the step before, which its usage tells of. */
  sent: number;
}

async function begun(options: PrepareStepOptions, { model }: StepInput): Promise<Running> {
  const id = named(model);
  const contextLength = modelInfo(options.model ?? id.model)?.contextWindow;
  const settings = { ...id, ...(contextLength === undefined ? {} : { contextLength }), ...options };
  const tokenizer = options.tokenizer ?? (await tokenizerFor(settings.model));
  return { compressor: createCompressor(settings), tokenizer, sent: 0 };
}

const named = (model: LanguageModel): { readonly model: string } => ({
  model: typeof model === 'string' ? model : `${model.provider.replace(/\..*$/, '')}/${model.modelId}`,
});

async function compressed(
  { compressor, tokenizer, sent }: Running,
  { messages, instructions, steps }: StepInput,
): Promise<StepContext | undefined> {
  const system = typeof instructions === 'string' ? systemOf(instructions) : [];
  const said = messagesOf(messages);
  const list = [...system, ...said];
  const { inputTokens: told } = steps.at(-1)?.usage ?? {};
  // Zero or no number at all is what some providers leave there: then the estimate decides.
  const promptTokens = told === undefined ? undefined : promptTokensOf({ promptTokens: told });
  if (promptTokens !== undefined) compressor.updateFromResponse({ promptTokens });
  const currentTokens =
    promptTokens === undefined
      ? conversationTokens(list, tokenizer)
      : promptTokens + conversationTokens(said.slice(sent), tokenizer);
  if (!compressor.shouldCompress(currentTokens)) return undefined;
  const smaller = await smallerList(compressor, list, currentTokens);
  if (smaller === list) return undefined;
  const [first] = smaller;
  const opens = system.length > 0 && first?.role === 'system';
  return {
    messages: promptOf(opens ? smaller.slice(1) : smaller),
    // The first compression adds a note to it.
    ...(opens && first !== system[0] ? { instructions: messageText(first) } : {}),
  };
}

/** The provider judges what cannot be made to fit. */
async function smallerList(
  compressor: Compressor<Message>,
  list: readonly Message[],
  currentTokens: number,
): Promise<readonly Message[]> {
  try {
    return await compressor.compress(list, { currentTokens });
  } catch (error) {
    if (PalimpsestError.isInstance(error) && error.code === 'CONTEXT_OVERFLOW') return list;
    throw error;
  }
}

const systemOf = (text: string): readonly Message[] => [{ role: 'system', parts: [{ type: 'text', text }] }];
