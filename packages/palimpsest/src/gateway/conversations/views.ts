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

export interface Views {
  /** What is sent for a list of the client; undefined where that is the list. */
  note(came: Body, view: View | undefined): void;
  /** The view of the longest known list that a list begins with, and what came behind. The system prompt may be missing in it. */
  find(list: Body): View | undefined;
}

/** Views that are held at once: each is at most as large as its window. */
const mostViews = 32;

export function openViews(): Views {
  const views = new Map<string, View>();
  return {
    note(came, view) {
      if (view === undefined && views.size === 0) return;
      const [all, bare] = [came.messages, withoutSystem(came.messages)];
      const keys = [keyOf(came, bare, bare.length), keyOf(came, all, all.length)] as const;
      for (const key of keys) views.delete(key);
      if (view === undefined) return;
      views.set(keys[0], { ...view, messages: withoutSystem(view.messages) });
      // The same key where there is no system prompt.
      views.set(keys[1], view);
      for (const [oldest] of views) {
        if (views.size <= 2 * mostViews) break;
        views.delete(oldest);
      }
    },
    find(list) {
      const { messages } = list;
      for (let size = views.size === 0 ? 0 : messages.length; size > 0; size--) {
        const view = views.get(keyOf(list, messages, size));
        if (view) return { ...view, messages: [...view.messages, ...messages.slice(size)] };
      }
      return undefined;
    },
  };
}

const withoutSystem = (messages: readonly Message[]): readonly Message[] =>
  messages.filter(({ role }) => role !== 'system');

/** By its length and its ends, which no two conversations have in common. */
function keyOf({ dialect }: Body, list: readonly Message[], size: number): string {
  const ends = JSON.stringify([dialect, size, list[0], list[size - 1]]);
  return createHash('sha256').update(ends).digest('base64');
}
