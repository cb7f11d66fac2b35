/** ★ Start here: the tools by which an agent works in a project. */
import { delimiter } from 'node:path';
import { checkKnownOptions, lazily, platformTimers, type Timers } from '@palimpsest/core/settings';
import type { ToolSet } from 'ai';
import type { Project } from '../approval/project.ts';
import type { Approve } from '../approval/request.ts';
import { createPatch } from './files/patch.ts';
import { createReadFile } from './files/read-file.ts';
import { createSeenFiles } from './files/seen-files.ts';
import { createWriteFile } from './files/write-file.ts';
import { createSearchFiles, searchTimeoutMs } from './search/search-files.ts';
import { commandEnv, type Env } from './terminal/command-env.ts';
import { type CommandOutput, createTerminal, type WatchCommand } from './terminal/terminal.ts';
import { toolSet } from './tool-set.ts';

export interface AgentToolsOptions {
  readonly project: Project;
  /** Asked before anything is run or changed, and before something is read that is none of the project's matter. */
  readonly approve: Approve;
  /** The environment of the person; commands get it without credentials. */
  readonly env: Env;
  /** Names of variables that commands get although they look like credentials. @default none */
  readonly keepEnv?: readonly string[];
  /** Told what commands write while they run. @default nobody is told */
  readonly onOutput?: (output: CommandOutput) => void;
  /** Asked before a command starts, and told when it has ended. @default nobody */
  readonly watch?: WatchCommand;
  /** The clock of time limits. @default those of the platform */
  readonly timers?: Timers;
  /** Longest search in milliseconds. @default 20000 */
  readonly searchTimeoutMs?: number;
}

export interface AgentTools {
  /** `terminal`, `read_file`, `write_file`, `patch` and `search_files`. */
  readonly tools: ToolSet;
  /** Names of the variables that commands do not get. */
  readonly hiddenEnv: () => readonly string[];
  /** Ends every command that still runs, with all that it started. */
  close(): Promise<void>;
}

/**
 * The tools of one conversation: what it has read is kept in mind, so that nothing is overwritten that it has not seen. They
 * answer with a text, whatever a model sends; an abort rejects with the reason of its signal, and ends the command.
 *
 * @throws BAD_OPTION for an option that does not exist
 */
export function createAgentTools(options: AgentToolsOptions): AgentTools {
  checkKnownOptions('createAgentTools', options, {
    project: true,
    approve: true,
    env: true,
    keepEnv: true,
    onOutput: true,
    watch: true,
    timers: true,
    searchTimeoutMs: true,
  });
  const { project, approve, onOutput = () => undefined, timers = platformTimers, watch } = options;
  const place = { project, approve };
  const seen = createSeenFiles();
  // When a command first runs: to look for credentials takes tables that a person would wait for at the start.
  const forCommands = lazily(() =>
    commandEnv(options.env, { project: project.folder, keep: options.keepEnv ?? [], delimiter }),
  );
  const terminal = createTerminal(place, { env: () => forCommands().env, onOutput, timers, ...(watch && { watch }) });
  const limits = { timers, timeoutMs: options.searchTimeoutMs ?? searchTimeoutMs };
  const all = [
    terminal.tool,
    createReadFile(place, seen),
    createWriteFile(place, seen),
    createPatch(place, seen),
    createSearchFiles(place, limits),
  ];
  return { tools: toolSet(all), hiddenEnv: () => forCommands().hidden, close: terminal.close };
}
