/** What the calls behind imported conversations used: reports of their logs, counted as those of live calls are. */
import { PalimpsestError } from '../shared/errors.ts';
import type { ImportedSession } from '../store/import-transcript.ts';
import type { Store } from '../store/store.ts';
import type { UsageEntry } from '../store/usage-store.ts';
import type { Transcript } from '../transcript/message.ts';
import { countedCall } from './counted-call.ts';

/** Names in a broken log may have any length. */
const longest = 300;

/**
 * Counts the calls that the logs of imported conversations report, each once: also when a log is imported again, has
 * grown, was copied into another one, or tells of a call of a sub-agent whose own log is imported too.
 * @param transcripts what was given to `importTranscripts`
 * @param imported what it gave back
 * @throws PalimpsestError whatever the store throws
 */
export async function importUsage(
  store: Store,
  transcripts: readonly Transcript[],
  imported: readonly ImportedSession[],
): Promise<void> {
  if (!areTranscripts(transcripts) || !areTranscripts(imported, 'outcome')) {
    throw new PalimpsestError('BAD_MESSAGES', 'expected a list of transcripts and the result of importTranscripts');
  }
  const said = transcripts.filter(({ messages }) => messages.length > 0);
  for (const [at, { usage = [], model: usual = '' }] of said.entries()) {
    const sessionId = imported[at]?.sessionId;
    if (sessionId === undefined || usage.length === 0) continue;
    const session = await store.sessions.get(sessionId);
    const entries = usage.map(({ id, model = usual, time, report, isPartial, ofSide }): UsageEntry => {
      const made = Date.parse(time ?? '');
      const told = Number.isNaN(made) ? session?.startedAt : made;
      const task = ofSide ? 'side' : 'turn';
      const counted = countedCall(model.slice(0, longest), report, isPartial);
      return {
        sessionId,
        task,
        reportId: id.slice(0, longest),
        ...counted,
        ...(told === undefined ? {} : { at: told }),
      };
    });
    await store.usage.add(entries);
  }
}

/** Callers without types hand in anything. */
const areTranscripts = (given: unknown, member = 'messages'): boolean =>
  Array.isArray(given) && given.every((one) => typeof one === 'object' && one !== null && member in one);
