/** The store in one SQLite file. */
import { basename, resolve } from 'node:path';
import { storeOver as recordOver } from '../record/store.ts';
import type { Store } from '../store.ts';
import { createStoreCare } from './care.ts';
import { createConnection } from './connection.ts';
import { createSearchIndex } from './index/search-tables.ts';
import { createVectorStore } from './index/vectors.ts';
import { type DatabaseOptions, memoryPath, openDatabase } from './open-database.ts';
import type { OpenDatabase } from './transactions.ts';

/** Opens the file, brings it to the newest schema, and puts the record over it. */
export async function openSqliteStore(options: DatabaseOptions): Promise<Store> {
  // Whoever goes to another folder must not find another file at the same path.
  const path = options.path === memoryPath ? memoryPath : resolve(options.path);
  const absolute = { ...options, path };
  return storeOver(await openDatabase(absolute), absolute);
}

/** The record over an open database. */
export function storeOver(opened: OpenDatabase, options: DatabaseOptions): Store {
  const { path, clock, busyMilliseconds, readOnly, gathersWrites = false } = options;
  const database = createConnection(opened, { where: path, clock, busyMilliseconds, gathersWrites });
  return recordOver({
    database,
    index: createSearchIndex(database),
    vectors: createVectorStore(database),
    care: createStoreCare(database),
    close: (last) => database.close(readOnly ? undefined : last),
    ...(path === memoryPath ? {} : { name: basename(path) }),
  });
}
