/** The curator over a store; the leases are those of a real one. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { type FakeProvider, promptText, startFakeProvider } from '@palimpsest/core/testing';
import { type CuratorOptions, curatorLease, runCurator } from '../../../packages/core/src/memory/curator/run.ts';
import { aiSdkSummarizer } from '../../../packages/core/src/provider/ai-sdk-summarizer.ts';
import type { MemoryEntry, MemoryStore } from '../../../packages/core/src/store/memory-store.ts';
import { openStore } from '../../../packages/core/src/store/open-store.ts';
import { fakeMemoryStore } from '../../support/fake-memory-store.ts';
import { aboutPerson, dayAt, ofProject } from '../../support/memory-notes.ts';

const now = (): number => dayAt('03-20');

const monday = ofProject('Release day is Monday.', { id: 'e1', day: '03-01' });
const friday = ofProject('Release day is Friday.', { id: 'e2', day: '03-02' });
const freeze = ofProject('The freeze ends on 15 March 2026.', { id: 'e3', day: '03-03' });
const oslo = aboutPerson('Lives in Oslo.', { id: 'e4', day: '03-04' });

interface Setting {
  readonly memory: MemoryStore;
  readonly options: CuratorOptions;
  readonly live: () => Promise<readonly string[]>;
}

async function withMemory(entries: readonly MemoryEntry[], use: (setting: Setting) => Promise<void>): Promise<void> {
  await using store = await openStore({ path: ':memory:' });
  const memory = fakeMemoryStore(entries, now);
  const live = async (): Promise<readonly string[]> => (await memory.list()).map(({ text }) => text);
  await use({ memory, live, options: { store: memory, leases: store.leases, owner: 'me', clock: now } });
}

describe('curator: a run', () => {
  it('M5 does each act by itself, and each is taken back by itself, in any order', () =>
    withMemory([monday, friday, freeze, oslo], async ({ memory, options, live }) => {
      const { state, acts, skipped } = await runCurator(options);
      assert.equal(state, 'done');
      assert.deepEqual(skipped, []);
      assert.deepEqual(
        acts.map(({ what }) => what),
        ['retire', 'replace'],
      );
      assert.deepEqual(await live(), [friday.text, oslo.text]);
      for (const act of acts) await memory.undo(act.id, { actor: 'person', reason: 'no' });
      assert.deepEqual(await memory.list(), [monday, friday, freeze, oslo]);
    }));

  it('refuses an option that nobody knows', () =>
    withMemory([], async ({ options }) => {
      const given = { ...options, dryrun: true };
      await assert.rejects(runCurator(given), { code: 'BAD_OPTION', message: /dryRun/ });
    }));

  it('a second run finds nothing to do', () =>
    withMemory([monday, friday, freeze, oslo], async ({ options }) => {
      await runCurator(options);
      assert.deepEqual((await runCurator(options)).plan, []);
    }));

  it('only plans when dry', () =>
    withMemory([monday, friday], async ({ options, live }) => {
      const { plan, acts } = await runCurator({ ...options, dryRun: true });
      assert.equal(plan.length, 1);
      assert.deepEqual(acts, []);
      assert.equal((await live()).length, 2);
    }));

  it('leaves the field to the process that holds the lease, and gives its own back', () =>
    withMemory([monday, friday], async ({ options, live }) => {
      const lease = await options.leases.acquire(curatorLease, 'another', 60_000);
      assert.ok(lease);
      assert.equal((await runCurator(options)).state, 'busy');
      assert.equal((await live()).length, 2);
      await options.leases.release(lease);
      assert.equal((await runCurator(options)).state, 'done');
      assert.deepEqual(await options.leases.held(), []);
    }));

  it('stops between two acts when somebody comes to work', () =>
    withMemory([monday, friday, freeze], async ({ options, live }) => {
      let asked = 0;
      const report = await runCurator({ ...options, isIdle: () => ++asked < 3 });
      assert.equal(report.state, 'interrupted');
      assert.equal(report.acts.length, 1);
      assert.deepEqual(await live(), [monday.text, friday.text]);
    }));

  it('leaves out an act whose entry somebody changes meanwhile', () =>
    withMemory([monday, friday], async ({ memory, options, live }) => {
      const isIdle = async (): Promise<boolean> => {
        const entry = await memory.get('e1');
        if (entry?.usedAt === undefined)
          await memory.act({
            actor: 'person',
            what: 'replace',
            reason: 'by hand',
            changes: [{ type: 'set', id: 'e1', values: { usedAt: now() } }],
          });
        return true;
      };
      // The first question comes before the entries are read, so the change has to come at the second.
      let asked = 0;
      const report = await runCurator({ ...options, isIdle: () => (++asked < 2 ? true : isIdle()) });
      assert.equal(report.skipped.length, 1);
      assert.equal((await live()).length, 2);
    }));
});

describe('curator: evidence', () => {
  const {
    id: _,
    createdAt: _c,
    updatedAt: _u,
    status: _s,
    ...draft
  } = ofProject('The release day has moved from Monday to Friday.', {
    day: '03-10',
    messages: ['m9'],
  });

  it('becomes an entry in the place of what it corrects', () =>
    withMemory([monday], async ({ options, memory }) => {
      await runCurator({ ...options, evidence: [draft] });
      const [entry, ...more] = await memory.list();
      assert.equal(more.length, 0);
      assert.equal(entry?.text, draft.text);
      assert.deepEqual([entry?.replaces, entry?.messages], [['e1'], ['m9']]);
    }));

  it('renews the entry that says the same', () =>
    withMemory([ofProject('We publish every Friday at noon.', { id: 'e1' })], async ({ options, memory }) => {
      await runCurator({ ...options, evidence: [{ ...draft, text: 'Release day: Friday', source: 'person' }] });
      const [entry, ...more] = await memory.list();
      assert.equal(more.length, 0);
      assert.deepEqual([entry?.messages, entry?.replaces, entry?.statedAt], [['m-e1', 'm9'], [], dayAt('03-10')]);
    }));

  it('adds nothing by itself, and from outside it changes nothing', () =>
    withMemory([monday], async ({ options }) => {
      const alone = { ...draft, text: 'The office plant is called Bert.' };
      const outside = { ...draft, source: 'outside-tool' } as const;
      assert.deepEqual((await runCurator({ ...options, evidence: [alone, outside] })).plan, []);
    }));

  it('our own instructions are none', () =>
    withMemory([monday], async ({ options }) => {
      const own = { ...draft, text: `<handoff covers="m1">${draft.text}</handoff>` };
      assert.deepEqual((await runCurator({ ...options, evidence: [own] })).plan, []);
    }));
});

describe('curator: a model', () => {
  const pair = [
    ofProject('Invoices are mailed by the night job after the close.', { id: 'e1', day: '03-01' }),
    ofProject('Invoices are mailed by hand after the close, no night job.', { id: 'e2', day: '03-02' }),
  ];
  const modelAt = (fake: FakeProvider): CuratorOptions['model'] =>
    aiSdkSummarizer(
      createOpenAICompatible({ name: 'mill', baseURL: fake.baseUrl('openai-chat'), apiKey: 'k' }).chatModel('m'),
    );
  const verdict = (given: object): string => JSON.stringify({ verdicts: [{ pair: 1, ...given }] });
  const quotes = { e1: 'by the night job', e2: 'by hand' };

  async function ask(answer: string, entries: readonly MemoryEntry[] = pair): Promise<readonly string[]> {
    await using fake = await startFakeProvider();
    fake.reply({ text: answer });
    let texts: readonly string[] = [];
    await withMemory(entries, async ({ options, live }) => {
      const model = modelAt(fake);
      await runCurator(model ? { ...options, model } : options);
      texts = await live();
    });
    return texts;
  }

  it('without one, both stay', () =>
    withMemory(pair, async ({ options, live }) => {
      await runCurator(options);
      assert.equal((await live()).length, 2);
    }));

  it('is asked for the pairs in doubt, as data', async () => {
    await using fake = await startFakeProvider();
    fake.reply({ text: verdict({ verdict: 'both' }) });
    await withMemory(pair, async ({ options }) => {
      const model = modelAt(fake);
      await runCurator(model ? { ...options, model } : options);
    });
    const [request] = fake.requests;
    assert.ok(request);
    assert.match(
      promptText(request),
      /"id":"e1","said":"2026-03-01","from":"person","text":"Invoices are mailed by the night job/,
    );
  });

  it('decides where its answer shows the words of both', async () => {
    assert.deepEqual(await ask(verdict({ verdict: 'contradiction', keep: 'e2', quotes })), [pair[1]?.text]);
  });

  const refused: readonly (readonly [string, string])[] = [
    ['an id that is none of the pair', verdict({ verdict: 'contradiction', keep: 'e9', quotes })],
    ['a pair that was not asked', verdict({ pair: 7, verdict: 'contradiction', keep: 'e2', quotes })],
    [
      'words that stand in neither',
      verdict({ verdict: 'contradiction', keep: 'e2', quotes: { e1: 'x y z', e2: 'by hand' } }),
    ],
    ['no words', verdict({ verdict: 'contradiction', keep: 'e2' })],
    ['the older of two equals', verdict({ verdict: 'contradiction', keep: 'e1', quotes })],
    ['a verdict that is none', verdict({ verdict: 'delete', keep: 'e2', quotes })],
    ['no JSON', 'I think the second one is right.'],
  ];
  for (const [what, answer] of refused)
    it(`is not heard with ${what}`, async () => assert.equal((await ask(answer)).length, 2));

  it('cannot let an outside claim win', async () => {
    const [own, other] = pair;
    assert.ok(own && other);
    const entries = [own, { ...other, source: 'document' as const }];
    assert.equal((await ask(verdict({ verdict: 'contradiction', keep: 'e2', quotes }), entries)).length, 2);
  });

  it('that fails leaves the rules’ plan', async () => {
    await using fake = await startFakeProvider();
    fake.reply({ text: '' });
    await withMemory(
      [...pair, monday, friday].map((entry, i) => ({ ...entry, id: `x${i}` })),
      async ({ options, live }) => {
        const failing = { name: 'mill/broken', write: () => Promise.reject(new Error('no route')) };
        const report = await runCurator({ ...options, model: failing });
        assert.equal(report.modelError, 'no route');
        assert.equal((await live()).length, 3);
      },
    );
  });
});
