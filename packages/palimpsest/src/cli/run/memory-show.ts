/** `palimpsest memory show`, `pending` and `history`: what is remembered, what waits, and how it came about. */
import { createMemory, type MemoryFile, scanMemory } from '@palimpsest/core/memory';
import type { MemoryEntry } from '@palimpsest/core/store';
import { clip, type Screen, styled } from '../../terminal/screen.ts';
import type { Call } from '../commands/build.ts';
import { entriesOf, entryWithId, type MemoryFlags, type OpenedMemory, openMemoryFor } from '../open-memory.ts';
import { numberOf } from '../option-values.ts';
import { actLines, actRow, entryLines, entryRow, fileRow, fullness, shownEntry } from '../render/memory-entries.ts';
import { linesOf, oneLine, shortPath } from '../render/text.ts';
import { writeResult } from '../terminal.ts';

interface ShowFlags extends MemoryFlags {
  readonly all?: boolean;
}

export async function runMemoryShow({ flags, terminal }: Call<ShowFlags>): Promise<void> {
  const opened = await openMemoryFor(flags, terminal);
  await using _store = opened.store;
  const entries = await entriesOf(opened, flags.all ? ['live', 'retired', 'rejected'] : ['live']);
  const waiting = await waitingIn(opened);
  const files = await filesIn(opened);
  const withheld = entries.filter((entry) => entry.status === 'live' && isWithheld(entry));
  await writeResult(terminal, {
    json: () => ({
      command: 'memory show',
      store: opened.path,
      folder: opened.folder,
      project: opened.project ?? null,
      files: files.map(({ file, project }) => ({ ...fileRow(file), project: project ?? null })),
      pending: waiting.map(waitingRow),
      entries: entries.map(entryRow),
      withheld: withheld.map(({ id }) => id),
    }),
    notes: opened.notes,
    remarks: linesOf(
      entries.length + waiting.length === 0 && 'nothing is remembered here yet: palimpsest memory add TEXT',
      withheld.length > 0 &&
        `${withheld.map(({ id }) => id).join(', ')}: kept from the model, because the scan finds something: palimpsest memory scan`,
    ),
    lines: (screen) => [
      ...waitingLines(waiting, screen),
      ...files.flatMap((one) => fileLines(one, entries, screen)),
      ...goneLines(entries, screen),
    ],
  });
}

/** The scan of a prompt leaves out what it finds, unless the person confirmed these very words. */
const isWithheld = ({ text, confirmedAt }: MemoryEntry): boolean =>
  scanMemory(text).some((threat) => confirmedAt === undefined || threat.class === 'credential');

interface ShownFile {
  readonly file: MemoryFile;
  readonly title: string;
  readonly project?: string;
}

/** The person's, the project's, and everybody's. */
async function filesIn({ memory, store, folder, project }: OpenedMemory): Promise<readonly ShownFile[]> {
  const everywhere = createMemory({ store, folder }).files();
  const user = { file: await everywhere.read('user'), title: 'about you' };
  const all = { file: await everywhere.read('memory'), title: 'everywhere' };
  if (project === undefined) return [user, all];
  const title = `this project (${oneLine(project.split(/[\\/]/).findLast(Boolean) ?? project)})`;
  return [user, { file: await memory.files().read('memory'), title, project }, all];
}

function fileLines(
  { file, title, project }: ShownFile,
  entries: readonly MemoryEntry[],
  screen: Screen,
): readonly string[] {
  const here = entries.filter(
    (entry) =>
      entry.status === 'live' && entry.target === file.target && (file.target === 'user' || entry.project === project),
  );
  if (here.length === 0) return [];
  const head = styled(title, 'bold', screen);
  const about = styled(`${oneLine(shortPath(file.path))}, ${fullness(file)}`, 'dim', screen);
  return [`${head}  ${about}`, ...here.flatMap((entry) => entryLines(entry, screen)), ''];
}

function goneLines(entries: readonly MemoryEntry[], screen: Screen): readonly string[] {
  const gone = entries.filter(({ status }) => status !== 'live');
  if (gone.length === 0) return [];
  return [styled('no longer remembered', 'bold', screen), ...gone.flatMap((entry) => entryLines(entry, screen)), ''];
}

// What waits for the person.

/** An entry that waits, and those in whose place it would stand. */
interface Waiting {
  readonly entry: MemoryEntry;
  readonly replaced: readonly MemoryEntry[];
}

async function waitingIn({ memory }: OpenedMemory): Promise<readonly Waiting[]> {
  const found: Waiting[] = [];
  for (const entry of await memory.pending()) {
    const replaced = await Promise.all(entry.replaces.map((id) => memory.entries.get(id)));
    found.push({ entry, replaced: replaced.filter((one) => one !== undefined) });
  }
  return found;
}

/** A removal is kept as an entry that says again what it would remove. */
const isRemoval = ({ entry, replaced }: Waiting): boolean => replaced.some(({ text }) => text === entry.text);

const waitingRow = (waiting: Waiting): object => ({
  ...entryRow(waiting.entry),
  would: isRemoval(waiting) ? 'remove' : waiting.replaced.length > 0 ? 'replace' : 'add',
  replaced: waiting.replaced.map(entryRow),
});

function waitingLines(waiting: readonly Waiting[], screen: Screen): readonly string[] {
  if (waiting.length === 0) return [];
  const lines = waiting.flatMap((one) => {
    const { entry, replaced } = one;
    const names = replaced.map((old) => `${old.id} (${clip(oneLine(shownEntry(old)), 60)})`).join(', ');
    const what = isRemoval(one) ? `would remove ${replaced.map(({ id }) => id).join(', ')}` : `would replace ${names}`;
    return entryLines(entry, screen, replaced.length > 0 ? [what] : []);
  });
  const how = styled('palimpsest memory approve ID, or reject ID', 'dim', screen);
  return [`${styled('waits for you', 'yellow', screen)}  ${how}`, ...lines, ''];
}

export async function runMemoryPending({ flags, terminal }: Call<MemoryFlags>): Promise<void> {
  const opened = await openMemoryFor(flags, terminal);
  await using _store = opened.store;
  const waiting = await waitingIn(opened);
  await writeResult(terminal, {
    json: () => ({
      command: 'memory pending',
      store: opened.path,
      project: opened.project ?? null,
      pending: waiting.map(waitingRow),
    }),
    notes: opened.notes,
    remarks: linesOf(waiting.length === 0 && 'nothing waits for you'),
    lines: (screen) => waitingLines(waiting, screen),
  });
}

// What was done.

interface ActsFlags extends MemoryFlags {
  readonly limit?: string;
}

export async function runMemoryActs({ words: [id], flags, terminal }: Call<ActsFlags>): Promise<void> {
  const limit = numberOf(flags.limit ?? '20', { option: '--limit', from: 1 });
  const opened = await openMemoryFor(flags, terminal);
  await using _store = opened.store;
  if (id !== undefined) await entryWithId(opened, id);
  const found = await opened.memory.history({ ...(id === undefined ? {} : { entry: id }), limit: limit + 1 });
  const shown = found.slice(0, limit);
  const hasMore = found.length > limit;
  await writeResult(terminal, {
    json: () => ({
      command: 'memory history',
      store: opened.path,
      entry: id ?? null,
      acts: shown.map(actRow),
      hasMore,
    }),
    notes: opened.notes,
    remarks: linesOf(
      hasMore && `showing the last ${limit} acts: --limit N shows more`,
      shown.length === 0 && 'nothing was done yet',
    ),
    lines: (screen) => shown.flatMap((act) => actLines(act, screen)),
  });
}
