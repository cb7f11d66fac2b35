import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { entry, inFolder, quietEnv, runHere, runProcess } from '../support/command-line.ts';
import { namesLoaded } from '../support/names-loaded.ts';

const tooOld = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { node: '22.9.0' } })`;

function loadedBy(args: readonly string[], imports: readonly string[] = []): readonly string[] {
  const hooks = [...imports, namesLoaded].flatMap((url) => ['--import', url]);
  const { stderr } = spawnSync(process.execPath, [...hooks, entry, ...args], { encoding: 'utf8', env: quietEnv });
  return stderr
    .split('\n')
    .filter((line) => line.startsWith('file:'))
    .map((url) => basename(url));
}

/** What the entry imports: an old Node must be able to load it. */
const openingFiles = ['compiled-code.ts', 'folders.ts', 'main.ts', 'node-version.ts', 'package.ts'];

const sourceOf = (path: string): string => JSON.stringify(new URL(path, pathToFileURL(entry)));

/** The files that a program of this project loads. */
function loadedByProgram(program: string): readonly string[] {
  const words = ['--import', namesLoaded, '--input-type=module', '-e', program];
  const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8', env: quietEnv });
  assert.equal(status, 0, stderr);
  return stderr.split('\n').filter((line) => line.startsWith('file:'));
}

/** What a process comes to that loads the rest of a chat: turns of its loop meanwhile, in each of which keys are heard. */
const loadingRest = `
  const { loadInPieces } = await import(${sourceOf('chat/load-in-pieces.ts')});
  let turns = 0;
  let isLoading = true;
  const turn = () => setImmediate(() => { turns++; if (isLoading) turn(); });
  turn();
  await loadInPieces();
  isLoading = false;
`;

describe('the start of the command line', () => {
  it('loads nothing for the prompt of a chat but settings, names and the console', () => {
    const loaded = loadedByProgram(
      ['process.ts', 'run/chat.ts', 'chat/begin.ts'].map((path) => `import ${sourceOf(path)};`).join(''),
    );
    assert.equal(
      loaded.some((url) => url.endsWith('/terminal/open-console.ts')),
      true,
    );
    const library = loaded.flatMap((url) => /\/packages\/core\/src\/(.+)$/.exec(url)?.slice(1) ?? []);
    const light =
      /^(?:shared\/|settings\.ts$|context\/settings\.ts$|context\/prompt-cache\/layouts\.ts$|output\/settings\.ts$|transcript\/message\.ts$)/;
    assert.deepEqual(
      library.filter((path) => !light.test(path)),
      [],
    );
    // The AI SDK and its likes come behind the prompt.
    const packages = loaded.flatMap((url) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.slice(1) ?? []);
    assert.deepEqual([...new Set(packages)], ['commander']);
  });

  it('loads the rest of a chat behind its prompt, and hears keys between the pieces', () => {
    const inPieces = loadedByProgram(`${loadingRest}; if (turns < 10) throw new Error(String(turns))`);
    const chat = ['interactive.ts', 'open-chat.ts']
      .map((name) => `await import(${sourceOf(`chat/${name}`)});`)
      .join('');
    assert.deepEqual(loadedByProgram(`${loadingRest}; ${chat}`).toSorted(), inPieces.toSorted());
  });

  it('says its version from the entry and its manifest, and loads no other file', () => {
    for (const word of ['--version', '-v'])
      assert.deepEqual(loadedBy([word]).toSorted(), [...openingFiles, 'package.json'].toSorted());
  });

  it('says the same version at once as with other options', async () => {
    const { stdout } = await runProcess(['--version']);
    assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
    assert.equal((await runProcess(['-v'])).stdout, stdout);
    assert.equal((await runHere(['--version'])).stdout, stdout);
    assert.equal((await runProcess(['--quiet', '--version'])).stdout, stdout);
  });

  it('says which Node it needs before it loads what an older one cannot parse', () => {
    assert.deepEqual(loadedBy(['formats'], [tooOld]).toSorted(), openingFiles);
  });

  it('says that the version cannot be written, with exit code 3', { skip: !existsSync('/dev/full') }, () => {
    const { status, stderr } = spawnSync('sh', ['-c', `"$0" "$1" --version >/dev/full`, process.execPath, entry], {
      encoding: 'utf8',
      env: quietEnv,
    });
    assert.equal(status, 3);
    assert.match(stderr, /^palimpsest: standard output cannot be written: /);
  });

  it('keeps compiled code in the folder of the user for it, unless Node is told not to', () =>
    inFolder({}, (cwd) => {
      const compiled = join(cwd, 'palimpsest/compiled');
      const kept = (args: readonly string[], env: NodeJS.ProcessEnv): boolean => {
        assert.equal(spawnSync(process.execPath, [entry, ...args], { env }).status, 0);
        return existsSync(compiled) && readdirSync(compiled).length > 0;
      };
      const env = { PATH: quietEnv.PATH, XDG_CACHE_HOME: cwd };
      assert.equal(kept(['--version'], env), false);
      assert.equal(kept(['formats'], { ...env, NODE_DISABLE_COMPILE_CACHE: '1' }), false);
      assert.equal(kept(['formats'], env), true);
    }));

  it('starts where no compiled code can be kept', () =>
    inFolder({ palimpsest: 'no folder' }, (cwd) => {
      const env = { PATH: quietEnv.PATH, XDG_CACHE_HOME: cwd };
      const { status, stderr } = spawnSync(process.execPath, [entry, 'formats'], { env, encoding: 'utf8' });
      assert.deepEqual([status, stderr], [0, '']);
    }));
});
