/** `terminal`: runs a command in the folder of the project, and looks after those that run on. */
import { platformTimers, type Timers } from '@palimpsest/core/settings';
import { agentVariable } from '../../../config/of-an-agent.ts';
import { type AgentTool, type Arguments, readArguments, refusal, type ToolCall, type ToolPlace } from '../tool.ts';
import { plainOutput } from './kept-output.ts';
import { type CommandEnd, type RunningCommand, startCommand } from './run-command.ts';

/** Something that a command wrote. */
export interface CommandOutput {
  /** The id of the call that started it. */
  readonly callId: string;
  /** The id of a process in the background, such as `p1`. */
  readonly process: string | undefined;
  /** As it came: what shows it to a person takes out what drives a terminal. */
  readonly text: string;
}

/** A command that is about to run. */
export interface WatchedCommand {
  readonly line: string;
  /** `NAME=value`: in the environment of the command alone, and of all that it starts. */
  readonly variable: string;
}

/**
 * Called before a command starts, which waits for it; what it returns is called when the command has ended, and all that it started
 * as far as that can be told. Nothing is run where it throws.
 */
export type WatchCommand = (command: WatchedCommand) => Promise<() => Promise<void>>;

export interface TerminalOptions {
  /** Asked for with each command. */
  readonly env: () => Readonly<Record<string, string>>;
  /** @default nobody watches */
  readonly watch?: WatchCommand;
  /** Told what commands write while they run. */
  readonly onOutput: (output: CommandOutput) => void;
  readonly timers?: Timers;
}

export interface Terminal {
  readonly tool: AgentTool;
  /** Ends all that still runs, and waits for it. */
  close(): Promise<void>;
}

const defaultSeconds = 120;
const mostSeconds = 3_600;
/** How long a process in the background is watched before the model goes on: most failures come at once. */
const watchedMs = 1_000;

interface Background {
  readonly command: string;
  readonly running: RunningCommand;
}

interface State extends Required<TerminalOptions> {
  readonly place: ToolPlace;
  readonly processes: Map<string, Background>;
  readonly live: Set<RunningCommand>;
  count: number;
}

export function createTerminal(place: ToolPlace, options: TerminalOptions): Terminal {
  const state: State = {
    timers: platformTimers,
    watch: unwatched,
    ...options,
    place,
    processes: new Map(),
    live: new Set(),
    count: 0,
  };
  return {
    tool: {
      name: 'terminal',
      description:
        'Run a bash command in the project folder. Each call is a new shell; nobody can type; keys and tokens are not in its environment. ' +
        'With background it runs on: `process` reads what is new, with kill it is ended.',
      parameters: {
        type: 'object',
        properties: {
          command: { type: 'string' },
          timeout: { type: 'integer', description: `seconds, ${defaultSeconds} unless given` },
          background: { type: 'boolean' },
          process: { type: 'string', description: 'id of a background process' },
          kill: { type: 'boolean' },
        },
      },
      run: async (given, call) => {
        const read = readArguments(given, {
          command: 'text',
          timeout: 'number',
          background: 'flag',
          process: 'text',
          kill: 'flag',
        });
        if (typeof read === 'string') return read;
        const id = read.text('process');
        return id === undefined ? runLine(read, call, state) : look(id, read.flag('kill'), state);
      },
    },
    close: async () => {
      const live = [...state.live];
      for (const running of live) running.stop();
      await Promise.all(live.map(({ ended }) => ended));
    },
  };
}

async function runLine(read: Arguments, call: ToolCall, state: State): Promise<string> {
  const command = read.text('command');
  if (command === undefined || command.trim() === '') return 'Expected command: a line for the shell.';
  const { project, approve } = state.place;
  const refused = await refusal({ tool: 'terminal', kind: 'run', target: project.folder, command }, { call, approve });
  if (refused !== undefined) return refused;
  const background = read.flag('background') ? `p${++state.count}` : undefined;
  const running = await startWatched(command, state, (text) =>
    state.onOutput({ callId: call.id, process: background, text }),
  );
  if (typeof running === 'string') return running;
  if (background === undefined) return inFront(running, read.number('timeout'), { call, state });
  state.processes.set(background, { command, running });
  return inBackground(background, running, { call, state });
}

const unwatched: WatchCommand = async () => async () => undefined;

/** A command that has not ended before whoever watches it is through. A text says why none was started. */
async function startWatched(
  command: string,
  { env, timers, watch, place, live }: State,
  onOutput: (text: string) => void,
): Promise<RunningCommand | string> {
  const id = crypto.randomUUID();
  let leave: () => Promise<void>;
  try {
    leave = await watch({ line: command, variable: `${agentVariable}=${id}` });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return `The command was not run, since the memory of the user could not be guarded from it: ${why} Tell the user.`;
  }
  const own = { ...env(), [agentVariable]: id };
  const started = startCommand({ command, cwd: place.project.folder, env: own, timers, onOutput });
  let end: CommandEnd | undefined;
  const ended = started.ended.then(async (found) => {
    await leave();
    end = found;
    live.delete(running);
    return found;
  });
  const running: RunningCommand = { ...started, ended, end: () => end };
  live.add(running);
  return running;
}

interface Watching {
  readonly call: ToolCall;
  readonly state: State;
}

async function inFront(running: RunningCommand, given: number | undefined, { call, state }: Watching): Promise<string> {
  const seconds = Math.min(mostSeconds, Math.max(1, given ?? defaultSeconds));
  const outcome = await firstOf(running, seconds * 1_000, { call, state });
  if (outcome === 'stopped') {
    await running.ended;
    return withStatus(plainOutput(running.output.text()), 'stopped by the person before it was done');
  }
  if (outcome !== 'late') return resultText(plainOutput(running.output.text()), outcome);
  running.stop();
  await running.ended;
  const text = plainOutput(running.output.text());
  return withStatus(text, `stopped after ${seconds} s: it had not ended. ${lateAdvice(text)}`);
}

async function inBackground(id: string, running: RunningCommand, watching: Watching): Promise<string> {
  const outcome = await firstOf(running, watchedMs, watching);
  if (outcome === 'stopped') watching.call.signal?.throwIfAborted();
  const text = plainOutput(running.output.news());
  if (typeof outcome === 'object') return resultText(text, outcome);
  return withStatus(text, `${id} runs in the background`);
}

/** The end of the command, or `late`. An abort ends the command: `stopped`. */
function firstOf(
  running: RunningCommand,
  ms: number,
  { call, state }: Watching,
): Promise<CommandEnd | 'late' | 'stopped'> {
  const { signal } = call;
  return new Promise((resolve) => {
    const settle = (act: () => void): void => {
      off();
      signal?.removeEventListener('abort', abort);
      act();
    };
    const abort = (): void => {
      running.stop();
      settle(() => resolve('stopped'));
    };
    const off = state.timers.after(ms, () => settle(() => resolve('late')));
    void running.ended.then((end) => settle(() => resolve(end)));
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
  });
}

async function look(id: string, isKill: boolean, { processes }: State): Promise<string> {
  const found = processes.get(id);
  if (!found) {
    const known = [...processes].map(([name, { command }]) => `${name} (${command.slice(0, 60)})`);
    return `There is no process ${id.slice(0, 40)}${known.length === 0 ? ': none was started in the background.' : `: there are ${known.join(', ')}.`}`;
  }
  const { running } = found;
  if (isKill && running.end() === undefined) {
    running.stop();
    await running.ended;
  }
  const text = plainOutput(running.output.news());
  const end = running.end();
  if (end === undefined) return withStatus(text === '' ? '[nothing new]' : text, `${id} still runs`);
  return isKill && end.type === 'signal' ? withStatus(text, `${id} was ended`) : resultText(text, end);
}

function resultText(text: string, end: CommandEnd): string {
  switch (end.type) {
    case 'exit':
      return withStatus(text, end.code === 0 ? 'exit code 0' : `exit code ${end.code}${asksAdvice(text)}`);
    case 'signal':
      return withStatus(text, `ended by ${end.signal}`);
    case 'failed':
      return withStatus(text, `could not be started: ${end.reason}`);
  }
}

function withStatus(text: string, status: string): string {
  const body = text.replace(/\n+$/, '');
  return body === '' ? `[no output; ${status}]` : `${body}\n[${status}]`;
}

/** The last line of a program that waits for somebody to type. */
const question =
  /(?:\?|:|>|\]|\))\s*$|\b(?:password|passphrase|username|continue|proceed|are you sure|press (?:enter|any key)|\[y\/n\]|\(y\/n\)|yes\/no)\b[^\n]*$/i;
const noInput =
  /not a (?:tty|terminal)|no tty|stdin is not|eof when reading|inappropriate ioctl|terminal prompts disabled|end of file|requires? (?:a )?(?:tty|terminal|interactive)/i;

const asksAdvice = (text: string): string =>
  noInput.test(text.slice(-2_000))
    ? '. It wanted input, and nobody can type: give it all answers as options, such as --yes'
    : '';

function lateAdvice(text: string): string {
  const last = text.trimEnd().split('\n').at(-1) ?? '';
  if (question.test(last))
    return 'It seems to wait for input, and nobody can type: give it all answers as options, such as --yes.';
  return 'Give it a longer timeout, or run it with background if it goes on by itself, such as a server.';
}
