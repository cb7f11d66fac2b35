/** What a client's own settings say for a run, where they go before its environment: they are read, and never changed. */
import { resolve } from 'node:path';
import { PalimpsestError } from '@palimpsest/core';
import { type FileClient, fileClient } from '../../clients/client-list.ts';
import { broken } from '../../clients/editor.ts';
import { hasSettings, programName } from '../../clients/run-settings.ts';
import { badOption } from '../option-values.ts';
import type { Terminal } from '../terminal.ts';
import { clientPaths, readClientFile } from './client-file.ts';
import { isSameServer } from './own-gateway.ts';
import { readRecord } from './record.ts';
import { shown } from './shown.ts';

const variable = 'ANTHROPIC_BASE_URL';

/**
 * The environment with the address that the program would use without us, so that its key goes to no other server. Throws
 * `BAD_OPTION` where a project names a server that the person has not named.
 */
export async function withOwnAddress(
  words: readonly string[],
  { gateway, terminal }: { readonly gateway: string; readonly terminal: Terminal },
): Promise<Terminal['env']> {
  const { env, cwd } = terminal;
  const client = fileClient('claude-code');
  if (programName(words) !== 'claude' || hasSettings(words) || client === undefined) return env;
  const [own] = await clientPaths(client, terminal);
  const projects = ['settings.local.json', 'settings.json'].map((name) => resolve(cwd, '.claude', name));
  for (const path of projects.filter((path) => path !== own)) {
    const address = await addressIn(client, path, terminal);
    if (address === undefined || isSameServer(address, gateway)) continue;
    if (env[variable] !== undefined && isSameServer(address, env[variable])) return env;
    throw badOption(
      `${path} sends Claude Code to ${shown(address)}, not to the gateway. If its requests should go there through the gateway, set ${variable} to that address for this run; else take it out of the file`,
    );
  }
  const address = await addressIn(client, own, terminal);
  return address === undefined ? env : { ...env, [variable]: address };
}

/** As it was before `palimpsest connect`. Undefined for none, and where the file cannot be read: the client says so itself. */
async function addressIn(client: FileClient, path: string, terminal: Terminal): Promise<string | undefined> {
  const { text } = await readClientFile(path).catch(() => ({ text: '' }));
  const address = readOrNothing(client, text);
  if (address === undefined) return undefined;
  const connected = await readRecord({ client: client.name, file: path }, terminal);
  const edit = connected?.edits.find(({ path: [, key], after }) => key === variable && after === address);
  return edit ? (edit.before ?? undefined) : address;
}

function readOrNothing({ editor }: FileClient, text: string): string | undefined {
  try {
    return editor.read(text, ['env', variable]) || undefined;
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
    const what = `modelProviders.openai.${at}.baseUrl goes before the environment of this run, and is not the gateway at ${gateway}: use palimpsest connect qwen, or take the line out for this run`;
    const { message } = broken(text, address.start, what);
    throw new PalimpsestError('BAD_CONFIG', `${path}: ${message}`, { evidence: { path } });
  }
}
