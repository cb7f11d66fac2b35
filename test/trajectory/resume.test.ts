/** A run that was stopped at any instant goes on to the very bytes that it would have written undisturbed. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { compressTrajectoryFiles } from '../../packages/palimpsest/src/trajectory/compress-files.ts';
import { lockRun } from '../../packages/palimpsest/src/trajectory/write/run-lock.ts';
import { entry, inFolder, type Outcome, quietEnv, runHere } from '../support/command-line.ts';
import { smallConfig } from '../support/trajectories.ts';
import { calmText, compressArgs, contentOf, inputText, startCommand, withInputs } from '../support/trajectory-files.ts';

describe('J2 a run that was stopped', () => {
  it('by kill -9, again and again, ends with what an undisturbed run writes', () =>
    withInputs(async (cwd, wanted) => {
      const args = compressArgs('in', '-o', 'out', '--errors', 'out/errors.jsonl', '--resume');
      const journal = join(cwd, 'out', '.partial.journal');
      const sizeOf = (): number => (existsSync(journal) ? statSync(journal).size : 0);
      let kills = 0;
      for (const more of [1, 5_000, 15_000, 25_000]) {
        const running = startCommand(args, cwd);
        const ended = once(running, 'exit');
        const from = sizeOf();
        while (running.exitCode === null && sizeOf() < from + more) await delay(2);
        kills += Number(running.kill('SIGKILL'));
        await ended;
      }
      assert.ok(kills >= 3, `${kills} kills hit`);
      const { code, stderr } = await runHere(args, { cwd });
      assert.equal(code, 1);
      // The first ten are told of, also those that a killed process had met.
      assert.match(stderr, /palimpsest: in\/a\.jsonl:11: /);
      assert.deepEqual(contentOf(join(cwd, 'out')), wanted);
    }));

  it('in the middle of any write goes on from the last point', () =>
    withInputs(async (cwd, wanted) => {
      const options = {
        inputs: ['in'],
        output: 'out',
        cwd,
        config: smallConfig,
        resume: true,
        errorsFile: 'out/errors.jsonl',
      };
      for (const stopAfter of [1, 2, 30, 60, 7]) {
        const controller = new AbortController();
        let steps = 0;
        const onProgress = (): void => {
          if (++steps === stopAfter) controller.abort();
        };
        const stopped = compressTrajectoryFiles({ ...options, signal: controller.signal, onProgress });
        await assert.rejects(stopped, { code: 'INTERRUPTED' });
        // What a crash leaves: bytes that no point tells of, and a line of the journal without its end.
        const names = readdirSync(join(cwd, 'out'));
        for (const name of names.filter((one) => /\.(?:partial|errors)$/.test(one)))
          appendFileSync(join(cwd, 'out', name), '{"torn":');
        appendFileSync(join(cwd, 'out', '.partial.journal'), '{"type":"point","file":0,"off');
      }
      const report = await compressTrajectoryFiles(options);
      assert.equal(report.resumed, true);
      assert.deepEqual(contentOf(join(cwd, 'out')), wanted);
    }));

  it('by Ctrl-C says how to go on, and goes on from standard input too', () =>
    inFolder({ 'in.jsonl': inputText }, async (cwd) => {
      let press = (): void => undefined;
      const onInterrupt = (listener: () => void): (() => void) => {
        press = listener;
        return () => undefined;
      };
      let time = 0;
      // Progress asks for the time at every step.
      const now = (): number => {
        if (++time === 12) press();
        return time * 1_000;
      };
      const args = compressArgs('-', '-o', 'out.jsonl');
      const stopped = await runHere(args, { cwd, input: inputText, isTerminal: true, now, onInterrupt });
      assert.equal(stopped.code, 130, stopped.stderr);
      assert.match(stopped.stderr, /go on with --resume/);
      assert.match(stopped.stderr, /MB\/s/);
      assert.equal(existsSync(join(cwd, 'out.jsonl')), false);
      assert.equal((await runHere([...args, '--resume'], { cwd, input: inputText })).code, 1);
      assert.deepEqual(readFileSync(join(cwd, 'out.jsonl'), 'utf8'), await calmText());
      assert.deepEqual(
        readdirSync(cwd).filter((name) => name.includes('partial')),
        [],
      );
    }));
});

const canLimit = spawnSync('bash', ['-c', 'ulimit -f 100']).status === 0;

/** A process whose files can have so many KiB each: every write beyond fails, as on a full disk. */
async function withLimit(kibibytes: number, args: readonly string[], cwd: string): Promise<Outcome> {
  const script = 'trap "" XFSZ; ulimit -f "$1" || exit 99; shift; exec "$@"';
  const words = ['-c', script, 'bash', String(kibibytes), process.execPath, entry, ...args];
  const running = spawn('bash', words, { cwd, env: { ...quietEnv, HOME: cwd } });
  let stderr = '';
  running.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const [code] = await once(running, 'close');
  return { code, stdout: '', stderr };
}

describe('J2 a disk without room', () => {
  it(
    'is told of, and the run goes on when there is room',
    { skip: !canLimit && 'needs bash and a limit for the size of files' },
    () =>
      inFolder({ 'in.jsonl': inputText }, async (cwd) => {
        const args = compressArgs('in.jsonl', '-o', 'out.jsonl');
        for (const kibibytes of [20, 150, 151]) {
          const { code, stderr } = await withLimit(kibibytes, [...args, '--resume'], cwd);
          assert.equal(code, 3, stderr);
          assert.match(stderr, /cannot be written: .*go on with --resume/);
        }
        assert.equal((await runHere([...args, '--resume'], { cwd })).code, 1);
        assert.deepEqual(readFileSync(join(cwd, 'out.jsonl'), 'utf8'), await calmText());
      }),
  );
});

describe('J2 --resume', () => {
  const stopped = async (cwd: string, options: object = {}): Promise<void> => {
    const controller = new AbortController();
    const onProgress = (): void => controller.abort();
    const signal = controller.signal;
    const all = { inputs: ['in.jsonl'], output: 'out.jsonl', cwd, config: smallConfig, signal, onProgress, ...options };
    await assert.rejects(compressTrajectoryFiles(all), { code: 'INTERRUPTED' });
  };

  it('is asked for where a run was not finished, or --force to start anew', () =>
    inFolder({ 'in.jsonl': inputText }, async (cwd) => {
      await stopped(cwd);
      const again = await runHere(compressArgs('in.jsonl', '-o', 'out.jsonl'), { cwd });
      assert.equal(again.code, 2);
      assert.match(
        again.stderr,
        /was not finished \(.*out\.jsonl\.partial\.journal\): use --resume to go on with it, or --force/,
      );
      assert.equal((await runHere(compressArgs('in.jsonl', '-o', 'out.jsonl', '--force'), { cwd })).code, 1);
      assert.deepEqual(readdirSync(cwd).sort(), ['in.jsonl', 'out.jsonl', 'out_metrics.json']);
    }));

  it('refuses other settings and changed inputs, and names the first of them', () =>
    inFolder({ 'in.jsonl': inputText }, async (cwd) => {
      await stopped(cwd);
      const resume = (...more: readonly string[]) =>
        runHere(compressArgs('in.jsonl', '-o', 'out.jsonl', '--resume', ...more), { cwd });
      const other = await resume('--target-tokens', '2k');
      assert.equal(other.code, 2);
      assert.match(other.stderr, /compression\.target_max_tokens was 1500 and is 2000 now/);
      utimesSync(join(cwd, 'in.jsonl'), 1, 1);
      assert.match((await resume()).stderr, /in\.jsonl has been written to since/);
      appendFileSync(join(cwd, 'in.jsonl'), 'x\n');
      assert.match((await resume()).stderr, /in\.jsonl has \d+ bytes now, and had \d+/);
    }));

  it('may have another number of workers', () =>
    inFolder({ 'in.jsonl': inputText }, async (cwd) => {
      await stopped(cwd);
      const { code } = await runHere(compressArgs('in.jsonl', '-o', 'out.jsonl', '--resume', '--workers', '2'), {
        cwd,
      });
      assert.equal(code, 1);
    }));

  it('takes over a lock with its own number that it does not hold, as of a container that starts again', () =>
    inFolder({}, async (cwd) => {
      const path = join(cwd, 'out.lock');
      for (const left of [`${process.pid}\n`, `${process.pid} ${hostname()}\n`]) {
        writeFileSync(path, left);
        await (await lockRun(path))[Symbol.asyncDispose]();
      }
      const lock = await lockRun(path);
      await assert.rejects(lockRun(path), { code: 'BAD_OPTION', message: /is writing this output/ });
      await lock[Symbol.asyncDispose]();
      assert.equal(existsSync(path), false);
      await using _again = await lockRun(path);
    }));

  it('refuses a lock with its own number that a process on another machine holds, as of a second container', () =>
    inFolder({}, async (cwd) => {
      const path = join(cwd, 'out.lock');
      writeFileSync(path, `${process.pid} not-${hostname()}\n`);
      const message = new RegExp(`process ${process.pid} on not-\\S+ is writing this output`);
      await assert.rejects(lockRun(path), { code: 'BAD_OPTION', message });
    }));

  it('refuses an output that somebody else changed or is writing', () =>
    inFolder({ 'in.jsonl': inputText }, async (cwd) => {
      await stopped(cwd);
      writeFileSync(join(cwd, 'out.jsonl.partial.lock'), `${process.ppid}\n`);
      const held = await runHere(compressArgs('in.jsonl', '-o', 'out.jsonl', '--resume'), { cwd });
      assert.equal(held.code, 2);
      assert.match(held.stderr, new RegExp(`process ${process.ppid} is writing this output`));
      // Nobody has such a number.
      writeFileSync(join(cwd, 'out.jsonl.partial.lock'), '4294967290\n');
      writeFileSync(join(cwd, 'out.jsonl.partial'), '');
      const changed = await runHere(compressArgs('in.jsonl', '-o', 'out.jsonl', '--resume'), { cwd });
      assert.equal(changed.code, 3);
      assert.match(changed.stderr, /has 0 bytes, but its journal tells of \d+/);
    }));
});
