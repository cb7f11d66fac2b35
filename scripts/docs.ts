/** Writes docs/reference/ and the handoff of the guide from the code. With `--check` it writes nothing and fails when a page is stale. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { staleHandoffPage } from './reference/handoff-page.ts';
import { stalePages } from './reference/pages.ts';

const root = join(import.meta.dirname, '..');
const check = process.argv.includes('--check');
const stale = [...stalePages(), ...(await staleHandoffPage())];

for (const { path, text } of stale) {
  if (check) console.error(`${path} is not what the code says; run \`npm run docs\`.`);
  else {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    console.log(`wrote ${path}`);
  }
}
if (stale.length === 0) console.log('docs/reference and docs/guide/handoff.md are up to date');
if (check && stale.length > 0) process.exitCode = 1;
