/** How a program is pointed at the gateway for one run: by variables of its environment, or by its own options. Pure. */
import { basename } from 'node:path';
import { type ClientRow, clientRows } from './client-list.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** How a program is started. */
export interface RunSettings {
  readonly command: string;
  readonly args: readonly string[];
  /** Set beside everything that is in the environment already. */
  readonly env: Readonly<Record<string, string>>;
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

/** For a program that nobody knows, what the SDKs of the providers read. */
export function runSettings(
  words: readonly string[],
  { gateway, env }: { gateway: string; env: Environment },
): RunSettings | NeedsConnect {
  const [command = '', ...args] = words;
  const name = basename(command).replace(/\.(?:exe|cmd|ps1)$/i, '');
  const addresses = {
    ANTHROPIC_BASE_URL: gateway,
    OPENAI_BASE_URL: `${gateway}/v1`,
    OPENAI_API_BASE: `${gateway}/v1`,
    GOOGLE_GEMINI_BASE_URL: gateway,
  };
  const connect = clientRows.find((row) => Object.hasOwn(unsettable, name) && row.name === unsettable[name]);
  if (connect) return { connect };
  switch (name) {
    case 'codex':
      // Codex reads no variable for it; an option in front of its command counts for every command.
      return { command, args: ['-c', `openai_base_url=${JSON.stringify(`${gateway}/v1`)}`, ...args], env: addresses };
    case 'opencode':
      return { command, args, env: { ...addresses, OPENCODE_CONFIG_CONTENT: opencodeConfig(gateway, env) } };
    default:
      return { command, args, env: addresses };
  }
}

/** Beside what the person has in that variable already. */
function opencodeConfig(gateway: string, env: Environment): string {
  const addresses = { anthropic: `${gateway}/v1`, openai: `${gateway}/v1`, google: `${gateway}/v1beta` };
  const own: unknown = parsed(env.OPENCODE_CONFIG_CONTENT);
  const provider = Object.entries(addresses).map(([name, baseURL]) => {
    const before = Object(Object(Object(own).provider)[name]);
    return [name, { ...before, options: { ...Object(before.options), baseURL } }];
  });
  return JSON.stringify({
    ...Object(own),
    provider: { ...Object(Object(own).provider), ...Object.fromEntries(provider) },
  });
}

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? {} : JSON.parse(text);
  } catch {
    // opencode itself says what is wrong with it.
    return {};
  }
}
