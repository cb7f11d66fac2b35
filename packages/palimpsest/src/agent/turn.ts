/**
 * ★ One turn of the agent over the SDK's own loop: the model is called, its tools run, and so on until it is done, a person
 * speaks in between, or stops it. Nothing that was said or done is lost, however the turn ends.
 */
import { type AnyModel, adviceFor } from '@palimpsest/core/ai-sdk';
import { isStepCount, type ModelMessage, streamText, type TextStreamPart, type ToolSet } from 'ai';
import type { AgentEvent, OnAgentEvent, StepUsage, TurnEnd } from './events.ts';
import { createPartialStep, type PartialStep, resultText } from './partial-step.ts';
import { createRepeatWatch } from './repeats.ts';

/** What a turn needs. */
export interface TurnParts {
  /** A model that `withPalimpsest` wrapped. */
  readonly model: AnyModel;
  readonly tools: ToolSet;
  /** What the model is told in front of the prompt of its session. @default nothing */
  readonly instructions?: string;
  /** Everything that was said, with the newest request at its end. */
  readonly messages: readonly ModelMessage[];
  readonly sessionId: string;
  readonly project: string;
  /** Calls of the model that a turn may take. */
  readonly maxSteps: number;
  /** True when a person has said something that the next step is to hear. */
  readonly isSteered: () => boolean;
  readonly onEvent: OnAgentEvent;
}

/** What a turn came to. */
export interface TurnOutcome {
  /** `steered`: it goes on behind what a person has said meanwhile. */
  readonly end: TurnEnd | { readonly reason: 'steered' };
  /** What was said and done, for the end of the list. */
  readonly said: readonly ModelMessage[];
  /** The session to go on with: a compression may have opened another one. */
  readonly sessionId: string;
}

/** A turn that is under way. */
export interface RunningTurn {
  /** Stops it: the call on the wire is broken off, a running tool is ended and says so. May be called again. */
  interrupt(): void;
  /** Never rejects. */
  readonly outcome: Promise<TurnOutcome>;
}

/** Begins a turn. */
export function runTurn(parts: TurnParts): RunningTurn {
  const state: TurnState = {
    wire: new AbortController(),
    work: new AbortController(),
    isOnWire: true,
    isStopped: false,
    finished: [],
    partial: createPartialStep(),
    sessionId: parts.sessionId,
    repeats: createRepeatWatch(),
  };
  const interrupt = (): void => {
    state.isStopped = true;
    state.work.abort(stoppedByPerson);
    if (state.isOnWire) state.wire.abort(stoppedByPerson);
  };
  return { interrupt, outcome: outcomeOf(parts, state) };
}

/** The reason of a signal that a person fired. */
export const stoppedByPerson: DOMException = new DOMException('The person stopped it.', 'AbortError');

/** Tools of one step that run side by side. */
const mostToolsAtOnce = 4;

interface TurnState {
  /** The call of the model. Tools are not aborted by it: a step whose tools have begun ends as a whole. */
  readonly wire: AbortController;
  /** The tools. */
  readonly work: AbortController;
  isOnWire: boolean;
  isStopped: boolean;
  /** Messages of complete steps. */
  finished: readonly ModelMessage[];
  /** The step that is under way. */
  partial: PartialStep;
  sessionId: string;
  readonly repeats: ReturnType<typeof createRepeatWatch>;
  failure?: unknown;
}

async function outcomeOf(parts: TurnParts, state: TurnState): Promise<TurnOutcome> {
  try {
    const result = begin(parts, state);
    for await (const part of result.stream) {
      const event = take(part, state);
      if (event) parts.onEvent(event);
    }
    if (state.failure === undefined && !state.wire.signal.aborted) {
      state.finished = await result.responseMessages;
      const steps = await result.steps;
      return { end: endOf(steps, parts, state), said: state.finished, sessionId: state.sessionId };
    }
  } catch (error) {
    state.failure ??= error;
  }
  const said = [...state.finished, ...state.partial.messages(state.isStopped)];
  const end: TurnEnd = state.isStopped ? { reason: 'interrupted' } : failed(state.failure);
  return { end, said, sessionId: state.sessionId };
}

function begin(parts: TurnParts, state: TurnState): ReturnType<typeof streamText> {
  const { model, messages, sessionId, project, maxSteps } = parts;
  return streamText({
    model,
    messages: [...messages],
    ...(parts.instructions === undefined ? {} : { instructions: parts.instructions }),
    tools: stoppable(parts.tools, state.work.signal),
    // The wrapped model tries again where that can help.
    maxRetries: 0,
    abortSignal: state.wire.signal,
    toolCallConcurrency: mostToolsAtOnce,
    stopWhen: [isStepCount(maxSteps), () => state.isStopped || parts.isSteered() || state.repeats.isLoop()],
    providerOptions: { palimpsest: { sessionId, project } },
    prepareStep({ responseMessages }) {
      state.finished = [...responseMessages];
      state.partial = createPartialStep();
      state.isOnWire = true;
      return undefined;
    },
    onLanguageModelCallEnd: () => {
      state.isOnWire = false;
    },
    onError: ({ error }) => {
      state.failure ??= error;
    },
  });
}

/** Takes a part of the stream, and gives what is to be told of it. */
function take(part: TextStreamPart<ToolSet>, state: TurnState): AgentEvent | undefined {
  state.partial.add(part);
  switch (part.type) {
    case 'text-delta':
      return { type: 'text', text: part.text };
    case 'reasoning-delta':
      return { type: 'reasoning', text: part.text };
    case 'text-end':
    case 'reasoning-end':
      return { type: 'text_end' };
    case 'tool-call':
      return { type: 'tool_call', id: part.toolCallId, name: part.toolName, input: part.input };
    case 'tool-result':
    case 'tool-error': {
      if (part.type === 'tool-result' && part.preliminary) return undefined;
      const { toolCallId: id, toolName: name } = part;
      const text = resultText(part);
      state.repeats.add(name, part.input, text);
      return { type: 'tool_result', id, name, isError: part.type === 'tool-error', text };
    }
    case 'finish-step': {
      const report = part.providerMetadata?.palimpsest;
      if (typeof report?.sessionId === 'string') state.sessionId = report.sessionId;
      const contextTokens = typeof report?.contextTokens === 'number' ? report.contextTokens : 0;
      return { type: 'step', sessionId: state.sessionId, contextTokens, usage: usageOf(part.usage) };
    }
    case 'error':
      state.failure ??= part.error;
      return undefined;
    default:
      return undefined;
  }
}

type SdkUsage = Extract<TextStreamPart<ToolSet>, { type: 'finish-step' }>['usage'];

function usageOf({ inputTokens, outputTokens, inputTokenDetails }: SdkUsage): StepUsage {
  const { cacheReadTokens, cacheWriteTokens } = inputTokenDetails;
  const all = { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens };
  return Object.fromEntries(Object.entries(all).filter(([, tokens]) => tokens !== undefined));
}

interface EndedStep {
  readonly finishReason: string;
  readonly toolCalls: readonly unknown[];
  readonly text: string;
}

/** Why a loop ended that nothing broke off. */
function endOf(steps: readonly EndedStep[], parts: TurnParts, state: TurnState): TurnOutcome['end'] {
  if (state.isStopped) return { reason: 'interrupted' };
  const last = steps.at(-1);
  if (last?.finishReason !== 'tool-calls') {
    return parts.isSteered() ? { reason: 'steered' } : lastWord(last);
  }
  if (parts.isSteered()) return { reason: 'steered' };
  const loop = state.repeats.loop();
  if (loop) {
    const message = `The model called ${loop.tools.join(', then ')} ${loop.times} times with the same arguments and got the same answer each time.`;
    return { reason: 'loop', message };
  }
  return { reason: 'limit', message: `The turn took ${steps.length} steps, which is as many as it may.` };
}

/** An answer that is cut is told: it looks like one that is whole. One that says nothing looks like none at all. */
function lastWord({ finishReason, text }: Omit<EndedStep, 'toolCalls'> = { finishReason: 'other', text: '' }): TurnEnd {
  if (finishReason === 'length')
    return { reason: 'limit', message: 'The answer is cut: the model reached its limit for one answer.' };
  if (finishReason === 'content-filter')
    return { reason: 'limit', message: 'The answer is cut: the provider filtered it.' };
  if (text.trim() !== '') return { reason: 'done' };
  const message = 'The model answered nothing.';
  return { reason: 'failed', message, error: new Error(message), advice: 'Ask it again, or choose another model.' };
}

function failed(error: unknown): TurnEnd {
  const message = error instanceof Error ? error.message : String(error);
  const advice = adviceFor(error);
  return { reason: 'failed', message, error, ...(advice === undefined ? {} : { advice }) };
}

/** What the model reads in place of a result where a person stopped the call. */
export const stoppedResult = 'Stopped by the person before it was done. What it did until then stays done.';

/** The tools, each of which ends when the signal fires, and says so in place of failing: its call keeps a result. */
function stoppable(tools: ToolSet, signal: AbortSignal): ToolSet {
  const entries = Object.entries(tools).map(([name, tool]) => {
    const { execute } = tool;
    if (!execute) return [name, tool] as const;
    const stopped: typeof execute = async (input, options) => {
      if (signal.aborted) return stoppedResult;
      const left = abandoned(signal);
      try {
        // What it gives may be a value, a promise or a stream of values; only the first two can be left behind.
        const given = execute(input, { ...options, abortSignal: signal });
        return await (given instanceof Promise ? Promise.race([given, left.result]) : given);
      } catch (error) {
        if (signal.aborted) return stoppedResult;
        throw error;
      } finally {
        left.forget();
      }
    };
    return [name, { ...tool, execute: stopped }] as const;
  });
  return Object.fromEntries(entries);
}

/** How long a tool may take to end after it was told to, in milliseconds: one that does not heed the signal is left behind. */
const endsWithinMs = 3_000;

/** Settles when a tool has not ended in time after the signal fired. */
function abandoned(signal: AbortSignal): { readonly result: Promise<string>; forget(): void } {
  const { promise: result, resolve } = Promise.withResolvers<string>();
  let timer: NodeJS.Timeout | undefined;
  const count = (): void => {
    timer = setTimeout(() => resolve(leftResult), endsWithinMs);
  };
  signal.addEventListener('abort', count, { once: true });
  const forget = (): void => {
    signal.removeEventListener('abort', count);
    clearTimeout(timer);
  };
  return { result, forget };
}

const leftResult =
  'Stopped by the person. The tool did not end when it was told to and may still be at work: look before you call it again.';
