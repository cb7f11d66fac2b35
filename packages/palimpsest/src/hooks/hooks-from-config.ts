/** ★ Start here: the commands of the configuration as hooks of the runtime (E6). */

import {
  type CompressionStart,
  type CompressionStartAnswer,
  type ContextCompression,
  type HookCall,
  redact,
  type SessionContinue,
  type SessionEvent,
} from '@palimpsest/core';
import { snakeCase } from '@palimpsest/core/settings';
import { type HookCommand, type HooksConfig, hooksDefaults } from '../config/hooks.ts';
import { joined, readAnswer } from './answer.ts';
import { type CommandOutcome, runCommand } from './run-command.ts';

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
  const outputs = (event: EventName, facts: object, call?: HookCall): Promise<readonly string[]> =>
    outputsOf(config[event], event, { facts, options, signal: call?.signal });
  const tell = async (event: EventName, facts: object, call?: HookCall): Promise<undefined> => {
    await outputs(event, facts, call);
  };
  const { compressionStart, compressionEnd, sessionStart, sessionContinue, sessionEnd } = config;
  return {
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

/** How long the slowest event may take, for `hookTimeoutMs` of the runtime: commands of one event run one after the other. */
export function hookTimeLimit(config: HooksConfig): number {
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
