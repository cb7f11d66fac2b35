/** Follows a conversation and keeps its facts: asks, actions and outcomes, files, errors and fixes, decisions. */
import type { Message, ToolCallPart, ToolResultPart } from '../../transcript/message.ts';
import { ownPart } from '../../transcript/origin.ts';
import { carriesCalls, messageText, resultText } from '../../transcript/text.ts';
import { personMessage, unwrapHandoff } from '../handoff-block.ts';
import { outcomeOf, plainName } from '../outcome.ts';
import type { Ref } from '../result.ts';
import { type Intent, intentOf } from './actions.ts';
import { Announced } from './announced.ts';
import { Checks } from './checks.ts';
import { isAssent } from './choices.ts';
import { askType, decisionsIn, isAllRule, rulesIn } from './cues.ts';
import type { Action, Ask, Decision, Directive, ErrorFact, LedgerFacts, LeftOut, SideEffect } from './facts.ts';
import { FileFacts } from './file-facts.ts';
import { refusalIn } from './host-words.ts';
import type { InheritedFacts } from './inherited.ts';
import { onlyLooks } from './open-matters.ts';
import { Outstanding } from './outstanding.ts';
import { keepSentences, ownWords, sentencesKept } from './own-words.ts';
import { PlanFiles } from './plan-files.ts';
import { changing, entriesDone, Plan, withIdGiven } from './plans.ts';
import { confirms } from './side-effects.ts';

/** A fact that later messages say more of. */
type Growing<T> = { -readonly [K in keyof T]: T[K] };

interface OpenCall {
  readonly call: ToolCallPart;
  readonly intent: Intent;
  readonly action: Growing<Action>;
  readonly sideEffect: Growing<SideEffect> | undefined;
}

/** Failures of the same thing since it last worked. */
interface OpenErrors {
  readonly errors: Growing<ErrorFact>[];
  /** Set when no exit code told of the failure: then no exit code will tell of the success either. */
  readonly isTold: boolean;
  /** How many changes of files there had been before the first of them. */
  readonly changesBefore: number;
}

export class Tracker {
  readonly #asks: Ask[] = [];
  #leftOut: LeftOut | undefined;
  readonly #directives = new Map<string, Directive>();
  #hasBegun = false;
  readonly #actions: Action[] = [];
  readonly #files = new FileFacts();
  readonly #errors: ErrorFact[] = [];
  readonly #openErrors = new Map<string, OpenErrors>();
  /** Paths that were changed, in order. */
  readonly #changes: string[] = [];
  readonly #decisions: Decision[] = [];
  readonly #sideEffects: SideEffect[] = [];
  readonly #checks = new Checks();
  readonly #plan = new Plan();
  readonly #planFiles = new PlanFiles();
  readonly #outstanding = new Outstanding();
  readonly #announced = new Announced();
  /** True once a call since the newest request may have done more than look. */
  #hasWorked = false;
  /** What the agent said beside calls since its last turn ended. */
  #said: LedgerFacts['said'][number][] = [];
  /** Words that ended it, as long as no call follows. */
  #lastSaid: LedgerFacts['said'][number] | undefined;
  readonly #calls = new Map<string, OpenCall>();
  /** The file that an editor has open, for tools whose edits name none. */
  #openFile: string | undefined;

  /** Takes in the next message, which may be the text of a slash command; time in proportion to that message. */
  add(message: Message, ref: Ref, isOfCommand: boolean = false): void {
    if (message.role === 'system') this.#addDirective(message, ref);
    else this.#hasBegun = true;
    const words = personMessage(message);
    if (words && isOfCommand) this.#addCommand(messageText(words).trim(), ref);
    else if (words) this.#addAsk(words, ref);
    else if (message.role === 'user') this.#stop(message);
    // What a summary tells was decided is nobody's word: it may quote a tool, and stands among its lines.
    if (message.role === 'assistant' && !unwrapHandoff(message)) {
      for (const text of decisionsIn(messageText(message), 'agent')) this.#decisions.push({ ref, by: 'agent', text });
      this.#addAnswer(message, ref);
      this.#hear(message, ref);
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
    this.#beginTurn(text);
    const type = askType(ownPart(text));
    const own = ownWords(text);
    const rules = type === 'constraint' && isAllRule(text, own.sentences) ? [] : rulesIn(text, own);
    const ask: Ask = { ref, text, type, ...(rules.length > 0 ? { rules } : {}) };
    keepSentences(ask, own.sentences);
    this.#asks.push(ask);
    for (const decision of decisionsIn(text, 'user')) this.#decisions.push({ ref, by: 'user', text: decision });
  }

  /** What a program wrote for a command is nobody's answer to anything. */
  #addCommand(text: string, ref: Ref): void {
    this.#beginTurn('');
    this.#asks.push({ ref, text, type: 'request', by: 'program' });
  }

  /** What was said beside the calls of the turn before is past. */
  #beginTurn(text: string): void {
    const isEnded = this.#asks.at(-1)?.answer !== undefined;
    if (!isAssent(text)) this.#announced.end();
    this.#outstanding.ask(text, { isEnded, isAssent: isAssent(text) });
    [this.#said, this.#lastSaid, this.#hasWorked] = [[], undefined, false];
  }

  /** Hosts say so when a person interrupts a turn. */
  #stop(message: Message): void {
    const ask = this.#asks.at(-1);
    if (!ask || ask.answer || !interruption.test(messageText(message).trimStart())) return;
    this.#askAgain(ask, { ...ask, isStopped: true });
    [this.#said, this.#lastSaid] = [[], undefined];
  }

  /** Words without a tool call end the agent's turn: they answer the ask, until the agent goes on. */
  #addAnswer(message: Message, ref: Ref): void {
    const ask = this.#asks.at(-1);
    if (!ask) return;
    const text = messageText(message).trim();
    const { answer: _, ...open } = ask;
    if (carriesCalls(message)) this.#askAgain(ask, open);
    else if (text) this.#askAgain(ask, { ...open, answer: { ref, text } });
  }

  /** Puts the newest request in the place of what was known of it: its words are the same. */
  #askAgain(before: Ask, now: Ask): void {
    keepSentences(now, sentencesKept(before));
    this.#asks[this.#asks.length - 1] = now;
  }

  /** What is said beside calls tells what is under way; words without a call end it, unless calls follow. */
  #hear(message: Message, ref: Ref): void {
    const text = messageText(message).trim();
    const said = { ref, text };
    for (const id of entriesDone(text)) {
      this.#plan.finish(id, ref);
      this.#planFiles.finish(id);
    }
    // Where nobody ever does anything, what is not yet so is what is talked about.
    const isWorking = carriesCalls(message);
    if (isWorking || this.#actions.length > 0)
      this.#outstanding.hear(text, ref, { isReport: !isWorking, hasWorked: this.#hasWorked });
    if (isWorking) this.#announced.hear(text, ref);
    else {
      if (text) this.#announced.end();
      if (text) this.#lastSaid = said;
      return;
    }
    if (this.#lastSaid) this.#said.push(this.#lastSaid);
    this.#lastSaid = undefined;
    if (text) this.#said.push(said);
    this.#said = this.#said.slice(-mostSaid);
  }

  #addCall(call: ToolCallPart, ref: Ref): void {
    const intent = this.#inOpenFile(intentOf(call));
    const { tool, type, target } = intent;
    if (intent.plan?.type === 'set') this.#plan.apply(intent.plan, ref);
    const action = { ref, tool, type, target, ...(intent.names.length > 0 ? { names: intent.names } : {}) };
    const sideEffect = intent.sideEffect === undefined ? undefined : { ref, tool, target: intent.sideEffect };
    this.#calls.set(call.callId, { call, intent, action, sideEffect });
    this.#actions.push(action);
    this.#hasWorked ||= !onlyLooks(action);
    // Before the result is known: an effect whose result never came may have happened.
    if (sideEffect) this.#sideEffects.push(sideEffect);
    if (/^(?:open|create|goto)$/.test(plainName(tool))) this.#openFile = intent.files[0]?.path ?? this.#openFile;
  }

  /** Editors such as SWE-agent's open a file first and then edit it without naming it again. */
  #inOpenFile(intent: Intent): Intent {
    const target = this.#openFile;
    if (intent.type !== 'change' || intent.files.length > 0 || target === undefined) return intent;
    return { ...intent, target, files: [{ path: target, state: 'changed' }], keys: [`${intent.tool}\n${target}`] };
  }

  #addResult(result: ToolResultPart): void {
    const open = this.#calls.get(result.callId);
    if (!open) return;
    const { call, intent, action, sideEffect } = open;
    const { ok, ...more } = outcomeOf(call, result);
    Object.assign(action, ok === undefined ? more : { ok, ...more });
    if (sideEffect && action.ok !== undefined) sideEffect.ok = action.ok;
    else if (sideEffect && confirms(call, resultText(result))) sideEffect.ok = true;
    this.#touchFiles(intent, result, action);
    const refusal = action.ok === false ? refusalIn(resultText(result)) : undefined;
    if (intent.checking && !refusal) this.#checks.add(intent.checking, action, resultText(result));
    if (action.ok === false) {
      this.#fail(intent.keys.at(-1) ?? '', action, refusal);
      return;
    }
    // Numbers of entries follow the calls that worked; a plan set whole holds from the call on.
    if (intent.plan && intent.plan.type !== 'set')
      this.#plan.apply(withIdGiven(intent.plan, resultText(result)), action.ref);
    if (changing.has(intent.type)) this.#announced.act(call.input.slice(0, mostWritten));
    const written = intent.files.filter(({ state }) => state !== 'read').map(({ path }) => path);
    this.#outstanding.act(action, { written, checks: intent.checking?.kinds ?? [] });
    if (intent.note) this.#outstanding.hear(intent.note, action.ref, { isReport: true, hasWorked: true });
    if (intent.boxes) this.#planFiles.apply(intent.boxes, action.ref);
    const [file] = intent.files;
    if (intent.type === 'read' && file) this.#planFiles.read(file.path, resultText(result), action.ref);
    for (const key of intent.keys) this.#succeed(key, action);
  }

  #touchFiles(intent: Intent, result: ToolResultPart, { ref, ok, firstErrorLine = '' }: Action): void {
    for (const touch of intent.files) {
      if (ok === false && (!touch.isEarly || touch.state === 'read' || neverRan.test(firstErrorLine))) continue;
      const existed = touch.state === 'created' && intent.type === 'create' && saysUpdated(result);
      const path = this.#files.touch(existed ? { ...touch, state: 'changed' } : touch, ref);
      if (touch.state !== 'read') this.#changes.push(path);
    }
  }

  /** A failure is taken for one of the last thing that a call tried, a success is one of them all. */
  #fail(key: string, action: Action, refusal: ReturnType<typeof refusalIn>): void {
    const { ref, tool, target, exitCode, firstErrorLine = '' } = action;
    const refused = refusal && ({ line: refusal.words || firstErrorLine, isRefused: true } as const);
    const error = { ref, tool, target, line: firstErrorLine, ...refused };
    const open = this.#openErrors.get(key);
    if (open) open.errors.push(error);
    else {
      const changesBefore = this.#changes.length;
      this.#openErrors.set(key, { errors: [error], isTold: exitCode === undefined, changesBefore });
    }
    this.#errors.push(error);
  }

  #succeed(key: string, { ref, ok, type, exitCode }: Action): void {
    const open = this.#openErrors.get(key);
    // A command that complained before and now runs without a complaint.
    const isQuiet = open?.isTold && type === 'run' && exitCode === undefined;
    if (!open || !(ok || isQuiet)) return;
    const fixed = { ref, by: this.#changedSince(open.changesBefore) };
    for (const error of open.errors) error.fixed = fixed;
    this.#openErrors.delete(key);
  }

  #changedSince(from: number): readonly string[] {
    const stop = Math.max(from, this.#changes.length - maxLookedAt);
    return [...new Set(this.#changes.slice(stop).toReversed())].slice(0, maxNamed).toReversed();
  }

  /** Takes over what a handoff made elsewhere tells of. */
  takeOver({ asks, leftOut, files, sideEffects, plan }: InheritedFacts): void {
    this.#asks.push(...asks);
    this.#leftOut = leftOut;
    this.#sideEffects.push(...sideEffects);
    if (plan) this.#plan.apply({ type: 'set', entries: plan.entries }, plan.ref);
    for (const { ref, since, ...touch } of files) this.#files.touch(touch, ref, since);
  }

  facts(): LedgerFacts {
    return {
      asks: this.#asks,
      leftOut: this.#leftOut,
      actions: this.#actions,
      decisions: this.#decisions,
      sideEffects: this.#sideEffects,
      directives: [...this.#directives.values()],
      files: this.#files.facts(),
      errors: this.#errors,
      checks: this.#checks.facts(),
      said: this.#lastSaid ? [] : this.#said,
      outstanding: this.#outstanding.facts(),
      announced: this.#announced.facts(),
      plan: this.#plan.current(),
      planFile: this.#planFiles.current(),
    };
  }

  /** The action of the newest call with the id; its outcome is filled in when the result comes. */
  action(callId: string): Action | undefined {
    return this.#calls.get(callId)?.action;
  }
}

/** A fix names this many files, the ones changed last before it; it looks back over so many changes for them. */
const maxNamed = 20;
const maxLookedAt = 200;

/** So many of the last words beside calls tell what is under way. */
const mostSaid = 4;

/** So much of what a call writes tells what it is for. */
const mostWritten = 1_000;

const interruption = /^(?:\[Request interrupted by user|<turn_aborted>)/;

/** What hosts say of a call that was not carried out. */
const neverRan =
  /\b(?:doesn't want to proceed|rejected|denied by|not allowed|cancelled|interrupted|sibling tool call)\b/i;

/** Writing tools say when the file was there before. */
const saysUpdated = (result: ToolResultPart): boolean =>
  /\b(?:has been updated|overwrote|overwritten|updated successfully)\b/i.test(resultText(result).slice(0, 400));
