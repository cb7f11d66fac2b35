/** What a simulated cache is asked for grows with the calls, not with everything that it ever kept. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Message } from '@palimpsest/core';
import { cacheRulesFor, planBreakpoints } from '@palimpsest/core';
import { createPromptCache, Prompt, type PromptBasis } from '../../packages/palimpsest/src/simulate/prompt.ts';
import { calls, result, user } from '../support/conversations.ts';

const step = (at: number): readonly Message[] => [calls({ [`c${at}`]: 'read' }, { at }), result(`c${at}`, `row ${at}`)];

const basis = (keeps: 'breakpoints' | 'all'): PromptBasis => ({
  tokensOf: () => 600,
  toolTokens: 0,
  breakpointsOf: (messages) =>
    keeps === 'all' ? [] : planBreakpoints(messages, { layout: 'turns' }).map(({ message }) => message),
  numbers: new Map(),
});

/** How often a map was asked while a conversation of so many steps was sent, call by call. */
function questions(model: string, steps: number): { readonly asked: number; readonly read: number } {
  const rules = cacheRulesFor(model, '5m');
  assert.ok(rules);
  const cache = createPromptCache(rules);
  const prompt = new Prompt(basis(rules.keeps === 'breakpoints' ? 'breakpoints' : 'all'), [user('Look.')]);
  let asked = 0;
  let read = 0;
  const { get } = Map.prototype;
  for (let at = 0; at < steps; at++) {
    prompt.grow(step(at));
    Map.prototype.get = function counted(key: unknown): unknown {
      asked++;
      return get.call(this, key);
    };
    try {
      read += cache.send(prompt, { seconds: at * 10, ttlSeconds: rules.ttlSeconds }).readTokens;
    } finally {
      Map.prototype.get = get;
    }
  }
  return { asked, read };
}

for (const model of ['claude-sonnet-4-5', 'gpt-5.5']) {
  test(`C4: a call of a long conversation asks the cache no more than one of a short conversation: ${model}`, () => {
    const [short, long] = [questions(model, 100), questions(model, 800)];
    assert.ok(short.read > 0);
    assert.ok(long.asked <= 9 * short.asked, `${short.asked} questions for 100 calls, ${long.asked} for 800`);
  });
}

test('C4: what is read again and again lives on, and what nobody reads for too long does not', () => {
  const rules = cacheRulesFor('claude-sonnet-4-5', '5m');
  assert.ok(rules);
  const cache = createPromptCache(rules);
  const shared = basis('breakpoints');
  const whole = new Prompt(shared, [user('Look.')]);
  const send = (prompt: Prompt, seconds: number) => cache.send(prompt, { seconds, ttlSeconds: 300 }).readTokens;
  for (let at = 0; at < 5; at++) {
    whole.grow(step(at));
    send(whole, at * 250);
  }
  // The first of them was read by every later one, 250 seconds after another.
  const opening = new Prompt(shared, whole.messages.slice(0, 3));
  assert.equal(send(opening, 1_250), 1_800);
  // That renewed the opening alone: what stood behind it was read at 1,000 seconds.
  assert.equal(send(whole, 1_301), 1_800);
});
