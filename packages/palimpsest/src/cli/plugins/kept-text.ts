/** The text that a hook keeps through a compression. */
import {
  type CompressionResult,
  type Message,
  type MessageFate,
  messageTokens,
  type Transcript,
} from '@palimpsest/core';
import { messageText } from '@palimpsest/core/formats';
import { keptNote, parseState, promptsIn, type SessionId, type Store, stateKey } from '@palimpsest/core/store';
import type { Measure } from '../window.ts';

/** What every such message begins with. */
const opening = messageText(keptNote('')).trimEnd();

const isKeptMessage = (message: Message): boolean =>
  message.role === 'user' && messageText(message).startsWith(opening);

/** Tokens that the text takes of the window. */
export const keptTokens = (kept: string | null, { tokenizer }: Measure): number =>
  kept === null ? 0 : messageTokens(keptNote(kept), tokenizer);

/** A list with the text behind its system prompts, in place of one from before. */
function withKept(messages: readonly Message[], kept: string | null): readonly Message[] {
  const others = messages.some(isKeptMessage) ? messages.filter((message) => !isKeptMessage(message)) : messages;
  return kept === null ? others : others.toSpliced(promptsIn(others), 0, keptNote(kept));
}

/** A stored view as its model is sent it. */
export function transcriptWithKept(transcript: Transcript, kept: string | null): Transcript {
  if (kept === null) return transcript;
  const { messages, compressions } = transcript;
  const start = promptsIn(messages);
  const moved = compressions?.map((at) => (at < start ? at : at + 1));
  return {
    ...transcript,
    messages: messages.toSpliced(start, 0, keptNote(kept)),
    ...(moved ? { compressions: moved } : {}),
  };
}

interface Compressed {
  /** The messages that went in. */
  readonly given: readonly Message[];
  readonly measure: Measure;
}

/** A compression whose list begins with the text; as it is where nothing was compressed. */
export function resultWithKept(
  result: CompressionResult,
  kept: string | null,
  { given, measure }: Compressed,
): CompressionResult {
  const messages = result.status === 'compressed' ? withKept(result.messages, kept) : result.messages;
  if (messages === result.messages) return result;
  const over = new Set(result.messages.filter(isKeptMessage));
  const lost = [...over].reduce((sum, message) => sum + messageTokens(message, measure.tokenizer), 0);
  const more = keptTokens(kept, measure) - lost;
  const { head, total, ...shares } = result.after;
  const fates = result.fates.map((fate): MessageFate => {
    const message = given[fate.at];
    if (!message || !over.has(message)) return fate;
    return { ...fate, fate: 'removed', tokensAfter: 0, why: 'a text that a hook kept, until this compression' };
  });
  return { ...result, messages, fates, after: { ...shares, head: Math.max(0, head + more), total: total + more } };
}

/** Keeps the text with a stored conversation, until its next compression. */
export async function keepForSession(store: Store, rootId: SessionId, kept: string | null): Promise<void> {
  const state = parseState(await store.meta.get(stateKey(rootId)));
  if (state.kept !== kept) await store.meta.set(stateKey(rootId), JSON.stringify({ ...state, kept }));
}

/** The text that is kept with a stored conversation. */
export const keptForSession = async (store: Store, rootId: SessionId): Promise<string | null> =>
  parseState(await store.meta.get(stateKey(rootId))).kept;
