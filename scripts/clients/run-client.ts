/** One run of a real client: in a home of its own, pointed by `palimpsest connect` at an address of this machine. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type FakeRequest, startFakeProvider } from '@palimpsest/core/testing';
import type { Client } from './client.ts';
import { quiet } from './clients.ts';
import { earlier, type Scenario, scriptOf } from './scenario.ts';
import { openTap, type Passed } from './tap.ts';

/** That the types are stripped already makes a start of ours three times faster. */
const compiled = { NODE_COMPILE_CACHE: join(tmpdir(), 'palimpsest-compiled') };

const entry = join(import.meta.dirname, '../../packages/palimpsest/src/cli/main.ts');

export interface ClientRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly seconds: number;
  /** What the client sent. */
  readonly sent: readonly Passed[];
  /** What came to the provider. */
  readonly came: readonly Passed[];
  /** The same as the provider understood it. */
  readonly requests: readonly FakeRequest[];
}

/**
 * Straight to the provider or through a gateway, connected both times; by `palimpsest run`, with nothing set in its files; or straight, with
 * the MCP server, of which the model calls a tool.
 */
export type Way = 'direct' | 'gateway' | 'run' | 'mcp';

export interface RunOptions {
  readonly client: Client;
  readonly modules: string;
  readonly scenario: Scenario;
  readonly way: Way;
  readonly timeoutMs: number;
}

/** Runs the client to its end, or until `timeoutMs`, when it is stopped and `code` is null. */
export async function runClient({ client, modules, scenario, way, timeoutMs }: RunOptions): Promise<ClientRun> {
  // The real path: clients say where they work, and a link would be told in two ways.
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'palimpsest-client-')));
  try {
    const [home, folder] = [join(base, 'home'), join(base, 'work')];
    write(folder, scenario.files);
    write(home, client.files ?? {});
    const { contextLength } = scenario;
    const script = scriptOf(scenario, { client, folder, ...(way === 'mcp' ? { mcp: client.mcp } : {}) });
    if (way === 'mcp') giveServer(client, home);
    await using provider = await startFakeProvider({
      script,
      ...(contextLength === undefined ? {} : { contextLength }),
    });
    await using upstream = await openTap({ target: provider.url, refusesSockets: true });
    await using gateway = way === 'gateway' ? await startGateway(upstream.url, home) : undefined;
    await using front = await openTap({ target: gateway?.url ?? upstream.url });
    const words = [...startOf(client.program(modules)), ...client.args(scenario.prompt)];
    const place = { cwd: folder, env: envOf(client, home), timeoutMs };
    if (client.byHand) write(home, client.byHand(front.url));
    else if (way !== 'run') connect(client, { home, gateway: front.url });
    const ended = await (way === 'run'
      ? runProgram(inRun(client, { words, base }), {
          ...place,
          env: { ...place.env, ...addresses(front.url), ...compiled },
        })
      : runProgram(words, place));
    // What is printed has the name of this run in it.
    const stdout = ended.stdout.replaceAll(base, '/home-of-this-run');
    return { ...ended, stdout, sent: [...front.passed], came: [...upstream.passed], requests: provider.requests };
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

function write(folder: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(folder, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

const envOf = (client: Client, home: string): Record<string, string> => ({
  PATH: `${dirname(process.execPath)}:${process.env.PATH ?? ''}`,
  HOME: home,
  ...quiet,
  ...client.env,
});

const connect = (client: Client, { home, gateway }: { readonly home: string; readonly gateway: string }): void =>
  palimpsest(['connect', client.name, '--gateway', gateway, '--yes'], { client, home });

/** The server, and a conversation that it can find. */
function giveServer(client: Client, home: string): void {
  write(home, { 'earlier.json': JSON.stringify([{ role: 'user', content: earlier.text }]) });
  palimpsest(['import', join(home, 'earlier.json')], { client, home });
  write(home, client.mcp?.files(process.execPath, [entry, 'mcp', '--all-projects']) ?? {});
}

/** As a person would, with the command. Throws with what it said where it fails. */
function palimpsest(
  words: readonly string[],
  { client, home }: { readonly client: Client; readonly home: string },
): void {
  const env = { ...envOf(client, home), ...compiled };
  const { status, stderr } = spawnSync(process.execPath, [entry, ...words], { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`Expected palimpsest ${words.join(' ')} to pass: ${stderr}`);
}

/** `palimpsest run` with a program of the client's own name: by that it tells what the client needs. */
function inRun({ command }: Client, { words, base }: { words: readonly string[]; base: string }): readonly string[] {
  const path = join(base, 'bin', command ?? 'client');
  const quoted = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  // Its options come from `palimpsest run` in front of ours.
  const own = quoted.slice(0, 1 + Number(isScript(words[1])));
  write(join(base, 'bin'), { [command ?? 'client']: `#!/bin/sh\nexec ${own.join(' ')} "$@"\n` });
  chmodSync(path, 0o755);
  return [process.execPath, entry, 'run', '--gateway', 'http://127.0.0.1:9', '--', path, ...words.slice(own.length)];
}

/** Where the providers are for the gateway that `palimpsest run` starts. */
const addresses = (url: string): Readonly<Record<string, string>> => ({
  ANTHROPIC_BASE_URL: url,
  OPENAI_BASE_URL: `${url}/v1`,
  GOOGLE_GEMINI_BASE_URL: url,
});

const isScript = (path = ''): boolean => /\.[cm]?js$/.test(path);

const startOf = (program: string): readonly string[] => (isScript(program) ? [process.execPath, program] : [program]);

interface ProgramOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

async function runProgram(
  [program = '', ...words]: readonly string[],
  { cwd, env, timeoutMs }: ProgramOptions,
): Promise<Pick<ClientRun, 'code' | 'stdout' | 'stderr' | 'seconds'>> {
  const started = performance.now();
  const child = spawn(program, words, {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  const timer = setTimeout(() => stopGroup(child), timeoutMs);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  clearTimeout(timer);
  return { code, stdout: stdout(), stderr: stderr(), seconds: (performance.now() - started) / 1_000 };
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const pieces: Buffer[] = [];
  stream.on('data', (piece: Buffer) => pieces.push(piece));
  return () => Buffer.concat(pieces).toString();
}

/** The client and what it started: some are a launcher, and the program proper its child. */
function stopGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It ended meanwhile.
  }
}

/** True where the command has a gateway at all. */
export const hasGateway = (): boolean =>
  spawnSync(process.execPath, [entry, 'serve', '--help'], { encoding: 'utf8' }).stdout.startsWith(
    'Usage: palimpsest serve',
  );

/** `palimpsest serve` in front of one provider, on a free port. */
async function startGateway(provider: string, home: string): Promise<AsyncDisposable & { readonly url: string }> {
  const versions = { 'openai-chat': '/v1', 'openai-responses': '/v1', anthropic: '', gemini: '' };
  const upstreams = Object.entries(versions).flatMap(([name, path]) => ['--upstream', `${name}=${provider}${path}`]);
  const child = spawn(process.execPath, [entry, 'serve', '--port', '0', '--json', ...upstreams], {
    env: { PATH: process.env.PATH ?? '', HOME: home, ...compiled },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let text = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
      const found = /"url": "([^"]+)"/.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('error', reject);
    void ended.then(() => reject(new Error(`Expected palimpsest serve to say where it listens; it said: ${text}`)));
  });
  return {
    url,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
