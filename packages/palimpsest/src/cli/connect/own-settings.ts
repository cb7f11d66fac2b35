/** What a client's own settings say for a run, where they go before its environment: they are read, and never changed. */
import { resolve } from 'node:path';
import { PalimpsestError } from '@palimpsest/core';
import { type FileClient, fileClient } from '../../clients/client-list.ts';
import { broken, type KeyPath, keyName } from '../../clients/editor.ts';
import { hasSettings, programName } from '../../clients/run-settings.ts';
import { badOption } from '../option-values.ts';
import type { Terminal } from '../terminal.ts';
import { clientPaths, readClientFile } from './client-file.ts';
import { isSameServer } from './own-gateway.ts';
import { readRecord } from './record.ts';
import { shown } from './shown.ts';

/** An address in the file of a client, over which a run puts its own, and the variable that says the same. */
interface OwnAddress {
  readonly client: string;
  readonly path: KeyPath;
  readonly variable: string;
  /** Files of a project that go before the one of the person. */
  readonly inProject: readonly string[];
}

const ownAddresses: Readonly<Record<string, OwnAddress>> = {
  claude: {
    client: 'claude-code',
    path: ['env', 'ANTHROPIC_BASE_URL'],
    variable: 'ANTHROPIC_BASE_URL',
    inProject: ['.claude/settings.local.json', '.claude/settings.json'],
  },
  codex: { client: 'codex', path: ['openai_base_url'], variable: 'OPENAI_BASE_URL', inProject: [] },
};

/**
 * The environment with the address that the program would use without us, so that its key goes to no other server. Throws
 * `BAD_OPTION` where a project names a server that the person has not named.
 */
export async function withOwnAddress(
  words: readonly string[],
  { gateway, terminal }: { readonly gateway: string; readonly terminal: Terminal },
): Promise<Terminal['env']> {
  const { env, cwd } = terminal;
  const name = programName(words);
  const own = ownAddresses[name];
  const client = own && fileClient(own.client);
  if (own === undefined || client === undefined || (name === 'claude' && hasSettings(words))) return env;
  const named = env[own.variable];
  const [file] = await clientPaths(client, terminal);
  const projects = own.inProject.map((path) => resolve(cwd, path)).filter((path) => path !== file);
  for (const path of projects) {
    const address = await addressIn(path, { own, client, terminal });
    if (address === undefined || isSameServer(address, gateway)) continue;
    if (named !== undefined && isSameServer(address, named)) return env;
    throw badOption(
      `${path} sends ${client.title} to ${shown(address)}, not to the gateway. If its requests should go there through the gateway, set ${own.variable} to that address for this run; else take it out of the file`,
    );
  }
  const address = await addressIn(file, { own, client, terminal });
  return address === undefined ? env : { ...env, [own.variable]: address };
}

interface Reading {
  readonly own: OwnAddress;
  readonly client: FileClient;
  readonly terminal: Terminal;
}

/**
 * Undefined for none, for one that `palimpsest connect` has set, since the person has the gateway decide then, and where the file cannot
 * be read: the client says so itself.
 */
async function addressIn(path: string, { own, client, terminal }: Reading): Promise<string | undefined> {
  const { text } = await readClientFile(path).catch(() => ({ text: '' }));
  const address = readOrNothing(client, { text, path: own.path });
  if (address === undefined) return undefined;
  const connected = await readRecord({ client: client.name, file: path }, terminal);
  const isOurs = connected?.edits.some((done) => keyName(done.path) === keyName(own.path) && done.after === address);
  return isOurs ? undefined : address;
}

function readOrNothing({ editor }: FileClient, { text, path }: { text: string; path: KeyPath }): string | undefined {
  try {
    return editor.read(text, path) || undefined;
  } catch (error) {
    if (PalimpsestError.isInstance(error)) return undefined;
    throw error;
  }
}

/** Throws `BAD_CONFIG` where Qwen Code would go past the gateway: the address of a model in its file goes before its environment. */
export async function requireOwnModels(
  words: readonly string[],
  { gateway, terminal }: { readonly gateway: string; readonly terminal: Terminal },
): Promise<void> {
  const client = fileClient('qwen');
  if (programName(words) !== 'qwen' || client === undefined) return;
  const [path] = await clientPaths(client, terminal);
  const { text } = await readClientFile(path);
  for (const [at, { texts }] of client.editor.entries(text, ['modelProviders', 'openai']).entries()) {
    const address = texts.baseUrl;
    if (address === undefined || isSameServer(address.value, gateway)) continue;
    const connected = await readRecord({ client: client.name, file: path }, terminal);
    const advice = connected?.edits.some(({ after }) => after === address.value)
      ? 'palimpsest connect set it, and this run has not found that gateway: start palimpsest serve, or use palimpsest disconnect qwen for this run'
      : 'use palimpsest connect qwen, or take the line out for this run';
    const what = `modelProviders.openai.${at}.baseUrl goes before the environment of this run, and is not the gateway at ${gateway}: ${advice}`;
    const { message } = broken(text, address.start, what);
    throw new PalimpsestError('BAD_CONFIG', `${path}: ${message}`, { evidence: { path } });
  }
}
