/** Tools of the AI SDK of which those that are seldom used wait behind a search, so that their definitions leave room (Y3). */
import { asSchema, jsonSchema, type Schema, type Tool, type ToolExecutionOptions, type ToolSet } from 'ai';
import type { EngineTool } from '../context/engine.ts';
import { wrongArguments } from '../prompt/tools/check-arguments.ts';
import { planTools, searchToolNames, type ToolPlan, type ToolPlanOptions } from '../prompt/tools/plan.ts';
import { PalimpsestError } from '../shared/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../shared/json.ts';

/** A tool of a set. */
type AnyTool = ToolSet[string];

/** What a program gives to the SDK in place of its tools. Keep it for a session: it opens the cached prefix. */
export interface DeferredTools {
  /** Those that are shown, in their order; behind them `find_tools` and `call_tool`, where any are deferred. */
  readonly tools: ToolSet;
  readonly plan: ToolPlan;
  /**
   * The tool that a call really runs, and its arguments: for whoever asks a person before a tool runs, or tells them what ran. A call
   * of any tool but `call_tool` is what it says.
   */
  realCall(call: NamedCall): NamedCall & { readonly tool: AnyTool | undefined };
}

/** A call of a tool, as the SDK reports it. */
export interface NamedCall {
  readonly toolName: string;
  readonly input: unknown;
}

/** A tool that can wait, and how its arguments are checked. */
interface Waiting {
  readonly tool: AnyTool;
  readonly schema: Schema;
  readonly definition: EngineTool;
}

/**
 * Defers tools where their definitions take too much of the window; see `planTools` for which. A model finds a deferred one with
 * `find_tools`, which tells what it takes, and runs it with `call_tool`, which checks the arguments, hands on everything that the
 * SDK hands to a tool, and asks for approval where the tool does. Tools that a provider runs, that a client runs, or that need a
 * context of their own are always shown. Throws `BAD_OPTION`, for a tool that has the name of one of these two as well.
 */
export async function deferTools(tools: ToolSet, options: ToolPlanOptions): Promise<DeferredTools> {
  const waiting = new Map<string, Waiting>();
  const fixed: EngineTool[] = [];
  for (const [name, tool] of Object.entries(tools)) {
    const schema = asSchema<unknown>(tool.inputSchema);
    const definition = { name, description: descriptionOf(tool), parameters: asJson(await schema.jsonSchema) };
    if (mayWait(tool)) waiting.set(name, { tool, schema, definition });
    else fixed.push(definition);
  }
  const all = Object.keys(tools).flatMap((name) => {
    const one = waiting.get(name)?.definition ?? fixed.find((definition) => definition.name === name);
    return one ? [one] : [];
  });
  const keep = [...fixed.map(({ name }) => name), ...(options.keep ?? [])];
  const plan = planTools(all, { ...options, keep });
  const taken = plan.searchTools.find(({ name }) => Object.hasOwn(tools, name));
  if (taken) {
    const message = `expected no tool called ${taken.name}, got one: name it otherwise, or give a larger share`;
    throw new PalimpsestError('BAD_OPTION', message, { evidence: { option: taken.name } });
  }
  const deferred = new Map(plan.deferred.flatMap((name) => asEntry(name, waiting.get(name))));
  const shown = Object.entries(tools).filter(([name]) => plan.shown.includes(name));
  const search = plan.searchTools.map((definition): [string, Tool] => [
    definition.name,
    definition.name === searchToolNames.find ? findTool(definition, plan) : callTool(definition, plan, deferred),
  ]);
  return {
    tools: Object.fromEntries([...shown, ...search]),
    plan,
    realCall: (call) => realCall(call, tools, deferred),
  };
}

const asEntry = (name: string, one: Waiting | undefined): readonly (readonly [string, Waiting])[] =>
  one ? [[name, one]] : [];

const descriptionOf = ({ description }: AnyTool): string => (typeof description === 'string' ? description : '');

/** One that runs here, is described once and for all, and needs no context of its own. */
const mayWait = ({ type, execute, description, contextSchema, deferLoading }: AnyTool): boolean =>
  (type === undefined || type === 'function' || type === 'dynamic') &&
  execute !== undefined &&
  typeof description !== 'function' &&
  contextSchema === undefined &&
  deferLoading !== true;

// A JSON Schema is plain data; the type of the SDK says so with more words.
const asJson = (schema: object): JsonObject => schema as JsonObject;
const asInput = ({ parameters }: EngineTool): Schema<JsonObject> =>
  jsonSchema<JsonObject>(parameters as Parameters<typeof jsonSchema>[0]); // the same, the other way round

function findTool(definition: EngineTool, { finder, deferred }: ToolPlan): Tool {
  return {
    description: definition.description,
    inputSchema: asInput(definition),
    execute: ({ query }: JsonObject): string => {
      const found = finder.search(typeof query === 'string' ? query : '');
      if (found.length > 0) return JSON.stringify({ tools: found });
      return JSON.stringify({ tools: [], note: `Nothing fits these words. The tools are: ${deferred.join(', ')}.` });
    },
  };
}

type Deferred = ReadonlyMap<string, Waiting>;

function callTool(definition: EngineTool, { finder, deferred: names }: ToolPlan, deferred: Deferred): Tool {
  const wanted = (input: unknown): { readonly one: Waiting; readonly given: JsonValue } => {
    const { name, given } = meant(input);
    const one = deferred.get(name);
    if (one) return { one, given };
    const near = finder.nearest(name);
    const hint = near === undefined ? `they are ${names.join(', ')}` : `did you mean ${near}?`;
    throw refused(`expected the name of a tool that ${searchToolNames.find} finds, got ${quoted(name)}: ${hint}`);
  };
  return {
    description: definition.description,
    inputSchema: asInput(definition),
    execute(input: JsonObject, options: ToolExecutionOptions<unknown>): unknown {
      const { one, given } = wanted(input);
      return checked(one, given, (value) => one.tool.execute?.(value, options));
    },
    needsApproval(input: JsonObject, options) {
      const { one } = real(input, deferred);
      const { needsApproval } = one?.tool ?? {};
      if (typeof needsApproval !== 'function') return needsApproval ?? false;
      return needsApproval(real(input, deferred).given, options);
    },
    toModelOutput(result) {
      const { one, given } = real(result.input, deferred);
      const shown = one?.tool.toModelOutput?.({ ...result, input: given });
      if (shown) return shown;
      const { output }: { readonly output: unknown } = result;
      // As the SDK writes it where no tool says otherwise: what a tool gives back is JSON.
      return typeof output === 'string'
        ? { type: 'text', value: output }
        : { type: 'json', value: (output ?? null) as JsonValue };
    },
  };
}

/** What `call_tool` was asked for. Models write the arguments as text, too. */
function meant(input: unknown): { readonly name: string; readonly given: JsonValue } {
  if (!isJsonObject(input)) return { name: '', given: {} };
  const { name, arguments: given = {} } = input;
  return {
    name: typeof name === 'string' ? name : '',
    given: typeof given === 'string' ? (parseJson(given) ?? given) : given,
  };
}

function real(input: unknown, deferred: Deferred): { readonly one: Waiting | undefined; readonly given: JsonValue } {
  const { name, given } = meant(input);
  return { one: deferred.get(name), given };
}

function realCall(
  call: NamedCall,
  tools: ToolSet,
  deferred: Deferred,
): NamedCall & { readonly tool: AnyTool | undefined } {
  const { toolName, input } = call;
  if (toolName !== searchToolNames.call || deferred.size === 0)
    return { toolName, input, tool: Object.hasOwn(tools, toolName) ? tools[toolName] : undefined };
  const { name, given } = meant(input);
  return { toolName: name, input: given, tool: deferred.get(name)?.tool };
}

/**
 * Runs a tool with the arguments that its schema makes of these. Not asynchronous by itself: what a tool streams, the SDK reads only
 * from what it is given at once.
 */
function checked({ definition, schema }: Waiting, given: JsonValue, run: (value: unknown) => unknown): unknown {
  const { name, parameters } = definition;
  const wrong = (problem: string): PalimpsestError =>
    refused(`The arguments of ${name} are wrong: ${problem}. It takes ${JSON.stringify(parameters)}`);
  if (!isJsonObject(given)) throw wrong(`expected an object, got ${quoted(given)}`);
  const { validate } = schema;
  if (!validate) {
    const problems = wrongArguments(given, parameters);
    if (problems.length > 0) throw wrong(problems.join('; '));
    return run(given);
  }
  type Outcome = Awaited<ReturnType<typeof validate>>;
  const go = (outcome: Outcome): unknown => {
    if (!outcome.success) throw wrong(outcome.error.message);
    return run(outcome.value);
  };
  const outcome = validate(given);
  if (!('then' in outcome)) return go(outcome);
  return outcome.then(async (settled) => last(go(settled)));
}

/** The last of what a tool streams, where the SDK waits for one value. */
async function last(result: unknown): Promise<unknown> {
  if (!isStream(result)) return result;
  let newest: unknown;
  for await (const value of result) newest = value;
  return newest;
}

const isStream = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

const refused = (message: string): PalimpsestError => new PalimpsestError('BAD_OPTION', message);

const quoted = (value: JsonValue): string => (JSON.stringify(value) ?? '').slice(0, 80);
