/**
 * What a person did to the files by hand, as an act: what stands in a file lives, and what is gone from it is retired. Pure.
 */
import type { MemoryActDraft, MemoryChange, MemoryDraft, MemoryEntry, MemorySource } from '../../store/memory-store.ts';
import { keyAfter, kindOf, lowestSource, wordLikeness } from './drafts.ts';
import { isAt, type Place, placeName } from './places.ts';

/** What a file shows. */
export interface Shown {
  readonly place: Place;
  readonly texts: readonly string[];
}

export interface ReconcileInput {
  readonly files: readonly Shown[];
  /** Every entry of those files, whatever its status. */
  readonly entries: readonly MemoryEntry[];
  /** Who edits the files: the person, or, where they lie in a checkout, whoever wrote what was checked out. */
  readonly editor: MemorySource;
  /** Texts of an act that a crash cut short: they are no hand's. */
  readonly cutShort: ReadonlyMap<string, MemorySource>;
  readonly now: number;
}

/** Less alike, they are two entries: one that came and one that went. */
const leastLikeness = 0.5;

/** The act that makes the entries agree with the files; undefined where they do. */
export function reconcileAct(input: ReconcileInput): MemoryActDraft | undefined {
  const work: Work = { input, files: input.files.map((file) => differenceOf(file, input)), changes: [], told: [] };
  for (const take of [takePending, takeMoved, takeReturned, takeChanged, takeNewAndGone])
    for (const file of work.files) take(work, file);
  return actOf(work);
}

/** A file, and what does not agree in it. */
interface Difference extends Shown {
  /** Texts that no live entry has. */
  strange: readonly string[];
  /** Live entries that the file does not show. */
  missing: readonly MemoryEntry[];
}

interface Work {
  readonly input: ReconcileInput;
  readonly files: readonly Difference[];
  readonly changes: MemoryChange[];
  /** A word for each entry that was changed. */
  readonly told: string[];
}

const isForeign = ({ editor }: ReconcileInput): boolean => editor !== 'person';

function differenceOf({ place, texts }: Shown, input: ReconcileInput): Difference {
  const here = input.entries.filter((entry) => isAt(entry, place));
  const live = here.filter(({ status }) => status === 'live');
  // What a checkout brought waits in the file for the person.
  const waiting = here.filter(({ status }) => status === 'pending' && isForeign(input));
  const known = new Set([...live, ...waiting].map(({ text }) => text));
  const shown = new Set(texts);
  return {
    place,
    texts,
    strange: texts.filter((text) => !known.has(text)),
    missing: live.filter(({ text }) => !shown.has(text)),
  };
}

/** A person who writes down what waits for a yes has said it. */
function takePending(work: Work, file: Difference): void {
  const { cutShort, now } = work.input;
  file.strange = file.strange.filter((text) => {
    const waiting = isForeign(work.input) || cutShort.has(text) ? undefined : entryOf(work, file, [text, 'pending']);
    if (!waiting) return true;
    set(work, waiting, { status: 'live', source: 'person', confirmedAt: now, statedAt: now });
    work.told.push('confirmed');
    return false;
  });
}

/** What went from one file and came into another is the same entry, and says no more than before who said it. */
function takeMoved(work: Work, file: Difference): void {
  file.strange = file.strange.filter((text) => {
    const from = work.files.find(({ missing }) => missing.some((entry) => entry.text === text));
    const moved = from?.missing.find((entry) => entry.text === text);
    if (!from || !moved) return true;
    from.missing = from.missing.filter((entry) => entry !== moved);
    const { id, createdAt, updatedAt, project, ...rest } = moved;
    add(work, file, { ...rest, replaces: [id] });
    set(work, moved, { status: 'retired' });
    work.told.push('moved');
    return false;
  });
}

/** What was known before is not new: it comes back as what it was. A checkout brings nothing back without a yes. */
function takeReturned(work: Work, file: Difference): void {
  const status = isForeign(work.input) ? 'pending' : 'live';
  file.strange = file.strange.filter((text) => {
    const old = entryOf(work, file, [text, 'retired']) ?? entryOf(work, file, [text, 'rejected']);
    if (!old) return true;
    set(work, old, { status, ...withoutTakenKey(work, old) });
    work.told.push('back');
    return false;
  });
}

function takeChanged(work: Work, file: Difference): void {
  const pairs = pairsOf(file.strange, file.missing);
  for (const [text, old] of pairs) {
    const draft = draftOf(work, file, text);
    add(work, file, { ...draft, kind: old.kind, ...keyAfter(old, text), replaces: [old.id] });
    set(work, old, { status: 'retired' });
    work.told.push('changed');
  }
  const gone = new Set(pairs.values());
  file.strange = file.strange.filter((text) => !pairs.has(text));
  file.missing = file.missing.filter((entry) => !gone.has(entry));
}

/** Texts that came, each with the entry that went of which it is another version: the most alike first. */
export function pairsOf(came: readonly string[], went: readonly MemoryEntry[]): ReadonlyMap<string, MemoryEntry> {
  const all = came.flatMap((text) => went.map((old) => ({ text, old, likeness: wordLikeness(text, old.text) })));
  const pairs = new Map<string, MemoryEntry>();
  const taken = new Set<MemoryEntry>();
  for (const { text, old, likeness } of all.sort((a, b) => b.likeness - a.likeness)) {
    if (likeness < leastLikeness || pairs.has(text) || taken.has(old)) continue;
    pairs.set(text, old);
    taken.add(old);
  }
  return pairs;
}

function takeNewAndGone(work: Work, file: Difference): void {
  for (const text of file.strange) add(work, file, draftOf(work, file, text));
  for (const entry of file.missing) set(work, entry, { status: 'retired' });
  work.told.push(...file.strange.map(() => 'new'), ...file.missing.map(() => 'gone'));
}

function actOf({ input, changes, told }: Work): MemoryActDraft | undefined {
  if (changes.length === 0) return undefined;
  const counts = [...new Set(told)].map((what) => `${told.filter((one) => one === what).length} ${what}`).join(', ');
  const names = input.files.map(({ place }) => placeName(place)).join(', ');
  const how = isForeign(input) ? 'came with the checkout that the files lie in' : 'changed by hand';
  return { actor: 'file', what: 'edit', reason: `Entries ${how}: ${counts} (${names}).`, changes };
}

function draftOf({ input }: Work, { place }: Difference, text: string): MemoryDraft {
  const { editor, cutShort, now } = input;
  const written = cutShort.get(text);
  return {
    target: place.target,
    kind: kindOf({ target: place.target, text }),
    text,
    source: written === undefined ? editor : lowestSource([editor, written]),
    messages: [],
    replaces: [],
    statedAt: now,
    status: isForeign(input) && written === undefined ? 'pending' : 'live',
  };
}

function add({ changes }: Work, { place: { target, project } }: Difference, draft: MemoryDraft): void {
  changes.push({ type: 'add', draft: { ...draft, target, ...(project === undefined ? {} : { project }) } });
}

function set({ changes }: Work, { id }: MemoryEntry, values: Partial<MemoryDraft>): void {
  changes.push({ type: 'set', id, values });
}

/** The newest one. */
const entryOf = (
  { input }: Work,
  { place }: Difference,
  [text, status]: readonly [string, MemoryEntry['status']],
): MemoryEntry | undefined =>
  input.entries.findLast((entry) => entry.status === status && entry.text === text && isAt(entry, place));

/** The store takes away what is given as undefined. */
function withoutTakenKey({ input }: Work, { key, project }: MemoryEntry): object {
  const isTaken = input.entries.some(
    (one) => one.status === 'live' && key !== undefined && one.key === key && one.project === project,
  );
  return isTaken ? { key: undefined, value: undefined } : {};
}
