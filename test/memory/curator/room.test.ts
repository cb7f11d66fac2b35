/** Capacity, and what goes with a source. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { planCuration } from '../../../packages/core/src/memory/curator/plan.ts';
import { retireSource } from '../../../packages/core/src/memory/curator/retire-source.ts';
import { charsOf } from '../../../packages/core/src/memory/files/entries.ts';
import { type MemoryEntry, memoryKinds, memorySources } from '../../../packages/core/src/store/memory-store.ts';
import { dayAt, note, ofProject } from '../../support/memory-notes.ts';

const now = dayAt('04-01');
const goneOf = (entries: readonly MemoryEntry[], limit: number): ReadonlySet<string> =>
  new Set(
    planCuration(entries, { now, limits: { memory: limit, user: limit } }).flatMap(({ changes }) =>
      changes.flatMap((change) => (change.type === 'set' && change.values.status === 'retired' ? [change.id] : [])),
    ),
  );

describe('curator: capacity', () => {
  const text = (word: string): string => `${word} `.repeat(10).trim();

  it('state goes before facts, procedures and preferences; identity never', () => {
    const kinds = ['identity', 'preference', 'procedure', 'fact', 'state'] as const;
    const entries = kinds.map((kind) => note(text(kind), { id: kind, kind, day: '03-20' }));
    const order: string[] = [];
    for (let limit = 500; limit >= 0; limit -= 10)
      for (const id of goneOf(entries, limit)) if (!order.includes(id)) order.push(id);
    assert.deepEqual(order, ['state', 'fact', 'procedure', 'preference']);
  });

  it('of one kind goes what was never used, then what is less trusted, then the older', () => {
    const entries = [
      note(text('used'), { id: 'used', usedAt: dayAt('03-30') }),
      note(text('paper'), { id: 'document', source: 'document', day: '03-09' }),
      note(text('fresh'), { id: 'new', day: '03-08' }),
      note(text('stale'), { id: 'old', day: '03-02' }),
    ];
    const order: string[] = [];
    for (let limit = 500; limit >= 0; limit -= 10)
      for (const id of goneOf(entries, limit)) if (!order.includes(id)) order.push(id);
    assert.deepEqual(order, ['document', 'old', 'new', 'used']);
  });

  it('each project has a room of its own', () => {
    const entries = [ofProject(text('a')), ofProject(text('b'), { project: 'harbour' })];
    assert.equal(goneOf(entries, 20).size, 0);
  });

  it('law: no limit is exceeded but by what is never given up, and no entry is touched twice', () => {
    const entry = fc.record({
      word: fc.stringMatching(/^[a-z]{3,9}$/),
      kind: fc.constantFrom(...memoryKinds),
      source: fc.constantFrom(...memorySources),
      project: fc.constantFrom(undefined, 'orchard', 'harbour'),
      length: fc.integer({ min: 1, max: 12 }),
    });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 25 }), fc.integer({ min: 20, max: 400 }), (drafts, limit) => {
        const entries = drafts.map(({ word, kind, source, project, length }, i) =>
          note(`${word} `.repeat(length) + i, {
            id: `e${i}`,
            kind,
            source,
            day: '03-20',
            ...(project ? { project } : {}),
          }),
        );
        const acts = planCuration(entries, { now, limits: { memory: limit, user: limit } });
        const touched = acts.flatMap(({ changes }) =>
          changes.flatMap((change) => (change.type === 'set' ? [change.id] : [])),
        );
        assert.equal(new Set(touched).size, touched.length);
        const gone = goneOf(entries, limit);
        const left = entries.filter(({ id }) => !gone.has(id));
        for (const group of Map.groupBy(left, ({ project }) => project).values())
          assert.ok(charsOf(group.map((one) => one.text)) <= limit || group.every(({ kind }) => kind === 'identity'));
      }),
    );
  });
});

describe('curator: a source that is removed', () => {
  const acts = (entries: readonly MemoryEntry[], source: Parameters<typeof retireSource>[1]): unknown =>
    retireSource(entries, source).map(({ what, changes }) => [what, changes]);

  it('takes what it alone supports', () => {
    assert.deepEqual(acts([note('a', { id: 'e1', messages: ['m1', 'm2'] })], { messages: ['m1', 'm2'] }), [
      ['retire', [{ type: 'set', id: 'e1', values: { status: 'retired' } }]],
    ]);
  });

  it('leaves what another message supports, resting on that', () => {
    assert.deepEqual(acts([note('a', { id: 'e1', messages: ['m1', 'm2'] })], { messages: ['m1'] }), [
      ['replace', [{ type: 'set', id: 'e1', values: { messages: ['m2'] } }]],
    ]);
  });

  it('takes entries without messages by their session', () => {
    const entries = [
      note('a', { id: 'e1', messages: [], sessionId: 's1' }),
      note('b', { id: 'e2', messages: [], sessionId: 's2' }),
    ];
    assert.deepEqual(acts(entries, { messages: [], sessionId: 's1' }), [
      ['retire', [{ type: 'set', id: 'e1', values: { status: 'retired' } }]],
    ]);
  });

  it('leaves what the person confirmed, and what is no longer live', () => {
    const entries = [
      note('a', { messages: ['m1'], confirmedAt: dayAt('03-02') }),
      note('b', { messages: ['m1'], status: 'retired' }),
    ];
    assert.deepEqual(acts(entries, { messages: ['m1'] }), []);
  });
});
