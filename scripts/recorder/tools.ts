/** The tools of a recorded session, really executed in a scratch folder that the record shows as `/repo`. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { JsonObject, JsonValue } from '../../packages/core/src/shared/json.ts';
import type { ScenarioCall } from './scenario.ts';

/** Where a session runs. */
export interface Workshop {
  /** Real path of the folder shown as `/repo`. */
  readonly folder: string;
  /** Real path of the folder shown as `/tmp/home`: HOME and TMPDIR of every command. */
  readonly home: string;
  /** Seconds since 1970 that git is told, so that commit ids do not depend on the day of recording. */
  readonly clock: () => number;
}

/** Characters of output that a tool result may have; the middle of a longer one is cut and the cut is marked. */
const maxOutputCharacters = 9000;

/** A command that runs longer is stopped, as an agent's host would do. */
const limitSeconds = 30;

/** Runs one call and gives what the model would read: output, and the exit code when it is not 0. */
export function runTool(call: ScenarioCall, workshop: Workshop): string {
  const text = (key: string): string => String(call.input[key] ?? '');
  const path = join(workshop.folder, text('path'));
  switch (call.tool) {
    case 'bash':
      return runShell(text('command'), workshop);
    case 'grep':
      return runShell(
        `set -o pipefail; grep -rnHE --exclude-dir=.git -e ${quoted(text('pattern'))} ${quoted(text('path'))} | LC_ALL=C sort -t: -k1,1 -k2,2n`,
        workshop,
      );
    case 'read_file':
      return readLines(path, call.input);
    case 'write_file':
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text('content'));
      return `Wrote ${text('path')} (${text('content').split('\n').length - 1} lines).`;
    case 'edit_file':
      return editFile(path, text('old'), call.input);
  }
}

/** Runs a shell script as the session's person would: clean environment, fixed clock for git, paths made neutral. */
export function runShell(script: string, workshop: Workshop): string {
  // `timeout` kills the whole process group; spawnSync would leave the grandchildren of a hanging test run behind.
  const run = spawnSync('timeout', ['--signal=KILL', String(limitSeconds), 'bash', '-c', `exec 2>&1\n${script}`], {
    cwd: workshop.folder,
    encoding: 'utf8',
    env: environment(workshop),
  });
  const output = shorten(neutral(run.stdout, workshop).trimEnd());
  if (run.error) throw run.error;
  if (run.status === null || run.status === 137) return `${output}\n[stopped after ${limitSeconds} s]`.trimStart();
  const code = run.status;
  if (code !== 0) return `${output}\n[exit code ${code}]`.trimStart();
  return output || '(no output)';
}

function environment({ folder, home, clock }: Workshop): NodeJS.ProcessEnv {
  const date = `${clock()} +0000`;
  return {
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: home,
    TMPDIR: home,
    PWD: folder,
    TZ: 'UTC',
    LANG: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'dev',
    GIT_AUTHOR_EMAIL: 'dev@example.com',
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: 'dev',
    GIT_COMMITTER_EMAIL: 'dev@example.com',
    GIT_COMMITTER_DATE: date,
    NO_COLOR: '1',
  };
}

/** Takes out what differs from machine to machine and from run to run: paths, names from mkdtemp, durations of tests. */
function neutral(output: string, { folder, home }: Workshop): string {
  return output
    .replaceAll(folder, '/repo')
    .replaceAll(home, '/tmp/home')
    .replace(/(\/tmp\/home\/[\w-]+-)[A-Za-z0-9]{6}\b/g, '$1000000')
    .replaceAll(dirname(process.execPath), '/usr/local/bin')
    .replace(/\((\d+\.)?\d+ms\)/g, '(1ms)')
    .replace(/duration_ms:? [\d.]+/g, 'duration_ms 1');
}

function shorten(output: string): string {
  if (output.length <= maxOutputCharacters) return output;
  const half = maxOutputCharacters / 2;
  const cut = output.length - maxOutputCharacters;
  return `${output.slice(0, half)}\n[… ${cut} characters cut …]\n${output.slice(-half)}`;
}

function readLines(path: string, input: JsonObject): string {
  const text = readIfThere(path);
  if (text === undefined) return `Error: ${String(input.path)} does not exist.`;
  const lines = text.replace(/\n$/, '').split('\n');
  const first = Number(input.offset ?? 1);
  const shown = lines.slice(first - 1, first - 1 + Number(input.limit ?? lines.length));
  const numbered = shown.map((line, index) => `${String(first + index).padStart(4)}  ${line}`).join('\n');
  return shorten(shown.length < lines.length ? `${numbered}\n[${shown.length} of ${lines.length} lines]` : numbered);
}

function editFile(path: string, old: string, input: JsonObject): string {
  const text = readIfThere(path);
  if (text === undefined) return `Error: ${String(input.path)} does not exist.`;
  const found = text.split(old).length - 1;
  if (found !== 1) return `Error: the old text must occur once in ${String(input.path)}, it occurs ${found} times.`;
  const at = text.indexOf(old);
  writeFileSync(path, text.slice(0, at) + String(input.new) + text.slice(at + old.length));
  return `Edited ${String(input.path)} at line ${text.slice(0, at).split('\n').length}.`;
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

const define = (name: string, description: string, keys: JsonObject): JsonValue => ({
  type: 'function',
  function: {
    name,
    description,
    parameters: { type: 'object', properties: keys, required: Object.keys(keys).filter((key) => !optional.has(key)) },
  },
});

const optional = new Set(['offset', 'limit']);
const string = { type: 'string' };
const integer = { type: 'integer' };

/** The definitions of the tools as an OpenAI chat request carries them. */
export const toolDefinitions: readonly JsonValue[] = [
  define('bash', 'Run a command in the repository and return its output.', { command: string }),
  define('read_file', 'Read a file with line numbers, whole or a range.', {
    path: string,
    offset: integer,
    limit: integer,
  }),
  define('write_file', 'Create or overwrite a file.', { path: string, content: string }),
  define('edit_file', 'Replace a text that occurs exactly once in a file.', { path: string, old: string, new: string }),
  define('grep', 'Search files for an extended regular expression.', { pattern: string, path: string }),
];
