/** The text of an entry in the form in which it is compared. */
import type { MemoryEntry } from '../../store/memory-store.ts';

/** Full-width letters and digits, half-width kana, spaces: signs that end a clause stay as they are, and no space follows them. */
const otherForms = /[\u00a0\u3000\uff05\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff66-\uff9f]+/g;

/** The text in one form of its letters, without the name of its project in front. */
export function plainText({ text, project }: MemoryEntry): string {
  const normal = text
    .normalize()
    .replaceAll(otherForms, (run) => run.normalize('NFKC'))
    .trim();
  if (project === undefined) return normal;
  const name = project.split(/[\\/]/).at(-1) ?? project;
  return normal.toLowerCase().startsWith(`${name.toLowerCase()}:`) ? normal.slice(name.length + 1).trim() : normal;
}

/** Characters as wide as they are read: one of Han says as much as two or three letters. */
export function widthOf(text: string): number {
  let width = 0;
  for (const sign of text) width += /[\u2e80-\ud7ff\uf900-\ufaff\uff00-\uffef]/.test(sign) ? 2.5 : 1;
  return width;
}
