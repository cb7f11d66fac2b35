/** Which tools a model is shown, and which wait behind a search, when their definitions take too much of the window (Y3). */
import type { EngineTool } from '../../context/engine.ts';
import { aNumber, checkKnownOptions, type OptionRule } from '../../shared/options/known-options.ts';
import { isObject } from '../../shared/options/schema.ts';
import { toolSchemaTokens } from '../../tokens/measure.ts';
import { estimatingTokenizer, type Tokenizer } from '../../tokens/tokenizer.ts';
import { createFinder, type ToolFinder } from './find.ts';

/** When tools are deferred, and which of them. */
export interface ToolPlanOptions {
  /** The model's window in tokens. */
  readonly contextLength: number;
  /** The share of the window that the definitions may have, 0 to 1. @default 0.1 */
  readonly share?: number;
  /** Names of tools that are always shown. @default [] */
  readonly keep?: readonly string[];
  /** How often each tool was used, by its name: those that were used most are shown first. @default in the given order */
  readonly uses?: Readonly<Record<string, number>>;
  /** @default an estimate with a margin */
  readonly tokenizer?: Tokenizer;
}

/** What is shown and what is not. Keep it for a session: the definitions open the cached prefix of every request. */
export interface ToolPlan {
  /** Names, in the order in which the tools were given. */
  readonly shown: readonly string[];
  readonly deferred: readonly string[];
  /** Of all definitions, and of those that are sent, the two tools of the search included. */
  readonly allTokens: number;
  readonly sentTokens: number;
  /** The most that definitions may have before any is deferred. */
  readonly maxTokens: number;
  /** Over the deferred tools. */
  readonly finder: ToolFinder;
  /** What the model is shown in their place; empty where none is deferred. */
  readonly searchTools: readonly EngineTool[];
}

/** The share of the window that definitions may have. Other agents begin to defer at the same one. */
export const defaultToolShare = 0.1;

const names: OptionRule = {
  expected: 'a list of names',
  holds: (list) => Array.isArray(list) && list.every((name) => typeof name === 'string'),
};

/**
 * Decides which tools a model is shown. Where all definitions fit their share of the window, all are; else those that `keep`
 * names and those that are used most, as far as the share allows, and the others wait behind `find_tools` and `call_tool`.
 * Nothing is deferred where that would save nothing. The same tools and options give the same plan. Throws `BAD_OPTION`.
 *
 * @example
 * import { planTools } from '@palimpsest/core/prompt';
 * const parameters = { type: 'object', properties: { city: { type: 'string' } } };
 * const tools = [{ name: 'weather', description: 'Tells the weather.', parameters }];
 * planTools(tools, { contextLength: 200_000 }).deferred; // []
 */
export function planTools(tools: readonly EngineTool[], options: ToolPlanOptions): ToolPlan {
  checkPlanOptions(options);
  const { contextLength, share = defaultToolShare, tokenizer = estimatingTokenizer('unknown') } = options;
  const tokensOf = (some: readonly EngineTool[]): number =>
    toolSchemaTokens(
      some.map(({ name, description, parameters }) => ({ name, description, parameters })),
      tokenizer,
    );
  const maxTokens = Math.floor(contextLength * share);
  const allTokens = tokensOf(tools);
  // Which of them go decides how much there is to say of them: it is never more than for all.
  const room = maxTokens - tokensOf(searchToolsFor(tools));
  const shown = allTokens <= maxTokens ? tools : shownTools(tools, { ...options, room, tokensOf });
  const deferred = tools.filter((tool) => !shown.includes(tool));
  const searchTools = searchToolsFor(deferred);
  const sentTokens = tokensOf([...shown, ...searchTools]);
  if (deferred.length > 0 && sentTokens >= allTokens)
    return planOf(tools, [], { allTokens, maxTokens, sentTokens: allTokens });
  return planOf(shown, deferred, { allTokens, maxTokens, sentTokens });
}

type Sizes = Pick<ToolPlan, 'allTokens' | 'maxTokens' | 'sentTokens'>;

const planOf = (shown: readonly EngineTool[], deferred: readonly EngineTool[], sizes: Sizes): ToolPlan => ({
  ...sizes,
  shown: shown.map(({ name }) => name),
  deferred: deferred.map(({ name }) => name),
  searchTools: searchToolsFor(deferred),
  finder: createFinder(deferred),
});

interface Choosing extends ToolPlanOptions {
  readonly room: number;
  readonly tokensOf: (tools: readonly EngineTool[]) => number;
}

/** Those that must be shown, and of the others those that are used most, as far as there is room; in their own order. */
function shownTools(
  tools: readonly EngineTool[],
  { keep = [], uses = {}, room, tokensOf }: Choosing,
): readonly EngineTool[] {
  const usesOf = ({ name }: EngineTool): number => (Object.hasOwn(uses, name) ? (uses[name] ?? 0) : 0);
  const isKept = ({ name }: EngineTool): boolean => keep.includes(name);
  const wanted = tools.toSorted((a, b) => Number(isKept(b)) - Number(isKept(a)) || usesOf(b) - usesOf(a));
  const shown = new Set<EngineTool>();
  let left = room;
  for (const tool of wanted) {
    const tokens = tokensOf([tool]);
    if (!isKept(tool) && tokens > left) continue;
    left -= tokens;
    shown.add(tool);
  }
  return tools.filter((tool) => shown.has(tool));
}

/** @throws BAD_OPTION */
function checkPlanOptions(options: ToolPlanOptions): void {
  checkKnownOptions<ToolPlanOptions>('planTools', options, {
    contextLength: { ...aNumber(1), isNeeded: true },
    share: {
      expected: 'a number from 0 to 1',
      holds: (value) => Number.isFinite(value) && Number(value) >= 0 && Number(value) <= 1,
    },
    keep: names,
    uses: { expected: 'an object of numbers', holds: isObject },
    tokenizer: { expected: 'a tokenizer', holds: (value) => isObject(value) && typeof value.count === 'function' },
  });
}

// What a model is shown in place of the deferred tools.

/** The names of the two tools. */
export const searchToolNames = { find: 'find_tools', call: 'call_tool' } as const;

/** More names would weigh what they stand for. */
const mostNames = 40;

/** The definitions: the model learns which tools there are by their names, and what they take by searching. */
function searchToolsFor(deferred: readonly EngineTool[]): readonly EngineTool[] {
  if (deferred.length === 0) return [];
  const listed = deferred.slice(0, mostNames).map(({ name }) => name);
  const more = deferred.length > listed.length ? ` and ${deferred.length - listed.length} more` : '';
  return [
    {
      name: searchToolNames.find,
      description: `Finds tools that are not listed here, with what they do and what they take: ${listed.join(', ')}${more}. Call what it finds with ${searchToolNames.call}.`,
      parameters: {
        type: 'object',
        properties: { query: { type: 'string', description: 'What the tool should do, in a few words, or its name' } },
        required: ['query'],
        additionalProperties: false,
      },
    },
    {
      name: searchToolNames.call,
      description: `Calls a tool that ${searchToolNames.find} found.`,
      parameters: {
        type: 'object',
        properties: {
          name: { type: 'string', description: 'The name of the tool' },
          arguments: { type: 'object', description: `What it takes, as ${searchToolNames.find} says` },
        },
        required: ['name', 'arguments'],
        additionalProperties: false,
      },
    },
  ];
}
