/** The failure in an HTTP answer whose status is none of success. */

import type { DialectName } from '../../transcript/wire/answer.ts';
import { readFailure } from '../../transcript/wire/read-failure.ts';
import { classifyFailure, type FailureSession, type ProviderFailure } from './classify.ts';

/** An answer of a provider that failed, as HTTP has it. */
export interface FailedAnswer {
  readonly dialect: DialectName;
  readonly status: number;
  /** `Headers`, or an object with the names in any case. */
  readonly headers: object;
  /** Decompressed. */
  readonly body: Uint8Array;
}

/** Classifies it by its status, its headers (`retry-after` and its kin) and its body. Never throws. */
export function failureOf({ dialect, status, headers, body }: FailedAnswer, session?: FailureSession): ProviderFailure {
  return classifyFailure({ status, headers, body: readFailure(dialect, body) }, session);
}
