/** Files that hold what a person reads. `UPDATE_GOLDEN=1 npm test` writes them anew; look at the difference then. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Fails when the text is not what the file `test/<path>` holds. */
export function assertGolden(path: string, actual: string): void {
  const file = fileURLToPath(new URL(`../${path}`, import.meta.url));
  if (process.env.UPDATE_GOLDEN) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, actual);
    return;
  }
  assert.ok(existsSync(file), `${path} is missing: make it with UPDATE_GOLDEN=1`);
  assert.equal(actual, readFileSync(file, 'utf8'), `not what ${path} holds (UPDATE_GOLDEN=1 writes it anew)`);
}
