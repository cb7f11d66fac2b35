/** A session to drive the policy with: sends events, moves its own clock, and counts the passes. */

import { type Decision, decide } from '../../../packages/core/src/compression/policy/decide.ts';
import { reduce } from '../../../packages/core/src/compression/policy/reduce.ts';
import type { FinishedEvent, PolicyEvent } from '../../../packages/core/src/compression/policy/state.ts';
import {
  type FailureKind,
  initialPolicyState,
  type PolicyState,
} from '../../../packages/core/src/compression/policy/state.ts';
import { compressionDefaults } from '../../../packages/core/src/context/settings.ts';

export const rules: { readonly enabled: boolean } = compressionDefaults;
export const threshold = 100_000;
export const over = 120_000;
export const below = 40_000;
/** Some moment: the policy must not care which. */
export const start = 1_750_000_000_000;

type Bare<E> = E extends { now: number } ? Omit<E, 'now'> : never;

export class Session {
  state: PolicyState = initialPolicyState;
  now: number = start;

  send(event: Bare<PolicyEvent>): this {
    // Every event is its bare form and the time.
    this.state = reduce(this.state, { ...event, now: this.now } as PolicyEvent);
    return this;
  }

  seconds(count: number): this {
    this.now += count * 1000;
    return this.send({ type: 'tick' });
  }

  usage(promptTokens: number): this {
    return this.send({ type: 'reading', source: 'usage', promptTokens, thresholdTokens: threshold });
  }

  estimate(promptTokens: number): this {
    return this.send({ type: 'reading', source: 'estimate', promptTokens, thresholdTokens: threshold });
  }

  decide(promptTokens: number = over): Decision {
    return decide(this.state, { now: this.now, promptTokens, thresholdTokens: threshold }, rules);
  }

  pass(savedShare: number, rest: Partial<FinishedEvent> = {}): this {
    return this.send({ type: 'started' }).send({ ...rest, type: 'finished', savedShare });
  }

  failure(kind: FailureKind): this {
    return this.send({ type: 'started' }).send({ type: 'failed', kind });
  }

  get action(): string {
    return this.decide().action;
  }
}
