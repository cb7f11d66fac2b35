/** The environment of a command: that of the person without keys and tokens, and without anybody to answer a question. Pure. */
import { findSecrets } from '@palimpsest/core';
import { agentVariable } from '../../../config/of-an-agent.ts';
import { isBelow } from '../../approval/project.ts';

export type Env = Readonly<Record<string, string | undefined>>;

export interface CommandEnv {
  readonly env: Readonly<Record<string, string>>;
  /** Names of what was left out because it looks like a credential. */
  readonly hidden: readonly string[];
}

/** Names whose values are credentials. */
const secretNames =
  /(?:^|_)(?:API_?KEYS?|KEYS?|TOKENS?|SECRETS?|PASSWORDS?|PASSWD|PASSPHRASE|PASS|PWD_?HASH|CREDENTIALS?|AUTH|PAT|DSN|COOKIES?|PRIVATE|SIGNATURE)(?:_|$)|(?:APIKEY|TOKEN|SECRET|PASSWORD)$/i;

/** They look like it, and are none: a place of an agent, a file. */
const harmlessNames: ReadonlySet<string> = new Set(['SSH_AUTH_SOCK', 'XAUTHORITY', 'TOKENIZERS_PARALLELISM']);

/** They change what a shell or a known program does or runs, or belong to the process that we run in. */
const stray =
  /^(?:BASH_ENV|ENV|BASH_FUNC_.*|PROMPT_COMMAND|CDPATH|GLOBIGNORE|BASHOPTS|SHELLOPTS|PS4|IFS|LESSOPEN|LESSCLOSE|RIPGREP_CONFIG_PATH|GREP_OPTIONS|PALIMPSEST_.*|NODE_CHANNEL_.*|NODE_TEST_CONTEXT|NODE_UNIQUE_ID|npm_(?:lifecycle|package|command|execpath|node_execpath|config_(?!registry|https?_proxy|cafile)).*|INIT_CWD|GIT_(?:DIR|WORK_TREE|INDEX_FILE|EXTERNAL_DIFF|PREFIX|EXEC_PATH|PAGER|EDITOR|SEQUENCE_EDITOR|ASKPASS|CONFIG_PARAMETERS)|SSH_ASKPASS|EDITOR|VISUAL|PAGER)$/;

/** Nobody sits there: programs do not ask, page, edit or paint. */
const alone: Readonly<Record<string, string>> = {
  CI: 'true',
  TERM: 'dumb',
  NO_COLOR: '1',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: 'true',
  EDITOR: 'true',
  VISUAL: 'true',
  SSH_ASKPASS_REQUIRE: 'never',
  GCM_INTERACTIVE: 'never',
  DEBIAN_FRONTEND: 'noninteractive',
  PIP_NO_INPUT: '1',
};

export interface CommandEnvOptions {
  /** The real path of the project: programs in it are not found by their names alone. */
  readonly project: string;
  /** Names that are passed on although they look like credentials. @default none */
  readonly keep?: readonly string[];
  /** What separates the folders of PATH. */
  readonly delimiter: string;
}

export function commandEnv(env: Env, { project, keep = [], delimiter }: CommandEnvOptions): CommandEnv {
  const kept: Record<string, string> = {};
  const hidden: string[] = [];
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || stray.test(name)) continue;
    if (!keep.includes(name) && isSecret(name, value)) hidden.push(name);
    else kept[name] = value;
  }
  const count = Number(kept.GIT_CONFIG_COUNT ?? 0);
  const next = Number.isInteger(count) && count > 0 ? count : 0;
  return {
    env: {
      ...kept,
      ...alone,
      [agentVariable]: '1',
      PATH: pathWithout(kept.PATH ?? '', project, delimiter),
      // A repository that lies in a checkout as plain files is not taken for one: its configuration could name programs.
      GIT_CONFIG_COUNT: String(next + 1),
      [`GIT_CONFIG_KEY_${next}`]: 'safe.bareRepository',
      [`GIT_CONFIG_VALUE_${next}`]: 'explicit',
    },
    hidden: hidden.sort(),
  };
}

function isSecret(name: string, value: string): boolean {
  if (harmlessNames.has(name)) return false;
  if (secretNames.test(name)) return value !== '';
  return value.length >= 8 && findSecrets(`${name}=${value}`).length > 0;
}

/** Folders of the project, and those that depend on where a command runs, could hold another `ls`. */
const pathWithout = (path: string, project: string, delimiter: string): string =>
  path
    .split(delimiter)
    .filter((folder) => /^(?:\/|[A-Za-z]:[/\\])/.test(folder) && !isBelow(folder, project))
    .join(delimiter);
