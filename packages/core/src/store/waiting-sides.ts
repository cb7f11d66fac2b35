/**
 * Side conversations that were imported before the one that they branched off: whoever comes second links the two. What
 * waits is written down before the other one is looked for, so that of two imports at once one sees both.
 */
import { isJsonObject, parseJson } from '../shared/json.ts';
import { alone } from './alone.ts';
import type { SessionId } from './ids.ts';
import type { Session } from './session-store.ts';
import type { Store } from './store.ts';

/** A conversation as its tool names it. */
export interface SourceName {
  readonly source: string;
  readonly id: string;
}

/** Where the sides of a conversation wait. */
const keyOf = ({ source, id }: SourceName): string => `sides-of:${source}:${id}`;

/** Links a side conversation to its parent, or lets it wait for it. */
export async function linkOrWait(store: Store, side: Session, parent: SourceName): Promise<void> {
  const key = keyOf(parent);
  await alone(store, key, async () => {
    const waiting = idsIn(await store.meta.get(key));
    if (!waiting.includes(side.id)) await store.meta.set(key, JSON.stringify({ waiting: [...waiting, side.id] }));
  });
  const found = await store.sessions.bySource(parent.source, parent.id);
  if (found) await linkWaiting(store, found.id, parent);
}

/** Links the side conversations that wait for a session. */
export async function linkWaiting(store: Store, session: SessionId, name: SourceName): Promise<void> {
  const key = keyOf(name);
  if ((await store.meta.get(key)) === undefined) return;
  await alone(store, key, async () => {
    for (const side of idsIn(await store.meta.get(key))) {
      // It may have been deleted since.
      if (side !== session && (await store.sessions.get(side))) await store.sessions.link(side, session);
    }
    await store.meta.set(key, undefined);
  });
}

function idsIn(text: string | undefined): readonly SessionId[] {
  const value = parseJson(text ?? 'null');
  const waiting = isJsonObject(value) ? value.waiting : undefined;
  return Array.isArray(waiting) ? waiting.filter((one) => typeof one === 'string') : [];
}
