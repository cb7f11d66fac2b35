/** Which session a model means. */
import { PalimpsestError } from '../../shared/errors.ts';
import type { SessionId } from '../../store/ids.ts';
import type { ReadableStore } from './lineage.ts';

/** The session of an id, the beginning of one, or a title. Throws `ID_UNKNOWN` and `ID_AMBIGUOUS`, in words for a model. */
export async function sessionNamed({ sessions }: Pick<ReadableStore, 'sessions'>, text: string): Promise<SessionId> {
  if (await sessions.get(text)) return text;
  const [first, second] = await sessions.find(text);
  if (first && !second) return first.id;
  const named = JSON.stringify(text.slice(0, 60));
  if (!first) {
    const message = `There is no conversation ${named}: leave out all arguments to list the newest, or search without session_id.`;
    throw new PalimpsestError('ID_UNKNOWN', message);
  }
  throw new PalimpsestError('ID_AMBIGUOUS', `${named} stands for several conversations: give the whole session_id.`);
}
