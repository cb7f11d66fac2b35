/** Entries of the memory as rows and as JSON, and what must be true of them. */
import { PalimpsestError } from '../../shared/errors.ts';
import { describe, isObject } from '../../shared/options/schema.ts';
import {
  type MemoryActor,
  type MemoryDraft,
  type MemoryEntry,
  type MemoryEntryId,
  type MemoryStatus,
  memoryKinds,
  memorySources,
} from '../memory-store.ts';
import { given, instant, integer, optionalInteger, optionalText, type Row, type SqlValue, text } from './database.ts';

/** What a row has in place of a status when its entry was forgotten: it stays, so that no other one gets its number. */
export const forgotten = 'forgotten';

const statuses: readonly MemoryStatus[] = ['live', 'pending', 'retired', 'rejected'];
const targets: readonly MemoryEntry['target'][] = ['memory', 'user'];
const actors: readonly MemoryActor[] = ['person', 'file', 'model', 'curator', 'runtime', 'import'];

/** The number in an id such as `e12`; undefined for what is none. */
export function numberIn(letter: 'e' | 'a', id: string): number | undefined {
  const [, digits] = /^[ea]([1-9]\d{0,14})$/.exec(id) ?? [];
  return digits === undefined || !id.startsWith(letter) ? undefined : Number(digits);
}

/** The columns of an entry. Texts are JSON strings, which escape what text columns cannot hold. */
export const columnsOf = (entry: Omit<MemoryEntry, 'id'>): Readonly<Record<string, SqlValue>> => ({
  target: entry.target,
  kind: entry.kind,
  status: entry.status,
  source: entry.source,
  project: quoted(entry.project),
  key: quoted(entry.key),
  value: quoted(entry.value),
  text: JSON.stringify(entry.text),
  session: quoted(entry.sessionId),
  messages: JSON.stringify(entry.messages),
  replaces: JSON.stringify(entry.replaces),
  created: entry.createdAt,
  updated: entry.updatedAt,
  stated: entry.statedAt,
  until: entry.until ?? null,
  confirmed: entry.confirmedAt ?? null,
  used: entry.usedAt ?? null,
});

export const quoted = (value: string | undefined): string | null =>
  value === undefined ? null : JSON.stringify(value);

export const unquoted = (row: Row, column: string): string | undefined => {
  const value = optionalText(row, column);
  // `quoted` wrote it from a string.
  return value === undefined ? undefined : (JSON.parse(value) as string);
};

/** The schema allows no other words in these columns. */
export const entryFrom = (row: Row): MemoryEntry => ({
  id: `e${integer(row, 'seq')}`,
  target: text(row, 'target') as MemoryEntry['target'],
  kind: text(row, 'kind') as MemoryEntry['kind'],
  text: unquoted(row, 'text') ?? '',
  ...given('key', unquoted(row, 'key')),
  ...given('value', unquoted(row, 'value')),
  ...given('project', unquoted(row, 'project')),
  source: text(row, 'source') as MemoryEntry['source'],
  ...given('sessionId', unquoted(row, 'session')),
  messages: JSON.parse(text(row, 'messages')),
  replaces: JSON.parse(text(row, 'replaces')),
  status: text(row, 'status') as MemoryStatus,
  createdAt: integer(row, 'created_at'),
  updatedAt: integer(row, 'updated_at'),
  statedAt: integer(row, 'stated_at'),
  ...given('until', optionalInteger(row, 'until')),
  ...given('confirmedAt', optionalInteger(row, 'confirmed_at')),
  ...given('usedAt', optionalInteger(row, 'used_at')),
});

/** True for an entry that says and is the same; when it was written down or last used makes no other one of it. */
export function isSameEntry(a: MemoryEntry, b: MemoryEntry): boolean {
  const [one, other] = [columnsOf(a), columnsOf(b)];
  return (
    a.id === b.id &&
    Object.keys(one).every((name) => name === 'updated' || name === 'used' || one[name] === other[name])
  );
}

const draftNames: ReadonlySet<string> = new Set([
  'target',
  'kind',
  'text',
  'key',
  'value',
  'project',
  'source',
  'sessionId',
  'messages',
  'replaces',
  'status',
  'statedAt',
  'until',
  'confirmedAt',
  'usedAt',
]);

/**
 * What is given of an entry, as it is kept; what is given as undefined is taken away. @throws BAD_OPTION for what is none of
 * an entry
 */
export function withValues(entry: MemoryEntry, values: Partial<MemoryDraft>): MemoryEntry {
  if (!isObject(values)) throw bad('the values of an entry', 'an object', values);
  const stranger = Object.keys(values).find((name) => !draftNames.has(name));
  if (stranger !== undefined) throw bad('each value of an entry', `one of ${[...draftNames].join(', ')}`, stranger);
  // Every name is one of an entry, and `requireEntry` looks at the values.
  const merged = Object.fromEntries(
    Object.entries({ ...entry, ...values }).filter(([, value]) => value !== undefined),
  ) as unknown as MemoryEntry;
  requireEntry(merged);
  return {
    ...merged,
    messages: [...merged.messages],
    replaces: [...merged.replaces],
    statedAt: instant(merged.statedAt, 'statedAt'),
    ...given('until', whenGiven(merged.until, 'until')),
    ...given('confirmedAt', whenGiven(merged.confirmedAt, 'confirmedAt')),
    ...given('usedAt', whenGiven(merged.usedAt, 'usedAt')),
  };
}

const whenGiven = (value: number | undefined, name: string): number | undefined =>
  value === undefined ? undefined : instant(value, name);

/** What every new entry begins with. */
export const blankEntry = (id: MemoryEntryId, now: number): MemoryEntry => ({
  id,
  target: 'memory',
  kind: 'fact',
  text: '',
  source: 'document',
  messages: [],
  replaces: [],
  status: 'live',
  createdAt: now,
  updatedAt: now,
  statedAt: now,
});

function requireEntry(entry: MemoryEntry): void {
  oneOf('target', targets, entry.target);
  oneOf('kind', memoryKinds, entry.kind);
  oneOf('source', memorySources, entry.source);
  oneOf('status', statuses, entry.status);
  if (typeof entry.text !== 'string' || entry.text.trim() === '') throw bad('text', 'a text', entry.text);
  for (const name of ['key', 'value', 'project', 'sessionId'] as const) {
    const value: unknown = entry[name];
    if (value !== undefined && typeof value !== 'string') throw bad(name, 'a text', value);
  }
  if (entry.key !== undefined && entry.value === undefined) throw bad('value', 'a text beside a key', undefined);
  for (const name of ['messages', 'replaces'] as const) {
    const value: unknown = entry[name];
    if (!Array.isArray(value) || value.some((one) => typeof one !== 'string')) throw bad(name, 'a list of ids', value);
  }
}

export const requireActor = (actor: MemoryActor): void => oneOf('actor', actors, actor);

function oneOf(name: string, words: readonly string[], value: unknown): void {
  if (!words.some((word) => word === value)) throw bad(name, `one of ${words.join(', ')}`, value);
}

export const bad = (name: string, expected: string, came: unknown): PalimpsestError =>
  new PalimpsestError(
    'BAD_OPTION',
    `Expected ${name} to be ${expected}, not ${describe(came)}. Nothing was remembered.`,
    { evidence: { option: name } },
  );
