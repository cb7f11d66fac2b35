/** Answers of Chat Completions, whole and in chunks, as the message that the client sends back. Only choice 0 is read. */

import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import {
  type Assembler,
  append,
  charsForPlaces,
  charsIn,
  errorIn,
  extend,
  type Growing,
  inOrder,
  type Keep,
  type Places,
  put,
  replaceLast,
  reportIn,
} from '../assembler.ts';
import type { AddedText } from '../text-run.ts';
import { asList, asName, asObject, is, omit } from '../values.ts';

/** A reader of the answers of `POST /v1/chat/completions`. */
export function createChatAssembler(keep: Keep): Assembler {
  let message: Growing | undefined;
  const calls: Places = new Map();
  let usage: JsonObject | undefined;
  let model: string | undefined;
  let finish: string | undefined;
  let error: JsonObject | undefined;
  let isDone = false;

  const readAround = (body: JsonObject): JsonObject => {
    model ??= asName(body.model);
    // Groq reports the usage of a stream beside its own name.
    usage = reportIn(body.usage) ?? reportIn(asObject(body.x_groq).usage) ?? usage;
    const choice = asList(body.choices).map(asObject).find(isFirst) ?? {};
    finish = asName(choice.finish_reason) ?? finish;
    error ??= errorIn(body) ?? errorIn(choice);
    return choice;
  };
  const replace = (said: JsonObject): void => {
    keep(charsIn(said));
    calls.clear();
    message = { ...said, role: 'assistant' };
  };

  return {
    event: (chunk) => {
      const { delta, message: said } = readAround(chunk);
      if (isJsonObject(delta)) {
        message ??= { role: 'assistant' };
        keep(charsIn(delta));
        addDelta(message, delta, calls);
        keep(charsForPlaces(calls));
      } else if (isJsonObject(said)) replace(said);
    },
    done: () => {
      isDone = true;
    },
    whole: (body) => {
      const { message: said } = readAround(body);
      if (isJsonObject(said)) replace(said);
      isDone = isJsonObject(said);
    },
    assembled: () => {
      const isWhole = message !== undefined && error === undefined && (isDone || finish !== undefined);
      return { said: message ? [messageOf(message, calls)] : [], usage, model, finish, error, isWhole };
    },
  };
}

const isFirst = ({ index }: JsonObject): boolean => index === undefined || index === null || index === 0;

function messageOf(message: Growing, calls: Places): JsonObject {
  const whole: Growing = { ...message, content: message.content ?? null };
  if (calls.size > 0) whole.tool_calls = inOrder(calls).map((call) => omit(call, ['index']));
  return whole;
}

const texts: ReadonlySet<string> = new Set(['refusal', 'reasoning', 'reasoning_content']);

function addDelta(message: Growing, delta: JsonObject, calls: Places): void {
  for (const [name, value] of Object.entries(delta)) {
    if (name === 'role') continue;
    if (value === null) put(message, name, message[name] ?? null);
    else if (name === 'content') addContent(message, value);
    else if (texts.has(name)) append(message, name, value);
    else if (name === 'tool_calls') for (const call of asList(value)) addCall(calls, asObject(call));
    else if (name === 'reasoning_details') for (const detail of asList(value)) addDetail(message, detail);
    else if (name === 'audio' || name === 'function_call') {
      message[name] = addTexts(asObject(message[name]), asObject(value), ['data', 'transcript', 'arguments']);
    } else if (is.list(value)) extend(message, name, value);
    else put(message, name, value);
  }
}

/** The text of a chunk that has one, and neither an end nor a report nor an error. */
export function chatText(chunk: JsonObject): AddedText | undefined {
  const [choice, ...others] = asList(chunk.choices).map(asObject);
  if (!choice || others.length > 0 || !isFirst(choice)) return undefined;
  const isSilent =
    reportIn(chunk.usage) === undefined &&
    reportIn(asObject(chunk.x_groq).usage) === undefined &&
    asName(choice.finish_reason) === undefined &&
    errorIn(chunk) === undefined &&
    errorIn(choice) === undefined;
  const added = isSilent && isJsonObject(choice.delta) ? deltaText(choice.delta) : undefined;
  return (
    added && {
      text: added.text,
      withText: (text) => ({ ...chunk, choices: [{ ...choice, delta: added.withText(text) }] }),
    }
  );
}

/** The only member that says something, where that is a text or the input of a call that has begun. */
function deltaText(delta: JsonObject): AddedText | undefined {
  const [said, ...others] = Object.entries(delta).filter(([name, value]) => name !== 'role' && value !== null);
  if (!said || others.length > 0) return undefined;
  const [member, value] = said;
  if (is.text(value) && (member === 'content' || texts.has(member)))
    return { text: value, withText: (text) => ({ ...delta, [member]: text }) };
  if (member !== 'tool_calls') return undefined;
  const added = callText(asList(value));
  return added && { text: added.text, withText: (text) => ({ ...delta, tool_calls: [added.withText(text)] }) };
}

function callText([fragment, ...others]: readonly JsonValue[]): AddedText | undefined {
  if (others.length > 0 || !isJsonObject(fragment)) return undefined;
  const { index, function: called, ...more } = fragment;
  const { arguments: input, ...about } = asObject(called);
  const isAlone = Object.keys(more).length === 0 && Object.keys(about).length === 0;
  if (!isAlone || typeof index !== 'number' || !is.text(input)) return undefined;
  return { text: input, withText: (text) => ({ index, function: { arguments: text } }) };
}

/** The members of a piece over those before it; the named ones are texts that go on. */
function addTexts(before: JsonObject, piece: JsonObject, growing: readonly string[]): Growing {
  const grown: Growing = { ...before };
  for (const [name, value] of Object.entries(piece)) {
    if (growing.includes(name) && is.text(value)) append(grown, name, value);
    else if (value !== null || grown[name] === undefined) put(grown, name, value);
  }
  return grown;
}

/** Content is a text in nearly every stream; Mistral sends lists where it reasons. */
function addContent(message: Growing, value: JsonValue): void {
  const { content } = message;
  if (is.text(value) && !is.list(content)) {
    append(message, 'content', value);
    return;
  }
  const before = is.text(content) && content !== '' ? [{ type: 'text', text: content }] : [];
  if (!is.list(content)) message.content = before;
  const pieces = is.text(value) ? (value === '' ? [] : [{ type: 'text', text: value }]) : asList(value);
  for (const piece of pieces) addPiece(message, 'content', piece);
}

/** Adds a piece to a list; a text or thought that goes on from the one before it becomes one with it. */
function addPiece(target: Growing, member: string, piece: JsonValue): void {
  const last = asObject(asList(target[member]).at(-1));
  const { type, text, thinking } = asObject(piece);
  const open: Growing = { ...last };
  if (type !== undefined && last.type === type && is.text(text) && is.text(last.text)) append(open, 'text', text);
  else if (type !== undefined && last.type === type && is.list(thinking) && is.list(last.thinking)) {
    for (const one of thinking) addPiece(open, 'thinking', one);
  } else {
    extend(target, member, [piece]);
    return;
  }
  replaceLast(target, member, open);
}

/** Fragments of one call have one index. A server that numbers all of them alike begins each with an id of its own. */
function addCall(calls: Places, fragment: JsonObject): void {
  const at = placeOfCall(calls, fragment);
  const call = calls.get(at) ?? { type: 'function' };
  calls.set(at, call);
  for (const [name, value] of Object.entries(fragment)) {
    if (name === 'function') call.function = addInput(asObject(call.function), asObject(value), 'arguments');
    else if (name === 'custom') call.custom = addInput(asObject(call.custom), asObject(value), 'input');
    else if (value !== null && value !== '') put(call, name, value);
  }
}

const addInput = (before: JsonObject, piece: JsonObject, member: 'arguments' | 'input'): Growing => {
  const grown: Growing = { [member]: '', ...before };
  for (const [name, value] of Object.entries(piece)) {
    if (name === member && is.text(value)) append(grown, member, value);
    else if (value !== null && value !== '') put(grown, name, value);
  }
  return grown;
};

function placeOfCall(calls: Places, { index, id, function: called, custom }: JsonObject): number {
  if (typeof index === 'number') {
    const open = calls.get(index);
    const isNamed = is.name(asObject(called).name) || is.name(asObject(custom).name);
    if (!isNamed || !is.name(id) || !is.name(open?.id) || open.id === id) return index;
  }
  const places = [...calls.keys()];
  const known = is.name(id) ? places.findLast((at) => calls.get(at)?.id === id) : places.at(-1);
  return known ?? places.reduce((largest, at) => Math.max(largest, at), -1) + 1;
}

/** Details of reasoning go on while their type and index stay the same; sealed ones come whole. */
function addDetail(message: Growing, detail: JsonValue): void {
  const details = asList(message.reasoning_details);
  const last = asObject(details.at(-1));
  const piece = asObject(detail);
  const goesOn = ['text', 'summary', 'signature'].some((name) => is.text(piece[name])) && piece.data === undefined;
  if (!goesOn || last.type !== piece.type || last.index !== piece.index || last.data !== undefined) {
    extend(message, 'reasoning_details', [detail]);
    return;
  }
  replaceLast(message, 'reasoning_details', addTexts(last, piece, ['text', 'summary']));
}
