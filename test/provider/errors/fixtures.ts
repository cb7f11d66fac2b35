/** The failures of providers under `test/provider/fixtures/errors/`, and the errors that SDKs make of them. */
import { readdirSync, readFileSync } from 'node:fs';
import { APICallError } from '@ai-sdk/provider';
import type { FailureSession } from '../../../packages/core/src/provider/errors/classify.ts';
import type { FailureLimits } from '../../../packages/core/src/provider/errors/limits.ts';
import type { FailureReason } from '../../../packages/core/src/provider/errors/reasons.data.ts';

/** One failure as a provider sends it, and what it means. */
export interface FailureFixture {
  readonly name: string;
  /** Where this body was reported or is documented; absent where it was constructed. */
  readonly source?: string;
  /** In place of a source: the words are known, and no report of them was at hand. */
  readonly fromMemory?: true;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly session?: FailureSession;
  readonly reason: FailureReason;
  /** The sizes that the body names. @default none */
  readonly limits?: FailureLimits;
  readonly retryAfterSeconds?: number;
}

export interface ProviderFixtures {
  readonly provider: string;
  readonly cases: readonly FailureFixture[];
}

const folder = new URL('../fixtures/errors/', import.meta.url);

/** One file a provider. */
export const providerFixtures: readonly ProviderFixtures[] = readdirSync(folder)
  .toSorted()
  // The files are ours, of this form.
  .map((file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as ProviderFixtures);

/** A case by its provider and the start of its name. */
export function failureFixture(provider: string, name: string): FailureFixture {
  const found = providerFixtures
    .find((one) => one.provider === provider)
    ?.cases.find((one) => one.name.startsWith(name));
  if (!found) throw new Error(`There is no fixture "${name}" of ${provider}.`);
  return found;
}

/** The body as it goes over the wire. */
export const bodyText = ({ body }: Pick<FailureFixture, 'body'>): string =>
  typeof body === 'string' ? body : JSON.stringify(body);

/** The error as the packages of the AI SDK throw it, with the prompt in it that must not be read. */
export function apiCallError(fixture: Pick<FailureFixture, 'status' | 'body' | 'headers'>): APICallError {
  return new APICallError({
    message: 'Bad Request',
    url: 'https://api.example/v1/chat/completions',
    requestBodyValues: { messages: [{ role: 'user', content: 'prompt is too long: insufficient_quota' }] },
    statusCode: fixture.status,
    responseHeaders: { ...fixture.headers },
    responseBody: bodyText(fixture),
    ...(typeof fixture.body === 'string' ? {} : { data: fixture.body }),
  });
}
