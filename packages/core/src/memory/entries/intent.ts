/**
 * What is being written just now: whoever finds it after a crash knows whose texts stand in the files. Without it, what a page
 * told a model would look like something that the person wrote by hand. It is kept in the store, since what lies beside the
 * files may come with a checkout.
 */
import { resolve } from 'node:path';
import { isJsonObject, parseJson } from '../../shared/json.ts';
import type { MemoryActDraft, MemoryActId, MemorySource } from '../../store/memory-store.ts';
import type { MetaStore } from '../../store/store.ts';
import type { Effect } from './effects.ts';
import type { Place } from './places.ts';

/** What the store is to do once the files are written. */
export type StoreStep =
  | { readonly type: 'act'; readonly draft: MemoryActDraft }
  | { readonly type: 'undo'; readonly id: MemoryActId; readonly by: Pick<MemoryActDraft, 'actor' | 'reason'> };

export interface Intent {
  readonly step: StoreStep;
  readonly effects: readonly Effect[];
  /** The files as they were. */
  readonly before: readonly { readonly place: Place; readonly texts: readonly string[] }[];
}

const keyOf = (folder: string): string => `memory.act ${resolve(folder)}`;

export const noteIntent = (meta: MetaStore, folder: string, intent: Intent): Promise<void> =>
  meta.set(keyOf(folder), JSON.stringify(intent));

/** Undefined where no act was cut short. */
export async function readIntent(meta: MetaStore, folder: string): Promise<Intent | undefined> {
  const value = parseJson((await meta.get(keyOf(folder))) ?? '');
  // `noteIntent` wrote it from an intent.
  return isJsonObject(value) ? (value as unknown as Intent) : undefined;
}

export const dropIntent = (meta: MetaStore, folder: string): Promise<void> => meta.set(keyOf(folder), undefined);

/** What an act that was cut short wrote, and who said it. */
export function sourcesOf({ step }: Intent): ReadonlyMap<string, MemorySource> {
  if (step.type === 'undo') return new Map();
  return new Map(
    step.draft.changes.flatMap((change) =>
      change.type === 'add' ? [[change.draft.text, change.draft.source] as const] : [],
    ),
  );
}
