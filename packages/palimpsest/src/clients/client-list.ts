/** The clients that can be pointed at the gateway: the file that each reads, and the values that say where it sends requests. */
import { posix, win32 } from 'node:path';
import { envEditor } from './edit-env.ts';
import { jsonEditor } from './edit-json.ts';
import { tomlEditor } from './edit-toml.ts';
import { yamlEditor } from './edit-yaml.ts';
import { broken, type Editor, type KeyPath, keyName, type ListEntry } from './editor.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface Edit {
  readonly path: KeyPath;
  readonly value: string;
  /** For a path through a list. */
  readonly entry?: EntryMarks;
}

/** What an entry of a list is known by, null for what it does not say: its place changes when the person sorts the list. */
export type EntryMarks = Readonly<Record<string, string | null>>;

/** A client that reads its address from a file. */
export interface FileClient {
  readonly name: string;
  readonly title: string;
  readonly editor: Editor;
  /** The folder of its settings; undefined where the environment names no home. */
  readonly folder: (env: Environment, platform: string) => string | undefined;
  /** The first of them that is there is changed: the one that the client hears before the others. */
  readonly files: readonly [string, ...string[]];
  /** Which of them is made where none is there. @default the first */
  readonly made?: string;
  /** What is set in the text of its file, for a gateway at this address. */
  readonly edits: (gateway: string, text: string) => readonly Edit[];
  /** What else the person should know. */
  readonly notes: readonly string[];
}

/** A client that keeps its address where no program can set it: what the person does instead, in three lines. */
export interface HandClient {
  readonly name: string;
  readonly title: string;
  readonly steps: (gateway: string) => readonly [string, string, string];
}

export type ClientRow = FileClient | HandClient;

/** A folder in the home of the person, or the one that a variable of the client names. */
const inHome =
  (words: readonly string[], variable?: string): FileClient['folder'] =>
  (env, platform) => {
    const named = variable === undefined ? undefined : env[variable];
    if (named) return named;
    const home = platform === 'win32' ? (env.USERPROFILE ?? env.HOME) : env.HOME;
    return home ? (platform === 'win32' ? win32 : posix).join(home, ...words) : undefined;
  };

export const clientRows: readonly ClientRow[] = [
  {
    name: 'claude-code',
    title: 'Claude Code',
    editor: jsonEditor,
    folder: inHome(['.claude'], 'CLAUDE_CONFIG_DIR'),
    files: ['settings.json'],
    edits: (gateway) => [{ path: ['env', 'ANTHROPIC_BASE_URL'], value: gateway }],
    notes: [],
  },
  {
    name: 'codex',
    title: 'Codex',
    editor: tomlEditor,
    folder: inHome(['.codex'], 'CODEX_HOME'),
    files: ['config.toml'],
    edits: (gateway) => [{ path: ['openai_base_url'], value: `${gateway}/v1` }],
    notes: [
      'This is for the built-in provider: a model_provider of your own in config.toml keeps its own base_url.',
      'A login by ChatGPT has another server than an API key: the gateway sends requests with such a login (header chatgpt-account-id) there.',
    ],
  },
  {
    name: 'opencode',
    title: 'opencode',
    editor: jsonEditor,
    folder: (env, platform) => {
      const config = inHome(['.config'], 'XDG_CONFIG_HOME')(env, platform);
      return config && (platform === 'win32' ? win32 : posix).join(config, 'opencode');
    },
    files: ['opencode.jsonc', 'opencode.json'],
    made: 'opencode.json',
    edits: (gateway) => [
      { path: ['provider', 'anthropic', 'options', 'baseURL'], value: `${gateway}/v1` },
      { path: ['provider', 'openai', 'options', 'baseURL'], value: `${gateway}/v1` },
      { path: ['provider', 'google', 'options', 'baseURL'], value: `${gateway}/v1beta` },
    ],
    notes: ['Other providers of opencode keep their own addresses.'],
  },
  {
    name: 'pi',
    title: 'pi',
    editor: jsonEditor,
    folder: inHome(['.pi', 'agent'], 'PI_CODING_AGENT_DIR'),
    files: ['models.json'],
    edits: (gateway) => [
      { path: ['providers', 'anthropic', 'baseUrl'], value: gateway },
      { path: ['providers', 'openai', 'baseUrl'], value: `${gateway}/v1` },
      { path: ['providers', 'google', 'baseUrl'], value: `${gateway}/v1beta` },
    ],
    notes: ['Other providers of pi keep their own addresses.'],
  },
  {
    name: 'qwen',
    title: 'Qwen Code',
    editor: jsonEditor,
    folder: inHome(['.qwen'], 'QWEN_HOME'),
    files: ['settings.json'],
    edits: (gateway, text) => [
      { path: ['env', 'OPENAI_BASE_URL'], value: `${gateway}/v1` },
      ...modelsOfQwen(gateway, text),
    ],
    notes: ['Qwen Code uses it with an API key for OpenAI-compatible servers (selectedType "openai").'],
  },
  {
    name: 'gemini',
    title: 'Gemini CLI',
    editor: envEditor,
    folder: (env, platform) => {
      const home = inHome([], 'GEMINI_CLI_HOME')(env, platform);
      return home && (platform === 'win32' ? win32 : posix).join(home, '.gemini');
    },
    // It reads one of them alone.
    files: ['.env', '../.env'],
    edits: (gateway) => [{ path: ['GOOGLE_GEMINI_BASE_URL'], value: gateway }],
    notes: [
      'Gemini CLI uses it with an API key (security.auth.selectedType "gemini-api-key"), not with a Google login.',
      'Gemini CLI reads one .env alone: that of a project, else ~/.gemini/.env, else ~/.env. What stands in another one, such as a key, is not read.',
      'In a folder that is not trusted, it does not read ~/.gemini/.env.',
    ],
  },
  {
    name: 'cline',
    title: 'Cline',
    steps: (gateway) => [
      'Cline keeps its address in its own storage, which only its settings page changes:',
      `  1. API Provider "Anthropic": turn on "Use custom base URL" and enter ${gateway}`,
      `  2. or API Provider "OpenAI Compatible": enter ${gateway}/v1 as Base URL; in a terminal: cline auth -p openai-compatible -b ${gateway}/v1`,
    ],
  },
  {
    name: 'continue',
    title: 'Continue',
    editor: yamlEditor,
    folder: inHome(['.continue'], 'CONTINUE_GLOBAL_DIR'),
    files: ['config.yaml'],
    edits: modelsOfContinue,
    notes: ['Models of other providers keep their own addresses.'],
  },
];

export const isHandClient = (row: ClientRow): row is HandClient => 'steps' in row;

/** One that reads its address from a file, by its name. */
export const fileClient = (name: string): FileClient | undefined =>
  clientRows.find((row): row is FileClient => row.name === name && !isHandClient(row));

/** Where the providers are that the gateway speaks like; a model with another address is on a server of the person. */
const continueProviders: Readonly<Record<string, { readonly path: string; readonly usual: string }>> = {
  anthropic: { path: '/v1', usual: 'api.anthropic.com' },
  openai: { path: '/v1', usual: 'api.openai.com' },
  gemini: { path: '/v1beta', usual: 'generativelanguage.googleapis.com' },
};

function modelsOfContinue(gateway: string, text: string): readonly Edit[] {
  return yamlEditor.entries(text, ['models']).flatMap((model, at) => {
    const known = continueProviders[model.texts.provider?.value ?? ''];
    if (known === undefined) return [];
    const value = `${gateway}${known.path}`;
    const address = model.texts.apiBase?.value;
    if (address !== undefined && address !== value && !isAt(known.usual, address)) return [];
    return [{ path: ['models', at, 'apiBase'], value, entry: marksOf(model, ['provider', 'name', 'model']) }];
  });
}

/** The address of a model goes before the variable, so that a model on another server would go past the gateway. */
function modelsOfQwen(gateway: string, text: string): readonly Edit[] {
  const value = `${gateway}/v1`;
  return jsonEditor.entries(text, ['modelProviders', 'openai']).flatMap((model, at) => {
    const address = model.texts.baseUrl;
    if (address === undefined) return [];
    const path: KeyPath = ['modelProviders', 'openai', at, 'baseUrl'];
    if (address.value === value || isAt('api.openai.com', address.value))
      return [{ path, value, entry: marksOf(model, ['id', 'name', 'envKey']) }];
    throw broken(
      text,
      address.start,
      `expected ${keyName(path)} to be of https://api.openai.com or of the gateway, since it goes before OPENAI_BASE_URL; it is of another server. Make that server the upstream of the gateway (palimpsest serve --upstream openai-chat=URL) and take this line out`,
    );
  });
}

const isAt = (host: string, address: string): boolean =>
  URL.canParse(address) && new URL(address).protocol === 'https:' && new URL(address).hostname === host;

const marksOf = ({ texts }: ListEntry, keys: readonly string[]): EntryMarks =>
  Object.fromEntries(keys.map((key) => [key, texts[key]?.value ?? null]));
