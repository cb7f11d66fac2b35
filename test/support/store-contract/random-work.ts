/** Whatever is done in whatever order, the store is what a few lines of plain code say that it is. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Session } from '../../../packages/core/src/store/session-store.ts';
import type { Store } from '../../../packages/core/src/store/store.ts';
import { opened, type StorePromises, said, shownTexts } from './store-bench.ts';

/** One thing to do; numbers choose among what there is. */
type Work =
  | { readonly type: 'create'; readonly from: number }
  | { readonly type: 'append'; readonly at: number; readonly texts: readonly string[] }
  | { readonly type: 'compress'; readonly at: number; readonly kept: number }
  | { readonly type: 'delete'; readonly at: number };

// Few texts, so that most messages are shown in several places.
const texts = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'h0', 'h1'), { maxLength: 4 });
const number = fc.nat({ max: 20 });
const works: fc.Arbitrary<readonly Work[]> = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant('create' as const), from: number }),
    { weight: 4, arbitrary: fc.record({ type: fc.constant('append' as const), at: number, texts }) },
    {
      weight: 2,
      arbitrary: fc.record({ type: fc.constant('compress' as const), at: number, kept: fc.nat({ max: 3 }) }),
    },
    fc.record({ type: fc.constant('delete' as const), at: number }),
  ),
  { maxLength: 25 },
);

/** What a session is, without a store. */
interface PlainSession {
  readonly id: string;
  readonly conversation: number;
  texts: readonly string[];
  ended: boolean;
  /** What its handoff stands for. */
  readonly covers: readonly string[];
}

export const randomPromises: StorePromises = {
  'L1 any work in any order leaves what plain code says, with nothing for a doctor': async (t, bench) => {
    await fc.assert(
      fc.asyncProperty(works, async (list) => {
        const { store } = await opened(t, bench);
        const plain = createPlain(store);
        for (const work of list) await plain.run(work);
        await plain.compare();
        const report = await store.care.check();
        assert.ok(report.ok, JSON.stringify(report.findings.filter(({ ok }) => !ok)));
        await store.close();
      }),
      { numRuns: 40 },
    );
  },
};

/** Does the work in the store and in plain lists. */
function createPlain(store: Store): { run(work: Work): Promise<void>; compare(): Promise<void> } {
  let sessions: PlainSession[] = [];
  let handoffs = 0;
  let conversations = 0;

  const live = (at: number): PlainSession | undefined => {
    const open = sessions.filter(({ ended }) => !ended);
    return open[at % Math.max(1, open.length)];
  };

  async function create(from: number): Promise<void> {
    const parent = sessions[from % (sessions.length + 1)];
    const { id } = await store.sessions.create({ source: 'test', ...(parent ? { parentId: parent.id } : {}) });
    sessions.push({ id, conversation: conversations++, texts: [], ended: false, covers: [] });
  }

  async function append(session: PlainSession, added: readonly string[]): Promise<void> {
    await store.messages.append(
      session.id,
      added.map((text) => said(text)),
    );
    session.texts = [...session.texts, ...added];
  }

  async function compress(session: PlainSession, kept: number): Promise<void> {
    const ids = await store.messages.viewIds(session.id);
    const cut = Math.max(0, ids.length - kept);
    const handoff = `h${handoffs++}`;
    const next = await store.sessions.continue({
      sessionId: session.id,
      size: ids.length,
      messages: [said(handoff), ...session.texts.slice(cut).map((text) => said(text))],
      origins: [-1, ...session.texts.slice(cut).map((_, i) => cut + i)],
      handoff: { at: 0, covers: ids.slice(0, cut), writtenBy: 'ledger' },
    });
    session.ended = true;
    const { conversation } = session;
    // A handoff with the very text of a message is that message, which is still shown.
    const covers = session.texts.slice(0, cut).filter((text) => text !== handoff);
    sessions.push({ id: next.id, conversation, texts: [handoff, ...session.texts.slice(cut)], ended: false, covers });
  }

  async function run(work: Work): Promise<void> {
    if (work.type === 'create') return create(work.from);
    const session = live(work.at);
    if (!session) return;
    if (work.type === 'append') return append(session, work.texts);
    if (work.type === 'compress') return compress(session, work.kept);
    await store.sessions.delete(session.id);
    sessions = sessions.filter(({ conversation }) => conversation !== session.conversation);
  }

  async function compare(): Promise<void> {
    for (const session of sessions) {
      assert.deepEqual(await shownTexts(store, await requireSession(store, session.id)), session.texts);
      const [first = ''] = await store.messages.viewIds(session.id);
      const covered = session.covers.length > 0 ? await store.messages.coveredBy(first) : [];
      const reached = await Promise.all(covered.map((id) => store.messages.get(id)));
      const found = reached.map((one) =>
        one?.message.parts[0]?.type === 'text' ? one.message.parts[0].text : undefined,
      );
      for (const text of session.covers) assert.ok(found.includes(text), `${text} is out of reach`);
    }
    assert.equal((await store.sessions.list({ limit: 100 })).length, new Set(sessions.map((s) => s.conversation)).size);
  }

  return { run, compare };
}

async function requireSession(store: Store, id: string): Promise<Session> {
  const session = await store.sessions.get(id);
  assert.ok(session, `session ${id} is gone`);
  return session;
}
