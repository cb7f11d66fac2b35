/**
 * Makes room without a model: old tool results become one line, old arguments lose their long strings, repeated results
 * and old images go. Everything that goes can be expanded by the id in its place.
 */

import type { Message, Part, ToolCallPart, ToolResultPart } from '../../transcript/message.ts';
import { redactedPart } from '../../transcript/redact.ts';
import { lastGroup, resultText } from '../../transcript/text.ts';
import { requestRun } from '../handoff-block.ts';
import { outcomeOf } from '../outcome.ts';
import { cutMiddle, isUnparsed, sealedCalls, shortenArguments, withContent, withParts } from './cuts.ts';
import { imageMessages, imagePlaceholder, withoutBase64, withoutImages } from './images.ts';
import { shrinkTail } from './shrink-tail.ts';
import { hasStub, placeholderLine, stubLine } from './stub.ts';

/** What pruning may do. */
export interface PruneOptions {
  /** The id under which a message can be expanded, such as `m42`. */
  readonly refOf: (message: Message) => string;
  readonly tokensOf: (message: Message) => number;
  /** Tokens at the end that are protected. @default 20_000 */
  readonly tailTokens?: number;
  /** Messages at the end that are protected in any case. @default 8 */
  readonly minMessages?: number;
  /**
   * What an old result becomes: `stub` a line with its outcome, `placeholder` a fixed line, `head_tail` its first and
   * last 800 characters when it has over 2,000.
   * @default 'stub'
   */
  readonly mode?: 'stub' | 'placeholder' | 'head_tail';
  /** The newest messages with images that keep them. @default 3 */
  readonly keepImages?: number;
  /** Results over this length become stubs; from this length on they are compared with each other. @default 200 */
  readonly resultChars?: number;
  /**
   * Arguments over this length are shortened, and strings in them that are longer than 200 characters or that.
   * @default 500
   */
  readonly argumentChars?: number;
}

type PruneSettings = Required<PruneOptions>;

const pruneDefaults: Required<Omit<PruneOptions, 'refOf' | 'tokensOf'>> = {
  tailTokens: 20_000,
  minMessages: 8,
  mode: 'stub',
  keepImages: 3,
  resultChars: 200,
  argumentChars: 500,
};

/** Strings in arguments that are shortened are cut to this length. */
const leafChars = 200;

/** What `head_tail` keeps of a result of more than `minChars`. */
const headTail = { head: 800, tail: 800, minChars: 2_000 } as const;

/** One part that was replaced. */
export interface PruneChange {
  /** Index of the message. */
  readonly at: number;
  readonly kind: 'duplicate' | 'result' | 'arguments' | 'image' | 'base64' | 'truncated';
  /** Characters of the part before and after. */
  readonly before: number;
  readonly after: number;
}

export interface Pruned {
  readonly messages: readonly Message[];
  /** By the index of the message. */
  readonly changes: readonly PruneChange[];
  /** The first message that was protected. */
  readonly protectedFrom: number;
}

/** The list with everything pruned that may be; the same list object when nothing is. */
export function prune(messages: readonly Message[], options: PruneOptions): Pruned {
  const { at, changes, protectedFrom } = startPruning(messages, options);
  const pruned = messages.map((message, index) => at(index) ?? message);
  return {
    messages: changes.length > 0 ? pruned : messages,
    changes: changes.toSorted((one, other) => one.at - other.at),
    protectedFrom,
  };
}

/** A pruning that does no more than it is asked for: of a long list most goes into the summary, pruned or not. */
export interface Pruning extends Omit<Pruned, 'messages'> {
  /** The message at an index as the pruning leaves it. */
  readonly at: (index: number) => Message | undefined;
}

/** Prunes the protected messages, and each older one when it is asked for. */
export function startPruning(messages: readonly Message[], options: PruneOptions): Pruning {
  const settings = { ...pruneDefaults, ...options };
  const work = new PruneWork(messages, settings);
  // Results that the model has not seen yet are never old, however large they are.
  const protectedFrom = Math.min(protectionStart(messages, settings), work.unseen);
  const settled = new Set<number>();
  const settle = (at: number): void => {
    if (settled.has(at)) return;
    settled.add(at);
    work.dropDuplicates(at);
    if (at < protectedFrom) work.pruneOld(at);
    work.dropImages(at);
  };
  for (let at = protectedFrom; at < messages.length; at++) settle(at);
  work.relievePressure(protectedFrom);
  const at = (index: number): Message | undefined => {
    settle(index);
    return work.list[index];
  };
  return { at, changes: work.changes, protectedFrom };
}

/** Walks back until the token budget and the message floor are both met (P4). */
function protectionStart(messages: readonly Message[], { tokensOf, tailTokens, minMessages }: PruneSettings): number {
  let tokens = 0;
  return (
    1 +
    messages.findLastIndex((message, at) => {
      tokens += tokensOf(message);
      return tokens > tailTokens && messages.length - at > minMessages;
    })
  );
}

/** A tail over its budget by this factor is pruned too (P4). */
const pressureFactor = 1.5;

/** Replaces parts one by one and never touches the list it was made from. */
class PruneWork {
  readonly list: Message[];
  readonly changes: PruneChange[] = [];
  readonly #settings: PruneSettings;
  readonly #original: readonly Message[];
  /** Where the last group begins whose results the model has not seen yet. */
  readonly unseen: number;
  readonly #callOf: ReadonlyMap<ToolResultPart, ToolCallPart>;
  readonly #copies: ReadonlyMap<ToolResultPart, Copy>;
  readonly #losesImages: ReadonlySet<number>;
  readonly #sealed: ReadonlySet<Message>;

  constructor(messages: readonly Message[], settings: PruneSettings) {
    const last = lastGroup(messages);
    this.#original = messages;
    this.list = [...messages];
    this.#settings = settings;
    this.unseen = last && last.end - last.start > 1 ? last.start : messages.length;
    this.#callOf = callsOfResults(messages);
    this.#copies = olderCopies(messages, settings.resultChars);
    const spared = new Set(requestRun(messages));
    const old = imageMessages(messages).slice(settings.keepImages);
    this.#losesImages = new Set(old.filter((at) => at < this.unseen)).difference(spared);
    this.#sealed = sealedCalls(messages);
  }

  /** Ids belong to the messages as they came, not to what pruning has made of them. */
  #refAt(at: number): string {
    const message = this.#original[at];
    return message ? this.#settings.refOf(message) : '';
  }

  /** Replaces the parts of a message for which `change` gives another one. */
  #replace(at: number, kind: PruneChange['kind'], change: (part: Part) => Part): void {
    const message = this.list[at];
    if (!message) return;
    this.list[at] = withParts(message, (part) => {
      const next = change(part);
      if (next !== part) this.changes.push({ at, kind, before: charsOf(part), after: charsOf(next) });
      return next;
    });
  }

  #replaceResults(at: number, kind: PruneChange['kind'], change: (part: ToolResultPart) => ToolResultPart): void {
    this.#replace(at, kind, (part) => (part.type === 'toolResult' ? change(part) : part));
  }

  /** P1: the older copies of a repeated result point to the newest. */
  dropDuplicates(at: number): void {
    this.#replaceResults(at, 'duplicate', (part) => {
      const copy = this.#copies.get(part);
      if (copy?.at !== at) return part;
      const sameAs = this.#refAt(copy.newest);
      const line = stubLine({ call: this.#callOf.get(part), result: part, ref: this.#refAt(at), sameAs });
      return line.length < resultText(part).length ? withText(part, line) : part;
    });
  }

  /** P2 and P3 for one message. */
  pruneOld(at: number): void {
    const { argumentChars } = this.#settings;
    const limits = { maxArgumentChars: argumentChars, maxLeafChars: Math.min(leafChars, argumentChars) };
    this.#replaceResults(at, 'result', (part) => this.#shortResult(part, at));
    const message = this.#original[at];
    if (message && !this.#sealed.has(message)) {
      this.#replace(at, 'arguments', (part) =>
        part.type === 'toolCall' && !isUnparsed(part) ? shortenArguments(part, limits, this.#refAt(at)) : part,
      );
    }
    this.#replaceResults(at, 'image', (part) =>
      withContent(part, (one) => (one.type === 'file' ? (imagePlaceholder(one, this.#refAt(at)) ?? one) : one)),
    );
  }

  /** P5: only the newest messages with images keep them, and base64 in the texts of seen results goes everywhere. */
  dropImages(at: number): void {
    const ref = this.#refAt(at);
    if (this.#losesImages.has(at)) this.#replace(at, 'image', (part) => withoutImages(part, ref));
    if (at < this.unseen) this.#replaceResults(at, 'base64', (part) => withoutBase64(part, ref));
  }

  #shortResult(part: ToolResultPart, at: number): ToolResultPart {
    const text = resultText(part);
    if (part.server || text.length <= this.#settings.resultChars || hasStub(part)) return part;
    const short = this.#shortText(part, text, at);
    return short.length < text.length ? withText(part, short) : part;
  }

  #shortText(part: ToolResultPart, text: string, at: number): string {
    const { mode } = this.#settings;
    const call = this.#callOf.get(part);
    const ref = this.#refAt(at);
    if (mode === 'stub') return stubLine({ call, result: part, ref });
    if (mode === 'placeholder') return placeholderLine(ref, part);
    if (text.length <= headTail.minChars) return text;
    const { ok, firstErrorLine = '' } = outcomeOf(call, part);
    const remark = ok === false ? `FAILED ${firstErrorLine}`.trim() : '';
    return cutMiddle(resultText(redactedPart(part)), headTail, { ref, remark });
  }

  /**
   * P4: a tail over 1.5 × its budget is pruned from its oldest message on until it is not. Results that the model has not
   * seen yet come last, and are cut rather than replaced: it is waiting for them.
   */
  relievePressure(protectedFrom: number): void {
    const { list, unseen } = this;
    const { tokensOf, tailTokens } = this.#settings;
    const limit = tailTokens * pressureFactor;
    const sizes = list.slice(protectedFrom).map(tokensOf);
    let total = sizes.reduce((sum, one) => sum + one, 0);
    for (let at = protectedFrom; at < unseen && total > limit; at++) {
      const before = list[at];
      this.pruneOld(at);
      const after = list[at];
      if (after && after !== before) total += tokensOf(after) - (sizes[at - protectedFrom] ?? 0);
    }
    if (total <= limit || unseen === list.length) return;
    const waiting = list.slice(unseen);
    const seen = total - waiting.reduce((sum, message) => sum + tokensOf(message), 0);
    const refOf = (message: Message): string => this.#refAt(list.indexOf(message));
    const shrunk = shrinkTail(waiting, Math.max(limit - seen, tailTokens / 2), { tokensOf, refOf, only: 'results' });
    for (const i of shrunk.cutAt) {
      const results = shrunk.messages[i]?.parts ?? [];
      const parts = list[unseen + i]?.parts ?? [];
      this.#replace(unseen + i, 'truncated', (part) => results[parts.indexOf(part)] ?? part);
    }
  }
}

/** The call that each result answers. */
function callsOfResults(messages: readonly Message[]): ReadonlyMap<ToolResultPart, ToolCallPart> {
  const found = new Map<ToolResultPart, ToolCallPart>();
  const calls = new Map<string, ToolCallPart>();
  for (const part of messages.flatMap(({ parts }) => parts)) {
    if (part.type === 'toolCall') calls.set(part.callId, part);
    const call = part.type === 'toolResult' ? calls.get(part.callId) : undefined;
    if (call && part.type === 'toolResult') found.set(part, call);
  }
  return found;
}

/** The result with its texts replaced by one; images stay until their own rule takes them. */
const withText = (part: ToolResultPart, text: string): ToolResultPart => {
  return { ...part, content: [{ type: 'text', text }, ...part.content.filter((one) => one.type === 'image')] };
};

function charsOf(part: Part): number {
  switch (part.type) {
    case 'toolResult':
      return part.content.reduce((sum, one) => sum + charsOf(one), 0);
    case 'toolCall':
      return part.input.length;
    case 'image':
    case 'file':
      return (part.data ?? part.url ?? part.fileId ?? '').length;
    case 'text':
    case 'reasoning':
      return part.text.length;
    case 'other':
      return JSON.stringify(part.value).length;
  }
}

/** An older copy of a result: where it stands, and where the newest one does. */
interface Copy {
  readonly at: number;
  readonly newest: number;
}

/** Every result of at least `minChars` whose very same text came again later. Only results of plain text count. */
function olderCopies(messages: readonly Message[], minChars: number): ReadonlyMap<ToolResultPart, Copy> {
  const all = messages.flatMap(({ parts }, at) =>
    parts.flatMap((part) => {
      if (part.type !== 'toolResult' || part.server) return [];
      const [only, ...more] = part.content;
      const text = more.length === 0 && only?.type === 'text' ? only.text : undefined;
      return text !== undefined && text.length >= minChars && !hasStub(part) ? [{ part, text, at }] : [];
    }),
  );
  const copies = new Map<ToolResultPart, Copy>();
  // Nearly all results are told apart by their length and their end, without a look at the whole text. A failure is no
  // copy of a success with the same words.
  const byLength = [...Map.groupBy(all, ({ text }) => text.length).values()].filter(({ length }) => length > 1);
  const byShape = Map.groupBy(
    byLength.flat(),
    ({ part, text }) => `${part.isError ?? ''} ${text.length} ${text.slice(-40)}`,
  );
  for (const alike of byShape.values()) {
    if (alike.length === 1) continue;
    // The text itself is the key: two texts with one hash must not become one.
    const newestOf = new Map<string, number>();
    for (const { part, text, at } of alike.toReversed()) {
      const newest = newestOf.get(text);
      if (newest === undefined) newestOf.set(text, at);
      else copies.set(part, { at, newest });
    }
  }
  return copies;
}
