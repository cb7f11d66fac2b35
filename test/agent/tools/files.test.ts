import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { workshop } from './workshop.ts';

describe('read_file', () => {
  it('numbers lines, and gives long files in pages that end within their limit', async () => {
    await using place = workshop();
    place.write('long.txt', Array.from({ length: 2_500 }, (_, i) => `line ${i + 1}`).join('\n'));
    assert.equal(await place.call('read_file', { path: 'src/cart.ts' }), '1\texport const total = 1;');
    const first = await place.call('read_file', { path: 'long.txt' });
    assert.ok(first.startsWith('1\tline 1\n2\tline 2\n'));
    assert.ok(first.endsWith('1000\tline 1000\n[lines 1 to 1,000 of 2,500; read on with offset 1001]'));
    const last = await place.call('read_file', { path: 'long.txt', offset: '2499', limit: 50 });
    assert.equal(last, '2499\tline 2499\n2500\tline 2500\n[lines 2,499 to 2,500 of 2,500]');
    assert.match(await place.call('read_file', { path: 'long.txt', offset: 9_999 }), /there is no line 9,999/);
    place.write('wide.txt', `${'x'.repeat(200_000)}\n`.repeat(3));
    const wide = await place.call('read_file', { path: 'wide.txt' });
    assert.match(wide, /\[198,000 more characters\]/);
    place.write('many.txt', `${'y'.repeat(1_900)}\n`.repeat(100));
    const page = await place.call('read_file', { path: 'many.txt' });
    assert.ok(page.length < 30_200);
    assert.match(page, /\[lines 1 to 15 of 100; read on with offset 16\]$/);
  });

  it('says what is no text: folders, images, binaries, pipes, what is too large or not there', async () => {
    await using place = workshop();
    place.write('photo.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0]));
    place.write('latin.txt', Buffer.from([0x63, 0x61, 0x66, 0xe9]));
    place.write('empty.txt', '');
    place.write('huge.txt', 'x'.repeat(11 * 1024 * 1024));
    execFileSync('mkfifo', [join(place.folder, 'pipe')]);
    const answers = [
      ['src', /src is a folder with 2 entries:\ncart\.ts\nindex\.ts$/],
      ['photo.png', /photo\.png is a PNG image \(12 bytes\)/],
      ['latin.txt', /is a binary file .*no UTF-8 text/],
      ['empty.txt', /^\[empty\.txt is empty\]$/],
      ['huge.txt', /too large to be read whole .*search_files/],
      ['pipe', /no file but a pipe/],
      ['src/cat.ts', /There is no file src\/cat\.ts\. Did you mean src\/cart\.ts\?/],
      ['nowhere/x.ts', /There is no file nowhere\/x\.ts/],
      ['a\0b', /Expected path/],
      ['', /Expected path/],
    ] as const;
    for (const [path, expected] of answers) assert.match(await place.call('read_file', { path }), expected, path);
    assert.match(await place.call('read_file', { pth: 'src' }), /did you mean path\?/);
    assert.match(await place.call('read_file', 'src'), /Expected an object/);
  });

  it('asks before it reads outside of the project and before it reads credentials, by the real path', async () => {
    await using place = workshop({ decide: () => ({ allowed: false, by: 'person', reason: 'not that' }) });
    const home = join(place.root, 'home');
    const paths = [
      ['../notes.txt', 'read-outside', join(home, 'notes.txt')],
      ['~/notes.txt', 'read-outside', join(home, 'notes.txt')],
      ['linked.txt', 'read-outside', join(home, 'notes.txt')],
      ['up/notes.txt', 'read-outside', join(home, 'notes.txt')],
      ['/etc/hostname', 'read-outside', '/etc/hostname'],
      ['app/.env', 'read-secret', join(place.folder, 'app/.env')],
      ['~/.ssh/id_ed25519', 'read-secret', join(home, '.ssh/id_ed25519')],
      ['keys/server.pem', 'read-secret', join(place.folder, 'keys/server.pem')],
    ] as const;
    for (const [path] of paths) assert.equal(await place.call('read_file', { path }), 'not that', path);
    assert.deepEqual(
      place.requests.map(({ kind, target }) => [kind, target]),
      paths.map(([, kind, target]) => [kind, target]),
    );
    assert.match(await place.call('read_file', { path: 'README.md' }), /# Shop/);
  });
});

describe('write_file', () => {
  it('makes files and folders, and shows the person what is written', async () => {
    await using place = workshop();
    const answer = await place.call('write_file', { path: 'docs/deep/new.md', content: 'one\ntwo\n' });
    assert.equal(answer, 'Wrote docs/deep/new.md: a new file of 2 lines.');
    assert.equal(place.read('docs/deep/new.md'), 'one\ntwo\n');
    assert.deepEqual(place.requests, [
      {
        tool: 'write_file',
        kind: 'write',
        target: join(place.folder, 'docs/deep/new.md'),
        preview: '@@ line 1 → 1 @@\n+one\n+two',
      },
    ]);
  });

  it('overwrites only what was read, and only while it is as it was read', async () => {
    await using place = workshop();
    const write = (content: string) => place.call('write_file', { path: 'README.md', content });
    assert.match(await write('new\n'), /you have not read it: read it first/);
    await place.call('read_file', { path: 'README.md' });
    place.write('README.md', '# Shop of somebody else\n');
    assert.match(await write('new\n'), /has changed since you read it.*read it again/);
    assert.equal(place.read('README.md'), '# Shop of somebody else\n');
    await place.call('read_file', { path: 'README.md' });
    assert.match(await write('new\n'), /Wrote README\.md: 1 line in place/);
    assert.match(await write('newer\n'), /Wrote README\.md/);
    assert.match(await write('newer\n'), /holds exactly that already/);
    assert.deepEqual(
      readdirSync(place.folder).filter((name) => name.includes('tmp')),
      [],
    );
  });

  it('writes nothing over what changes while the person looks', async () => {
    await using place = workshop({
      decide: ({ target }) => {
        place.write(target.endsWith('new.md') ? 'new.md' : 'README.md', 'theirs');
        return { allowed: true, by: 'person' };
      },
    });
    await place.call('read_file', { path: 'README.md' });
    assert.match(
      await place.call('write_file', { path: 'README.md', content: 'mine' }),
      /changed by somebody else just now/,
    );
    assert.match(
      await place.call('write_file', { path: 'new.md', content: 'mine' }),
      /changed by somebody else just now/,
    );
    assert.deepEqual([place.read('README.md'), place.read('new.md')], ['theirs', 'theirs']);
  });

  it('writes nothing where a link has come to lead elsewhere while the person looked', async () => {
    await using place = workshop({
      decide: () => {
        rmSync(join(place.folder, 'fresh'), { recursive: true });
        symlinkSync(join(place.root, 'home/.ssh'), join(place.folder, 'fresh'));
        return { allowed: true, by: 'person' };
      },
    });
    mkdirSync(join(place.folder, 'fresh'));
    assert.match(await place.call('write_file', { path: 'fresh/config', content: 'x' }), /leads elsewhere now/);
    assert.ok(!existsSync(join(place.root, 'home/.ssh/config')));
  });

  it('takes writing elsewhere for another act, also through a link that leads to nothing yet', async () => {
    await using place = workshop({ decide: () => ({ allowed: false, by: 'policy', reason: 'no' }) });
    symlinkSync(join(place.root, 'home/planted'), join(place.folder, 'innocent.txt'));
    for (const path of ['innocent.txt', '../x', '~/x', 'up/x', '/etc/x'])
      assert.equal(await place.call('write_file', { path, content: 'x' }), 'no', path);
    assert.ok(place.requests.every(({ kind }) => kind === 'write-outside'));
    assert.equal(place.requests[0]?.target, join(place.root, 'home/planted'));
  });

  it('keeps line endings, the mark at the start and the mode of a file', async () => {
    await using place = workshop();
    place.write('dos.txt', '\uFEFFone\r\ntwo\r\n');
    chmodSync(join(place.folder, 'dos.txt'), 0o750);
    await place.call('read_file', { path: 'dos.txt' });
    await place.call('write_file', { path: 'dos.txt', content: 'one\nthree\n' });
    assert.equal(place.read('dos.txt'), '\uFEFFone\r\nthree\r\n');
    assert.equal(statSync(join(place.folder, 'dos.txt')).mode & 0o777, 0o750);
  });

  it('says why a file cannot be written, and leaves it as it is', async () => {
    await using place = workshop();
    place.write('binary', Buffer.from([0, 1, 2]));
    const answers = [
      ['src', /src is a folder/],
      ['binary', /no UTF-8 text/],
      ['README.md/x', /could not be written: a part of the path is a file/],
    ] as const;
    for (const [path, expected] of answers)
      assert.match(await place.call('write_file', { path, content: 'x' }), expected);
  });
});

describe('patch', () => {
  const edit = (old: string, to: string, all?: boolean) => ({ old, new: to, ...(all && { all }) });

  it('makes several edits or none, each in the one place that it names', async () => {
    await using place = workshop();
    place.write('a.ts', 'let a = 1;\nlet b = 2;\nlet c = 3;\n');
    const both = [edit('a = 1', 'a = 10'), edit('let c = 3;\n', '')];
    assert.equal(await place.call('patch', { path: 'a.ts', edits: both }), 'Changed a.ts in 2 places.');
    assert.equal(place.read('a.ts'), 'let a = 10;\nlet b = 2;\n');
    assert.equal(place.requests[0]?.preview, '@@ line 1 → 1 @@\n-let a = 1;\n+let a = 10;\n let b = 2;\n-let c = 3;');
    const half = [edit('a = 10', 'a = 11'), edit('gone', 'x')];
    assert.match(
      await place.call('patch', { path: 'a.ts', edits: half }),
      /^Edit 2 of 2: `old` is not in the file\.[\s\S]*Nothing was changed/,
    );
    assert.match(
      await place.call('patch', { path: 'a.ts', edits: [edit('let ', 'var ')] }),
      /2 times, at lines 1, 2: add lines/,
    );
    assert.equal(
      await place.call('patch', { path: 'a.ts', edits: [edit('let ', 'var ', true)] }),
      'Changed a.ts in 2 places.',
    );
    assert.equal(place.read('a.ts'), 'var a = 10;\nvar b = 2;\n');
  });

  it('shows the nearest place where a text is not found', async () => {
    await using place = workshop();
    place.write('a.ts', 'function sum(a, b) {\n\treturn a + b;\n}\n\nfunction other() {}\n');
    const spaces = await place.call('patch', {
      path: 'a.ts',
      edits: [edit('function sum(a, b) {\n    return a + b;\n}', 'x')],
    });
    assert.match(spaces, /Only white space is different here:\n1\tfunction sum\(a, b\) \{\n2\t\treturn a \+ b;\n3\t\}/);
    const near = await place.call('patch', { path: 'a.ts', edits: [edit('return a + c;', 'x')] });
    assert.match(near, /The nearest place is:\n2\t\treturn a \+ b;/);
    const far = await place.call('patch', { path: 'a.ts', edits: [edit('SELECT * FROM users', 'x')] });
    assert.match(far, /Nothing in it is like it: read the file again/);
  });

  it('keeps endings line by line, the mark at the start, the end without a line break, and the mode', async () => {
    await using place = workshop();
    place.write('mixed.txt', '\uFEFFone\r\ntwo\nthree\r\nlast');
    chmodSync(join(place.folder, 'mixed.txt'), 0o640);
    const edits = [edit('one\ntwo', 'one\n1.5\ntwo'), edit('last', 'end')];
    await place.call('patch', { path: 'mixed.txt', edits });
    assert.equal(place.read('mixed.txt'), '\uFEFFone\r\n1.5\r\ntwo\nthree\r\nend');
    assert.equal(statSync(join(place.folder, 'mixed.txt')).mode & 0o777, 0o640);
  });

  it('refuses a file that changed since it was read in this conversation', async () => {
    await using place = workshop();
    await place.call('read_file', { path: 'src/cart.ts' });
    place.write('src/cart.ts', 'export const total = 1; // theirs\n');
    const answer = await place.call('patch', { path: 'src/cart.ts', edits: [edit('total = 1', 'total = 2')] });
    assert.match(answer, /has changed since you read it/);
    assert.equal(place.read('src/cart.ts'), 'export const total = 1; // theirs\n');
  });

  it('tells nothing of files outside or with credentials that were not read', async () => {
    await using place = workshop();
    for (const path of ['app/.env', '../notes.txt', 'linked.txt']) {
      const answer = await place.call('patch', { path, edits: [edit('TOKEN=a', 'x')] });
      assert.match(answer, /You have not read .*: read it first/);
    }
  });

  it('takes edits as a text too, and says what is wrong with others', async () => {
    await using place = workshop();
    const text = JSON.stringify([edit('total = 1', 'total = 2')]);
    assert.match(await place.call('patch', { path: 'src/cart.ts', edits: text }), /Changed/);
    const bad = [
      [{ path: 'src/cart.ts', edits: [] }, /Expected edits/],
      [{ path: 'src/cart.ts', edits: [{ old: 1 }] }, /Expected edit 1 as/],
      [{ path: 'src/cart.ts', edits: [edit('', 'x')] }, /`old` is empty/],
      [{ path: 'src/cart.ts', edits: [edit('x', 'x')] }, /nothing would change/],
      [{ path: 'none.ts', edits: [edit('x', 'y')] }, /write_file makes one/],
    ] as const;
    for (const [given, expected] of bad) assert.match(await place.call('patch', given), expected);
  });

  it('gives the model the words of a person who refuses', async () => {
    await using place = workshop({
      decide: () => ({ allowed: false, by: 'person', reason: 'The user refused and said: use the other file' }),
    });
    const answer = await place.call('patch', { path: 'src/cart.ts', edits: [edit('total = 1', 'total = 2')] });
    assert.equal(answer, 'The user refused and said: use the other file');
    assert.equal(place.read('src/cart.ts'), 'export const total = 1;\n');
  });
});
