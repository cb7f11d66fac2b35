/** A PostgreSQL server of our own: on loopback, in a folder that is gone afterwards, and never as root. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface PostgresServer {
  readonly port: number;
  readonly start: () => void;
  /** At once, as a crash would. */
  readonly stop: () => void;
  readonly remove: () => void;
  /** An empty database, by its address. */
  readonly database: (name: string) => string;
}

const isRoot = process.getuid?.() === 0;
/** No output may show it. */
export const password = 'kiln-42-secret';

/** The programs of the server stand in no path: Debian keeps several versions. */
function binariesFolder(): string | undefined {
  const told = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' }).stdout?.trim() ?? '';
  return [told, ...globSync('/usr/lib/postgresql/*/bin')].find((folder) => existsSync(join(folder, 'initdb')));
}

/** Why there can be no server here; undefined where there can. */
export function noPostgresHere(): string | undefined {
  if (binariesFolder() === undefined) return 'needs the server of PostgreSQL: apt-get install postgresql';
  if (!isRoot) return undefined;
  const canChange = spawnSync('setpriv', [...asPostgres, 'true']).status === 0;
  return canChange ? undefined : 'needs setpriv and a user postgres: the server does not run as root';
}

const asPostgres = ['--reuid=postgres', '--regid=postgres', '--clear-groups'];

/** Runs a program of the server, as a user that it allows. */
function run(name: string, args: readonly string[]): void {
  const program = join(binariesFolder() ?? '', name);
  const words = isRoot ? [...asPostgres, program, ...args] : args;
  execFileSync(isRoot ? 'setpriv' : program, words, {
    cwd: '/',
    stdio: 'ignore',
    env: { PATH: process.env.PATH ?? '' },
  });
}

export async function startPostgres(): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-pg-'));
  const data = join(folder, 'data');
  const secret = join(folder, 'password');
  writeFileSync(secret, `${password}\n`);
  chmodSync(secret, 0o644);
  chmodSync(folder, 0o777);
  run('initdb', [
    '-D',
    data,
    '-U',
    'palimpsest',
    '-A',
    'scram-sha-256',
    `--pwfile=${secret}`,
    '--locale=C.UTF-8',
    '--no-sync',
  ]);
  const port = await freePort();
  const settings = `-c listen_addresses=127.0.0.1 -p ${port} -k ${folder} -c fsync=off -c max_connections=60`;
  const start = (): void => run('pg_ctl', ['-D', data, '-w', '-l', join(folder, 'log'), '-o', settings, 'start']);
  const stop = (): void => run('pg_ctl', ['-D', data, '-w', '-m', 'immediate', 'stop']);
  start();
  const remove = (): void => {
    process.off('exit', remove);
    try {
      stop();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
  // A test file that breaks off leaves no server.
  process.on('exit', remove);
  const urlOf = (name: string): string => `postgres://palimpsest:${password}@127.0.0.1:${port}/${name}`;
  return {
    port,
    database: (name) => {
      sql(urlOf('postgres'), `create database ${name}`);
      return urlOf(name);
    },
    start,
    stop,
    remove,
  };
}

/** What a statement gives, a line for each row. */
export function sql(url: string, statement: string): readonly string[] {
  const words = ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-d', url, '-c', statement];
  const told = execFileSync(join(binariesFolder() ?? '', 'psql'), words, { encoding: 'utf8' });
  return told.split('\n').filter(Boolean);
}

/** Asks again and again over one connection: to start a client for each question takes longer than any answer. */
export interface Questions {
  /** What a statement gives, a line for each row; none where its table is not there yet. */
  ask(statement: string): Promise<readonly string[]>;
  close(): void;
}

const answered = '-- answered --';

export function openQuestions(url: string): Questions {
  const words = ['-X', '-q', '-A', '-t', '-d', url];
  const client = spawn(join(binariesFolder() ?? '', 'psql'), words, { stdio: ['pipe', 'pipe', 'ignore'] });
  const lines = createInterface({ input: client.stdout })[Symbol.asyncIterator]();
  return {
    async ask(statement) {
      client.stdin.write(`${statement};\n\\echo ${answered}\n`);
      const rows: string[] = [];
      for (let line = await lines.next(); line.value !== answered; line = await lines.next()) {
        if (line.done) throw new Error(`the database has ended the connection before it answered: ${statement}`);
        if (line.value !== '') rows.push(line.value);
      }
      return rows;
    },
    close: () => void client.kill(),
  };
}

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
