/** How a contract gets its stores, and builders for what goes into them. */
import type { TestContext } from 'node:test';
import type { Instant } from '../../../packages/core/src/store/ids.ts';
import type { Session, SessionDraft } from '../../../packages/core/src/store/session-store.ts';
import type { Store } from '../../../packages/core/src/store/store.ts';
import type { Message } from '../../../packages/core/src/transcript/message.ts';

/** An adapter under test. */
export interface StoreBench {
  /** A place that no store was in; it is cleaned up after the test. */
  newPlace(t: TestContext): Promise<string>;
  open(place: string, clock: () => Instant): Promise<Store>;
}

/** What every adapter promises: a fact for a title, and how to see it. */
export type StorePromises = Readonly<Record<string, (t: TestContext, bench: StoreBench) => Promise<void>>>;

/** A clock that stands until it is moved. */
export interface StandingClock {
  (): Instant;
  now: Instant;
}

/** 2026-11-22T00:00:00Z. */
export const morning: Instant = 1_795_305_600_000;

export function standingClock(): StandingClock {
  const clock: StandingClock = Object.assign(() => clock.now, { now: morning });
  return clock;
}

export interface Opened {
  readonly store: Store;
  readonly clock: StandingClock;
  readonly place: string;
}

/** A new store that is closed after the test. */
export async function opened(t: TestContext, bench: StoreBench): Promise<Opened> {
  const place = await bench.newPlace(t);
  const clock = standingClock();
  const store = await bench.open(place, clock);
  t.after(() => store.close());
  return { store, clock, place };
}

export const said = (text: string, fields: Partial<Message> = {}): Message => ({
  role: 'user',
  parts: [{ type: 'text', text }],
  ...fields,
});

export const answered = (text: string): Message => said(text, { role: 'assistant' });

/** A session with messages in it. */
export async function sessionOf(
  store: Store,
  texts: readonly string[],
  draft: Partial<SessionDraft> = {},
): Promise<Session> {
  const session = await store.sessions.create({ source: 'library', ...draft });
  await store.messages.append(
    session.id,
    texts.map((text) => said(text)),
  );
  return session;
}

/** Ends a session and goes on with a handoff and everything from `size` on. */
export async function compressed(store: Store, session: Session, handoff: string): Promise<Session> {
  const covers = await store.messages.viewIds(session.id);
  return store.sessions.continue({
    sessionId: session.id,
    size: covers.length,
    messages: [said(handoff)],
    origins: [-1],
    handoff: { at: 0, covers, writtenBy: 'ledger' },
  });
}

/** The texts that a view shows. */
export async function shownTexts(store: Store, session: Session): Promise<readonly string[]> {
  const view = await store.messages.view(session.id);
  return view.map(({ message }) => message.parts.map((part) => (part.type === 'text' ? part.text : part.type)).join());
}
