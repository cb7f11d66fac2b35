/** PostgreSQL's client and pg-boss: installed by whoever uses a queue, and loaded when one is named. What we use of them. */
import { PalimpsestError } from '@palimpsest/core';
import { type ImportPackage, importFrom, optionalClass } from '../../memory-providers/optional-package.ts';

/** A row as the client gives it. */
export type Row = Readonly<Record<string, unknown>>;

/** The pool of the package `pg`. */
export interface PgPool extends PgSql {
  readonly connect: () => Promise<PgClient>;
  readonly end: () => Promise<void>;
  readonly on: (event: 'error', listener: (error: Error) => void) => void;
}

export interface PgSql {
  readonly query: (text: string, values?: readonly unknown[]) => Promise<{ readonly rows: readonly Row[] }>;
}

export interface PgClient extends PgSql {
  readonly on: (event: 'error', listener: (error: Error) => void) => void;
  readonly off: (event: 'error', listener: (error: Error) => void) => void;
  /** With true the connection is given up. */
  readonly release: (isBroken?: boolean) => void;
}

/** Through what pg-boss reaches the database. */
export interface BossDatabase {
  readonly executeSql: (text: string, values?: readonly unknown[]) => Promise<{ readonly rows: readonly Row[] }>;
}

interface Within {
  /** A transaction to act in. */
  readonly db?: BossDatabase;
}

/** Settings of a queue that its jobs have, too. */
export interface BossQueueOptions {
  readonly expireInSeconds: number;
  readonly heartbeatSeconds: number;
  readonly retryLimit: number;
  readonly retryDelay: number;
  readonly retryBackoff: boolean;
  readonly retryDelayMax: number;
}

/** What we use of pg-boss 12.30. */
export interface PgBoss {
  readonly on: (event: 'error' | 'warning', listener: () => void) => void;
  readonly start: () => Promise<unknown>;
  readonly stop: (options: { readonly graceful: boolean; readonly close: boolean }) => Promise<void>;
  readonly createQueue: (name: string, options: BossQueueOptions) => Promise<void>;
  readonly updateQueue: (name: string, options: BossQueueOptions) => Promise<void>;
  readonly deleteQueue: (name: string) => Promise<void>;
  readonly getQueue: (name: string) => Promise<unknown>;
  readonly send: (
    name: string,
    data: object,
    options: Within & { readonly id: string; readonly priority: number },
  ) => Promise<string | null>;
  readonly fetch: (
    name: string,
    options: { readonly batchSize: number },
  ) => Promise<readonly { readonly id: string; readonly data: unknown }[]>;
  readonly touch: (name: string, ids: string[]) => Promise<unknown>;
  readonly complete: (name: string, id: string, ...rest: readonly [data: null, options?: Within]) => Promise<unknown>;
  readonly fail: (name: string, id: string, data: object) => Promise<unknown>;
  readonly deleteJob: (name: string, ids: string[], options?: Within) => Promise<unknown>;
  readonly findJobs: (name: string, options: Within & { readonly id: string }) => Promise<readonly BossJob[]>;
  readonly supervise: (name: string) => Promise<void>;
}

export interface BossJob {
  readonly state: string;
  readonly output: unknown;
}

type PoolClass = new (options: object) => PgPool;
export type BossClass = new (options: object) => PgBoss;

/** Both packages. Throws `BAD_OPTION` that says how to install them. */
export async function loadQueuePackages(
  importPackage: ImportPackage = importFrom([]),
): Promise<{ readonly Pool: PoolClass; readonly Boss: BossClass }> {
  try {
    // Both are declared so by their packages.
    const Pool = (await optionalClass(importPackage, 'pg', 'Pool')) as unknown as PoolClass;
    const Boss = (await optionalClass(importPackage, 'pg-boss', 'PgBoss')) as unknown as BossClass;
    return { Pool, Boss };
  } catch (cause) {
    const why = (cause instanceof Error ? cause.message : String(cause)).replace(/: npm install [^:]*$/, '');
    const message = `a queue needs two more packages: npm install pg@8 pg-boss@12.30.0 (${why})`;
    throw new PalimpsestError('BAD_OPTION', message, { cause });
  }
}
