/** Files that are not what their names say, lists in the place of others, and what tells apart the files of a run. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parseJson } from '@palimpsest/core/settings';
import {
  type CompressTrajectoryFilesOptions,
  compressTrajectoryFiles,
  type TrajectoryReport,
} from '../../packages/palimpsest/src/trajectory/compress-files.ts';
import { openPaidAnswers } from '../../packages/palimpsest/src/trajectory/model/paid-answers.ts';
import { planFiles, readableFiles } from '../../packages/palimpsest/src/trajectory/read/find-inputs.ts';
import { kindOf } from '../../packages/palimpsest/src/trajectory/read/open-input.ts';
import { resolveTrajectoryConfig } from '../../packages/palimpsest/src/trajectory/settings/config.ts';
import { jobSpecOf } from '../../packages/palimpsest/src/trajectory/settings/job-spec.ts';
import { trajectoryFileStats } from '../../packages/palimpsest/src/trajectory/stats-files.ts';
import { runJob } from '../../packages/palimpsest/src/trajectory/work/job.ts';
import { isSampled, saltOf } from '../../packages/palimpsest/src/trajectory/work/sample.ts';
import { tokenizerOf } from '../../packages/palimpsest/src/trajectory/work/tokenizer.ts';
import { JsonScan } from '../../packages/palimpsest/src/trajectory/write/json-scan.ts';
import { inFolder } from '../support/command-line.ts';
import { shareGptRecord, smallConfig } from '../support/trajectories.ts';

const long = shareGptRecord(1, 24, 240);
const short = shareGptRecord(2, 2, 20);

const compress = (cwd: string, options: Partial<CompressTrajectoryFilesOptions>): Promise<TrajectoryReport> =>
  compressTrajectoryFiles({ inputs: ['in'], output: 'out', config: smallConfig, cwd, ...options });

const textIn = (cwd: string, name: string): string => readFileSync(join(cwd, name), 'utf8');

describe('J2 a record', () => {
  it('that is a bare list of turns stays one when it is compressed', async () => {
    const spec = jobSpecOf(resolveTrajectoryConfig(smallConfig));
    const bytes = Uint8Array.from(Buffer.from(JSON.stringify(JSON.parse(long).conversations)));
    const tools = { spec, tokenizer: await tokenizerOf(spec.tokenizer) };
    const result = await runJob({ bytes, first: 1, framing: 'lines', packing: 'plain' }, tools);
    assert.equal(result.sum.compressed, 1);
    assert.ok(Array.isArray(JSON.parse(Buffer.from(result.bytes).toString())));
  });

  it('whose error names a sign that some take for a line break is listed like any other', () =>
    inFolder({ 'we\u2028ird.jsonl': `no JSON\n${short}\nnor this\n` }, async (cwd) => {
      const { broken } = await compress(cwd, { inputs: ['we\u2028ird.jsonl'], output: 'out.jsonl', errorsFile: 'bad' });
      assert.deepEqual(
        broken.map(({ file, line }) => [file, line]),
        [
          ['we\u2028ird.jsonl', 1],
          ['we\u2028ird.jsonl', 3],
        ],
      );
    }));
});

describe('J2 what a model has written', () => {
  it('is known again whatever signs are in it, up to a line that was cut off', () =>
    inFolder({}, async (cwd) => {
      const path = join(cwd, 'answers');
      const first = await openPaidAnswers(path, false);
      for (const key of ['one', 'two'])
        await first.add({ calls: 1 }, { key, answer: { text: `${key}\u2028and\u2029more`, calls: 1 } });
      await first.close();
      writeFileSync(path, textIn(cwd, 'answers').slice(0, -1));
      const second = await openPaidAnswers(path, true);
      assert.deepEqual(second.answerTo('one'), { text: 'one\u2028and\u2029more', calls: 1 });
      assert.deepEqual([second.answerTo('two'), second.totals().calls], [undefined, 1]);
      await second.close();
    }));
});

describe('J2 .json files', () => {
  const files = {
    'a.json': `{"conversations": [oops\n${short}\n${short}\n`,
    'b.json': short.replaceAll('{"from"', '\n{"from"').replace(']}', '\n]}'),
    'c.json': '{"conversations": [\n  oops\n]}\n',
  };

  it('of one record in many lines are known as one, also where a line of its head is an object by itself', () => {
    const turns = (JSON.parse(long) as { readonly conversations: readonly object[] }).conversations;
    const inLines = `{"tools": [\n{"name": "look"}\n],\n"conversations": [\n${turns.map((turn) => JSON.stringify(turn)).join(',\n')}\n],`;
    const document = `${inLines}\n"notes": ${JSON.stringify('x'.repeat(66_000))}}\n`;
    return inFolder({ 'a.json': document }, async (cwd) => {
      const [file] = await readableFiles(['a.json'], { cwd });
      assert.equal(file && (await kindOf(file)), 'document');
    });
  });

  it('of lines with a broken first one, of one record in many lines, and of no JSON at all: nothing of them is lost', () =>
    inFolder(files, async (cwd) => {
      const report = await compress(cwd, { inputs: Object.keys(files) });
      assert.deepEqual(
        report.files.map(({ read, written, broken }) => [read, written, broken]),
        [
          [3, 3, 1],
          [1, 1, 0],
          [1, 1, 1],
        ],
      );
      const outputs = ['a', 'b', 'c'].map((name) => textIn(cwd, join('out', `${name}_compressed.json`)));
      assert.equal(outputs[0], files['a.json']);
      assert.deepEqual(JSON.parse(outputs[1] ?? ''), JSON.parse(short));
      assert.equal(outputs[2], '{"conversations": [   oops ]}\n');
    }));
});

describe('J2 a record that is too large to be parsed', () => {
  it('is left out of a list where it is no JSON, and stays there where it is', () =>
    inFolder({}, async (cwd) => {
      const large = JSON.stringify({ text: 'x'.repeat(1_100_000), 'ü\n': [1.5e-3, true, {}] });
      const lines = ['y'.repeat(1_100_000), large, short, large.slice(0, -1), large];
      writeFileSync(join(cwd, 'in.jsonl'), lines.join('\n'));
      const config = { processing: { numWorkers: 1, maxRecordMegabytes: 1 } };
      const to = { inputs: ['in.jsonl'], output: 'out.json', config };
      const { counts, broken } = await compress(cwd, to);
      assert.deepEqual(
        JSON.parse(textIn(cwd, 'out.json')),
        [large, short, large].map((line) => JSON.parse(line)),
      );
      assert.deepEqual(counts, { read: 5, written: 3, dropped: 0, broken: 4 });
      assert.match(broken[0]?.message ?? '', /it is no JSON, which a list cannot hold, and is left out/);
      assert.match(broken[1]?.message ?? '', /it stays as it is/);
    }));

  it('is told to be JSON or not, in pieces of any size', () => {
    const whole = ['{"a":[1,-0.5e+7,{"b\\u00e9\\n":null}],"c":[],"d":"ü"}', ' [ ] ', '"x"', '0', 'true', '{}'];
    const broken = ['', '{', '[1,]', '{"a"}', '{"a":1,}', '01', '1.', 'tru', 'True', '"\t"', '"\\x"', '[}', '1 2', ']'];
    for (const text of [...whole, ...broken, ...whole.map((one) => one.slice(0, -1)), ...whole.map((one) => `${one},`)])
      for (const size of [1, 3, 100]) {
        const [scan, bytes] = [new JsonScan(), Buffer.from(text)];
        for (let at = 0; at < bytes.length; at += size) scan.take(bytes.subarray(at, at + size));
        assert.equal(scan.isWhole(), parseJson(text) !== undefined, `${text} by ${size}`);
      }
    const other = new JsonScan();
    other.take(Uint8Array.of(34, 0xff, 34));
    assert.equal(other.isBroken, true);
  });
});

describe('J2 the list of errors', () => {
  const input = `${short}\nno JSON\n`;
  const refused = (what: RegExp) => ({ code: 'BAD_OPTION', message: what });

  it('takes the place of no input, no output and nothing else that the run writes, forced or not', () =>
    inFolder({ 'in.jsonl': input }, async (cwd) => {
      symlinkSync('in.jsonl', join(cwd, 'link'));
      const to = (errorsFile: string): Promise<TrajectoryReport> =>
        compress(cwd, { inputs: ['in.jsonl'], output: 'out.jsonl', errorsFile, force: true });
      for (const name of ['in.jsonl', 'link']) await assert.rejects(to(name), refused(/is an input/));
      mkdirSync(join(cwd, 'folder'));
      await assert.rejects(to('folder'), refused(/is no file/));
      for (const name of ['out.jsonl', 'out_metrics.json', 'out.jsonl.partial', 'out.jsonl.partial.journal'])
        await assert.rejects(to(name), refused(/is written by this run/));
      const stats = trajectoryFileStats({ inputs: ['in.jsonl'], cwd, errorsFile: 'in.jsonl', force: true });
      await assert.rejects(stats, refused(/is an input/));
      assert.equal(textIn(cwd, 'in.jsonl'), input);
    }));

  it('replaces a file only where that is wanted', () =>
    inFolder({ 'in.jsonl': input, notes: 'mine' }, async (cwd) => {
      const options = { inputs: ['in.jsonl'], cwd, errorsFile: 'notes' };
      await assert.rejects(compress(cwd, { ...options, output: 'out.jsonl' }), refused(/already exists.*--force/));
      await assert.rejects(trajectoryFileStats(options), refused(/already exists.*--force/));
      assert.equal(textIn(cwd, 'notes'), 'mine');
      await trajectoryFileStats({ ...options, force: true, config: { processing: { numWorkers: 1 } } });
      assert.match(textIn(cwd, 'notes'), /^\{"file":"in\.jsonl","line":2,/);
    }));

  it('that a stopped run had made already is replaced when it goes on', () =>
    inFolder({ 'in.jsonl': input }, async (cwd) => {
      const controller = new AbortController();
      const options = { inputs: ['in.jsonl'], output: 'out.jsonl', errorsFile: 'bad', resume: true };
      const stopped = compress(cwd, { ...options, signal: controller.signal, onProgress: () => controller.abort() });
      await assert.rejects(stopped, { code: 'INTERRUPTED' });
      writeFileSync(join(cwd, 'bad'), 'mine');
      await assert.rejects(compress(cwd, options), refused(/already exists/));
      writeFileSync(join(cwd, 'bad'), '{"file":"in.jsonl","line":2,"code":"TRAJECTORY_BROKEN","message":"no"}\n');
      await compress(cwd, options);
    }));

  it('that a forced run was to replace is replaced when it goes on', () =>
    inFolder({ 'in.jsonl': input, bad: 'mine' }, async (cwd) => {
      const controller = new AbortController();
      const options = { inputs: ['in.jsonl'], output: 'out.jsonl', errorsFile: 'bad' };
      const stop = { signal: controller.signal, onProgress: () => controller.abort() };
      await assert.rejects(compress(cwd, { ...options, force: true, ...stop }), { code: 'INTERRUPTED' });
      assert.equal(textIn(cwd, 'bad'), 'mine');
      await compress(cwd, { ...options, resume: true });
      assert.match(textIn(cwd, 'bad'), /^\{"file":"in\.jsonl","line":2,/);
    }));
});

describe('J2 the metrics', () => {
  it('replace those of an earlier run, and nothing else that has their name', () =>
    inFolder({ 'in.jsonl': `${short}\n`, 'out_metrics.json': '{"mine": true}' }, async (cwd) => {
      const options = { inputs: ['in.jsonl'], output: 'out.jsonl' };
      await assert.rejects(compress(cwd, options), { code: 'BAD_OPTION', message: /out_metrics\.json.*--force/ });
      assert.equal(textIn(cwd, 'out_metrics.json'), '{"mine": true}');
      writeFileSync(join(cwd, 'out_metrics.json'), '{"summary": {}, "processing": {}}');
      await compress(cwd, options);
      assert.match(textIn(cwd, 'out_metrics.json'), /"records"/);
    }));
});

describe('J2 a sample', () => {
  it('of a folder with a record in each file takes some of the files, whoever does them', () =>
    inFolder({}, async (cwd) => {
      mkdirSync(join(cwd, 'in'));
      const names = Array.from({ length: 40 }, (_, at) => `${at}.jsonl`).toSorted();
      for (const name of names) writeFileSync(join(cwd, 'in', name), `${short}\n`);
      const { files } = await compress(cwd, { config: { processing: { numWorkers: 2, samplePercent: 30 } } });
      const wanted = names.map((name) => isSampled({ number: 1, salt: saltOf(name) }, { share: 0.3, seed: 42 }));
      assert.deepEqual(
        files.map(({ written }) => written),
        wanted.map(Number),
      );
      const count = wanted.filter(Boolean).length;
      assert.ok(count >= 5 && count <= 20, `${count} of 40`);
    }));
});

describe('J2 inputs', () => {
  it('of one name and two endings are refused only where both would have the same metrics', () =>
    inFolder({}, async (cwd) => {
      mkdirSync(join(cwd, 'in'));
      for (const name of ['a.json', 'a.jsonl']) writeFileSync(join(cwd, 'in', name), `${short}\n`);
      const options = { cwd, output: 'out', suffix: '' };
      assert.equal((await planFiles(['in'], options)).files.length, 2);
      const refusal = { code: 'BAD_OPTION', message: /would both have the metrics/ };
      await assert.rejects(planFiles(['in'], { ...options, hasMetrics: true }), refusal);
    }));

  const refusal = { code: 'BAD_OPTION', message: /would be written outside of the output/ };

  it('of a pattern are refused where they would be written outside of the output', () =>
    inFolder({}, async (cwd) => {
      for (const folder of ['one', 'one/a', 'two']) {
        mkdirSync(join(cwd, folder));
        writeFileSync(join(cwd, folder, 'x.jsonl'), `${short}\n`);
      }
      const options = { cwd: join(cwd, 'one'), output: 'out', suffix: '_short' };
      await assert.rejects(planFiles(['{a,../two}/*.jsonl'], options), refusal);
      const { files } = await planFiles(['*/*.jsonl'], options);
      assert.deepEqual(
        files.map(({ name }) => name),
        [join('a', 'x.jsonl')],
      );
    }));

  it('of a folder may be links to files, as in the cache of Hugging Face; links to folders are not followed', () =>
    inFolder({ blob: `${short}\n` }, async (cwd) => {
      mkdirSync(join(cwd, 'in'));
      symlinkSync('../blob', join(cwd, 'in', 'a.jsonl'));
      symlinkSync('.', join(cwd, 'in', 'around'));
      symlinkSync('..', join(cwd, 'in', 'up.jsonl'));
      const { files } = await planFiles(['in'], { cwd, output: 'out', suffix: '' });
      assert.deepEqual(
        files.map(({ name }) => name),
        [join('in', 'a.jsonl')],
      );
      symlinkSync('../gone', join(cwd, 'in', 'b.jsonl'));
      const nowhere = { code: 'FILE_UNREADABLE', message: /b\.jsonl is a link that leads nowhere: fetch or remove it/ };
      for (const input of ['in', 'in/b.jsonl'])
        await assert.rejects(planFiles([input], { cwd, output: 'out', suffix: '' }), nowhere);
    }));

  it('of a folder or a pattern are read once, whatever links lead to them as well', () =>
    inFolder({ blob: `${short}\n` }, async (cwd) => {
      for (const folder of ['in', 'in/old', 'in/run']) mkdirSync(join(cwd, folder));
      writeFileSync(join(cwd, 'in/run/9.jsonl'), `${short}\n`);
      symlinkSync('run/9.jsonl', join(cwd, 'in/latest.jsonl'));
      symlinkSync('../../blob', join(cwd, 'in/old/b.jsonl'));
      symlinkSync('../blob', join(cwd, 'in/a.jsonl'));
      for (const input of ['in', 'in/**/*.jsonl']) {
        const { files } = await planFiles([input], { cwd, output: 'out', suffix: '' });
        assert.deepEqual(
          files.map(({ name }) => name),
          [join('in', 'a.jsonl'), join('in', 'run', '9.jsonl')],
        );
      }
    }));
});

describe('J2 a run that is stopped', () => {
  it('while nothing comes from standard input does not wait for it', () =>
    inFolder({}, async (cwd) => {
      const controller = new AbortController();
      async function* idle(): AsyncGenerator<Uint8Array> {
        yield Buffer.from(`${short}\n`);
        controller.abort();
        await new Promise(() => undefined);
      }
      const options = { inputs: ['-'], output: 'out.jsonl', stdin: idle(), signal: controller.signal };
      await assert.rejects(compress(cwd, options), { code: 'INTERRUPTED' });
    }));
});

describe('J2 a run that goes on', () => {
  it('and is stopped before its first record keeps the list of errors', () =>
    inFolder({}, async (cwd) => {
      mkdirSync(join(cwd, 'in'));
      writeFileSync(join(cwd, 'in', '1.jsonl'), `${short}\nno JSON\n`);
      writeFileSync(join(cwd, 'in', '2.jsonl'), `${short}\n`.repeat(200));
      const options = { errorsFile: 'bad', resume: true };
      const stopped = new AbortController();
      const onProgress = ({ filesDone }: { readonly filesDone: number }): void => {
        if (filesDone === 1) stopped.abort();
      };
      await assert.rejects(compress(cwd, { ...options, signal: stopped.signal, onProgress }), { code: 'INTERRUPTED' });
      // What a kill leaves just after the first file.
      const journal = join(cwd, 'out', '.partial.journal');
      const [whole = ''] = /^[\s\S]*"done".*\n/.exec(readFileSync(journal, 'utf8')) ?? [];
      writeFileSync(journal, whole);
      await assert.rejects(compress(cwd, { ...options, signal: AbortSignal.abort() }), { code: 'INTERRUPTED' });
      const { broken } = await compress(cwd, options);
      assert.equal(broken.length, 1);
      assert.match(textIn(cwd, 'bad'), /1\.jsonl/);
      assert.ok(readdirSync(join(cwd, 'out')).includes('1_compressed.jsonl'));
    }));
});
