/** The built-in engine for a session in which an engine of others has failed: it reads back what was said before. */
import type { CompressorOptions } from '../../compression/engine.ts';
import { createCompressor } from '../../compression/engine.ts';
import { stateKeys } from '../../context/define-engine.ts';
import type { ContextEngine } from '../../context/engine.ts';
import type { SessionId } from '../../store/ids.ts';
import type { StoredMessage } from '../../store/message-store.ts';
import { newestSession } from '../../store/newest-session.ts';
import type { Store } from '../../store/store.ts';
import type { Tokenizer } from '../../tokens/tokenizer.ts';
import { isSameMessage } from '../../transcript/identity.ts';
import type { Message } from '../../transcript/message.ts';
import { noteUsage, restoreRecord } from './stored-conversation.ts';

/** Options of the built-in engine, and where the conversation is kept. */
export interface StoredCompressorOptions extends CompressorOptions {
  readonly tokenizer: Tokenizer;
  readonly store: Store;
  readonly sessionId: SessionId;
}

/**
 * A built-in engine that follows the numbers, and whose every compression reads the conversation from the store first:
 * the refs of its handoffs then count all that was said, whatever another engine left out before.
 */
export function storedCompressor({ store, sessionId, ...options }: StoredCompressorOptions): ContextEngine<Message> {
  const numbers = createCompressor(options);
  let count = 0;
  const engine: ContextEngine<Message> = {
    ...numbers,
    async compress(messages, call) {
      const tip = await newestSession(store.sessions, sessionId);
      const { record, entries, compressions } = await restoreRecord(store, tip, options.tokenizer.count);
      const { contextLength } = numbers;
      const once = createCompressor({ ...options, contextLength, record, compressionCount: compressions });
      const known = asStored(messages, entries);
      const list = await once.compress(known, call);
      const result = once.lastResult();
      if (result) await noteUsage(store, tip.id, result);
      if (list === known) return messages;
      count++;
      const given = new Map(known.map((message, at) => [message, messages[at]]));
      return list.map((message) => given.get(message) ?? message);
    },
    onSessionReset() {
      count = 0;
      numbers.onSessionReset();
    },
  };
  // The spread above has copied the numbers as they were; these read them as they are.
  const live = stateKeys.map((key) => [key, { get: () => numbers[key] + (key === 'compressionCount' ? count : 0) }]);
  return Object.defineProperties(engine, Object.fromEntries(live));
}

/** So many messages of the store may be missing from a list in a row, such as system prompts. */
const mostMissing = 8;

/** The list in the objects of the store where they say the same: the record knows a message by how it is written. */
function asStored(messages: readonly Message[], entries: readonly StoredMessage[]): readonly Message[] {
  let from = 0;
  return messages.map((message) => {
    const near = entries.slice(from, from + mostMissing);
    const at = near.findIndex((entry) => isSameMessage(entry.message, message));
    if (at < 0) return message;
    from += at + 1;
    return near[at]?.message ?? message;
  });
}
