/** The text that a hook keeps through a compression: what it costs, where it stands, and how long it stays. */
import { totalsClause } from '../../compression/report.ts';
import type { CompressionResult, MessageFate } from '../../compression/result.ts';
import type { SessionId } from '../../store/ids.ts';
import type { Store } from '../../store/store.ts';
import { messageTokens } from '../../tokens/measure.ts';
import type { Tokenizer } from '../../tokens/tokenizer.ts';
import type { Message, Transcript } from '../../transcript/message.ts';
import { messageText } from '../../transcript/text.ts';
import { keptNote, promptsIn } from '../live/live.ts';
import { parseState, stateKey } from '../live/state.ts';

/** What every such message begins with. */
const opening = messageText(keptNote('')).trimEnd();

const isKeptMessage = (message: Message): boolean =>
  message.role === 'user' && messageText(message).startsWith(opening);

/** Tokens that the text takes of the window. */
export const keptTokens = (kept: string | null, tokenizer: Tokenizer): number =>
  kept === null ? 0 : messageTokens(keptNote(kept), tokenizer);

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

/** What was compressed, and how its tokens are counted. */
interface Given {
  readonly messages: readonly Message[];
  readonly tokenizer: Tokenizer;
}

/** A compression whose list begins with the text, in place of one from before; as it is where nothing was compressed. */
export function resultWithKept(
  result: CompressionResult,
  kept: string | null,
  { messages: given, tokenizer }: Given,
): CompressionResult {
  const over = new Set(result.messages.filter(isKeptMessage));
  if (result.status !== 'compressed' || (kept === null && over.size === 0)) return result;
  const others = result.messages.filter((message) => !over.has(message));
  const messages = kept === null ? others : others.toSpliced(promptsIn(others), 0, keptNote(kept));
  const lost = [...over].reduce((sum, message) => sum + messageTokens(message, tokenizer), 0);
  const more = keptTokens(kept, tokenizer) - lost;
  const fates = result.fates.map((fate): MessageFate => {
    const message = given[fate.at];
    if (!message || !over.has(message)) return fate;
    return { ...fate, fate: 'removed', tokensAfter: 0, why: 'a text that a hook kept, until this compression' };
  });
  const { before, after: made } = result;
  const after = { ...made, head: Math.max(0, made.head + more), total: made.total + more };
  const reason = result.reason.replace(totalsClause(before, made), totalsClause(before, after));
  return { ...result, reason, messages, fates, after };
}

/** Keeps the text with a stored conversation, until its next compression. */
export async function keepForSession(store: Store, rootId: SessionId, kept: string | null): Promise<void> {
  const state = parseState(await store.meta.get(stateKey(rootId)));
  if (state.kept !== kept) await store.meta.set(stateKey(rootId), JSON.stringify({ ...state, kept }));
}

/** The text that is kept with a stored conversation. */
export const keptForSession = async (store: Store, rootId: SessionId): Promise<string | null> =>
  parseState(await store.meta.get(stateKey(rootId))).kept;
