/** A model that says what it is told to, and keeps what it was asked: the interface of the SDK itself, for what no provider takes. */
import type { AnyModel } from '@palimpsest/core/ai-sdk';

export type ModelV4 = Extract<AnyModel, { readonly specificationVersion: 'v4' }>;
export type CallOptions = Parameters<ModelV4['doGenerate']>[0];
export type Prompt = CallOptions['prompt'];
export type Content = Awaited<ReturnType<ModelV4['doGenerate']>>['content'][number];

export interface Recorder {
  readonly model: ModelV4;
  readonly calls: CallOptions[];
}

const usage = {
  inputTokens: { total: 100, noCache: 100, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 5, text: 5, reasoning: undefined },
};
const finishReason = { unified: 'stop', raw: 'stop' } as const;

/** Answers every call with the next content, at last with a word. */
export function recorder(
  contents: (readonly Content[])[] = [],
  provider = 'own.chat',
  modelId = 'some-model',
): Recorder {
  const calls: CallOptions[] = [];
  const next = (options: CallOptions): Content[] => {
    calls.push(options);
    return [...(contents.shift() ?? [{ type: 'text', text: 'Done.' } as const])];
  };
  const model: ModelV4 = {
    specificationVersion: 'v4',
    provider,
    modelId,
    supportedUrls: {},
    doGenerate: async (options) => ({ content: next(options), finishReason, usage, warnings: [] }),
    doStream: async (options) => ({
      stream: new ReadableStream({
        start(controller) {
          controller.enqueue({ type: 'stream-start', warnings: [] });
          for (const [at, part] of next(options).entries()) {
            if (part.type !== 'text' && part.type !== 'reasoning') {
              controller.enqueue(part);
              continue;
            }
            const id = String(at);
            const half = Math.ceil(part.text.length / 2);
            controller.enqueue({ type: `${part.type}-start`, id });
            controller.enqueue({ type: `${part.type}-delta`, id, delta: part.text.slice(0, half) });
            controller.enqueue({ type: `${part.type}-delta`, id, delta: part.text.slice(half) });
            const { providerMetadata } = part;
            controller.enqueue({ type: `${part.type}-end`, id, ...(providerMetadata ? { providerMetadata } : {}) });
          }
          controller.enqueue({ type: 'finish', finishReason, usage });
          controller.close();
        },
      }),
    }),
  };
  return { model, calls };
}
