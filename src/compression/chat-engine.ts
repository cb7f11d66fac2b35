/** The default engine over plain OpenAI chat messages. */
import type { JsonObject } from '../shared/json.ts';
import { fromOpenAiChat, toOpenAiChat } from '../transcript/formats/openai-chat.ts';
import type { Message } from '../transcript/message.ts';
import { type Compressor, type CompressorOptions, compressorOver, type MessageCodec } from './engine.ts';

/**
 * The engine over OpenAI chat messages (`{role, content, tool_calls, tool_call_id, …}`). Messages that stay as they are
 * come back as the very objects that went in.
 */
export function createChatCompressor(options: CompressorOptions = {}): Compressor<JsonObject> {
  return compressorOver(chatMessages(), options);
}

function chatMessages(): MessageCodec<JsonObject> {
  // An agent sends the same objects at every step: read each once.
  const read = new WeakMap<JsonObject, Message>();
  return {
    decode: (messages) => {
      const unread = messages.filter((message) => !read.has(message));
      for (const [at, message] of fromOpenAiChat(unread).entries()) {
        const source = unread[at];
        if (source) read.set(source, message);
      }
      return messages.flatMap((message) => read.get(message) ?? []);
    },
    encode: (messages, known) => messages.flatMap((message) => known(message) ?? toOpenAiChat([message])),
  };
}
