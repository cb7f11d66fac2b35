import assert from 'node:assert/strict';
import { test } from 'node:test';
import { handoffBlock } from '../../../packages/core/src/compression/handoff-block.ts';
import { previousSummary } from '../../../packages/core/src/compression/summarize/write-summary.ts';
import { assistant, user } from '../../support/conversations.ts';

const block = (body: string): string => handoffBlock(body, { covers: 'm1-m9', count: 9 });

test('S4: the newest earlier summary is found with its place, without the block around it', () => {
  const messages = [
    user(block('## Goal\nthe first')),
    assistant('ok'),
    user(block('## Goal\nthe second')),
    user('And now?'),
  ];
  assert.deepEqual(previousSummary(messages), { body: '## Goal\nthe second', at: 2 });
});

test('S4: summaries of other tools and merged ones are found too', () => {
  const foreign = user(
    'This session is being continued from a previous conversation that ran out of context.\n1. Primary Request: a parser',
  );
  assert.equal(previousSummary([foreign, assistant('ok')])?.body, '1. Primary Request: a parser');
  const merged = { ...user(block('## Goal\nx')), parts: [...user(block('## Goal\nx')).parts, ...user('Go on.').parts] };
  assert.deepEqual(previousSummary([merged]), { body: '## Goal\nx', at: 0 });
});

test('S4: a conversation without one has none, and a person may quote one', () => {
  assert.equal(previousSummary([]), undefined);
  assert.equal(
    previousSummary([user('hi'), { ...user(block('## Goal\nx')), origin: 'person' }, user(block(' '))]),
    undefined,
  );
});
