/**
 * ★ Start here: an agent that works in one conversation for as long as a person likes. The loop is the SDK's, the record, the
 * window and the memory are those of the wrapped model; what is kept here is the list that a client sends.
 */
import type { CompressReport } from '@palimpsest/core';
import {
  type AnyModel,
  conversationsOf,
  type DeferredTools,
  deferTools,
  keep,
  tools as recallTools,
  stop,
  transcriptOf,
  withPalimpsest,
} from '@palimpsest/core/ai-sdk';
import type { Session } from '@palimpsest/core/store';
import { newestSession } from '@palimpsest/core/store';
import type { ModelMessage, ToolSet } from 'ai';
import type { Agent, AgentModel, AgentOptions, CompressHow } from './agent-types.ts';
import { delegateTool } from './delegate.ts';
import type { AgentEvent, OnAgentEvent, RequestKind, TurnEnd } from './events.ts';
import { mended } from './partial-step.ts';
import { createQueue } from './queue.ts';
import { type RunningTurn, runTurn, stoppedByPerson } from './turn.ts';

/** How many steps a turn has where nobody says otherwise: an hour of work, and still an end. */
const usualMaxSteps = 250;

/** Makes an agent; nothing is stored or sent before something is said. */
export function createAgent(options: AgentOptions): Agent {
  const state = newState(options);
  const queue = createQueue();
  const work = async (kind: RequestKind): Promise<TurnEnd> => {
    // From here on, and not from the first call on, what is said is for the next step.
    state.isBusy = true;
    try {
      return await workThrough({ options, state, queue }, kind);
    } finally {
      state.isBusy = false;
      state.turn = undefined;
    }
  };
  return {
    get model() {
      return state.model;
    },
    get sessionId() {
      return state.sessionId;
    },
    get messages() {
      return state.messages.length;
    },
    get isBusy() {
      return state.isBusy;
    },
    get queue() {
      return queue.list();
    },
    async send(text, kind = 'send') {
      if (state.isBusy) {
        queue.add({ kind: kind === 'send' ? 'steer' : kind, text });
        return undefined;
      }
      queue.add({ kind: 'send', text });
      return work('send');
    },
    retry: async () => (state.isBusy || !wantsAnswer(state) ? undefined : work('retry')),
    unqueue: () => queue.takeNewest(),
    interrupt() {
      state.turn?.interrupt();
      state.pause?.abort(stoppedByPerson);
      return (state.turn ?? state.pause) !== undefined;
    },
    between: (work) => between(state, work),
    goOn: async () => (state.isBusy || queue.list().length === 0 ? undefined : work('send')),
    compress: (how = {}) => compressNow(state, how),
    begin: () => beginAnew(state),
    resume: (sessionId) => resume(options, state, sessionId),
    runtime: () => conversationsOf(state.wrapped),
    async reload(sessionId) {
      state.messages = mended(await transcriptOf(state.wrapped, sessionId));
      state.isAnswered = true;
      state.sessionId = sessionId;
    },
    toolNames: async () => Object.keys((await state.tools).tools),
    useModel: (model) => useModel(options, state, model),
    async close() {
      state.pause?.abort(stoppedByPerson);
      state.turn?.interrupt();
      await state.turn?.outcome;
      await stop(state.wrapped);
    },
  };
}

interface AgentState {
  model: AgentModel;
  /** The model that goes on behind the compression that is made now: its window is the one that a new prompt has to fit. */
  nextModel: AgentModel | undefined;
  wrapped: AnyModel;
  /** Chosen once for each model: their definitions open every cached prefix. */
  tools: Promise<DeferredTools>;
  messages: readonly ModelMessage[];
  sessionId: string | undefined;
  turn: RunningTurn | undefined;
  /** False where the answer that stands at the end of the messages broke off. */
  isAnswered: boolean;
  /** What is done between two turns. */
  pause: AbortController | undefined;
  isBusy: boolean;
}

const newState = (options: AgentOptions): AgentState => {
  const state: AgentState = {
    model: options.model,
    nextModel: undefined,
    wrapped: options.model.model,
    tools: deferTools({}, { contextLength: usualWindow }),
    messages: [],
    sessionId: undefined,
    turn: undefined,
    isAnswered: true,
    pause: undefined,
    isBusy: false,
  };
  wrap(options, state, options.model);
  return state;
};

function wrap(options: AgentOptions, state: AgentState, model: AgentModel): void {
  const { store, project, config, output, engine, hooks = {}, cache, timeouts, onEvent } = options;
  const { name, contextLength, summarizer } = model;
  state.model = model;
  state.wrapped = withPalimpsest(model.model, {
    store,
    model: name,
    markPauses: longPauseMs,
    onNotice: (notice) => onEvent({ type: 'notice', notice }),
    hooks: {
      ...hooks,
      onCompressionStart(start, call) {
        if (!start.inBackground) onEvent({ type: 'compressing', sessionId: start.sessionId, tokens: start.tokens });
        return hooks.onCompressionStart?.(start, call);
      },
      async onCompressionEnd(report, call) {
        hear(state, onEvent, { type: 'compressed', report });
        await hooks.onCompressionEnd?.(report, call);
      },
    },
    memory: { ...options.memory, show: (session) => options.prompt(session, state.nextModel ?? model) },
    ...given({ config, output, engine, cache, timeouts, contextLength, summarizer }),
  });
  const recall = recallTools(state.wrapped, options.tools, { compress: true });
  const delegate = delegateTool(() => ({
    model: state.wrapped,
    modelName: name,
    tools: { ...forSubAgents(recall), ...options.tools },
    sessionId: state.sessionId,
    store,
    project,
    onEvent,
  }));
  // What is used in nearly every turn always stands there, and what must be seen to have been called by its own name: a claim
  // to have saved something is checked by it. The rest waits where the window is small.
  const keep = [...Object.keys(options.tools), 'session_search', 'expand', 'memory', 'remember'];
  state.tools = deferTools(
    { ...recall, ...options.tools, delegate },
    { contextLength: contextLength ?? usualWindow, keep, ...given({ share: options.toolShare }) },
  );
}

/** A sub-agent reads the record; what it writes down, and when it is compressed, is nobody's wish. */
const forSubAgents = (tools: ToolSet): ToolSet =>
  Object.fromEntries(Object.entries(tools).filter(([name]) => !['memory', 'remember', 'compress'].includes(name)));

/** A night: what the model knows of the day may be old. */
const longPauseMs = 6 * 60 * 60 * 1_000;

/** Of a model whose window nobody knows. */
const usualWindow = 200_000;

/** A call through `call_tool` is told as that of the tool that it runs. */
function realCall({ realCall }: DeferredTools, event: AgentEvent): AgentEvent {
  if (event.type !== 'tool_call') return event;
  const { toolName, input } = realCall({ toolName: event.name, input: event.input });
  return { ...event, name: toolName, input };
}

/** Follows what happens to the session, and passes it on. */
function hear(state: AgentState, onEvent: OnAgentEvent, event: AgentEvent): void {
  if (event.type === 'step' && event.agent === undefined) state.sessionId = event.sessionId;
  if (event.type === 'compressed' && event.report.from === state.sessionId) {
    state.sessionId = event.report.to;
  }
  onEvent(event);
}

/** The members that are set. */
function given<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  // The very members, without those that are undefined.
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

interface Working {
  readonly options: AgentOptions;
  readonly state: AgentState;
  readonly queue: ReturnType<typeof createQueue>;
}

/** Turn after turn, until nothing is queued or one ends before its time. */
async function workThrough({ options, state, queue }: Working, first: RequestKind): Promise<TurnEnd> {
  const { onEvent } = options;
  if (first === 'retry') onEvent({ type: 'request', kind: 'retry', text: '' });
  const sessionId = await sessionFor(options, state);
  for (let isFirst = true; ; isFirst = false) {
    const said = isFirst && first === 'retry' ? [] : queue.takeNext();
    for (const { kind, text } of said) onEvent({ type: 'request', kind, text });
    const asked = said.map(({ text }): ModelMessage => ({ role: 'user', content: text }));
    state.messages = [...mended(state.messages), ...asked];
    const deferred = await state.tools;
    state.turn = runTurn({
      model: state.wrapped,
      tools: deferred.tools,
      messages: state.messages,
      sessionId: state.sessionId ?? sessionId,
      project: options.project,
      maxSteps: options.maxSteps ?? usualMaxSteps,
      isSteered: () => queue.isSteered(),
      onEvent: (event) => hear(state, onEvent, realCall(deferred, event)),
    });
    const outcome = await state.turn.outcome;
    state.messages = [...state.messages, ...outcome.said];
    state.sessionId = outcome.sessionId;
    const { end } = outcome;
    if (end.reason === 'steered') continue;
    state.isAnswered = end.reason !== 'failed' && end.reason !== 'interrupted';
    if (end.reason !== 'done') await keepResults(options, state);
    const goesOn = end.reason === 'done' && queue.list().length > 0;
    if (!goesOn) state.isBusy = false;
    onEvent({ type: 'turn_end', sessionId: state.sessionId, end });
    if (!goesOn) return end;
  }
}

/** No call follows that would bring them into the record: without this the next process would not know what was done. */
async function keepResults({ onEvent }: AgentOptions, state: AgentState): Promise<void> {
  const { wrapped, messages, sessionId } = state;
  if (sessionId === undefined || messages.at(-1)?.role !== 'tool') return;
  try {
    state.sessionId = await keep(wrapped, { messages, sessionId });
  } catch (error) {
    const message = 'What the tools gave last could not be kept: see the error.';
    onEvent({ type: 'notice', notice: { type: 'bypassed', level: 'warn', message, error } });
  }
}

/** True where the newest request has no answer. What there is of one that broke off is no part of another attempt. */
function wantsAnswer(state: AgentState): boolean {
  const last = state.messages.at(-1);
  if (last?.role !== 'assistant') return true;
  if (state.isAnswered) return false;
  state.messages = state.messages.slice(0, -1);
  return true;
}

/** The session that the conversation is kept in; the first thing said in it opens it. */
async function sessionFor({ store, project, onEvent }: AgentOptions, state: AgentState): Promise<string> {
  if (state.sessionId !== undefined) return state.sessionId;
  const { id } = await store.sessions.create({ source: 'chat', project, model: state.model.name });
  state.sessionId = id;
  onEvent({ type: 'session', sessionId: id, model: state.model.name, project, messages: 0 });
  return id;
}

async function between<T>(state: AgentState, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const pause = new AbortController();
  state.pause = pause;
  state.isBusy = true;
  try {
    return await work(pause.signal);
  } finally {
    state.isBusy = false;
    state.pause = undefined;
  }
}

async function compressNow(state: AgentState, { topic, signal, nextModel }: CompressHow): Promise<CompressReport> {
  const runtime = await conversationsOf(state.wrapped);
  const { sessionId } = state;
  const next = nextModel && { name: nextModel.name, contextLength: nextModel.contextLength };
  state.nextModel = nextModel;
  try {
    const report = await runtime.compress(given({ sessionId, focusTopic: topic, nextModel: next, signal }));
    state.sessionId = report.sessionId;
    return report;
  } finally {
    state.nextModel = undefined;
  }
}

async function beginAnew(state: AgentState): Promise<void> {
  const { sessionId } = state;
  state.messages = [];
  state.sessionId = undefined;
  if (sessionId !== undefined) await (await conversationsOf(state.wrapped)).end(sessionId, 'new_session');
}

async function resume({ store, project, onEvent }: AgentOptions, state: AgentState, id: string): Promise<Session> {
  const session = await newestSession(store.sessions, id);
  const messages = await transcriptOf(state.wrapped, session.id);
  state.messages = mended(messages);
  state.isAnswered = true;
  state.sessionId = session.id;
  onEvent({ type: 'session', sessionId: session.id, model: state.model.name, project, messages: messages.length });
  return session;
}

async function useModel(options: AgentOptions, state: AgentState, model: AgentModel): Promise<void> {
  await stop(state.wrapped);
  wrap(options, state, model);
}
