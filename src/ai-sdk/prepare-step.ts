/** Compression alone, for `prepareStep`: without a store, and without a wrapped model. */
import type { Instructions, LanguageModel, ModelMessage } from 'ai';
import type { CompressorOptions } from '../compression/compressor-options.ts';
import { type Compressor, createCompressor } from '../compression/engine.ts';
import { conversationTokens } from '../tokens/measure.ts';
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
  const running = new WeakMap<readonly ModelMessage[], Compressor<Message>>();
  return async (step) => {
    // The list that a call began with is the same in all of its steps.
    const compressor = running.get(step.initialMessages) ?? createCompressor({ ...named(step.model), ...options });
    running.set(step.initialMessages, compressor);
    return await compressed(
      compressor,
      step,
      options.tokenizer ?? (await tokenizerFor(options.model ?? named(step.model).model)),
    );
  };
}

const named = (model: LanguageModel): { readonly model: string } => ({
  model: typeof model === 'string' ? model : `${model.provider.replace(/\..*$/, '')}/${model.modelId}`,
});

async function compressed(
  compressor: Compressor<Message>,
  { messages, instructions, steps }: StepInput,
  tokenizer: Tokenizer,
): Promise<StepContext | undefined> {
  const system = typeof instructions === 'string' ? systemOf(instructions) : [];
  const list = [...system, ...messagesOf(messages)];
  const promptTokens = steps.at(-1)?.usage.inputTokens;
  if (promptTokens !== undefined) compressor.updateFromResponse({ promptTokens });
  // What the last step said and its tools gave back was not in the last report.
  const currentTokens = Math.max(promptTokens ?? 0, conversationTokens(list, tokenizer));
  if (!compressor.shouldCompress(currentTokens)) return undefined;
  const smaller = await compressor.compress(list, { currentTokens });
  if (smaller === list) return undefined;
  const [first] = smaller;
  const opens = system.length > 0 && first?.role === 'system';
  return {
    messages: promptOf(opens ? smaller.slice(1) : smaller),
    // The first compression adds a note to it.
    ...(opens && first !== system[0] ? { instructions: messageText(first) } : {}),
  };
}

const systemOf = (text: string): readonly Message[] => [{ role: 'system', parts: [{ type: 'text', text }] }];
