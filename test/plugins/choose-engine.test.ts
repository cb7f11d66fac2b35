/** From the name in `context.engine` to the engine of a session. */
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import type { Message } from '@palimpsest/core';
import { expandSession } from '@palimpsest/core/search';
import { chooseEngine, createPluginRegistry, type EngineHost, pluginPlaces } from 'palimpsest';
import { runtimeOver, system, tokenizer, user, withStore, work } from '../conversation/agent.ts';
import { inFolder } from '../support/command-line.ts';

const manifest = (name: string, more: object = {}): string =>
  JSON.stringify({ name, version: '1.2.3', kind: 'context_engine', palimpsest: '*', main: 'engine.mjs', ...more });

const module = (name: string): string =>
  `globalThis.loaded = [...(globalThis.loaded ?? []), ${JSON.stringify(name)}];
   export const createEngine = ({ name, options }) => ({ name, compress: async (list) => list, options });`;

/** Files of plugins, by their path in a data folder. */
function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

const plugin = (path: string, name: string, more: object = {}): Record<string, string> => ({
  [`${path}/plugin.json`]: manifest(name, more),
  [`${path}/engine.mjs`]: module(path),
});

const placesIn = (
  folder: string,
  { packages = [] as string[], trustedProject = undefined as string | undefined } = {},
) => pluginPlaces({ dataFolder: folder, trustedProject, packages });

const own = 'plugins/context_engine';

/** The modules that have run, by the path in their folder. */
const loaded = (): readonly string[] => Reflect.get(globalThis, 'loaded') ?? [];

describe('E3 the engine', () => {
  test('E3 comes from its folder, then from the registry, then from what ships', () =>
    inFolder({}, async (folder) => {
      write(folder, { ...plugin(`${own}/mine`, 'mine'), ...plugin(`${own}/other`, 'other') });
      const registry = createPluginRegistry();
      registry.registerContextEngine({
        name: 'mine',
        create: () => ({ name: 'mine', compress: async (list) => list }),
      });
      registry.registerContextEngine({
        name: 'yours',
        create: () => ({ name: 'yours', compress: async (list) => list }),
      });
      const from = async (name: string): Promise<readonly unknown[]> => {
        const { engine, ...chosen } = await chooseEngine({ name, places: placesIn(folder), registry });
        return [chosen.name, chosen.from, chosen.warning, engine?.('session-1').name];
      };
      assert.deepEqual(await from('mine'), ['mine', 'plugins/context_engine', undefined, 'mine']);
      assert.deepEqual(await from('yours'), ['yours', 'the plugin registry', undefined, 'yours']);
      assert.deepEqual(await from('compressor'), ['compressor', 'built-in', undefined, undefined]);
      // What was not named was not run.
      assert.ok(loaded().includes(`${own}/mine`));
      assert.ok(!loaded().includes(`${own}/other`));
    }));

  test('E3 that nobody knows leaves the built-in one, with a warning', () =>
    inFolder({}, async (folder) => {
      const { warning, ...chosen } = await chooseEngine({ name: 'typo', places: placesIn(folder) });
      assert.deepEqual(chosen, { name: 'compressor', from: 'built-in', problem: 'is not known' });
      assert.match(warning ?? '', /"typo" is not known; "compressor" is used instead/);
      for (const name of ['../mine', '..', 'a/b', '']) {
        assert.equal((await chooseEngine({ name, places: placesIn(folder) })).name, 'compressor');
      }
    }));

  test('E3 of a project is only looked for where the project is trusted', () =>
    inFolder({}, async (folder) => {
      write(folder, plugin(`app/.palimpsest/${own}/ofproject`, 'ofproject'));
      const project = join(folder, 'app');
      const distrusted = await chooseEngine({ name: 'ofproject', places: placesIn(folder) });
      assert.deepEqual([distrusted.name, loaded().some((path) => path.includes('ofproject'))], ['compressor', false]);
      const trusted = await chooseEngine({ name: 'ofproject', places: placesIn(folder, { trustedProject: project }) });
      assert.deepEqual([trusted.name, trusted.warning], ['ofproject', undefined]);
    }));

  test('E3 comes from a package that was named, and from no other', () =>
    inFolder({}, async (folder) => {
      const source = `export const register = (registry) => {
        for (const name of ['first', 'second']) registry.registerContextEngine({ name, create: () => ({ compress: async (list) => list }) });
      };`;
      write(folder, {
        'plugins/node_modules/@some/engines/plugin.json': manifest('engines', { kind: 'general' }),
        'plugins/node_modules/@some/engines/engine.mjs': source,
        ...plugin('plugins/node_modules/unnamed', 'second'),
      });
      const { name, from } = await chooseEngine({
        name: 'second',
        places: placesIn(folder, { packages: ['@some/engines'] }),
      });
      assert.deepEqual([name, from], ['second', 'the plugin registry']);
      assert.equal((await chooseEngine({ name: 'second', places: placesIn(folder) })).name, 'compressor');
      const absolute = placesIn(folder, { packages: [join(folder, 'plugins/node_modules/@some/engines')] });
      assert.equal((await chooseEngine({ name: 'first', places: absolute })).name, 'first');
      const lost = await chooseEngine({ name: 'first', places: placesIn(folder, { packages: ['nowhere', '../up'] }) });
      assert.match(lost.warning ?? '', /no plugin\.json in .*nowhere.*plugins\.packages expects names of packages/);
    }));

  const broken: readonly (readonly [string, Record<string, string>, RegExp])[] = [
    ['has no manifest', { 'engine.mjs': '' }, /has no plugin\.json/],
    ['has a manifest that is no JSON', { 'plugin.json': '{' }, /is not valid JSON/],
    [
      'has a manifest without a version',
      { 'plugin.json': '{"name":"bad","kind":"context_engine","palimpsest":"*"}' },
      /version is missing/,
    ],
    [
      'has a manifest with a key that nobody knows',
      { 'plugin.json': manifest('bad', { man: 1 }) },
      /man is not a known key; did you mean "main"/,
    ],
    [
      'calls itself by another name',
      { 'plugin.json': manifest('good') },
      /folder is named bad, but its manifest says good/,
    ],
    [
      'is of another kind',
      { 'plugin.json': manifest('bad', { kind: 'general' }) },
      /is in a folder for context engines/,
    ],
    [
      'was written for another version',
      { 'plugin.json': manifest('bad', { palimpsest: '>=7.0.0' }) },
      /written for Palimpsest >=7\.0\.0, but this is \d/,
    ],
    [
      'names a range that is none',
      { 'plugin.json': manifest('bad', { palimpsest: 'latest' }) },
      /expected a range of versions/,
    ],
    [
      'leads out of its folder',
      { 'plugin.json': manifest('bad', { main: '../x.mjs' }) },
      /main expected a path inside the folder/,
    ],
    ['has no module', { 'plugin.json': manifest('bad') }, /engine\.mjs of the plugin "bad" failed to load/],
    [
      'has a module that is no JavaScript',
      { 'plugin.json': manifest('bad'), 'engine.mjs': 'export const = 1' },
      /failed to load/,
    ],
    [
      'throws where it is loaded',
      { 'plugin.json': manifest('bad'), 'engine.mjs': 'throw new Error("no luck")' },
      /no luck/,
    ],
    [
      'never ends loading',
      { 'plugin.json': manifest('bad'), 'engine.mjs': 'await new Promise(() => {})' },
      /took longer than/,
    ],
    [
      'exports something else',
      { 'plugin.json': manifest('bad'), 'engine.mjs': 'export const engine = {}' },
      /does not export a function createEngine/,
    ],
  ];
  for (const [title, files, expected] of broken) {
    test(`E3 of a plugin that ${title} leaves the built-in one, and is named`, () =>
      inFolder({}, async (folder) => {
        write(join(folder, own, 'bad'), files);
        const timeoutMs = title === 'never ends loading' ? 200 : 60_000;
        const { name, warning, engine } = await chooseEngine({ name: 'bad', places: placesIn(folder), timeoutMs });
        assert.deepEqual([name, engine], ['compressor', undefined]);
        assert.match(warning ?? '', /^The context engine "bad" could not be loaded \(/);
        assert.match(warning ?? '', expected);
      }));
  }

  test('E3 of a plugin whose module is a link to somewhere else is not run', () =>
    inFolder({ 'outside.mjs': module('outside') }, async (folder) => {
      write(folder, { [`${own}/linked/plugin.json`]: manifest('linked') });
      symlinkSync(join(folder, 'outside.mjs'), join(folder, own, 'linked', 'engine.mjs'));
      const { warning } = await chooseEngine({ name: 'linked', places: placesIn(folder) });
      assert.match(warning ?? '', /a link that leads out of the folder/);
      assert.ok(!loaded().includes('outside'));
    }));

  const unmade: readonly (readonly [string, string, RegExp])[] = [
    ['throws', '() => { throw new Error("no luck"); }', /no luck/],
    ['gives back a promise', 'async () => ({})', /returned a promise/],
    ['gives back nothing', '() => undefined', /returned undefined instead of an engine/],
    ['gives back no engine', '() => ({ name: "bad" })', /no function compress/],
    [
      'gives back one of another name',
      '() => ({ name: "good", compress: async (list) => list })',
      /calls itself "good"/,
    ],
  ];
  for (const [title, source, expected] of unmade) {
    test(`E3 of a plugin that ${title} when a session begins leaves the built-in one for it`, () =>
      inFolder({}, async (folder) => {
        write(join(folder, own, 'bad'), {
          'plugin.json': manifest('bad'),
          'engine.mjs': `export const createEngine = ${source};`,
        });
        const notices: string[] = [];
        const onNotice = (notice: string): void => void notices.push(notice);
        const { engine } = await chooseEngine({ name: 'bad', places: placesIn(folder), onNotice });
        assert.equal(engine?.('session-1').name, 'compressor');
        assert.match(notices[0] ?? '', expected);
        assert.match(notices[0] ?? '', /^The context engine "bad" could not be created \(/);
      }));
  }

  test('E3 is handed what it needs, and its own settings', async () => {
    const registry = createPluginRegistry();
    let host: EngineHost | undefined;
    registry.registerContextEngine({
      name: 'curious',
      create: (given) => {
        host = given;
        return { name: 'curious', compress: async (list) => list };
      },
    });
    const compressor = { model: 'claude-sonnet-4-5', contextLength: 50_000, tokenizer };
    const options = { curious: { groups: 3 }, other: { groups: 4 } };
    const { engine } = await chooseEngine({ name: 'curious', registry, compressor, options });
    engine?.('session-1');
    assert.deepEqual(host?.options, { groups: 3 });
    assert.deepEqual([host?.sessionId, host?.model, host?.contextLength], ['session-1', 'claude-sonnet-4-5', 50_000]);
    assert.ok((host?.countTokens([user('Move the ledgers.')]) ?? 0) > 3);
  });

  test('E3 may be an object with methods of its own, or of a class', async () => {
    const registry = createPluginRegistry();
    class Counting {
      calls = 0;
      shouldCompress(): boolean {
        return this.calls++ > 0;
      }
      async compress(list: readonly Message[]): Promise<readonly Message[]> {
        return list;
      }
    }
    // Its methods are on its prototype.
    const create = (): Counting & { name: string } => Object.assign(new Counting(), { name: 'counting' });
    registry.registerContextEngine({ name: 'counting', create });
    const { engine } = await chooseEngine({ name: 'counting', registry });
    const made = engine?.('session-1');
    assert.deepEqual([made?.shouldCompress(), made?.shouldCompress()], [false, true]);
  });

  test('E3 that fails in a stored conversation gives way to one whose refs count everything that was said', () =>
    withStore(async (store) => {
      const registry = createPluginRegistry();
      let passes = 0;
      registry.registerContextEngine({
        name: 'once',
        create: ({ groupsOf }) => ({
          name: 'once',
          threshold: 0.5,
          compress: async (list) => {
            if (passes++ > 0) throw new Error('only once');
            const start = groupsOf(list).at(-2)?.start ?? 0;
            return list.filter(({ role }, at) => role === 'system' || at === 1 || at >= start);
          },
        }),
      });
      const compressor = { model: 'claude-sonnet-4-5', contextLength: 8_000, tokenizer };
      const chosen = await chooseEngine({ name: 'once', registry, compressor, store });
      assert.ok(chosen.engine);
      const list = [system('You move ledgers.'), user('Move the ledgers of all regions.')];
      const contexts = await work(runtimeOver(store, { engine: chosen.engine }), list, { steps: 30 });
      const last = contexts.findLast(({ compression }) => compression);
      assert.ok(last && passes > 1);
      const refs = [...JSON.stringify(last.messages).matchAll(/\bm(\d+)\b/g)].map(([ref]) => ref);
      assert.ok(refs.length > 3);
      // A ref of the handoff gives back what stood at its place in all that was said.
      const said = list;
      for (const ref of new Set(refs)) {
        const place = Number(ref.slice(1)) - 1;
        const [found] = await expandSession(store, last.sessionId, ref);
        assert.deepEqual(found?.message.parts.length, said[place]?.parts.length, ref);
        assert.equal(found?.message.role, said[place]?.role, ref);
      }
    }));

  test('E3 registers under one name once', () => {
    const registry = createPluginRegistry();
    const create = (): { name: string; compress: (list: readonly Message[]) => Promise<readonly Message[]> } => ({
      name: 'x',
      compress: async (list) => list,
    });
    registry.registerContextEngine({ name: 'x', create });
    assert.throws(() => registry.registerContextEngine({ name: 'x', create }), {
      code: 'BAD_OPTION',
      message: /already registered/,
    });
    assert.throws(() => registry.registerContextEngine({ name: '../x', create }), { code: 'BAD_OPTION' });
  });
});
