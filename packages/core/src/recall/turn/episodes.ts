/** Which earlier conversations bear on a question as a whole, by what they were about. */
import { redact } from '../../redaction/redact.ts';
import { defined } from '../../shared/defined.ts';
import type { SessionId } from '../../store/ids.ts';
import type { Store } from '../../store/store.ts';
import { indexed } from '../../store/terms/index-terms.ts';
import { fitOf, type PlaceFit } from './confidence.ts';
import type { WeighedWord } from './question.ts';

/** What a conversation was about, in a line. */
export interface FoundEpisode {
  readonly sessionId: SessionId;
  readonly time: number;
  readonly text: string;
  readonly fit: PlaceFit;
}

/** The episodes that are looked at, and the stores that have some. */
const mostFound = 5;
export type EpisodicStore = Pick<Store, 'sessions'> & Partial<Pick<Store, 'episodes'>>;

interface EpisodeTask {
  readonly question: string;
  readonly words: readonly WeighedWord[];
  readonly sessionId: SessionId;
  readonly project?: string | undefined;
}

/** Of other conversations than the current one, the surest first. */
export async function findEpisodes(
  { episodes, sessions }: EpisodicStore,
  { question, words, sessionId, project }: EpisodeTask,
): Promise<readonly FoundEpisode[]> {
  if (!episodes) return [];
  const own = (await sessions.get(sessionId))?.rootId;
  const found = await episodes.list({ query: question, limit: mostFound + 1, ...defined({ project }) });
  return found
    .filter((one) => one.sessionId !== own)
    .slice(0, mostFound)
    .map((one) => {
      const text = redact(one.text).replaceAll(/\s+/g, ' ').trim();
      const terms = new Set(indexed({ role: 'user', parts: [{ type: 'text', text }] }).terms);
      const fit = fitOf(words, { has: (term) => terms.has(term) });
      return { sessionId: one.sessionId, time: one.endedAt, text, fit };
    })
    .toSorted((a, b) => b.fit.confidence - a.fit.confidence || b.time - a.time);
}
