import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { workshop } from './workshop.ts';

const files = {
  'home/shop/src/a.ts': 'const one = 1;\nconst two = one + 1;\n// end\n',
  'home/shop/src/b.js': 'const one = "1";\n',
  'home/shop/.gitignore': 'dist/\n*.log\n!keep.log\n/top.txt\nsub/**/gen\n',
  'home/shop/dist/out.ts': 'const one = 1;\n',
  'home/shop/debug.log': 'one\n',
  'home/shop/keep.log': 'one kept\n',
  'home/shop/top.txt': 'one\n',
  'home/shop/src/top.txt': 'one below\n',
  'home/shop/sub/x/gen/y.txt': 'one\n',
  'home/shop/sub/.gitignore': 'own.txt\n',
  'home/shop/sub/own.txt': 'one\n',
  'home/shop/sub/seen.txt': 'one seen\n',
  'home/shop/node_modules/p/index.js': 'const one = 1;\n',
  'home/shop/.git/info': 'one\n',
  'home/shop/.github/ci.yml': 'one: job\n',
  'home/shop/app/.env': 'one=secret\n',
  'home/shop/binary': 'one\0two',
};

describe('search_files', () => {
  it('finds lines by a pattern, in the order of names, without what Git ignores, binaries and packages', async () => {
    await using place = workshop({ files });
    assert.equal(
      await place.call('search_files', { pattern: '\\bone\\b' }),
      [
        '.github/ci.yml',
        '1: one: job',
        'keep.log',
        '1: one kept',
        'src/a.ts',
        '1: const one = 1;',
        '2: const two = one + 1;',
        'src/b.js',
        '1: const one = "1";',
        'src/top.txt',
        '1: one below',
        'sub/seen.txt',
        '1: one seen',
        '[2 files with credentials not searched]',
      ].join('\n'),
    );
    assert.deepEqual(place.requests, []);
  });

  it('searches a folder with the rules of those above it, names with a glob, and lines around', async () => {
    await using place = workshop({ files });
    assert.equal(
      await place.call('search_files', {
        pattern: 'TWO',
        ignore_case: true,
        path: 'src',
        glob: '*.{ts,tsx}',
        context: 1,
      }),
      'src/a.ts\n1- const one = 1;\n2: const two = one + 1;\n3- // end',
    );
    assert.equal(await place.call('search_files', { pattern: 'one', path: 'sub/x' }), '[nothing found]');
    assert.equal(
      await place.call('search_files', { pattern: 'one', path: 'src/b.js' }),
      'src/b.js\n1: const one = "1";',
    );
    assert.equal(
      await place.call('search_files', { glob: '*.ts' }),
      'app/main.ts\nsrc/a.ts\nsrc/cart.ts\nsrc/index.ts',
    );
    assert.equal(await place.call('search_files', { glob: 'src/*.js' }), 'src/b.js');
    assert.match(await place.call('search_files', {}), /Expected pattern, glob or both/);
  });

  it('takes a text as it is, says where a pattern is none, and cuts what is long', async () => {
    await using place = workshop({ files });
    place.write('long.txt', `${'a'.repeat(5_000)} needle (x ${'b'.repeat(5_000)}\n`);
    const found = await place.call('search_files', { pattern: 'needle (x', literal: true });
    assert.match(found, /^long\.txt\n1: …a+ needle \(x b+…\n/);
    assert.ok(found.length < 450);
    assert.match(await place.call('search_files', { pattern: 'needle (x' }), /no regular expression .*set literal/);
    place.write('many.txt', 'hit\n'.repeat(1_000));
    const many = await place.call('search_files', { pattern: 'hit', path: 'many.txt', limit: 5 });
    assert.match(many, /5: hit\n\[there may be more: narrow the search, or raise limit\]$/);
  });

  it('stops a pattern that never ends, and gives what was found by then', async () => {
    let fire = (): void => undefined;
    const after = (_: number, act: () => void) => {
      fire = act;
      return () => undefined;
    };
    const files = { 'home/shop/first.txt': 'aab\n', 'home/shop/second.txt': `${'a'.repeat(60)}!\n` };
    await using place = workshop({ files, timers: { after } });
    // The worker is to be at the second file, which takes for ever, when the time is up: on a slow machine a little later.
    for (let ms = 200; ; ms *= 2) {
      const found = place.call('search_files', { pattern: '^(a+)+b$' });
      await new Promise((resolve) => setTimeout(resolve, ms));
      fire();
      const text = await found;
      assert.match(text, /the search was stopped after 20 s: this is what was found by then/);
      if (text.startsWith('first.txt\n1: aab\n[')) break;
    }
  });

  it('ends with the signal of the call', async () => {
    await using place = workshop({ files: { 'home/shop/x.txt': `${'a'.repeat(60)}!\n` } });
    const stop = new AbortController();
    const found = place.call('search_files', { pattern: '^(a+)+b$' }, stop.signal);
    stop.abort(new Error('esc'));
    await assert.rejects(found, /esc/);
  });

  it('follows no link, and asks before it searches elsewhere or in credentials', async () => {
    await using place = workshop({ files, decide: () => ({ allowed: false, by: 'person', reason: 'no' }) });
    symlinkSync(join(place.root, 'home'), join(place.folder, 'src/home'));
    assert.ok(!(await place.call('search_files', { pattern: 'notes|key' })).includes('notes.txt'));
    for (const path of ['..', '~', 'up', '/etc', 'app/.env'])
      assert.equal(await place.call('search_files', { pattern: 'x', path }), 'no');
    assert.deepEqual(
      place.requests.map(({ kind }) => kind),
      ['read-outside', 'read-outside', 'read-outside', 'read-outside', 'read-secret'],
    );
  });
});
