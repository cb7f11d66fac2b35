/** What is thrown where a memory service refuses or fails. */
import { PalimpsestError } from '@palimpsest/core';

/** Its message is one line for a person; credentials are masked by whoever shows it. */
export class ServiceError extends Error {
  /** Of HTTP; undefined where no answer came. */
  readonly status: number | undefined;

  constructor(message: string, options: { readonly status?: number | undefined; readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ServiceError';
    this.status = options.status;
  }
}

/** What a status means for whoever has set the service up. */
export function statusText(status: number): string {
  if (status === 401 || status === 403) return `HTTP ${status}: its key is not accepted`;
  if (status === 404) return 'HTTP 404: it does not know what was asked for';
  if (status === 429) return 'HTTP 429: it is asked too often';
  return status >= 500 ? `HTTP ${status}: it has failed` : `HTTP ${status}`;
}

/** A failure of an official client as one of ours: their messages repeat what was sent. */
export function clientError(error: unknown): Error & { readonly status?: number | undefined } {
  if (error instanceof ServiceError || PalimpsestError.isInstance(error)) return error;
  const status = statusOf(error);
  if (status !== undefined && status > 0) return new ServiceError(statusText(status), { status, cause: error });
  const text = error instanceof Error ? error.message : String(error);
  const code = causeCode(error);
  return new ServiceError(code === undefined ? text : `no connection (${code})`, { cause: error });
}

function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  for (const key of ['status', 'statusCode']) {
    const value: unknown = Reflect.get(error, key);
    if (typeof value === 'number') return value;
  }
  return undefined;
}

/** Such as ECONNREFUSED, which hides in the causes of `fetch failed`. */
export function causeCode(error: unknown): string | undefined {
  let next: unknown = error;
  for (let depth = 0; depth < 5 && typeof next === 'object' && next !== null; depth++) {
    const code: unknown = Reflect.get(next, 'code');
    if (typeof code === 'string' && /^(?:E[A-Z]{3,20}|UND_ERR_[A-Z_]{2,30})$/.test(code)) return code;
    next = Reflect.get(next, 'cause');
  }
  return undefined;
}
