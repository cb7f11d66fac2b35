/**
 * Every reason why a strict provider would reject a list of messages. `compression/repair.ts` mends each of them; both
 * are tested against each other. The rules are those of the OpenAI and Anthropic message APIs, and of chat templates
 * that insist on alternating roles (Mistral, Qwen) under `strictRoles`.
 */
import { isJsonObject, type JsonValue, parseJson } from '../shared/json.ts';
import { checkKnownOptions } from '../shared/options/known-options.ts';
import type { Message, Part, ResultContent, ToolCallPart, ToolResultPart } from './message.ts';
import { answersApproval, carriesResults, groupsOf } from './text.ts';

/** What a provider demands of a list of messages. */
export type Rule =
  | 'unknown-structure'
  | 'late-system'
  | 'users-in-a-row'
  | 'first-not-user'
  | 'empty-message'
  | 'empty-part'
  | 'empty-result'
  | 'misplaced-part'
  | 'missing-id'
  | 'missing-name'
  | 'broken-arguments'
  | 'duplicate-call'
  | 'duplicate-result'
  | 'orphan-result'
  | 'unanswered-call'
  | 'unpaired-server-tool'
  | 'dangling-reasoning';

/** One reason for a rejection. */
export interface Finding {
  /** Index of the message. */
  readonly at: number;
  readonly rule: Rule;
  /** What was expected and what came. */
  readonly detail: string;
  /** What would make it valid. */
  readonly fix: string;
}

/** How strict the check is. */
export interface ValidateOptions {
  /**
   * Also demand that the first message after the system messages is a user's and that no user message follows another.
   * @default false
   */
  readonly strictRoles?: boolean;
}

type Report = (at: number, rule: Rule, detail: string) => void;

/**
 * All findings, by message. An empty list means that every provider takes the messages. Linear in their size.
 *
 * @example
 * import { validate, type Message } from '@palimpsest/core';
 * const messages: Message[] = [{ role: 'assistant', parts: [] }];
 * validate(messages).map(({ at, rule, fix }) => `${at} ${rule}: ${fix}`);
 */
export function validate(messages: readonly Message[], options: ValidateOptions = {}): readonly Finding[] {
  checkKnownOptions('validate', options, { strictRoles: true });
  const found: Finding[] = [];
  const report: Report = (at, rule, detail) => found.push({ at, rule, detail, fix: fixes[rule] });
  const known = messages.every((message, at) => checkStructure(message, at, report));
  if (!known) return found;
  checkRoles(messages, options.strictRoles ?? false, report);
  for (const [at, message] of messages.entries()) {
    checkParts(message, at, report);
    const next = messages[at + 1];
    const mayWait = !next || answersApproval(next);
    checkServerPairs(message.parts, mayWait, (detail) => report(at, 'unpaired-server-tool', detail));
  }
  checkPairs(messages, report);
  return found.sort((a, b) => a.at - b.at);
}

const fixes: Readonly<Record<Rule, string>> = {
  'unknown-structure': 'read the messages with a format reader before using them',
  'late-system': 'move it to the start or turn it into a marked user note',
  'users-in-a-row': 'merge the two messages',
  'first-not-user': 'start the conversation with a user message',
  'empty-message': 'remove it or give it a text',
  'empty-part': 'remove the part',
  'empty-result': 'give the result a text such as "(no output)"',
  'misplaced-part': 'move the part to a message of the right role or remove it',
  'missing-id': 'give the call and its result the same new id',
  'missing-name': 'name the tool or remove the call with its result',
  'broken-arguments': 'wrap the text into a JSON object',
  'duplicate-call': 'give the later call and its result a new id',
  'duplicate-result': 'keep one result',
  'orphan-result': 'remove the result or bring back its call',
  'unanswered-call': 'remove the call or add a result that says it is missing',
  'unpaired-server-tool': 'remove the half without a partner',
  'dangling-reasoning': 'remove the reasoning or what was cut off after it',
};

const roles: ReadonlySet<string> = new Set(['system', 'user', 'assistant', 'tool']);
const partTypes: ReadonlySet<string> = new Set([
  'text',
  'image',
  'file',
  'reasoning',
  'toolCall',
  'toolResult',
  'other',
]);

/** Values from untyped callers: what is not a message at all cannot be checked further. */
function checkStructure(message: Message, at: number, report: Report): boolean {
  if (!isJsonObject(message) || !Array.isArray(message.parts)) {
    report(at, 'unknown-structure', 'expected a message with a role and a list of parts');
    return false;
  }
  if (!roles.has(message.role)) {
    report(
      at,
      'unknown-structure',
      `expected role system, user, assistant or tool, got ${JSON.stringify(message.role)}`,
    );
    return false;
  }
  const strange = message.parts.find((part) => !hasKnownType(part));
  if (strange !== undefined)
    report(at, 'unknown-structure', `a part of unknown type: ${JSON.stringify(strange).slice(0, 60)}`);
  return strange === undefined;
}

const hasKnownType = (part: unknown): boolean =>
  isJsonObject(part) && typeof part.type === 'string' && partTypes.has(part.type);

function checkRoles(messages: readonly Message[], strict: boolean, report: Report): void {
  const start = messages.findIndex((message) => message.role !== 'system');
  if (start === -1) return;
  for (const [at, { role }] of messages.entries()) {
    if (at > start && role === 'system') report(at, 'late-system', 'a system message after the conversation began');
    if (strict && at > 0 && role === 'user' && isPlainUser(messages[at - 1])) {
      report(at, 'users-in-a-row', 'a user message follows a user message');
    }
  }
  const first = messages[start];
  if (strict && first && !isPlainUser(first)) report(start, 'first-not-user', `the first message is ${first.role}'s`);
}

const isPlainUser = (message: Message | undefined): boolean => message?.role === 'user' && !carriesResults(message);

function checkParts(message: Message, at: number, report: Report): void {
  const { role, parts } = message;
  for (const [index, part] of parts.entries()) {
    if (isBlank(part)) report(at, 'empty-part', `part ${index} (${part.type}) is empty`);
    if (misplaced(part, role)) report(at, 'misplaced-part', `a ${part.type} part in ${article(role)} message`);
    if (part.type === 'toolCall') checkCall(part, at, report);
    if (part.type === 'toolResult') checkResult(part, at, report);
  }
  if (!parts.some(speaks)) report(at, 'empty-message', `${article(role)} message without content`);
  if (role !== 'assistant' && resultsAreLate(parts))
    report(at, 'misplaced-part', 'a tool result after other parts of a user message');
  const end = parts.at(-1);
  if (role === 'assistant' && parts.length > 1 && end?.type === 'reasoning' && isSealed(end)) {
    report(at, 'dangling-reasoning', 'signed reasoning ends the message, but providers want what it led to after it');
  }
}

const article = (role: Message['role']): string => (role === 'assistant' ? 'an assistant' : `a ${role}`);

function checkCall(part: ToolCallPart, at: number, report: Report): void {
  if (!part.callId) report(at, 'missing-id', 'a tool call has no id');
  if (!part.name) report(at, 'missing-name', `tool call ${part.callId} has no name`);
  if (!hasValidArguments(part)) {
    const start = JSON.stringify(part.input.slice(0, 40));
    report(at, 'broken-arguments', `expected a JSON object as arguments of ${part.callId}, got ${start}`);
  }
}

function checkResult(part: ToolResultPart, at: number, report: Report): void {
  if (!part.callId) report(at, 'missing-id', 'a tool result has no id');
  if (!part.server && !part.content.some((content) => !isBlank(content))) {
    report(at, 'empty-result', `the result of ${part.callId} is empty`);
  }
}

/**
 * A tool that the provider runs has its call and its result in one message; the last message may still wait, and one behind
 * which a person says whether the tool may run.
 */
function checkServerPairs(parts: readonly Part[], mayWait: boolean, report: (detail: string) => void): void {
  const open = new Set<string>();
  for (const part of parts) {
    if (part.type === 'toolCall' && part.server) open.add(part.callId);
    if (part.type !== 'toolResult' || !part.server || open.delete(part.callId)) continue;
    report(`server result ${part.callId} has no call before it`);
  }
  if (mayWait) return;
  for (const id of open) report(`server call ${id} has no result in its message`);
}

/** Client tools: every call is answered in its group, once, and ids are used once. */
function checkPairs(messages: readonly Message[], report: Report): void {
  const called = new Set<string>();
  const groups = groupsOf(messages);
  for (const group of groups) {
    const waiting = new Set<string>();
    const answered = new Set<string>();
    for (let at = group.start; at < group.end; at++) {
      for (const part of messages[at]?.parts ?? []) {
        if (part.type === 'toolCall') {
          if (called.has(part.callId)) report(at, 'duplicate-call', `call id ${part.callId} was used before`);
          called.add(part.callId);
          if (!part.server) waiting.add(part.callId);
        } else if (part.type === 'toolResult' && !part.server) {
          if (waiting.delete(part.callId)) answered.add(part.callId);
          else if (answered.has(part.callId)) report(at, 'duplicate-result', `a second result for ${part.callId}`);
          else report(at, 'orphan-result', `no call ${part.callId} in the assistant message before this result`);
        }
      }
    }
    if (group === groups.at(-1)) continue;
    for (const id of waiting) report(group.start, 'unanswered-call', `call ${id} has no result after it`);
  }
}

// What providers demand of a single part and of its place in a message; `validate` reports it, `repair` mends it.

/** Reasoning that its provider recognises and holds to its place. */
export const isSealed = (part: Part): boolean =>
  part.type === 'reasoning' && (part.signature !== undefined || part.encrypted !== undefined);

/** Members in which providers keep such proofs beside a part, at any depth: `providerOptions`, `extra_content`. */
const proofMember = /^(?:thought_?)?signature$/i;

/**
 * True for a message of which its provider knows every part again: it thought before, or signed a call. What such a message
 * called must come back as it was while its turn is open.
 */
export const isSigned = (message: Message): boolean =>
  message.parts.some((part) => isSealed(part) || holdsProof(part.extra?.fields, 4)) ||
  holdsProof(message.extra?.fields, 4);

function holdsProof(value: JsonValue | undefined, depth: number): boolean {
  if (!isJsonObject(value) || depth === 0) return false;
  return Object.entries(value).some(([key, member]) =>
    typeof member === 'string' ? member !== '' && proofMember.test(key) : holdsProof(member, depth - 1),
  );
}

/** True for a part without content: blank text, or reasoning of which nothing is left, not even a provider's id. */
export function isBlank(part: Part | ResultContent): boolean {
  if (part.type === 'text') return part.text.trim() === '';
  return part.type === 'reasoning' && part.text.trim() === '' && !isSealed(part) && !part.extra;
}

/** True for a part that alone makes a message worth sending. */
export const speaks = (part: Part): boolean => part.type !== 'reasoning' && !isBlank(part);

/** True for a part that no provider takes in a message of this role. */
export function misplaced(part: Part, role: Message['role']): boolean {
  switch (part.type) {
    case 'reasoning':
    case 'toolCall':
      return role !== 'assistant';
    case 'toolResult':
      return part.server ? role !== 'assistant' : role !== 'tool' && role !== 'user';
    case 'image':
    case 'file':
      return role === 'system' || role === 'tool';
    case 'text':
      return role === 'tool';
    case 'other':
      return false;
  }
}

/** True when results of client tools follow other parts: Anthropic wants them first. */
export function resultsAreLate(parts: readonly Part[]): boolean {
  const start = parts.findIndex((part) => part.type !== 'toolResult');
  return start !== -1 && parts.slice(start).some((part) => part.type === 'toolResult' && !part.server);
}

/** True when the arguments are a JSON object, or free-form as the tool wants them. */
export function hasValidArguments(part: ToolCallPart): boolean {
  return part.inputType === 'text' || isJsonObject(parseJson(part.input));
}
