/** `palimpsest mcp`: what a server needs from the process, put together; nothing is opened before it is asked for. */
import { mcpTokenVariable } from '../../config/mcp-token.ts';
import { packageVersion } from '../../config/package.ts';
import { createKept, type Kept } from '../../mcp/kept.ts';
import type { ServerParts } from '../../mcp/server.ts';
import type { Call } from '../commands/build.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { badOption, namesIn, numberOf, projectFolder } from '../option-values.ts';
import { type Input, type Terminal, writeLines, writePieces } from '../terminal.ts';

interface McpFlags {
  readonly store?: string;
  readonly project?: string;
  readonly allProjects?: boolean;
  readonly readOnly?: boolean;
  readonly port?: string;
  readonly host?: string;
  readonly authToken?: string;
  readonly allowHost?: string;
}

export async function runMcp({ words, flags, terminal }: Call<McpFlags>): Promise<ExitCode> {
  if (words.length > 0) throw badOption('expected no words behind mcp: palimpsest mcp --help lists its options');
  checkFlags(flags);
  const folder = projectFolder(flags.project ?? '.', terminal.cwd);
  const kept = keptFor(flags, { ...terminal, cwd: folder });
  const parts = { kept, version: packageVersion(), isReadOnly: flags.readOnly ?? false };
  try {
    if (flags.port === undefined) await serveStdio(parts, terminal);
    else await serveHttp(parts, flags, terminal);
  } finally {
    await kept.close();
  }
  return exitCodes.fine;
}

function checkFlags({ port, host, authToken, allowHost }: McpFlags): void {
  if (port !== undefined) return;
  const named = { '--host': host, '--auth-token': authToken, '--allow-host': allowHost };
  const [option] = Object.entries(named).find(([, value]) => value !== undefined) ?? [];
  if (option !== undefined)
    throw badOption(`expected --port beside ${option}: without it the client speaks over standard input`, { option });
}

/** Loaded when the first call comes: a client asks for the tools first, and wants them at once. */
function keptFor(flags: McpFlags, terminal: Terminal): Kept {
  const { readOnly: isReadOnly = false } = flags;
  const opener = () => import('../mcp-store.ts');
  return createKept({
    project: flags.allProjects ? undefined : terminal.cwd,
    openStore: async ({ mayBeNew }) => (await opener()).openStoreOf(flags, terminal, { mayBeNew, isReadOnly }),
    openMemory: async (store) => (await opener()).openMemoryOf(flags, terminal, store),
    hasStore: async () => (await opener()).hasStore(flags, terminal),
    hasMemory: async () => (await opener()).hasMemoryFiles(flags, terminal),
  });
}

const note = (terminal: Terminal, text: string): Promise<void> =>
  writeLines(terminal.stderr, [`palimpsest mcp: ${text}`]);

async function serveStdio(parts: ServerParts, terminal: Terminal): Promise<void> {
  const { serveOverStdio } = await import('../../mcp/stdio.ts');
  const ended = new AbortController();
  const release = onEnd(terminal, () => ended.abort());
  const { stdin, stdout } = terminal;
  await serveOverStdio(parts, {
    input: stdin,
    write: (text) => writePieces(stdout, [text]),
    onError: (error) => {
      if (!ended.signal.aborted) void note(terminal, error.message);
    },
    signal: ended.signal,
  });
  release();
  endReading(stdin);
}

/** What is left of the input would keep the process alive. */
const endReading = (stdin: Input): unknown => stdin.destroy?.();

async function serveHttp(parts: ServerParts, flags: McpFlags, terminal: Terminal): Promise<void> {
  const { isLoopback } = await import('../../mcp/http-guard.ts');
  const host = flags.host ?? '127.0.0.1';
  const token = flags.authToken ?? terminal.env[mcpTokenVariable];
  if (token !== undefined && !/^\S{16,}$/.test(token))
    throw badOption('expected a token of at least 16 characters without spaces, such as `openssl rand -hex 32` gives');
  if (token === undefined && !isLoopback(host))
    throw badOption(
      `expected --auth-token, or ${mcpTokenVariable} in the environment, beside --host ${host}: other machines could read your conversations`,
      { host },
    );
  const { serveOverHttp } = await import('../../mcp/http.ts');
  const server = await serveOverHttp(parts, {
    host,
    port: numberOf(flags.port ?? '0', { option: '--port', from: 0, to: 65_535 }),
    token,
    allowedHosts: namesIn(flags.allowHost ?? '').map((name) => name.toLowerCase()),
    onError: (error) => void note(terminal, error.message),
  });
  await note(terminal, `listening at ${server.url}`);
  await new Promise<void>((resolve) => void onEnd(terminal, resolve));
  await server.close();
}

/** Hears what ends the command; gives what stops hearing it. */
const onEnd = ({ onStop }: Terminal, listener: () => void): (() => void) => onStop?.(listener) ?? (() => undefined);
