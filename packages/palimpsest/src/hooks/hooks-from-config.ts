/** ★ Start here: the commands of the configuration as hooks of the runtime (E6). */

import { type ChildProcess, spawn } from 'node:child_process';
import {
  type CompressionStart,
  type CompressionStartAnswer,
  type ContextCompression,
  type HookCall,
  type ReadAnswer,
  redact,
  type SessionContinue,
  type SessionEvent,
} from '@palimpsest/core';
import { checkKnownOptions, parseJson, snakeCase } from '@palimpsest/core/settings';
import { readStartAnswer } from '@palimpsest/core/store';
import { type HookCommand, type HooksConfig, hooksDefaults } from '../config/config.ts';

/** Where hook commands run, and who hears what goes wrong. */
export interface HookCommandOptions {
  /** The folder that they run in. */
  readonly cwd: string;
  /** Their environment; `PALIMPSEST_HOOK` is added, with the name of the event. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Told, in a line for people without credentials, when a command failed or was ended. */
  readonly onNotice: (notice: string) => void;
}

type EventName = keyof HooksConfig;

type Done = Promise<undefined>;

/** Hooks of the runtime that can also be called without one; a runtime says when nobody waits any more. */
export interface CommandHooks {
  /** How long the slowest event may take: commands of one event run one after the other. */
  readonly timeoutMs: number;
  readonly onCompressionStart?: (start: CompressionStart, call?: HookCall) => Promise<CompressionStartAnswer>;
  readonly onCompressionEnd?: (report: ContextCompression, call?: HookCall) => Done;
  readonly onSessionStart?: (session: SessionEvent, call?: HookCall) => Done;
  readonly onSessionContinue?: (sessions: SessionContinue, call?: HookCall) => Done;
  readonly onSessionEnd?: (session: SessionEvent, call?: HookCall) => Done;
}

/**
 * Hooks that run the commands, one after the other. Each gets the event as one JSON object on its standard input, and
 * may answer a `compression_start` with a JSON object on its standard output. A command that fails, says too much (over
 * 64 KiB), or takes longer than its `timeoutMs` is passed over with a notice; the others still run. Nothing is thrown.
 * Once the signal of the call fires, the command that runs is ended, and none is begun behind it.
 */
export function hooksFromConfig(config: HooksConfig, options: HookCommandOptions): CommandHooks {
  checkKnownOptions('hooksFromConfig', options, { cwd: true, env: true, onNotice: true });
  const outputs = (event: EventName, facts: object, call?: HookCall): Promise<readonly string[]> =>
    outputsOf(config[event], event, { facts, options, signal: call?.signal });
  const tell = async (event: EventName, facts: object, call?: HookCall): Promise<undefined> => {
    await outputs(event, facts, call);
  };
  const { compressionStart, compressionEnd, sessionStart, sessionContinue, sessionEnd } = config;
  return {
    timeoutMs: timeLimit(config),
    ...(compressionStart.length > 0 && {
      onCompressionStart: async (start, call) => {
        const answers = (await outputs('compressionStart', start, call)).map((output) => readAnswer(output));
        for (const read of answers) if (read.type === 'wrong') note(options, 'compressionStart', read.why);
        return joined(answers.flatMap((read) => (read.type === 'answer' ? [read.answer] : [])));
      },
    }),
    ...(compressionEnd.length > 0 && {
      // The report holds messages; a command gets what it is about.
      onCompressionEnd: ({ result, ...sizes }, call) => tell('compressionEnd', { ...sizes, ...reportOf(result) }, call),
    }),
    ...(sessionStart.length > 0 && { onSessionStart: (session, call) => tell('sessionStart', session, call) }),
    ...(sessionContinue.length > 0 && {
      onSessionContinue: (sessions, call) => tell('sessionContinue', sessions, call),
    }),
    ...(sessionEnd.length > 0 && { onSessionEnd: (session, call) => tell('sessionEnd', session, call) }),
  };
}

/** What a process needs beside the time of its command to start and to end. */
const overheadMs = 1_000;
/** As the runtime has it. */
const leastTimeoutMs = 5_000;

function timeLimit(config: HooksConfig): number {
  const events = Object.values({ ...hooksDefaults, ...config });
  const sums = events.map((commands) => commands.reduce((sum, { timeoutMs }) => sum + timeoutMs + overheadMs, 0));
  return Math.max(leastTimeoutMs, ...sums);
}

function reportOf(result: ContextCompression['result']): object {
  if (result === undefined) return {};
  const { status, reason, handoff } = result;
  return { status, reason: redact(reason), writtenBy: handoff?.writtenBy ?? null, covers: handoff?.covers.length ?? 0 };
}

interface Call {
  readonly facts: object;
  readonly options: HookCommandOptions;
  readonly signal: AbortSignal | undefined;
}

/** What the commands said that ended well. */
async function outputsOf(
  commands: readonly HookCommand[],
  event: EventName,
  { facts, options, signal }: Call,
): Promise<readonly string[]> {
  const name = snakeCase(event);
  const known = Object.entries(facts).map(([key, value]) => [snakeCase(key), value]);
  const input = `${JSON.stringify({ event: name, ...Object.fromEntries(known) })}\n`;
  const outputs: string[] = [];
  for (const { command, timeoutMs } of commands) {
    const env = { ...options.env, PALIMPSEST_HOOK: name };
    const outcome = await runCommand({ command, timeoutMs, input, cwd: options.cwd, env, signal });
    if (outcome.type === 'aborted') return [];
    if (outcome.type === 'done') outputs.push(outcome.stdout);
    else note(options, event, `${nameOf(command)} ${problemOf(outcome, timeoutMs)}`);
  }
  return outputs;
}

function problemOf(outcome: Exclude<CommandOutcome, { type: 'done' | 'aborted' }>, timeoutMs: number): string {
  switch (outcome.type) {
    case 'late':
      return `took longer than ${timeoutMs} ms and was stopped`;
    case 'too_much':
      return 'wrote more than 64 KiB and was stopped';
    case 'failed': {
      // Redacted before it is cut: half a credential is not recognised.
      const last = redact(outcome.said.split('\n').at(-1) ?? '');
      return `failed (${outcome.why}${last === '' ? '' : `: ${last.slice(0, 200)}`})`;
    }
  }
}

/** The command as far as it names itself: arguments may hold anything. */
function nameOf(command: HookCommand['command']): string {
  const words = redact(typeof command === 'string' ? command : command.join(' '));
  return `"${words.length > 160 ? `${words.slice(0, 160)}…` : words}"`;
}

function note({ onNotice }: HookCommandOptions, event: EventName, what: string): void {
  onNotice(redact(`The hook ${snakeCase(event)}: ${what}; it was ignored.`.replaceAll(/\s+/g, ' ')));
}

// What a command says on its standard output, read as the answer to a compression that is about to begin.

/** An empty output is an empty answer; one that is no JSON is none. */
function readAnswer(output: string): ReadAnswer {
  const text = output.trim();
  return text === '' ? readStartAnswer(undefined) : readStartAnswer(parseJson(text) ?? text);
}

/** Several answers as one: the first veto, and everything that is to be kept. */
function joined(answers: readonly CompressionStartAnswer[]): CompressionStartAnswer {
  const veto = answers.find((answer) => answer.veto !== undefined)?.veto;
  const keep = answers.flatMap((answer) => answer.keep ?? []).join('\n\n');
  return { ...(veto === undefined ? {} : { veto }), ...(keep === '' ? {} : { keep }) };
}

// Runs one command in a process of its own: bounded in time and in what it may say.

/** What a command is given. */
interface CommandInput {
  readonly command: HookCommand['command'];
  /** Written to its standard input. */
  readonly input: string;
  readonly timeoutMs: number;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Once it fires, nobody waits for the command any more. @default it never does */
  readonly signal?: AbortSignal | undefined;
}

/** How a command ended. */
type CommandOutcome =
  | { readonly type: 'done'; readonly stdout: string }
  | { readonly type: 'late' }
  | { readonly type: 'aborted' }
  | { readonly type: 'too_much' }
  /** `said` is the end of what it wrote to standard error. */
  | { readonly type: 'failed'; readonly why: string; readonly said: string };

/** So many bytes of an answer are read; more is none. */
const mostAnswerBytes = 64 * 1024;
const mostErrorBytes = 4 * 1024;
/** How long the pipes of a command that has ended may stay open. */
const graceMs = 250;

/** Never throws; the command and all processes that it started are gone when it has not ended in time, or was aborted. */
function runCommand(what: CommandInput): Promise<CommandOutcome> {
  const { signal } = what;
  if (signal?.aborted) return Promise.resolve({ type: 'aborted' });
  return new Promise((resolve) => {
    let child: ChildProcess;
    try {
      child = started(what);
    } catch (error) {
      // Such as a NUL in the command.
      resolve(failed(error, ''));
      return;
    }
    const [out, err]: [Buffer[], Buffer[]] = [[], []];
    let [outBytes, errBytes] = [0, 0];
    const kill = (): void => killGroup(child);
    let grace: NodeJS.Timeout | undefined;
    const end = (outcome: CommandOutcome): void => {
      clearTimeout(timer);
      clearTimeout(grace);
      signal?.removeEventListener('abort', abort);
      process.off('exit', kill);
      // What the command has left behind may still hold the pipes open.
      child.stdout?.destroy();
      child.stderr?.destroy();
      resolve(outcome);
    };
    const endGroup = (outcome: CommandOutcome): void => {
      kill();
      end(outcome);
    };
    const abort = (): void => endGroup({ type: 'aborted' });
    signal?.addEventListener('abort', abort, { once: true });
    const timer = setTimeout(() => endGroup({ type: 'late' }), what.timeoutMs);
    process.once('exit', kill);
    child.stdout?.on('data', (piece: Buffer) => {
      out.push(piece);
      outBytes += piece.length;
      if (outBytes > mostAnswerBytes) endGroup({ type: 'too_much' });
    });
    child.stderr?.on('data', (piece: Buffer) => {
      err.push(piece);
      errBytes += piece.length;
      while (errBytes - (err[0]?.length ?? 0) > mostErrorBytes) errBytes -= err.shift()?.length ?? 0;
    });
    // A command that does not read its input closes the pipe.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(what.input);
    const said = (): string => Buffer.concat(err).subarray(-mostErrorBytes).toString().trim();
    const ended = (code: number | null, signal: string | null): void => {
      if (code === 0) end({ type: 'done', stdout: Buffer.concat(out).toString() });
      else end({ type: 'failed', why: code === null ? `stopped by ${signal}` : `exit code ${code}`, said: said() });
    };
    child.on('error', (error) => end(failed(error, said())));
    // One that leaves a process behind has ended all the same; its own words may still be on their way.
    child.on('exit', (code, signal) => {
      grace = setTimeout(() => ended(code, signal), graceMs);
    });
    child.on('close', ended);
  });
}

/** In a group of its own, so that what it starts can be ended with it; Windows has no such groups. */
function started({ command, cwd, env }: CommandInput): ChildProcess {
  const options = { cwd, env: { ...env }, stdio: 'pipe', detached: process.platform !== 'win32' } as const;
  if (typeof command === 'string') return spawn(command, { ...options, shell: true, windowsHide: true });
  const [program = '', ...args] = command;
  return spawn(program, args, { ...options, windowsHide: true });
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group has ended by itself.
  }
}

const failed = (error: unknown, said: string): CommandOutcome => ({
  type: 'failed',
  why: error instanceof Error ? error.message : String(error),
  said,
});
