/** Follows a conversation and keeps its facts: asks, actions and outcomes, files, errors and fixes, decisions. */
import type { Message, ToolCallPart, ToolResultPart } from '../../transcript/message.ts';
import { carriesCalls, messageText, resultText } from '../../transcript/text.ts';
import { personMessage, unwrapHandoff } from '../handoff-block.ts';
import { outcomeOf, plainName } from '../outcome.ts';
import type { Ref } from '../result.ts';
import { type Intent, intentOf } from './actions.ts';
import { askType, rulesIn, wholeAskChars } from './asks.ts';
import { decisionsIn } from './cues.ts';
import type { Action, Ask, Decision, Directive, ErrorFact, LedgerFacts, SideEffect } from './facts.ts';
import { createFileFacts } from './file-facts.ts';
import { createPlan } from './plans.ts';

interface OpenCall {
  readonly call: ToolCallPart;
  readonly intent: Intent;
  readonly actionAt: number;
  readonly sideEffectAt: number | undefined;
}

export class Tracker {
  readonly #asks: Ask[] = [];
  readonly #directives = new Map<string, Directive>();
  #hasBegun = false;
  readonly #actions: Action[] = [];
  readonly #files = createFileFacts();
  readonly #errors = createErrorFacts();
  readonly #decisions: Decision[] = [];
  readonly #sideEffects: SideEffect[] = [];
  readonly #plan = createPlan();
  readonly #calls = new Map<string, OpenCall>();
  /** The file that an editor has open, for tools whose edits name none. */
  #openFile: string | undefined;

  /** Takes in the next message; time in proportion to that message. */
  add(message: Message, ref: Ref): void {
    if (message.role === 'system') this.#addDirective(message, ref);
    else this.#hasBegun = true;
    const words = personMessage(message);
    if (words) this.#addAsk(words, ref);
    // What a summary tells was decided is nobody's word: it may quote a tool, and stands among its lines.
    const speaks = message.role === 'assistant' && !unwrapHandoff(message);
    if (speaks) {
      for (const text of decisionsIn(messageText(message), 'agent')) this.#decisions.push({ ref, by: 'agent', text });
      this.#addAnswer(message, ref);
    }
    for (const part of message.parts) {
      if (part.type === 'toolCall') this.#addCall(part, ref);
      else if (part.type === 'toolResult') this.#addResult(part);
    }
  }

  /** What opens a conversation is its system prompt, which stays. */
  #addDirective(message: Message, ref: Ref): void {
    const text = messageText(message).trim();
    if (!this.#hasBegun || !text) return;
    this.#directives.delete(text);
    this.#directives.set(text, { ref, text });
  }

  #addAsk(message: Message, ref: Ref): void {
    const text = messageText(message).trim();
    if (!text && message.parts.every((part) => part.type === 'text' || part.type === 'toolResult')) return;
    const rules = text.length > wholeAskChars ? rulesIn(text) : [];
    this.#asks.push({ ref, text, type: askType(text), ...(rules.length > 0 ? { rules } : {}) });
    for (const decision of decisionsIn(text, 'user')) this.#decisions.push({ ref, by: 'user', text: decision });
  }

  /** Words without a tool call end the agent's turn: they answer the ask, until the agent goes on. */
  #addAnswer(message: Message, ref: Ref): void {
    const ask = this.#asks.at(-1);
    if (!ask) return;
    const text = messageText(message).trim();
    const { answer: _, ...open } = ask;
    if (carriesCalls(message)) this.#asks[this.#asks.length - 1] = open;
    else if (text) this.#asks[this.#asks.length - 1] = { ...open, answer: { ref, text } };
  }

  #addCall(call: ToolCallPart, ref: Ref): void {
    const intent = this.#inOpenFile(intentOf(call));
    const { tool, type, target, sideEffect } = intent;
    if (intent.plan?.type === 'set') this.#plan.apply(intent.plan, ref);
    const sideEffectAt = sideEffect === undefined ? undefined : this.#sideEffects.length;
    this.#calls.set(call.callId, { call, intent, actionAt: this.#actions.length, sideEffectAt });
    this.#actions.push({ ref, tool, type, target });
    // Before the result is known: an effect whose result never came may have happened.
    if (sideEffect !== undefined) this.#sideEffects.push({ ref, tool, target: sideEffect });
    if (/^(?:open|create|goto)$/.test(plainName(tool))) this.#openFile = intent.files[0]?.path ?? this.#openFile;
  }

  /** Editors such as SWE-agent's open a file first and then edit it without naming it again. */
  #inOpenFile(intent: Intent): Intent {
    if (intent.type !== 'change' || intent.files.length > 0 || this.#openFile === undefined) return intent;
    return {
      ...intent,
      target: this.#openFile,
      files: [{ path: this.#openFile, state: 'changed' }],
      keys: [`${intent.tool}\n${this.#openFile}`],
    };
  }

  #addResult(result: ToolResultPart): void {
    const open = this.#calls.get(result.callId);
    const action = this.#actions[open?.actionAt ?? -1];
    if (!open || !action) return;
    const { ok, exitCode, firstErrorLine } = outcomeOf(open.call, result);
    const done: Action = {
      ...action,
      ...(ok === undefined ? {} : { ok }),
      ...(exitCode === undefined ? {} : { exitCode }),
      ...(firstErrorLine === undefined ? {} : { firstErrorLine }),
    };
    this.#actions[open.actionAt] = done;
    this.#settleEffect(open, done);
    this.#touchFiles(open.intent, result, done);
    if (ok !== false) {
      // Numbers of entries follow the calls that worked; a plan set whole holds from the call on.
      if (open.intent.plan && open.intent.plan.type !== 'set') this.#plan.apply(open.intent.plan, done.ref);
    }
    this.#errors.follow(open.intent.keys, done);
  }

  #settleEffect({ sideEffectAt }: OpenCall, { ok }: Action): void {
    const effect = sideEffectAt === undefined ? undefined : this.#sideEffects[sideEffectAt];
    if (sideEffectAt !== undefined && effect && ok !== undefined) this.#sideEffects[sideEffectAt] = { ...effect, ok };
  }

  #touchFiles(intent: Intent, result: ToolResultPart, { ref, ok, firstErrorLine = '' }: Action): void {
    for (const touch of intent.files) {
      if (ok === false && (!touch.isEarly || touch.state === 'read' || neverRan.test(firstErrorLine))) continue;
      const existed = touch.state === 'created' && intent.type === 'create' && saysUpdated(result);
      const path = this.#files.touch(existed ? { ...touch, state: 'changed' } : touch, ref);
      if (touch.state !== 'read') this.#errors.changed(path);
    }
  }

  /** Takes over requests that a handoff made elsewhere tells of. */
  takeOver(requests: readonly Ask[]): void {
    this.#asks.push(...requests);
  }

  facts(): LedgerFacts {
    return {
      asks: this.#asks,
      actions: this.#actions,
      decisions: this.#decisions,
      sideEffects: this.#sideEffects,
      directives: [...this.#directives.values()],
      files: this.#files.facts(),
      errors: this.#errors.facts(),
      plan: this.#plan.current(),
    };
  }

  /** The intent of a call seen so far. */
  intent(callId: string): Intent | undefined {
    return this.#calls.get(callId)?.intent;
  }

  /** The action of a call seen so far, with its outcome once the result came. */
  action(callId: string): Action | undefined {
    return this.#actions[this.#calls.get(callId)?.actionAt ?? -1];
  }

  /**
   * Reads the action of the newest call with the id, also when a later call takes the id again: its outcome once the
   * result came. Undefined for an id not seen.
   */
  follow(callId: string): (() => Action | undefined) | undefined {
    const at = this.#calls.get(callId)?.actionAt;
    return at === undefined ? undefined : () => this.#actions[at];
  }
}

/** What hosts say of a call that was not carried out. */
const neverRan =
  /\b(?:doesn't want to proceed|rejected|denied by|not allowed|cancelled|interrupted|sibling tool call)\b/i;

/** Writing tools say when the file was there before. */
const saysUpdated = (result: ToolResultPart): boolean =>
  /\b(?:has been updated|overwrote|overwritten|updated successfully)\b/i.test(resultText(result).slice(0, 400));

// Failures, and what made them go away: the same thing tried again, with the files changed in between.

interface ErrorFacts {
  /**
   * Takes in the outcome of a call. Each key names something that it tried; a failure is taken for one of the last, a
   * success is one of them all.
   */
  follow(keys: readonly string[], action: Action): void;
  /** Takes in that a file was changed. */
  changed(path: string): void;
  facts(): readonly ErrorFact[];
}

interface OpenError {
  /** Every failure of the same thing since it last worked. */
  readonly at: number[];
  /** Set when no exit code told of the failure: then no exit code will tell of the success either. */
  readonly isTold: boolean;
  /** How many changes there had been before the first of them. */
  readonly changesBefore: number;
}

/** A fix names this many files, the ones changed last before it; it looks back over so many changes for them. */
const maxNamed = 20;
const maxLookedAt = 200;

/** No failures yet. */
function createErrorFacts(): ErrorFacts {
  const errors: ErrorFact[] = [];
  const open = new Map<string, OpenError>();
  const changes: string[] = [];

  function follow(keys: readonly string[], action: Action): void {
    if (action.ok === false) fail(keys.at(-1) ?? '', action);
    else for (const key of keys) succeed(key, action);
  }

  function fail(key: string, { ref, tool, target, exitCode, firstErrorLine }: Action): void {
    const before = open.get(key);
    const at = before?.at ?? [];
    if (!before) open.set(key, { at, isTold: exitCode === undefined, changesBefore: changes.length });
    at.push(errors.length);
    errors.push({ ref, tool, target, line: firstErrorLine ?? '' });
  }

  function succeed(key: string, action: Action): void {
    const before = open.get(key);
    if (!before || !(action.ok || isQuiet(before, action))) return;
    const fixed = { ref: action.ref, by: changedSince(before.changesBefore) };
    for (const at of before.at) {
      const error = errors[at];
      if (error) errors[at] = { ...error, fixed };
    }
    open.delete(key);
  }

  /** A command that complained before and now runs without a complaint. */
  function isQuiet({ isTold }: OpenError, { type, exitCode }: Action): boolean {
    return isTold && type === 'run' && exitCode === undefined;
  }

  function changedSince(from: number): readonly string[] {
    const named = new Set<string>();
    const stop = Math.max(from, changes.length - maxLookedAt);
    for (let i = changes.length - 1; i >= stop && named.size < maxNamed; i--) named.add(changes[i] ?? '');
    return [...named].reverse();
  }

  return { follow, changed: (path) => changes.push(path), facts: () => errors };
}
