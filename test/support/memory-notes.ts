/** Entries for tests of the memory: short to write, each with its day. */
import type { MemoryEntry } from '../../packages/core/src/store/memory-store.ts';

/** Midnight of a day of 2026, such as `03-17`, in UTC; with a year before it, of that year. */
export const dayAt = (day: string): number => Date.parse(`${day.length > 5 ? day : `2026-${day}`}T00:00:00Z`);

type Given = Partial<Omit<MemoryEntry, 'text' | 'statedAt'>> & { readonly day?: string };

let made = 0;

/** An entry of the person's own project, said by the person on 1 March unless told otherwise. */
export function note(text: string, { day = '03-01', ...given }: Given = {}): MemoryEntry {
  made++;
  const at = dayAt(day);
  const id = given.id ?? `e${made}`;
  return {
    id,
    target: 'memory',
    kind: 'fact',
    text,
    source: 'person',
    messages: [`m-${id}`],
    replaces: [],
    status: 'live',
    createdAt: at,
    updatedAt: at,
    statedAt: at,
    ...given,
  };
}

/** An entry about the person. */
export const aboutPerson = (text: string, given: Given = {}): MemoryEntry => note(text, { target: 'user', ...given });

/** An entry of one project. */
export const ofProject = (text: string, given: Given = {}): MemoryEntry => note(text, { project: 'orchard', ...given });
