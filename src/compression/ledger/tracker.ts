/** Follows a conversation and keeps its facts: asks, actions and outcomes, files, errors and fixes, decisions. */
import type { Message, ToolCallPart, ToolResultPart } from '../../transcript/message.ts';
import { originOf } from '../../transcript/origin.ts';
import { carriesCalls, messageText } from '../../transcript/text.ts';
import { personMessage } from '../handoff-block.ts';
import { outcomeOf } from '../outcome.ts';
import type { Ref } from '../result.ts';
import { type Intent, intentOf } from './actions.ts';
import { decisionStrength, looksLikeQuestion, looksLikeReversal, looksLikeRule } from './cues.ts';
import type { Action, Ask, Decision, ErrorFact, FileFact, LedgerFacts, SideEffect } from './facts.ts';
import { linesOf } from './lines.ts';

interface OpenCall {
  readonly call: ToolCallPart;
  readonly intent: Intent;
  readonly actionAt: number;
}

export interface Tracker {
  add(message: Message, ref: Ref): void;
  facts(): LedgerFacts;
  /** The intent of a call seen so far. */
  intent(callId: string): Intent | undefined;
  /** The action of a call seen so far, with its outcome once the result came. */
  action(callId: string): Action | undefined;
}

export function createTracker(): Tracker {
  const asks: Ask[] = [];
  const actions: Action[] = [];
  const files = new Map<string, FileFact>();
  const errors: ErrorFact[] = [];
  const decisions: Decision[] = [];
  const sideEffects: SideEffect[] = [];
  let plan: LedgerFacts['plan'];
  const calls = new Map<string, OpenCall>();
  /** Errors that nothing has fixed yet, by what was tried, and the files changed since. */
  const openErrors = new Map<string, { at: number; changed: Set<string> }>();

  function add(message: Message, ref: Ref): void {
    const words = personMessage(message);
    if (words) addAsk(words, ref);
    if (message.role === 'assistant') addAnswer(message, ref);
    if (message.role !== 'system' && originOf(message) !== 'host') addDecisions(message, ref);
    for (const part of message.parts) {
      if (part.type === 'toolCall') addCall(part, ref);
      else if (part.type === 'toolResult') addResult(part);
    }
  }

  function addAsk(message: Message, ref: Ref): void {
    const text = messageText(message).trim();
    if (text) asks.push({ ref, text, type: askType(text) });
  }

  /** Words without a tool call end the agent's turn: they answer the ask, until the agent goes on. */
  function addAnswer(message: Message, ref: Ref): void {
    const ask = asks.at(-1);
    if (!ask) return;
    const text = messageText(message).trim();
    const { answer: _, ...open } = ask;
    if (carriesCalls(message)) asks[asks.length - 1] = open;
    else if (text) asks[asks.length - 1] = { ...open, answer: { ref, text } };
  }

  function addDecisions(message: Message, ref: Ref): void {
    linesOf(message, (text, voice) => {
      if (voice !== 'agent' && voice !== 'user') return;
      if (decisionStrength(text) >= 2) decisions.push({ ref, by: voice, text });
    });
  }

  function addCall(call: ToolCallPart, ref: Ref): void {
    const intent = intentOf(call);
    if (intent.plan) plan = { ref, entries: intent.plan };
    calls.set(call.callId, { call, intent, actionAt: actions.length });
    actions.push({ ref, tool: intent.tool, type: intent.type, target: intent.target });
  }

  function addResult(result: ToolResultPart): void {
    const open = calls.get(result.callId);
    if (!open) return;
    const action = actions[open.actionAt];
    if (!action) return;
    const { ok, exitCode, firstErrorLine } = outcomeOf(open.call, result);
    const done: Action = {
      ...action,
      ...(ok === undefined ? {} : { ok }),
      ...(exitCode === undefined ? {} : { exitCode }),
      ...(firstErrorLine === undefined ? {} : { firstErrorLine }),
    };
    actions[open.actionAt] = done;
    if (ok !== false) touchFiles(open.intent, done.ref);
    if (open.intent.sideEffect) sideEffects.push(sideEffectOf(done));
    followErrors(open.intent, done);
  }

  function touchFiles(intent: Intent, ref: Ref): void {
    for (const { path, state } of intent.files) {
      const known = files.get(path);
      // Reading a file does not undo what was done to it; writing one that was read or changed changes it.
      const kept = state === 'read' && known ? known.state : state;
      const next =
        kept === 'created' && known && known.state !== 'deleted' && known.state !== 'created' ? 'changed' : kept;
      files.delete(path); // newest last
      files.set(path, { path, state: next, ref, touches: (known?.touches ?? 0) + 1 });
      if (state !== 'read') for (const open of openErrors.values()) open.changed.add(path);
    }
  }

  function followErrors(intent: Intent, action: Action): void {
    const key = `${intent.tool}\n${errorKey(intent.target)}`;
    const open = openErrors.get(key);
    if (action.ok === false) {
      errors.push({ ref: action.ref, tool: action.tool, target: action.target, line: action.firstErrorLine ?? '' });
      openErrors.set(key, { at: errors.length - 1, changed: open?.changed ?? new Set() });
    } else if (open && action.ok === true) {
      const error = errors[open.at];
      if (error) errors[open.at] = { ...error, fixed: { ref: action.ref, by: [...open.changed] } };
      openErrors.delete(key);
    }
  }

  return {
    add,
    facts: () => ({ asks, actions, files: [...files.values()], errors, decisions, sideEffects, plan }),
    intent: (callId) => calls.get(callId)?.intent,
    action: (callId) => actions[calls.get(callId)?.actionAt ?? -1],
  };
}

/** Two runs of a command are tries of the same thing when its first words agree: filters and pipes behind them vary. */
const errorKey = (target: string): string =>
  target
    .split(/\s*(?:[|;]|&&|2>)/)[0]
    ?.split(/\s+/)
    .slice(0, 3)
    .join(' ') ?? '';

function sideEffectOf({ ref, tool, target, ok }: Action): SideEffect {
  return { ref, tool, target, ...(ok === undefined ? {} : { ok }) };
}

const ruleChars = 600;

function askType(text: string): Ask['type'] {
  if (text.length <= ruleChars && looksLikeReversal(text)) return 'reversal';
  if (looksLikeQuestion(text)) return 'question';
  return text.length <= ruleChars && looksLikeRule(text) ? 'constraint' : 'request';
}
