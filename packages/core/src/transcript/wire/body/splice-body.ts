/** Puts other messages into the body of a request, and leaves the bytes of everything else as they came. */

import { PalimpsestError } from '../../../shared/errors.ts';
import { isJsonObject, type JsonValue } from '../../../shared/json.ts';
import {
  type Edit,
  edited,
  isSameJson,
  listAt,
  listText,
  type NewElement,
  patched,
  patchedElements,
  type WrittenList,
} from '../../../shared/json-patch.ts';
import { membersOf, type Span } from '../../../shared/json-spans.ts';
import type { Message } from '../../message.ts';
import { messageText } from '../../text.ts';
import { systemNote } from '../turns.ts';
import { is } from '../values.ts';
import { checkSpliced, isKept, unfit } from './check-spliced.ts';
import { bodyFormatOf } from './formats.ts';
import { type Body, type BodyEntry, elementsOf, valueAt } from './read-body.ts';

/** A message of the new body: one of the old as it is, one of the old with something changed in it, or a new one. */
export type NextMessage =
  /** Its bytes stay. `at` is the index of its entry. */
  | { readonly type: 'kept'; readonly at: number }
  /** What both say alike keeps its bytes: only texts that are others are written, and parts that are new. */
  | { readonly type: 'changed'; readonly at: number; readonly message: Message }
  | { readonly type: 'new'; readonly message: Message };

/** What else is changed in a body. */
export interface SpliceOptions {
  /** Ask for no more output than this. @default as the client wrote it */
  readonly maxTokens?: number;
  /** True for a body that asks for a count of tokens: it says nothing of output, which a request for an answer has to. @default false */
  readonly isCount?: boolean;
}

/**
 * The body with these messages in place of its own. Whatever is kept stands in it byte for byte, and with everything kept in its
 * order the very text of the body comes back. A system prompt that stands beside the list must stay; new ones right behind it
 * become parts of it where the dialect wants that. No mark of a prompt cache is ever moved or added: it goes with what it marks.
 *
 * @throws BODY_UNFIT where its provider would refuse the result, or what it has signed would not come back whole: send the original;
 * BAD_OPTION for a limit that is none
 *
 * @example
 * import { readBody, spliceBody } from '@palimpsest/core/wire';
 * const body = readBody('openai-chat', '{"model":"m","messages":[{"role":"user","content":"Hello"}], "top_p": 1.0}');
 * spliceBody(body, [{ type: 'new', message: { role: 'user', parts: [{ type: 'text', text: 'Bye' }] } }]);
 * // {"model":"m","messages":[{"role":"user","content":"Bye"}], "top_p": 1.0}
 */
export function spliceBody(body: Body, next: readonly NextMessage[], options: SpliceOptions = {}): string {
  const { maxTokens, isCount = false } = options;
  const entries = next.map((one) => (one.type === 'new' ? undefined : entryAt(body, one.at)));
  const isWhole = next.length === body.entries.length && next.every((one, at) => one.type === 'kept' && one.at === at);
  if (isWhole && (maxTokens === undefined || maxTokens === body.maxTokens)) return body.text;
  for (const [at, one] of next.entries()) {
    const entry = entries[at];
    if (one.type === 'changed' && entry && !isKept(entry.message, one.message))
      throw unfit(body.dialect, `something that its provider has signed in message ${one.at} was changed or left out`);
  }
  const work = isWhole ? { body, text: body.text, list: undefined } : beginWork(body);
  const edits = isWhole ? [] : messageEdits(work, next);
  const text = edited(work.text, maxTokens === undefined ? edits : [...edits, limitEdit(work, maxTokens)]);
  checkSpliced(body, text, isCount);
  return text;
}

function messageEdits(work: Work, next: readonly NextMessage[]): readonly Edit[] {
  const { lead, rest } = parted(work.body, next);
  return [...systemEdits(work, lead), ...listEdits(work, rest)];
}

/** A body whose list of messages is a list, whatever it was. */
interface Work {
  readonly body: Body;
  readonly text: string;
  readonly list: WrittenList | undefined;
}

function beginWork(body: Body): Work {
  const { list: name } = bodyFormatOf(body.dialect);
  const values = elementsOf(body);
  if (!is.text(body.value[name])) {
    const span = memberIn(body.text, name);
    return { body, text: body.text, list: span && listAt(body.text, span, values) };
  }
  // A plain text means a list with one message, in which the text stays as it was written.
  const span = memberIn(body.text, name) ?? { start: 0, end: 0 };
  const token = body.text.slice(span.start, span.end);
  const opened = `[{"role":"user","content":${token}}]`;
  const text = edited(body.text, [{ ...span, text: opened }]);
  return { body, text, list: listAt(text, { start: span.start, end: span.start + opened.length }, values) };
}

function memberIn(text: string, name: string, start = 0): Span | undefined {
  const member = membersOf(text, start).find((one) => one.name === name);
  return member && { start: member.start, end: member.end };
}

function entryAt(body: Body, at: number): BodyEntry {
  const entry = body.entries[at];
  if (entry) return entry;
  throw unfit(body.dialect, `there is no message ${at}: the body has ${body.entries.length}`);
}

/** Parts the messages into those that belong to the system prompt beside the list, and those of the list. */
function parted(
  body: Body,
  next: readonly NextMessage[],
): { lead: readonly NextMessage[]; rest: readonly NextMessage[] } {
  const { joinsSystems } = bodyFormatOf(body.dialect);
  const isField = (one: NextMessage): boolean => one.type !== 'new' && body.entries[one.at]?.field !== undefined;
  const leads = (one: NextMessage): boolean =>
    isField(one) || (joinsSystems === true && one.type === 'new' && one.message.role === 'system');
  const found = next.findIndex((one) => !leads(one));
  const end = found < 0 ? next.length : found;
  const [lead, rest] = [next.slice(0, end), next.slice(end)];
  const given = body.entries.filter(({ field }) => field !== undefined).length;
  if (lead.filter(isField).length !== given || rest.some(isField))
    throw unfit(body.dialect, 'the system prompt is left out or no longer leads');
  return { lead, rest };
}

// The system prompt beside the list.

function systemEdits({ body, text }: Work, lead: readonly NextMessage[]): readonly Edit[] {
  const format = bodyFormatOf(body.dialect);
  const given = lead.find((one) => one.type !== 'new');
  const parts = lead.flatMap((one) => (one.type === 'new' ? one.message.parts : []));
  if (parts.length === 0 && given?.type !== 'changed') return [];
  const entry = given && body.entries[given.at];
  const base: Message = given?.type === 'changed' ? given.message : (entry?.message ?? { role: 'system', parts: [] });
  const after = format.writeSystem({ ...base, parts: [...base.parts, ...parts] });
  if (after === undefined) throw unfit(body.dialect, 'the system prompt has no text');
  const { field } = entry ?? {};
  if (field !== undefined) {
    const before = body.value[field] ?? null;
    const span = memberIn(text, field);
    if (!entry || !span || !isSameJson(before, format.writeSystem(entry.message) ?? null))
      throw unfit(body.dialect, 'the system prompt cannot be written as it was read');
    return [{ ...span, text: patched(text, { span, value: before }, after) }];
  }
  const members = membersOf(text);
  const empty = members.find((member) => format.systems.includes(member.name));
  if (empty) return [{ start: empty.start, end: empty.end, text: JSON.stringify(after) }];
  // In front of the list, as clients write it.
  const [name = ''] = format.systems;
  const start = members.find((member) => member.name === format.list)?.nameStart ?? 1;
  return [{ start, end: start, text: `${JSON.stringify(name)}:${JSON.stringify(after)},` }];
}

// The list of messages.

function listEdits(work: Work, rest: readonly NextMessage[]): readonly Edit[] {
  const { body, text, list } = work;
  if (!list) {
    if (rest.length === 0) return [];
    throw unfit(body.dialect, 'the body has no list of messages to put one into');
  }
  const elements = rest.flatMap((one) => elementsFor(work, list, one));
  return [{ ...list.span, text: listText(text, list, elements) }];
}

function elementsFor({ body, text }: Work, list: WrittenList, one: NextMessage): readonly NewElement[] {
  const format = bodyFormatOf(body.dialect);
  if (one.type === 'new') return newElements(body, one.message).map((value) => ({ text: JSON.stringify(value) }));
  const { message, from, to } = entryAt(body, one.at);
  const before = list.elements.slice(from, to);
  if (one.type === 'kept') {
    return before.map(({ span }, at) => ({ text: text.slice(span.start, span.end), of: from + at }));
  }
  const values = before.map(({ value }) => value);
  if (!isSameJson(values, format.write(message)))
    throw unfit(body.dialect, `message ${one.at} cannot be written as it was read`);
  return patchedElements(text, before, format.write(one.message)).map(({ text, of }) => ({
    text,
    ...(of === undefined ? {} : { of: from + of }),
  }));
}

/** A text alone is written as briefly as can be; a late system prompt is a note of the host where the dialect has none. */
function newElements(body: Body, message: Message): readonly JsonValue[] {
  const { joinsSystems, brief, write } = bodyFormatOf(body.dialect);
  const { role, parts } = message;
  const isNote = role === 'system' && joinsSystems === true;
  const isText = role !== 'tool' && parts.length > 0 && parts.every((part) => part.type === 'text');
  if (!isText || (parts.length > 1 && role === 'assistant')) return write(message);
  const text = messageText(message);
  if (isNote) return [brief('user', systemNote(text))];
  if (parts.length > 1 && role !== 'system') return write(message);
  const value = brief(role, text);
  // A body speaks to its model as a developer or as the system, never as both.
  return [role === 'system' && speaksAsDeveloper(body) ? { ...value, role: 'developer' } : value];
}

const speaksAsDeveloper = (body: Body): boolean =>
  elementsOf(body).some((value) => isJsonObject(value) && value.role === 'developer');

function limitEdit({ body, text }: Work, maxTokens: number): Edit {
  if (!Number.isSafeInteger(maxTokens) || maxTokens < 1) {
    throw new PalimpsestError('BAD_OPTION', `expected a whole number of tokens above 0 as maxTokens, got ${maxTokens}`);
  }
  const paths = bodyFormatOf(body.dialect).maxTokens;
  const path = paths.find((one) => typeof valueAt(body.value, one) === 'number');
  if (!path) throw unfit(body.dialect, 'the client sets no limit for the output that could be lowered');
  let span: Span | undefined = { start: 0, end: text.length };
  for (const name of path) span = span && memberIn(text, name, span.start);
  return { ...(span ?? { start: 0, end: 0 }), text: String(maxTokens) };
}
