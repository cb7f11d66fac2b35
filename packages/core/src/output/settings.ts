/** Tool results in the configuration: every number that they are held to, with its default. In files under `output`. */

import { badConfig } from '../context/resolve-settings.ts';
import type { Field } from '../shared/options/schema.ts';
import { count, group, listOf, mapOf, nullable, problemLog, text } from '../shared/options/schema.ts';

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
