/** Both packages as they would be installed: what people run is built, and starts and warms up sooner than the sources. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runNode } from './kit.ts';
import { root } from './options.ts';

/** Below a folder of `installedPackages`: the command line. */
export const commandPath = 'node_modules/palimpsest/cli/main.js';

/** A new folder below that for temporary files; `isBuilt` takes packages/*\/dist as they are, else they are built first. */
export async function installedPackages({ isBuilt = false }: { readonly isBuilt?: boolean } = {}): Promise<string> {
  if (!isBuilt) {
    const { code, printed } = await runNode([join(root, 'scripts/build.ts')]);
    if (code !== 0) throw new Error(`expected the build to end with 0, it ended with ${code}: ${printed.slice(-600)}`);
  }
  const place = mkdtempSync(join(tmpdir(), 'palimpsest-installed-'));
  const modules = join(place, 'node_modules');
  mkdirSync(join(modules, '@palimpsest'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules')))
    if (!name.startsWith('.') && !/^@?palimpsest$/.test(name))
      symlinkSync(join(root, 'node_modules', name), join(modules, name));
  for (const [name, at] of [
    ['core', '@palimpsest/core'],
    ['palimpsest', 'palimpsest'],
  ] as const) {
    const dist = join(root, 'packages', name, 'dist');
    if (!existsSync(join(dist, 'package.json'))) throw new Error(`expected ${dist}, found nothing: build it first`);
    cpSync(dist, join(modules, at), { recursive: true });
  }
  return place;
}
