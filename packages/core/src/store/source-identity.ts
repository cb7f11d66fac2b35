/** Which session of a tool a transcript is: the id by which it is known again when it has grown, moved or been copied. */

import { messageHash } from '../transcript/identity.ts';
import type { Transcript } from '../transcript/message.ts';
import { contentIds } from './message-body.ts';

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Gives the conversations of one file their ids, in their order. */
export function sourceIdentities(transcripts: readonly Transcript[]): readonly string[] {
  const counts = new Map<string, number>();
  const main = transcripts.find(({ sideOf }) => sideOf === undefined);
  return transcripts.map((transcript) => {
    const id = sourceIdentity(transcript, main);
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    return count === 1 ? id : `${id}#${count}`;
  });
}

/**
 * An id that no other session can have is taken as it is. A sub-agent's short one counts within its conversation, and
 * those of other tools may be numbers: their conversation is told by how it opens, up to the first request.
 */
function sourceIdentity(transcript: Transcript, main: Transcript | undefined): string {
  const { id, sideOf } = transcript;
  if (id !== undefined && uuid.test(id)) return id;
  if (sideOf !== undefined) return `${main?.id ?? sideOf}/${id ?? sideOf}`;
  return id === undefined ? opening(transcript) : `${id}/${opening(transcript)}`;
}

function opening({ messages }: Transcript): string {
  const request = messages.findIndex(({ role }) => role === 'user');
  const hashes = messages.slice(0, request < 0 ? 1 : request + 1).map(messageHash);
  return contentIds(hashes.join('\n')).ids[0] ?? '';
}
