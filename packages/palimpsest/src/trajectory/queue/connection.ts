/**
 * The database of a queue. Where its server is gone for a moment, every act waits and is tried again; where it stays away, the
 * error says which server it was, and never with what password.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { PalimpsestError } from '@palimpsest/core';
import type { BossDatabase, PgClient, PgPool, PgSql, Row } from './packages.ts';

/** Statements, alone or in a transaction. */
export interface Sql {
  readonly query: (text: string, values?: readonly unknown[]) => Promise<readonly Row[]>;
  /** The same for pg-boss. */
  readonly forBoss: BossDatabase;
}

interface DatabaseOptions {
  /** Without a password. */
  readonly shownUrl: string;
  /** How long a server may be gone. */
  readonly patienceMs: number;
}

export class Database implements Sql {
  readonly #pool: PgPool;
  readonly #options: DatabaseOptions;
  readonly #closing = new AbortController();
  readonly forBoss: BossDatabase;
  /** Whether it is worth waiting: a wrong address should be told of at once. */
  #isReached = false;

  constructor(pool: PgPool, options: DatabaseOptions) {
    this.#pool = pool;
    this.#options = options;
    this.forBoss = { executeSql: (text, values) => this.#patiently(() => pool.query(text, values)) };
    pool.on('error', ignore);
  }

  async query(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    return (await this.#patiently(() => this.#pool.query(text, values))).rows;
  }

  /** Everything or nothing. What it does has to be right when it is done again: a lost answer does not tell which it was. */
  transaction<T>(act: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#patiently(async () => {
      const client = await this.#pool.connect();
      client.on('error', ignore);
      let isBroken = true;
      try {
        await client.query('begin');
        const done = await act(sqlOf(client));
        await client.query('commit');
        isBroken = false;
        return done;
      } catch (error) {
        isBroken = isGone(error);
        if (!isBroken) await client.query('rollback');
        throw error;
      } finally {
        client.off('error', ignore);
        client.release(isBroken);
      }
    });
  }

  /** What the server says, as an error of ours. */
  failure(cause: unknown): PalimpsestError {
    if (PalimpsestError.isInstance(cause)) return cause;
    const { shownUrl } = this.#options;
    const message = isGone(cause)
      ? `the queue at ${shownUrl} cannot be reached (${reasonOf(cause)}): start it again or check the address; what is done is kept`
      : `the queue at ${shownUrl} refuses: ${reasonOf(cause)}`;
    return new PalimpsestError('QUEUE_UNREACHABLE', message, { evidence: { url: shownUrl } });
  }

  /** Ends all waiting, and the connections. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#pool.end();
  }

  async #patiently<T>(act: () => Promise<T>): Promise<T> {
    const until = performance.now() + this.#options.patienceMs;
    const { signal } = this.#closing;
    for (let waitMs = 100; ; waitMs = Math.min(2 * waitMs, 2_000)) {
      try {
        const done = await act();
        this.#isReached = true;
        return done;
      } catch (error) {
        const isLate = !this.#isReached || performance.now() + waitMs > until || signal.aborted;
        if (!isGone(error)) throw error;
        if (isLate) {
          // What is still to be tidied up does not wait as long again.
          this.#isReached = false;
          throw this.failure(error);
        }
        await delay(waitMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }
}

/** A connection that is cut between two acts is no error: the next act is told, or makes another. */
const ignore = (): void => undefined;

function sqlOf(client: PgClient): Sql {
  const query = (text: string, values: readonly unknown[] = []): ReturnType<PgSql['query']> =>
    client.query(text, values);
  return { query: async (text, values) => (await query(text, values)).rows, forBoss: { executeSql: query } };
}

/** Codes of the system for a connection that was not made or was cut. */
const goneCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  // Of the server: it is shut down, it crashed, it starts, and it has no connection left.
  '57P01',
  '57P02',
  '57P03',
  '53300',
]);

/** What the client says where there is no code. */
const goneTexts =
  /connection terminated|connection ended|not queryable|timeout exceeded when trying to connect|query read timeout|client was closed/i;

/** True where the server could not be reached, and may be reached again. */
function isGone(error: unknown): boolean {
  if (PalimpsestError.isInstance(error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isGone);
  if (!(error instanceof Error)) return false;
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' ? goneCodes.has(code) || code.startsWith('08') : goneTexts.test(error.message);
}

/** In the words of the server, which are in its language, but for those that name the user. */
function reasonOf(error: unknown): string {
  // A name with several addresses fails for each of them, and says nothing itself.
  const one: unknown = error instanceof AggregateError ? error.errors[0] : error;
  if (!(one instanceof Error)) return String(one);
  const code: unknown = Reflect.get(one, 'code');
  // Class 28: invalid authorization.
  if (typeof code === 'string' && /^28...$/.test(code))
    return `it does not let this user in (${code}): check the user, the password and pg_hba.conf`;
  return one.message.replace(/\b(user|role) "[^"]*"/gi, 'the $1');
}

/** `postgres://host:5432/name`: neither user nor password, and of the parameters only a socket. */
export function shownUrl(url: string): string {
  // The form for sockets has a user and no host, which no other URL may have.
  const parsed = URL.parse(url.replace('@/', '@socket/'));
  if (!parsed) return 'postgres://…';
  const host = parsed.searchParams.get('host') ?? (parsed.host === 'socket' ? '' : parsed.host);
  return `postgres://${host}${parsed.pathname}`;
}

/** Throws `BAD_OPTION` for what is no address of a PostgreSQL server; the text is not told, because a password may stand in it. */
export function requireQueueUrl(url: string): void {
  if (/^postgres(?:ql)?:\/\//.test(url)) return;
  const message = 'expected the queue as postgres://user@host:5432/database, got something else';
  throw new PalimpsestError('BAD_OPTION', message);
}
