/** Makes a whole engine from the parts that an author writes, or from a class; and finds the one that is active. */
import { PalimpsestError } from '../shared/errors.ts';
import type { JsonObject } from '../shared/json.ts';
import { mostTokens } from '../store/usage-store.ts';
import type {
  CompressOptions,
  ContextEngine,
  EngineModel,
  EngineState,
  EngineStatus,
  EngineTool,
  EngineUsage,
  SessionStart,
} from './engine.ts';

/** What an engine does unless it says otherwise. The built-in engine has its own, in the configuration. */
export const contextEngineDefaults = {
  /** Share of the window at which to compress. */
  threshold: 0.75,
  /** Messages kept at the start. */
  protectFirstN: 3,
  /** Messages kept at the end. */
  protectLastN: 6,
} as const;

/** The hooks an author may write; `name` and `compress` are needed, everything else has a working default. */
export type EngineParts<M> = Pick<ContextEngine<M>, 'name' | 'compress'> &
  Partial<Omit<ContextEngine<M>, 'name' | 'compress' | keyof EngineState>> & {
    /** The state that the defaults read and write; give your own to read it in your hooks. */
    readonly state?: EngineState;
    /** Share of the window at which to compress, for the default `updateModel`. @default 0.75 */
    readonly threshold?: number;
  };

/** A fresh state, all zero but for what is given. */
export function engineState(known: Partial<EngineState> = {}): EngineState {
  return {
    lastPromptTokens: 0,
    lastCompletionTokens: 0,
    lastTotalTokens: 0,
    thresholdTokens: 0,
    contextLength: 0,
    compressionCount: 0,
    ...known,
  };
}

/**
 * The engine made of these parts. A `compress` that returns another list than it was given counts as a compression.
 * Throws `BAD_OPTION` for parts without a name or a `compress` function, and for a threshold outside 0–1.
 */
export function defineEngine<M>(parts: EngineParts<M>): ContextEngine<M> {
  checkParts(parts);
  const { state = engineState(), threshold = contextEngineDefaults.threshold, name, compress: _, ...hooks } = parts;
  // The reported prompt from before a compression says nothing about the context after it.
  const reading = { stale: false };
  const defaults = engineHooks<M>(state, { name, threshold, reading });
  const given = Object.fromEntries(Object.entries(hooks).filter(([, hook]) => hook !== undefined));
  const engine = { name, ...defaults, ...given, compress };
  async function compress(messages: readonly M[], options?: CompressOptions): Promise<readonly M[]> {
    const result = await parts.compress(messages, options);
    if (result === messages) return messages;
    state.compressionCount++;
    reading.stale = true;
    return result;
  }
  for (const key of stateKeys) Object.defineProperty(engine, key, { get: () => state[key], enumerable: true });
  // The loop above has just added the members of EngineState; the type checker does not follow defineProperty.
  return engine as ContextEngine<M>;
}

type Defaults<M> = Omit<ContextEngine<M>, 'name' | 'compress' | keyof EngineState>;

interface Basis {
  readonly name: string;
  readonly threshold: number;
  readonly reading: { stale: boolean };
}

function engineHooks<M>(state: EngineState, { name, threshold, reading }: Basis): Defaults<M> {
  return {
    updateFromResponse(usage) {
      if (promptTokensOf(usage) !== undefined) reading.stale = false;
      takeUsage(state, usage);
    },
    shouldCompress(promptTokens) {
      const tokens = promptTokens ?? (reading.stale ? 0 : state.lastPromptTokens);
      return state.thresholdTokens > 0 && tokens >= state.thresholdTokens;
    },
    heldBack: () => undefined,
    shouldCompressPreflight: () => false,
    hasContentToCompress: () => true,
    onSessionStart: async () => {},
    onSessionEnd: async () => {},
    onSessionReset: () => resetCounters(state),
    toolSchemas: () => [],
    handleToolCall: async (tool) => unknownTool(name, tool),
    status: () => statusOf(state),
    updateModel: (model) => takeModel(state, { model, threshold }),
  };
}

/** The usage itself; hosts hand on what a provider sent, and anything but an object reports nothing. */
export const usageIn = (usage: EngineUsage | null | undefined): EngineUsage =>
  typeof usage === 'object' && usage !== null && !Array.isArray(usage) ? usage : {};

/** Its members; none where one of them cannot be read. */
function membersOf(usage: EngineUsage): { readonly [Member in keyof EngineUsage]?: unknown } {
  try {
    const { promptTokens, inputTokens, cacheReadTokens, cacheWriteTokens } = usageIn(usage);
    const { completionTokens, outputTokens, totalTokens } = usageIn(usage);
    const prompt = { promptTokens, inputTokens, cacheReadTokens, cacheWriteTokens };
    return { ...prompt, completionTokens, outputTokens, totalTokens };
  } catch {
    return {};
  }
}

/**
 * The prompt tokens of a usage: as reported, else input + both caches; undefined when neither is known. No model has read
 * nothing: a prompt of zero is what hosts write where nothing was reported.
 */
export function promptTokensOf(usage: EngineUsage): number | undefined {
  const { promptTokens, inputTokens, cacheReadTokens, cacheWriteTokens } = membersOf(usage);
  const parts = [inputTokens, cacheReadTokens, cacheWriteTokens].map((tokens) => reported(tokens) ?? 0);
  return reported(promptTokens) || reported(parts.reduce((sum, tokens) => sum + tokens, 0)) || undefined;
}

/** As whole tokens. What is no number, below zero, or more than any call has was not reported: sums of it are broken. */
const reported = (tokens: unknown): number | undefined =>
  typeof tokens === 'number' && tokens >= 0 && tokens <= mostTokens ? Math.round(tokens) : undefined;

/** Writes a usage into a state. A call without usage leaves the last known numbers. */
export function takeUsage(state: EngineState, usage: EngineUsage): void {
  const { completionTokens, outputTokens, totalTokens } = membersOf(usage);
  const prompt = promptTokensOf(usage);
  const completion = reported(completionTokens) ?? reported(outputTokens);
  if (prompt !== undefined) state.lastPromptTokens = prompt;
  if (completion !== undefined) state.lastCompletionTokens = completion;
  const total = reported(totalTokens) || (prompt === undefined ? undefined : prompt + (completion ?? 0));
  if (total !== undefined) state.lastTotalTokens = total;
}

/** What `/status` shows: never more than 100 %, and 0 without a window. */
export function statusOf(state: EngineState): EngineStatus {
  const { lastPromptTokens, thresholdTokens, contextLength, compressionCount } = state;
  const percent = contextLength > 0 ? (100 * lastPromptTokens) / contextLength : 0;
  const usagePercent = Math.min(100, Math.max(0, percent));
  return {
    lastPromptTokens: Math.max(0, lastPromptTokens),
    thresholdTokens,
    contextLength,
    usagePercent,
    compressionCount,
  };
}

/** A new session: the counters return to 0, the window and its threshold stay. */
export function resetCounters(state: EngineState): void {
  Object.assign(state, { lastPromptTokens: 0, lastCompletionTokens: 0, lastTotalTokens: 0, compressionCount: 0 });
}

/** Writes a model's window and its threshold into a state. Throws `BAD_OPTION` for a window of no tokens. */
function takeModel(state: EngineState, { model, threshold }: { model: EngineModel; threshold: number }): void {
  if (!Number.isFinite(model.contextLength) || model.contextLength <= 0) {
    const message = `expected the window of ${model.model} as a number of tokens above 0, got ${model.contextLength}`;
    throw new PalimpsestError('BAD_OPTION', message, { evidence: { contextLength: model.contextLength } });
  }
  state.contextLength = model.contextLength;
  state.thresholdTokens = Math.max(1, Math.floor(model.contextLength * threshold));
}

/** The answer to a call of a tool that an engine does not have, as JSON text. */
function unknownTool(engine: string, tool: string): string {
  return JSON.stringify({ error: `Unknown tool: the context engine "${engine}" has no tool "${tool}".` });
}

/** The numbers of `EngineState`. */
export const stateKeys: readonly (keyof EngineState)[] = [
  'lastPromptTokens',
  'lastCompletionTokens',
  'lastTotalTokens',
  'thresholdTokens',
  'contextLength',
  'compressionCount',
];

/** Engines come from plugins, which no compiler of ours has checked. */
function checkParts<M>(parts: EngineParts<M>): void {
  const problem =
    typeof parts.name !== 'string' || parts.name === ''
      ? 'expected an engine with a name'
      : typeof parts.compress !== 'function'
        ? `expected the engine "${parts.name}" to have a compress function`
        : parts.threshold !== undefined && !(parts.threshold > 0 && parts.threshold < 1)
          ? `expected the threshold of the engine "${parts.name}" between 0 and 1, got ${parts.threshold}`
          : undefined;
  if (problem) throw new PalimpsestError('BAD_OPTION', `${problem}.`);
}

// A class to build an engine on, for who prefers classes to `defineEngine`.

/**
 * An engine in which everything works but `compress`, which is yours: give back a smaller list and count it in
 * `compressionCount`, or give back the very list that came. The state is yours to read and to write.
 */
export abstract class BaseEngine<M> implements ContextEngine<M>, EngineState {
  abstract readonly name: string;
  /** Share of the window at which to compress. */
  readonly threshold: number = contextEngineDefaults.threshold;
  /** Messages to keep at the start. */
  readonly protectFirstN: number = contextEngineDefaults.protectFirstN;
  /** Messages to keep at the end. */
  readonly protectLastN: number = contextEngineDefaults.protectLastN;
  lastPromptTokens = 0;
  lastCompletionTokens = 0;
  lastTotalTokens = 0;
  thresholdTokens = 0;
  contextLength = 0;
  compressionCount = 0;
  /** Compressions when a prompt was last reported: one from before a compression says nothing about what came of it. */
  #countAtReport = 0;

  abstract compress(messages: readonly M[], options?: CompressOptions): Promise<readonly M[]>;

  updateFromResponse(usage: EngineUsage): void {
    if (promptTokensOf(usage) !== undefined) this.#countAtReport = this.compressionCount;
    takeUsage(this, usage);
  }

  shouldCompress(promptTokens?: number): boolean {
    const reported = this.#countAtReport === this.compressionCount ? this.lastPromptTokens : 0;
    return this.thresholdTokens > 0 && (promptTokens ?? reported) >= this.thresholdTokens;
  }

  heldBack(_promptTokens?: number): string | undefined {
    return undefined;
  }

  shouldCompressPreflight(_messages: readonly M[]): boolean {
    return false;
  }

  /** Override it where `compress` keeps a head and a tail: false while nothing lies between, so that nobody waits for nothing. */
  hasContentToCompress(_messages: readonly M[]): boolean {
    return true;
  }

  async onSessionStart(_sessionId: string, _start: SessionStart): Promise<void> {}

  async onSessionEnd(_sessionId: string, _messages: readonly M[]): Promise<void> {}

  onSessionReset(): void {
    resetCounters(this);
    this.#countAtReport = 0;
  }

  toolSchemas(): readonly EngineTool[] {
    return [];
  }

  async handleToolCall(name: string, _args: JsonObject, _messages: readonly M[]): Promise<string> {
    return unknownTool(this.name, name);
  }

  status(): EngineStatus {
    return statusOf(this);
  }

  updateModel(model: EngineModel): void {
    takeModel(this, { model, threshold: this.threshold });
  }
}

// Finds the one active engine by its name.

/** What can be found: an engine, or what makes engines of that name. */
export interface Named {
  readonly name: string;
}

/** A place where engines come from. Gives undefined for a name it does not have. */
export interface EngineSource<E extends Named> {
  /** For messages, such as `plugins/context_engine`. */
  readonly label: string;
  readonly find: (name: string) => Promise<E | undefined>;
}

/** The engine to use, where it was found, and what a person should hear of it. */
export interface ResolvedEngine<E extends Named> {
  readonly engine: E;
  /** Where it came from: a label, or `built-in`. */
  readonly from: string;
  /** Set when the engine asked for is not the one that runs: what to tell the person. */
  readonly warning?: string;
  /** What is wrong with the engine asked for, set with `warning`: `is not known`, or why it could not be loaded. */
  readonly problem?: string;
}

/** Where engines are looked for, in this order: the sources, then the built-in ones. */
export interface EnginePlaces<E extends Named> {
  readonly sources: readonly EngineSource<E>[];
  readonly builtIn: readonly E[];
  readonly fallback: E;
}

/**
 * The engine with this name: from the first source that has it (plugin folder, then plugin registry), else a built-in
 * one. A source is only asked for the name that was chosen, so no plugin becomes active by lying around. An unknown or
 * broken engine never stops a session: the fallback runs and the warning says so.
 */
export async function resolveEngine<E extends Named>(
  name: string,
  { sources, builtIn, fallback }: EnginePlaces<E>,
): Promise<ResolvedEngine<E>> {
  const broken: string[] = [];
  for (const source of sources) {
    try {
      const engine = await source.find(name);
      if (engine) return { engine, from: source.label };
    } catch (error) {
      broken.push(`${source.label} failed to load it: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const engine = [fallback, ...builtIn].find((candidate) => candidate.name === name);
  const reasons = broken.length > 0 ? ` (${broken.join('; ')})` : '';
  if (engine) {
    if (broken.length === 0) return { engine, from: 'built-in' };
    const warning = `The built-in context engine "${name}" is used${reasons}.`;
    return { engine, from: 'built-in', warning, problem: `could not be loaded${reasons}` };
  }
  const known = [fallback, ...builtIn].map((candidate) => candidate.name).join(', ');
  const problem = broken.length > 0 ? `could not be loaded${reasons}` : 'is not known';
  const warning = `The context engine "${name}" ${problem}; "${fallback.name}" is used instead. Set context.engine to one of: ${known}, or to an installed plugin.`;
  return { engine: fallback, from: 'built-in', warning, problem };
}
