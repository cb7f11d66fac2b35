/** All texts in the folder of a memory, for a copy that is kept elsewhere. */
import { dirname, join } from 'node:path';
import { PalimpsestError } from '../../shared/errors.ts';
import { asideOf, foldersIn, makeFolder, namesIn, readSettled, writeNew } from './disk.ts';

/** The text of each file by its path below the folder, such as `USER.md` and `projects/app-1f2e3d4c/MEMORY.md`. */
export type MemoryTexts = ReadonlyMap<string, string>;

/**
 * Reads all Markdown files of a memory: those of the person, of everywhere and of every project, with what moved to an
 * archive. A file that is being written at this moment is read as it was or as it will be, never in between. Empty where
 * there is no folder.
 *
 * @throws FILE_UNREADABLE for a file that cannot be read, is a link, or is no UTF-8 text: a copy would lack it
 *
 * @example
 * import { readMemoryTexts, writeMemoryTexts } from '@palimpsest/core/memory';
 * writeMemoryTexts('memories-of-today', readMemoryTexts('memories'));
 */
export function readMemoryTexts(folder: string): MemoryTexts {
  const projects = foldersIn(join(folder, 'projects')).map((name) => `projects/${name}`);
  const paths = ['', ...projects].flatMap((inner) =>
    [...new Set(namesIn(join(folder, inner)).map(nameOf))]
      .filter((name) => /^[^.].*\.md$/.test(name))
      .map((name) => (inner === '' ? name : `${inner}/${name}`)),
  );
  return new Map(
    paths.sort().flatMap((path) => {
      const text = readSettled(join(folder, path))?.text;
      return text === undefined ? [] : [[path, text] as const];
    }),
  );
}

/** While a file is replaced, only the one that lies aside may have a name. */
const aside = asideOf('');
const nameOf = (name: string): string => (name.endsWith(aside) ? name.slice(0, -aside.length) : name);

/**
 * Writes texts that `readMemoryTexts` read into a folder, which is made, for its owner alone.
 *
 * @throws BAD_OPTION where the folder holds any file already: nothing is replaced
 */
export function writeMemoryTexts(folder: string, texts: MemoryTexts): void {
  if (namesIn(folder).length > 0) {
    const message = `The folder ${folder} is not empty. Nothing was written: name a folder that does not exist yet.`;
    throw new PalimpsestError('BAD_OPTION', message, { evidence: { path: folder } });
  }
  for (const [path, text] of texts) {
    makeFolder(dirname(join(folder, path)));
    writeNew(join(folder, path), text);
  }
}
