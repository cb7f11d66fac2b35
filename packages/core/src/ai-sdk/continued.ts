/**
 * The newest answered request of each conversation, and how a summary is asked for behind it: the same system prompt, tools,
 * messages, breakpoints and settings, so that its provider finds in its cache what it has read already, and one more message.
 */
import type { ContinuedRequests } from '../conversation/options.ts';
import { type StreamingModel, summarizerTimeouts, writeBehind } from '../provider/ai-sdk-summarizer.ts';
import { defined } from '../shared/defined.ts';
import type { SessionId } from '../store/ids.ts';
import type { CallOptions, Model } from './interface.ts';
import { cacheOf, type WithPalimpsestOptions } from './options.ts';
import { isSessionWriter, type SessionWriter } from './session-writer.ts';

/** A request as it was sent. */
export interface SentCall {
  readonly options: CallOptions;
  /** Whether its answer came in parts: Anthropic's provider writes tools otherwise then, and they open what a cache holds. */
  readonly isStreamed: boolean;
}

/** What was sent, by the name of the model and the session. */
export interface SentCalls {
  keep(name: string, sessionId: SessionId, sent: SentCall): void;
  of(name: string, sessionId: SessionId): SentCall | undefined;
}

/** Conversations whose newest request is held: those that are under way, with room for sub-agents. */
const most = 32;

/** Holds nothing where no summary would be asked for in this way. */
export function createSentCalls({ summarizer }: Pick<WithPalimpsestOptions, 'summarizer'>): SentCalls {
  const calls = new Map<string, SentCall>();
  const isWanted = isSessionWriter(summarizer);
  const keyOf = (name: string, sessionId: SessionId): string => `${sessionId} ${name}`;
  return {
    keep(name, sessionId, sent) {
      if (!isWanted) return;
      const key = keyOf(name, sessionId);
      calls.delete(key);
      calls.set(key, sent);
      const [oldest] = calls.keys();
      if (calls.size > most && oldest !== undefined) calls.delete(oldest);
    },
    of: (name, sessionId) => calls.get(keyOf(name, sessionId)),
  };
}

/** The requests of one model, for the runtime; undefined where another model writes the summaries. */
export function continuedRequests(
  options: WithPalimpsestOptions,
  { name, model, sent }: { readonly name: string; readonly model: () => Model | undefined; readonly sent: SentCalls },
): ContinuedRequests | undefined {
  const { summarizer } = options;
  if (!isSessionWriter(summarizer)) return undefined;
  const { idleTimeoutMs, totalTimeoutMs }: Partial<SessionWriter> = summarizer === 'session' ? {} : summarizer;
  const timeouts = { idleTimeoutMs, totalTimeoutMs };
  return {
    ttl: cacheOf(options).ttl ?? '5m',
    writer(sessionId) {
      const [call, current] = [sent.of(name, sessionId), model()];
      if (!call || !current || !isFreeToWrite(call.options)) return undefined;
      const asked = call.isStreamed ? current : inOnePiece(current);
      // An answer in one piece gives no sign of life before it is there.
      const idle = call.isStreamed
        ? {}
        : { idleTimeoutMs: timeouts.totalTimeoutMs ?? summarizerTimeouts.totalTimeoutMs };
      return (one) =>
        writeBehind(asked, continuedCall(call.options, one.prompt), { ...one, ...defined(timeouts), ...idle, name });
    },
  };
}

/** A model that must call a tool, or answer in JSON, can write no summary; to let it would be another request to a cache. */
const isFreeToWrite = ({ toolChoice, responseFormat }: CallOptions): boolean =>
  (toolChoice === undefined || toolChoice.type === 'auto') &&
  (responseFormat === undefined || responseFormat.type === 'text');

/**
 * The same request with one more message. Tools stay, and so does the choice among them: a cache holds a prefix that begins with
 * the tools, and Anthropic's forgets the messages where the choice changes. What limits an answer of the program would cut a summary.
 */
function continuedCall(call: CallOptions, text: string): CallOptions {
  const { maxOutputTokens: _most, stopSequences: _stops, abortSignal: _signal, ...rest } = call;
  return { ...rest, prompt: [...call.prompt, { role: 'user', content: [{ type: 'text', text }] }] };
}

/** The model with its whole answers as streams. */
const inOnePiece = (model: Model): StreamingModel<CallOptions> => ({
  async doStream(options) {
    const { content, finishReason, usage, providerMetadata } = await model.doGenerate(options);
    const parts = content.map((part) =>
      part.type === 'text' || part.type === 'reasoning' ? { type: `${part.type}-delta`, delta: part.text } : part,
    );
    return { stream: streamOf([...parts, { type: 'finish', finishReason, usage, providerMetadata }]) };
  },
});

const streamOf = (parts: readonly unknown[]): ReadableStream<unknown> =>
  new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
