/** Which process something belongs to, and whether it still runs. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { JsonObject } from '../../shared/json.ts';

/** A process, told from a later one with the same number. */
export interface ProcessName {
  readonly pid: number;
  /** When it began; undefined where the system does not tell. */
  readonly started?: string;
  /** The machine, and the part of it that its process numbers belong to. */
  readonly host: string;
}

export const thisProcess = (): ProcessName => ({ pid: process.pid, ...startedOf('self'), host: thisHost() });

/** `unknown` for one of another machine, and where the system does not tell when a process with its number began. */
export function stateOf({ pid, started, host: ofHost }: ProcessName): 'runs' | 'gone' | 'unknown' {
  if (ofHost !== thisHost()) return 'unknown';
  if (!isAlive(pid)) return 'gone';
  const now = startedOf(pid)?.started;
  if (started === undefined || now === undefined) return 'unknown';
  return started === now ? 'runs' : 'gone';
}

/** True for a process that ran before this machine was started anew. Two machines of one name are not told apart. */
export function isBeforeRestart({ host: ofHost }: ProcessName): boolean {
  const [name, boot] = ofHost.split(' ');
  const [here, now] = thisHost().split(' ');
  return name === here && boot !== now && boot !== undefined && now !== undefined;
}

export function processName({ pid, started, host: ofHost }: JsonObject): ProcessName | undefined {
  if (typeof pid !== 'number' || typeof ofHost !== 'string') return undefined;
  return { pid, host: ofHost, ...(typeof started === 'string' ? { started } : {}) };
}

/**
 * True where a process has this line, `NAME=value`, in the environment that it began with: whatever a command started has it, also
 * what went away from its group. Linux alone tells; elsewhere nothing has it.
 */
export function hasProcessWith(line: string): boolean {
  return readDirectory('/proc').some((name) => {
    if (!/^\d+$/.test(name)) return false;
    const [environment = ''] = readAll(`/proc/${name}/environ`);
    return environment.split('\0').includes(line);
  });
}

function readDirectory(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

/** Also true for a process of another user, which may not be signalled. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** When a process began, in clock ticks since the start of the machine: field 22 of proc_pid_stat(5). Linux alone tells. */
function startedOf(pid: number | 'self'): { readonly started: string } | undefined {
  const [stat] = readAll(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The name of the program, in brackets, may hold spaces and brackets.
  const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  return started === undefined ? undefined : { started };
}

let host: string | undefined;

/** Two containers may have one name and the same process numbers, but not the same room for them. */
function thisHost(): string {
  host ??= [hostname(), ...readAll('/proc/sys/kernel/random/boot_id'), ...roomOfProcesses()].join(' ');
  return host;
}

function readAll(path: string): readonly string[] {
  try {
    return [readFileSync(path, 'utf8').trim()];
  } catch {
    return [];
  }
}

function roomOfProcesses(): readonly string[] {
  try {
    return [readlinkSync('/proc/self/ns/pid')];
  } catch {
    return [];
  }
}
