/** What a queue needs, and what cannot be asked of it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compressTrajectoryFiles } from '../../../packages/palimpsest/src/trajectory/compress-files.ts';
import { Database, shownUrl } from '../../../packages/palimpsest/src/trajectory/queue/connection.ts';
import { loadQueuePackages } from '../../../packages/palimpsest/src/trajectory/queue/packages.ts';
import { inFolder, runHere } from '../../support/command-line.ts';
import { shareGptLines } from '../../support/trajectories.ts';

const url = 'postgres://me:hush@127.0.0.1:1/work';
const text = `${shareGptLines({ records: 2 }).join('\n')}\n`;
const compress = (cwd: string, ...args: readonly string[]) =>
  runHere(['trajectories', 'compress', 'in.jsonl', '-o', 'out.jsonl', ...args], { cwd });

describe('J2 --queue', () => {
  it('says which packages to install where they are missing', async () => {
    const missing = (name: string): Promise<never> =>
      Promise.reject(Object.assign(new Error(`Cannot find package '${name}'`), { code: 'ERR_MODULE_NOT_FOUND' }));
    await assert.rejects(loadQueuePackages(missing), {
      code: 'BAD_OPTION',
      message: 'a queue needs two more packages: npm install pg@8 pg-boss@12.30.0 (The package pg is not installed)',
    });
  });

  it('refuses what is no PostgreSQL, a dry run, a model for summaries, and options that need it', () =>
    inFolder({ 'in.jsonl': text }, async (cwd) => {
      const cases: readonly (readonly [RegExp, ...(readonly string[])])[] = [
        [
          /expected the queue as postgres:\/\/user@host:5432\/database, got something else/,
          '--queue',
          'mysql://a:hush@b/c',
        ],
        [/expected a queue or a dry run, got both/, '--queue', url, '--dry-run'],
        [/expected a queue or a model for summaries/, '--queue', url, '--set', 'summarization.model=gpt-5'],
        [
          /expected --lease-seconds to be a whole number from 10 to 3600, got "5"/,
          '--queue',
          url,
          '--lease-seconds',
          '5',
        ],
        [/expected --queue with --no-local, got --no-local alone/, '--no-local'],
        [/expected --queue with --in-flight, got --in-flight alone/, '--in-flight', '3'],
      ];
      for (const [wanted, ...args] of cases) {
        const { code, stderr } = await compress(cwd, ...args);
        assert.equal(code, 2, stderr);
        assert.match(stderr, wanted);
        assert.doesNotMatch(stderr, /hush/);
      }
      const inputs = { inputs: ['in.jsonl'], output: 'out.jsonl', cwd };
      await assert.rejects(compressTrajectoryFiles({ ...inputs, queue: { url, inFlight: 0 } }), {
        code: 'BAD_OPTION',
        message: 'expected queue.inFlight to be a whole number from 1 to 10000, got 0',
      });
    }));

  it('says at once that nobody answers, without user and password', () =>
    inFolder({ 'in.jsonl': text }, async (cwd) => {
      const { code, stderr } = await compress(cwd, '--queue', url);
      assert.equal(code, 3);
      assert.match(stderr, /the queue at postgres:\/\/127\.0\.0\.1:1\/work cannot be reached \(connect ECONNREFUSED/);
      assert.doesNotMatch(stderr, /hush|me:/);
    }));

  it('shows an address without what is secret in it', () => {
    assert.equal(
      shownUrl('postgres://me:hush@db.test:5433/work?password=hush&sslmode=require'),
      'postgres://db.test:5433/work',
    );
    assert.equal(shownUrl('postgresql://me:hush@/work?host=/run/pg'), 'postgres:///run/pg/work');
    assert.equal(shownUrl('postgres://me:hu sh@[db/work'), 'postgres://…');
  });

  it('says what a server refuses without the name of the user', () => {
    const none = (): never => assert.fail('nothing is asked');
    const database = new Database(
      { query: none, connect: none, end: none, on: () => undefined },
      { shownUrl: 'postgres://db.test/work', patienceMs: 0 },
    );
    const told = (message: string, code: string): string =>
      database.failure(Object.assign(new Error(message), { code })).message;
    const messages = [
      told('password authentication failed for user "ada"', '28P01'),
      told('no pg_hba.conf entry for host "10.0.0.7", user "ada", database "work"', '28000'),
      told('too many connections for role "ada"', '53300'),
      told('permission denied for schema public', '42501'),
    ];
    assert.deepEqual(
      messages.map((message) => /ada/.test(message)),
      [false, false, false, false],
    );
    assert.match(messages[0] ?? '', /refuses: it does not let this user in \(28P01\): check the user/);
    assert.match(messages[2] ?? '', /cannot be reached \(too many connections for the role\)/);
    assert.match(messages[3] ?? '', /permission denied for schema public/);
  });
});
