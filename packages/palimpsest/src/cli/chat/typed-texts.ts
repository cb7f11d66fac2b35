/** What a person has typed, for the arrow keys of the next day: a file of lines, the newest of this project first. */
import { appendFile, chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isJsonObject, parseJson } from '@palimpsest/core/settings';

/** Texts that were typed before. */
export interface TypedTexts {
  /** The oldest first. */
  readonly entries: readonly string[];
  /** Keeps a text, without the credentials that are recognised in it. Never throws: nobody stops working for it. */
  add(text: string): Promise<void>;
}

interface Entry {
  readonly project: string;
  readonly text: string;
}

/** Of all projects; half of it goes when there is more. */
const mostKept = 2_000;
/** Of one project. */
const mostShown = 200;
/** A longer text is a document, which nobody looks for with the arrow keys. */
const longest = 5_000;

/** Reads the file, which need not be there. Lines that are none are passed over. */
export async function openTypedTexts(path: string | undefined, project: string): Promise<TypedTexts> {
  if (path === undefined) return { entries: [], add: async () => undefined };
  const all = await readEntries(path);
  const own = all.filter((entry) => entry.project === project).slice(-mostShown);
  let size = all.length;
  let last = own.at(-1)?.text;
  return {
    entries: own.map(({ text }) => text),
    async add(text) {
      // Loaded here: the editor stands before the library is there.
      const { redact } = await import('@palimpsest/core');
      const kept = redact(text);
      if (kept === last || kept.length > longest || kept.trim() === '') return;
      last = kept;
      size++;
      try {
        await mkdir(dirname(path), { recursive: true });
        await appendFile(path, `${JSON.stringify({ project, text: kept })}\n`, { mode: 0o600 });
        if (size > mostKept) size = await halve(path);
      } catch {
        // A full disk must not cost a turn.
      }
    },
  };
}

async function readEntries(path: string): Promise<readonly Entry[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const value = line === '' ? undefined : parseJson(line);
    if (!isJsonObject(value)) return [];
    const { project, text: said } = value;
    return typeof project === 'string' && typeof said === 'string' ? [{ project, text: said }] : [];
  });
}

async function halve(path: string): Promise<number> {
  const kept = (await readEntries(path)).slice(-mostKept / 2);
  const next = `${path}.next`;
  await writeFile(next, kept.map((entry) => `${JSON.stringify(entry)}\n`).join(''), { mode: 0o600 });
  await chmod(next, 0o600);
  await rename(next, path);
  return kept.length;
}
