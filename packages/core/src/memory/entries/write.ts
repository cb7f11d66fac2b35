/** Operations on a file of the memory, as an act over entries: saved, put aside for the person, or refused. */

import { defined } from '../../shared/defined.ts';
import type {
  MemoryAct,
  MemoryActDraft,
  MemoryActor,
  MemoryChange,
  MemoryDraft,
  MemoryEntry,
  MemoryEntryId,
  MemoryKind,
  MemorySource,
} from '../../store/memory-store.ts';
import { cleanEntry, type MemoryLimits, type MemoryTarget } from '../files/entries.ts';
import type { MemoryFile } from '../files/memory-files.ts';
import {
  type Changed,
  changeEntries,
  type MemoryOperation,
  type MemoryRefusal,
  type Refusal,
} from '../files/operations.ts';
import { withAbsoluteDates } from './absolute-dates.ts';
import type { Acting } from './acting.ts';
import { commit } from './acts.ts';
import { keyAfter, kindOf, normaliseKey, sourceAfter } from './drafts.ts';
import { isAt, type Place, placeOf } from './places.ts';

/** Who writes something, where it is from, and what is known of it. */
export interface MemoryAbout {
  readonly actor: MemoryActor;
  /** The least trusted of whom it came from; a text that takes the place of others is trusted no more than they were. */
  readonly source: MemorySource;
  /** @default 'memory' */
  readonly target?: MemoryTarget;
  /** Where it holds, for the target `memory`. @default 'project' where the memory was opened for one */
  readonly scope?: 'project' | 'everywhere';
  /** @default told by how the text is built */
  readonly kind?: MemoryKind;
  /** For a fact with a name: the entry takes the place of the one that has the name in the same scope. */
  readonly key?: string;
  /** @default the text */
  readonly value?: string;
  /** Until when it is thought to hold, in milliseconds since 1970. */
  readonly until?: number;
  readonly sessionId?: string;
  /** Ids of the messages that it rests on. */
  readonly messages?: readonly string[];
  /** Why, in a sentence for a person. */
  readonly reason?: string;
  /** True for what waits until the person says yes to it. @default false */
  readonly confirm?: boolean;
}

/** What became of a write. */
export type MemoryWritten =
  | {
      readonly type: 'saved';
      /** Absent when everything was there already. */
      readonly act?: MemoryAct;
      /** The entries that say it now. */
      readonly entries: readonly MemoryEntry[];
      /** Entries that were replaced or removed. */
      readonly removed: readonly MemoryEntry[];
      /** Texts that moved to the archive to make room. */
      readonly archived: readonly string[];
      readonly file: MemoryFile;
    }
  /** Nothing is remembered yet: the entries wait for the person. */
  | { readonly type: 'waits'; readonly entries: readonly MemoryEntry[]; readonly file: MemoryFile }
  | { readonly type: 'refused'; readonly refusal: MemoryRefusal; readonly file: MemoryFile };

/** What a write is held against. */
export interface Writing {
  readonly acting: Acting;
  readonly limits: MemoryLimits;
  readonly onFull: 'refuse' | 'archive';
  readonly check: (text: string) => Refusal | undefined;
}

/** Within the order of acts: does all operations or none. */
export async function write(
  writing: Writing,
  operations: readonly MemoryOperation[],
  about: MemoryAbout,
): Promise<MemoryWritten> {
  const { acting } = writing;
  const key = about.key === undefined ? undefined : normaliseKey(about.key);
  const named = key === undefined ? undefined : await entryWithKey(writing, about, key);
  const place = named ? placeOf(named) : placeFor(acting, about);
  const wanted = operations.map((operation) => prepared(operation, { named, now: acting.clock() }));
  const file = await fileAt(writing, place);
  const texts = file.entries.map(({ text }) => text);
  const doubt = doubtOf(writing, wanted);
  const confirm = about.confirm || (doubt !== undefined && about.source !== 'person');
  const plan = changeEntries(texts, wanted, {
    check: (text) => withoutDoubt(writing.check(text)),
    limit: confirm ? Number.POSITIVE_INFINITY : writing.limits[place.target],
    onFull: writing.onFull,
  });
  if (plan.type === 'refused') return { ...plan, file };
  const here = await entriesAt(writing, place);
  const known = { ...about, confirm, ...(key === undefined ? {} : { key }) };
  const reason = doubt === undefined || about.confirm ? about.reason : `It waits for the person: ${doubt.reason}.`;
  const isOwnWord = doubt !== undefined && !confirm;
  const planned: Planned = { plan, about: { ...known, ...defined({ reason }) }, place, here, isOwnWord };
  if (plan.added.length + plan.removed.length === 0) return sayAgain(writing, planned, wanted);
  return confirm ? stage(writing, planned) : save(writing, planned, wanted);
}

/** What is in doubt in new texts: then only the person's own word puts them into a file. */
function doubtOf({ check }: Writing, operations: readonly MemoryOperation[]): Refusal | undefined {
  const found = operations.flatMap((one) => (one.action === 'remove' ? [] : (check(cleanEntry(one.content)) ?? [])));
  return found.find(({ unlessConfirmed }) => unlessConfirmed);
}

/** What refuses a text whoever says it. */
export const withoutDoubt = (refusal: Refusal | undefined): Refusal | undefined =>
  refusal?.unlessConfirmed ? undefined : refusal;

/** A change of a file that may be made. */
interface Planned {
  readonly plan: Extract<Changed, { type: 'changed' }>;
  /** With its key normalised. */
  readonly about: MemoryAbout;
  readonly place: Place;
  /** Live and pending entries of the file. */
  readonly here: readonly MemoryEntry[];
  /** True for what would be in doubt, had the person not said it. */
  readonly isOwnWord: boolean;
}

/** Dates instead of "yesterday"; and a fact with a name takes the place of the one that has it. */
function prepared(
  operation: MemoryOperation,
  { named, now }: { readonly named: MemoryEntry | undefined; readonly now: number },
): MemoryOperation {
  if (operation.action === 'remove') return operation;
  const content = withAbsoluteDates(operation.content, now);
  if (operation.action === 'add' && named) return { action: 'replace', entry: { text: named.text }, content };
  return { ...operation, content };
}

export const placeFor = ({ project }: Acting, { target = 'memory', scope = 'project' }: MemoryAbout): Place =>
  placeOf({ target, ...(scope === 'project' && project !== undefined ? { project } : {}) });

async function entryWithKey({ acting }: Writing, about: MemoryAbout, key: string): Promise<MemoryEntry | undefined> {
  const { project } = placeFor(acting, about);
  const found = await acting.store.memory.list({ key, project: project ?? null });
  return found.find((entry) => entry.project === project);
}

export async function entriesAt({ acting }: Writing, place: Place): Promise<readonly MemoryEntry[]> {
  const found = await acting.store.memory.list({ status: ['live', 'pending'], project: place.project ?? null });
  return found.filter((entry) => isAt(entry, place));
}

export const fileAt = ({ acting }: Writing, place: Place): Promise<MemoryFile> =>
  acting.places.files(place).read(place.target);

const isLive = ({ status }: MemoryEntry): boolean => status === 'live';

/** What is there already may become better known: the person said it too, or it got a name. */
async function sayAgain(
  writing: Writing,
  { about, here, place }: Planned,
  wanted: readonly MemoryOperation[],
): Promise<MemoryWritten> {
  const { memory } = writing.acting.store;
  const texts = new Set(wanted.flatMap((one) => (one.action === 'remove' ? [] : [cleanEntry(one.content)])));
  const entries = here.filter((entry) => isLive(entry) && texts.has(entry.text));
  const now = writing.acting.clock();
  const changes = entries.flatMap((entry): readonly MemoryChange[] => {
    if (about.confirm || about.source !== 'person') return [];
    const values = { source: about.source, statedAt: now, confirmedAt: now };
    return [{ type: 'set', id: entry.id, values }];
  });
  const file = await fileAt(writing, place);
  const kept = { type: 'saved', removed: [], archived: [], file } as const;
  if (changes.length === 0) return { ...kept, entries };
  const act = await memory.act({ ...factsOf(about, 'confirm', 'The person said it again.'), changes });
  return { ...kept, act, entries: act.changes.map(({ after }) => after) };
}

async function save(writing: Writing, planned: Planned, wanted: readonly MemoryOperation[]): Promise<MemoryWritten> {
  const { plan, about, place, here } = planned;
  const changes: MemoryChange[] = [];
  for (const { text, replaced } of plan.added) {
    const old = here.filter((entry) => isLive(entry) && entry.text === replaced);
    const draft = draftOf(writing, planned, { text, old });
    // What waited for a yes and now needs none.
    const waiting = here.find((entry) => !isLive(entry) && entry.text === text);
    changes.push(
      waiting ? { type: 'set', id: waiting.id, values: { ...draft, status: 'live' } } : { type: 'add', draft },
    );
  }
  const gone = new Set(plan.removed);
  for (const entry of here)
    if (isLive(entry) && gone.has(entry.text))
      changes.push({ type: 'set', id: entry.id, values: { status: 'retired' } });
  const [first] = wanted;
  const what = wanted.length === 1 && first ? first.action : 'change';
  const done = await commit(
    writing.acting,
    { ...factsOf(about, what, reasons[about.actor]), changes },
    here.filter((entry) => changes.some((change) => change.type === 'set' && change.id === entry.id)),
  );
  const file = await fileAt(writing, place);
  if (done.type === 'refused') return { type: 'refused', refusal: done.refusal, file };
  const after = done.act.changes.map((change) => change.after);
  return {
    type: 'saved',
    act: done.act,
    entries: after.filter(isLive),
    removed: after.filter((entry) => !isLive(entry) && !done.archived.includes(entry.text)),
    archived: done.archived,
    file,
  };
}

/** Puts a change aside for the person: an entry that names those in whose place it would stand. */
async function stage(writing: Writing, planned: Planned): Promise<MemoryWritten> {
  const { plan, about, place, here } = planned;
  const withText = (text: string | undefined): readonly MemoryEntry[] =>
    here.filter((entry) => isLive(entry) && entry.text === text);
  const replaced = new Set(plan.added.map((one) => one.replaced));
  const drafts = [
    ...plan.added.map((one) => draftOf(writing, planned, { text: one.text, old: withText(one.replaced) })),
    // A removal is an entry that says what it would remove.
    ...plan.removed
      .filter((text) => !replaced.has(text))
      .map((text) => ({ ...draftOf(writing, planned, { text, old: withText(text) }), source: about.source })),
  ];
  const waiting = drafts.map((draft) => here.find((entry) => !isLive(entry) && isSameDraft(entry, draft)));
  const changes = drafts.flatMap((draft, at): readonly MemoryChange[] =>
    waiting[at] ? [] : [{ type: 'add', draft: { ...draft, status: 'pending' } }],
  );
  const act =
    changes.length === 0
      ? undefined
      : await writing.acting.store.memory.act({ ...factsOf(about, 'stage', 'It waits for the person.'), changes });
  const added = act?.changes.map(({ after }) => after) ?? [];
  const known = waiting.filter((entry) => entry !== undefined);
  return { type: 'waits', entries: [...known, ...added], file: await fileAt(writing, place) };
}

const isSameDraft = (entry: MemoryEntry, draft: MemoryDraft): boolean =>
  entry.text === draft.text && entry.replaces.join() === draft.replaces.join();

function draftOf(
  { acting }: Writing,
  { about, place, isOwnWord }: Planned,
  { text, old }: { readonly text: string; readonly old: readonly MemoryEntry[] },
): MemoryDraft {
  const { target } = place;
  const [replaced] = old;
  const { key, value, until, sessionId, messages = [] } = about;
  const isConfirmed = about.source === 'person' && !about.confirm && (about.actor === 'person' || isOwnWord);
  return {
    target,
    kind: about.kind ?? replaced?.kind ?? kindOf({ target, text, until }),
    text,
    ...(key === undefined ? (replaced ? keyAfter(replaced, text) : {}) : { key, value: value ?? text }),
    ...(place.project === undefined ? {} : { project: place.project }),
    source: sourceAfter(about.source, old),
    ...(isConfirmed ? { confirmedAt: acting.clock() } : {}),
    ...(sessionId === undefined ? {} : { sessionId }),
    messages,
    replaces: old.map(({ id }): MemoryEntryId => id),
    statedAt: acting.clock(),
    ...(until === undefined ? {} : { until }),
  };
}

const reasons: Readonly<Record<MemoryActor, string>> = {
  person: 'The person wrote it.',
  file: 'It was written by hand.',
  model: 'The model saved it.',
  curator: 'The curator put it in order.',
  runtime: 'It was worth keeping.',
  import: 'It was brought from elsewhere.',
};

const factsOf = (
  { actor, reason, sessionId }: MemoryAbout,
  what: string,
  otherwise: string,
): Omit<MemoryActDraft, 'changes'> => ({
  actor,
  what,
  reason: reason ?? otherwise,
  ...(sessionId === undefined ? {} : { sessionId }),
});
