/** What a plugin is handed, so that it need not import anything, and what its manifest tells of it. */
import { conversationTokens, type Group, type Message, PalimpsestError, type Tokenizer } from '@palimpsest/core';
import {
  badPlugin,
  type Compressor,
  type CompressorOptions,
  type ContextEngine,
  createCompressor,
  defineEngine,
  type EngineParts,
  type EngineState,
  engineState,
  type JsonObject,
  stateKeys,
} from '@palimpsest/core/engine';
import { groupsOf, isFromPerson, messageText } from '@palimpsest/core/formats';
import { type Field, field, group, oneOf, parseJson, problemLog, text as textField } from '@palimpsest/core/settings';
import { excessIn } from '../config/files.ts';

/** What `createEngine` of a plugin is handed: about its session, and the parts of Palimpsest that engines need. */
export interface EngineHost {
  /** The name under which the engine was asked for. */
  readonly name: string;
  readonly sessionId: string;
  /** `plugins.options.<name>` of the configuration. */
  readonly options: JsonObject;
  readonly model: string;
  /** The window in tokens. */
  readonly contextLength: number;
  readonly defineEngine: (parts: EngineParts<Message>) => ContextEngine<Message>;
  readonly engineState: (known?: Partial<EngineState>) => EngineState;
  /** The built-in engine, to build upon. */
  readonly createCompressor: (options?: CompressorOptions) => Compressor<Message>;
  /** What must stay together: calls and their results. */
  readonly groupsOf: (messages: readonly Message[]) => readonly Group[];
  /** The text parts of a message. */
  readonly messageText: (message: Message) => string;
  /** True for what a person wrote, false for what programs write in the user's place. */
  readonly isFromPerson: (message: Message) => boolean;
  readonly countTokens: (messages: readonly Message[]) => number;
}

/** What makes an engine for each session. */
export interface EngineFactory {
  readonly name: string;
  /** The engine, or only its own parts: the rest has working defaults. */
  readonly create: (host: EngineHost) => ContextEngine<Message> | EngineParts<Message>;
}

/** What `register` of a general plugin is handed. */
export interface PluginRegistry {
  /**
   * Offers an engine; it is used where `context.engine` names it. Throws `BAD_OPTION` for a name that is taken or cannot
   * be one, and for what is no function.
   */
  registerContextEngine(engine: EngineFactory): void;
}

/** A registry, and what was registered. */
export interface OpenRegistry extends PluginRegistry {
  /** The engine of this name; undefined when there is none. */
  find(name: string): EngineFactory | undefined;
  names(): readonly string[];
}

/** An empty registry, for packages that the configuration names and for a program itself. */
export function createPluginRegistry(): OpenRegistry {
  const engines = new Map<string, EngineFactory>();
  return {
    registerContextEngine({ name, create }) {
      const problem = !isPluginName(String(name))
        ? 'expected a name of lower-case letters, digits, ".", "_" and "-"'
        : typeof create !== 'function'
          ? `expected create of "${name}" to be a function that creates an engine`
          : engines.has(name)
            ? `expected an unused name: an engine "${name}" is already registered`
            : undefined;
      if (problem) throw new PalimpsestError('BAD_OPTION', `${problem}.`);
      engines.set(name, { name, create });
    },
    find: (name) => engines.get(name),
    names: () => [...engines.keys()],
  };
}

/** What is known of a session when its engine is made. */
export interface HostBasis {
  readonly sessionId: string;
  readonly options: JsonObject;
  readonly model: string;
  readonly contextLength: number;
  readonly tokenizer: Tokenizer;
}

/** The engine that a factory makes for a session. Throws `BAD_PLUGIN` for what is no engine, and whatever the factory throws. */
export function engineFrom({ name, create }: EngineFactory, basis: HostBasis): ContextEngine<Message> {
  const { tokenizer, ...known } = basis;
  const made: unknown = create({
    ...known,
    name,
    defineEngine,
    engineState,
    createCompressor,
    groupsOf,
    messageText,
    isFromPerson,
    countTokens: (messages) => conversationTokens(messages, tokenizer),
  });
  return wholeEngine(name, made);
}

const methods = [
  'updateFromResponse',
  'shouldCompress',
  'heldBack',
  'shouldCompressPreflight',
  'hasContentToCompress',
  'onSessionStart',
  'onSessionEnd',
  'onSessionReset',
  'toolSchemas',
  'handleToolCall',
  'status',
  'updateModel',
] as const satisfies readonly (keyof ContextEngine<Message>)[];

function wholeEngine(name: string, made: unknown): ContextEngine<Message> {
  if (made instanceof Promise) {
    // Its failure would end the process.
    made.catch(() => undefined);
    throw badPlugin(`createEngine of "${name}" returned a promise: return the engine itself`);
  }
  if (typeof made !== 'object' || made === null) {
    throw badPlugin(`createEngine of "${name}" returned ${made === null ? 'null' : typeof made} instead of an engine`);
  }
  // Every member is looked at before it is used.
  const engine = made as Partial<ContextEngine<Message>>;
  if (typeof engine.compress !== 'function') throw badPlugin(`the engine "${name}" has no function compress`);
  if (engine.name !== undefined && engine.name !== name) {
    throw badPlugin(
      `the engine "${name}" calls itself ${JSON.stringify(engine.name).slice(0, 70)}: use the same name in both`,
    );
  }
  // Whole is what has every member of the contract.
  const isWhole = engine.name === name && methods.every((key) => typeof engine[key] === 'function') && hasState(engine);
  if (isWhole) return engine as ContextEngine<Message>;
  // The rest has defaults; methods keep the object that they belong to.
  const own = methods.flatMap((key) => {
    const method = engine[key];
    return typeof method === 'function' ? [[key, method.bind(engine)] as const] : [];
  });
  return defineEngine<Message>({
    ...(Object.fromEntries(own) as Partial<EngineParts<Message>>), // each under its own name
    ...(hasState(engine) ? { state: engine } : {}),
    name,
    compress: engine.compress.bind(engine),
  });
}

const hasState = (engine: Partial<EngineState>): engine is EngineState =>
  stateKeys.every((key) => typeof engine[key] === 'number');

// `plugin.json`: what a plugin says of itself before any of its code runs.

/** What a plugin says of itself. */
export interface PluginManifest {
  /** Small letters, digits, `.`, `_` and `-`; the name of its folder, and for an engine the one of `context.engine`. */
  readonly name: string;
  readonly version: string;
  /** `context_engine` exports `createEngine`, `memory_provider` exports `createMemoryProvider`, `general` exports `register`. */
  readonly kind: 'context_engine' | 'memory_provider' | 'general';
  /** The versions of Palimpsest that it was written for, such as `^0.1.0`. */
  readonly palimpsest: string;
  /** Its module, a path inside its folder. */
  readonly main: string;
  /** One line for lists. */
  readonly description: string;
}

export const manifestFile = 'plugin.json';

/** True for a name that may become part of a path. */
const isPluginName = (name: string): boolean => /^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$/.test(name);

const textThat = (expected: string, holds: (text: string) => boolean): Field<string> =>
  field(expected, (value): value is string => typeof value === 'string' && holds(value));

const manifestField: Field<PluginManifest> = group<PluginManifest>({
  name: textThat('a name of lower-case letters, digits, ".", "_" and "-"', isPluginName),
  version: textField,
  kind: oneOf(['context_engine', 'memory_provider', 'general']),
  palimpsest: textThat(
    'a range of versions, such as "^0.1.0", ">=0.1.0 <0.3.0" or "*"',
    (range) => isInRange('0.0.0', range) !== undefined,
  ),
  main: textThat('a path inside the folder of the plugin', (path) => {
    return /\.(?:js|mjs|ts|mts)$/.test(path) && !/^(?:[\\/]|[A-Za-z]:)|[\\]|(?:^|\/)\.\.(?:\/|$)|:/.test(path);
  }),
  description: textThat('a text', () => true),
});

const defaults = { main: 'index.js', description: '' };

/** The manifest of a folder. Throws `BAD_PLUGIN` that lists everything wrong with it. */
export function readManifest(
  text: string | undefined,
  { folder, version }: { readonly folder: string; readonly version: string },
): PluginManifest {
  if (text === undefined) throw badPlugin(`${folder} has no ${manifestFile}`);
  const excess = excessIn(text);
  if (excess !== undefined) throw badPlugin(`${manifestFile} of ${folder} is not a manifest: ${excess}`);
  const content = parseJson(text.replace(/^\uFEFF/, ''));
  if (content === undefined) throw badPlugin(`${manifestFile} of ${folder} is not valid JSON`);
  const log = problemLog('snake_case');
  const isObject = typeof content === 'object' && content !== null && !Array.isArray(content);
  const manifest = manifestField.parse(isObject ? { ...defaults, ...content } : content, log.place);
  if (!manifest || log.problems.length > 0) {
    const problems = log.problems.map(({ at, message }) => `${at} ${message}`.trim());
    throw badPlugin(`${manifestFile} of ${folder}: ${problems.join('; ')}`);
  }
  if (!isInRange(version, manifest.palimpsest)) {
    throw badPlugin(
      `it was written for Palimpsest ${manifest.palimpsest}, but this is ${version}: install another version`,
    );
  }
  return manifest;
}

type Version = readonly [major: number, minor: number, patch: number];
/** The first version of a range, and the first one behind it. */
type Bounds = readonly [from: Version, to: Version];

const first: Version = [0, 0, 0];
const never: Version = [Number.POSITIVE_INFINITY, 0, 0];
const mostRangeChars = 200;

/**
 * True when a version lies in a range: `*`, `1.2.3`, `1.2`, `1.x`, `^`, `~`, `>`, `>=`, `<`, `<=`, with blanks for "and"
 * and `||` for "or". Pre-release tags are left out of account. Undefined for a text that is no range or no version.
 */
export function isInRange(version: string, range: string): boolean | undefined {
  const [, ...parts] = /^v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:[-+]|$)/.exec(version) ?? [];
  if (parts.length === 0 || range.length > mostRangeChars) return undefined;
  const [major = 0, minor = 0, patch = 0] = parts.map(Number);
  const wanted: Version = [major, minor, patch];
  const choices = range.split('||').map((choice) => allBounds(choice.trim()));
  if (choices.some((bounds) => bounds.includes(undefined))) return undefined;
  return choices.some((all) =>
    all.every((bounds) => bounds && !isBefore(wanted, bounds[0]) && isBefore(wanted, bounds[1])),
  );
}

function allBounds(choice: string): readonly (Bounds | undefined)[] {
  if (choice === '' || choice === '*') return [[first, never]];
  return choice
    .replaceAll(/([<>=~^]) +/g, '$1')
    .split(/ +/)
    .map(boundsOf);
}

const comparator = /^(>=|<=|>|<|=|\^|~)?v?(\d{1,9}|[x*])(?:\.(\d{1,9}|[x*]))?(?:\.(\d{1,9}|[x*]))?(?:[-+][\w.+-]+)?$/i;

function boundsOf(text: string): Bounds | undefined {
  const match = comparator.exec(text);
  if (!match) return undefined;
  const [, sign, ...parts] = match;
  const given = parts.findIndex((part) => part === undefined || /^[x*]$/i.test(part));
  const depth = given < 0 ? 3 : given;
  const [major = 0, minor = 0, patch = 0] = parts.map((part) => (/^\d/.test(part ?? '') ? Number(part) : 0));
  const low: Version = [major, minor, patch];
  // `^` holds up to the first part that is not 0.
  const caret = major > 0 ? 1 : minor > 0 ? 2 : 3;
  if (sign === '>=') return [low, never];
  if (sign === '>') return [after(low, depth), never];
  if (sign === '<') return [first, low];
  if (sign === '<=') return [first, after(low, depth)];
  return [low, after(low, Math.min(depth, sign === '^' ? caret : sign === '~' ? 2 : 3))];
}

/** The first version behind all that begin with so many parts. */
function after([major, minor, patch]: Version, depth: number): Version {
  if (depth === 0) return never;
  if (depth === 1) return [major + 1, 0, 0];
  return depth === 2 ? [major, minor + 1, 0] : [major, minor, patch + 1];
}

const isBefore = (a: Version, b: Version): boolean =>
  a[0] !== b[0] ? a[0] < b[0] : a[1] !== b[1] ? a[1] < b[1] : a[2] < b[2];
