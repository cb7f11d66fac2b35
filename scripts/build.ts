/**
 * Makes dist/, which is what the package ships: tsc emits modules and declarations, the rank tables are copied, and the
 * command line gets its executable bit. `npm pack` and `npm publish` run it first.
 */
import { spawnSync } from 'node:child_process';
import { chmod, cp, readdir, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const ranks = join('tokens', 'ranks');

await rm(dist, { recursive: true, force: true });
compile();
const tables = await copyRanks();
await chmod(join(dist, 'cli', 'main.js'), 0o755);
const files = await readdir(dist, { recursive: true });
console.log(`dist: ${files.length} files and folders, ${tables} rank tables`);

function compile(): void {
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
  const run = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
  if (run.status !== 0) throw new Error(`Expected tsc to pass; it ended with ${run.status ?? run.signal}. See above.`);
}

/** tsc emits neither the tables nor their declarations. */
async function copyRanks(): Promise<number> {
  const from = join(root, 'src', ranks);
  const names = (await readdir(from)).filter((name) => name.includes('.data.'));
  const tables = names.filter((name) => name.endsWith('.data.js'));
  if (tables.length === 0)
    throw new Error(`Expected rank tables in src/${ranks}, found none; run \`npm run prepare\`.`);
  for (const name of names) {
    await cp(join(from, name), join(dist, ranks, name));
    const { size } = await stat(join(dist, ranks, name));
    if (size === 0) throw new Error(`Expected ${name} to hold a table; it is empty. Run \`npm run prepare\`.`);
  }
  return tables.length;
}
