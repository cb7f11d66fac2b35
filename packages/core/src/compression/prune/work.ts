/** A list of messages on its way through a pruning, with what it was and what was changed. */
import { lastGroup } from '../../transcript/groups.ts';
import type { Message, Part, ToolCallPart, ToolResultPart } from '../../transcript/message.ts';
import { redactedPart } from '../../transcript/redact.ts';
import { resultText } from '../../transcript/text.ts';
import { outcomeOf } from '../outcome.ts';
import { isUnparsed, sealedCalls, shortenArguments } from './arguments.ts';
import { cutMiddle } from './cut-text.ts';
import { imagePlaceholder } from './images.ts';
import { headTail, leafChars, type PruneChange, type PruneSettings } from './options.ts';
import { hasStub, placeholderLine, stubLine } from './stub.ts';

/** Replaces parts one by one and never touches the list it was made from. */
export class PruneWork {
  readonly list: Message[];
  readonly changes: PruneChange[] = [];
  readonly settings: PruneSettings;
  readonly original: readonly Message[];
  /** Where the last group begins whose results the model has not seen yet. */
  readonly unseen: number;
  readonly #callOf: ReadonlyMap<ToolResultPart, ToolCallPart>;
  readonly #sealed: ReadonlySet<Message>;

  constructor(messages: readonly Message[], settings: PruneSettings) {
    this.original = messages;
    this.list = [...messages];
    this.settings = settings;
    this.unseen = unseenFrom(messages);
    this.#callOf = callsOfResults(messages);
    this.#sealed = sealedCalls(messages);
  }

  refAt(at: number): string {
    const message = this.original[at];
    return message ? this.settings.refOf(message) : '';
  }

  /** Replaces the parts of a message for which `change` gives another one. */
  replace(at: number, kind: PruneChange['kind'], change: (part: Part) => Part): void {
    const message = this.list[at];
    if (!message) return;
    let changed = false;
    const parts = message.parts.map((part) => {
      const next = change(part);
      if (next === part) return part;
      changed = true;
      this.changes.push({ at, kind, before: charsOf(part), after: charsOf(next) });
      return next;
    });
    if (changed) this.list[at] = { ...message, parts };
  }

  /** P2 and P3 for one message. */
  pruneOld(at: number): void {
    const { argumentChars: maxArgumentChars } = this.settings;
    const limits = { maxArgumentChars, maxLeafChars: Math.min(leafChars, maxArgumentChars) };
    this.replace(at, 'result', (part) => (part.type === 'toolResult' ? this.#shortResult(part, at) : part));
    const message = this.original[at];
    if (message && !this.#sealed.has(message)) {
      this.replace(at, 'arguments', (part) =>
        part.type === 'toolCall' && !isUnparsed(part) ? shortenArguments(part, limits, this.refAt(at)) : part,
      );
    }
    this.replace(at, 'image', (part) => (part.type === 'toolResult' ? this.#withoutFiles(part, at) : part));
  }

  stub(part: ToolResultPart, at: number, sameAs?: string): string {
    const call = this.#callOf.get(part);
    return stubLine({ call, result: part, ref: this.refAt(at), ...(sameAs === undefined ? {} : { sameAs }) });
  }

  #shortResult(part: ToolResultPart, at: number): ToolResultPart {
    const text = resultText(part);
    if (part.server || text.length <= this.settings.resultChars || hasStub(part)) return part;
    const short = this.#shortText(part, text, at);
    return short.length < text.length ? withText(part, short) : part;
  }

  #shortText(part: ToolResultPart, text: string, at: number): string {
    const { mode } = this.settings;
    if (mode === 'stub') return this.stub(part, at);
    if (mode === 'placeholder') return placeholderLine(this.refAt(at), part);
    const { headChars, tailChars, minChars } = headTail;
    if (text.length <= Math.max(minChars, headChars + tailChars)) return text;
    const { ok, firstErrorLine } = outcomeOf(this.#callOf.get(part), part);
    const remark = ok === false ? `FAILED ${firstErrorLine ?? ''}`.trim() : '';
    return cutMiddle(
      resultText(redactedPart(part)),
      { head: headChars, tail: tailChars },
      { ref: this.refAt(at), remark },
    );
  }

  #withoutFiles(part: ToolResultPart, at: number): ToolResultPart {
    if (part.server || !part.content.some((one) => one.type === 'file' && one.data !== undefined)) return part;
    const content = part.content.map((one) =>
      one.type === 'file' ? (imagePlaceholder(one, this.refAt(at)) ?? one) : one,
    );
    return { ...part, content };
  }
}

/** The start of a last group whose results the model has not seen yet; the end of the list when there is none. */
function unseenFrom(messages: readonly Message[]): number {
  const last = lastGroup(messages);
  return last && last.end - last.start > 1 ? last.start : messages.length;
}

/** The call that each result answers. */
function callsOfResults(messages: readonly Message[]): ReadonlyMap<ToolResultPart, ToolCallPart> {
  const found = new Map<ToolResultPart, ToolCallPart>();
  const calls = new Map<string, ToolCallPart>();
  for (const { parts } of messages) {
    for (const part of parts) {
      if (part.type === 'toolCall') calls.set(part.callId, part);
      const call = part.type === 'toolResult' ? calls.get(part.callId) : undefined;
      if (call && part.type === 'toolResult') found.set(part, call);
    }
  }
  return found;
}

/** The result with its texts replaced by one; images stay until their own rule takes them. */
export function withText(part: ToolResultPart, text: string): ToolResultPart {
  return { ...part, content: [{ type: 'text', text }, ...part.content.filter((one) => one.type === 'image')] };
}

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
