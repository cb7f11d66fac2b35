/** What is known of a model by its id: its window, its family and how to count for it. */
import type { EncodingName } from './encoding.ts';
import type { Family } from './families.ts';
import type { ImageRuleName } from './image-tokens.ts';
import { type ModelRow, modelRows } from './models.data.ts';

/** What is known of a model by its id. */
export interface ModelInfo {
  /** The start of the id by which the model was found, such as `claude-opus-4-7`. */
  readonly id: string;
  readonly family: Family;
  /** Tokens of input and output together; absent where only the family is known. */
  readonly contextWindow?: number;
  readonly maxOutput?: number;
  /** The public encoding, where the model has one. */
  readonly encoding?: EncodingName;
  readonly images: ImageRuleName;
}

const familyImages: Readonly<Record<Family, ImageRuleName>> = {
  openai: 'openai-tiles',
  claude: 'claude',
  'claude-4.7': 'claude-4.7',
  gemini: 'gemini',
  qwen: 'flat',
  deepseek: 'flat',
  llama: 'flat',
  mistral: 'flat',
  unknown: 'flat',
};

const byId: ReadonlyMap<string, ModelRow> = new Map(
  modelRows.flatMap((row) => row.ids.map((id) => [id, row] as const)),
);

/** The size that the suffix of `claude-sonnet-4-5[1m]` asks for. */
const longContext = 1_000_000;

/**
 * What is known of a model, by the longest start of its id; undefined for one of no known family. Understands prefixes
 * of providers and regions (`anthropic/…`, `us.anthropic.…`, `models/…`), dates, `-latest`, `:free`, `@…` and `[1m]`,
 * and versions with dots or dashes. A version that is not known has a family but no window.
 *
 * @example
 * import { modelInfo } from '@palimpsest/core';
 * modelInfo('anthropic/claude-sonnet-4-5')?.contextWindow; // 200_000
 */
export function modelInfo(model: string): ModelInfo | undefined {
  const id = plainId(model);
  for (let end = id.length; end > 0; end--) {
    const row = byId.get(id.slice(0, end));
    if (!row || !endsThere(id.slice(end), row)) continue;
    const { ids: _, ...known } = row;
    const window = /\[1m\]/i.test(model) ? { contextWindow: longContext } : {};
    return { images: familyImages[row.family], ...known, ...window, id: id.slice(0, end) };
  }
  return undefined;
}

/** The id without prefixes, versions with dashes: `us.anthropic.claude-opus-4.7-v1:0` is `claude-opus-4-7-v1:0`. */
export function plainId(model: string): string {
  return model
    .trim()
    .toLowerCase()
    .replace(/^.*\//, '')
    .replace(/^(?:ft|azure|openai|anthropic|google|bedrock|vertex|openrouter):/, '')
    .replace(/^(?:[a-z-]+\.)+(?=[a-z])/, '')
    .replace(/^(?:meta-)?llama-?v?(?=\d)/, 'llama-')
    .replace(/(?<=\d)[._p](?=\d)/g, '-');
}

/**
 * True when the id may end where the match ends. What follows must not continue the word, and, for a row with a window,
 * must not be a further number of the version, which makes it another model; dates and sizes (`-8b`) are no versions.
 */
function endsThere(rest: string, row: ModelRow): boolean {
  if (rest === '') return true;
  if (row.contextWindow === undefined) return !/^[a-z]/.test(rest);
  return !/^[a-z0-9]/.test(rest) && !/^-\d{1,2}(?![a-z0-9])/.test(rest);
}
