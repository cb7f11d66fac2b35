import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decide } from '../../../packages/core/src/compression/policy/decide.ts';
import {
  initialPolicyState,
  madeProgress,
  parsePolicyState,
  savedShare,
} from '../../../packages/core/src/compression/policy/state.ts';
import { below, over, rules, Session, start, threshold } from './session.ts';

/** Two passes, each followed by a reading that shows no gain. */
const blocked = (): Session => new Session().usage(over).pass(0.4).usage(over).pass(0.4).usage(over);

describe('the gate', () => {
  test('T3: compresses from exactly the threshold on', () => {
    const session = new Session();
    assert.deepEqual(session.decide(threshold - 1), { action: 'wait', reason: 'below_threshold' });
    assert.deepEqual(session.decide(threshold), { action: 'compress', reason: 'threshold' });
  });

  test('T3: a reading that is not a number never compresses', () => {
    assert.equal(new Session().decide(Number.NaN).action, 'wait');
    assert.deepEqual(new Session().usage(Number.NaN).state, initialPolicyState);
  });
});

describe('strikes', () => {
  test('T5: two passes in a row that saved under 10 % block, say so and advise', () => {
    const decision = new Session().usage(over).pass(0.05).pass(0.02).decide();
    assert.equal(decision.action, 'block');
    assert.ok(decision.action === 'block' && decision.reason === 'ineffective');
    assert.match(decision.advice, /\/new/);
    assert.match(decision.advice, /\/compress <topic>/);
    assert.equal(decision.retryAfterMs, 300_000);
  });

  test('T5: exactly 10 % is enough', () => {
    const share = savedShare({ messages: 9, tokens: 1_000 }, { messages: 9, tokens: 900 });
    assert.equal(new Session().usage(over).pass(share).state.verdict?.saved, 'enough');
  });

  test('T5: the next real reading below the threshold clears a provisional strike', () => {
    const session = new Session().usage(over).pass(0.05).usage(below);
    assert.equal(session.state.strikes, 0);
    assert.equal(session.state.verdict, null);
  });

  test('T5: the next real reading that is still over confirms it', () => {
    assert.equal(
      new Session()
        .usage(over)
        .pass(0.05)
        .usage(over - 1_000).state.strikes,
      1,
    );
  });

  test('T5: a pass that claims much but leaves the prompt as it was is a strike', () => {
    const session = blocked();
    assert.equal(session.state.strikes, 2);
    assert.equal(session.action, 'block');
  });

  test('T5: a pass whose real saving is 10 % is none, even if the prompt is still over', () => {
    const session = new Session().usage(300_000).pass(0.05).usage(270_000);
    assert.equal(session.state.strikes, 0);
    assert.equal(session.action, 'compress');
  });

  test('T5: three passes that each leave the prompt over the threshold block, whatever they save', () => {
    const session = new Session().usage(800_000).pass(0.3);
    session
      .usage(560_000)
      .send({ type: 'turn' })
      .pass(0.3)
      .usage(390_000)
      .send({ type: 'turn' })
      .pass(0.3)
      .usage(270_000);
    const decision = session.send({ type: 'turn' }).decide();
    assert.ok(decision.action === 'block' && decision.reason === 'still_over');
  });

  test('T5: any real reading below the threshold frees a blocked session', () => {
    assert.equal(blocked().usage(below).action, 'compress');
  });

  test('T5: an estimate proves nothing once usage is reported', () => {
    const session = blocked();
    assert.deepEqual(session.estimate(below).state, blocked().state);
  });

  test('T3: without any usage the estimate confirms and clears', () => {
    assert.equal(new Session().pass(0.05).estimate(over).pass(0.05).action, 'block');
    assert.equal(new Session().pass(0.05).estimate(below).pass(0.05).action, 'compress');
  });

  test('T5: a share that was measured exactly needs no reading', () => {
    assert.equal(new Session().pass(0.05, { confirmed: true }).state.strikes, 1);
    assert.equal(new Session().pass(0.5, { confirmed: true }).state.verdict, null);
  });
});

describe('the probe', () => {
  test('T5: after 300 s a blocked session may try once, and only once', () => {
    const session = blocked();
    assert.equal(session.seconds(299).action, 'block');
    assert.deepEqual(session.seconds(1).decide(), { action: 'probe', reason: 'wait_over' });
    session.send({ type: 'started' });
    assert.ok(session.decide().action === 'wait');
    session.send({ type: 'finished', savedShare: 0.5 });
    assert.deepEqual(session.decide(), { action: 'wait', reason: 'awaiting_reading', retryAfterMs: 300_000 });
  });

  test('T5: a probe that helps frees the session, one that does not blocks it again', () => {
    assert.equal(blocked().seconds(300).pass(0.5).usage(below).action, 'compress');
    assert.equal(blocked().seconds(300).pass(0.5).usage(over).action, 'block');
    assert.equal(blocked().seconds(300).pass(0.01).action, 'block');
  });

  test('T5: a probe that fails is not repeated before another 300 s', () => {
    const session = blocked().seconds(300).failure('bad_output');
    assert.equal(session.seconds(299).action, 'block');
    assert.equal(session.seconds(1).action, 'probe');
    const nextTurn = blocked().send({ type: 'turn' }).seconds(300).failure('bad_output');
    assert.equal(nextTurn.seconds(299).action, 'wait');
    assert.equal(nextTurn.seconds(1).action, 'compress');
  });

  test('T5: a probe without a reading may be repeated after 300 s', () => {
    assert.equal(blocked().seconds(300).pass(0.5).seconds(300).action, 'probe');
  });

  test('T5: two handoffs written without a model, because it failed, block', () => {
    const once = new Session().usage(over).pass(0.6, { failure: 'bad_output' }).usage(below).seconds(30);
    assert.equal(once.action, 'compress');
    const decision = once.pass(0.6, { failure: 'bad_output' }).usage(below).seconds(30).decide();
    assert.ok(decision.action === 'block' && decision.reason === 'fallback');
    assert.equal(once.seconds(270).pass(0.6).usage(below).action, 'compress');
  });
});

describe('attempts', () => {
  test('T7: at most three passes a turn', () => {
    const session = new Session().usage(800_000).pass(0.2).pass(0.2);
    assert.equal(session.action, 'compress');
    const decision = session.pass(0.2).decide();
    assert.ok(decision.action === 'block' && decision.reason === 'attempts');
  });

  test('T7: a real reading below the threshold re-arms, one above does not, an estimate does not', () => {
    const spent = (): Session => new Session().usage(800_000).pass(0.2).pass(0.2).pass(0.2);
    assert.equal(spent().usage(below).action, 'compress');
    assert.equal(spent().usage(over).action, 'block');
    assert.equal(spent().estimate(below).action, 'block');
  });

  test('T7: a marathon turn with eight spikes compresses eight times', () => {
    const session = new Session();
    for (let spike = 0; spike < 8; spike++) {
      session.usage(over);
      assert.equal(session.action, 'compress');
      session.pass(0.6).usage(below);
    }
  });

  test('T7: a new turn brings new attempts once the last pass is judged', () => {
    const spent = new Session().usage(800_000).pass(0.2).pass(0.2).pass(0.2);
    assert.equal(spent.send({ type: 'turn' }).action, 'block');
    assert.equal(spent.usage(400_000).send({ type: 'turn' }).action, 'compress');
  });

  test('T7: a pass without progress ends the attempts of the turn', () => {
    assert.equal(new Session().usage(800_000).pass(0.2, { progress: false }).action, 'block');
  });

  test('T7: a provider that always refuses gets three passes, whatever the estimates say', () => {
    const session = new Session();
    let passes = 0;
    for (let call = 0; call < 50; call++) {
      session.send({ type: 'forced', by: 'overflow' });
      if (session.decide(below).action !== 'compress') break;
      session.pass(0.5).estimate(below);
      passes++;
    }
    assert.equal(passes, 3);
  });

  test('T7: progress means fewer messages or under 95 % of the tokens', () => {
    const before = { messages: 10, tokens: 1_000 };
    assert.equal(madeProgress(before, { messages: 9, tokens: 1_200 }), true);
    assert.equal(madeProgress(before, { messages: 10, tokens: 949 }), true);
    assert.equal(madeProgress(before, { messages: 10, tokens: 950 }), false);
    assert.equal(savedShare(before, { messages: 9, tokens: 750 }), 0.25);
    assert.equal(savedShare({ messages: 0, tokens: 0 }, before), 0);
  });
});

describe('failures', () => {
  const waits = [
    ['no_provider', 600],
    ['auth', 600],
    ['quota', 600],
    ['timeout', 60],
    ['rate_limit', 60],
    ['server_error', 60],
    ['network', 60],
    ['bad_output', 30],
    ['empty_output', 30],
    ['other', 60],
    ['nothing', 300],
  ] as const;
  for (const [kind, seconds] of waits) {
    test(`F2: waits ${seconds} s after ${kind}`, () => {
      const session = new Session().usage(over).failure(kind);
      const decision = session.decide();
      assert.ok(decision.action === 'wait' && decision.reason === 'cooling');
      assert.equal(decision.retryAfterMs, seconds * 1000);
      assert.match(decision.advice ?? '', /\/compress tries immediately/);
      assert.equal(session.seconds(seconds - 1).action, 'wait');
      assert.equal(session.seconds(1).action, 'compress');
    });
  }

  test('F2: overloads climb 60, 300, 900 s and stay there, until a pass succeeds', () => {
    const session = new Session().usage(over);
    for (const seconds of [60, 300, 900, 900]) {
      session.send({ type: 'turn' }).failure('timeout');
      const decision = session.decide();
      assert.equal('retryAfterMs' in decision && decision.retryAfterMs, seconds * 1000);
      session.seconds(seconds);
    }
    session.send({ type: 'turn' }).pass(0.5).usage(below).failure('rate_limit');
    const decision = session.decide();
    assert.equal('retryAfterMs' in decision && decision.retryAfterMs, 60_000);
  });

  test('F2: nothing to compress is not a strike', () => {
    assert.equal(new Session().usage(over).failure('nothing').state.strikes, 0);
  });

  test('F2: a manual compression ignores every wait and every block', () => {
    const waiting = [new Session().failure('no_provider'), new Session().failure('nothing'), blocked()];
    for (const session of waiting) {
      session.send({ type: 'forced', by: 'person' });
      assert.deepEqual(session.decide(below), { action: 'compress', reason: 'requested' });
      assert.equal(session.pass(0.5).action, 'compress');
    }
  });

  test('F2: a manual compression that finds nothing leaves the automatic one armed', () => {
    const session = new Session().send({ type: 'forced', by: 'person' }).failure('nothing');
    assert.equal(session.action, 'compress');
  });

  test('F2: an overflow compresses during a cool-down', () => {
    const session = new Session().failure('auth').send({ type: 'forced', by: 'overflow' });
    assert.deepEqual(session.decide(below), { action: 'compress', reason: 'overflow' });
  });

  test('F2: a prompt that the provider accepted after all needs no overflow pass', () => {
    const session = new Session().send({ type: 'forced', by: 'overflow' }).usage(below);
    assert.equal(session.decide(below).action, 'wait');
  });

  test('F2: switched off, only a person compresses', () => {
    const off = { ...rules, enabled: false };
    const reading = { now: start, promptTokens: over, thresholdTokens: threshold };
    assert.equal(decide(initialPolicyState, reading, off).action, 'wait');
    const overflow = new Session().send({ type: 'forced', by: 'overflow' }).state;
    assert.equal(decide(overflow, reading, off).action, 'block');
    const person = new Session().send({ type: 'forced', by: 'person' }).state;
    assert.equal(decide(person, reading, off).action, 'compress');
  });

  test('F3: a cancelled pass costs nothing', () => {
    const session = new Session().usage(over).failure('cancelled');
    assert.equal(session.state.attempts, 0);
    assert.equal(session.action, 'compress');
  });

  test('F3: a pass whose model answers call by call is not taken for dead', () => {
    const session = new Session().send({ type: 'started' }).seconds(500).send({ type: 'alive' }).seconds(500);
    const decision = session.decide();
    assert.ok(decision.action === 'wait' && decision.reason === 'running');
    assert.equal(session.seconds(101).action, 'compress');
  });

  test('F3: a sign of life without a pass starts none', () => {
    const blockedSession = blocked();
    assert.deepEqual(blockedSession.send({ type: 'alive' }).state, blocked().state);
  });

  test('F3: a pass that died with its process is forgotten after 600 s', () => {
    const session = new Session().usage(over).send({ type: 'started' });
    assert.equal(session.seconds(599).action, 'wait');
    assert.equal(session.seconds(1).action, 'compress');
  });

  test('E2: another model voids strikes and waits, but not the attempts of the turn', () => {
    assert.equal(blocked().send({ type: 'modelChanged' }).action, 'compress');
    assert.equal(new Session().failure('auth').send({ type: 'modelChanged' }).action, 'compress');
    const spent = new Session().usage(800_000).pass(0.2).pass(0.2).pass(0.2).send({ type: 'modelChanged' });
    assert.equal(spent.action, 'block');
    assert.deepEqual(spent.send({ type: 'reset' }).state, initialPolicyState);
  });
});

describe('a stored state', () => {
  test('T5: a restart does not disarm a block', () => {
    const session = blocked().seconds(100);
    const parsed = parsePolicyState(JSON.parse(JSON.stringify(session.state)));
    assert.deepEqual(parsed, { type: 'ok', state: session.state });
  });

  test('T5: a broken record says what is wrong with it', () => {
    const reason = (value: unknown): string => {
      const parsed = parsePolicyState(value);
      return parsed.type === 'broken' ? parsed.reason : 'ok';
    };
    assert.match(reason(null), /expected an object/);
    assert.match(
      reason({ ...initialPolicyState, strikes: -1 }),
      /strikes expected a whole number of at least 0, got -1/,
    );
    assert.match(reason({ ...initialPolicyState, phase: { type: 'asleep' } }), /phase expected an object whose type/);
    assert.match(reason({ ...initialPolicyState, strike: 0 }), /strike is not a known key; did you mean "strikes"/);
    const backwards = { type: 'blocked', reason: 'ineffective', since: 10, until: 5 };
    assert.match(reason({ ...initialPolicyState, phase: backwards }), /phase.until expected no less than since/);
    assert.match(reason({ phase: { type: 'armed' } }), /strikes is missing/);
  });

  test('T5: a clock that jumped back never makes a wait longer than it was made for', () => {
    const session = blocked().seconds(-86_400);
    const decision = session.decide();
    assert.equal(decision.action === 'block' && decision.retryAfterMs, 300_000);
    assert.equal(session.seconds(300).action, 'probe');
  });
});
