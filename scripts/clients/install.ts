/** Installs the program of a client once, into the cache of the person: nothing of it becomes a dependency. */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { run } from '../optional.ts';
import type { Client } from './client.ts';

/** Where a client is, or would be. */
export function clientFolder({ package: name, version }: Pick<Client, 'package' | 'version'>): string {
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  return join(cache, 'palimpsest', 'clients', `${name.replace('/', '+')}@${version}`);
}

/** Installs it unless it is there, and gives its `node_modules`. Install scripts do not run. Throws where npm fails. */
export function installClient(client: Pick<Client, 'package' | 'version'>): string {
  const folder = clientFolder(client);
  if (existsSync(folder)) return join(folder, 'node_modules');
  // Beside it first, so that an install that was broken off is not taken for a whole one.
  const half = `${folder}.${process.pid}`;
  mkdirSync(half, { recursive: true });
  writeFileSync(join(half, 'package.json'), '{ "private": true }\n');
  const wanted = `${client.package}@${client.version}`;
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--save-exact', wanted];
  const status = run('npm', { args, cwd: half });
  if (status !== 0) {
    rmSync(half, { recursive: true, force: true });
    throw new Error(`Expected npm install ${wanted} to pass; it ended with ${status}. See above.`);
  }
  renameSync(half, folder);
  return join(folder, 'node_modules');
}
