/** The engine with a model that fails: when it tries again, what a person may do meanwhile, and what a restart knows. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { estimatingTokenizer, type Message } from '@palimpsest/core';
import type { Compressor, CompressorOptions } from '@palimpsest/core/engine';
import { faithfulSummary, misbehaving, startFakeProvider } from '@palimpsest/core/testing';
import { compressorWith } from '../../packages/core/src/compression/engine.ts';
import { isHandoff } from '../../packages/core/src/compression/handoff-block.ts';
import {
  type FailureKind,
  type PolicyState,
  parsePolicyState,
} from '../../packages/core/src/compression/policy/state.ts';
import { type Summarizer, SummarizerError } from '../../packages/core/src/compression/summarize/summarizer.ts';
import { defined } from '../../packages/core/src/shared/defined.ts';
import { assistant, calls, deepFreeze, message, result, user } from '../support/conversations.ts';
import { requestWith } from '../testing/sessions.ts';
import { summarizerAt } from './misbehaviour-models.ts';

const over = 7_000;

/** A list over the threshold of an 8K window, which is 6,800. */
const turns = (count: number, from = 0): readonly Message[] =>
  Array.from({ length: count }, (_, i) => from + i).flatMap((n) => [
    user(`Please look at case ${n}.`),
    calls({ [`c${n}`]: 'read' }, { path: `src/case-${n}.ts` }),
    result(`c${n}`, Array.from({ length: 20 }, (_, row) => `const row${row} = ${n} * ${row};`).join('\n')),
    assistant(`Case ${n} multiplies.`),
  ]);
const session = deepFreeze([message('system', 'You are careful.'), ...turns(40)]);

/** A model that fails with a kind, or writes where there is none left. */
function failing(...kinds: readonly FailureKind[]): Summarizer & { readonly asked: () => number } {
  let asked = 0;
  return {
    name: 'mill/one',
    asked: () => asked,
    write: async ({ prompt }) => {
      const kind = kinds[asked++];
      if (kind !== undefined) throw new SummarizerError(kind, `mill/one fails: ${kind}`, { model: 'mill/one' });
      return { text: faithfulSummary(requestWith(prompt)).text ?? '', finish: 'stop' };
    },
  };
}

interface Clock {
  now: number;
}

function engineWith(clock: Clock, options: CompressorOptions, policy?: PolicyState): Compressor<Message> {
  const tokenizer = estimatingTokenizer('claude');
  const parts = { now: () => clock.now, ...defined({ policy }) };
  return compressorWith({ tokenizer, contextLength: 8_000, ...options }, parts);
}

/** Milliseconds until the engine would try by itself. */
function waitOf(engine: Compressor<Message>, clock: Clock): number {
  assert.equal(engine.shouldCompress(over), false);
  const { phase } = engine.policyState();
  assert.ok(phase.type === 'cooling' || phase.type === 'blocked', phase.type);
  assert.match(engine.heldBack(over) ?? '', /compression/);
  const until = phase.until;
  const { now } = clock;
  clock.now = until - 1;
  assert.equal(engine.shouldCompress(over), false);
  clock.now = until;
  assert.equal(engine.shouldCompress(over), true);
  return until - now;
}

/** The same engine after a restart: nothing but the stored state is left. */
function restarted(engine: Compressor<Message>, clock: Clock, options: CompressorOptions): Compressor<Message> {
  const stored: unknown = JSON.parse(JSON.stringify(engine.policyState()));
  const parsed = parsePolicyState(stored);
  const policy: PolicyState = parsed.type === 'ok' ? parsed.state : assert.fail('a state that cannot be read back');
  return engineWith(clock, options, policy);
}

describe('the engine and a model that fails', () => {
  test('F2: a network that fails four times is waited for 60, 300, 900 and 900 seconds, also over restarts', async () => {
    const clock = { now: 1_000 };
    const options = { summarizer: failing('network', 'network', 'network', 'network'), contextLength: 8_000 };
    // The window holds the conversation: a pass keeps it.
    const list = session.slice(0, 60);
    let engine = engineWith(clock, options);
    for (const seconds of [60, 300, 900, 900]) {
      engine = restarted(engine, clock, options);
      assert.equal(engine.shouldCompress(over), true);
      assert.equal(await engine.compress(list, { currentTokens: over }), list);
      assert.equal(engine.lastResult()?.failure?.kind, 'network');
      engine = restarted(engine, clock, options);
      assert.equal(waitOf(engine, clock), seconds * 1_000);
    }
    // It works again: the ladder begins anew.
    assert.notEqual(await engine.compress(list, { currentTokens: over }), list);
    assert.equal(engine.lastResult()?.handoff?.writtenBy, 'model');
    assert.equal(engine.policyState().overloads, 0);
  });

  const waits: readonly (readonly [FailureKind, number])[] = [
    ['timeout', 60],
    ['rate_limit', 60],
    ['server_error', 60],
    ['no_provider', 600],
    ['bad_output', 30],
    ['empty_output', 30],
    ['other', 60],
  ];
  for (const [kind, seconds] of waits) {
    test(`F1, F2: after ${kind} the ledger has written, and the next pass waits ${seconds} s`, async () => {
      const clock = { now: 1_000 };
      const options = { summarizer: failing(kind) };
      const engine = engineWith(clock, options);
      const list = await engine.compress(session, { currentTokens: over });
      assert.equal(list.filter(isHandoff).length, 1);
      assert.match(JSON.stringify(list.find(isHandoff)), /because the summary model failed/);
      assert.equal(engine.lastResult()?.failure?.kind, kind);
      assert.equal(waitOf(restarted(engine, clock, options), clock), seconds * 1_000);
    });
  }

  for (const kind of ['auth', 'quota'] as const) {
    test(`F2: after ${kind} the conversation is what it was, and the next pass waits 600 s`, async () => {
      const clock = { now: 1_000 };
      const options = { summarizer: failing(kind) };
      const engine = engineWith(clock, options);
      const list = session.slice(0, 60);
      assert.equal(await engine.compress(list, { currentTokens: over }), list);
      assert.equal(engine.compressionCount, 0);
      assert.equal(waitOf(restarted(engine, clock, options), clock), 600_000);
    });
  }

  test('F2: a ladder of rate limits goes on behind the block that two handoffs without a model bring', async () => {
    const clock = { now: 1_000 };
    const options = { summarizer: failing('rate_limit', 'rate_limit', 'rate_limit') };
    let engine = engineWith(clock, options);
    let list: readonly Message[] = session;
    for (const [pass, [seconds, phase]] of (
      [
        [60, 'cooling'],
        [300, 'blocked'],
        [900, 'blocked'],
      ] as const
    ).entries()) {
      list = [...(await engine.compress(list, { currentTokens: over })), ...turns(25, 100 + 100 * pass)];
      assert.equal(engine.policyState().phase.type, phase);
      assert.equal(waitOf(engine, clock), seconds * 1_000);
      engine = restarted(engine, clock, options);
    }
  });

  test('F2, T5: two handoffs in a row without a model stop automatic passes, and say what to do', async () => {
    const clock = { now: 1_000 };
    const summarizer = failing('bad_output', 'empty_output');
    const engine = engineWith(clock, { summarizer });
    let list: readonly Message[] = session;
    for (const from of [100, 200]) {
      list = [...(await engine.compress(list, { currentTokens: over })), ...turns(25, from)];
      clock.now += 30_000;
    }
    const { phase, fallbacks } = engine.policyState();
    assert.deepEqual([phase.type === 'blocked' && phase.reason, fallbacks], ['fallback', 2]);
    assert.equal(engine.shouldCompress(over), false);
    assert.match(engine.heldBack(over) ?? '', /summary model failed several times.*auxiliary\.compression/);
    // One that the model writes, as a person asks for it, takes the block away.
    await engine.compress(list, { currentTokens: over });
    assert.equal(engine.lastResult()?.handoff?.writtenBy, 'model');
    assert.equal(engine.policyState().fallbacks, 0);
    assert.equal(summarizer.asked(), 3);
  });

  test('F2: a pass that a person asks for runs while the engine waits', async () => {
    const clock = { now: 1_000 };
    const summarizer = failing('timeout');
    const engine = engineWith(clock, { summarizer });
    const first = await engine.compress(session, { currentTokens: over });
    assert.equal(engine.shouldCompress(over), false);
    const grown = [...first, ...turns(25, 100)];
    const second = await engine.compress(grown);
    assert.equal(summarizer.asked(), 2);
    assert.equal(engine.lastResult()?.handoff?.writtenBy, 'model');
    assert.equal(second.filter(isHandoff).length, 1);
    assert.equal(engine.policyState().overloads, 0);
  });

  test('F3: a pass that a person stops counts as no failure', async () => {
    const clock = { now: 1_000 };
    const controller = new AbortController();
    const summarizer: Summarizer = {
      name: 'mill/slow',
      write: () => {
        controller.abort();
        return new Promise(() => {});
      },
    };
    const engine = engineWith(clock, { summarizer });
    const before = engine.policyState();
    await assert.rejects(engine.compress(session, { signal: controller.signal }), { name: 'AbortError' });
    assert.deepEqual(engine.policyState(), before);
    assert.equal(engine.shouldCompress(over), true);
  });

  test('F2: over HTTP: limited, then the fallback, then well again, with nothing lost in between', async () => {
    await using fake = await startFakeProvider();
    fake.reply(
      misbehaving('status429'),
      misbehaving('closesStream'),
      misbehaving('status529'),
      misbehaving('flipsResult'),
    );
    const clock = { now: 1_000 };
    const engine = engineWith(clock, {
      summarizer: { ...summarizerAt(fake, 'openai-chat'), fallback: summarizerAt(fake, 'anthropic') },
    });
    const said: Message[] = [...session];
    const writers: unknown[] = [];
    let list: readonly Message[] = session;
    for (const from of [100, 200, 300]) {
      const more = turns(25, from);
      list = [...(await engine.compress(list, { currentTokens: over })), ...more];
      said.push(...more);
      writers.push(engine.lastResult()?.handoff?.writtenBy);
      engine.updateFromResponse({ promptTokens: 3_000 });
      clock.now += 900_000;
    }
    assert.deepEqual(writers, ['ledger', 'model', 'model']);
    assert.equal(fake.requests.length, 5);
    assert.deepEqual(engine.policyState().phase.type, 'armed');
    await engine.compress(list);
    for (const [at, one] of said.entries()) assert.equal(engine.expand(`m${at + 1}`), one);
  });
});
