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
import { type ByteWindow, brokenBytes, problem, type ReadProblem, readValue } from './byte-window.ts';
import { isListKey, isMessageKey, type SourceRecord } from './format.ts';

/** What lies open around the position: the file itself, a list of messages, or an object that may hold such lists. */
type Frame = RootFrame | ListFrame | ObjectFrame;

interface RootFrame {
  readonly type: 'root';
}

interface ListFrame {
  readonly type: 'list';
  /** A list that stands directly in the file: its elements may be conversations. */
  readonly isOuter: boolean;
  readonly key?: string;
  /** Number of the conversation; -1 until an element needs one. */
  conversation: number;
}

interface ObjectFrame {
  readonly type: 'object';
  readonly start: number;
  readonly line: number;
  /** The list that the object stands in; undefined when it stands in the file itself. */
  readonly parent: ListFrame | undefined;
  conversation: number;
  key: string | undefined;
  expectsKey: boolean;
  isMessage: boolean;
  /** Texts of the object without the insides of its lists; the next one begins at `mark`. */
  readonly pieces: string[];
  mark: number;
  lastComma: number;
}

type Found = SourceRecord | ReadProblem;

export class DocumentRecords {
  #window: ByteWindow;
  #at = 0;
  #line = 1;
  #frames: Frame[] = [{ type: 'root' }];
  #found: Found[] = [];
  /** Brackets open inside the value that is being passed over. */
  #depth = 0;
  #stringStart = -1;
  #searched = 0;
  /** First position of the list element that is being passed over, and its line. */
  #valueStart = -1;
  #valueLine = 0;
  #scalarStart = -1;
  #roots = 0;
  #rootIsList = false;
  #rootStart = -1;
  #rootLine = 0;
  #conversations = 0;
  #envelopes: JsonValue[] = [];
  #hasInner = false;
  #strayLine = 0;

  constructor(window: ByteWindow) {
    this.#window = window;
  }

  scan(ended: boolean): Found[] {
    this.#found = [];
    while (this.#at < this.#window.end) {
      if (this.#stringStart >= 0) {
        if (!this.#passString()) break;
      } else this.#passUnit();
    }
    if (ended) this.#finish();
    else this.#window.keep = this.#needed();
    return this.#found;
  }

  /** Goes to the end of the string that is open; false when it is not in the window yet. */
  #passString(): boolean {
    const { units, origin, end } = this.#window;
    for (;;) {
      const from = Math.max(this.#searched, this.#at) - origin;
      const index = units.indexOf(0x22, from);
      if (index < 0) {
        this.#searched = end;
        return false;
      }
      let slashes = 0;
      while (units[index - 1 - slashes] === 0x5c && index - 1 - slashes > this.#stringStart - origin) slashes++;
      this.#searched = origin + index + 1;
      if (slashes % 2 === 0) break;
    }
    // A line break inside a string is not JSON, but the lines behind it must still be numbered right.
    for (let i = this.#at - origin; i < this.#searched - origin; i++) if (units[i] === 10) this.#line++;
    this.#at = this.#searched;
    this.#endString();
    return true;
  }

  #endString(): void {
    const start = this.#stringStart;
    this.#stringStart = -1;
    if (this.#depth > 0) return;
    const frame = this.#frames.at(-1);
    if (frame?.type === 'object' && frame.expectsKey) {
      const text = this.#window.text(start, this.#at);
      frame.key = text.slice(1, -1);
      if (isMessageKey(frame.key)) frame.isMessage = true;
    } else if (frame?.type === 'list') this.#endElement(this.#at);
    else if (frame?.type === 'root') this.#stray();
  }

  #passUnit(): void {
    const unit = this.#window.units[this.#at - this.#window.origin];
    if (this.#depth > 0) this.#passInside(unit);
    else if (this.#scalarStart >= 0 && !endsScalar(unit)) this.#at++;
    else this.#passBetween(unit);
  }

  /** Inside a value only brackets, strings and line breaks matter; this loop sees most bytes of a file. */
  #passInside(first: number | undefined): void {
    const { units, origin } = this.#window;
    let index = this.#at - origin;
    let depth = this.#depth;
    for (let unit = first; index < units.length; unit = units[++index]) {
      if (unit === 0x22) {
        this.#stringStart = origin + index;
        this.#searched = origin + index + 1;
        index++;
        break;
      }
      if (unit === 10) this.#line++;
      else if (unit === 0x7b || unit === 0x5b) depth++;
      else if ((unit === 0x7d || unit === 0x5d) && --depth === 0) {
        index++;
        break;
      }
    }
    this.#depth = depth;
    this.#at = origin + index;
    if (depth === 0 && this.#frames.at(-1)?.type === 'list') this.#endElement(this.#at);
  }

  #passBetween(unit: number | undefined): void {
    if (this.#scalarStart >= 0) {
      this.#scalarStart = -1;
      if (this.#frames.at(-1)?.type === 'list') this.#endElement(this.#at);
    }
    const frame = this.#frames.at(-1);
    const at = this.#at++;
    if (unit === 10) this.#line++;
    if (unit === undefined || unit <= 0x20) return;
    if (frame?.type === 'list') this.#inList(frame, unit, at);
    else if (frame?.type === 'object') this.#inObject(frame, unit, at);
    else this.#inRoot(unit, at);
  }

  #inRoot(unit: number, at: number): void {
    if (unit === 0x7b || unit === 0x5b) {
      if (this.#roots++ === 0) {
        this.#rootStart = at;
        this.#rootLine = this.#line;
        this.#rootIsList = unit === 0x5b;
      }
      this.#open(unit, at, undefined);
    } else {
      if (unit === 0x22) this.#openString(at);
      this.#stray();
    }
  }

  #inList(frame: ListFrame, unit: number, at: number): void {
    if (unit === 0x2c) return;
    if (unit === 0x5d) {
      this.#closeList(frame, at);
      return;
    }
    if (frame.isOuter && (unit === 0x7b || unit === 0x5b)) {
      this.#open(unit, at, frame);
      return;
    }
    this.#valueStart = at;
    this.#valueLine = this.#line;
    if (unit === 0x22) this.#openString(at);
    else if (unit === 0x7b || unit === 0x5b) this.#depth = 1;
    else this.#scalarStart = at;
  }

  #inObject(frame: ObjectFrame, unit: number, at: number): void {
    if (unit === 0x22) this.#openString(at);
    else if (unit === 0x3a) frame.expectsKey = false;
    else if (unit === 0x2c) {
      frame.expectsKey = true;
      frame.lastComma = at;
    } else if (unit === 0x7d) this.#closeObject(frame);
    else if (unit === 0x5b && this.#isMessageList(frame)) {
      if (frame.conversation < 0) frame.conversation = this.#conversations++;
      frame.pieces.push(this.#piece(frame, at + 1));
      const list = { type: 'list' as const, isOuter: false, conversation: frame.conversation };
      this.#frames.push({ ...list, ...(frame.key === undefined ? {} : { key: frame.key }) });
    } else if (unit === 0x7b || unit === 0x5b) this.#depth = 1;
  }

  /** The text around the lists from the object's mark on. */
  #piece(frame: ObjectFrame, end: number): string {
    const text = this.#window.text(frame.mark, end);
    if (text.includes('\uFFFD') && !this.#window.isClean(frame.mark, end)) {
      this.#found.push(problem('repaired', frame.line, brokenBytes));
    }
    return text;
  }

  #isMessageList(frame: ObjectFrame): boolean {
    return !frame.expectsKey && frame.key !== undefined && isListKey(frame.key, frame.isMessage);
  }

  #openString(at: number): void {
    this.#stringStart = at;
    this.#searched = at + 1;
  }

  /** Opens what stands directly in the file or in a list that does. */
  #open(unit: number, at: number, parent: ListFrame | undefined): void {
    if (unit === 0x5b) {
      if (parent) this.#hasInner = true;
      const conversation = parent ? this.#conversations++ : -1;
      if (parent) this.#envelopes[conversation] = [];
      this.#frames.push({ type: 'list', isOuter: !parent, conversation });
      return;
    }
    const state = { conversation: -1, key: undefined, expectsKey: true, isMessage: false };
    const start = { start: at, line: this.#line, mark: at, lastComma: at };
    this.#frames.push({ type: 'object', parent, ...state, ...start, pieces: [] });
  }

  #closeList(frame: ListFrame, at: number): void {
    this.#frames.pop();
    const parent = this.#frames.at(-1);
    if (parent?.type === 'object') parent.mark = at;
    else if (parent?.type === 'root' && !this.#hasInner) this.#needConversation(frame);
  }

  #closeObject(frame: ObjectFrame): void {
    this.#frames.pop();
    if (frame.conversation < 0) this.#endLooseObject(frame);
    else this.#addEnvelope(frame, frame.pieces.join('') + this.#piece(frame, this.#at));
  }

  #addEnvelope(frame: ObjectFrame, text: string): void {
    if (frame.parent) this.#hasInner = true;
    this.#envelopes[frame.conversation] = parsedEnvelope(text, frame.line, this.#found);
  }

  /** An object without a message list is a message itself. */
  #endLooseObject(frame: ObjectFrame): void {
    if (frame.parent) {
      this.#valueStart = frame.start;
      this.#valueLine = frame.line;
      this.#endElement(this.#at);
      return;
    }
    const stretch = { start: frame.start, end: this.#at, line: frame.line };
    const value = readValue(this.#window, stretch, (repair) => this.#found.push(repair));
    if (value === undefined) this.#skipped(frame.line);
    else this.#found.push({ type: 'line', value, span: this.#window.span(stretch), conversation: 0 });
  }

  #endElement(end: number): void {
    const stretch = { start: this.#valueStart, end, line: this.#valueLine };
    this.#valueStart = -1;
    const frame = this.#frames.at(-1);
    if (frame?.type !== 'list') return;
    this.#needConversation(frame);
    const value = readValue(this.#window, stretch, (repair) => this.#found.push(repair));
    if (value === undefined) {
      this.#skipped(stretch.line);
      return;
    }
    const place = { conversation: frame.conversation, ...(frame.key === undefined ? {} : { list: frame.key }) };
    this.#found.push({ type: 'element', value, span: this.#window.span(stretch), ...place });
  }

  #needConversation(frame: ListFrame): void {
    if (frame.conversation >= 0) return;
    frame.conversation = this.#conversations++;
    this.#envelopes[frame.conversation] = [];
  }

  #skipped(line: number): void {
    this.#found.push(
      problem('skipped', line, `expected JSON, found a value that is not JSON on line ${line}: skipped`),
    );
  }

  #stray(): void {
    if (this.#strayLine === this.#line) return;
    this.#strayLine = this.#line;
    const message = `expected a list or an object, found other text on line ${this.#line}: skipped`;
    this.#found.push(problem('skipped', this.#line, message));
  }

  /** The first position that is still needed: of what lies open or, where nothing does, the present one. */
  #needed(): number {
    let needed = this.#at;
    if (this.#stringStart >= 0) needed = Math.min(needed, this.#stringStart);
    if (this.#valueStart >= 0) needed = Math.min(needed, this.#valueStart);
    for (const frame of this.#frames) {
      const isSaved = frame.type !== 'object' || (this.#frames.at(-1) !== frame && frame.pieces.length > 0);
      if (frame.type === 'object' && !isSaved) needed = Math.min(needed, frame.mark);
    }
    return needed;
  }

  #finish(): void {
    if (this.#frames.length > 1) this.#endInTheMiddle();
    if (this.#conversations === 0 && !this.#rootIsList) return;
    const [only] = this.#envelopes;
    const isOne = this.#roots === 1 && !this.#hasInner;
    const value = isOne ? (only ?? []) : this.#envelopes;
    const stretch = { start: this.#rootStart, end: this.#window.end, line: this.#rootLine };
    this.#found.push({ type: 'envelope', value, span: this.#window.span(stretch), conversation: 0 });
  }

  /** Keeps what is complete of a document that was cut off: whole elements and whole members around them. */
  #endInTheMiddle(): void {
    const place = this.#valueStart >= 0 ? `the element that begins on line ${this.#valueLine}` : `line ${this.#line}`;
    const message = `the file ends in the middle of a document, inside ${place}: everything before that is kept`;
    this.#found.push(problem('skipped', this.#valueStart >= 0 ? this.#valueLine : this.#line, message));
    const object = this.#frames.find((frame) => frame.type === 'object');
    if (object?.type !== 'object' || object.conversation < 0) return;
    const isInList = this.#frames.at(-1)?.type === 'list';
    const tail = isInList ? ']' : this.#piece(object, Math.max(object.lastComma, object.mark + 1));
    this.#addEnvelope(object, `${object.pieces.join('')}${tail}}`);
  }
}

/** White space, a comma or a closing bracket stands behind a number or a literal. */
const endsScalar = (unit: number | undefined): boolean =>
  unit === undefined || unit <= 0x20 || unit === 0x2c || unit === 0x5d || unit === 0x7d;

function parsedEnvelope(text: string, line: number, found: Found[]): JsonValue {
  try {
    // JSON.parse returns what JSON can carry and nothing else.
    return JSON.parse(text.replaceAll('\0', '')) as JsonValue;
  } catch {
    found.push(problem('skipped', line, 'expected JSON around the message list, found something else: skipped'));
    return {};
  }
}
