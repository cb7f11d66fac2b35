/** Memory providers of others: found in their folders, and loaded only when named. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { type ChosenProvider, chooseEngine, chooseMemoryProvider, pluginPlaces } from 'palimpsest';
import { inFolder } from '../../../support/command-line.ts';
import { stageOf } from '../stage.ts';

const manifest = (name: string, more: object = {}): string =>
  JSON.stringify({ name, version: '1.0.0', kind: 'memory_provider', palimpsest: '*', main: 'provider.mjs', ...more });

const module = (path: string): string =>
  `globalThis.loadedProviders = [...(globalThis.loadedProviders ?? []), ${JSON.stringify(path)}];
   export const createMemoryProvider = ({ name, settings }) => ({ name, recall: () => settings.says });`;

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

const plugin = (path: string, name: string, source = module(path)): Record<string, string> => ({
  [`${path}/plugin.json`]: manifest(name),
  [`${path}/provider.mjs`]: source,
});

const chooseIn = (folder: string, name: string, packages: readonly string[] = []): Promise<ChosenProvider> => {
  const places = pluginPlaces({ dataFolder: folder, trustedProject: undefined, packages });
  const settings = name === 'mem0' ? {} : { says: 'heron is for staging' };
  return chooseMemoryProvider({ name, places, settings, env: {} });
};

const loaded = (): readonly string[] => Reflect.get(globalThis, 'loadedProviders') ?? [];
const own = 'plugins/memory_provider';

describe('M3 a memory provider of others', () => {
  test('M3 is found in its folder, loaded only when named, and works in a conversation', () =>
    inFolder({}, async (folder) => {
      write(folder, { ...plugin(`${own}/mine`, 'mine'), ...plugin(`${own}/other`, 'other') });
      const { provider, from } = await chooseIn(folder, 'mine');
      assert.deepEqual([loaded(), from], [[`${own}/mine`], 'your plugins']);
      const { providers } = await stageOf(provider);
      assert.equal((await providers.recall('Which server is for staging?'))[0]?.text, 'heron is for staging');
    }));

  test('M3 does not take the place of one that ships with Palimpsest', () =>
    inFolder({}, async (folder) => {
      write(folder, plugin(`${own}/mem0`, 'mem0'));
      assert.equal((await chooseIn(folder, 'mem0')).from, 'built-in');
      assert.equal(loaded().includes(`${own}/mem0`), false);
    }));

  test('M3 may be a package that the configuration names', () =>
    inFolder({}, async (folder) => {
      write(folder, plugin('plugins/node_modules/packaged', 'packaged'));
      assert.equal((await chooseIn(folder, 'packaged', ['packaged'])).from, 'the package packaged');
      await assert.rejects(chooseIn(folder, 'packaged'), /Expected a memory provider \(supermemory, .*got "packaged"/);
    }));

  test('M3 that cannot be used is refused with the reason', () =>
    inFolder({}, async (folder) => {
      const broken: readonly [string, string, RegExp][] = [
        ['empty', 'export const other = 1;', /does not export a function createMemoryProvider/],
        ['late', 'export const createMemoryProvider = async () => ({});', /returned a promise/],
        ['nothing', 'export const createMemoryProvider = () => 3;', /returned no provider/],
        ['misnamed', "export const createMemoryProvider = () => ({ name: 'x' });", /does not call itself so/],
        ['throwing', "export const createMemoryProvider = () => { throw new Error('boom'); };", /failed: boom/],
        ['syntax', 'export const =', /failed to load/],
      ];
      for (const [name, source] of broken) write(folder, plugin(`${own}/${name}`, name, source));
      write(folder, { [`${own}/engine/plugin.json`]: manifest('engine', { kind: 'context_engine' }) });
      for (const [name, , reason] of broken) await assert.rejects(chooseIn(folder, name), reason, name);
      await assert.rejects(chooseIn(folder, 'engine'), /in a folder for memory providers/);
    }));

  test('M3 is no engine, also where its name is asked for as one', () =>
    inFolder({}, async (folder) => {
      write(folder, plugin('plugins/node_modules/packaged', 'packaged', 'throw new Error("must not run");'));
      const places = pluginPlaces({ dataFolder: folder, trustedProject: undefined, packages: ['packaged'] });
      const { name, problem } = await chooseEngine({ name: 'packaged', places });
      assert.deepEqual([name, problem], ['compressor', 'is not known']);
    }));
});
