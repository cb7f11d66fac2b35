import assert from 'node:assert/strict';
import { test } from 'node:test';
import { estimateTextTokens, fromOpenAiChat, validate } from '@palimpsest/core';
import { inventedSession } from '../../bench/invented-session.ts';

test('the same seed gives the same session, and a longer one begins with the shorter', () => {
  assert.deepEqual(inventedSession(120, 1), inventedSession(200, 1).slice(0, 120));
  assert.notDeepEqual(inventedSession(120, 1), inventedSession(120, 2));
});

test('an invented session is valid and has about 250 tokens a message', () => {
  const session = inventedSession(1000, 3);
  assert.deepEqual(validate(fromOpenAiChat(session)), []);
  const tokens = estimateTextTokens(JSON.stringify(session)) / session.length;
  assert.ok(tokens > 200 && tokens < 350, `${tokens} tokens a message`);
});
