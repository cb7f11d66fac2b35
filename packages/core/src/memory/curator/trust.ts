/** Whose word counts for more, and whose is the newer. */
import { type MemoryEntry, memorySources } from '../../store/memory-store.ts';

/** What came from outside: it never overrules what came from inside. */
export const isOutside = (entry: MemoryEntry): boolean =>
  entry.confirmedAt === undefined && (entry.source === 'outside-tool' || entry.source === 'document');

/** 0 for the most trusted; what the person confirmed is the person's word. */
export const rankOf = (entry: MemoryEntry): number =>
  entry.confirmedAt === undefined ? memorySources.indexOf(entry.source) : 0;

/** When it was last said or confirmed. */
export const saidAt = (entry: MemoryEntry): number => Math.max(entry.statedAt, entry.confirmedAt ?? 0);

/** The older first; of two that were said at once, that of the smaller id. */
export const byTime = (a: MemoryEntry, b: MemoryEntry): number => saidAt(a) - saidAt(b) || (a.id < b.id ? -1 : 1);

/** What two entries must share before one says anything of the other: a project, or none; the person, or everything. */
export const scopeOf = ({ project, target }: MemoryEntry): string =>
  project === undefined ? `${target}:` : `project:${project}`;

/** Entries that rest on one message are a list that somebody gave at once. */
export const isOneBreath = (a: MemoryEntry, b: MemoryEntry): boolean =>
  a.messages.length > 0 && a.messages.some((message) => b.messages.includes(message));

/** The day of a time in UTC, as people read it in a reason. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
