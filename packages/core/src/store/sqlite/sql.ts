/** The port's statements over SQLite's driver, which answers at once. */
import type { DatabaseSync, StatementResultingChanges, StatementSync } from 'node:sqlite';
import type { Sql, SqlValue, SqlValues } from '../record/database.ts';

/** Each statement is prepared at its first use. */
export function statementsOf(db: DatabaseSync): Sql {
  const statements = new Map<string, StatementSync>();

  function prepared(text: string): StatementSync {
    const known = statements.get(text);
    if (known) return known;
    const statement = db.prepare(text);
    statements.set(text, statement);
    return statement;
  }

  const run = (text: string, values: SqlValues = []): StatementResultingChanges =>
    isList(values) ? prepared(text).run(...values) : prepared(text).run(values);

  return {
    get: async (text, values = []) => (isList(values) ? prepared(text).get(...values) : prepared(text).get(values)),
    all: async (text, values = []) => (isList(values) ? prepared(text).all(...values) : prepared(text).all(values)),
    // Not by `returning`: it opens a savepoint, at which FTS5 writes down what it would rather gather until the commit.
    insert: async (text, values) => {
      const { changes, lastInsertRowid } = run(text, values);
      return changes === 1 ? Number(lastInsertRowid) : undefined;
    },
    run: async (text, values) => Number(run(text, values).changes),
  };
}

const isList = (values: SqlValues): values is readonly SqlValue[] => Array.isArray(values);
