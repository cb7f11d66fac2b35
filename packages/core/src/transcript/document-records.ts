/**
 * Splits a JSON document while it streams in: one record an element of its message lists, and at the end the envelope.
 *
 *     [ {message}, {message} ]                         a bare list: elements, envelope []
 *     { "model": …, "messages": [ {message} ] }        elements, envelope { "model": …, "messages": [] }
 *     [ { "id": …, "messages": [ … ] }, [ … ] ]        elements with conversation 0, 1, …; envelope [ { … }, [] ]
 *     { … } { … }                                      several documents behind each other: as the line above
 *
 * An object without a message list is itself one record. Only brackets and strings are followed here; whether a value
 * is JSON, `JSON.parse` decides when its last byte is there.
 */
import type { JsonValue } from '../shared/json.ts';
import { type ByteWindow, brokenBytes, problem, type ReadProblem, readValue, type Stretch } from './byte-window.ts';
import { isListKey, isMessageKey, type SourceRecord } from './format.ts';

type Found = SourceRecord | ReadProblem;

/** A step that pauses while the window has nothing more; false when the file ends before the step does. */
type Step<T = boolean> = Generator<void, T, void>;

/** A list of messages, or (outer) one that stands directly in the file: its elements may be conversations. */
interface List {
  readonly isOuter: boolean;
  readonly key?: string | undefined;
  /** Number of the conversation; -1 until an element needs one. */
  conversation: number;
}

const quote = 0x22;
const comma = 0x2c;
const [listStart, listEnd, objectStart, objectEnd] = [0x5b, 0x5d, 0x7b, 0x7d] as const;
const opens = (unit: number | undefined): boolean => unit === listStart || unit === objectStart;

/** White space, a comma or a closing bracket stands behind a number or a literal. */
const endsScalar = (unit: number | undefined): boolean =>
  unit === undefined || unit <= 0x20 || unit === comma || unit === listEnd || unit === objectEnd;

export class DocumentRecords {
  #window: ByteWindow;
  #steps: Step<void>;
  #ended = false;
  #found: Found[] = [];
  #at = 0;
  #line = 1;
  /** Where the search for the end of a string goes on. */
  #searched = 0;
  /** The first position of the value that is being passed over, or of what stands around the lists of an object. */
  #needed: number = Number.POSITIVE_INFINITY;
  /** The line of the list element that is being passed over. */
  #elementLine = 0;
  #root: { readonly start: number; readonly line: number; readonly isList: boolean } | undefined;
  #roots = 0;
  #conversations = 0;
  #envelopes: JsonValue[] = [];
  #hasInner = false;
  #strayLine = 0;

  constructor(window: ByteWindow) {
    this.#window = window;
    this.#steps = this.#file();
  }

  scan(ended: boolean): Found[] {
    this.#found = [];
    this.#ended = ended;
    this.#steps.next();
    if (!ended) this.#window.keep = Math.min(this.#at, this.#needed);
    return this.#found;
  }

  *#file(): Step<void> {
    for (let unit = yield* this.#next(); unit !== undefined; unit = yield* this.#next()) {
      if (!opens(unit)) {
        this.#stray();
        if (unit !== quote) this.#at++;
        else if (!(yield* this.#pass())) break;
        this.#stray();
        continue;
      }
      const isList = unit === listStart;
      this.#root ??= { start: this.#at, line: this.#line, isList };
      this.#roots++;
      const list: List = { isOuter: true, conversation: -1 };
      if (!(yield* isList ? this.#list(list) : this.#object(undefined))) break;
      if (isList && !this.#hasInner) this.#needConversation(list);
    }
    this.#finish();
  }

  /** Goes to the next unit that is no white space; undefined at the end of the file. */
  *#next(): Step<number | undefined> {
    for (;;) {
      const { units, origin, end } = this.#window;
      for (; this.#at < end; this.#at++) {
        const unit = units[this.#at - origin] ?? 0;
        if (unit > 0x20) return unit;
        if (unit === 10) this.#line++;
      }
      if (this.#ended) return undefined;
      yield;
    }
  }

  /** Passes over a value. Inside of one only brackets, strings and line breaks matter; this loop sees most bytes of a file. */
  *#pass(): Step {
    let depth = 0;
    let isScalar = false;
    for (;;) {
      const { units, origin, end } = this.#window;
      while (this.#at < end) {
        const unit = units[this.#at - origin];
        if (isScalar && endsScalar(unit)) return true;
        if (unit === quote && !isScalar) {
          if (!this.#passString()) break;
          if (depth === 0) return true;
          continue;
        }
        this.#at++;
        if (unit === 10) this.#line++;
        else if (isScalar) continue;
        else if (opens(unit)) depth++;
        else if (depth === 0) isScalar = true;
        else if ((unit === objectEnd || unit === listEnd) && --depth === 0) return true;
      }
      if (this.#ended) return false;
      yield;
    }
  }

  /** Goes behind the string that begins here; false when its end is not in the window yet. */
  #passString(): boolean {
    const { units, origin, end } = this.#window;
    const start = this.#at - origin;
    const from = Math.max(this.#searched - origin, start + 1);
    for (let index = units.indexOf(quote, from); index >= 0; index = units.indexOf(quote, index + 1)) {
      let slashes = 0;
      while (units[index - 1 - slashes] === 0x5c && index - 1 - slashes > start) slashes++;
      if (slashes % 2 !== 0) continue;
      // A line break inside a string is not JSON, but the lines behind it must still be numbered right.
      for (let i = start; i < index; i++) if (units[i] === 10) this.#line++;
      this.#at = origin + index + 1;
      return true;
    }
    this.#searched = end;
    return false;
  }

  *#list(list: List): Step {
    this.#at++;
    for (let unit = yield* this.#next(); unit !== undefined; unit = yield* this.#next()) {
      if (unit === comma || unit === listEnd) {
        this.#at++;
        if (unit === listEnd) return true;
      } else if (list.isOuter && unit === objectStart) {
        if (!(yield* this.#object(list))) return false;
      } else if (list.isOuter && unit === listStart) {
        this.#hasInner = true;
        const inner: List = { isOuter: false, conversation: -1 };
        this.#needConversation(inner);
        if (!(yield* this.#list(inner))) return false;
      } else {
        const [start, line] = [this.#at, this.#line];
        this.#needed = start;
        this.#elementLine = line;
        if (!(yield* this.#pass())) break;
        this.#endElement(list, { start, end: this.#at, line });
        this.#elementLine = 0;
        this.#needed = Number.POSITIVE_INFINITY;
      }
    }
    return this.#cutOff();
  }

  /** An object in the file itself, or in a list that stands there. Without a message list it is a message itself. */
  *#object(parent: List | undefined): Step {
    const [start, line] = [this.#at++, this.#line];
    const around = { isInner: parent !== undefined, line, conversation: -1, pieces: [] as string[], mark: start };
    let lastComma = start;
    let key: string | undefined;
    let expectsKey = true;
    let isMessage = false;
    this.#needed = start;
    for (let unit = yield* this.#next(); unit !== undefined; unit = yield* this.#next()) {
      const at = this.#at;
      if (unit === listStart && !expectsKey && key !== undefined && isListKey(key, isMessage)) {
        if (around.conversation < 0) around.conversation = this.#conversations++;
        around.pieces.push(this.#piece(around, at + 1));
        this.#needed = Number.POSITIVE_INFINITY;
        const { conversation } = around;
        if (!(yield* this.#list({ isOuter: false, key, conversation }))) {
          this.#addEnvelope(around, ']}');
          return false;
        }
        around.mark = this.#at - 1;
        this.#needed = around.mark;
      } else if (unit === quote || opens(unit)) {
        if (!(yield* this.#pass())) break;
        if (unit !== quote || !expectsKey) continue;
        key = this.#window.text(at, this.#at).slice(1, -1);
        isMessage ||= isMessageKey(key);
      } else {
        this.#at++;
        if (unit === 0x3a) expectsKey = false;
        else if (unit === comma) [expectsKey, lastComma] = [true, at];
        if (unit !== objectEnd) continue;
        this.#needed = Number.POSITIVE_INFINITY;
        if (around.conversation >= 0) this.#addEnvelope(around, this.#piece(around, this.#at));
        else this.#endElement(parent, { start, end: this.#at, line });
        return true;
      }
    }
    this.#cutOff();
    // Whole members around the lists are kept of a document that was cut off.
    const end = Math.max(lastComma, around.mark + 1);
    if (around.conversation >= 0) this.#addEnvelope(around, `${this.#piece(around, end)}}`);
    return false;
  }

  /** The text around the lists of an object from its mark on. */
  #piece({ mark, line }: { readonly mark: number; readonly line: number }, end: number): string {
    const text = this.#window.text(mark, end);
    if (text.includes('\uFFFD') && !this.#window.isClean(mark, end)) {
      this.#found.push(problem('repaired', line, brokenBytes));
    }
    return text;
  }

  #addEnvelope({ isInner, conversation, pieces, line }: Around, tail: string): void {
    this.#hasInner ||= isInner;
    let value: JsonValue = {};
    try {
      // JSON.parse returns what JSON can carry and nothing else.
      value = JSON.parse((pieces.join('') + tail).replaceAll('\0', '')) as JsonValue;
    } catch {
      const message = 'expected JSON around the message list, found something else: skipped';
      this.#found.push(problem('skipped', line, message));
    }
    this.#envelopes[conversation] = value;
  }

  /** An element of a list, or (without one) an object that is all of a document. */
  #endElement(list: List | undefined, stretch: Stretch): void {
    if (list) this.#needConversation(list);
    const value = readValue(this.#window, stretch, (repair) => this.#found.push(repair));
    if (value === undefined) {
      const message = `expected JSON, found a value that is not JSON on line ${stretch.line}: skipped`;
      this.#found.push(problem('skipped', stretch.line, message));
      return;
    }
    const span = this.#window.span(stretch);
    if (!list) this.#found.push({ type: 'line', value, span, conversation: 0 });
    else {
      const { conversation, key } = list;
      this.#found.push({ type: 'element', value, span, conversation, ...(key === undefined ? {} : { list: key }) });
    }
  }

  #needConversation(list: List): void {
    if (list.conversation >= 0) return;
    list.conversation = this.#conversations++;
    this.#envelopes[list.conversation] = [];
  }

  #stray(): void {
    if (this.#strayLine === this.#line) return;
    this.#strayLine = this.#line;
    const message = `expected a list or an object, found other text on line ${this.#line}: skipped`;
    this.#found.push(problem('skipped', this.#line, message));
  }

  /** Says that the document was cut off. */
  #cutOff(): false {
    const line = this.#elementLine;
    const place = line > 0 ? `the element that begins on line ${line}` : `line ${this.#line}`;
    const message = `the file ends in the middle of a document, inside ${place}: everything before that is kept`;
    this.#found.push(problem('skipped', line > 0 ? line : this.#line, message));
    return false;
  }

  #finish(): void {
    if (!this.#root || (this.#conversations === 0 && !this.#root.isList)) return;
    const [only] = this.#envelopes;
    const value = this.#roots === 1 && !this.#hasInner ? (only ?? []) : this.#envelopes;
    const span = this.#window.span({ ...this.#root, end: this.#window.end });
    this.#found.push({ type: 'envelope', value, span, conversation: 0 });
  }
}

/** What stands around the lists of an object. */
interface Around {
  /** True for an object in a list that stands in the file itself. */
  readonly isInner: boolean;
  readonly line: number;
  readonly conversation: number;
  /** Texts of the object without the insides of its lists; the next one begins at the mark. */
  readonly pieces: readonly string[];
}
