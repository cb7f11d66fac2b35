/** The default engine as a class, over the messages that a loop of one's own already has. */
import type {
  CompressOptions,
  ContextEngine,
  EngineModel,
  EngineStatus,
  EngineTool,
  EngineUsage,
  SessionStart,
} from '../context/engine.ts';
import { PalimpsestError } from '../shared/errors.ts';
import { isJsonObject, type JsonObject } from '../shared/json.ts';
import type { Message } from '../transcript/message.ts';
import { fromOpenAiChat, toOpenAiChat } from '../transcript/wire/chat/messages.ts';
import { checkCompressorOptions } from './compressor-session.ts';
import { type Compressor, type CompressorOptions, compressorOver, type MessageCodec } from './engine.ts';
import type { CompressionResult, Ref } from './result.ts';

/** A message as SDKs have it: `{role, content, tool_calls, …}` of OpenAI, or one of ours with `parts`. */
export interface LoopMessage {
  readonly role: string;
}

/**
 * The default engine for a loop of your own: tell it what each call used, ask it whether to compress, and send what
 * `compress` gives back. Messages that stay are the very objects that went in; do not change one after it was handed
 * over. Throws `BAD_CONFIG` and `BAD_OPTION` for options that make no sense.
 */
export class ContextCompressor<M extends LoopMessage = LoopMessage> implements ContextEngine<M> {
  readonly name: string;
  readonly #engine: Compressor<M>;

  constructor(options: CompressorOptions = {}) {
    checkCompressorOptions('ContextCompressor', options);
    this.#engine = compressorOver(loopCodec<M>(), options);
    this.name = this.#engine.name;
  }

  get lastPromptTokens(): number {
    return this.#engine.lastPromptTokens;
  }

  get lastCompletionTokens(): number {
    return this.#engine.lastCompletionTokens;
  }

  get lastTotalTokens(): number {
    return this.#engine.lastTotalTokens;
  }

  get thresholdTokens(): number {
    return this.#engine.thresholdTokens;
  }

  get contextLength(): number {
    return this.#engine.contextLength;
  }

  get compressionCount(): number {
    return this.#engine.compressionCount;
  }

  updateFromResponse(usage: EngineUsage): void {
    this.#engine.updateFromResponse(usage);
  }

  shouldCompress(promptTokens?: number): boolean {
    return this.#engine.shouldCompress(promptTokens);
  }

  heldBack(promptTokens?: number): string | undefined {
    return this.#engine.heldBack(promptTokens);
  }

  /** Throws `BAD_MESSAGES` for what is no list of messages, and `CONTEXT_OVERFLOW` when the newest request does not fit. */
  compress(messages: readonly M[], options?: CompressOptions): Promise<readonly M[]> {
    return this.#engine.compress(messages, options);
  }

  shouldCompressPreflight(messages: readonly M[]): boolean {
    return this.#engine.shouldCompressPreflight(messages);
  }

  /** True where something lies between head and tail, or the list is larger than where compression starts. Throws `BAD_MESSAGES` as `compress` does. */
  hasContentToCompress(messages: readonly M[]): boolean {
    return this.#engine.hasContentToCompress(messages);
  }

  onSessionStart(sessionId: string, start: SessionStart): Promise<void> {
    return this.#engine.onSessionStart(sessionId, start);
  }

  onSessionEnd(sessionId: string, messages: readonly M[]): Promise<void> {
    return this.#engine.onSessionEnd(sessionId, messages);
  }

  onSessionReset(): void {
    this.#engine.onSessionReset();
  }

  toolSchemas(): readonly EngineTool[] {
    return this.#engine.toolSchemas();
  }

  handleToolCall(name: string, args: JsonObject, messages: readonly M[]): Promise<string> {
    return this.#engine.handleToolCall(name, args, messages);
  }

  status(): EngineStatus {
    return this.#engine.status();
  }

  updateModel(model: EngineModel): void {
    this.#engine.updateModel(model);
  }

  /** The report of the last call of `compress`; undefined before the first. */
  lastResult(): CompressionResult | undefined {
    return this.#engine.lastResult();
  }

  /** The original of a message that a handoff or a stub names, such as `m42`; undefined for a number not given. */
  expand(ref: Ref): M | undefined {
    return this.#engine.expand(ref);
  }
}

/** Ours where every message has a list of parts, else those of OpenAI; told anew for every list. */
function loopCodec<M extends LoopMessage>(): MessageCodec<M> {
  const openAi = openAiCodec();
  let isOurs = false;
  return {
    decode: (messages) => {
      isOurs = Array.isArray(messages) && messages.length > 0 && messages.every(hasParts);
      // Tested right here to have a list of parts; what else is wrong with them is said where they are read.
      if (isOurs) return messages as readonly unknown[] as readonly Message[];
      // An interface has no index signature; what is read is checked by the reader.
      return openAi.decode(messages as readonly unknown[] as readonly JsonObject[]);
    },
    // A list is read before anything is written into it, so the caller's messages are of the same kind.
    encode: (message) => (isOurs ? [message] : openAi.encode(message)) as readonly unknown[] as readonly M[],
  };
}

const hasParts = (message: unknown): boolean =>
  typeof message === 'object' && message !== null && 'parts' in message && Array.isArray(message.parts);

// The default engine over plain OpenAI chat messages.

/**
 * The engine over OpenAI chat messages (`{role, content, tool_calls, tool_call_id, …}`). Messages that stay as they are
 * come back as the very objects that went in. A message is read once: do not change it after it was handed over.
 */
export function createChatCompressor(options: CompressorOptions = {}): Compressor<JsonObject> {
  checkCompressorOptions('createChatCompressor', options);
  return compressorOver(openAiCodec(), options);
}

/** Reads and writes OpenAI chat messages; remembers what it has read. */
function openAiCodec(): MessageCodec<JsonObject> {
  // An agent sends the same objects at every step: read each once.
  const read = new WeakMap<JsonObject, Message>();
  return {
    decode: (messages) => {
      checkList(messages);
      // Calls of the old kind have no ids: only the whole list tells which result answers which call.
      if (messages.some(isLegacy)) return fromOpenAiChat(messages);
      const unread = messages.filter((message) => !read.has(message));
      for (const [at, message] of fromOpenAiChat(unread).entries()) {
        const source = unread[at];
        if (source) read.set(source, message);
      }
      return messages.flatMap((message) => read.get(message) ?? []);
    },
    encode: (message) => toOpenAiChat([message]),
  };
}

const isLegacy = (message: JsonObject): boolean => message.role === 'function' || isJsonObject(message.function_call);

/** What the reader would leave out must not get lost on the way through the engine. */
function checkList(messages: readonly JsonObject[]): void {
  const list: unknown = messages;
  const isMessage = (value: unknown): boolean => isJsonObject(value) && typeof value.role === 'string';
  const at = Array.isArray(list) ? list.findIndex((value) => !isMessage(value)) : -1;
  if (Array.isArray(list) && at === -1) return;
  const came = Array.isArray(list) ? `something else at index ${at}` : typeof list;
  const message = `expected a list of OpenAI chat messages, each an object with a role, got ${came}: remove it or correct it`;
  throw new PalimpsestError('BAD_MESSAGES', message, { evidence: { at } });
}
