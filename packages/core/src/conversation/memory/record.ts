/** What was said in a conversation, whole, for whoever judges what may be remembered of it. */
import type { MemoryVerdict } from '../../memory/entries/files-over.ts';
import { judgeWrite } from '../../memory/gate/judge-write.ts';
import { type FolderText, folderTextsIn } from '../../prompt/folder-fence.ts';
import { defined } from '../../shared/defined.ts';
import type { MessageId, SessionId } from '../../store/ids.ts';
import { shownMemoryKey } from '../../store/memory-store.ts';
import { newestSession } from '../../store/session-store.ts';
import { estimateTextTokens } from '../../tokens/estimate.ts';
import type { Message } from '../../transcript/message.ts';
import { messageText } from '../../transcript/text.ts';
import { restoreRecord } from '../compress/stored.ts';
import { saidIn } from '../live.ts';
import type { ConversationSettings } from '../options.ts';
import { toolSourcesOf } from './provider-tools.ts';

/** Everything that was said in a conversation, in its order, and the ids that it is stored under. */
export interface SaidRecord {
  readonly messages: readonly Message[];
  readonly ids: readonly (MessageId | undefined)[];
  /** Files of folders that its system prompts show. */
  readonly files: readonly FolderText[];
}

type Judging = Pick<ConversationSettings, 'store' | 'memory'>;

/** From the store: also what left the context long ago. Linear in the conversation. @throws ID_UNKNOWN */
export async function saidRecord({ store }: Pick<Judging, 'store'>, sessionId: SessionId): Promise<SaidRecord> {
  const session = await newestSession(store.sessions, sessionId);
  const { record, ids: idOf } = await restoreRecord(store, session, estimateTextTokens);
  const { said, atOf } = saidIn(record);
  const ids: (MessageId | undefined)[] = [];
  for (const [place, at] of atOf) ids[at] = idOf[place];
  const prompts = [...record.prompts].flatMap((place) => record.at(place) ?? []).map(messageText);
  const files = [...prompts, (await store.meta.get(shownMemoryKey(session.id))) ?? ''].flatMap(folderTextsIn);
  return { messages: said, ids, files };
}

/**
 * Judges texts by what was said.
 *
 * @param recalled what was put before the model beside the conversation, which the record does not have
 */
export function judgeOver(
  { messages, ids, files }: SaidRecord,
  { memory }: Pick<Judging, 'memory'>,
  recalled?: string,
): (text: string) => MemoryVerdict {
  const shown = files.length === 0 ? [] : [filesMessage(files)];
  const list = recalled === undefined ? [...shown, ...messages] : withRecalled([...shown, ...messages], recalled);
  const options = defined({ toolSources: toolSourcesOf(memory), projectFolder: memory?.memory.project });
  return (text) => {
    const verdict = judgeWrite({ text, messages: list, ...options });
    return { ...verdict, messages: verdict.messages.flatMap((at) => ids[at - shown.length] ?? []) };
  };
}

/** What a system prompt shows of a folder was written by whoever wrote that, before anything was said. */
const filesMessage = (files: readonly FolderText[]): Message => ({
  role: 'user',
  origin: 'host',
  parts: files.map(({ path, text }) => ({ type: 'file', name: path, mediaType: 'text/plain', text })),
});

/** Nobody knows who said first what was recalled: it counts as what a tool brought from outside. */
function withRecalled(messages: readonly Message[], recalled: string): readonly Message[] {
  const callId = 'recalled';
  const name = 'recalled_context';
  return [
    ...messages,
    { role: 'assistant', parts: [{ type: 'toolCall', callId, name, input: '{}', inputType: 'json' }] },
    { role: 'tool', parts: [{ type: 'toolResult', callId, name, content: [{ type: 'text', text: recalled }] }] },
  ];
}
