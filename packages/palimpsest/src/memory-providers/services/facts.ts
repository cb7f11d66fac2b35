/** Facts in a file of SQLite: what they are about, and how far each is trusted. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';

/** A fact. Its trust is from 0 to 1. */
export interface Fact {
  readonly id: number;
  readonly text: string;
  readonly category: string;
  readonly tags: string;
  readonly trust: number;
  /** What it is about: names, quotations, code and tags, in small letters. */
  readonly about: readonly string[];
}

/** What is listed of them. */
export interface FactFilter {
  readonly category?: string | undefined;
  /** @default 0 */
  readonly minTrust?: number | undefined;
}

export interface FactChange {
  readonly text?: string | undefined;
  readonly category?: string | undefined;
  readonly tags?: string | undefined;
  readonly trustDelta?: number | undefined;
}

/** The facts of one part: a person, or one of their projects. */
export interface Facts {
  /** The id; that of the fact with the same words where there is one. */
  add(text: string, about: { readonly category: string; readonly tags: string }): number;
  get(id: number): Fact | undefined;
  /** The most trusted first. */
  list(filter?: FactFilter): readonly Fact[];
  /** False where there is no such fact. */
  change(id: number, change: FactChange): boolean;
  remove(id: number): boolean;
  close(): void;
}

/** What a new fact is trusted. */
export const firstTrust = 0.5;

const schema = `
  create table if not exists facts (
    id integer primary key autoincrement,
    part text not null,
    text text not null,
    category text not null,
    tags text not null,
    trust real not null check (trust between 0 and 1),
    about text not null,
    unique (part, text)
  ) strict;
`;

const insertFact = `
  insert into facts (part, text, category, tags, trust, about) values (?, ?, ?, ?, ?, ?)
  on conflict (part, text) do update set category = excluded.category, tags = excluded.tags
  returning id`;
const selectFact = 'select * from facts where part = ? and id = ?';
const selectFacts = `
  select * from facts where part = ? and trust >= ? and (? is null or category = ?) order by trust desc, id`;
const updateFact = `
  update facts set text = ?, category = ?, tags = ?, trust = ?, about = ? where part = ? and id = ?`;
const deleteFact = 'delete from facts where part = ? and id = ?';

export function openFacts(path: string, part: string): Facts {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const db = new DatabaseSync(path, { timeout: 5_000 });
  db.exec(`pragma journal_mode = wal; ${schema}`);
  const get = (id: number): Fact | undefined => {
    const row = db.prepare(selectFact).get(part, id);
    return row && factOf(row);
  };
  return {
    add: (text, { category, tags }) => {
      const row = db.prepare(insertFact).get(part, text, category, tags, firstTrust, aboutOf(text, tags).join('\n'));
      return Number(row?.id);
    },
    get,
    list: ({ category = null, minTrust = 0 } = {}) =>
      db
        .prepare(selectFacts)
        .all(part, minTrust, category ?? null, category ?? null)
        .map(factOf),
    change: (id, { text, category, tags, trustDelta = 0 }) => {
      const fact = get(id);
      if (!fact) return false;
      const next = { text: text ?? fact.text, category: category ?? fact.category, tags: tags ?? fact.tags };
      // Sums of such steps stay what they look like.
      const trust = Math.round(Math.min(1, Math.max(0, fact.trust + trustDelta)) * 1e6) / 1e6;
      const about = aboutOf(next.text, next.tags).join('\n');
      db.prepare(updateFact).run(next.text, next.category, next.tags, trust, about, part, id);
      return true;
    },
    remove: (id) => db.prepare(deleteFact).run(part, id).changes > 0,
    close: () => db.close(),
  };
}

const factOf = (row: Record<string, SQLOutputValue>): Fact => ({
  id: Number(row.id),
  text: String(row.text),
  category: String(row.category),
  tags: String(row.tags),
  trust: Number(row.trust),
  about: String(row.about).split('\n').filter(Boolean),
});

/** Names of several words or inside a sentence, quotations, code and tags: by form, in any language that has such forms. */
export function aboutOf(text: string, tags: string): readonly string[] {
  const found = [
    ...tags.split(','),
    ...[...text.matchAll(/["“„«「]([^"”“»」\n]{2,60})["”“»」]|`([^`\n]{2,60})`/gu)].map(
      ([, quoted, code]) => quoted ?? code ?? '',
    ),
    ...[...text.matchAll(/\p{Lu}[\p{L}\p{N}_-]+(?:\s+\p{Lu}[\p{L}\p{N}_-]+)*/gu)].map(([name]) => name),
    ...[...text.matchAll(/\b[\p{L}\p{N}]+(?:[._/-][\p{L}\p{N}]+)+\b/gu)].map(([name]) => name),
  ];
  return [...new Set(found.map((one) => one.trim().toLowerCase()).filter((one) => one.length > 1))];
}
