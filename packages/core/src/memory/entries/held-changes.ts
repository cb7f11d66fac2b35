/**
 * What a program did to the files of the memory: it waits for the person, entry by entry, and the files are to be as they were. Pure.
 */
import type { MemoryActDraft, MemoryChange, MemoryDraft, MemoryEntry } from '../../store/memory-store.ts';
import { maxEntryChars } from '../files/entries.ts';
import { keyAfter, kindOf } from './drafts.ts';
import { isAt, placeName } from './places.ts';
import { pairsOf, type Shown } from './reconcile.ts';

export interface HeldInput {
  /** Files that hold for the same: those of everywhere, or those of one project. */
  readonly files: readonly Shown[];
  /** Entries of those files that are remembered, wait or were refused. */
  readonly entries: readonly MemoryEntry[];
  /** True where what waits stands in the files, since they came with a checkout. */
  readonly showsWaiting: boolean;
  /** What ran. */
  readonly by: readonly string[];
  readonly now: number;
}

/** What is to become of files that do not show what is remembered. */
export interface HeldWork {
  /** Absent where all of it waits already, or was refused. */
  readonly draft?: MemoryActDraft;
  readonly files: readonly HeldFile[];
}

export interface HeldFile extends Shown {
  /** What it shows again, whatever was written there by then. */
  readonly wanted: (found: readonly string[]) => readonly string[];
  /** Texts that are too many or too long to wait one by one. */
  readonly archived: readonly string[];
}

/** More new texts of one file are no notes: nobody looks through them one by one. */
const mostWaiting = 30;

/** Undefined where the files show what is remembered. */
export function heldWork(input: HeldInput): HeldWork | undefined {
  const all = input.files.map((file) => differenceOf(file, input));
  const different = all.filter(({ strange, missing }) => strange.size + missing.length > 0);
  if (different.length === 0) return undefined;
  const changes = different.flatMap((file) => changesOf(file, input));
  const files = different.map(({ place, texts, strange, live, pairs, archived }) => ({
    place,
    texts,
    archived,
    wanted: (found: readonly string[]) => restored(found, { live: live.map(({ text }) => text), strange, pairs }),
  }));
  if (changes.length === 0) return { files };
  const reason = `${reasonOf(different, input)} It waits for the person, and the files are as they were.`;
  return { files, draft: { actor: 'runtime', what: 'hold', reason, changes } };
}

interface Difference extends Shown {
  readonly live: readonly MemoryEntry[];
  /** Texts that no live entry has. */
  readonly strange: ReadonlySet<string>;
  readonly missing: readonly MemoryEntry[];
  readonly pairs: ReadonlyMap<string, MemoryEntry>;
  readonly archived: readonly string[];
}

function differenceOf({ place, texts }: Shown, { entries, showsWaiting }: HeldInput): Difference {
  const here = entries.filter((entry) => isAt(entry, place));
  const live = here.filter(({ status }) => status === 'live');
  const known = new Set(
    here.filter(({ status }) => status === 'live' || (showsWaiting && status === 'pending')).map(({ text }) => text),
  );
  const shown = new Set(texts);
  const strange = texts.filter((text) => !known.has(text));
  const missing = live.filter(({ text }) => !shown.has(text));
  const archived = strange.filter((text, at) => at >= mostWaiting || text.length > maxEntryChars);
  const kept = strange.filter((text) => !archived.includes(text));
  return { place, texts, live, strange: new Set(strange), missing, pairs: pairsOf(kept, missing), archived };
}

/** A removal is an entry that says what it would remove. */
function changesOf(file: Difference, input: HeldInput): readonly MemoryChange[] {
  const { place, pairs, strange, missing, archived } = file;
  const left = new Set(archived);
  const gone = new Set(pairs.values());
  const drafts = [
    ...[...strange].filter((text) => !left.has(text)).map((text) => draftOf(text, pairs.get(text), { file, input })),
    ...missing.filter((entry) => !gone.has(entry)).map((old) => draftOf(old.text, old, { file, input })),
  ];
  // What a build writes each time is asked for once.
  const decided = input.entries.filter(({ status }) => status === 'pending' || status === 'rejected');
  const known = decided.filter((entry) => isAt(entry, place));
  const isKnown = ({ text, replaces }: MemoryDraft): boolean =>
    known.some((entry) => entry.text === text && entry.replaces.join() === replaces.join());
  return drafts.filter((draft) => !isKnown(draft)).map((draft) => ({ type: 'add', draft }));
}

function draftOf(
  text: string,
  old: MemoryEntry | undefined,
  { file: { place }, input }: { readonly file: Difference; readonly input: HeldInput },
): MemoryDraft {
  const { target, project } = place;
  return {
    target,
    kind: old?.kind ?? kindOf({ target, text }),
    text,
    ...(old ? keyAfter(old, text) : {}),
    ...(project === undefined ? {} : { project }),
    source: old?.source === 'document' ? 'document' : 'outside-tool',
    messages: [],
    replaces: old ? [old.id] : [],
    statedAt: input.now,
    status: 'pending',
  };
}

function reasonOf(files: readonly Difference[], { by }: HeldInput): string {
  const sum = (count: (file: Difference) => number): number => files.reduce((all, file) => all + count(file), 0);
  const changed = sum(({ pairs }) => pairs.size);
  const archived = sum((file) => file.archived.length);
  const counts = [
    [changed, 'changed'],
    [sum(({ strange }) => strange.size) - changed - archived, 'new'],
    [sum(({ missing }) => missing.length) - changed, 'gone'],
    [archived, 'moved to ARCHIVE.jsonl, being too many or too long'],
  ] as const;
  const told = counts.flatMap(([count, what]) => (count > 0 ? `${count} ${what}` : [])).join(', ');
  const names = files.map(({ place }) => placeName(place)).join(', ');
  return `Entries changed while a command ran that may have written there (${namesOf(by)}): ${told} (${names}).`;
}

const mostNames = 3;

function namesOf(by: readonly string[]): string {
  const names = [...new Set(by)];
  const more = names.length > mostNames ? `; and ${names.length - mostNames} more` : '';
  return `${names.slice(0, mostNames).join('; ')}${more}`;
}

interface Restoring {
  /** Texts that are remembered, in the order in which they came. */
  readonly live: readonly string[];
  readonly strange: ReadonlySet<string>;
  readonly pairs: ReadonlyMap<string, MemoryEntry>;
}

/** A changed text is again what it was, where it stands; what is missing comes back behind the one that it stood behind. */
function restored(found: readonly string[], { live, strange, pairs }: Restoring): readonly string[] {
  const kept = found.flatMap((text) => pairs.get(text)?.text ?? (strange.has(text) ? [] : [text]));
  const texts = [...new Set(kept)];
  for (const [at, text] of live.entries()) {
    if (texts.includes(text)) continue;
    const before = live.slice(0, at).findLast((one) => texts.includes(one));
    texts.splice(before === undefined ? 0 : texts.indexOf(before) + 1, 0, text);
  }
  return texts;
}
