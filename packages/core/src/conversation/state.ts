/** What is known of a conversation beside its messages, kept with it, so that a restart changes no decision. */
import { initialPolicyState, type PolicyState, parsePolicyState } from '../compression/policy/state.ts';
import { noPressure, type PressureState } from '../context/pressure.ts';
import { isJsonObject, type JsonValue, parseJson } from '../shared/json.ts';
import {
  count,
  type Field,
  flag,
  group,
  nullable,
  numberFrom,
  oneOf,
  problemLog,
  text,
} from '../shared/options/schema.ts';
import type { Instant } from '../store/ids.ts';

/** What a provider counted, and what it counted. */
export interface SizeReport {
  readonly promptTokens: number;
  /** Messages of the view that were sent. */
  readonly size: number;
  /** The id of the newest of them, so that another view is told apart. */
  readonly last: string;
  /** The system prompts and tools that the client had them sent with. */
  readonly frame: string;
  /** What a request could have then, in tokens. */
  readonly room: number;
}

/** Plain JSON. */
export interface ConversationState {
  readonly report: SizeReport | null;
  /** What the system prompts said that the stored view opens with; an engine may have added to them. */
  readonly prompts: string | null;
  /** Whether usage was ever reported: if not, estimates decide. */
  readonly usageSeen: boolean;
  readonly pressure: PressureState;
  /** Compressions since the last reported prompt below the threshold, in this turn; `done` are those that made it smaller. */
  readonly passes: { readonly turn: string; readonly count: number; readonly done: number };
  /** What a model wants the next compression to dwell on, where it has asked for one; an empty text names nothing. */
  readonly wish: string | null;
  /** How often it has asked in this turn. */
  readonly wishes: { readonly turn: string; readonly count: number };
  /** Tokens of the context right behind the last compression; 0 where there was none. */
  readonly leftTokens: number;
  /** What a hook wanted the context to begin with. */
  readonly kept: string | null;
  /** Why the engine held back, as it was last told. */
  readonly advised: string | null;
  /** How often it had been compressed when a person was last told that what is reported cannot be true. */
  readonly setAside: number | null;
  /** When the last call was answered, and what of its prompt a cache holds, as far as it was reported. */
  readonly lastCall: LastCall | null;
  /** What the planner wants to know the next time; it reads it itself. */
  readonly plan: JsonValue;
  /** How many tokens more the last compression would have left with the configured tail. */
  readonly usualExtraTokens: number;
  /** How long a model that fails to write summaries is left alone; null where it may be asked. */
  readonly modelWait: ModelWait | null;
  /** Of the built-in engine. */
  readonly policy: PolicyState;
}

/** A wait after failures in a row. */
export interface ModelWait {
  readonly failures: number;
  readonly since: Instant;
  readonly until: Instant;
}

interface LastCall {
  readonly at: Instant;
  readonly cachedTokens: number | null;
}

/** Where every conversation begins. */
export const initialState: ConversationState = {
  report: null,
  prompts: null,
  usageSeen: false,
  pressure: noPressure,
  passes: { turn: '', count: 0, done: 0 },
  wish: null,
  wishes: { turn: '', count: 0 },
  leftTokens: 0,
  kept: null,
  advised: null,
  setAside: null,
  lastCall: null,
  plan: null,
  usualExtraTokens: 0,
  modelWait: null,
  policy: initialPolicyState,
};

/** The state as a text, without what is as at the beginning: it is written with every answer. */
export function stateText(state: ConversationState): string {
  const members = Object.entries(state).map(([name, value]) => [name, JSON.stringify(value)] as const);
  // What has no text, as a planner without types may hand in, would spoil all the rest.
  const changed = members.filter(([name, text]) => text !== undefined && text !== initialTexts.get(name));
  return `{${changed.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
}

const initialTexts: ReadonlyMap<string, string> = new Map(
  Object.entries(initialState).map(([name, value]) => [name, JSON.stringify(value)]),
);

/** The state in a stored text; what cannot be read of it is as at the beginning, for it must not stop a conversation. */
export function parseState(stored: string | undefined): ConversationState {
  const value = stored === undefined ? undefined : parseJson(stored);
  if (!isJsonObject(value)) return initialState;
  const policy = parsePolicyState(value.policy);
  return {
    report: parsed(nullable(reportField), value.report) ?? null,
    prompts: typeof value.prompts === 'string' ? value.prompts : null,
    usageSeen: value.usageSeen === true,
    pressure: parsed(pressureField, value.pressure) ?? noPressure,
    passes: parsed(passesField, value.passes) ?? initialState.passes,
    wish: typeof value.wish === 'string' ? value.wish : null,
    wishes: parsed(wishesField, value.wishes) ?? initialState.wishes,
    leftTokens: parsed(count(0), value.leftTokens) ?? 0,
    kept: typeof value.kept === 'string' ? value.kept : null,
    advised: typeof value.advised === 'string' ? value.advised : null,
    setAside: parsed(nullable(count(0)), value.setAside) ?? null,
    lastCall: parsed(nullable(lastCallField), value.lastCall) ?? null,
    plan: value.plan ?? null,
    usualExtraTokens: parsed(count(0), value.usualExtraTokens) ?? 0,
    modelWait: parsed(nullable(modelWaitField), value.modelWait) ?? null,
    policy: policy.type === 'ok' ? policy.state : initialPolicyState,
  };
}

const reportField = group<SizeReport>({
  promptTokens: count(0),
  size: count(0),
  last: text,
  frame: text,
  room: count(0),
});

const pressureField = group<PressureState>({
  nearThreshold: flag,
  tier: nullable(oneOf(['log', 'warn', 'compress', 'emergency'])),
  compressionCount: count(0),
});

const anyText: Field<string> = {
  expected: 'a text',
  parse: (value) => (typeof value === 'string' ? value : undefined),
};

const passesField = group<ConversationState['passes']>({ turn: anyText, count: count(0), done: count(0) });

const wishesField = group<ConversationState['wishes']>({ turn: anyText, count: count(0) });

const instant = numberFrom(0, Number.MAX_SAFE_INTEGER);

const lastCallField = group<LastCall>({ at: instant, cachedTokens: nullable(count(0)) });

const modelWaitField = group<ModelWait>({ failures: count(1), since: instant, until: instant });

function parsed<T>(field: Field<T>, value: unknown): T | undefined {
  const log = problemLog('camelCase');
  const result = field.parse(value, log.place);
  return log.problems.length === 0 ? result : undefined;
}

/** Where the store's meta values keep the state of a conversation. */
export const stateKey = (rootId: string): string => `conversation:${rootId}`;
