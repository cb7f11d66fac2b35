/** Vectors of messages in SQLite. */
import { PalimpsestError } from '../../../shared/errors.ts';
import type { MessageId } from '../../ids.ts';
import { bytes, count, type Database, integer, type Row, type Sql, text } from '../../record/database.ts';
import type {
  MessageVectors,
  MissingVectors,
  SearchFilter,
  SimilarMessage,
  VectorModel,
  VectorQuery,
  VectorStore,
} from '../../search-index.ts';
import { filterSql, firstPlaces } from './filter.ts';

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
const selectPlaced = `
select m.id, s.id as session_id, e.time
from entries e join messages m on m.seq = e.message join sessions s on s.seq = e.session
where e.session = ? and e.position = ?`;

export function createVectorStore({ read, write }: Database): VectorStore {
  return {
    models: () => read(async (sql) => (await sql.all(selectModels)).map(modelOf)),
    missing: (model, { after = 0, limit }) =>
      read(async (sql) => {
        const row = await sql.get(selectModel, [model]);
        const values = { after, model: row ? integer(row, 'seq') : 0, limit: count(limit, 'limit') };
        return missingOf(await sql.all(selectMissing, values));
      }),
    put: (model, rows) => write((sql) => put(sql, model, rows)),
    similar: (query) => read((sql) => similar(sql, query)),
    similarities: (query, ids) => read((sql) => similarities(sql, query, ids)),
    drop: (model) =>
      write(async (sql) => {
        const row = await sql.get(selectModel, [model]);
        if (!row) return 0;
        const dropped = await sql.run(deleteVectors, [integer(row, 'seq')]);
        await sql.run(deleteModel, [integer(row, 'seq')]);
        return dropped;
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

async function put(sql: Sql, name: string, rows: readonly MessageVectors[]): Promise<void> {
  const all = rows.flatMap(({ vectors }) => vectors);
  const known = await sql.get(selectModel, [name]);
  const size = all[0]?.length;
  // A model is known by its first vector: until then, what takes no part is asked for again.
  if (!known && size === undefined) return;
  const model = known ?? (await sql.get(insertModel, [name, size ?? 0])) ?? {};
  const dimensions = integer(model, 'dimensions');
  const wrong = all.find(({ length }) => length !== dimensions);
  if (wrong) throw otherSize(name, dimensions, wrong.length);
  for (const { messageId, vectors } of rows)
    await sql.run(insertVectors, [integer(model, 'seq'), packVectors(vectors), messageId]);
}

function otherSize(model: string, expected: number, got: number): PalimpsestError {
  const message = `Expected vectors of ${expected} numbers from ${model}, like those in the store, but got ${got}. Give the other model another name, or delete its vectors first.`;
  return new PalimpsestError('BAD_OPTION', message, { evidence: { model, expected, got } });
}

/** The model's number, where its vectors have the size of the one they are compared with. */
async function comparable(sql: Sql, { model, vector }: VectorQuery): Promise<number | undefined> {
  const row = await sql.get(selectModel, [model]);
  if (!row) return undefined;
  const dimensions = integer(row, 'dimensions');
  if (dimensions !== vector.length) throw otherSize(model, dimensions, vector.length);
  return integer(row, 'seq');
}

async function similar(
  sql: Sql,
  { filter = {}, limit, ...query }: VectorQuery & { readonly filter?: SearchFilter; readonly limit: number },
): Promise<readonly SimilarMessage[]> {
  const model = await comparable(sql, query);
  if (model === undefined) return [];
  const where = filterSql(filter);
  const rows = await sql.all(selectNewest(where.sql), [model, ...where.values]);
  const best = rows
    .flatMap((row) => {
      const product = bestProduct(bytes(row, 'body'), query.vector);
      return product === undefined ? [] : [{ seq: integer(row, 'message'), product }];
    })
    .sort((a, b) => b.product - a.product || b.seq - a.seq)
    .slice(0, count(limit, 'limit'));
  const places = await firstPlaces(
    sql,
    best.map(({ seq }) => seq),
    filter,
  );
  const found: SimilarMessage[] = [];
  for (const { seq, product } of best) {
    const place = places.get(seq);
    if (place) found.push(await placed(sql, place, product));
  }
  return found;
}

async function placed(sql: Sql, place: Row, similarity: number): Promise<SimilarMessage> {
  const position = integer(place, 'position');
  const row = (await sql.get(selectPlaced, [integer(place, 'session'), position])) ?? {};
  return {
    id: text(row, 'id'),
    sessionId: text(row, 'session_id'),
    position,
    time: integer(row, 'time'),
    length: integer(place, 'length'),
    similarity,
  };
}

async function similarities(
  sql: Sql,
  query: VectorQuery,
  ids: readonly MessageId[],
): Promise<ReadonlyMap<MessageId, number>> {
  const model = await comparable(sql, query);
  const rows = model === undefined ? [] : await sql.all(selectBodies, { ids: JSON.stringify(ids), model });
  return new Map(
    rows.flatMap((row): readonly [MessageId, number][] => {
      const product = bestProduct(bytes(row, 'body'), query.vector);
      return product === undefined ? [] : [[text(row, 'id'), product]];
    }),
  );
}

// Vectors as they are kept: a number of 32 bits that scales, then a byte a number. Cosines of text embeddings keep two
// digits this way, which ranking does not need more of, at a quarter of the room.

const scaleBytes = 4;
const largest = 127;

/** Vectors of the same size, one behind the other. */
function packVectors(vectors: readonly Float32Array[]): Uint8Array {
  const size = packedSize(vectors[0]?.length ?? 0);
  const packed = new Uint8Array(size * vectors.length);
  vectors.forEach((vector, at) => {
    const most = vector.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
    const scale = most / largest;
    new DataView(packed.buffer).setFloat32(at * size, scale, true);
    const numbers = Int8Array.from(vector, (one) => (scale === 0 ? 0 : Math.round(one / scale)));
    packed.set(new Uint8Array(numbers.buffer), at * size + scaleBytes);
  });
  return packed;
}

/** Bytes of one vector. */
const packedSize = (dimensions: number): number => scaleBytes + dimensions;

/** The largest scalar product of a vector with packed ones of the same size; undefined where there are none. */
function bestProduct(packed: Uint8Array, vector: Float32Array): number | undefined {
  const size = packedSize(vector.length);
  let best: number | undefined;
  for (let at = 0; at + size <= packed.length; at += size) {
    const scale = new DataView(packed.buffer, packed.byteOffset + at, scaleBytes).getFloat32(0, true);
    const product = scale * scalarProduct(packed, at + scaleBytes, vector);
    if (best === undefined || product > best) best = product;
  }
  return best;
}

/** Bytes are read with their sign. */
function scalarProduct(packed: Uint8Array, from: number, vector: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < vector.length; i++) sum += (((packed[from + i] ?? 0) << 24) >> 24) * (vector[i] ?? 0);
  return sum;
}
