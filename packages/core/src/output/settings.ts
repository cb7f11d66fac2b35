/** Tool results in the configuration, under `output` in files: every number that they are held to, and the limits for a window. */
import { badConfig } from '../context/settings.ts';
import { PalimpsestError } from '../shared/errors.ts';
import { count, type Field, group, listOf, mapOf, nullable, problemLog, text } from '../shared/options/schema.ts';

/** How tool results are held to their room in the window. */
export interface OutputConfig {
  /** A result over this many characters is saved whole, and its start stands for it. @default 100000 */
  readonly resultChars: number;
  /** The same for results of MCP servers: of tools in `mcpTools`, or named `mcp_…`, or that come in an MCP envelope. @default 50000 */
  readonly mcpResultChars: number;
  /** Results of one answer over this many characters together: the largest are saved until the rest fits. @default 200000 */
  readonly turnChars: number;
  /** Most characters that one reading or search of a saved result gives back. @default 20000 */
  readonly pageChars: number;
  /** Tools of MCP servers whose names do not begin with `mcp_`, such as those of an AI SDK client. @default [] */
  readonly mcpTools: readonly string[];
  /** Tools whose results stay as they are, but where the results of one answer do not fit without them. @default ['read_file'] */
  readonly pinned: readonly string[];
  /** Characters a result may have, by the name of its tool, whatever the window is; null for no limit. @default {} */
  readonly toolChars: Readonly<Record<string, number | null>>;
}

/** What a caller may give: any part of the configuration. */
export type OutputOptions = Partial<OutputConfig>;

/** Every default of tool results. */
export const outputDefaults: OutputConfig = {
  resultChars: 100_000,
  mcpResultChars: 50_000,
  turnChars: 200_000,
  pageChars: 20_000,
  mcpTools: [],
  pinned: ['read_file'],
  toolChars: {},
};

/** Below this, what stands for a result would be longer than the result. */
const leastRoom = count(1_000);

/** The field of the whole section. */
export const outputField: Field<OutputConfig> = group<OutputConfig>(
  {
    resultChars: leastRoom,
    mcpResultChars: leastRoom,
    turnChars: leastRoom,
    pageChars: leastRoom,
    mcpTools: listOf(text),
    pinned: listOf(text),
    toolChars: mapOf(nullable(count(0))),
  },
  outputDefaults,
);

/** The whole configuration from a part of it. Throws `BAD_CONFIG` that lists every unknown key and every wrong value. */
export function resolveOutputConfig(options: OutputOptions = {}): OutputConfig {
  const log = problemLog('camelCase');
  const config = outputField.parse(options, log.place);
  if (config && log.problems.length === 0) return config;
  throw badConfig(log.problems, 'configuration of tool results');
}

// How many characters a result may have, and all results of one answer together. Pure.

/** The limits for one window, in characters. */
export interface OutputLimits {
  /** For a tool that nothing else is said about. */
  readonly result: number;
  readonly mcpResult: number;
  /** For the results of one answer together. */
  readonly turn: number;
  /** For one reading or search of a saved result. */
  readonly page: number;
}

/** A result gets at most this share of the window, and the results of one answer twice as much: the rest is for what was said. */
const resultShare = 0.15;
const turnShare = 0.3;

/** However small the window is, a result has so many characters: two pages, with which a model can still work. */
const resultFloor = 8_000;
const turnFloor = 16_000;

/** What a window of so many tokens is taken to hold. */
const charsPerToken = 4;

/**
 * The limits of a configuration in a window of `contextLength` tokens; without one, those of a large window. Throws
 * `BAD_OPTION` for a length that is none.
 */
export function outputLimits(contextLength: number | undefined, config: OutputConfig): OutputLimits {
  if (contextLength !== undefined && !(contextLength >= 1)) {
    const message = `Expected contextLength as a number of tokens of at least 1, not ${contextLength}.`;
    throw new PalimpsestError('BAD_OPTION', message, { evidence: { contextLength } });
  }
  const windowChars = (contextLength ?? Number.POSITIVE_INFINITY) * charsPerToken;
  const room = Math.max(resultFloor, Math.floor(windowChars * resultShare));
  const turnRoom = Math.max(turnFloor, Math.floor(windowChars * turnShare));
  const result = Math.min(config.resultChars, room);
  return {
    result,
    mcpResult: Math.min(config.mcpResultChars, room),
    turn: Math.min(config.turnChars, turnRoom),
    page: Math.min(config.pageChars, result),
  };
}

/** Limits by tool, beside those of the window. */
export interface ToolLimits {
  readonly config: Pick<OutputConfig, 'mcpTools' | 'pinned' | 'toolChars'>;
  /** What tools say of themselves: the most characters that they give back. */
  readonly declared?: Readonly<Record<string, number>>;
  /** Whether the result came in the envelope of an MCP server; asked only where it counts. @default it did not */
  readonly inEnvelope?: () => boolean;
}

/**
 * The characters that a result of a tool may have: pinned, then configured, then an MCP server's, then what the tool
 * says of itself (never above the limit of the window), then the limit of the window; what came in an MCP envelope has
 * never more than a result of an MCP server. Infinity for no limit.
 */
export function limitOf(
  toolName: string,
  limits: OutputLimits,
  { config, declared = {}, inEnvelope }: ToolLimits,
): number {
  if (config.pinned.includes(toolName)) return Number.POSITIVE_INFINITY;
  const configured = own(config.toolChars, toolName);
  if (configured !== undefined) return configured ?? Number.POSITIVE_INFINITY;
  if (isMcpTool(toolName, config)) return limits.mcpResult;
  const said = Math.min(limits.result, own(declared, toolName) ?? Number.POSITIVE_INFINITY);
  return said > limits.mcpResult && inEnvelope?.() === true ? limits.mcpResult : said;
}

/** As far as a name can tell. */
const isMcpTool = (toolName: string, { mcpTools }: Pick<OutputConfig, 'mcpTools'>): boolean =>
  toolName.startsWith('mcp_') || mcpTools.includes(toolName);

/** A tool may be named `constructor`. */
const own = <T>(record: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;
