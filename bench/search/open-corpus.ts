/** A corpus of an evaluation kit as a store: each of its sessions a session, each message a message with author and time. */
import { openStore } from '../../packages/core/src/store/open-store.ts';
import type { Store } from '../../packages/core/src/store/store.ts';
import type { Message, Role } from '../../packages/core/src/transcript/message.ts';

/** What the kit hands to an adapter. */
export interface Corpus {
  readonly id: string;
  readonly sessions: readonly CorpusSession[];
}

interface CorpusSession {
  readonly id: string;
  readonly date: string;
  readonly messages: readonly CorpusMessage[];
}

interface CorpusMessage {
  readonly id: string;
  readonly role: Role;
  readonly name?: string;
  readonly text: string;
  readonly time?: string;
}

export interface OpenCorpus {
  readonly store: Store;
  /** The kit's id of the message in a place. */
  idAt(sessionId: string, position: number): string | undefined;
}

/** Fills a store in memory, as any program would that keeps its conversations. */
export async function openCorpus({ sessions }: Pick<Corpus, 'sessions'>): Promise<OpenCorpus> {
  const store = await openStore({ path: ':memory:' });
  const ids = new Map<string, string>();
  for (const { date, messages } of sessions) {
    const at = instantOf(date);
    const { id } = await store.sessions.create({ source: 'library', ...(at === undefined ? {} : { startedAt: at }) });
    // Two people may say the same thing: the place tells them apart.
    const { from } = await store.messages.append(id, messages.map(messageOf), at === undefined ? {} : { time: at });
    for (const [i, message] of messages.entries()) ids.set(`${id}:${from + i}`, message.id);
  }
  return { store, idAt: (sessionId, position) => ids.get(`${sessionId}:${position}`) };
}

function messageOf({ role, name, text, time }: CorpusMessage): Message {
  const at = instantOf(time);
  return {
    role,
    parts: [{ type: 'text', text }],
    ...(name && name !== role ? { name } : {}),
    ...(at === undefined ? {} : { time: new Date(at).toISOString() }),
  };
}

/** `1:56 pm on 8 May, 2023`, `March-15-2024`, `2023-12-25`. */
function instantOf(text: string | undefined): number | undefined {
  const date = (text ?? '').replace(/^.* on /, '').replace(/^([A-Z][a-z]+)-(\d+)-(\d+)$/, '$1 $2, $3');
  const instant = Date.parse(`${date} UTC`);
  return Number.isNaN(instant) ? undefined : instant;
}
