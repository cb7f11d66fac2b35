/** What changes of entries mean for the files that show them. Pure. */
import type { MemoryActDraft, MemoryEntry, MemoryEntryId } from '../../store/memory-store.ts';
import type { MemoryOperation } from '../files/operations.ts';
import { type Place, placeKey, placeOf } from './places.ts';

/** How an entry is before (absent for a new one) and after. */
export interface EntryStep {
  readonly before?: MemoryEntry;
  readonly after: MemoryEntry;
}

/** A text that leaves a file, one that comes into it, or one in the place of another. */
export interface Effect {
  readonly place: Place;
  readonly remove?: string;
  readonly add?: string;
}

/** What a draft does to each of its entries in the end. New ones have no id yet. */
export function stepsOf(draft: MemoryActDraft, entries: ReadonlyMap<MemoryEntryId, MemoryEntry>): readonly EntryStep[] {
  const steps = new Map<MemoryEntryId, EntryStep>();
  for (const [at, change] of draft.changes.entries()) {
    if (change.type === 'add') {
      const after: MemoryEntry = { status: 'live', ...change.draft, id: `new ${at}`, createdAt: 0, updatedAt: 0 };
      steps.set(after.id, { after });
      continue;
    }
    const before = steps.get(change.id)?.before ?? entries.get(change.id);
    const now = steps.get(change.id)?.after ?? before;
    if (before && now) steps.set(change.id, { before, after: { ...now, ...change.values } });
  }
  return [...steps.values()];
}

/**
 * What the files have to show differently. A text that another entry keeps in the file stays there.
 *
 * @param live entries that are live before
 */
export function effectsOf(steps: readonly EntryStep[], live: readonly MemoryEntry[]): readonly Effect[] {
  const touched = new Set(steps.map(({ after }) => after.id));
  const kept = new Set(live.filter(({ id }) => !touched.has(id)).map(nameOf));
  const before = new Map(steps.flatMap((step) => (step.before?.status === 'live' ? [[step, step.before]] : [])));
  const after = new Map(steps.flatMap((step) => (step.after.status === 'live' ? [[step, step.after]] : [])));
  const stays = new Set([...kept, ...[...after.values()].map(nameOf)]);
  const there = new Set([...kept, ...[...before.values()].map(nameOf)]);
  const gone = [...before.values()].filter((entry) => !stays.has(nameOf(entry)));
  const effects: Effect[] = [];
  for (const entry of distinct([...after.values()].filter((one) => !there.has(nameOf(one))))) {
    const place = placeOf(entry);
    const old = gone.findIndex((one) => placeKey(placeOf(one)) === placeKey(place) && isOfOne(one, entry));
    const [replaced] = old === -1 ? [] : gone.splice(old, 1);
    effects.push({ place, add: entry.text, ...(replaced ? { remove: replaced.text } : {}) });
  }
  return [...distinct(gone).map((entry) => ({ place: placeOf(entry), remove: entry.text })), ...effects];
}

const nameOf = (entry: MemoryEntry): string => `${placeKey(placeOf(entry))}\n${entry.text}`;

const distinct = (entries: readonly MemoryEntry[]): readonly MemoryEntry[] => [
  ...new Map(entries.map((entry) => [nameOf(entry), entry])).values(),
];

/** True where one stands in the place of the other, or both are the same entry. */
const isOfOne = (a: MemoryEntry, b: MemoryEntry): boolean =>
  a.id === b.id || a.replaces.includes(b.id) || b.replaces.includes(a.id);

/** Names texts exactly, so that what was decided on is what is done. */
export const operationsOf = (effects: readonly Effect[]): readonly MemoryOperation[] =>
  effects.flatMap(({ remove, add }): readonly MemoryOperation[] => {
    if (remove === undefined) return add === undefined ? [] : [{ action: 'add', content: add }];
    const entry = { text: remove };
    return [add === undefined ? { action: 'remove', entry } : { action: 'replace', entry, content: add }];
  });

/** Takes effects back. */
export const inverseOf = (effects: readonly Effect[]): readonly Effect[] =>
  effects.toReversed().map(({ place, remove, add }) => ({
    place,
    ...(add === undefined ? {} : { remove: add }),
    ...(remove === undefined ? {} : { add: remove }),
  }));

/** True when texts show what the effects want. */
export const isShown = (effects: readonly Effect[], textsAt: (place: Place) => ReadonlySet<string>): boolean =>
  effects.every(({ place, remove, add }) => {
    const texts = textsAt(place);
    return (add === undefined || texts.has(add)) && (remove === undefined || remove === add || !texts.has(remove));
  });

/** By file, in the order of the first effect on each. */
export function byPlace(
  effects: readonly Effect[],
): readonly { readonly place: Place; readonly effects: readonly Effect[] }[] {
  const groups = new Map<string, { readonly place: Place; readonly effects: Effect[] }>();
  for (const effect of effects) {
    const group = groups.get(placeKey(effect.place)) ?? { place: effect.place, effects: [] };
    group.effects.push(effect);
    groups.set(placeKey(effect.place), group);
  }
  return [...groups.values()];
}
