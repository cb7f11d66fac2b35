/** Small values in SQLite. */
import type { MetaStore } from '../store.ts';
import type { Connection } from './connection.ts';
import { text } from './rows.ts';

const selectValue = 'select value from state_meta where key = ?';
const deleteValue = 'delete from state_meta where key = ?';
const putValue = `
insert into state_meta (key, value) values (?, ?) on conflict (key) do update set value = excluded.value`;

/** Keys and values are kept as JSON strings, which escape what text columns cannot hold. */
export function createMetaStore({ sql, read, write }: Connection): MetaStore {
  return {
    get: (key) =>
      read(() => {
        const row = sql(selectValue).get(JSON.stringify(key));
        // `set` wrote it from a string.
        return row && (JSON.parse(text(row, 'value')) as string);
      }),
    set: async (key, value) => {
      await write(() => {
        if (value === undefined) sql(deleteValue).run(JSON.stringify(key));
        else putMeta({ sql }, key, value);
      });
    },
  };
}

/** Keeps a small value; inside a write transaction. */
export function putMeta({ sql }: Pick<Connection, 'sql'>, key: string, value: string): void {
  sql(putValue).run(JSON.stringify(key), JSON.stringify(value));
}
