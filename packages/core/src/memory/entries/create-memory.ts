/** What is remembered: the files that a person reads and edits, and behind them what is known of each entry. */
import { join } from 'node:path';
import { PalimpsestError } from '../../shared/errors.ts';
import { isJsonObject, parseJson } from '../../shared/json.ts';
import { aFunction, anEnum, aText, checkKnownOptions } from '../../shared/options/known-options.ts';
import {
  type MemoryAct,
  type MemoryActDraft,
  type MemoryActId,
  type MemoryEntry,
  type MemoryEntryId,
  type MemorySource,
  type MemoryStore,
  memorySources,
} from '../../store/memory-store.ts';
import type { Store } from '../../store/store.ts';
import { dropLines, isInCheckout } from '../files/disk.ts';
import { defaultMemoryLimits, type MemoryLimits } from '../files/entries.ts';
import type { LockOptions } from '../files/lock.ts';
import { archiveName, type MemoryFiles } from '../files/memory-files.ts';
import type { MemoryOperation, Refusal } from '../files/operations.ts';
import { type MemorySnapshot, renderSnapshot, type SnapshotSection } from '../files/snapshot.ts';
import { scanMemory } from '../scan/scan-memory.ts';
import type { Acting } from './acting.ts';
import { beginHold, type Committed, commit, endHold, inOrder, takeBack } from './acts.ts';
import { normaliseKey } from './drafts.ts';
import { filesOver, type WriterOptions } from './files-over.ts';
import type { HeldChanges } from './held.ts';
import type { HoldOptions } from './holds.ts';
import { openPlaces, type Place, placeName, placeOf, projectName } from './places.ts';
import { approve, reject } from './waiting.ts';
import { fileAt, type MemoryAbout, type MemoryWritten, type Writing, withoutDoubt, write } from './write.ts';

/** Where a memory is kept, and what may come into it. */
export interface MemoryOptions {
  /** The open store; nobody else may write to `store.memory` while files show it. */
  readonly store: Pick<Store, 'memory' | 'meta'>;
  /** The folder of USER.md, MEMORY.md and `projects/`; made with the first act. */
  readonly folder: string;
  /** The project that is worked on, as a path; entries of others are neither shown nor changed. */
  readonly project?: string;
  /**
   * Says why a text may not be remembered; undefined for one that may. @default what `scanMemory` finds: what it blocks is
   * refused, what it puts in quarantine waits for the person
   */
  readonly check?: (text: string) => Refusal | undefined;
  /** Most characters (code points) of each file. @default { memory: 2200, user: 1375 } */
  readonly limits?: Partial<MemoryLimits>;
  /** What becomes of an entry that does not fit. @default refuse */
  readonly onFull?: 'refuse' | 'archive';
  /**
   * Who edits the files by hand. What documents say waits for the person. @default document where the folder lies in a
   * checkout, else person
   */
  readonly editor?: MemorySource;
  /** Milliseconds since 1970. @default Date.now */
  readonly clock?: () => number;
  /** How processes wait for each other. */
  readonly lock?: LockOptions;
}

/**
 * A memory. Each act first notes what was changed by hand in the files, and then changes files and store together. Every
 * member throws what the store and the files throw: STORE_BUSY, MEMORY_BUSY, FILE_UNREADABLE …
 */
export interface Memory {
  /** The project that it was opened for. */
  readonly project?: string;
  /** What a prompt shows; it never changes: take a new one with the next session or compression. */
  snapshot(): Promise<MemorySnapshot>;
  /** Does all operations on one file or none. */
  apply(operations: readonly MemoryOperation[], about: MemoryAbout): Promise<MemoryWritten>;
  /** Notes what was changed by hand; undefined where nothing was. Every other member does so too. */
  reconcile(): Promise<MemoryAct | undefined>;
  /**
   * For a program that may write to the files and is no person, such as a command of an agent: what is changed there until it is
   * released waits for the person, in every process, and the files are put back. What was changed before is noted first.
   */
  holdEdits(options: HoldOptions): Promise<EditHold>;
  /** What waits for the person, of this project and of everywhere. */
  pending(): Promise<readonly MemoryEntry[]>;
  /**
   * The person said yes to this very text: it goes into its file, if it fits, and its source is the person from now on.
   *
   * @throws STORE_CONFLICT where an entry that it would replace is not as it was when that was decided
   */
  approve(id: MemoryEntryId): Promise<MemoryWritten>;
  /** The person said no. @throws STORE_CONFLICT for what does not wait */
  reject(id: MemoryEntryId, reason?: string): Promise<MemoryAct>;
  /** Acts on entries of this project and of everywhere, the newest first. */
  history(options?: { readonly entry?: MemoryEntryId; readonly limit?: number }): Promise<readonly MemoryAct[]>;
  /** Takes an act back, in the files too. @throws STORE_CONFLICT where a later act changed an entry, or it does not fit */
  undo(id: MemoryActId, reason?: string): Promise<MemoryAct>;
  /** Takes an entry out of files, store and history for good. */
  forget(id: MemoryEntryId): Promise<void>;
  /** The live entry with a key: that of the project before that of everywhere. */
  fact(key: string): Promise<MemoryEntry | undefined>;
  /** The store's port, whose acts change the files as well: for whoever tidies up, such as a curator. */
  readonly entries: MemoryStore;
  /** The files as a tool takes them, such as `createMemoryTool`; what it writes comes here. */
  files(options?: WriterOptions): MemoryFiles;
}

/** What is held back while a program runs. */
export interface EditHold {
  /** What runs, as a person is told of it: in one line, and without credentials. */
  readonly by: string;
  /** When the program has ended: takes out of the files what was written there, and says what waits by that. */
  release(): Promise<HeldChanges>;
}

/**
 * Opens a memory. Nothing is made or read yet. @throws BAD_OPTION
 *
 * @example
 * import { createMemory } from '@palimpsest/core/memory';
 * import { openStore } from '@palimpsest/core/store';
 * await using store = await openStore({ path: 'store.db' });
 * const memory = createMemory({ store, folder: 'memories', project: process.cwd() });
 * const add = { action: 'add', content: 'Answers in British English.' } as const;
 * await memory.apply([add], { actor: 'person', source: 'person', target: 'user' });
 * const { text } = await memory.snapshot();
 */
export function createMemory(options: MemoryOptions): Memory {
  const writing = writingOf(options);
  const { acting, check } = writing;
  const { memory } = acting.store;
  const { project } = acting;
  const list = (status: MemoryEntry['status']): Promise<readonly MemoryEntry[]> =>
    memory.list({ status: [status], project: project ?? null });
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => inOrder(acting, work);
  const act = async (draft: MemoryActDraft, expected?: readonly MemoryEntry[]): Promise<MemoryAct> =>
    requireDone(await commit(acting, draft, expected));
  const undo: MemoryStore['undo'] = (id, by) => inTurn(async () => requireDone(await takeBack(acting, id, by)));
  const forget = (id: MemoryEntryId): Promise<void> => inTurn(() => forgetEntry(acting, id));
  const apply: Memory['apply'] = (operations, about) => inTurn(() => write(writing, operations, about));
  const snapshot = (): Promise<MemorySnapshot> =>
    inTurn(async () => {
      const live = await list('live');
      const waiting = new Set((await list('pending')).map(({ text }) => text));
      for (const { text } of live) waiting.delete(text);
      const confirmed = new Set(live.flatMap(({ text, confirmedAt }) => (confirmedAt === undefined ? [] : [text])));
      const refusal = (text: string): Refusal | undefined =>
        confirmed.has(text) ? exceptCredentials(check(text)) : check(text);
      const sections: SnapshotSection[] = [];
      for (const place of acting.places.own) sections.push(await sectionAt(writing, place));
      return renderSnapshot(sections, (text) => (waiting.has(text) ? notConfirmed : refusal(text)));
    });
  return {
    ...(project === undefined ? {} : { project }),
    snapshot,
    apply,
    reconcile: () => inOrder(acting, async (edited) => edited),
    holdEdits: async (by) => {
      const hold = await beginHold(acting, by);
      return { by: hold.by, release: () => endHold(acting, hold) };
    },
    pending: () => inTurn(() => list('pending')),
    approve: (id) => inTurn(() => approve(writing, id)),
    reject: (id, reason) => inTurn(() => reject(acting, id, reason)),
    history: (wanted) => inTurn(() => ownHistory(acting, wanted)),
    undo: (id, reason = 'The person took it back.') => undo(id, { actor: 'person', reason }),
    forget,
    fact: (key) => inTurn(() => factWith(acting, key)),
    entries: { ...memory, act: (draft, expected) => inTurn(() => act(draft, expected)), undo, forget },
    files: (given = {}) => filesOver({ folder: options.folder, check, apply, snapshot, writing }, given),
  };
}

const notConfirmed: Refusal = { reason: 'it came with the folder and waits for the person to confirm it' };

function writingOf(options: MemoryOptions): Writing {
  checkKnownOptions<MemoryOptions>('createMemory', options, {
    store: { expected: 'an open store', holds: isStore, isNeeded: true },
    folder: { ...aText, isNeeded: true },
    project: aText,
    check: aFunction,
    limits: true,
    onFull: anEnum(['refuse', 'archive']),
    editor: anEnum(memorySources),
    clock: aFunction,
    lock: true,
  });
  const { store, folder, project, check = scanned, onFull = 'refuse', clock = Date.now, lock = {} } = options;
  const limits = { ...defaultMemoryLimits, ...options.limits };
  const places = openPlaces({ folder, check: (text) => withoutDoubt(check(text)), limits, onFull, lock }, project);
  const editor = options.editor ?? (isInCheckout(folder) ? 'document' : 'person');
  const acting: Acting = { store, folder, project, places, editor, clock, lock };
  return { acting, limits, onFull, check };
}

const isStore = (value: unknown): boolean => isJsonObject(value) && 'memory' in value && 'meta' in value;

/** What the person confirmed word by word is shown, whatever it looks like; a credential never is. */
const exceptCredentials = (refusal: Refusal | undefined): Refusal | undefined =>
  !refusal?.findings || refusal.findings.includes('credential') ? refusal : undefined;

/** Nothing in which a threat is found. */
function scanned(text: string): Refusal | undefined {
  const threats = scanMemory(text);
  if (threats.length === 0) return undefined;
  const reason = `it has ${[...new Set(threats.map(({ what }) => what))].join(', ')}`;
  const findings = [...new Set(threats.map((threat) => threat.class))];
  const isDoubt = threats.every(({ grade }) => grade === 'quarantine');
  return { reason, findings, ...(isDoubt ? { unlessConfirmed: true } : {}) };
}

async function sectionAt(writing: Writing, place: Place): Promise<SnapshotSection> {
  const { entries } = await fileAt(writing, place);
  return {
    target: place.target,
    limit: writing.limits[place.target],
    entries: entries.map(({ text }) => text),
    ...(place.project === undefined ? {} : { title: `${projectName(place.project)} (your own notes on this project)` }),
  };
}

/** By key, that of the project first. */
async function factWith({ store, project }: Acting, key: string): Promise<MemoryEntry | undefined> {
  const found = await store.memory.list({ key: normaliseKey(key), project: project ?? null });
  return found.find((entry) => entry.project === project) ?? found[0];
}

/** Acts that changed entries of another project tell what is in it. */
async function ownHistory(
  { store, project }: Acting,
  { entry, limit = Number.POSITIVE_INFINITY }: { readonly entry?: MemoryEntryId; readonly limit?: number } = {},
): Promise<readonly MemoryAct[]> {
  const acts = await store.memory.history(entry === undefined ? {} : { entry });
  const isOwn = ({ after }: MemoryAct['changes'][number]): boolean =>
    after.project === undefined || after.project === project;
  return acts.filter(({ changes }) => changes.every(isOwn)).slice(0, limit);
}

/** Texts that it had before may stand in the archive. */
async function forgetEntry(acting: Acting, id: MemoryEntryId): Promise<void> {
  const { memory } = acting.store;
  const entry = await memory.get(id);
  const acts = await memory.history({ entry: id });
  const texts = new Set(
    acts
      .flatMap(({ changes }) => changes.map(({ after }) => after))
      .flatMap((one) => (one.id === id ? [one.text] : [])),
  );
  if (entry) {
    const place = placeOf(entry);
    const files = acting.places.files(place);
    for (const { text } of (await files.read(place.target)).entries)
      if (texts.has(text)) await files.apply(place.target, [{ action: 'remove', entry: { text } }]);
    dropLines(join(files.folder, archiveName), (line) => {
      const told = parseJson(line);
      return isJsonObject(told) && typeof told.text === 'string' && texts.has(told.text);
    });
  }
  await memory.forget(id);
}

/** An act that was asked for by its id has no room to be refused in words. */
function requireDone(done: Committed): MemoryAct {
  if (done.type === 'done') return done.act;
  const { refusal, place } = done;
  const why = refusal.type === 'full' ? `it would have ${refusal.needed} of ${refusal.limit} characters` : refusal.type;
  throw new PalimpsestError(
    'STORE_CONFLICT',
    `The memory was not changed: ${placeName(place)} does not take it (${why}).`,
    {
      evidence: { refusal: refusal.type },
    },
  );
}
