/** A name that was said once or a few times is found at least as often as by plain full-text search. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compareNames } from '../../../bench/search/rare-names.ts';
import { search } from '../../../packages/core/src/recall/search/search.ts';
import { openStore } from '../../../packages/core/src/store/open-store.ts';
import type { Message } from '../../../packages/core/src/transcript/message.ts';
import { atLeastAsOften } from './at-least-as-often.ts';

const said = (text: string, role: Message['role'] = 'user'): Message => ({ role, parts: [{ type: 'text', text }] });

/** Names whose stem is a common word, and what is said with it. */
const names = {
  Wells: 'the oven works well',
  Banks: 'the bank of the river is steep',
  Waters: 'water the plants and the water tank',
  Hastings: 'with haste and hasting on',
  Rivers: 'a river and its flow',
  Manning: 'man the desk and manned posts',
  Fielding: 'the field is green and fielded',
  Browning: 'brown bread browned in the oven',
} as const;

/** Names of several pieces, whose pieces are common words. */
const pieces = ['oven_timer_drift', 'src/oven/door-lock.ts', 'readOvenDoor', 'E4711', 'oven-door', 'bank.river.v2'];

/** Hundreds of messages in which every piece and every stem is common, and each name is said once. */
function talk(): readonly Message[] {
  const common = Object.values(names);
  const noise = Array.from({ length: 900 }, (_, i) =>
    said(
      `${common[i % common.length]} (${i}): read the oven door timer, lock the river door`,
      i % 2 ? 'assistant' : 'user',
    ),
  );
  const rare = [
    ...Object.keys(names).map((name) =>
      said(`Ask ${name} about the recipe, and then write down whatever comes of it.`),
    ),
    ...pieces.map((name, i) => said(`The cause is ${name}, as we saw on day ${i}.`, 'assistant')),
  ];
  // Before, among and behind the others.
  return [...rare.slice(0, 5), ...noise.slice(0, 450), ...rare.slice(5, 9), ...noise.slice(450), ...rare.slice(9)];
}

describe('Q3 a rare name', () => {
  test('is first where it was said once, however common its stem is', async () => {
    await using store = await openStore({ path: ':memory:' });
    const { id } = await store.sessions.create({ source: 'library' });
    const messages = talk();
    const { ids } = await store.messages.append(id, messages);
    for (const name of [...Object.keys(names), ...pieces]) {
      const at = messages.findIndex(({ parts: [part] }) => part?.type === 'text' && part.text.includes(name));
      for (const query of [name, name.toLowerCase(), `recipe cause ${name}`]) {
        const { hits } = await search(store, query, { limit: 10 });
        assert.equal(hits[0]?.messageId, ids[at], query);
      }
    }
  });

  for (const kind of ['name', 'capital'] as const) {
    test(`(${kind}) is found as often as by plain search in texts made for it, alone and beside a common word`, async () => {
      atLeastAsOften(await compareNames([talk()], { most: 100, kind }));
    });
  }

  test('is among the first ten in a long message, among hundreds of short ones with another form of the word', async () => {
    const filler = 'The oven is hot and the dough is cold. '.repeat(400);
    for (const [form, other] of [
      ['Balanced', 'balance, balance'],
      ['Transfers', 'transfer'],
      ['Paint', 'painting and painted'],
      ['Sanitize', 'sanitize_input and sanitizeOutput'],
    ] as const) {
      await using store = await openStore({ path: ':memory:' });
      const { id } = await store.sessions.create({ source: 'library' });
      const others = Array.from({ length: 700 }, (_, i) => said(`Number ${i}: ${other}`, i % 2 ? 'assistant' : 'user'));
      const long = said(`${filler} Option three: ${form}, as ever. ${filler}`, 'assistant');
      const { ids } = await store.messages.append(id, [...others.slice(0, 300), long, ...others.slice(300)]);
      for (const query of [form, form.toLowerCase()]) {
        const { hits } = await search(store, query, { limit: 10 });
        assert.ok(
          hits.some(({ messageId }) => messageId === ids[300]),
          query,
        );
      }
    }
  });
});
