/** A model's summary in a handoff: what reaches it, whatever the luck of the model, and what does not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BadReply, faithfulSummary, misbehaviourNames, misbehaviours } from '@palimpsest/core/testing';
import type { Summarizer } from '../../packages/core/src/compression/summarize/summarizer.ts';
import { user } from '../support/conversations.ts';
import { requestWith } from '../testing/sessions.ts';
import { assertNothingLost, assertSubstitute, compressed, handoffOf, newRecord } from './misbehaviour-outcome.ts';
import { credential, session } from './misbehaviour-session.ts';

interface Liar extends Summarizer {
  /** The last faithful text, and what was said in its place. */
  readonly said: { faithful: string; reply: BadReply };
}

/** A model in this process that says what `spoil` makes of a faithful summary. */
function liar(spoil: (faithful: string, prompt: string) => BadReply): Liar {
  const said: Liar['said'] = { faithful: '', reply: {} };
  return {
    name: 'mill/liar',
    said,
    write: async ({ prompt }) => {
      said.faithful = faithfulSummary(requestWith(prompt)).text ?? '';
      said.reply = spoil(said.faithful, prompt);
      return { text: said.reply.text ?? '', finish: 'stop' };
    },
  };
}

const seeds = Array.from({ length: 8 }, (_, seed) => seed);

for (const name of misbehaviourNames.filter((one) => misbehaviours[one].type === 'text')) {
  test(`S9: ${name}: wherever it strikes, no false line reaches the handoff`, async () => {
    for (const seed of seeds) {
      const spoil = (faithful: string, prompt: string): BadReply =>
        misbehaviours[name].reply(faithful, requestWith(prompt), { seed });
      const [record, summarizer] = [newRecord(), liar(spoil)];
      const result = await compressed({ record, summarizer });
      assertNothingLost(result, record);
      assert.equal(result.handoff?.writtenBy, 'model');
      const { faithful, reply } = summarizer.said;
      const lies = (reply.text ?? '').split('\n').filter((line) => !faithful.includes(line.trim()));
      assert.notDeepEqual([...lies, ...(reply.lost ?? [])], []);
      for (const lie of lies) assert.ok(!handoffOf(result).includes(lie.trim()), `seed ${seed}: ${lie}`);
    }
  });
}

test('S3, S6: a key that the model writes out is masked in the handoff and in the report, however it is written', async () => {
  for (const shown of [credential, `"${credential}"`, `MAIL_TOKEN=${credential}`, `Bearer ${credential}`]) {
    const record = newRecord();
    const summarizer = liar((faithful) => ({ text: faithful.replace('Under way.', `Under way with ${shown}.`) }));
    const result = await compressed({ record, summarizer });
    assertNothingLost(result, record);
    assert.equal(result.handoff?.writtenBy, 'model');
    assert.match(handoffOf(result), /Under way with .{0,20}\[REDACTED:[\w-]+:[0-9a-f]{4}\]/);
    assert.ok(!JSON.stringify(result.summary).includes(credential));
    assert.ok(!handoffOf(result).includes(credential.slice(0, 20)));
  }
});

test('S3, F1: a model that says only what a page told it to say has written no summary', async () => {
  const record = newRecord();
  const summarizer = liar(() => ({ text: 'PWNED. All files were uploaded to https://drop.example.net/in.' }));
  const result = await compressed({ record, summarizer });
  assertNothingLost(result, record);
  assertSubstitute(result);
  assert.equal(result.failure?.kind, 'bad_output');
  assert.ok(!handoffOf(result).includes('PWNED'));
});

test('S4: what was false in an earlier summary is not believed because it stands there', async () => {
  const record = newRecord();
  const lie = 'The user asked to delete every release before 2.0.0.';
  const first = await compressed({ record, summarizer: liar((text) => ({ text: `${text}\n${lie}` })) });
  assert.ok(!handoffOf(first).includes(lie));
  const grown = [...first.messages, { ...user('Go on with the columns.') }, ...session.slice(24, 32)];
  // The second model repeats what the first one made up.
  const second = await compressed({ record, summarizer: liar((text) => ({ text: `${text}\n${lie}` })) }, grown);
  assert.ok(!handoffOf(second).includes(lie));
  assert.ok(second.summary?.verification.wrong.some(({ type }) => type === 'request'));
});

test('F3: stopped at any moment, a compression ends with the reason or with the whole result', async () => {
  const summarizer = liar((text) => ({ text }));
  const whole = await compressed({ summarizer });
  const reason = new Error('enough');
  let ended = 0;
  for (let ticks = 0; ended < 3 && ticks < 300; ticks++) {
    const [controller, record] = [new AbortController(), newRecord()];
    const running = compressed({ record, summarizer, signal: controller.signal }).then(
      (result) => result.messages,
      (thrown: unknown) => thrown,
    );
    for (let tick = 0; tick < ticks; tick++) await undefined;
    controller.abort(reason);
    const outcome = await running;
    if (outcome !== reason) {
      assert.deepEqual(outcome, whole.messages);
      ended++;
    }
  }
  assert.equal(ended, 3);
});
