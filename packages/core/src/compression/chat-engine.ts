/** The default engine over plain OpenAI chat messages. */
import { PalimpsestError } from '../shared/errors.ts';
import { isJsonObject, type JsonObject } from '../shared/json.ts';
import { fromOpenAiChat, toOpenAiChat } from '../transcript/formats/openai-chat.ts';
import type { Message } from '../transcript/message.ts';
import { checkCompressorOptions } from './compressor-options.ts';
import { type Compressor, type CompressorOptions, compressorOver, type MessageCodec } from './engine.ts';

/**
 * The engine over OpenAI chat messages (`{role, content, tool_calls, tool_call_id, …}`). Messages that stay as they are
 * come back as the very objects that went in. A message is read once: do not change it after it was handed over.
 */
export function createChatCompressor(options: CompressorOptions = {}): Compressor<JsonObject> {
  checkCompressorOptions('createChatCompressor', options);
  return compressorOver(openAiCodec(), options);
}

/** Reads and writes OpenAI chat messages; remembers what it has read. */
export function openAiCodec(): MessageCodec<JsonObject> {
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
