import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, it } from 'node:test';
import { entry, runHere, runProcess } from '../support/command-line.ts';

/** Writes the names of the files that were loaded to standard error, a line each, when the process ends. */
const namesLoaded = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  import { writeSync } from 'node:fs';
  const urls = [];
  registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) });
  process.on('exit', () => writeSync(2, urls.filter((url) => url.startsWith('file:')).join('\\n')));
`)}`;

const tooOld = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { node: '22.9.0' } })`;

function loadedBy(args: readonly string[], imports: readonly string[] = []): readonly string[] {
  const hooks = [...imports, namesLoaded].flatMap((url) => ['--import', url]);
  const { stderr } = spawnSync(process.execPath, [...hooks, entry, ...args], { encoding: 'utf8' });
  return stderr
    .split('\n')
    .filter((line) => line.startsWith('file:'))
    .map((url) => basename(url));
}

describe('the start of the command line', () => {
  it('says its version from the entry and its manifest, and loads no other file', () => {
    for (const word of ['--version', '-v'])
      assert.deepEqual(loadedBy([word]).toSorted(), ['main.ts', 'node-version.ts', 'package.json', 'package.ts']);
  });

  it('says the same version at once as with other options', async () => {
    const { stdout } = await runProcess(['--version']);
    assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
    assert.equal((await runProcess(['-v'])).stdout, stdout);
    assert.equal((await runHere(['--version'])).stdout, stdout);
    assert.equal((await runProcess(['--quiet', '--version'])).stdout, stdout);
  });

  it('says which Node it needs before it loads what an older one cannot parse', () => {
    assert.deepEqual(loadedBy(['formats'], [tooOld]).toSorted(), ['main.ts', 'node-version.ts', 'package.ts']);
  });

  it('says that the version cannot be written, with exit code 3', { skip: !existsSync('/dev/full') }, () => {
    const { status, stderr } = spawnSync('sh', ['-c', `"$0" "$1" --version >/dev/full`, process.execPath, entry], {
      encoding: 'utf8',
    });
    assert.equal(status, 3);
    assert.match(stderr, /^palimpsest: standard output cannot be written: /);
  });
});
