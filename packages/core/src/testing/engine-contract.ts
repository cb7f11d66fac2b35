/** What an engine promises, as checks that say what was wrong: the conversations, the rules, and who holds an engine to them. */
import { createCopies } from '../compression/guard/copies.ts';
import { isTool } from '../compression/guard/guard-hooks.ts';
import { reasonOf } from '../compression/guard/guarded.ts';
import { inTime } from '../compression/guard/in-time.ts';
import { takeList } from '../compression/guard/take-list.ts';
import { stateKeys } from '../context/define-engine.ts';
import type { ContextEngine, EngineModel } from '../context/engine.ts';
import { isJsonObject, parseJson } from '../shared/json.ts';
import { checkKnownOptions } from '../shared/options/known-options.ts';
import { platformTimers, type Timers } from '../shared/timers.ts';
import { isSameMessage, type Message } from '../transcript/message.ts';

// Conversations that every engine must cope with.

/** A conversation, and what is special about it. */
interface Sample {
  readonly title: string;
  readonly messages: readonly Message[];
}

const text = (role: Message['role'], words: string): Message => ({ role, parts: [{ type: 'text', text: words }] });

/** A call of a tool and its result of about so many lines; `side` more calls run beside it. */
function step(at: number, lines: number, side = 0): readonly Message[] {
  const ids = Array.from({ length: side + 1 }, (_, i) => `call-${at}-${i}`);
  const calls = ids.map((callId, i) => ({
    type: 'toolCall' as const,
    callId,
    name: 'bash',
    input: JSON.stringify({ command: `node move.ts --region ${at} --part ${i}` }),
    inputType: 'json' as const,
  }));
  const results = ids.map((callId, i): Message => {
    const body = `region ${at}, part ${i}: ${at * 17} rows\n${`row of region ${at}\n`.repeat(lines)}`;
    const isError = at % 5 === 3;
    return { role: 'tool', parts: [{ type: 'toolResult', callId, content: [{ type: 'text', text: body }], isError }] };
  });
  return [{ role: 'assistant', parts: [{ type: 'text', text: `Now region ${at}.` }, ...calls] }, ...results];
}

const steps = (count: number, { lines = 30, side = 0, from = 1 } = {}): readonly Message[] =>
  Array.from({ length: count }, (_, i) => step(from + i, lines, side)).flat();

const prompt = text('system', 'You move ledgers. Never delete a row.');
const request = text('user', 'Move the ledgers of all regions; begin with the small ones.');

/** From the plainest to the most tangled. */
const samples: readonly Sample[] = [
  { title: 'a conversation of two messages', messages: [request, text('assistant', 'Which regions are small?')] },
  { title: 'a request alone', messages: [prompt, request] },
  {
    title: 'long work with a tool',
    messages: [prompt, request, ...steps(24), text('user', 'Now region 25, please.'), ...steps(2, { from: 25 })],
  },
  {
    title: 'calls side by side',
    messages: [prompt, request, ...steps(9, { side: 2 }), text('user', 'And the rest?')],
  },
  {
    title: 'a request that waits for the results of its calls',
    messages: [prompt, request, ...steps(14), text('user', 'Check region 7 once more.'), ...step(15, 30)],
  },
  {
    title: 'talk without tools',
    messages: [
      prompt,
      ...Array.from({ length: 24 }, (_, at) => [
        text('user', `Question ${at}: how many rows has region ${at}? ${'It matters for the plan. '.repeat(12)}`),
        text('assistant', `Region ${at} has ${at * 17} rows. ${'They are all of one kind. '.repeat(20)}`),
      ]).flat(),
      text('user', 'Thank you. Which region has the most?'),
    ],
  },
];

/** One promise. */
interface ContractRule {
  readonly id: string;
  /** The promise, as a sentence. */
  readonly promise: string;
  /** `should` is advice: a session goes on without it. */
  readonly level: 'must' | 'should';
  /** What is wrong; undefined for nothing. What it throws is wrong as well. */
  readonly check: (
    engine: ContextEngine<Message>,
    another: () => ContextEngine<Message>,
  ) => Promise<string | undefined>;
}

const model: EngineModel = { model: 'some-model', contextLength: 32_000 };
const large: EngineModel = { model: 'another-model', contextLength: 200_000 };
const longest: readonly Message[] = samples.find(({ title }) => title === 'long work with a tool')?.messages ?? [];

/** Frozen copies: whoever changes one throws, and is known by it. */
const shownCopy = (messages: readonly Message[]): readonly Message[] => createCopies<Message>().shown(messages);

const isBoolean = (value: unknown): boolean => typeof value === 'boolean';

const isSame = (a: Message, b: Message | undefined): boolean => b !== undefined && (a === b || isSameMessage(a, b));

/** Every promise, in the order in which they are checked. */
export const contractRules: readonly ContractRule[] = [
  {
    id: 'numbers',
    promise: 'the six numbers of the state are numbers of at least 0 at all times',
    level: 'must',
    check: async (engine) => {
      engine.updateModel(model);
      const bad = stateKeys.find((key) => !(Number.isFinite(engine[key]) && engine[key] >= 0));
      return bad && `${bad} is ${String(engine[bad])}`;
    },
  },
  {
    id: 'usage',
    promise: 'takes the usage of a call, and keeps its numbers if a call reports nothing',
    level: 'must',
    check: async (engine) => {
      engine.updateModel(model);
      engine.updateFromResponse({ promptTokens: 900, completionTokens: 80, totalTokens: 980 });
      engine.updateFromResponse({});
      const { lastPromptTokens, lastCompletionTokens } = engine;
      if (lastPromptTokens === 900 && lastCompletionTokens === 80) return undefined;
      return `after a call of 900 and 80 tokens and one without a report it has ${lastPromptTokens} and ${lastCompletionTokens}`;
    },
  },
  {
    id: 'model',
    promise: 'takes another model, and returns to the same threshold with the first one',
    level: 'must',
    check: async (engine) => {
      engine.updateModel(model);
      const [first, window] = [engine.thresholdTokens, engine.contextLength];
      engine.updateModel(large);
      engine.updateModel(model);
      if (window !== model.contextLength) return `contextLength is ${window} with a window of ${model.contextLength}`;
      return first === engine.thresholdTokens ? undefined : `${first} became ${engine.thresholdTokens}`;
    },
  },
  {
    id: 'decision',
    promise: 'answers whether to compress with true or false, and with false for an empty context',
    level: 'must',
    check: async (engine) => {
      engine.updateModel(model);
      const shown = shownCopy(longest);
      const answers = [
        engine.shouldCompress(),
        engine.shouldCompress(model.contextLength),
        engine.shouldCompressPreflight(shown),
        engine.hasContentToCompress(shown),
      ];
      const bad = answers.find((answer) => !isBoolean(answer));
      if (bad !== undefined) return `an answer is ${typeof bad}`;
      return engine.shouldCompress(0) ? 'it would compress a context of 0 tokens' : undefined;
    },
  },
  {
    id: 'full',
    promise: 'would compress a context that fills the window',
    level: 'should',
    check: async (engine) => {
      engine.updateModel(model);
      return engine.shouldCompress(model.contextLength) ? undefined : 'it would not';
    },
  },
  {
    id: 'lists',
    promise: 'returns a smaller valid list with the newest request and the system prompt, or the same list object',
    level: 'must',
    check: async (_, another) => {
      for (const { title, messages } of samples) {
        const engine = another();
        engine.updateModel(model);
        let list = messages;
        // Its own lists come back to it as well.
        for (const pass of ['first', 'second']) {
          const copies = createCopies<Message>();
          const shown = copies.shown(list);
          try {
            const result = await engine.compress(shown, { currentTokens: model.contextLength });
            list = takeList({ before: list, shown, result }, copies);
          } catch (error) {
            return `${title}, ${pass} time: ${error instanceof Error ? error.message : String(error)}`;
          }
        }
      }
      return undefined;
    },
  },
  {
    id: 'same-list',
    promise: 'returns the same list object if it changes nothing',
    level: 'must',
    check: async (_, another) => {
      for (const { title, messages } of samples) {
        const engine = another();
        engine.updateModel(large);
        const shown = shownCopy(messages);
        const result = await engine.compress(shown);
        if (result === shown || result.length !== shown.length) continue;
        const isEqual = result.every((message, at) => isSame(message, shown[at]));
        if (isEqual) return `${title}: it returned an equal list in another object`;
      }
      return undefined;
    },
  },
  {
    id: 'content',
    promise: 'reports nothing to compress only if it returns the same list object',
    level: 'must',
    check: async (_, another) => {
      for (const { title, messages } of [{ title: 'an empty list', messages: [] }, ...samples]) {
        const engine = another();
        engine.updateModel(model);
        const shown = shownCopy(messages);
        if (engine.hasContentToCompress(shown)) continue;
        if ((await engine.compress(shown, { currentTokens: model.contextLength })) !== shown)
          return `${title}: it reported nothing to compress, but compressed`;
      }
      return undefined;
    },
  },
  {
    id: 'progress',
    promise: 'makes long work smaller',
    level: 'should',
    check: async (engine) => {
      engine.updateModel(model);
      const shown = shownCopy(longest);
      const result = await engine.compress(shown, { currentTokens: model.contextLength });
      return result === shown ? 'it returned the list unchanged' : undefined;
    },
  },
  {
    id: 'count',
    promise: 'counts a compression that changed something, and starts at 0 in a new session',
    level: 'should',
    check: async (engine) => {
      engine.updateModel(model);
      const shown = shownCopy(longest);
      const changed = (await engine.compress(shown, { currentTokens: model.contextLength })) !== shown;
      if (changed !== engine.compressionCount > 0) return `compressionCount is ${engine.compressionCount}`;
      engine.onSessionReset();
      const { compressionCount, lastPromptTokens } = engine;
      return compressionCount + lastPromptTokens === 0 ? undefined : 'a reset does not clear its numbers';
    },
  },
  {
    id: 'repeatable',
    promise: 'returns the same list for the same messages: no clock, no randomness',
    level: 'should',
    check: async (_, another) => {
      const made = [];
      for (const engine of [another(), another()]) {
        engine.updateModel(model);
        made.push(JSON.stringify(await engine.compress(shownCopy(longest), { currentTokens: model.contextLength })));
      }
      return made[0] === made[1] ? undefined : 'two new engines returned different lists';
    },
  },
  {
    id: 'sessions',
    promise: 'accepts sessions that begin, continue and end',
    level: 'must',
    check: async (engine) => {
      await engine.onSessionStart('session-1', { reason: 'new', model: model.model });
      await engine.onSessionStart('session-2', { reason: 'compression' });
      await engine.onSessionEnd('session-2', shownCopy(longest));
      return undefined;
    },
  },
  {
    id: 'tools',
    promise: 'describes its tools, and answers a call of an unknown one with an error in JSON',
    level: 'must',
    check: async (engine) => {
      const described: unknown = engine.toolSchemas();
      if (!Array.isArray(described)) return 'toolSchemas does not return a list';
      if (!described.every(isTool)) return 'a tool has no valid name, no description or no parameters';
      const answer = await engine.handleToolCall('no_such_tool', {}, shownCopy(longest));
      const value = parseJson(answer);
      return isJsonObject(value) && 'error' in value ? undefined : `it answers ${String(answer).slice(0, 80)}`;
    },
  },
  {
    id: 'status',
    promise: 'reports how full the window is, from 0 to 100 percent',
    level: 'must',
    check: async (engine) => {
      engine.updateModel(model);
      engine.updateFromResponse({ promptTokens: 10 * model.contextLength });
      const { usagePercent } = engine.status();
      return usagePercent >= 0 && usagePercent <= 100 ? undefined : `usagePercent is ${String(usagePercent)}`;
    },
  },
  {
    id: 'abort',
    promise: 'stops when its call is cancelled',
    level: 'should',
    check: async (engine) => {
      engine.updateModel(model);
      const shown = shownCopy(longest);
      const options = { currentTokens: model.contextLength, signal: AbortSignal.abort() };
      // An engine without a model is done before it could be stopped.
      const result = await engine.compress(shown, options).catch(() => shown);
      return Array.isArray(result) ? undefined : 'it did not return a list';
    },
  },
];

// Holds an engine against its contract, promise by promise.

/** What became of a promise. */
export interface ContractFinding {
  readonly id: string;
  /** The promise, as a sentence. */
  readonly promise: string;
  /** `should` is advice: a session goes on without it. */
  readonly level: 'must' | 'should';
  readonly holds: boolean;
  /** What was wrong; set where it does not hold. */
  readonly problem?: string;
}

/** How an engine is checked. */
export interface CheckEngineOptions {
  /** How long the check of one promise may take, in milliseconds. @default 30_000 */
  readonly timeoutMs?: number;
  /** Told of every promise as soon as it was checked. */
  readonly onFinding?: (finding: ContractFinding) => void;
}

/**
 * Checks every promise of the engine contract on conversations of its own, each with a new engine. `make` gives a new
 * engine for each call. Never throws: what `make` or the engine throws is a finding. An engine that never lets go of the
 * processor cannot be interrupted here; `palimpsest plugins check` does that.
 */
export async function checkEngine(
  make: () => ContextEngine<Message>,
  options: CheckEngineOptions = {},
): Promise<readonly ContractFinding[]> {
  return checkOn(platformTimers, make, options);
}

/** The same on other timers. */
export async function checkOn(
  timers: Timers,
  make: () => ContextEngine<Message>,
  options: CheckEngineOptions = {},
): Promise<readonly ContractFinding[]> {
  checkKnownOptions('checkEngine', options, { timeoutMs: true, onFinding: true });
  const { timeoutMs = 30_000, onFinding } = options;
  const findings: ContractFinding[] = [];
  for (const rule of contractRules) {
    const finding = await checked(rule, () => inTime({ timers, timeoutMs }, () => rule.check(make(), make)));
    onFinding?.(finding);
    findings.push(finding);
  }
  return findings;
}

async function checked(
  { id, promise, level }: ContractRule,
  problemOf: () => Promise<string | undefined>,
): Promise<ContractFinding> {
  const known = { id, promise, level };
  try {
    const problem = await problemOf();
    return problem === undefined ? { ...known, holds: true } : { ...known, holds: false, problem };
  } catch (error) {
    return { ...known, holds: false, problem: reasonOf(error) };
  }
}
