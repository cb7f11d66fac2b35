/** Keeps in a few words what a conversation was about: at each compression and at its end. */

import { type Episode, episodeOf, episodeText } from '../compression/episode.ts';
import { isHandoff, personMessage, unwrapHandoff } from '../compression/handoff-block.ts';
import { ledgerOf } from '../compression/ledger/ledger.ts';
import type { StoredEpisode } from '../store/episode-store.ts';
import type { SessionId } from '../store/ids.ts';
import { newestSession } from '../store/session-store.ts';
import type { Store } from '../store/store.ts';
import { estimateTextTokens as count } from '../tokens/estimate.ts';
import type { Message } from '../transcript/message.ts';
import { messageText } from '../transcript/text.ts';

/** Tokens of the handoff that an episode is taken from: with more of it, its sentences are chosen from more. */
const handoffTokens = 3_000;

/**
 * Writes the episode of a conversation from what its newest session shows; one that says nothing has none. Linear in that
 * view. @throws ID_UNKNOWN
 *
 * @example
 * import { openStore, writeEpisode } from '@palimpsest/core/store';
 * await using store = await openStore({ path: 'agent.db' });
 * for (const { tip } of await store.sessions.list()) await writeEpisode(store, tip.id);
 */
export async function writeEpisode(store: Store, sessionId: SessionId): Promise<StoredEpisode | undefined> {
  const { id } = await newestSession(store.sessions, sessionId);
  const view = await store.messages.view(id);
  const { body } = ledgerOf(
    view.map(({ message }) => message),
    { count },
  ).handoff({ budgetTokens: handoffTokens });
  return store.episodes.put(id, episodeText(episodeOf(body), { count }));
}

/**
 * The same from the handoff that a compression has just made: what it stands for, without a second reading. The
 * compression holds whether or not this succeeds.
 */
export async function noteEpisode(store: Store, sessionId: SessionId, messages: readonly Message[]): Promise<void> {
  const carrier = messages.find(isHandoff);
  const body = carrier && unwrapHandoff(carrier)?.body;
  const text = body === undefined ? '' : episodeText(withNewest(episodeOf(body), messages), { count });
  if (text === '') return;
  try {
    await store.episodes.put(sessionId, text);
  } catch {
    // The next compression, or the end, writes it again.
  }
}

/** A handoff leaves out the words of the newest request, which stand behind it. */
function withNewest(episode: Episode, messages: readonly Message[]): Episode {
  const said = messages.findLast((message) => personMessage(message));
  const text = said && messageText(personMessage(said) ?? said).trim();
  const [first, ...later] = episode.wanted;
  if (!text || episode.wanted.some((one) => one.text === text)) return episode;
  const newest = { ref: 'm0', text } as const;
  return { ...episode, wanted: first ? [first, newest, ...later] : [newest] };
}
