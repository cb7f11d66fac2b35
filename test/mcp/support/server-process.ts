/** `palimpsest mcp` as a client starts it: a process, spoken to by frames that are written by hand. */
import { type ChildProcess, spawn } from 'node:child_process';
import { entry, quietEnv } from '../../support/command-line.ts';

export interface ServerProcess extends AsyncDisposable {
  readonly child: ChildProcess;
  /** Writes bytes, or a frame as a line. */
  write(frame: object | string | Uint8Array): void;
  /** The first frame that fits, also one that is there already. Rejects when there is none within 30 seconds. */
  frame(fits: (frame: Frame) => boolean): Promise<Frame>;
  /** Writes a request and waits for its answer. */
  ask(method: string, params?: object): Promise<Frame>;
  /** All lines of standard output so far. */
  lines(): readonly string[];
  errors(): string;
  /** The first match in standard error. Rejects when there is none within 30 seconds. */
  said(words: RegExp): Promise<RegExpExecArray>;
  /** The exit code, when the process has ended. */
  readonly ended: Promise<number | null>;
}

/** A frame as it came; only what the tests look at has a type. */
export interface Frame {
  readonly jsonrpc: string;
  readonly id?: number | string | null;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

const mostWaitMs = 30_000;

export interface StartOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** How large its files may become, as on a disk without room. */
  readonly fileKilobytes?: number;
}

export function startServer(args: readonly string[], { cwd, env = {}, fileKilobytes }: StartOptions): ServerProcess {
  const words = [process.execPath, entry, 'mcp', ...args];
  const script = 'trap "" XFSZ; ulimit -f "$1" || exit 99; shift; exec "$@"';
  const limited = fileKilobytes === undefined ? words : ['bash', '-c', script, 'bash', String(fileKilobytes), ...words];
  const [command = '', ...rest] = limited;
  const child = spawn(command, rest, { cwd, env: { ...quietEnv, HOME: cwd, ...env } });
  const ended = new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code)));
  let [text, errors, nextId] = ['', '', 1];
  const waiting = new Set<() => void>();
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
    for (const look of waiting) look();
  });
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    errors += piece;
    for (const look of waiting) look();
  });
  // A process that ends before it has read everything closes the pipe.
  child.stdin.on('error', () => undefined);
  const lines = (): readonly string[] => text.split('\n').slice(0, -1);
  // Every line is a frame, or the test fails here.
  const frames = (): readonly Frame[] => lines().map((line) => JSON.parse(line) as Frame);
  /** What `find` finds, as soon as it does. */
  const found = <T>(find: () => T | null | undefined): Promise<T> =>
    new Promise((resolve, reject) => {
      const fail = (): void =>
        reject(new Error(`nothing of that came: ${text.slice(-2_000)}\n${errors.slice(-2_000)}`));
      const timer = setTimeout(fail, mostWaitMs);
      const look = (): void => {
        const one = find();
        if (one === null || one === undefined) return;
        clearTimeout(timer);
        waiting.delete(look);
        resolve(one);
      };
      waiting.add(look);
      ended.then(() => {
        clearTimeout(timer);
        look();
        fail();
      });
      look();
    });
  const frame = (fits: (frame: Frame) => boolean): Promise<Frame> => found(() => frames().find(fits));
  const write = (what: object | string | Uint8Array): void => {
    const isBytes = typeof what === 'string' || what instanceof Uint8Array;
    child.stdin.write(isBytes ? what : `${JSON.stringify(what)}\n`);
  };
  return {
    child,
    write,
    frame,
    lines,
    ended,
    errors: () => errors,
    said: (words) => found(() => words.exec(errors)),
    ask: (method, params) => {
      const id = nextId++;
      write({ jsonrpc: '2.0', id, method, ...(params ? { params } : {}) });
      return frame((one) => one.id === id);
    },
    [Symbol.asyncDispose]: async () => {
      child.stdin.end();
      const timer = setTimeout(() => child.kill('SIGKILL'), mostWaitMs);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** The handshake of a client of the older revisions. */
export async function initialize(server: ServerProcess, protocolVersion = '2025-11-25'): Promise<Frame> {
  const clientInfo = { name: 'claude-code', version: '2.1.330' };
  const capabilities = { roots: {}, elicitation: { form: {}, url: {} } };
  const answer = await server.ask('initialize', { protocolVersion, capabilities, clientInfo });
  server.write({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return answer;
}

/** What a tool says. */
export async function call(server: ServerProcess, name: string, args: object): Promise<ToolResult> {
  const { result, error } = await server.ask('tools/call', { name, arguments: args });
  if (!result) throw new Error(error?.message);
  const [content] = result.content as readonly { readonly text: string }[];
  return { text: content?.text ?? '', isError: result.isError === true };
}

export interface ToolResult {
  readonly text: string;
  readonly isError: boolean;
}
