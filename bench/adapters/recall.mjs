/**
 * Lets an evaluation kit search with the public library: a corpus becomes a store in memory, each of its sessions a
 * session, each message a message with its author and its time, as any program would keep them.
 */

import { search } from '../../src/recall/search/search.ts';
import { openStore } from '../../src/store/open-store.ts';

export const name = 'palimpsest';

export async function open({ sessions }) {
  const store = await openStore({ path: ':memory:' });
  const idOf = new Map();
  for (const session of sessions) {
    const startedAt = instantOf(session.date);
    const { id } = await store.sessions.create({
      source: 'library',
      ...(startedAt === undefined ? {} : { startedAt }),
    });
    const messages = session.messages.map((message) => messageOf(message));
    // Two people may say the same thing: the place tells them apart.
    const { from } = await store.messages.append(id, messages, startedAt === undefined ? {} : { time: startedAt });
    for (const [i, message] of session.messages.entries()) idOf.set(`${id}:${from + i}`, message.id);
  }
  return {
    search: async (query, k) => {
      const { hits } = await search(store, query, { limit: k });
      return hits.map(({ sessionId, position }) => ({ id: idOf.get(`${sessionId}:${position}`) }));
    },
    close: () => store.close(),
  };
}

function messageOf({ role, name: speaker, text, time }) {
  const instant = instantOf(time);
  return {
    role,
    parts: [{ type: 'text', text }],
    ...(speaker && speaker !== role ? { name: speaker } : {}),
    ...(instant === undefined ? {} : { time: new Date(instant).toISOString() }),
  };
}

/** `1:56 pm on 8 May, 2023`, `March-15-2024`, `2023-12-25`. */
function instantOf(text) {
  const date = String(text ?? '')
    .replace(/^.* on /, '')
    .replace(/^([A-Z][a-z]+)-(\d+)-(\d+)$/, '$1 $2, $3');
  const instant = Date.parse(`${date} UTC`);
  return Number.isNaN(instant) ? undefined : instant;
}
