/** Takes a list from an engine of others, or says why it cannot be used. */

import { isJsonObject, type JsonValue, parseJson } from '../../shared/json.ts';
import type { Message, Part } from '../../transcript/message.ts';
import { originOf } from '../../transcript/origin.ts';
import { messageText } from '../../transcript/text.ts';
import { type Finding, validate } from '../../transcript/validate.ts';
import { fromOpenAiChat } from '../../transcript/wire/chat/messages.ts';
import { personMessage } from '../handoff-block.ts';
import type { Copies } from './copies.ts';

/** What the engine was given, and what it gave back. */
export interface Made<M> {
  readonly before: readonly M[];
  /** `before` as the engine saw it. */
  readonly shown: readonly M[];
  readonly result: unknown;
}

/**
 * The engine's list with the caller's own messages where they stayed; `before` itself where nothing was changed. Throws
 * an error that says what is wrong: no list, no messages, not smaller, in another order, without the newest request or
 * the system prompt, or not valid for providers.
 */
export function takeList<M>({ before, shown, result }: Made<M>, copies: Copies<M>): readonly M[] {
  if (result === shown) return before;
  if (!Array.isArray(result)) throw new Error(`it returned ${described(result)} instead of a list`);
  if (result.length === 0) throw new Error('it returned an empty list');
  const after = result.map((message: unknown, at) => copies.original(message) ?? fresh<M>(message, at));
  if (after.length === before.length && after.every((message, at) => message === before[at])) return before;
  checkOrder(before, after);
  const list = areOurs(before) ? checkedMessages(before, after) : checkedPlain(before, after);
  checkSmaller(before, list);
  return list;
}

/** A message that the engine wrote, without anything that is not JSON. */
function fresh<M>(message: unknown, at: number): M {
  if (!isJsonObject(message)) throw new Error(`message ${at} of its list is ${described(message)}`);
  const copy = parseJson(JSON.stringify(message));
  if (!isJsonObject(copy)) throw new Error(`message ${at} of its list is not a JSON object`);
  // What the list holds is checked below, by the kind of the messages that it stands for.
  return copy as unknown as M;
}

function checkOrder<M>(before: readonly M[], after: readonly M[]): void {
  const places = new Map(before.map((message, at) => [message, at]));
  let last = -1;
  for (const message of after) {
    const place = places.get(message);
    if (place === undefined) continue;
    if (place <= last) throw new Error('it returned messages twice or in another order');
    last = place;
  }
}

/** What it added must be less than what it left out, in characters: both are of the same kind of text. */
function checkSmaller<M>(before: readonly M[], after: readonly M[]): void {
  const [old, kept] = [new Set(before), new Set(after)];
  const added = sizeOf(after.filter((message) => !old.has(message)));
  const removed = sizeOf(before.filter((message) => !kept.has(message)));
  if (added >= removed) throw new Error('it returned a list that is not smaller');
}

const sizeOf = (messages: readonly unknown[]): number =>
  messages.reduce((sum: number, message) => sum + JSON.stringify(message).length, 0);

const areOurs = (messages: readonly unknown[]): boolean => messages.every((message) => isOurs(message));

const isOurs = (message: unknown): message is Message =>
  isJsonObject(message) && typeof message.role === 'string' && Array.isArray(message.parts);

function checkedMessages<M>(before: readonly M[], after: readonly M[]): readonly M[] {
  const stranger = after.findIndex((message) => !isOurs(message));
  if (stranger >= 0) throw new Error(`message ${stranger} of its list has no role or no list of parts`);
  // Tested right here.
  const [old, list] = [before, after] as readonly unknown[] as readonly (readonly Message[])[];
  if (!old || !list) return after;
  checkParts(list);
  const [finding] = validate(list);
  if (finding && validate(old).length === 0)
    throw new Error(`providers would refuse its list (message ${finding.at}: ${finding.detail})`);
  // It may stand behind a handoff in one message.
  const said = old.findLast((message) => personMessage(message) !== undefined);
  const request = said && personMessage(said);
  if (request && !list.some((message) => holds(message, request))) throw new Error('it removed the newest request');
  const prompts = old.slice(
    0,
    Math.max(
      0,
      old.findIndex(({ role }) => role !== 'system'),
    ),
  );
  if (!prompts.every((prompt) => list.some((message) => holds(message, prompt))))
    throw new Error('it removed the system prompt');
  const known = new Set(old);
  // The same list with other origins.
  return list.map((message) =>
    known.has(message) ? message : attributed(message, request),
  ) as readonly unknown[] as readonly M[];
}

/** What the check of providers' rules takes for granted. */
function checkParts(list: readonly Message[]): void {
  for (const [at, { parts }] of list.entries()) {
    if (!parts.every(isPart)) throw new Error(`message ${at} of its list has an invalid part`);
  }
}

function isPart(part: Part): boolean {
  // Written by others: nothing of its type is known yet.
  const value: JsonValue = part as unknown as JsonValue;
  if (!isJsonObject(value)) return false;
  const isText = (key: string): boolean => typeof value[key] === 'string';
  switch (value.type) {
    case 'text':
    case 'reasoning':
      return isText('text');
    case 'toolCall':
      return isText('callId') && isText('name') && isText('input');
    case 'toolResult':
      return isText('callId') && Array.isArray(value.content);
    default:
      return ['image', 'file', 'other'].includes(String(value.type));
  }
}

const holds = (message: Message, wanted: Message): boolean =>
  message === wanted || (message.role === wanted.role && messageText(message).includes(messageText(wanted)));

/** Invariant 4: what an engine wrote in the user's place is not the person's, unless it repeats the newest request. */
function attributed(message: Message, request: Message | undefined): Message {
  if (originOf(message) !== 'person' || (request && holds(message, request))) return message;
  return { ...message, origin: 'summary' };
}

function checkedPlain<M>(before: readonly M[], after: readonly M[]): readonly M[] {
  const stranger = after.findIndex((message) => roleOf(message) === undefined);
  if (stranger >= 0) throw new Error(`message ${stranger} of its list has no role`);
  const request = before.findLast((message) => roleOf(message) === 'user');
  const words = contentOf(request);
  const isKept = after.some(
    (message) => message === request || (roleOf(message) === 'user' && contentOf(message).includes(words)),
  );
  if (request !== undefined && !isKept) throw new Error('it removed the newest request');
  const first = before.findIndex((message) => !isPrompt(message));
  const prompts = before.slice(0, Math.max(0, first)).map(contentOf);
  const kept = after.filter(isPrompt).map(contentOf);
  if (!prompts.every((prompt) => kept.some((content) => content.includes(prompt))))
    throw new Error('it removed the system prompt');
  const finding = refusalOf(after);
  if (finding && !refusalOf(before))
    throw new Error(`providers would refuse its list (message ${finding.at}: ${finding.detail})`);
  return after;
}

const isPrompt = (message: unknown): boolean => ['system', 'developer'].includes(roleOf(message) ?? '');

/** Why providers would refuse plain messages, read as those of OpenAI's chat. */
const refusalOf = (messages: readonly unknown[]): Finding | undefined =>
  validate(fromOpenAiChat(messages.filter((message) => isJsonObject(message))))[0];

const roleOf = (message: unknown): string | undefined =>
  isJsonObject(message) && typeof message.role === 'string' ? message.role : undefined;

/** The words of a plain message, or its parts as JSON. */
function contentOf(message: unknown): string {
  const content = isJsonObject(message) ? message.content : undefined;
  return typeof content === 'string' ? content : JSON.stringify(content ?? null);
}

const described = (value: unknown): string =>
  value === null
    ? 'null'
    : Array.isArray(value)
      ? 'a list'
      : typeof value === 'object'
        ? 'an object'
        : value === undefined
          ? 'undefined'
          : `a ${typeof value}`;
