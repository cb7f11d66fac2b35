/**
 * The only reader of configuration files and environment variables. What it touches is passed in; a value from the
 * environment beats the project's file, that beats the user's file, that beats the default.
 */
import {
  badConfig,
  type Field,
  inside,
  isObject,
  knownKeys,
  nearest,
  type Place,
  parseJson,
  problemLog,
  snakeCase,
  unknownKey,
} from '@palimpsest/core/settings';
import { type Config, configDefaults, configField } from './config.ts';
import { type ConfigFile, type ReadFile, readConfigFile } from './files.ts';
import { userFolder } from './folders.ts';
import { mcpTokenVariable } from './mcp-token.ts';
import { agentVariable } from './of-an-agent.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface LoadOptions {
  /** The folder whose `palimpsest.yaml`, `.yml` or `.json` is the project's file. */
  readonly cwd: string;
  readonly env: Environment;
  /** The text of a file; undefined when there is none. */
  readonly readFile: ReadFile;
  /** The operating system as `process.platform` names it; decides where the user's file is. @default 'linux' */
  readonly platform?: string;
}

export interface LoadedConfig {
  readonly config: Config;
  /** Every setting in the order of the schema, with its value and where that came from. */
  readonly settings: readonly Setting[];
  /** What a person should know: values moved into their range, variables that look mistyped. */
  readonly notes: readonly string[];
}

/** A value with the place that gave it. */
interface Sourced extends Given {
  readonly source: Source;
}

/**
 * The configuration of a project. Throws `BAD_CONFIG` that lists everything wrong in all files and variables, and
 * `FILE_UNREADABLE` for a file that exists and cannot be read.
 */
export async function loadConfig(options: LoadOptions): Promise<LoadedConfig> {
  const files = await configFiles(options);
  const log = problemLog('snake_case');
  const given = [...files.flatMap((file) => fromFile(file, log.place)), ...fromEnvironment(options.env, log.place)];
  const winners = new Map(given.map((value) => [settingKey(value.path), value]));
  const config = configField.parse(nested([...winners.values()]), log.place);
  if (!config || log.problems.length > 0) throw badConfig(log.problems, 'configuration');
  return { config, settings: settingsOf(config, winners), notes: log.notes };
}

/** Every setting of a configuration; one without a winner is a default. */
export function settingsOf(config: Config, winners: ReadonlyMap<string, Sourced> = new Map()): readonly Setting[] {
  return leavesOf(configField).map(({ path }) => {
    const key = settingKey(path);
    return { key, value: valueAt(config, path), source: winners.get(key)?.source ?? { type: 'default' } };
  });
}

/** The files, weakest first. */
async function configFiles({ cwd, env, readFile, platform = 'linux' }: LoadOptions): Promise<readonly ConfigFile[]> {
  const folder = userFolder(env, platform);
  const user = folder ? await readConfigFile(readFile, { folder, name: 'config', platform }) : undefined;
  const project = await readConfigFile(readFile, { folder: cwd, name: 'palimpsest', platform });
  return [user, project].filter((file) => file !== undefined);
}

function fromFile(file: ConfigFile, place: Place): readonly Sourced[] {
  const source: Source = { type: 'file', path: file.path };
  return settingsIn(file.content, configField, labelled(place, file.path)).map((given) => ({ ...given, source }));
}

/** Variables of ours that are no settings. */
const noSettings: ReadonlySet<string> = new Set([agentVariable, mcpTokenVariable]);

function fromEnvironment(env: Environment, place: Place): readonly Sourced[] {
  const leaves = new Map(leavesOf(configField).map((leaf) => [environmentName(leaf.path), leaf]));
  const given: Sourced[] = [];
  for (const [name, text] of Object.entries(env)) {
    // An empty variable is how shells and containers say "not set".
    if (!name.startsWith('PALIMPSEST_') || noSettings.has(name) || !text) continue;
    const leaf = leaves.get(name);
    if (!leaf) reportUnknownVariable(name, { leaves, place });
    else {
      const value = environmentValue(text, leaf.field, { ...place, at: name });
      if (value !== undefined) given.push({ path: leaf.path, value, source: { type: 'environment', name } });
    }
  }
  return given;
}

/** Inside one of our sections it is an error; elsewhere another program may own the name, so it is a note. */
function reportUnknownVariable(
  name: string,
  { leaves, place }: { leaves: ReadonlyMap<string, Leaf>; place: Place },
): void {
  const sections = Object.keys(configDefaults).map((section) => `${environmentName([section])}_`);
  const known = [...leaves.keys()];
  if (sections.some((section) => name.startsWith(section))) {
    place.report({ at: name, message: unknownKey(name, known) });
    return;
  }
  const rest = (variable: string): string => variable.slice('PALIMPSEST_'.length);
  const near = nearest(rest(name), known.map(rest));
  if (near) place.note(`The environment variable ${name} is ignored; did you mean PALIMPSEST_${near}?`);
}

/** The same place, naming the file in what it says. */
function labelled(place: Place, label: string): Place {
  return {
    ...place,
    report: (problem) => place.report({ ...problem, at: `${label}: ${problem.at}` }),
    note: (text) => place.note(`${label}: ${text}`),
  };
}

/** Values by path as one object of objects, as a file would write it. */
function nested(given: readonly Given[]): Readonly<Record<string, unknown>> {
  const heads = new Set(given.map(({ path }) => path[0]).filter((head) => head !== undefined));
  const entries = [...heads].map((head): [string, unknown] => {
    const below = given.filter(({ path }) => path[0] === head);
    const leaf = below.find(({ path }) => path.length === 1);
    return [
      snakeCase(head),
      leaf ? leaf.value : nested(below.map(({ path, value }) => ({ path: path.slice(1), value }))),
    ];
  });
  return Object.fromEntries(entries);
}

function valueAt(config: Config, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), config);
}

// Single settings: which there are, what a file or the environment says about them.

/** Where a value came from. */
export type Source =
  | { readonly type: 'default' }
  | { readonly type: 'file'; readonly path: string }
  | { readonly type: 'environment'; readonly name: string };

export interface Setting {
  /** As written in files, such as `compression.target_ratio`. */
  readonly key: string;
  readonly value: unknown;
  readonly source: Source;
}

/** A setting that exists: its camelCase path and its field. */
interface Leaf {
  readonly path: readonly string[];
  readonly field: Field<unknown>;
}

/** A value that a file or a variable gives to a setting. */
interface Given {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** Every setting below a field, in the order of the schema. */
export function leavesOf(field: Field<unknown>, path: readonly string[] = []): readonly Leaf[] {
  if (!field.members) return [{ path, field }];
  return Object.entries(field.members).flatMap(([key, member]) => leavesOf(member, [...path, key]));
}

/** `['compression', 'targetRatio']` → `compression.target_ratio`. */
export const settingKey = (path: readonly string[]): string => path.map(snakeCase).join('.');

/** `['compression', 'targetRatio']` → `PALIMPSEST_COMPRESSION_TARGET_RATIO`. */
export const environmentName = (path: readonly string[]): string =>
  `PALIMPSEST_${path.map(snakeCase).join('_').toUpperCase()}`;

/** The settings that the content of a file gives, each checked by its field; what is wrong is reported. */
function settingsIn(content: unknown, field: Field<unknown>, place: Place): readonly Given[] {
  if (!field.members) {
    const value = field.parse(content, place);
    return value === undefined ? [] : [{ path: [], value }];
  }
  // A section whose lines are all commented out is null in YAML.
  if (content === null) return [];
  if (!isObject(content)) {
    field.parse(content, place);
    return [];
  }
  return knownKeys(content, field.members, place).flatMap(([key, element]) => {
    const member = field.members?.[key];
    const found = member ? settingsIn(element, member, inside(place, snakeCase(key))) : [];
    return found.map(({ path, value }) => ({ path: [key, ...path], value }));
  });
}

const words: Readonly<Record<string, boolean>> = { 1: true, yes: true, on: true, 0: false, no: false, off: false };

/** The value of a variable: the text itself where the field takes texts, else as JSON, else yes and no as flags. */
function environmentValue(text: string, field: Field<unknown>, place: Place): unknown {
  const quiet: Place = { ...place, report: () => {}, note: () => {} };
  const candidates = [text, parseJson(text), words[text.toLowerCase()]];
  for (const candidate of candidates) {
    if (candidate !== undefined && field.parse(candidate, quiet) !== undefined) return field.parse(candidate, place);
  }
  return field.parse(parseJson(text) ?? text, place);
}
