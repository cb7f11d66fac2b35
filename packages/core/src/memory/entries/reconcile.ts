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
  const work = new Reconciling(input);
  for (const file of input.files) work.takePending(file);
  for (const file of input.files) work.takeMoved(file);
  for (const file of input.files) work.takeReturned(file);
  for (const file of input.files) work.takeChanged(file);
  for (const file of input.files) work.takeNewAndGone(file);
  return work.act();
}

class Reconciling {
  readonly #input: ReconcileInput;
  readonly #changes: MemoryChange[] = [];
  readonly #told: string[] = [];
  /** Texts of each file that no live entry has, and live entries that their file does not show. */
  readonly #strange = new Map<Shown, string[]>();
  readonly #missing = new Map<Shown, MemoryEntry[]>();

  constructor(input: ReconcileInput) {
    this.#input = input;
    for (const file of input.files) {
      const here = input.entries.filter((entry) => isAt(entry, file.place));
      const live = here.filter(({ status }) => status === 'live');
      const known = new Set(live.map(({ text }) => text));
      const shown = new Set(file.texts);
      // What a checkout brought waits in the file for the person.
      const waiting = here.filter(({ status }) => status === 'pending' && this.#isForeign);
      for (const { text } of waiting) known.add(text);
      this.#strange.set(
        file,
        file.texts.filter((text) => !known.has(text)),
      );
      this.#missing.set(
        file,
        live.filter(({ text }) => !shown.has(text)),
      );
    }
  }

  get #isForeign(): boolean {
    return this.#input.editor !== 'person';
  }

  /** A person who writes down what waits for a yes has said it. */
  takePending(file: Shown): void {
    this.#takeStrange(file, (text) => {
      if (this.#isForeign || this.#input.cutShort.has(text)) return false;
      const waiting = this.#entryOf(file, text, 'pending');
      if (!waiting) return false;
      const now = this.#input.now;
      this.#set(waiting, { status: 'live', source: 'person', confirmedAt: now, statedAt: now });
      this.#told.push('1 confirmed');
      return true;
    });
  }

  /** What went from one file and came into another is the same entry, and says no more than before who said it. */
  takeMoved(file: Shown): void {
    this.#takeStrange(file, (text) => {
      for (const missing of this.#missing.values()) {
        const at = missing.findIndex((entry) => entry.text === text);
        const [moved] = at === -1 ? [] : missing.splice(at, 1);
        if (!moved) continue;
        const { id, createdAt, updatedAt, project, ...rest } = moved;
        this.#add(file, { ...rest, replaces: [id] });
        this.#set(moved, { status: 'retired' });
        this.#told.push('1 moved');
        return true;
      }
      return false;
    });
  }

  /** What was known before is not new: it comes back as what it was. */
  takeReturned(file: Shown): void {
    this.#takeStrange(file, (text) => {
      const old = this.#entryOf(file, text, 'retired') ?? this.#entryOf(file, text, 'rejected');
      if (!old) return false;
      this.#set(old, { status: 'live', ...this.#withoutTakenKey(old) });
      this.#told.push('1 back');
      return true;
    });
  }

  /** Pairs of what came and what went, the most alike first. */
  takeChanged(file: Shown): void {
    const [strange, missing] = [this.#strange.get(file) ?? [], this.#missing.get(file) ?? []];
    const pairs = strange.flatMap((text) =>
      missing.map((old) => ({ text, old, likeness: wordLikeness(text, old.text) })),
    );
    const taken = new Set<unknown>();
    for (const { text, old, likeness } of pairs.sort((a, b) => b.likeness - a.likeness)) {
      if (likeness < leastLikeness || taken.has(text) || taken.has(old)) continue;
      taken.add(text).add(old);
      this.#add(file, { ...this.#written(file, text), kind: old.kind, ...keyAfter(old, text), replaces: [old.id] });
      this.#set(old, { status: 'retired' });
      this.#told.push('1 changed');
    }
    this.#strange.set(
      file,
      strange.filter((text) => !taken.has(text)),
    );
    this.#missing.set(
      file,
      missing.filter((entry) => !taken.has(entry)),
    );
  }

  takeNewAndGone(file: Shown): void {
    for (const text of this.#strange.get(file) ?? []) {
      this.#add(file, this.#written(file, text));
      this.#told.push('1 new');
    }
    for (const entry of this.#missing.get(file) ?? []) {
      this.#set(entry, { status: 'retired' });
      this.#told.push('1 gone');
    }
  }

  act(): MemoryActDraft | undefined {
    if (this.#changes.length === 0) return undefined;
    const counts = new Map<string, number>();
    for (const one of this.#told) counts.set(one.slice(2), (counts.get(one.slice(2)) ?? 0) + 1);
    const told = [...counts].map(([what, count]) => `${count} ${what}`).join(', ');
    const names = this.#input.files.map(({ place }) => placeName(place)).join(', ');
    const how = this.#isForeign ? 'came with the checkout that the files lie in' : 'changed by hand';
    return { actor: 'file', what: 'edit', reason: `Entries ${how}: ${told} (${names}).`, changes: this.#changes };
  }

  #takeStrange(file: Shown, take: (text: string) => boolean): void {
    this.#strange.set(
      file,
      (this.#strange.get(file) ?? []).filter((text) => !take(text)),
    );
  }

  #written(file: Shown, text: string): MemoryDraft {
    const { editor, cutShort, now } = this.#input;
    const source = lowestSource([editor, ...[cutShort.get(text)].filter((one) => one !== undefined)]);
    const { target } = file.place;
    return {
      target,
      kind: kindOf({ target, text }),
      text,
      source,
      messages: [],
      replaces: [],
      statedAt: now,
      status: this.#isForeign && !cutShort.has(text) ? 'pending' : 'live',
    };
  }

  #add({ place }: Shown, draft: MemoryDraft): void {
    const { target, project } = place;
    this.#changes.push({ type: 'add', draft: { ...draft, target, ...(project === undefined ? {} : { project }) } });
  }

  #set({ id }: MemoryEntry, values: Partial<MemoryDraft>): void {
    this.#changes.push({ type: 'set', id, values });
  }

  /** The newest one. */
  #entryOf({ place }: Shown, text: string, status: MemoryEntry['status']): MemoryEntry | undefined {
    return this.#input.entries.findLast(
      (entry) => entry.status === status && entry.text === text && isAt(entry, place),
    );
  }

  /** The store takes away what is given as undefined. */
  #withoutTakenKey({ key, project }: MemoryEntry): object {
    const isTaken = this.#input.entries.some(
      (one) => one.status === 'live' && key !== undefined && one.key === key && one.project === project,
    );
    return isTaken ? { key: undefined, value: undefined } : {};
  }
}
