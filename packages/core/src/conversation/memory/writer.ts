/** Who writes to the memory from a conversation: what they write is judged by all that was said in it. */

import { personMessage } from '../../compression/handoff-block.ts';
import type { MemoryVerdict, WriterOptions } from '../../memory/entries/files-over.ts';
import type { SessionId } from '../../store/ids.ts';
import { newestSession } from '../../store/session-store.ts';
import type { Runtime } from '../live.ts';
import { recalledTexts } from '../recalled.ts';
import { judgeOver, saidRecord } from './record.ts';

/** A writer, as the tools of the memory take it. */
export interface ConversationWriter extends WriterOptions {
  /** Another one with each turn, for tools that count by turns. */
  readonly turn: string;
}

const unknownCaller: MemoryVerdict = {
  source: 'model',
  decision: 'confirm',
  reason: 'It is not known in which conversation this was said: the person has to confirm it.',
};

/** The writer of a conversation; one of a conversation that nobody knows writes nothing without the person. @throws ID_UNKNOWN */
export async function writerFor(runtime: Runtime, given: SessionId | undefined): Promise<ConversationWriter> {
  const { settings } = runtime;
  if (given === undefined) return { judge: () => unknownCaller, turn: '' };
  const { id: sessionId } = await newestSession(settings.store.sessions, given);
  const record = await saidRecord(settings, sessionId);
  const turns = record.messages.filter((message) => personMessage(message) !== undefined).length;
  const live = runtime.live.get(sessionId);
  const judge = judgeOver(record, settings, live && recalledTexts(live));
  return { judge, sessionId, turn: `${sessionId} ${turns}` };
}
