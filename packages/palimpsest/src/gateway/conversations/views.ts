/** The contexts with a handoff that conversations were sent with last, found again by the list of a client that goes on from there. */
import { createHash } from 'node:crypto';
import type { Message } from '@palimpsest/core';
import type { SessionId } from '@palimpsest/core/store';
import type { Body } from '@palimpsest/core/wire';

export interface View {
  /** Undefined where it is kept in memory alone. */
  readonly sessionId: SessionId | undefined;
  readonly messages: readonly Message[];
}

/** The list of a client, and whose it is: what one user was sent is found for nobody else. */
export interface CameFrom {
  readonly list: Body;
  readonly user: string | undefined;
}

export interface Views {
  /** What is sent for a list of the client in place of it; undefined where that is the list. */
  note(came: CameFrom, sessionId: SessionId, view: View | undefined): void;
  /** The view of the longest known list that a list begins with, and what came behind. The system prompt may be missing in it. */
  find(came: CameFrom): View | undefined;
}

/** Conversations whose views are held at once: each is at most as large as its window. */
const mostViews = 32;

export function openViews(): Views {
  const views = new Map<string, View>();
  /** By session, the keys of its view: the newest last. */
  const keysOf = new Map<SessionId, readonly string[]>();
  const forget = (sessionId: SessionId): void => {
    for (const key of keysOf.get(sessionId) ?? []) views.delete(key);
    keysOf.delete(sessionId);
  };
  return {
    note({ list, user }, sessionId, view) {
      forget(sessionId);
      if (view === undefined) return;
      const { messages } = list;
      const all = keysIn({ list, user }, messages).at(-1);
      const bare = keysIn({ list, user }, withoutSystem(messages)).at(-1);
      if (all === undefined || bare === undefined) return;
      views.set(bare, { ...view, messages: withoutSystem(view.messages) });
      // The same key where there is no system prompt.
      views.set(all, view);
      keysOf.set(sessionId, [bare, all]);
      for (const [oldest] of keysOf) {
        if (keysOf.size <= mostViews) break;
        forget(oldest);
      }
    },
    find({ list, user }) {
      const { messages } = list;
      const keys = views.size === 0 ? [] : keysIn({ list, user }, messages);
      const at = keys.findLastIndex((key) => views.has(key));
      const view = views.get(keys[at] ?? '');
      return view && { ...view, messages: [...view.messages, ...messages.slice(at + 1)] };
    },
  };
}

const withoutSystem = (messages: readonly Message[]): readonly Message[] =>
  messages.filter(({ role }) => role !== 'system');

/** Of each list that this one begins with, a key that holds all of its messages. */
function keysIn({ list, user }: CameFrom, messages: readonly Message[]): readonly string[] {
  let before = JSON.stringify([list.dialect, user ?? null]);
  return messages.map((message) => {
    before = createHash('sha256').update(before).update('\n').update(JSON.stringify(message)).digest('base64');
    return before;
  });
}
