/** `search_files`: lines in files by a pattern, or files by their names. */
import { Worker } from 'node:worker_threads';
import { platformTimers, type Timers } from '@palimpsest/core/settings';
import type { PathPlace } from '../../approval/project.ts';
import {
  type AgentTool,
  type Arguments,
  counted,
  mayRead,
  placeOf,
  readArguments,
  type ToolCall,
  type ToolPlace,
} from '../tool.ts';
import type { SearchEvent, SearchOrder } from './walk-files.ts';

/** How a search is bounded. */
export interface SearchLimits {
  readonly timers?: Timers;
  /** Longest time in milliseconds. */
  readonly timeoutMs: number;
}

const defaultLimit = 100;
const mostLimit = 500;
const mostChars = 20_000;
export const searchTimeoutMs: number = 20_000;

export function createSearchFiles(place: ToolPlace, limits: SearchLimits = { timeoutMs: searchTimeoutMs }): AgentTool {
  return {
    name: 'search_files',
    description:
      'Find lines by `pattern` (JavaScript regexp), or files by `glob` alone. Skips what .gitignore names, and binaries.',
    parameters: {
      type: 'object',
      properties: {
        pattern: { type: 'string' },
        literal: { type: 'boolean' },
        ignore_case: { type: 'boolean' },
        glob: { type: 'string', description: 'such as *.ts' },
        path: { type: 'string', description: 'folder or file' },
        context: { type: 'integer', description: 'lines around' },
        limit: { type: 'integer' },
      },
    },
    run: async (given, call) => {
      const read = readArguments(given, argumentTypes);
      if (typeof read === 'string') return read;
      const where = placeOf(read.text('path') ?? '.', place);
      if (typeof where === 'string') return where;
      if (!read.text('pattern') && !read.text('glob')) return 'Expected pattern, glob or both.';
      const refused = await mayRead('search_files', where, { call, approve: place.approve });
      if (refused !== undefined) return refused;
      const order = orderOf(read, where, place);
      const found = await searched(order, { call, limits });
      return answer(found, { order, where });
    },
  };
}

const argumentTypes = {
  pattern: 'text',
  literal: 'flag',
  ignore_case: 'flag',
  glob: 'text',
  path: 'text',
  context: 'number',
  limit: 'number',
} as const;

function orderOf(read: Arguments, where: PathPlace, { project }: ToolPlace): SearchOrder {
  const whole = (name: string, most: number, or: number): number =>
    Math.min(most, Math.max(name === 'limit' ? 1 : 0, Math.floor(read.number(name) ?? or)));
  return {
    root: where.path,
    project: where.isInside ? project.folder : undefined,
    pattern: read.text('pattern') || undefined,
    isLiteral: read.flag('literal'),
    ignoresCase: read.flag('ignore_case'),
    glob: read.text('glob') || undefined,
    context: whole('context', 10, 0),
    limit: whole('limit', mostLimit, defaultLimit),
  };
}

interface Found {
  readonly events: readonly SearchEvent[];
  /** Why it did not come to its end. */
  readonly stopped: string | undefined;
}

/** Runs the search in a worker, which is ended with it. @throws the reason of the signal */
function searched(order: SearchOrder, { call, limits }: { call: ToolCall; limits: SearchLimits }): Promise<Found> {
  const { signal } = call;
  const { timers = platformTimers, timeoutMs } = limits;
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const events: SearchEvent[] = [];
    const worker = new Worker(new URL(import.meta.resolve('#search-worker')), {
      workerData: order,
      resourceLimits: { maxOldGenerationSizeMb: 256 },
      // No options of this process reach it.
      execArgv: [],
    });
    const end = (act: () => void): void => {
      stop();
      signal?.removeEventListener('abort', abort);
      worker.removeAllListeners();
      // Nobody waits for it any more; what it says then is heard by nobody.
      worker.on('error', () => undefined);
      void worker.terminate();
      act();
    };
    const finish = (stopped?: string): void => end(() => resolve({ events, stopped }));
    const abort = (): void => end(() => reject(signal?.reason));
    const stop = timers.after(timeoutMs, () => finish(`the search was stopped after ${timeoutMs / 1_000} s`));
    signal?.addEventListener('abort', abort, { once: true });
    worker.on('message', (event: SearchEvent) => {
      events.push(event);
      if (event.type !== 'file') finish();
    });
    worker.on('error', (error) => finish(`the search failed (${error.message})`));
    worker.on('exit', () => finish('the search ended early'));
  });
}

function answer({ events, stopped }: Found, { order, where }: { order: SearchOrder; where: PathPlace }): string {
  const bad = events.find((event) => event.type === 'bad-pattern');
  if (bad) return `The pattern is no regular expression (${bad.reason}): correct it, or set literal.`;
  const files = events.filter((event) => event.type === 'file');
  const end = events.find((event) => event.type === 'end');
  const lines: string[] = [];
  let chars = 0;
  let isCut = false;
  for (const { path, lines: found } of files) {
    const full = shownFile(path, where);
    const rows =
      order.pattern === undefined
        ? [full]
        : [full, ...found.map(({ line, text, isMatch }) => `${line}${isMatch ? ':' : '-'} ${text}`)];
    chars += rows.join('\n').length + 1;
    if (chars > mostChars && lines.length > 0) {
      isCut = true;
      break;
    }
    lines.push(...rows);
  }
  const { secret = 0, large = 0 } = end?.skipped ?? {};
  const notes = [
    files.length === 0 && stopped === undefined ? 'nothing found' : undefined,
    end?.isCut || isCut
      ? `there may be more: narrow the search${order.limit < mostLimit ? ', or raise limit' : ''}`
      : undefined,
    stopped === undefined
      ? undefined
      : `${stopped}: this is what was found by then; use a simpler pattern, or a smaller path`,
    secret > 0 ? `${counted(secret, 'file')} with credentials not searched` : undefined,
    large > 0 ? `${counted(large, 'large file')} not searched` : undefined,
  ].filter((note) => note !== undefined);
  return [...lines, ...(notes.length > 0 ? [`[${notes.join('; ')}]`] : [])].join('\n');
}

/** The path as the other tools take it. */
function shownFile(path: string, { shown }: PathPlace): string {
  if (path === '') return shown;
  return shown === '.' ? path : `${shown}/${path}`;
}
