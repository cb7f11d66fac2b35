/** What is kept of a conversation beside its messages, as a text. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { initialState, parseState, stateText } from '../../packages/core/src/conversation/state.ts';

test('L1 a plan that has no text takes nothing else of the state with it', () => {
  const state = { ...initialState, leftTokens: 777 };
  // As a planner without types hands it in.
  Reflect.set(state, 'plan', () => 1);
  assert.deepEqual(parseState(stateText(state)), { ...initialState, leftTokens: 777 });
});
