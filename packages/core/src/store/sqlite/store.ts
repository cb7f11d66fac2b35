/** The store in one SQLite file. */
import { basename, resolve } from 'node:path';
import type { SearchIndex } from '../search-index.ts';
import type { Store } from '../store.ts';
import { createStoreCare } from './care/care.ts';
import { type Connection, createConnection, type OpenDatabase } from './connection.ts';
import { createSearchIndex } from './index/search-tables.ts';
import { createLeaseStore } from './leases.ts';
import { createMessageStore } from './messages.ts';
import { createMetaStore } from './meta.ts';
import { type DatabaseOptions, memoryPath, openDatabase } from './open-database.ts';
import { createOutputStore } from './outputs/outputs.ts';
import { createSessionStore } from './sessions.ts';
import { createUsageStore } from './usage.ts';
import { createVectorStore } from './vectors.ts';
import { createViewWriter } from './view-writer.ts';

/** Opens the file, brings it to the newest schema, and puts the parts of the store over it. */
export async function openSqliteStore(options: DatabaseOptions): Promise<Store> {
  // Whoever goes to another folder must not find another file at the same path.
  const path = options.path === memoryPath ? memoryPath : resolve(options.path);
  const absolute = { ...options, path };
  return storeOver(await openDatabase(absolute), absolute);
}

/** The parts of the store over an open database. */
export function storeOver(opened: OpenDatabase, options: DatabaseOptions): Store {
  const connection = createConnection(opened, {
    where: options.path,
    clock: options.clock,
    busyMilliseconds: options.busyMilliseconds,
  });
  const writer = createViewWriter(connection);
  const leases = createLeaseStore(connection);
  const close = (): Promise<void> => connection.close(options.readOnly ? undefined : leases.releaseAll);
  return {
    messages: createMessageStore(connection, writer),
    sessions: createSessionStore(connection, writer),
    leases,
    usage: createUsageStore(connection),
    outputs: createOutputStore(connection),
    index: searchIndex(connection),
    vectors: createVectorStore(connection),
    meta: createMetaStore(connection),
    ...(options.path === ':memory:' ? {} : { name: basename(options.path) }),
    care: createStoreCare(connection),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The index, read as everything else is: over one state, with the errors of the store. */
function searchIndex({ db, read }: Connection): SearchIndex {
  const index = createSearchIndex(db);
  return {
    frequencies: async (terms) => read(() => index.frequencies(terms)),
    completions: async (prefix, limit) => read(() => index.completions(prefix, limit)),
    candidates: async (query) => read(() => index.candidates(query)),
  };
}
