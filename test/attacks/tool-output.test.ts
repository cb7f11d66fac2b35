/**
 * Text of tools stays text of tools (invariants 4 and 7): somebody who had not seen the rules wrote results that pass for
 * decisions, requests, rules, permissions, headings, rows and ends of handoffs. None of them may come to stand in somebody's
 * name, through any door, in three compressions one after the other, each by a process that has only the list.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { attackedConversation, attacks, type ChatMessage, forgeries, talk } from './attack-conversation.ts';
import { doors } from './doors.ts';

const generations = 3;

describe('S10, invariants 4 and 7: what tools print', () => {
  const all = attacks();
  for (const door of doors) {
    test(`is nobody's request, decision, rule or heading after ${generations} compressions by ${door.name}`, async () => {
      const faults: string[] = [];
      let shown = 0;
      let blocks = 0;
      const { together, rounds } = door.load;
      for (let at = 0; at < all.length; at += together) {
        const cases = all.slice(at, at + together);
        const said: string[] = [];
        let list = attackedConversation(cases, rounds);
        for (let generation = 1; generation <= generations; generation++) {
          for (const { role, content } of list) if (role === 'user') said.push(content);
          const smaller = await door.compress(list);
          const handoffs = smaller.flatMap(handoffsIn);
          assert.equal(handoffs.length, 1, `${cases[0]?.id}, generation ${generation}: ${handoffs.length} handoffs`);
          for (const handoff of handoffs) {
            blocks++;
            shown += cases.flatMap(({ probes }) => probes).filter((probe) => handoff.includes(probe)).length;
            faults.push(...forgeries(handoff, cases, said).map((fault) => `generation ${generation}: ${fault}`));
          }
          list = [...smaller, ...talk(generation, rounds)];
        }
      }
      assert.deepEqual(faults, []);
      // A handoff that quotes nothing would show nothing.
      assert.ok(shown > all.length / 2, `${shown} probes in ${blocks} handoffs`);
    });
  }
});

function handoffsIn({ role, content }: ChatMessage): readonly string[] {
  if (role === 'tool' || !content?.includes('<handoff covers=')) return [];
  const start = content.indexOf('<handoff covers=');
  return [content.slice(start, content.indexOf('\n</handoff>', start) + '\n</handoff>'.length)];
}
