/** Where the tools on a person's machine keep their sessions. */
import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FormatName } from '@palimpsest/core';
import type { Terminal } from '../terminal.ts';
import { type Collected, collectFiles, type NameRule } from './collect-files.ts';

/** A folder of sessions. */
export interface SessionFolder {
  readonly tool: FormatName;
  readonly path: string;
  /** Which of its files are sessions. */
  readonly takes: NameRule;
}

/** A folder that was looked into; without `found` it is not there. */
export interface Discovered extends SessionFolder {
  readonly found?: Collected;
}

const isLog: NameRule = (name) => name.endsWith('.jsonl');
const isRollout: NameRule = (name) => /(?:^|\/)rollout-[^/]*\.jsonl$/.test(name);
const isEventLog: NameRule = (name) => /(?:^|\/)events\.jsonl$/.test(name) || /^[^/]+\.jsonl$/.test(name);

/**
 * The folders of every tool that we know to keep logs: the one that a variable of the tool names, and the one below the
 * home folder, where sessions from before may lie. Codex moves sessions that are archived to a folder of their own.
 */
export function sessionFolders({ env, platform }: Pick<Terminal, 'env' | 'platform'>): readonly SessionFolder[] {
  const home = (platform === 'win32' ? env.USERPROFILE : undefined) ?? env.HOME;
  const bases = (variable: string | undefined, ...names: readonly string[]): readonly string[] => [
    ...new Set([...(variable ? [variable] : []), ...(home ? [join(home, ...names)] : [])]),
  ];
  const folder = (tool: FormatName, takes: NameRule, paths: readonly string[]): readonly SessionFolder[] =>
    paths.map((path) => ({ tool, path, takes }));
  const codex = bases(env.CODEX_HOME, '.codex');
  const inside = (paths: readonly string[], name: string): readonly string[] => paths.map((path) => join(path, name));
  return [
    ...folder('claude-code', isLog, inside(bases(env.CLAUDE_CONFIG_DIR, '.claude'), 'projects')),
    ...folder('codex', isRollout, inside(codex, 'sessions')),
    ...folder('codex', isRollout, inside(codex, 'archived_sessions')),
    ...folder('pi', isLog, inside(bases(env.PI_CODING_AGENT_DIR, '.pi', 'agent'), 'sessions')),
    ...folder('copilot-cli', isEventLog, inside(bases(undefined, '.copilot'), 'session-state')),
  ];
}

/**
 * Looks into the folders of a tool, or of every one. A folder may itself be a link, as in a home folder under version
 * control; links inside are never followed.
 */
export async function discover(terminal: Terminal, tool: FormatName | undefined): Promise<readonly Discovered[]> {
  const folders = sessionFolders(terminal).filter((folder) => tool === undefined || folder.tool === tool);
  return Promise.all(
    folders.map(async (folder) => {
      const path = await folderAt(folder.path);
      if (path === undefined) return folder;
      return { ...folder, found: await collectFiles([path], { cwd: terminal.cwd, takes: folder.takes }) };
    }),
  );
}

async function folderAt(path: string): Promise<string | undefined> {
  try {
    const real = await realpath(path);
    return (await stat(real)).isDirectory() ? real : undefined;
  } catch {
    // A tool that is not installed has no folder.
    return undefined;
  }
}
