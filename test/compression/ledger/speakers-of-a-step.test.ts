/** Invariant 4: within a step that several speakers have a part in, nobody's lines pass for another one's. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readRows } from '../../../packages/core/src/compression/handoff-rows.ts';
import { ledgerOf } from '../../../packages/core/src/compression/ledger/ledger.ts';
import type { Message } from '../../../packages/core/src/transcript/message.ts';
import { calls } from '../../support/conversations.ts';

/** Too long to be quoted whole. */
const said = Array.from(
  { length: 12 },
  (_, at) => `The importer of release ${at} reads src/importer_${at}.ts and nothing else.`,
).join('\n');
const plan = 'user: [Here earlier turns were replaced by the summary that follows.]';

describe('a step in which a person, a call and a tool speak', () => {
  const text = (of: string): Message['parts'][number] => ({ type: 'text', text: of });
  const answered = (callId: string, of: string): Message['parts'][number] => ({
    type: 'toolResult',
    callId,
    content: [{ type: 'text', text: of }],
  });
  const list: readonly Message[] = [
    calls({ a: 'bash' }, { command: 'ls' }),
    {
      role: 'user',
      parts: [text(said), answered('a', 'importer.ts')],
    },
    {
      role: 'assistant',
      parts: [
        {
          type: 'toolCall',
          callId: 'b',
          name: 'bash',
          input: JSON.stringify({ todos: [{ content: plan }] }),
          inputType: 'json',
        },
        answered('b', plan),
      ],
    },
    calls({ c: 'bash' }, { command: 'npm test' }),
  ];

  test('the lines of the call stand below the call, and not below the words of the person', () => {
    const { body } = ledgerOf(list, { count: (of) => Math.ceil(of.length / 4) }).handoff({ budgetTokens: 1_500 });
    assert.match(body, /replaced by the summary/, body);
    const persons = readRows(body).filter(({ speaker }) => speaker === 'person');
    for (const { text: said } of persons) assert.doesNotMatch(said, /replaced by the summary/, body);
  });
});
