/** `palimpsest run -- CLIENT …`: one run of a client through the gateway, with nothing changed in its files. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { type ClientRow, isHandClient } from '../../clients/client-list.ts';
import { type RunSettings, runSettings } from '../../clients/run-settings.ts';
import type { Call } from '../commands/build.ts';
import { gatewayOf } from '../connect/configured-gateway.ts';
import { gatewayFor, type RunGateway } from '../connect/own-gateway.ts';
import { requireOwnModels, withOwnAddress } from '../connect/own-settings.ts';
import { badOption, quoted } from '../option-values.ts';
import { systemCode } from '../system-code.ts';
import { type Terminal, writeNotes } from '../terminal.ts';

interface RunFlags {
  readonly gateway?: string;
}

/** Gives the exit code of the program, or 128 and the number of the signal that ended it, as shells count it. */
export async function runProgram({ words, flags, terminal }: Call<RunFlags>): Promise<number> {
  const { address, notes } = await gatewayOf(flags.gateway, terminal);
  const refused = runSettings(words, { gateway: address, env: terminal.env });
  if ('connect' in refused) throw badOption(notForOneRun(refused.connect));
  const env = await withOwnAddress(words, { gateway: address, terminal });
  await using gateway = await gatewayFor(address, { ...terminal, env });
  await requireOwnModels(words, { gateway: gateway.url, terminal });
  const settings = runSettings(words, { gateway: gateway.url, env: terminal.env });
  if ('connect' in settings) return 2;
  const own = gateway.isOwn ? [`a gateway for this run listens on ${gateway.url}`] : notes;
  await writeNotes(terminal, [...own, ...settings.notes]);
  const code = await ended(settings, terminal);
  await tellUnused(gateway, terminal);
  return code;
}

/** A wrapper, or settings that nobody here knows, may have taken the program past the gateway. */
async function tellUnused(gateway: RunGateway, terminal: Terminal): Promise<void> {
  // Not knowing is no reason to say anything, and the exit code is the program's.
  if (await gateway.wasUsed().catch(() => true)) return;
  const note =
    'no request came to the gateway of this run: if the program asked a model, it has the address from elsewhere; set it there, with palimpsest connect for a client that it knows';
  await writeNotes(terminal, [note]);
}

/** What the person does in place of a run that would go past the gateway. */
function notForOneRun(client: ClientRow): string {
  const { name, title } = client;
  return isHandClient(client)
    ? `${title} keeps its address in its own storage, and nothing sets it for one run: palimpsest connect ${name} says what to enter there once`
    : `${title} reads its address from a file alone: use palimpsest connect ${name}, and palimpsest disconnect ${name} afterwards`;
}

/** Its streams are ours, so that it has the terminal that we have. */
async function ended({ command, args, env }: RunSettings, terminal: Terminal): Promise<number> {
  const child = spawn(command, args, { cwd: terminal.cwd, env: { ...terminal.env, ...env }, stdio: 'inherit' });
  const stopListening = passSignals((signal) => void child.kill(signal), terminal);
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('error', (cause) => reject(notStarted(command, cause)));
      child.once('close', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
    });
  } finally {
    stopListening();
  }
}

const notStarted = (command: string, cause: Error): Error => {
  const reason = systemCode(cause) === 'ENOENT' ? 'there is no such program: check its name and PATH' : cause.message;
  return badOption(`${quoted(command)} cannot be started: ${reason}`, { command });
};

/**
 * What ends this process is for the program to hear, and we end when it does. A terminal sends Ctrl-C to both of us; passed on
 * as well, it would be two of them.
 */
function passSignals(send: (signal: NodeJS.Signals) => void, terminal: Terminal): () => void {
  const hasTerminal = [terminal.stdin, terminal.stdout, terminal.stderr].some(({ isTTY }) => isTTY);
  let isOver = false;
  /** A listener hears one signal. */
  const stay = (listen: Terminal['onStop']): void => void listen?.(() => isOver || stay(listen));
  stay(terminal.onStop);
  const passed: readonly NodeJS.Signals[] = hasTerminal ? ['SIGTERM', 'SIGHUP'] : ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of passed) process.on(signal, send);
  return () => {
    isOver = true;
    for (const signal of passed) process.off(signal, send);
  };
}
