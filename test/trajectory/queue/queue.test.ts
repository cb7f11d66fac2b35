/** Runs over a queue in a real PostgreSQL: what several machines write together is what one writes alone, whoever is killed. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { compressTrajectoryFiles } from '../../../packages/palimpsest/src/trajectory/compress-files.ts';
import { entry, inFolder, type Outcome, quietEnv, runHere } from '../../support/command-line.ts';
import {
  noPostgresHere,
  openQuestions,
  type PostgresServer,
  password,
  type Questions,
  sql,
  startPostgres,
} from '../../support/postgres.ts';
import { shareGptLines, smallConfig } from '../../support/trajectories.ts';
import {
  calmText,
  compressArgs,
  contentOf,
  inputText,
  startCommand,
  withInputs,
} from '../../support/trajectory-files.ts';

const skip = noPostgresHere() ?? false;
let server: PostgresServer;
before(async () => {
  if (!skip) server = await startPostgres();
});
after(() => {
  // Those that a failed test left.
  for (const child of children) child.kill('SIGKILL');
  for (const open of questions.values()) open.close();
  if (!skip) server.remove();
});

const children: ChildProcess[] = [];

const linesOf = (text: string): readonly string[] => text.split('\n').slice(0, -1);
const linesIn = (path: string): readonly string[] => linesOf(readFileSync(path, 'utf8'));

/** Waits until something is so, for two minutes at most. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let i = 0; !(await isSo()); i++) {
    assert.ok(i < 2_400, 'it did not come to be within two minutes');
    await delay(50);
  }
}

/** A number that a statement gives; 0 where its table is not there yet. */
async function numberIn(url: string, statement: string): Promise<number> {
  const open = questions.get(url) ?? openQuestions(url);
  questions.set(url, open);
  return Number((await open.ask(statement))[0] ?? 0);
}

const questions = new Map<string, Questions>();

const batches = 'select count(*) from palimpsest_trajectories.batch';

interface Worker {
  readonly child: ChildProcess;
  /** Stops it as Ctrl-C does, and gives what it printed. */
  readonly stop: () => Promise<string>;
}

function startWorker(url: string, cwd: string): Worker {
  // The command need not tell everybody on the machine the password.
  const args = ['trajectories', 'work', '--queue', url.replace(`:${password}`, ''), '--workers', '1'];
  const env = { ...quietEnv, HOME: cwd, PGPASSWORD: password };
  const child = spawn(process.execPath, [entry, ...args], { cwd, env });
  children.push(child);
  const printed: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => printed.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => printed.push(chunk));
  const closed = once(child, 'close');
  const stop = async (): Promise<string> => {
    child.kill('SIGINT');
    await closed;
    return Buffer.concat(printed).toString();
  };
  return { child, stop };
}

/** Starts a run of which nothing is done, and leaves it. */
async function leaveRun(url: string, cwd: string): Promise<string> {
  const controller = new AbortController();
  const queue = { url, local: false };
  const options = { inputs: ['in.jsonl'], output: 'out.jsonl', cwd, config: smallConfig, queue };
  const running = compressTrajectoryFiles({ ...options, signal: controller.signal });
  await until(async () => (await numberIn(url, batches)) > 2);
  controller.abort();
  await assert.rejects(running, { code: 'INTERRUPTED' });
  return sql(url, 'select id from palimpsest_trajectories.run')[0] ?? '';
}

/** Nothing of a run that is over stays. */
function assertEmpty(url: string): void {
  assert.deepEqual(sql(url, 'select id from palimpsest_trajectories.run'), []);
  assert.deepEqual(sql(url, batches), ['0']);
  assert.deepEqual(sql(url, `select id from palimpsest_pgboss.job where name like 'trajectories-%'`), []);
}

describe('J2 a run over a queue', { skip }, () => {
  it('with two workers on their own writes what one process writes, and leaves nothing in the queue', () =>
    withInputs(async (cwd, wanted) => {
      const url = server.database('two_workers');
      const workers = [startWorker(url, cwd), startWorker(url, cwd)];
      const args = compressArgs('in', '-o', 'out', '--errors', 'out/errors.jsonl', '--queue', url, '--no-local');
      const { code, stderr } = await runHere([...args, '--in-flight', '8'], { cwd });
      const told = await Promise.all(workers.map(({ stop }) => stop()));
      assert.equal(code, 1, stderr);
      for (const text of told) assert.match(text, /^did [\d,]+ batch(?:es)?\n$/);
      assert.deepEqual(contentOf(join(cwd, 'out')), wanted);
      assertEmpty(url);
    }));

  it('goes on where a worker is killed with -9 in the middle of a batch: another does it once its lease is over', () =>
    withInputs(async (cwd, wanted) => {
      const url = server.database('killed_worker');
      const first = startWorker(url, cwd);
      const args = compressArgs('in', '-o', 'out', '--errors', 'out/errors.jsonl', '--queue', url, '--no-local');
      const running = runHere([...args, '--in-flight', '6', '--lease-seconds', '10'], { cwd });
      const held = `${batches} where worker like '%:${first.child.pid}' and result is null`;
      // Stopped before it is killed, so that it holds something for sure.
      await until(async () => {
        if ((await numberIn(url, held)) === 0) return false;
        first.child.kill('SIGSTOP');
        if ((await numberIn(url, held)) > 0) return true;
        first.child.kill('SIGCONT');
        return false;
      });
      const ended = once(first.child, 'exit');
      first.child.kill('SIGKILL');
      await ended;
      // The clock of the lease, moved on.
      sql(
        url,
        `update palimpsest_pgboss.job set heartbeat_on = heartbeat_on - interval '1 hour' where state = 'active'`,
      );
      const second = startWorker(url, cwd);
      const { code, stderr } = await running;
      await second.stop();
      assert.equal(code, 1, stderr);
      assert.deepEqual(contentOf(join(cwd, 'out')), wanted);
      assertEmpty(url);
    }));

  it('goes on with --resume where its own process is killed with -9, without waiting for leases', () =>
    withInputs(async (cwd, wanted) => {
      const url = server.database('killed_run');
      const args = compressArgs('in', '-o', 'out', '--errors', 'out/errors.jsonl', '--queue', url, '--resume');
      const journal = join(cwd, 'out', '.partial.journal');
      const sizeOf = (): number => (existsSync(journal) ? statSync(journal).size : 0);
      for (const more of [1, 12_000]) {
        const running = startCommand(args, cwd);
        children.push(running);
        const ended = once(running, 'exit');
        const from = sizeOf();
        await until(
          async () => running.exitCode !== null || (sizeOf() >= from + more && (await numberIn(url, batches)) > 2),
        );
        assert.equal(running.kill('SIGKILL'), true);
        await ended;
      }
      const jobs = `select id from palimpsest_pgboss.job where name like 'trajectories-%'`;
      const left = sql(url, jobs).length;
      assert.ok(left > 0);
      assert.equal(sql(url, 'select id from palimpsest_trajectories.run').length, 1);
      const started = performance.now();
      const { code, stderr } = await runHere(args, { cwd });
      assert.equal(code, 1, stderr);
      assert.ok(performance.now() - started < 55_000, 'it waited for a lease of 60 seconds');
      assert.deepEqual(contentOf(join(cwd, 'out')), wanted);
      assertEmpty(url);
    }));

  it('shares a database and its workers with other runs', () =>
    inFolder({ 'in.jsonl': inputText }, async (cwd) => {
      const url = server.database('two_runs');
      const worker = startWorker(url, cwd);
      const start = (output: string, ...more: readonly string[]): Promise<Outcome> =>
        runHere(compressArgs('in.jsonl', '-o', output, ...more), { cwd });
      const queued = ['--queue', url, '--no-local', '--in-flight', '4'];
      await start('calm-b.jsonl', '--target-tokens', '2000');
      const ends = await Promise.all([
        start('a.jsonl', ...queued),
        start('b.jsonl', '--target-tokens', '2000', ...queued),
      ]);
      await worker.stop();
      assert.deepEqual(
        ends.map(({ code }) => code),
        [1, 1],
      );
      assert.deepEqual(linesIn(join(cwd, 'a.jsonl')), linesOf(await calmText()));
      assert.deepEqual(linesIn(join(cwd, 'b.jsonl')), linesIn(join(cwd, 'calm-b.jsonl')));
      assert.notDeepEqual(linesIn(join(cwd, 'a.jsonl')), linesIn(join(cwd, 'b.jsonl')));
      assertEmpty(url);
    }));

  it('never has more batches in the database than it may', () =>
    inFolder({ 'in.jsonl': inputText }, async (cwd) => {
      const url = server.database('bounded');
      const args = compressArgs('in.jsonl', '-o', 'out.jsonl', '--queue', url, '--no-local', '--in-flight', '5');
      const running = runHere(args, { cwd });
      await until(async () => (await numberIn(url, batches)) === 5);
      const worker = startWorker(url, cwd);
      let [isOver, most, looks] = [false, 0, 0];
      void running.finally(() => {
        isOver = true;
      });
      await until(async () => {
        looks++;
        most = Math.max(most, await numberIn(url, batches));
        return isOver;
      });
      await worker.stop();
      assert.equal((await running).code, 1);
      assert.ok(looks > 3);
      assert.equal(most, 5);
    }));

  it('keeps the lines of a batch that nobody can do as they are, tells of each, and does the others', () =>
    inFolder({ 'in.jsonl': `${shareGptLines({ records: 40 }).join('\n')}\n` }, async (cwd) => {
      const url = server.database('poisoned');
      const args = compressArgs(
        'in.jsonl',
        '-o',
        'out.jsonl',
        '--queue',
        url,
        '--no-local',
        '--errors',
        'errors.jsonl',
      );
      const running = runHere([...args, '--retries', '1'], { cwd });
      await until(async () => (await numberIn(url, batches)) > 4);
      const poisoned = '(select first from palimpsest_trajectories.batch order by first limit 1 offset 2)';
      const [first = ''] = sql(
        url,
        `update palimpsest_trajectories.batch set bytes = '\\x00' where first = ${poisoned} returning first`,
      );
      const worker = startWorker(url, cwd);
      const { code, stderr } = await running;
      assert.match(await worker.stop(), /^did [\d,]+ batches, and could not do 2\n$/);
      assert.equal(code, 1);
      assert.match(
        stderr,
        new RegExp(`in\\.jsonl:${first}: no worker could compress its batch \\(given up after 2 tries: `),
      );
      await runHere(compressArgs('in.jsonl', '-o', 'calm.jsonl'), { cwd });
      const [input, calm, out] = [
        linesIn(join(cwd, 'in.jsonl')),
        linesIn(join(cwd, 'calm.jsonl')),
        linesIn(join(cwd, 'out.jsonl')),
      ];
      const broken = linesIn(join(cwd, 'errors.jsonl')).map((line): number => JSON.parse(line).line);
      assert.equal(broken[0], Number(first));
      assert.deepEqual(
        out,
        calm.map((line, at) => (broken.includes(at + 1) ? input[at] : line)),
      );
    }));
});

describe('J2 the database of a queue', { skip }, () => {
  const optionsFor = (cwd: string, url: string, patienceSeconds: number) => ({
    inputs: ['in.jsonl'],
    output: 'out.jsonl',
    cwd,
    config: smallConfig,
    queue: { url, patienceSeconds, inFlight: 6 },
  });

  /** Calls it once, at a step. */
  function atStep(step: number, act: () => void): () => void {
    let steps = 0;
    return () => {
      if (++steps === step) act();
    };
  }

  it('that goes away ends the run with an error that says how to go on, and --resume does', () =>
    inFolder({ 'in.jsonl': inputText }, async (cwd) => {
      const url = server.database('gone');
      const options = optionsFor(cwd, url, 0);
      const stopped = compressTrajectoryFiles({ ...options, onProgress: atStep(5, server.stop) });
      await assert.rejects(stopped, (error: Error & { code?: string }) => {
        assert.equal(error.code, 'QUEUE_UNREACHABLE');
        assert.match(
          error.message,
          /^the queue at postgres:\/\/127\.0\.0\.1:\d+\/gone cannot be reached \(.+\): start it again/,
        );
        return true;
      });
      server.start();
      const report = await compressTrajectoryFiles({ ...options, resume: true });
      assert.equal(report.resumed, true);
      assert.deepEqual(linesIn(join(cwd, 'out.jsonl')), linesOf(await calmText()));
      assertEmpty(url);
    }));

  it('that is started anew within the patience of a run does not stop it', () =>
    inFolder({ 'in.jsonl': inputText }, async (cwd) => {
      const url = server.database('restarted');
      const restart = (): void => {
        server.stop();
        server.start();
      };
      await compressTrajectoryFiles({ ...optionsFor(cwd, url, 60), onProgress: atStep(5, restart) });
      assert.deepEqual(linesIn(join(cwd, 'out.jsonl')), linesOf(await calmText()));
    }));

  it('is named without user and password where it refuses', () =>
    inFolder({ 'in.jsonl': inputText }, async (cwd) => {
      const right = server.database('refusing');
      const wrong = right.replace(password, `${password}-no`);
      const { code, stderr } = await runHere(compressArgs('in.jsonl', '-o', 'out.jsonl', '--queue', wrong), { cwd });
      assert.equal(code, 3);
      assert.match(
        stderr,
        /the queue at postgres:\/\/127\.0\.0\.1:\d+\/refusing refuses: it does not let this user in \(28P01\)/,
      );
      assert.doesNotMatch(stderr, new RegExp(`"${new URL(right).username}"`));
      assert.doesNotMatch(stderr, new RegExp(password));
      assert.equal(existsSync(join(cwd, 'out.jsonl')), false);
    }));
});

describe('J2 trajectories work and queue', { skip }, () => {
  it('refuse a run that another version started, list it, and remove it', () =>
    inFolder({ 'in.jsonl': inputText }, async (cwd) => {
      const url = server.database('versions');
      const work = ['trajectories', 'work', '--queue', url, '--idle-seconds', '0'];
      const list = ['trajectories', 'queue', '--queue', url];
      assert.equal((await runHere(list, { cwd })).stdout, 'no runs\n');
      const run = await leaveRun(url, cwd);
      sql(url, `update palimpsest_trajectories.run set version = '9.9.9'`);
      const refused = await runHere(work, { cwd });
      assert.equal(refused.code, 2);
      assert.match(
        refused.stderr,
        new RegExp(
          `run ${run} was started by palimpsest 9\\.9\\.9, and this is \\d+\\.\\d+\\.\\d+: install the same version`,
        ),
      );
      const listed = await runHere([...list, '--json'], { cwd });
      const [{ id, title, waiting, version }] = JSON.parse(listed.stdout).runs;
      assert.deepEqual([id, title, version, waiting > 2], [run, 'out.jsonl', '9.9.9', true]);
      assert.match((await runHere(list, { cwd })).stdout, new RegExp(`${run} +out\\.jsonl `));
      assert.equal((await runHere([...list, '--clean', 'other'], { cwd })).code, 2);
      assert.equal((await runHere([...list, '--clean', run], { cwd })).stdout, `removed run ${run} with its batches\n`);
      assertEmpty(url);
      // The run itself goes on all the same: its journal is here.
      const args = compressArgs('in.jsonl', '-o', 'out.jsonl', '--queue', url, '--resume');
      assert.equal((await runHere(args, { cwd })).code, 1);
    }));

  it('do what a left run has in the queue, and end when there is no more', () =>
    inFolder({ 'in.jsonl': inputText }, async (cwd) => {
      const url = server.database('left_run');
      await leaveRun(url, cwd);
      const waiting = await numberIn(url, batches);
      const { code, stdout } = await runHere(['trajectories', 'work', '--queue', url, '--idle-seconds', '0'], { cwd });
      assert.deepEqual([code, stdout], [0, `did ${waiting} batches\n`]);
      assert.equal(await numberIn(url, `${batches} where result is null`), 0);
      // Results that are there are used: nobody is left to do them again.
      const args = compressArgs('in.jsonl', '-o', 'out.jsonl', '--queue', url, '--resume');
      assert.equal((await runHere(args, { cwd })).code, 1);
      assert.deepEqual(linesIn(join(cwd, 'out.jsonl')), linesOf(await calmText()));
    }));
});
