/** How a program is pointed at the gateway for one run: by variables of its environment, or by its own options. Pure. */
import { basename } from 'node:path';
import { PalimpsestError } from '@palimpsest/core/settings';
import { type ClientRow, clientRows, fileClient } from './client-list.ts';
import { straightVariables } from './no-proxy.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** How a program is started. */
export interface RunSettings {
  readonly command: string;
  readonly args: readonly string[];
  /** Set beside everything that is in the environment already. */
  readonly env: Readonly<Record<string, string>>;
  /** What the person should know. */
  readonly notes: readonly string[];
}

/** A program that no variable and no option points anywhere: the client as `palimpsest connect` knows it. */
export interface NeedsConnect {
  readonly connect: ClientRow;
}

/** What providers are called by the gateway, and the variables that say where they are. */
export const addressVariables = {
  anthropic: ['ANTHROPIC_BASE_URL'],
  'openai-chat': ['OPENAI_BASE_URL', 'OPENAI_API_BASE'],
  'openai-responses': ['OPENAI_BASE_URL'],
  gemini: ['GOOGLE_GEMINI_BASE_URL'],
} as const;

/** What the environment says of where the providers are: upstreams of a gateway that is started for this run. */
export function upstreamsIn(env: Environment): readonly (readonly [dialect: string, url: string])[] {
  return Object.entries(addressVariables).flatMap(([dialect, names]) => {
    const url = names.map((name) => env[name]).find(Boolean);
    return url === undefined ? [] : [[dialect, url] as const];
  });
}

/** By the name of its program, a client that reads its address from its own files alone. */
const unsettable: Readonly<Record<string, string>> = { pi: 'pi', cn: 'continue', cline: 'cline' };

/** The name of the program, without its folder and what Windows puts behind it. */
export const programName = ([command = '']: readonly string[]): string =>
  basename(command).replace(/\.(?:exe|cmd|ps1)$/i, '');

/** True where the person gives Claude Code settings by the option that would carry ours. */
export function hasSettings(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  return words.slice(1, end < 0 ? undefined : end).some((word) => /^--settings(?:=|$)/.test(word));
}

/** For a program that nobody knows, what the SDKs of the providers read. Throws `BAD_OPTION` for a variable that cannot be added to. */
export function runSettings(
  words: readonly string[],
  { gateway, env }: { gateway: string; env: Environment },
): RunSettings | NeedsConnect {
  const [command = '', ...args] = words;
  const addresses = {
    ANTHROPIC_BASE_URL: gateway,
    OPENAI_BASE_URL: `${gateway}/v1`,
    OPENAI_API_BASE: `${gateway}/v1`,
    GOOGLE_GEMINI_BASE_URL: gateway,
    ...straightVariables(gateway, env),
  };
  const name = programName(words);
  const connect = clientRows.find((row) => Object.hasOwn(unsettable, name) && row.name === unsettable[name]);
  if (connect) return { connect };
  const usual = { command, args, env: addresses, notes: [] };
  switch (name) {
    case 'claude': {
      // Its settings files go before its environment, and this option goes before the files.
      if (hasSettings(words)) return { ...usual, notes: [ownSettings] };
      const settings = JSON.stringify({ env: { ANTHROPIC_BASE_URL: gateway } });
      return { ...usual, args: ['--settings', settings, ...args] };
    }
    case 'codex':
      // Codex reads no variable for it; an option in front of its command counts for every command.
      return { ...usual, args: ['-c', `openai_base_url=${JSON.stringify(`${gateway}/v1`)}`, ...args] };
    case 'opencode':
      return { ...usual, env: { ...addresses, OPENCODE_CONFIG_CONTENT: opencodeConfig(gateway, env) } };
    default:
      return usual;
  }
}

const ownSettings =
  'claude has --settings of its own: where these or its settings files set env.ANTHROPIC_BASE_URL, its requests go there and not through the gateway';

/** Beside what the person has in that variable already, with its comments. */
function opencodeConfig(gateway: string, env: Environment): string {
  const row = fileClient('opencode');
  const own = env.OPENCODE_CONFIG_CONTENT ?? '';
  if (row === undefined) return own;
  try {
    return row.edits(gateway, own).reduce((text, { path, value }) => row.editor.set(text, path, value), own);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `expected OPENCODE_CONFIG_CONTENT to hold settings of opencode, to which the addresses can be added: ${reason}`;
    throw new PalimpsestError('BAD_OPTION', message, { cause });
  }
}
