/** The options of the fake provider. */
import type { KnownOptions } from '../shared/options/known-options.ts';
import type { Script } from './reply.ts';

/** Waits so many milliseconds; settles early, without an error, when the signal is aborted. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

/** How a fake provider behaves between its scripts. */
export interface FakeProviderOptions {
  /** The only key that is let in. Without one every request is, with a key or not. */
  readonly apiKey?: string;
  /** The models that exist; a request for any other is answered with 404. @default every model exists */
  readonly models?: readonly string[];
  /** Estimated tokens of a prompt above which requests are rejected as the provider rejects them. @default no limit */
  readonly contextLength?: number;
  /**
   * Also reject what chat templates reject that insist on alternating roles (Mistral, Qwen).
   * @default false
   */
  readonly strictRoles?: boolean;
  /** What answers when no script is queued. @default `faithfulSummary` */
  readonly script?: Script;
  /** Milliseconds since 1970, for `created` and the reset times of limits. @default a fixed date */
  readonly now?: () => number;
  /** @default a real timer */
  readonly wait?: Wait;
}

export const knownProviderOptions: KnownOptions<FakeProviderOptions> = {
  apiKey: true,
  models: true,
  contextLength: true,
  strictRoles: true,
  script: true,
  now: true,
  wait: true,
};

/** A date for bodies that must not depend on the day of the test: 2026-01-01. */
export const fixedNow = (): number => Date.UTC(2026, 0, 1);
