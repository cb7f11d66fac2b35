/** Every misbehaviour of the catalogue, over real HTTP in every dialect: what is left of the conversation afterwards. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type BadReply,
  type FakeProvider,
  faithfulSummary,
  type MisbehaviourName,
  misbehaviourNames,
  misbehaviours,
  type Script,
  startFakeProvider,
} from '@palimpsest/core/testing';
import type { FailureKind } from '../../packages/core/src/compression/policy/state.ts';
import type { CompressionResult } from '../../packages/core/src/compression/result.ts';
import type { ClaimType } from '../../packages/core/src/compression/verify/claims.ts';
import { handTimers } from '../provider/hand-timers.ts';
import { dialects, summarizerAt } from './misbehaviour-models.ts';
import {
  assertKept,
  assertNothingLost,
  assertSubstitute,
  compressed,
  handoffOf,
  newRecord,
} from './misbehaviour-outcome.ts';
import { credential } from './misbehaviour-session.ts';

/** What has to come of a misbehaviour. */
type Ending =
  /** The model's summary, without what is false in it; `claim` is what the report must call wrong. */
  | { readonly type: 'model'; readonly ids: string; readonly claim?: ClaimType; readonly missing?: true }
  /** The ledger writes alone. */
  | { readonly type: 'ledger'; readonly ids: string; readonly kind: FailureKind }
  /** The conversation stays as it is. */
  | { readonly type: 'kept'; readonly ids: string; readonly kind: FailureKind };

const model = (ids: string, rest: { claim?: ClaimType; missing?: true } = {}): Ending => ({
  type: 'model',
  ids,
  ...rest,
});
const ledger = (ids: string, kind: FailureKind): Ending => ({ type: 'ledger', ids, kind });
const kept = (ids: string, kind: FailureKind): Ending => ({ type: 'kept', ids, kind });

const endings: Readonly<Record<MisbehaviourName, Ending>> = {
  inventsRequest: model('S9', { claim: 'request' }),
  flipsResult: model('S9', { claim: 'status' }),
  changesPath: model('S9', { claim: 'path' }),
  changesNumber: model('S9', { claim: 'number' }),
  changesVersion: model('S9', { claim: 'version' }),
  misquotesUser: model('S9', { claim: 'quote' }),
  obeysInjection: model('S3, S9', { claim: 'instruction' }),
  leaksKey: model('S3, S6'),
  dropsFile: model('S9'),
  dropsConstraint: model('S9', { missing: true }),
  answersQuestion: ledger('F1, S3', 'bad_output'),
  empty: ledger('F1, F2', 'empty_output'),
  reasoningOnly: ledger('F1, F2', 'empty_output'),
  cutMidSentence: ledger('F1, F2', 'bad_output'),
  refuses: ledger('F1, F2', 'bad_output'),
  refusesInText: ledger('F1, F2', 'bad_output'),
  timesOut: ledger('F1, F2', 'timeout'),
  status401: kept('F2', 'auth'),
  status402: kept('F2', 'quota'),
  status403: kept('F2', 'auth'),
  status429: ledger('F1, F2', 'rate_limit'),
  status500: ledger('F1, F2', 'server_error'),
  status529: ledger('F1, F2', 'server_error'),
  closesStream: ledger('F1, F2', 'bad_output'),
  malformedStream: ledger('F1, F2', 'bad_output'),
  wrongContentType: ledger('F1, F2', 'bad_output'),
  contextLengthExceeded: ledger('F1, S7', 'other'),
};

const words: Readonly<Record<Ending['type'], string>> = {
  model: 'what is false does not reach the handoff, what is true does',
  ledger: 'the ledger writes, and says so',
  kept: 'the conversation stays as it is',
};

/** What the model would have said, and what it said. */
interface Said {
  faithful: string;
  reply: BadReply;
}

/** The misbehaviour as a script that remembers what it did. */
function remembering(name: MisbehaviourName): { readonly script: Script; readonly said: Said } {
  const said: Said = { faithful: '', reply: {} };
  const script: Script = (request) => {
    said.faithful = faithfulSummary(request).text ?? '';
    said.reply = misbehaviours[name].reply(said.faithful, request, { secret: credential });
    return said.reply;
  };
  return { script, said };
}

/** The lines of a text that stand in none of the other: what a misbehaviour made false. */
const linesOnlyIn = (text = '', other: string): readonly string[] =>
  text.split('\n').filter((line) => line.trim() !== '' && !other.includes(line.trim()));

function assertTold(result: CompressionResult, { reply, faithful }: Said, ending: Ending & { type: 'model' }): void {
  assert.equal(result.failure, undefined);
  assert.equal(result.handoff?.writtenBy, 'model');
  const handoff = handoffOf(result);
  const lies = linesOnlyIn(reply.text, faithful);
  // Else nothing would have been tested.
  assert.notDeepEqual([...lies, ...(reply.lost ?? [])], []);
  for (const line of lies) assert.ok(!handoff.includes(line.trim()), line);
  const { verification } = result.summary ?? assert.fail('no report');
  if (ending.claim === undefined) assert.deepEqual(verification.wrong, []);
  else {
    const wrong = verification.wrong.filter(({ type }) => type === ending.claim);
    assert.notDeepEqual(wrong, []);
    const lines = new Set(wrong.map(({ line }) => line));
    assert.ok(verification.changes.some(({ line, why }) => lines.has(line) && why !== ''));
  }
  assert.deepEqual(
    verification.missing.map(({ type }) => type),
    ending.missing ? ['constraint'] : [],
  );
  assert.equal(verification.holds, ending.claim === undefined && !ending.missing);
}

/** What the model left out or changed is there all the same, in words of the record or the summary. */
function assertRestored(result: CompressionResult, { reply }: Said): void {
  const handoff = handoffOf(result).replaceAll('\\"', '"');
  for (const lost of reply.lost ?? []) {
    for (const [fact = ''] of lost.matchAll(/(?<=")[^"]+(?=")|^[^"]+$/g)) assert.ok(handoff.includes(fact), fact);
  }
}

for (const dialect of dialects) {
  describe(`a misbehaving model over ${dialect}`, () => {
    for (const name of misbehaviourNames) {
      const ending = endings[name];
      test(`${ending.ids}: ${name}: ${words[ending.type]}`, async () => {
        await using fake = await startFakeProvider();
        const { script, said } = remembering(name);
        fake.reply(script);
        const [record, timers] = [newRecord(), handTimers()];
        const running = compressed({
          record,
          summarizer: summarizerAt(fake, dialect, { timers, idleTimeoutMs: 1_000 }),
        });
        if (name === 'timesOut') await fake.received(1).then(() => timers.fire(1_000));
        const result = await running;

        assertNothingLost(result, record);
        assert.equal(fake.requests.length, 1);
        assert.ok(!JSON.stringify(fake.requests[0]?.body).includes(credential));
        await fake.requests[0]?.ended;
        if (ending.type === 'model') {
          assertTold(result, said, ending);
          assertRestored(result, said);
          return;
        }
        assert.equal(result.failure?.kind, ending.kind);
        assert.notEqual(result.failure?.message, '');
        if (ending.type === 'kept') assertKept(result);
        else assertSubstitute(result);
        for (const lie of said.reply.planted ?? []) assert.ok(!handoffOf(result).includes(lie), lie);
      });
    }

    test('S9: a faithful summary stands whole in the handoff, and nothing of it is called wrong', async () => {
      await using fake = await startFakeProvider();
      const record = newRecord();
      const result = await compressed({ record, summarizer: summarizerAt(fake, dialect) });
      assertNothingLost(result, record);
      const { verification, model: by, calls } = result.summary ?? assert.fail('no report');
      assert.deepEqual([verification.holds, verification.wrong, verification.changes], [true, [], []]);
      assert.deepEqual(linesOnlyIn(verification.text, `${handoffOf(result)}\nNone`), []);
      assert.deepEqual([by, calls.length], [summarizerAt(fake, dialect).name, 1]);
    });
  });
}

/** A port that nobody listens on: the server that had it is gone. */
async function nobody(): Promise<FakeProvider> {
  const gone = await startFakeProvider();
  await gone.close();
  return gone;
}

for (const dialect of dialects) {
  test(`F2: a provider that cannot be reached leaves the conversation as it is (${dialect})`, async () => {
    const record = newRecord();
    const result = await compressed({ record, summarizer: summarizerAt(await nobody(), dialect) });
    assertNothingLost(result, record);
    assertKept(result);
    assert.equal(result.failure?.kind, 'network');
  });
}

for (const name of ['status401', 'status402', 'status403'] as const) {
  test(`F2: ${name}: where the window holds the conversation no longer, the ledger writes`, async () => {
    await using fake = await startFakeProvider({ script: remembering(name).script });
    const record = newRecord();
    const summarizer = summarizerAt(fake, 'openai-chat');
    const result = await compressed({ record, summarizer, contextLength: 5_000 });
    assertNothingLost(result, record);
    assertSubstitute(result);
    assert.equal(result.failure?.kind, name === 'status402' ? 'quota' : 'auth');
  });
}

test('F2: where the window holds it no longer and nobody can be reached, the ledger writes', async () => {
  const record = newRecord();
  const summarizer = summarizerAt(await nobody(), 'anthropic');
  const result = await compressed({ record, summarizer, contextLength: 5_000 });
  assertNothingLost(result, record);
  assertSubstitute(result);
  assert.equal(result.failure?.kind, 'network');
});
