/**
 * Files and store change together: one act at a time in a folder, whoever is at it. The act is noted, then the files are
 * written, then the store, and then the note goes. After a crash in between, the files decide: what stands in them was done.
 */
import { resolve } from 'node:path';
import { PalimpsestError } from '../../shared/errors.ts';
import type { MemoryAct, MemoryActDraft, MemoryChange, MemoryEntry, MemorySource } from '../../store/memory-store.ts';
import { isSameEntry } from '../../store/record/memory-rows.ts';
import { makeFolder } from '../files/disk.ts';
import { takeLock } from '../files/lock.ts';
import type { MemoryRefusal } from '../files/operations.ts';
import { projectFoldersIn } from '../files/put-back.ts';
import type { Acting } from './acting.ts';
import {
  byPlace,
  type Effect,
  type EntryStep,
  effectsOf,
  inverseOf,
  isShown,
  operationsOf,
  stepsOf,
} from './effects.ts';
import { clearHeldFolders, type HeldChanges, settleHolds } from './held.ts';
import { addHold, type Hold, type HoldOptions, projectsOf, waitForEnd } from './holds.ts';
import { dropIntent, type Intent, noteIntent, readIntent, type StoreStep, sourcesOf } from './intent.ts';
import { isAt, type Place, placeKey } from './places.ts';
import { reconcileAct } from './reconcile.ts';

/** What became of an act. */
export type Committed =
  | { readonly type: 'done'; readonly act: MemoryAct; readonly archived: readonly string[] }
  | { readonly type: 'refused'; readonly refusal: MemoryRefusal; readonly place: Place };

/**
 * Runs `work` while nobody else changes the memory of this folder, and after everything that was done by hand was noted. While a
 * program runs that may write to the files, what was done there waits for the person instead.
 */
export function inOrder<T>(acting: Acting, work: (edited: MemoryAct | undefined) => Promise<T>): Promise<T> {
  return inLock(acting, async ({ cutShort, moved }) => {
    const held = await settleHolds(acting, { moved });
    const [first] = held.acts;
    return work(held.isHeld ? first : await reconcile(acting, cutShort));
  });
}

/** Notes what was done by hand until now; what is changed in the files from now on waits for the person. */
export function beginHold(acting: Acting, options: HoldOptions): Promise<Hold> {
  return inLock(acting, async ({ cutShort, moved }) => {
    if (!(await settleHolds(acting, { moved })).isHeld) {
      await unlessUnreadable(reconcile(acting, cutShort));
      await reconcileOthers(acting);
    }
    return addHold(acting, options);
  });
}

/** Holds back what was changed meanwhile, and ends the hold unless something still runs. */
export async function endHold(acting: Acting, hold: Hold): Promise<HeldChanges> {
  await waitForEnd(hold, acting.lock);
  return inLock(acting, ({ moved }) => settleHolds(acting, { released: hold.id, moved }));
}

interface Locked {
  readonly cutShort: ReadonlyMap<string, MemorySource>;
  readonly moved: readonly string[];
}

async function inLock<T>(acting: Acting, work: (locked: Locked) => Promise<T>): Promise<T> {
  const moved = await clearHeldFolders(acting);
  makeFolder(acting.folder);
  using _lock = await takeLock(`${resolve(acting.folder)}/.acts.lock`, acting.lock);
  const cutShort = await recover(acting);
  // Awaited here: the lock goes with the end of this function.
  return await work({ cutShort, moved });
}

/** Within `inOrder`: makes the entries agree with the files. */
async function reconcile(
  acting: Acting,
  cutShort: ReadonlyMap<string, MemorySource> = new Map(),
): Promise<MemoryAct | undefined> {
  const { store, places, project, editor, clock } = acting;
  const files: { readonly place: Place; readonly texts: readonly string[] }[] = [];
  for (const place of places.own) files.push({ place, texts: [...(await textsAt(acting, place))] });
  const entries = await store.memory.list({
    status: ['live', 'pending', 'retired', 'rejected'],
    project: project ?? null,
  });
  const draft = reconcileAct({ files, entries, editor, cutShort, now: clock() });
  return draft && store.memory.act(draft);
}

/** What was done by hand to the files of other projects, which a program may write to as well. */
async function reconcileOthers(acting: Acting): Promise<void> {
  const { store, project: own, places, editor, clock, folder } = acting;
  const entries = await store.memory.list({ status: ['live', 'pending', 'retired', 'rejected'] });
  const there = new Set(projectFoldersIn(folder));
  for (const [name, project] of projectsOf(entries)) {
    if (project === own || !there.has(name)) continue;
    const place: Place = { target: 'memory', project };
    const file = await unlessUnreadable(places.files(place).read('memory'));
    if (!file) continue;
    const files = [{ place, texts: file.entries.map(({ text }) => text) }];
    const draft = reconcileAct({ files, entries, editor, cutShort: new Map(), now: clock() });
    if (draft) await store.memory.act(draft);
  }
}

/** Undefined where a file cannot be read: then nobody takes it for the memory. */
async function unlessUnreadable<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (PalimpsestError.isInstance(error) && error.code === 'FILE_UNREADABLE') return undefined;
    throw error;
  }
}

/** Within `inOrder`: does an act in the files and in the store, or in neither. */
export async function commit(
  acting: Acting,
  draft: MemoryActDraft,
  expected: readonly MemoryEntry[] = [],
): Promise<Committed> {
  const { memory } = acting.store;
  for (const entry of expected) {
    const now = await memory.get(entry.id);
    // The store says what is wrong.
    if (!now || !isSameEntry(now, entry)) return { type: 'done', act: await memory.act(draft, expected), archived: [] };
  }
  const known = new Map<string, MemoryEntry>();
  for (const change of draft.changes) {
    const entry = change.type === 'set' ? await memory.get(change.id) : undefined;
    if (entry) known.set(entry.id, entry);
  }
  return carryOut(acting, { type: 'act', draft }, stepsOf(draft, known));
}

/** Within `inOrder`: takes an act back, in the files and in the store. @throws as the store does */
export async function takeBack(
  acting: Acting,
  id: string,
  by: Pick<MemoryActDraft, 'actor' | 'reason'>,
): Promise<Committed> {
  const { memory } = acting.store;
  const undone = (await memory.history()).find((act) => act.id === id);
  const steps = new Map<string, EntryStep>();
  for (const { before, after } of undone?.changes.toReversed() ?? []) {
    const now = steps.get(after.id)?.after ?? (await memory.get(after.id));
    // The store says what is wrong.
    if (!now || !isSameEntry(now, after)) return { type: 'done', act: await memory.undo(id, by), archived: [] };
    const first = steps.get(after.id)?.before ?? now;
    steps.set(after.id, { before: first, after: before ?? { ...after, status: 'retired' } });
  }
  return carryOut(acting, { type: 'undo', id, by }, [...steps.values()]);
}

async function carryOut(acting: Acting, step: StoreStep, steps: readonly EntryStep[]): Promise<Committed> {
  const { meta } = acting.store;
  const effects = effectsOf(steps, await acting.store.memory.list());
  if (effects.length === 0) return { type: 'done', act: await runStep(acting, step), archived: [] };
  const groups = byPlace(effects);
  const before: Intent['before'][number][] = [];
  for (const { place } of groups) before.push({ place, texts: [...(await textsAt(acting, place))] });
  await noteIntent(meta, acting.folder, { step, effects, before });
  const done: Effect[] = [];
  const archived: { readonly place: Place; readonly text: string }[] = [];
  for (const { place, effects: here } of groups) {
    const outcome = await acting.places.files(place).apply(place.target, operationsOf(here));
    if (outcome.type === 'refused') {
      await takeEffectsBack(acting, done);
      await dropIntent(meta, acting.folder);
      return { type: 'refused', refusal: outcome.refusal, place };
    }
    done.push(...here);
    archived.push(...outcome.archived.map((text) => ({ place, text })));
  }
  try {
    const act = await runStep(acting, await withArchived(acting, step, archived));
    await dropIntent(meta, acting.folder);
    return { type: 'done', act, archived: archived.map(({ text }) => text) };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    await takeEffectsBack(acting, done);
    await dropIntent(meta, acting.folder);
    throw error;
  }
}

/** The store would refuse it again; what is busy or full may be tried later, and the note stays for that. */
const isRefusal = (error: unknown): boolean =>
  PalimpsestError.isInstance(error) && ['STORE_CONFLICT', 'ID_UNKNOWN', 'BAD_OPTION'].includes(error.code);

const runStep = ({ store }: Acting, step: StoreStep): Promise<MemoryAct> =>
  step.type === 'act' ? store.memory.act(step.draft) : store.memory.undo(step.id, step.by);

/** What moved to the archive to make room is retired by the act that needed it. */
async function withArchived(
  { store }: Acting,
  step: StoreStep,
  archived: readonly { readonly place: Place; readonly text: string }[],
): Promise<StoreStep> {
  if (step.type === 'undo' || archived.length === 0) return step;
  const moved = (await store.memory.list()).filter((entry) =>
    archived.some(({ place, text }) => entry.text === text && isAt(entry, place)),
  );
  const changes = moved.map(({ id }): MemoryChange => ({ type: 'set', id, values: { status: 'retired' } }));
  const reason = `${step.draft.reason} ${moved.length} of the oldest entries moved to the archive to make room.`;
  return { type: 'act', draft: { ...step.draft, reason, changes: [...step.draft.changes, ...changes] } };
}

async function takeEffectsBack(acting: Acting, effects: readonly Effect[]): Promise<void> {
  for (const { place, effects: here } of byPlace(inverseOf(effects)))
    await acting.places.files(place).apply(place.target, operationsOf(here));
}

async function textsAt({ places }: Acting, place: Place): Promise<ReadonlySet<string>> {
  const { entries } = await places.files(place).read(place.target);
  return new Set(entries.map(({ text }) => text));
}

/**
 * Brings an act to its end that a crash cut short: one whose files were written is done in the store, and one whose files
 * were not is dropped. Returns what stands in the files of an act that can be neither, and who said it.
 */
async function recover(acting: Acting): Promise<ReadonlyMap<string, MemorySource>> {
  const { meta } = acting.store;
  const intent = await readIntent(meta, acting.folder);
  if (!intent) return new Map();
  const isDone = (await isWritten(acting, intent)) && (await finish(acting, intent));
  await dropIntent(meta, acting.folder);
  return isDone ? new Map() : sourcesOf(intent);
}

/** True when all files show the act. Those that are just as they were follow the others. */
async function isWritten(acting: Acting, { effects, before }: Intent): Promise<boolean> {
  const texts = new Map<string, ReadonlySet<string>>();
  const look = async (place: Place): Promise<void> => {
    texts.set(placeKey(place), await textsAt(acting, place));
  };
  const shown = (list: readonly Effect[]): boolean => isShown(list, (place) => texts.get(placeKey(place)) ?? new Set());
  const groups = byPlace(effects);
  for (const { place } of groups) await look(place);
  if (!groups.some((group) => shown(group.effects))) return false;
  for (const { place, effects: here } of groups) {
    const was = before.find((file) => placeKey(file.place) === placeKey(place))?.texts ?? [];
    const now = [...(texts.get(placeKey(place)) ?? [])];
    if (shown(here) || JSON.stringify(was) !== JSON.stringify(now)) continue;
    await acting.places.files(place).apply(place.target, operationsOf(here));
    await look(place);
  }
  return shown(effects);
}

/** False where the store does not take the act any more. */
async function finish(acting: Acting, { step, effects }: Intent): Promise<boolean> {
  const live = await acting.store.memory.list();
  const textsIn = (place: Place): ReadonlySet<string> =>
    new Set(live.filter((entry) => isAt(entry, place)).map(({ text }) => text));
  if (isShown(effects, textsIn)) return true;
  try {
    await runStep(acting, step);
    return true;
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
}
