/** Whatever is done in whatever order, files and entries agree, and trust is never gained by the way. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Memory } from '../../../packages/core/src/memory/entries/create-memory.ts';
import { PalimpsestError } from '../../../packages/core/src/shared/errors.ts';
import { type MemoryBench, openBench, project, projectFile } from './bench.ts';

const places = [
  { name: 'MEMORY.md', about: { scope: 'everywhere' } },
  { name: 'USER.md', about: { target: 'user' } },
  { name: projectFile, about: {} },
] as const;

const subjects = ['The port of the service is', 'Ada likes to drink', '每周五中午部署到', 'Запуск идёт по'];
const text = fc.tuple(fc.nat(subjects.length - 1), fc.nat(9)).map(([at, number]) => `${subjects[at]} ${number}`);
const work = fc.oneof(
  fc.record({ type: fc.constant('add'), place: fc.nat(2), text, confirm: fc.boolean() }),
  fc.record({ type: fc.constant('replace'), place: fc.nat(2), at: fc.nat(9), text, confirm: fc.boolean() }),
  fc.record({ type: fc.constant('remove'), place: fc.nat(2), at: fc.nat(9), confirm: fc.boolean() }),
  fc.record({ type: fc.constant('edit'), place: fc.nat(2), at: fc.nat(9), text }),
  fc.record({ type: fc.constant('decide'), at: fc.nat(9), yes: fc.boolean() }),
  fc.record({ type: fc.constant('undo'), at: fc.nat(9) }),
  fc.record({ type: fc.constant('forget'), at: fc.nat(9) }),
);
type Work = typeof work extends fc.Arbitrary<infer T> ? T : never;

const entriesOf = (bench: MemoryBench, name: string): readonly string[] =>
  bench.read(name).split('\n§\n').filter(Boolean);

/** Texts that the person wrote into a file or said yes to. */
type Said = Set<string>;

async function run(bench: MemoryBench, said: Said, one: Work): Promise<void> {
  const { memory, store } = bench;
  const place = places['place' in one ? one.place : 0] ?? places[0];
  const shown = entriesOf(bench, place.name);
  const named = 'at' in one ? shown[one.at % Math.max(1, shown.length)] : undefined;
  const about = { actor: 'model', source: 'outside-tool', ...place.about } as const;
  switch (one.type) {
    case 'add':
    case 'replace':
    case 'remove': {
      const content = 'text' in one ? one.text : '';
      const entry = { text: named ?? 'none' };
      const operation =
        one.type === 'add' ? { action: one.type, content } : { action: one.type as 'replace', entry, content };
      await memory.apply([operation], { ...about, confirm: 'confirm' in one && one.confirm });
      return;
    }
    case 'edit': {
      const kept = shown.filter((other) => other !== named);
      const written = 'text' in one ? one.text : '';
      said.add(written);
      bench.save(place.name, [...new Set([...kept, written])].join('\n§\n'));
      return;
    }
    case 'decide': {
      const pending = await memory.pending();
      const entry = pending['at' in one ? one.at % Math.max(1, pending.length) : 0];
      if (entry && 'yes' in one && one.yes) {
        await memory.approve(entry.id);
        said.add(entry.text);
      } else if (entry) await memory.reject(entry.id);
      return;
    }
    case 'undo':
    case 'forget': {
      const acts = await store.memory.history();
      const entries = await store.memory.list();
      const at = 'at' in one ? one.at : 0;
      const [act, entry] = [acts[at], entries[at]];
      if (one.type === 'undo' && act) await memory.undo(act.id);
      if (one.type === 'forget' && entry) await memory.forget(entry.id);
    }
  }
}

/** What the caller did not know yet: it was changed meanwhile. */
async function unlessConflict(done: Promise<void>): Promise<void> {
  try {
    await done;
  } catch (error) {
    if (!PalimpsestError.isInstance(error) || !['STORE_CONFLICT', 'ID_UNKNOWN'].includes(error.code)) throw error;
  }
}

async function requireAgreement({ store }: MemoryBench, memory: Memory, said: Said): Promise<void> {
  await memory.reconcile();
  assert.equal(await memory.reconcile(), undefined);
  const live = await store.memory.list();
  const files = memory.files();
  const shown = [
    ...(await files.read('user')).entries.map((entry) => `user  ${entry.text}`),
    ...(await files.read('memory')).entries.map((entry) => `memory ${project} ${entry.text}`),
  ];
  const expected = live
    .filter(({ target, project: of }) => target === 'user' || of !== undefined)
    .map((entry) => `${entry.target} ${entry.project ?? ''} ${entry.text}`);
  assert.deepEqual(shown.toSorted(), [...new Set(expected)].toSorted());
  for (const entry of live) if (entry.source === 'person') assert.ok(said.has(entry.text), entry.text);
  const { findings } = await store.care.check();
  assert.deepEqual(
    findings.filter(({ ok }) => !ok),
    [],
  );
}

test('M2 any work in any order leaves files and entries that agree, and only the person speaks for the person', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(work, { minLength: 4, maxLength: 14 }), async (list) => {
      const bench = await openBench(t, { project, limits: { memory: 200, user: 200 } });
      const said: Said = new Set();
      for (const one of list) await unlessConflict(run(bench, said, one));
      await requireAgreement(bench, bench.memory, said);
      await bench.store.close();
    }),
    { numRuns: 20, seed: 20261123 },
  );
});
