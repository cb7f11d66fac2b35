/** Compression alone, for `prepareStep`: without a store, and without a wrapped model. */
import type { Instructions, LanguageModel, ModelMessage } from 'ai';
import { type Compressor, type CompressorOptions, createCompressor } from '../compression/engine.ts';
import { promptTokensOf } from '../context/define-engine.ts';
import type { Host } from '../conversation/call-hooks.ts';
import { done, not, type Outcome, runCompression } from '../conversation/compress/compression.ts';
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
export type PrepareStepOptions = CompressorOptions;

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
    const context = await compressStep(known, step);
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

async function compressStep(
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
  const outcome = await runCompression(nobody, {
    start: { sessionId: '', tokens: currentTokens, isForced: false, inBackground: false },
    make: () => smallerList(compressor, list, currentTokens),
    async write(smaller): Promise<StepContext> {
      const [first] = smaller;
      const opens = system.length > 0 && first?.role === 'system';
      return {
        messages: promptOf(opens ? smaller.slice(1) : smaller),
        // The first compression adds a note to it.
        ...(opens && first !== system[0] ? { instructions: messageText(first) } : {}),
      };
    },
    about: { cause: 'threshold' },
    resultIn: () => compressor.lastResult(),
  });
  return outcome.type === 'done' ? outcome.made : undefined;
}

/** Nobody is asked about a step, and nothing is kept of it. */
const nobody: Host = {
  runtime: { settings: { hooks: {}, hookTimeoutMs: 0 } },
  asked: { notices: [], call: {} },
};

/** The provider judges what cannot be made to fit. */
async function smallerList(
  compressor: Compressor<Message>,
  list: readonly Message[],
  currentTokens: number,
): Promise<Outcome<readonly Message[]>> {
  try {
    const smaller = await compressor.compress(list, { currentTokens });
    return smaller === list ? not('nothing') : done(smaller);
  } catch (error) {
    if (PalimpsestError.isInstance(error) && error.code === 'CONTEXT_OVERFLOW') return not('overflow');
    throw error;
  }
}

const systemOf = (text: string): readonly Message[] => [{ role: 'system', parts: [{ type: 'text', text }] }];
