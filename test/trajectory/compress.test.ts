/** `palimpsest trajectories compress`: which files, in which form, with which settings, and what is told. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { gunzipSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { unpack } from '../../packages/palimpsest/src/trajectory/read/unpack.ts';
import { inFolder, runHere } from '../support/command-line.ts';
import { shareGptLines, smallSettings } from '../support/trajectories.ts';

const lines = shareGptLines({ records: 40 });
const text = `${lines.join('\n')}\n`;
const compress = (cwd: string, ...args: readonly string[]) =>
  runHere(['trajectories', 'compress', ...smallSettings, ...args], { cwd });
const linesIn = (path: string): readonly string[] => readFileSync(path, 'utf8').split('\n').slice(0, -1);
const idsOf = (found: readonly string[]): readonly unknown[] => found.map((line) => JSON.parse(line).id);

async function unzstd(bytes: Uint8Array): Promise<string> {
  async function* all(): AsyncGenerator<Uint8Array> {
    yield bytes;
  }
  const parts: Uint8Array[] = [];
  for await (const part of unpack(all(), assert.fail)) parts.push(part);
  return Buffer.concat(parts).toString();
}

describe('J2 trajectories compress', () => {
  it('keeps the order, and what is short to the byte', () =>
    inFolder({ 'in.jsonl': text }, async (cwd) => {
      const { code, stdout, stderr } = await compress(cwd, 'in.jsonl', '-o', 'out.jsonl');
      assert.deepEqual([code, stderr], [0, '']);
      assert.match(stdout, /^ {2}file +records +compressed/);
      const out = linesIn(join(cwd, 'out.jsonl'));
      assert.deepEqual(idsOf(out), idsOf(lines));
      for (const [at, line] of out.entries()) assert.equal(line === lines[at], at % 3 === 0, `line ${at}`);
      assert.deepEqual(readdirSync(cwd).sort(), ['in.jsonl', 'out.jsonl', 'out_metrics.json']);
      const metrics = JSON.parse(readFileSync(join(cwd, 'out_metrics.json'), 'utf8'));
      assert.deepEqual([metrics.summary.total_trajectories, metrics.summary.trajectories_compressed], [40, 26]);
      assert.equal(JSON.parse(out[1] ?? '').compression_metrics.was_compressed, true);
    }));

  it('writes the same with any number of workers', () =>
    inFolder({ 'in.jsonl': text }, async (cwd) => {
      await compress(cwd, 'in.jsonl', '-o', 'one.jsonl', '--workers', '1');
      await compress(cwd, 'in.jsonl', '-o', 'three.jsonl', '--workers', '3');
      assert.deepEqual(linesIn(join(cwd, 'three.jsonl')), linesIn(join(cwd, 'one.jsonl')));
    }));

  it('takes line breaks of any kind, a mark at the start and a last line without a break', () =>
    inFolder({ 'in.jsonl': `\uFEFF${lines[0]}\r\n\r\n  \n${lines[3]}\n\n${lines[6]}` }, async (cwd) => {
      assert.equal((await compress(cwd, 'in.jsonl', '-o', 'out.jsonl')).code, 0);
      assert.equal(readFileSync(join(cwd, 'out.jsonl'), 'utf8'), `${lines[0]}\n${lines[3]}\n${lines[6]}\n`);
    }));

  it('reads and writes gzip and Zstandard, by content and by the name of the output', () =>
    inFolder(
      {
        'in.jsonl': text,
        'in.jsonl.gz': gzipSync(text),
        // Packed, whatever its name says.
        'named.jsonl': zstdCompressSync(text),
      },
      async (cwd) => {
        await compress(cwd, 'in.jsonl', '-o', 'plain.jsonl');
        const plain = readFileSync(join(cwd, 'plain.jsonl'), 'utf8');
        assert.equal((await compress(cwd, 'in.jsonl.gz', '-o', 'out.jsonl.zst')).code, 0);
        assert.equal((await compress(cwd, 'named.jsonl', '-o', 'out.jsonl.gz')).code, 0);
        assert.equal(gunzipSync(readFileSync(join(cwd, 'out.jsonl.gz'))).toString(), plain);
        assert.equal(await unzstd(readFileSync(join(cwd, 'out.jsonl.zst'))), plain);
      },
    ));

  it('a list in a .json file becomes a list, and lines under another name', () =>
    inFolder(
      {
        'in.json': JSON.stringify(
          lines.map((line) => JSON.parse(line)),
          null,
          2,
        ),
      },
      async (cwd) => {
        assert.equal((await compress(cwd, 'in.json', '-o', 'out.json')).code, 0);
        assert.equal((await compress(cwd, 'in.json', '-o', 'out.jsonl')).code, 0);
        const list = JSON.parse(readFileSync(join(cwd, 'out.json'), 'utf8'));
        assert.deepEqual(
          list,
          linesIn(join(cwd, 'out.jsonl')).map((line) => JSON.parse(line)),
        );
        assert.deepEqual(
          list.map(({ id }: { id: string }) => id),
          idsOf(lines),
        );
        assert.deepEqual(list[0], JSON.parse(lines[0] ?? ''));
      },
    ));

  it('a .json file of lines stays one, one record in many lines is one, and an empty list is one', () =>
    inFolder(
      { 'lines.json': text, 'one.json': JSON.stringify(JSON.parse(lines[0] ?? ''), null, 2), 'none.json': '[]' },
      async (cwd) => {
        for (const name of ['lines', 'one', 'none'])
          assert.equal((await compress(cwd, `${name}.json`, '-o', `${name}-out.json`)).code, 0);
        assert.equal(linesIn(join(cwd, 'lines-out.json')).length, 40);
        assert.deepEqual(JSON.parse(readFileSync(join(cwd, 'one-out.json'), 'utf8')), JSON.parse(lines[0] ?? ''));
        assert.deepEqual(JSON.parse(readFileSync(join(cwd, 'none-out.json'), 'utf8')), []);
      },
    ));

  it('takes standard input', () =>
    inFolder({}, async (cwd) => {
      const args = ['trajectories', 'compress', '-', '-o', 'out.jsonl', ...smallSettings];
      assert.equal((await runHere(args, { cwd, input: text })).code, 0);
      assert.equal(linesIn(join(cwd, 'out.jsonl')).length, 40);
    }));

  it('a folder becomes a folder with the same names and the suffix, and the sum of all metrics', () =>
    inFolder({}, async (cwd) => {
      mkdirSync(join(cwd, 'runs', 'b', '.git'), { recursive: true });
      for (const [name, content] of [
        ['a.jsonl', text],
        ['b/c.jsonl.gz', gzipSync(text)],
        ['b/notes.txt', 'no records'],
        ['b/.git/x.jsonl', 'not a record'],
        ['a_metrics.json', '{}'],
      ] as const)
        writeFileSync(join(cwd, 'runs', name), content);
      const { code, stdout } = await compress(cwd, 'runs', '-o', 'short');
      assert.equal(code, 0);
      assert.match(stdout, /\n {2}all +80 /);
      const names = readdirSync(join(cwd, 'short'), { recursive: true }).sort();
      assert.deepEqual(names, [
        'a_compressed.jsonl',
        'a_compressed_metrics.json',
        'b',
        'b/c_compressed.jsonl.gz',
        'b/c_compressed_metrics.json',
        'compression_metrics.json',
      ]);
      const sum = JSON.parse(readFileSync(join(cwd, 'short', 'compression_metrics.json'), 'utf8'));
      assert.equal(sum.summary.total_trajectories, 80);
      const one = readFileSync(join(cwd, 'short/a_compressed.jsonl'), 'utf8');
      assert.equal(gunzipSync(readFileSync(join(cwd, 'short/b/c_compressed.jsonl.gz'))).toString(), one);
    }));

  it('takes patterns and several files; names that would become one file are refused', () =>
    inFolder({ 'a1.jsonl': text, 'a2.jsonl': text, 'b.jsonl': text }, async (cwd) => {
      assert.equal(
        (await compress(cwd, 'a*.jsonl', 'b.jsonl', '-o', 'out', '--set', 'output.output_suffix=.s')).code,
        0,
      );
      const names = readdirSync(join(cwd, 'out')).filter((name) => !name.includes('metrics'));
      assert.deepEqual(names.sort(), ['a1.s.jsonl', 'a2.s.jsonl', 'b.s.jsonl']);
      const clash = await compress(cwd, 'a1.jsonl', './a1.jsonl', '-o', 'other');
      assert.equal(clash.code, 2);
      writeFileSync(join(cwd, 'b.jsonl.gz'), gzipSync(text));
      const metrics = await compress(cwd, 'b.jsonl', 'b.jsonl.gz', '-o', 'third');
      assert.match(metrics.stderr, /would both have the metrics .*b_compressed_metrics\.json/);
      assert.match(clash.stderr, /would both become .*a1_compressed\.jsonl/);
    }));

  it('says what is not there, what is there already, and what would be overwritten', () =>
    inFolder({ 'in.jsonl': text, 'out.jsonl': 'kept' }, async (cwd) => {
      const missing = await compress(cwd, 'on.jsonl', '-o', 'x.jsonl');
      assert.equal(missing.code, 3);
      assert.match(missing.stderr, /there is no file on\.jsonl: did you mean in\.jsonl\?/);
      const taken = await compress(cwd, 'in.jsonl', '-o', 'out.jsonl');
      assert.equal(taken.code, 2);
      assert.match(taken.stderr, /out\.jsonl already exists: .*--force/);
      assert.equal(readFileSync(join(cwd, 'out.jsonl'), 'utf8'), 'kept');
      const same = await compress(cwd, 'in.jsonl', '-o', 'in.jsonl', '--force');
      assert.equal(same.code, 2);
      assert.match(same.stderr, /in\.jsonl is the input/);
      mkdirSync(join(cwd, 'runs'));
      assert.match((await compress(cwd, 'runs', '-o', 'runs')).stderr, /runs is an input: name another folder/);
      const device = await compress(cwd, 'in.jsonl', '-o', '/dev/null', '--force');
      assert.match(device.stderr, /\/dev\/null is neither a file nor a folder/);
      writeFileSync(join(cwd, 'store.db'), Buffer.from('SQLite format 3\0'));
      const store = await compress(cwd, 'in.jsonl', '-o', 'store.db', '--force');
      assert.match(store.stderr, /belongs to a database, which is never overwritten/);
      assert.equal((await compress(cwd, 'in.jsonl')).code, 2);
      assert.equal((await compress(cwd, 'in.jsonl', '-o', 'out.jsonl', '--force')).code, 0);
      assert.equal(linesIn(join(cwd, 'out.jsonl')).length, 40);
      assert.deepEqual(readdirSync(cwd).sort(), ['in.jsonl', 'out.jsonl', 'out_metrics.json', 'runs', 'store.db']);
    }));

  it('a dry run counts the same, writes nothing, and tells what a named model would cost', () =>
    inFolder({ 'in.jsonl': text }, async (cwd) => {
      const model = ['--set', 'summarization.model=openai/gpt-5-mini'];
      const dry = await compress(cwd, 'in.jsonl', '-o', 'out.jsonl', '--dry-run', ...model);
      assert.equal(dry.code, 0);
      assert.match(dry.stdout, /dry run: nothing was written/);
      assert.match(dry.stdout, /openai\/gpt-5-mini would be asked 26 times: about [\d,]+ tokens in and 5,200 out, ~\$/);
      assert.deepEqual(readdirSync(cwd), ['in.jsonl']);
      const json = async (...more: readonly string[]) =>
        JSON.parse((await compress(cwd, 'in.jsonl', '-o', 'out.jsonl', '--json', ...more)).stdout);
      const [planned, done] = [await json('--dry-run'), await json()];
      assert.deepEqual({ ...planned.metrics, processing: {} }, { ...done.metrics, processing: {} });
      assert.equal(existsSync(join(cwd, 'out.jsonl')), true);
    }));

  it('a sample is the same for a seed, whatever the workers and batches', () =>
    inFolder({ 'in.jsonl': text }, async (cwd) => {
      const sample = async (name: string, ...more: readonly string[]): Promise<readonly unknown[]> => {
        await compress(cwd, 'in.jsonl', '-o', name, '--sample-percent', '30', ...more);
        return idsOf(linesIn(join(cwd, name)));
      };
      const first = await sample('a.jsonl', '--workers', '1');
      assert.ok(first.length > 4 && first.length < 24);
      assert.deepEqual(await sample('b.jsonl', '--set', 'processing.batch_kilobytes=64'), first);
      assert.notDeepEqual(await sample('c.jsonl', '--seed', '7'), first);
    }));

  it('drops what stays over the target where that is wanted', () =>
    inFolder({ 'in.jsonl': text }, async (cwd) => {
      const args = ['in.jsonl', '-o', 'out.jsonl', '--set', 'compression.target_max_tokens=20'];
      const { code, stderr } = await runHere(
        [
          'trajectories',
          'compress',
          ...args,
          '--mode',
          'greedy',
          '--workers',
          '1',
          '--set',
          'output.save_over_limit=false',
        ],
        { cwd },
      );
      assert.equal(code, 0);
      assert.match(stderr, /note: \d+ records could not be brought under the target: .* dropped/);
      assert.ok(linesIn(join(cwd, 'out.jsonl')).length < 40);
    }));
});

describe('J2 broken records', () => {
  const broken = shareGptLines({ records: 60, brokenEvery: 4 });

  it('stay as they are, are listed, counted, and make exit code 1', () =>
    inFolder({ 'in.jsonl': `${broken.join('\n')}\n` }, async (cwd) => {
      const { code, stderr } = await compress(cwd, 'in.jsonl', '-o', 'out.jsonl', '--errors', 'bad.jsonl');
      assert.equal(code, 1);
      const told = stderr.trimEnd().split('\n');
      assert.equal(told.length, 11);
      assert.match(told[0] ?? '', /^palimpsest: in\.jsonl:4: expected /);
      assert.match(told[10] ?? '', /and 5 more broken records; all of them are in bad\.jsonl/);
      const out = linesIn(join(cwd, 'out.jsonl'));
      for (let at = 3; at < 60; at += 4) assert.equal(out[at], broken[at]);
      const listed = linesIn(join(cwd, 'bad.jsonl')).map((line) => JSON.parse(line));
      assert.deepEqual(
        listed.map(({ line }) => line),
        Array.from({ length: 15 }, (_, at) => at * 4 + 4),
      );
      assert.deepEqual(Object.keys(listed[0]), ['file', 'line', 'code', 'message']);
      assert.equal(listed[0].code, 'TRAJECTORY_BROKEN');
      const { records } = JSON.parse(readFileSync(join(cwd, 'out_metrics.json'), 'utf8'));
      assert.deepEqual(records, { read: 60, written: 60, dropped: 0, broken: 15 });
    }));

  it('other bytes than UTF-8, and a JSON value that is no record', () =>
    inFolder(
      { 'in.jsonl': Buffer.concat([Buffer.from([0xff, 0x7b, 10]), Buffer.from(`7\n${lines[0]}\n`)]) },
      async (cwd) => {
        const { code, stderr } = await compress(cwd, 'in.jsonl', '-o', 'out.jsonl');
        assert.equal(code, 1);
        assert.match(stderr, /in\.jsonl:1: expected UTF-8 text/);
        assert.match(stderr, /in\.jsonl:2: expected /);
        assert.deepEqual(
          readFileSync(join(cwd, 'out.jsonl')),
          Buffer.concat([Buffer.from([0xff, 0x7b, 10]), Buffer.from(`7\n${lines[0]}\n`)]),
        );
      },
    ));

  it('in a list stay where they are JSON, and are only listed where they would break it', () =>
    inFolder({ 'in.json': `[${lines[0]}, 7, {nope}, ${lines[3]}]` }, async (cwd) => {
      const { code, stderr } = await compress(cwd, 'in.json', '-o', 'out.json');
      assert.equal(code, 1);
      assert.match(stderr, /in\.json:2: .*\n.*in\.json:3: /);
      const list = JSON.parse(readFileSync(join(cwd, 'out.json'), 'utf8'));
      assert.deepEqual(list, [JSON.parse(lines[0] ?? ''), 7, JSON.parse(lines[3] ?? '')]);
    }));

  it('a record that is larger than a worker may hold passes as it is', () =>
    inFolder({ 'in.jsonl': `${lines[0]}\n"${'x'.repeat(3_000_000)}"\n${lines[3]}` }, async (cwd) => {
      const limit = ['--set', 'processing.max_record_megabytes=1'];
      const { code, stderr } = await compress(cwd, 'in.jsonl', '-o', 'out.jsonl', ...limit);
      assert.equal(code, 1);
      assert.match(stderr, /in\.jsonl:2: expected a record of at most 1\.0 MB, got one of 2\.9 MB/);
      assert.equal(
        readFileSync(join(cwd, 'out.jsonl'), 'utf8'),
        `${lines[0]}\n"${'x'.repeat(3_000_000)}"\n${lines[3]}\n`,
      );
    }));

  it('the end of a packed file that is cut off is told of, after everything before it', () =>
    inFolder({ 'in.jsonl.gz': gzipSync(text).subarray(0, -9) }, async (cwd) => {
      const { code, stderr } = await compress(cwd, 'in.jsonl.gz', '-o', 'out.jsonl');
      assert.equal(code, 1);
      assert.match(stderr, /in\.jsonl\.gz:\d+: expected gzip data to its end, but it is cut off here/);
      assert.ok(linesIn(join(cwd, 'out.jsonl')).length >= 30);
    }));
});
