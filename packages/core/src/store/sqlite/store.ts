/** The store in one SQLite file. */
import { basename, resolve } from 'node:path';
import { PalimpsestError } from '../../shared/errors.ts';
import type { MessageId } from '../ids.ts';
import type { SearchIndex } from '../search-index.ts';
import type { Store } from '../store.ts';
import type {
  MessageVectors,
  MissingVectors,
  SimilarMessage,
  VectorModel,
  VectorQuery,
  VectorStore,
} from '../vector-store.ts';
import { bestProduct, packedSize, packVectors } from '../vectors/packed.ts';
import { createStoreCare } from './care/care.ts';
import { type Connection, createConnection, type OpenDatabase } from './connection.ts';
import { filterSql } from './index/filter.ts';
import { createSearchIndex } from './index/search-tables.ts';
import { createLeaseStore } from './leases.ts';
import { createMessageStore } from './messages.ts';
import { createMetaStore } from './meta.ts';
import { count } from './numbers.ts';
import { type DatabaseOptions, memoryPath, openDatabase } from './open-database.ts';
import { createOutputStore } from './outputs/outputs.ts';
import { bytes, integer, type Row, text } from './rows.ts';
import { createSessionStore } from './sessions.ts';
import { createUsageStore } from './usage.ts';
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

// Vectors of messages in SQLite.

/** How many of the newest vectors a search looks through: the work of a search does not grow with the store. */
const mostCompared = 20_000;

const selectModels = `
select name, dimensions, count(v.seq) as messages, coalesce(sum(length(v.body)), 0) as bytes
from vector_models m left join vectors v on v.model = m.seq
group by m.seq order by name`;
const selectModel = 'select seq, dimensions from vector_models where name = ?';
const insertModel = 'insert into vector_models (name, dimensions) values (?, ?) returning seq, dimensions';
const deleteVectors = 'delete from vectors where model = ?';
const deleteModel = 'delete from vector_models where seq = ?';
const selectMissing = `
select m.seq, m.id from messages m
where m.seq > :after and not exists (select 1 from vectors v where v.model = :model and v.message = m.seq)
order by m.seq limit :limit`;
const insertVectors = `
insert into vectors (model, message, body) select ?, seq, ? from messages where id = ?
on conflict (model, message) do update set body = excluded.body`;
/** In this order: otherwise SQLite looks at all vectors of the model first. */
const selectBodies = `
select m.id, v.body from json_each(:ids) wanted
cross join messages m on m.id = wanted.value cross join vectors v on v.model = :model and v.message = m.seq`;

/** Conditions may name the tables `entries` and `sessions`. */
const selectNewest = (where: string): string => `
select v.message, v.body from vectors v
where v.model = ? and length(v.body) > 0 ${where === '' ? '' : `and exists (${shown} where entries.message = v.message ${where})`}
order by v.message desc limit ${mostCompared}`;
const shown = 'select 1 from entries join sessions on sessions.seq = entries.session';
const selectPlaces = (where: string): string => `
select entries.message, min(entries.session), entries.position, entries.time, sessions.id as session_id, messages.id,
  search_documents.length as length
from json_each(?) as wanted
cross join entries on entries.message = wanted.value
join sessions on sessions.seq = entries.session
join messages on messages.seq = entries.message
join search_documents on search_documents.seq = entries.message
where true ${where}
group by entries.message`;

function createVectorStore(connection: Connection): VectorStore {
  const { sql, read, write } = connection;
  const modelRow = (name: string): Row | undefined => sql(selectModel).get(name);

  return {
    models: () => read(() => sql(selectModels).all().map(modelOf)),
    missing: (model, { after = 0, limit }) =>
      read(() => {
        const row = modelRow(model);
        const values = { after, model: row ? integer(row, 'seq') : 0, limit: count(limit, 'limit') };
        return missingOf(sql(selectMissing).all(values));
      }),
    put: (model, rows) => write(() => put(connection, model, rows)),
    similar: ({ filter = {}, limit, ...query }) => read(() => similar(connection, query, { filter, limit })),
    similarities: (query, ids) => read(() => similarities(connection, query, ids)),
    drop: (model) =>
      write(() => {
        const row = modelRow(model);
        if (!row) return 0;
        const { changes } = sql(deleteVectors).run(integer(row, 'seq'));
        sql(deleteModel).run(integer(row, 'seq'));
        return Number(changes);
      }),
  };
}

function modelOf(row: Row): VectorModel {
  const [dimensions, size] = [integer(row, 'dimensions'), integer(row, 'bytes')];
  const vectors = Math.round(size / packedSize(dimensions));
  return { name: text(row, 'name'), dimensions, messages: integer(row, 'messages'), vectors, bytes: size };
}

function missingOf(rows: readonly Row[]): MissingVectors {
  const last = rows.at(-1);
  return { ids: rows.map((row) => text(row, 'id')), ...(last ? { next: integer(last, 'seq') } : {}) };
}

function put({ sql }: Connection, name: string, rows: readonly MessageVectors[]): void {
  const all = rows.flatMap(({ vectors }) => vectors);
  const known = sql(selectModel).get(name);
  const size = all[0]?.length;
  // A model is known by its first vector: until then, what takes no part is asked for again.
  if (!known && size === undefined) return;
  const model: Row = known ?? sql(insertModel).get(name, size ?? 0) ?? {};
  const dimensions = integer(model, 'dimensions');
  const wrong = all.find(({ length }) => length !== dimensions);
  if (wrong) throw otherSize(name, dimensions, wrong.length);
  for (const { messageId, vectors } of rows) {
    sql(insertVectors).run(integer(model, 'seq'), packVectors(vectors), messageId);
  }
}

function otherSize(model: string, expected: number, got: number): PalimpsestError {
  const message = `Expected vectors of ${expected} numbers from ${model}, like those in the store, but got ${got}. Give the other model another name, or delete its vectors first.`;
  return new PalimpsestError('BAD_OPTION', message, { evidence: { model, expected, got } });
}

/** The model's number, where its vectors have the size of the one they are compared with. */
function comparable({ sql }: Connection, { model, vector }: VectorQuery): number | undefined {
  const row = sql(selectModel).get(model);
  if (!row) return undefined;
  const dimensions = integer(row, 'dimensions');
  if (dimensions !== vector.length) throw otherSize(model, dimensions, vector.length);
  return integer(row, 'seq');
}

interface Narrowed {
  readonly filter: NonNullable<Parameters<VectorStore['similar']>[0]['filter']>;
  readonly limit: number;
}

function similar(connection: Connection, query: VectorQuery, { filter, limit }: Narrowed): readonly SimilarMessage[] {
  const { sql } = connection;
  const model = comparable(connection, query);
  if (model === undefined) return [];
  const where = filterSql(filter);
  const products: { readonly seq: number; readonly product: number }[] = [];
  for (const row of sql(selectNewest(where.sql)).iterate(model, ...where.values)) {
    const product = bestProduct(bytes(row, 'body'), query.vector);
    if (product !== undefined) products.push({ seq: integer(row, 'message'), product });
  }
  const best = products.sort((a, b) => b.product - a.product || b.seq - a.seq).slice(0, count(limit, 'limit'));
  const seqs = JSON.stringify(best.map(({ seq }) => seq));
  const places = new Map(
    sql(selectPlaces(where.sql))
      .all(seqs, ...where.values)
      .map((row) => [integer(row, 'message'), row]),
  );
  return best.flatMap(({ seq, product }) => {
    const row = places.get(seq);
    return row ? [placed(row, product)] : [];
  });
}

const placed = (row: Row, similarity: number): SimilarMessage => ({
  id: text(row, 'id'),
  sessionId: text(row, 'session_id'),
  position: integer(row, 'position'),
  time: integer(row, 'time'),
  length: integer(row, 'length'),
  similarity,
});

function similarities(
  connection: Connection,
  query: VectorQuery,
  ids: readonly MessageId[],
): ReadonlyMap<MessageId, number> {
  const found = new Map<MessageId, number>();
  const model = comparable(connection, query);
  if (model === undefined) return found;
  for (const row of connection.sql(selectBodies).iterate({ ids: JSON.stringify(ids), model })) {
    const product = bestProduct(bytes(row, 'body'), query.vector);
    if (product !== undefined) found.set(text(row, 'id'), product);
  }
  return found;
}
