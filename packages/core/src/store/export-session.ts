/** Gives a stored conversation back as a transcript, which every format's writer takes. */
import { type FormatName, formatNames, type Transcript } from '../transcript/message.ts';
import type { SessionId } from './ids.ts';
import type { Session } from './session-store.ts';
import type { Store } from './store.ts';
import { restoreSurroundings } from './surroundings.ts';

/** What of a conversation is given back. */
export interface ExportOptions {
  /**
   * What is given back: everything that was ever said in the conversation, or the view of its newest session, which is
   * what its model sees now.
   * @default conversation
   */
  readonly what?: 'conversation' | 'view';
}

/** What sessions without a format of their own are written as. */
const ownFormat: FormatName = 'openai-chat';

/**
 * The conversation of a session. One that was imported comes back as it was read, with what its format keeps around the
 * messages; `compressions` tells where Palimpsest compressed it since.
 *
 * @throws PalimpsestError `ID_UNKNOWN` for a session that does not exist
 */
export async function exportSession(
  store: Store,
  id: SessionId,
  { what = 'conversation' }: ExportOptions = {},
): Promise<Transcript> {
  const chain = await store.sessions.chain(id);
  const [root] = chain;
  const tip = chain.at(-1);
  // A chain holds at least the session itself.
  if (!root || !tip) return { format: ownFormat, messages: [] };
  const about = aboutOf(root, chain);
  if (what === 'view' && root !== tip) {
    const view = await store.messages.view(tip.id);
    return { ...about, messages: view.map(({ message }) => message) };
  }
  const { messages, compressions } = await wholeOf(store, chain);
  const read = await restoreSurroundings(store, root.id, { ...about, messages });
  const all = [...(read.compressions ?? []), ...compressions];
  return { ...read, ...(all.length > 0 ? { compressions: all } : {}) };
}

/** The format that a conversation is written in when nobody names one. */
const formatOfSession = ({ source }: Pick<Session, 'source'>): FormatName =>
  formatNames.find((name) => name === source) ?? ownFormat;

function aboutOf(root: Session, chain: readonly Session[]): Omit<Transcript, 'messages'> {
  // A title that the source gave may have got a number here; the source's own stands in the surroundings.
  const title = chain.findLast((session) => session.title !== undefined && session.titleFrom !== 'source')?.title;
  const { id, project, model } = root;
  return {
    format: formatOfSession(root),
    id,
    ...(title === undefined ? {} : { title }),
    ...(model === undefined ? {} : { model }),
    ...(project === undefined ? {} : { workingDirectory: project }),
  };
}

interface Whole {
  readonly messages: Transcript['messages'];
  readonly compressions: readonly number[];
}

/** What was said in each session of a chain, behind what was said in those before it. */
async function wholeOf(store: Store, chain: readonly Session[]): Promise<Whole> {
  const messages: Transcript['messages'][number][] = [];
  const compressions: number[] = [];
  for (const { id } of chain) {
    const view = await store.messages.view(id);
    if (messages.length > 0) compressions.push(messages.length);
    // What a continuation opened with was made of what is known already, or carried over.
    messages.push(...view.flatMap(({ origin, message }) => (origin === undefined ? [message] : [])));
  }
  return { messages, compressions: compressions.filter((at) => at < messages.length) };
}
