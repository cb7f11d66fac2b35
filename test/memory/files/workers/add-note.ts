/** Adds a note, and tells what came of it: `node add-note.ts FOLDER CHARACTERS`. */
import { openMemoryFiles } from '../../../../packages/core/src/memory/files/memory-files.ts';
import { PalimpsestError } from '../../../../packages/core/src/shared/errors.ts';

const [folder = '', characters = '0'] = process.argv.slice(2);
const files = openMemoryFiles({ folder, check: () => undefined, limits: { memory: 1_000_000 } });
try {
  const { type } = await files.apply('memory', [{ action: 'add', content: 'x'.repeat(Number(characters)) }]);
  process.stdout.write(type);
} catch (error) {
  process.stdout.write(PalimpsestError.isInstance(error) ? error.code : String(error));
}
