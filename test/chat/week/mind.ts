/**
 * The model of the week. It has a plan for each request, and carries it out step by step: what a step does depends on what the
 * tools said, and on what the model still sees. What it does not see any more it looks up, and where it finds nothing it says so.
 */
import { type FakeRequest, faithfulSummary, type Reply, systemText } from '@palimpsest/core/testing';
import { isJsonObject } from '../../../packages/core/src/shared/json.ts';
import type { Message } from '../../../packages/core/src/transcript/message.ts';
import { readableText } from '../../../packages/core/src/transcript/text.ts';
import type { Gate } from './gate.ts';
import { type TextName, texts } from './person.ts';
import { callFor, findFor, type Intent, mustBeFound } from './tool-use.ts';

/** The steps of one request: each is an answer with calls, and the last one is an answer without. */
export type Steps<T = Reply> = Generator<Reply, T, void>;
/** What needs no tool is said at once. */
export type Plan = (mind: Mind) => Steps | Reply;

/** What the model can do while it thinks. */
export interface Mind {
  /** The newest request. */
  readonly request: FakeRequest;
  readonly gate: Gate;
  /** Calls a tool and gives what it said. */
  use(intent: Intent, words?: string): Steps<string>;
  /** What it sees: everything but the system prompt and what the person asked just now. */
  readonly seen: readonly string[];
}

/** What a request was, as the judge wants to know it. */
export type RequestKind = 'agent' | 'summary' | 'other';

export interface MindReport {
  readonly kinds: ReadonlyMap<number, RequestKind>;
  /** What the model answered in the end, by what it was asked. */
  readonly answers: ReadonlyMap<TextName, string>;
  /** How often it found something by looking it up. */
  readonly lookups: readonly string[];
  /** What no model should have to say: that it goes in circles, or was asked for something of which it knows nothing. */
  readonly troubles: readonly string[];
}

export interface MindOptions {
  readonly plans: Readonly<Record<TextName, Plan>>;
  readonly gate: Gate;
}

/** Steps after which a model that does not come to an end gives up. */
const mostSteps = 40;

/** A model, and what it did. */
export function createMind({ plans, gate }: MindOptions): {
  readonly answer: (request: FakeRequest) => Reply;
  readonly report: MindReport;
} {
  const kinds = new Map<number, RequestKind>();
  const answers = new Map<TextName, string>();
  const lookups: string[] = [];
  const troubles: string[] = [];
  let current: FakeRequest | undefined;
  let open: { readonly name: TextName; readonly steps: Steps; count: number } | undefined;
  const mind: Mind = {
    get request() {
      if (!current) throw new Error('Expected the model to think only while it is asked.');
      return current;
    },
    gate,
    get seen() {
      return seenIn(mind.request);
    },
    *use(intent, words) {
      const said = words === undefined ? {} : { text: words };
      if (mustBeFound(intent, mind.request)) yield findFor(intent, mind.request);
      yield { ...said, toolCalls: [callFor(intent, mind.request)] };
      if (intent.to === 'expand' || intent.to === 'search') lookups.push(intent.to);
      return newestResult(mind.request);
    },
  };
  const agentReply = (request: FakeRequest, name: TextName): Reply => {
    // A request without a result at its end is a new beginning: the turn was broken off, or is another one.
    if (!open || open.name !== name || !endsWithResult(request))
      open = { name, steps: stepsOf(plans[name](mind)), count: 0 };
    open.count++;
    if (open.count > mostSteps) {
      troubles.push(`${name}: no end after ${mostSteps} steps`);
      return { text: 'I am going in circles and stop here.' };
    }
    const { value, done } = open.steps.next();
    if (done) answers.set(name, value.text ?? '');
    return value;
  };
  return {
    report: { kinds, answers, lookups, troubles },
    answer(request) {
      current = request;
      const name = newestSaid(request.messages);
      const kind = isSummary(request) ? 'summary' : name !== undefined && hasTools(request) ? 'agent' : 'other';
      kinds.set(request.number, kind);
      if (kind === 'summary') return summaryOf(request);
      if (kind === 'agent' && name !== undefined) return agentReply(request, name);
      return { text: 'Nothing to add.' };
    },
  };
}

function* stepsOf(plan: Steps | Reply): Steps {
  return 'next' in plan ? yield* plan : plan;
}

const hasTools = ({ body }: FakeRequest): boolean => Array.isArray(body.tools) && body.tools.length > 0;

/** The words that ask for a checkpoint, as a prompt of their own or at the end of the conversation itself. */
const asksForSummary = /\bWrite the checkpoint\b|^You write checkpoints/m;

function isSummary(request: FakeRequest): boolean {
  const last = request.messages.at(-1);
  return (
    asksForSummary.test(systemText(request)) ||
    (last?.role === 'user' && asksForSummary.test(readableText(last)) && newestSaid([last]) === undefined)
  );
}

/** Asked with a prompt of its own it has records to quote; in the conversation itself it tells what it sees. */
function summaryOf(request: FakeRequest): Reply {
  if (asksForSummary.test(systemText(request))) return faithfulSummary(request);
  const asked = readableText(request.messages.at(-1) ?? { role: 'user', parts: [] });
  const headings = [...asked.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading);
  const name = newestSaid(request.messages);
  const lines = name === undefined ? 'None' : `"${texts[name].split('\n', 1)[0]}"`;
  return { text: headings.map((heading, at) => `## ${heading}\n${at === 0 ? lines : 'None'}`).join('\n\n') };
}

const names = Object.keys(texts).filter((name): name is TextName => Object.hasOwn(texts, name));

/** What the person said last, recognised by their words. Recalled text stands behind them and is passed over. */
export function newestSaid(messages: readonly Message[]): TextName | undefined {
  for (const message of messages.toReversed()) {
    if (message.role !== 'user') continue;
    // Anthropic has results of tools in messages of the user, and they may quote what the person said.
    const words = message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
    const text = words.replace(/<(recalled-context|memory-context)\b[\s\S]*?<\/\1>/g, '');
    const found = names
      .map((name) => ({ name, at: text.lastIndexOf(texts[name]) }))
      .filter(({ at }) => at >= 0)
      .toSorted((a, b) => b.at - a.at);
    if (found[0]) return found[0].name;
  }
  return undefined;
}

const isResult = (message: Message | undefined): boolean =>
  message?.parts.some(({ type }) => type === 'toolResult') === true;

/** Anthropic has results in messages of the user. */
function endsWithResult({ messages }: FakeRequest): boolean {
  return isResult(messages.at(-1));
}

function newestResult({ messages }: FakeRequest): string {
  const last = messages.at(-1);
  return last && isResult(last) ? readableText(last) : '';
}

function seenIn({ messages }: FakeRequest): readonly string[] {
  const at = messages.findLastIndex((message) => message.role === 'user' && newestSaid([message]) !== undefined);
  return messages.filter(({ role }, index) => role !== 'system' && index !== at).map(readableText);
}

/** How many tokens of a request a cache would have: those of the longest beginning that it has in common with an earlier one. */
export function createPromptCache(): (request: FakeRequest) => number {
  const earlier: (readonly string[])[] = [];
  return ({ body, model }) => {
    const parts = [model, ...partsOf(body.tools), ...partsOf(body.system), ...partsOf(body.messages)];
    let most = 0;
    for (const other of earlier) {
      let chars = 0;
      for (let at = 0; at < parts.length && parts[at] === other[at]; at++) chars += parts[at]?.length ?? 0;
      most = Math.max(most, chars);
    }
    earlier.push(parts);
    // Providers cache no less than about a thousand tokens; four characters are about one.
    return most < 4_096 ? 0 : Math.floor(most / 4);
  };
}

/**
 * The members of a list as texts, in the order in which a cache reads them, and without its marks, which move. Messages are
 * taken apart: an SDK may join two of the same role.
 */
export const partsOf = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : value === undefined ? [] : [value])
    .flatMap(piecesOf)
    .map((one) => JSON.stringify(one, (key, inner: unknown) => (key === 'cache_control' ? undefined : inner)));

function piecesOf(value: unknown): readonly unknown[] {
  if (!isJsonObject(value) || value.role === undefined) return [value];
  const { role, content, ...rest } = value;
  const parts = Array.isArray(content) ? content : content ? [{ type: 'text', text: content }] : [];
  const pieces = parts.map((part) => ({ role, part }));
  return Object.keys(rest).length > 0 ? [...pieces, { role, ...rest }] : pieces;
}
