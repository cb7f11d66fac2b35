/** A memory in a new folder, and what a person does to its files. */
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import {
  createMemory,
  type Memory,
  type MemoryOptions,
} from '../../../packages/core/src/memory/entries/create-memory.ts';
import { projectFolder } from '../../../packages/core/src/memory/entries/places.ts';
import type { MemoryAbout, MemoryWritten } from '../../../packages/core/src/memory/entries/write.ts';
import { openStore } from '../../../packages/core/src/store/open-store.ts';
import type { Store } from '../../../packages/core/src/store/store.ts';
import { newFolder } from '../../support/store-files.ts';

/** Noon of Monday, 2026-11-23, wherever the machine is. */
export const monday: number = new Date(2026, 10, 23, 12).getTime();

export interface MemoryBench {
  readonly store: Store;
  readonly memory: Memory;
  readonly folder: string;
  readonly clock: { now: number };
  /** Another one over the same store and folder. */
  another(options?: Partial<MemoryOptions>): Memory;
  /** What a file holds; empty where there is none. */
  read(name: string): string;
  /** A person saves a file, long after the last write. */
  save(name: string, text: string): void;
}

export const project = '/code/pear';
export const projectFile: string = join('projects', projectFolder(project), 'MEMORY.md');

export async function openBench(t: TestContext, options: Partial<MemoryOptions> = {}): Promise<MemoryBench> {
  const root = await newFolder(t);
  const folder = join(root, 'memories');
  const clock = { now: monday };
  const store = await openStore({ path: join(root, 'store.db'), clock: { now: () => clock.now } });
  t.after(() => store.close());
  const another = (more: Partial<MemoryOptions> = {}): Memory =>
    createMemory({ store, folder, clock: () => clock.now, check: () => undefined, ...options, ...more });
  return {
    store,
    memory: another(),
    folder,
    clock,
    another,
    read: (name) => {
      try {
        return readFileSync(join(folder, name), 'utf8');
      } catch {
        return '';
      }
    },
    save: (name, text) => {
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      // Nobody reads and changes a file within the two seconds after a write of ours.
      const later = Date.now() / 1_000 + 60;
      utimesSync(path, later, later);
    },
  };
}

export const byModel: MemoryAbout = { actor: 'model', source: 'model' };
export const byPerson: MemoryAbout = { actor: 'person', source: 'person' };

export const add = (memory: Memory, content: string, about: Partial<MemoryAbout> = {}): Promise<MemoryWritten> =>
  memory.apply([{ action: 'add', content }], { ...byModel, ...about });

/** Each entry in a line: id, status, source and text. */
export async function told(store: Store): Promise<readonly string[]> {
  const entries = await store.memory.list({ status: ['live', 'pending', 'retired', 'rejected'] });
  return entries.map(({ id, status, source, text }) => `${id} ${status} ${source}: ${text}`);
}
