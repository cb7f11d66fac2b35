/** Tools by which a model gets back what it does not see any more. */
import { jsonSchema, type LanguageModelMiddleware, type Tool } from 'ai';
import { frozenCopy } from '../compression/guard/copies.ts';
import { reasonOf } from '../compression/guard/guarded.ts';
import { inTime } from '../compression/guard/in-time.ts';
import type { EngineTool } from '../context/engine.ts';
import { compressDefinition } from '../conversation/wish.ts';
import { outputLimits, resolveOutputConfig } from '../output/settings.ts';
import { createOutputTools, readDefinition, searchDefinition } from '../output/tools/output-tools.ts';
import { expandDefinition, runExpand } from '../recall/expand-tool.ts';
import { toolDescription, toolName, toolParameters } from '../recall/session-search/arguments.ts';
import { searchToolWith } from '../recall/session-search/session-search.ts';
import { defined } from '../shared/defined.ts';
import { isJsonObject } from '../shared/json.ts';
import { checkKnownOptions } from '../shared/options/known-options.ts';
import { platformTimers } from '../shared/timers.ts';
import type { SessionId } from '../store/ids.ts';
import type { Store } from '../store/store.ts';
import type { Door } from './door.ts';
import type { AnyModel } from './interface.ts';
import { memoryAnswer, memoryTools, providerAnswer, providerTools } from './memory-tools.ts';
import { doorFor } from './with-palimpsest.ts';

/** A tool that takes what the model sends, whatever it is, and answers with a text. */
export type RecallTool = Tool<RecallArguments, string>;

/** What a model sends; the tools look at it themselves. */
export type RecallArguments = Readonly<Record<string, unknown>>;

/**
 * The tools, by the names that models call them by; those of an engine stand beside them. A type and no interface: the SDK takes
 * any record of tools.
 */
export type RecallTools = {
  /** Finds what was said in this conversation and in earlier ones. */
  readonly session_search: RecallTool;
  /** Brings back messages by the ids that a handoff or a stub names. */
  readonly expand: RecallTool;
  /** Reads a tool result that was too large. */
  readonly read_output: RecallTool;
  /** Finds lines in tool results that were too large. */
  readonly search_output: RecallTool;
  /** Asks for a compression; where the program wishes it. */
  readonly compress?: RecallTool;
};

/** Which tools there are beside those that always are. */
export interface ToolsOptions {
  /**
   * `compress`, by which the model asks for a compression when a piece of work is done. It is made before the next request, at most
   * three times a turn, and never at the cost of the newest request, a rule or a pin. @default false
   */
  readonly compress?: boolean;
}

/**
 * Tools for `tools` of `generateText` and its like, beside those of the program. They read the store of a wrapped model, and
 * answer for the conversation that calls them, which they tell by the messages that the SDK hands them; never anything but a text,
 * whatever a model sends. The tools of the option `engine` come with them, and are answered by the engine of the conversation
 * that calls; one that has the name of one of ours is left out, and `onNotice` told. With the option `memory`, `memory` and
 * `remember` come too, whose writes are judged by all that was said in the conversation that calls; one that has the name of a tool
 * of the program is left out. The tools of a memory provider come behind them, under the same rule; they leave the calls of a
 * conversation whose provider does not work, at the start of a turn. Throws `BAD_OPTION` for a model that was not wrapped.
 *
 * @param mine the program's own tools, by their names
 */
export function tools(
  wrapped: AnyModel | LanguageModelMiddleware,
  mine: Readonly<Record<string, unknown>> = {},
  options: ToolsOptions = {},
): RecallTools {
  const aFlag = { expected: 'true or false', holds: (value: unknown) => typeof value === 'boolean' };
  checkKnownOptions<ToolsOptions>('tools', options, { compress: aFlag });
  const door = doorFor(wrapped);
  const ours = {
    session_search: recallTool(door, searchTool, searched),
    expand: recallTool(door, expandDefinition, expanded),
    read_output: recallTool(door, readDefinition, outputRead),
    search_output: recallTool(door, searchDefinition, outputRead),
  };
  const remembering = door.options.memory === undefined ? [] : memoryTools.filter((tool) => !isTaken(door, tool, mine));
  const asking = options.compress === true && !isTaken(door, compressDefinition, mine) ? [compressDefinition] : [];
  const taken = [...Object.keys(ours), ...[...asking, ...remembering].map(({ name }) => name)];
  const others = door.engines.offered(taken);
  const provided = providerTools(door, [...taken, ...others.map(({ name }) => name)]).filter(
    (tool) => !isTaken(door, tool, mine),
  );
  const offered = [
    ...asking.map((definition) => [definition.name, recallTool(door, definition, compressionWished)] as const),
    ...remembering.map((definition) => [definition.name, recallTool(door, definition, memoryAnswer)] as const),
    ...others.map((definition) => [definition.name, recallTool(door, definition, engineAnswer)] as const),
    ...provided.map((definition) => [definition.name, recallTool(door, definition, providerAnswer)] as const),
  ];
  return { ...ours, ...Object.fromEntries(offered) };
}

/** True for the name of a tool of the program, which stays. */
function isTaken(door: Door, { name }: EngineTool, mine: Readonly<Record<string, unknown>>): boolean {
  if (!Object.hasOwn(mine, name)) return false;
  const isOurs = name === compressDefinition.name;
  const message = `Your program has a tool "${name}"; ${isOurs ? 'ours' : 'that of the memory'} is not offered.`;
  door.notify({ type: isOurs ? 'hook' : 'memory', level: 'warn', message });
  return true;
}

const searchTool: EngineTool = { name: toolName, description: toolDescription, parameters: toolParameters };

/** A call of one of the tools. */
interface RecallCall {
  readonly name: string;
  readonly given: RecallArguments;
  readonly door: Door;
  readonly store: Store;
  /** The session that calls; undefined where it cannot be told from others. */
  readonly sessionId: SessionId | undefined;
  readonly signal: AbortSignal | undefined;
}

function recallTool(door: Door, definition: EngineTool, answer: (call: RecallCall) => Promise<string>): RecallTool {
  const { name, description, parameters } = definition;
  return {
    description,
    // A JSON Schema is plain data; the type of the SDK says so with more words.
    inputSchema: jsonSchema<RecallArguments>(parameters as Parameters<typeof jsonSchema>[0]),
    async execute(given, { toolCallId, messages, abortSignal }) {
      // Whoever calls a tool by hand may leave them out.
      const sessionId = door.callers.sessionOf(toolCallId, () => ({ messages: messages ?? [] }));
      try {
        return await answer({ name, given, door, store: await door.store(), sessionId, signal: abortSignal });
      } catch (error) {
        abortSignal?.throwIfAborted();
        const message = `The tool ${name} failed: see the error.`;
        door.notify({ type: 'bypassed', level: 'warn', message, error });
        return 'The record cannot be read now. Go on without.';
      }
    },
  };
}

function searched({ given, store, sessionId, door, signal }: RecallCall): Promise<string> {
  const tool = searchToolWith({ store, ...defined({ currentSessionId: sessionId }) }, { clock: door.clock });
  return tool.run(given, defined({ signal }));
}

const unknownCaller =
  'It is not known which conversation asks, so that nothing of it can be shown. Search with session_search.';

/** The frame around a page of `expand`, and the line that says how to read on. */
const frameChars = 500;

async function expanded({ given, store, sessionId, door }: RecallCall): Promise<string> {
  if (sessionId === undefined) return unknownCaller;
  return runExpand(given, { store, sessionId, pageChars: pageChars(door) - frameChars });
}

async function compressionWished({ given, sessionId, door, signal }: RecallCall): Promise<string> {
  if (sessionId === undefined)
    return 'It is not known which conversation asks, so that none was compressed. Go on without.';
  return (await door.conversations()).compressTool(sessionId).run(given, signal);
}

async function outputRead({ name, given, store, sessionId, door }: RecallCall): Promise<string> {
  // Without a session only what is named by its id is read: everything else belongs to somebody.
  if (sessionId === undefined && !given.id) return unknownCaller;
  const chain = sessionId === undefined ? [] : await store.sessions.chain(sessionId);
  const sessionIds = chain.map(({ id }) => id);
  const all = createOutputTools({ outputs: store.outputs, pageChars: pageChars(door), sessionIds });
  const tool = all.find((one) => one.name === name);
  return tool ? tool.run(given) : '';
}

/** Answers that fit beside everything else in the window. */
const pageChars = ({ contextLength, options }: Door): number =>
  outputLimits(contextLength, resolveOutputConfig(options.output)).page;

// A tool of a program's own engine, as a model calls it: whatever the engine does, the model gets an answer.

/** As long as the guard of plugins gives them. */
const timeoutMs = 120_000;

/**
 * The answer of the engine of the conversation that calls, which is shown its context as it is kept; an error in JSON where there
 * is none. Throws the signal's reason.
 */
async function engineAnswer(call: RecallCall): Promise<string> {
  const { name, store, sessionId, door, signal } = call;
  const given: unknown = call.given;
  if (sessionId === undefined) return failure(`It is not known which conversation calls ${name}.`);
  if (!isJsonObject(given)) return failure(`${name} takes an object of arguments.`);
  const chain = (await store.sessions.chain(sessionId)).map(({ id }) => id);
  const engine = door.engines.find(chain);
  if (!engine) return failure(`The conversation was not open yet. Call ${name} again.`);
  const view = await store.messages.view(chain.at(-1) ?? sessionId);
  const messages = view.map(({ message }) => message);
  const { timers = platformTimers } = door.clock;
  try {
    const work = (): Promise<string> => engine.handleToolCall(name, frozenCopy(given), messages);
    const answer: unknown = await inTime({ timers, timeoutMs, signal }, work);
    if (typeof answer === 'string') return answer;
    throw new Error('its answer is not a text');
  } catch (error) {
    signal?.throwIfAborted();
    const reason = reasonOf(error);
    const message = `The context engine "${engine.name}" failed in its tool ${name} (${reason}); the model got the error.`;
    door.notify({ type: 'hook', level: 'warn', message });
    return failure(`The tool "${name}" failed: ${reason}.`);
  }
}

const failure = (error: string): string => JSON.stringify({ error });
