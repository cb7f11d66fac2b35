/**
 * Messages as they were said: without the marks of prompt caches, which clients move from request to request, and without the form
 * that a text was sent in, which they change with the marks. What is said stays the same message, and its conversation one.
 */
import type { Message, Part } from '@palimpsest/core';
import { isJsonObject } from '@palimpsest/core/settings';
import type { Body, NextMessage } from '@palimpsest/core/wire';

/** Whatever a format keeps beside what is said. */
type Extra = NonNullable<Message['extra']>;

/** A message, a part of it, or a content of a result. */
interface Formed {
  readonly extra?: Extra;
}

const marks: ReadonlySet<string> = new Set(['cache_control', 'prompt_cache_breakpoint']);

/** The message without marks and form; the same object where it has none. */
export function saidForm(message: Message): Message {
  const parts = sameOr(message.parts, saidPart);
  const bare = bareOf(message);
  return parts === message.parts ? bare : { ...bare, parts };
}

function saidPart(part: Part): Part {
  const bare = bareOf(part);
  if (bare.type !== 'toolResult') return bare;
  const content = sameOr(bare.content, bareOf);
  return content === bare.content ? bare : { ...bare, content };
}

function bareOf<T extends Formed>(value: T): T {
  const { extra } = value;
  if (extra === undefined) return value;
  const fields = Object.entries(extra.fields);
  const kept = fields.flatMap(([name, field]): readonly (readonly [string, typeof field])[] => {
    if (marks.has(name)) return [];
    if (name !== '#' || !isJsonObject(field) || field.content !== 'list') return [[name, field]];
    const { content: _, ...hints } = field;
    return Object.keys(hints).length === 0 ? [] : [[name, hints]];
  });
  const isSame = kept.length === fields.length && kept.every(([, field], at) => field === fields[at]?.[1]);
  if (isSame) return value;
  const { extra: _, ...rest } = value;
  // Without what stood beside it, it is what it was.
  return (kept.length === 0 ? rest : { ...rest, extra: { ...extra, fields: Object.fromEntries(kept) } }) as T;
}

function sameOr<T>(list: readonly T[], change: (one: T) => T): readonly T[] {
  const next = list.map(change);
  return next.every((one, at) => one === list[at]) ? list : next;
}

/** The body as far as its messages are compared: each as it was said. */
export function saidBody(body: Body): Body {
  const entries = body.entries.map((entry) => ({ ...entry, message: saidForm(entry.message) }));
  return { ...body, entries, messages: entries.map(({ message }) => message) };
}

/** A message that was changed gets back the marks and the form that the client gave it. */
export function inForm(body: Body, next: NextMessage): NextMessage {
  const original = next.type === 'changed' ? body.entries[next.at]?.message : undefined;
  if (next.type !== 'changed' || !original) return next;
  const parts = next.message.parts.map((part, at) => formed(part, likeIn(original.parts, part, at)));
  return { ...next, message: { ...withExtra(next.message, original), parts } };
}

function likeIn(parts: readonly Part[], part: Part, at: number): Part | undefined {
  const one = 'callId' in part ? parts.find((like) => 'callId' in like && like.callId === part.callId) : parts[at];
  return one?.type === part.type ? one : undefined;
}

function formed(part: Part, original: Part | undefined): Part {
  if (original === undefined) return part;
  const own = withExtra(part, original);
  if (own.type !== 'toolResult' || original.type !== 'toolResult') return own;
  const content = own.content.map((one, at) => {
    const like = original.content[at];
    return like?.type === one.type ? withExtra(one, like) : one;
  });
  return { ...own, content };
}

const withExtra = <T extends Formed>(value: T, { extra }: Formed): T =>
  extra === undefined ? value : { ...value, extra };
