/** The other members of an engine of others: what it is asked, and what it is told. */
import { promptTokensOf, resetCounters, statusOf, takeUsage, usageIn } from '../../context/define-engine.ts';
import type { ContextEngine, EngineState, EngineStatus, EngineTool } from '../../context/engine.ts';
import { isJsonObject, parseJson } from '../../shared/json.ts';
import { frozenCopy } from './copies.ts';
import { type Guarded, reasonOf } from './guarded.ts';
import { inTime } from './in-time.ts';

type Answers<M> = Pick<
  ContextEngine<M>,
  | 'shouldCompress'
  | 'heldBack'
  | 'shouldCompressPreflight'
  | 'hasContentToCompress'
  | 'toolSchemas'
  | 'handleToolCall'
  | 'status'
>;

type Notes<M> = Pick<
  ContextEngine<M>,
  'updateFromResponse' | 'onSessionStart' | 'onSessionEnd' | 'onSessionReset' | 'updateModel'
>;

const isBoolean = (value: unknown): boolean => typeof value === 'boolean';

/** What an engine is asked. */
export function answersOf<M>(guarded: Guarded<M>): Answers<M> {
  const { fallback, copies } = guarded;
  const ask: Guarded<M>['ask'] = (method, question) => guarded.ask(method, question);
  return {
    shouldCompress(promptTokens) {
      if (promptTokens === undefined && guarded.isStale) return false;
      return ask('shouldCompress', {
        call: (engine) => engine.shouldCompress(promptTokens),
        isValid: isBoolean,
        instead: () => fallback.shouldCompress(promptTokens),
      });
    },
    heldBack: (promptTokens) =>
      ask('heldBack', {
        call: (engine) => engine.heldBack(promptTokens) ?? undefined,
        isValid: (advice) => advice === undefined || typeof advice === 'string',
        instead: () => undefined,
      }),
    shouldCompressPreflight: (messages) =>
      ask('shouldCompressPreflight', {
        call: (engine) => engine.shouldCompressPreflight(copies.shown(messages)),
        isValid: isBoolean,
        instead: () => fallback.shouldCompressPreflight(messages),
      }),
    hasContentToCompress: (messages) =>
      ask('hasContentToCompress', {
        call: (engine) => engine.hasContentToCompress(copies.shown(messages)),
        isValid: isBoolean,
        instead: () => fallback.hasContentToCompress(messages),
      }),
    toolSchemas: () => toolsOf(guarded),
    handleToolCall: (name, args, messages) => toolAnswer(guarded, { name, args: frozenCopy(args), messages }),
    status: () =>
      ask('status', {
        call: (engine) => engine.status(),
        isValid: isStatus,
        instead: () => statusOf(numbersOf(guarded)),
      }),
  };
}

/** As the guard reads them, so that they are numbers. */
function numbersOf<M>({ fallback, model, reported, rescued }: Guarded<M>): EngineState {
  const contextLength = model?.contextLength ?? fallback.contextLength;
  return { ...reported, thresholdTokens: fallback.thresholdTokens, contextLength, compressionCount: rescued };
}

const statusKeys = [
  'lastPromptTokens',
  'thresholdTokens',
  'contextLength',
  'usagePercent',
  'compressionCount',
] as const;

const isStatus = (value: EngineStatus): boolean =>
  typeof value === 'object' && value !== null && statusKeys.every((key) => Number.isFinite(value[key]));

function toolsOf<M>(guarded: Guarded<M>): readonly EngineTool[] {
  const tools = guarded.ask<readonly EngineTool[]>('toolSchemas', {
    call: (engine) => frozenCopy(engine.toolSchemas()),
    isValid: Array.isArray,
    instead: () => [],
  });
  const sound = tools.filter(isTool);
  if (sound.length < tools.length) {
    const missing = new Error('a tool needs a name of letters, digits, "_" and "-", a description and parameters');
    guarded.tell('toolSchemas', missing, 'that tool was left out');
  }
  return sound;
}

/** True for a tool as providers take it. */
export const isTool = (tool: unknown): boolean =>
  isJsonObject(tool) &&
  typeof tool.name === 'string' &&
  /^[\w-]{1,64}$/.test(tool.name) &&
  typeof tool.description === 'string' &&
  isJsonObject(tool.parameters);

interface ToolCall<M> {
  readonly name: string;
  readonly args: Parameters<ContextEngine<M>['handleToolCall']>[1];
  readonly messages: readonly M[];
}

/** JSON text in any case: a model waits for it. */
async function toolAnswer<M>(guarded: Guarded<M>, { name, args, messages }: ToolCall<M>): Promise<string> {
  const { engine, copies, timers, timeoutMs } = guarded;
  try {
    const shown = copies.shown(messages);
    const answer: unknown = await inTime({ timers, timeoutMs }, () => engine.handleToolCall(name, args, shown));
    if (typeof answer === 'string' && parseJson(answer) !== undefined) return answer;
    throw new Error('its answer is not JSON text');
  } catch (error) {
    guarded.tell(`its tool ${name.slice(0, 64)}`, error, 'the model got the error');
    return JSON.stringify({ error: `The tool "${name}" failed: ${reasonOf(error)}.` });
  }
}

/** What an engine is told, and the fallback as well: it must be able to take over at any time. */
export function notesOf<M>(guarded: Guarded<M>): Notes<M> {
  const { engine, fallback, copies, timers, timeoutMs } = guarded;
  const told = (method: string, call: () => void): void =>
    guarded.ask<void>(method, { call, isValid: () => true, instead: () => undefined });
  const waited = async (method: string, work: () => Promise<void>): Promise<void> => {
    try {
      await inTime({ timers, timeoutMs }, work);
    } catch (error) {
      guarded.tell(method, error, 'the session goes on');
    }
  };
  return {
    updateFromResponse(usage) {
      if (promptTokensOf(usage) !== undefined) guarded.isStale = false;
      takeUsage(guarded.reported, usage);
      fallback.updateFromResponse(usage);
      told('updateFromResponse', () => engine.updateFromResponse(frozenCopy(usageIn(usage))));
    },
    async onSessionStart(sessionId, start) {
      await fallback.onSessionStart(sessionId, start);
      await waited('onSessionStart', () => engine.onSessionStart(sessionId, frozenCopy(start)));
    },
    async onSessionEnd(sessionId, messages) {
      await fallback.onSessionEnd(sessionId, messages);
      await waited('onSessionEnd', () => engine.onSessionEnd(sessionId, copies.shown(messages)));
    },
    onSessionReset() {
      Object.assign(guarded, { rescued: 0, failures: 0, isStale: false });
      resetCounters(guarded.reported);
      fallback.onSessionReset();
      told('onSessionReset', () => engine.onSessionReset());
    },
    updateModel(model) {
      // First, because it throws for a window that makes no sense, and then nothing has changed.
      fallback.updateModel(model);
      guarded.model = model;
      told('updateModel', () => engine.updateModel(frozenCopy(model)));
    },
  };
}
