/**
 * Runs of events that differ in one text: nearly all of a stream. Once the form of such an event is known, those that follow are read by
 * comparing what surrounds the text, without taking lines and JSON apart.
 */

import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../shared/json.ts';
import { createEventParser, type EventRun, type ServerEvent } from './sse.ts';
import { is } from './values.ts';

/** The text that an event adds to an answer. */
export interface AddedText {
  readonly text: string;
  /** The same event with another text. */
  readonly withText: (text: string) => JsonObject;
}

/**
 * The text of an event that adds it and does nothing else that has not been done by the one before it, so that several of them are one
 * event with all of their texts. Looks at nothing but the event.
 */
export type TextIn = (data: JsonObject, name: string) => AddedText | undefined;

export interface TextRunParts {
  readonly textIn: TextIn;
  /** Takes one event in place of several. */
  readonly add: (joined: JoinedEvents) => void;
}

export interface JoinedEvents {
  /** With the texts of all of them. */
  readonly event: JsonObject;
  readonly name: string;
  /** How many there were. */
  readonly events: number;
  /** UTF-16 units of their texts. */
  readonly chars: number;
}

/** What is left out of the raw text of an event, and stands for something that changes. */
type Hole = 'text' | 'plain' | 'number';

/** What all events of a run have in common: `fixed` stands before, between and behind the holes. */
interface Form {
  readonly name: string;
  readonly withText: AddedText['withText'];
  readonly fixed: readonly string[];
  readonly holes: readonly Hole[];
}

/** Members beside the text that change from event to event and say nothing about the answer. */
const changing = ['sequence_number', 'obfuscation'] as const;

/** To learn a form costs as much as to read some events. It pays where so many follow. */
const worth = 16;
const mostLearned = 8;

export class TextRun implements EventRun {
  readonly #parts: TextRunParts;
  #form: Form | undefined;
  #told: { readonly data: JsonObject; readonly name: string } | undefined;
  #credit = mostLearned * worth;

  constructor(parts: TextRunParts) {
    this.#parts = parts;
  }

  /** Is told of each event that was read in the long way. */
  tell(data: JsonValue | undefined, name: string): void {
    this.#told = isJsonObject(data) ? { data, name } : undefined;
  }

  see(event: string): void {
    const told = this.#told;
    this.#told = undefined;
    if (!told || this.#credit < worth) return;
    const said = this.#parts.textIn(told.data, told.name);
    if (!said) return;
    this.#credit -= worth;
    this.#form = formOf(event, { ...told, said, textIn: this.#parts.textIn }) ?? this.#form;
  }

  take(text: string, start: number): number {
    const form = this.#form;
    if (!form) return start;
    const texts: string[] = [];
    let end = start;
    for (let next = matched(form, text, end); next; next = matched(form, text, end)) {
      texts.push(next.said);
      end = next.end;
    }
    if (texts.length === 0) return start;
    this.#credit = Math.min(mostLearned * worth, this.#credit + texts.length);
    const [one = '', ...others] = texts;
    const joined = others.length === 0 ? copied(one) : texts.join('');
    const { name } = form;
    this.#parts.add({ event: form.withText(joined), name, events: texts.length, chars: joined.length });
    return end;
  }
}

/** A text that is cut out of another one keeps all of that in memory. */
const copied = (text: string): string => JSON.parse(JSON.stringify(text));

/** Where an event of the form ends that begins at `start`, and its text; undefined where none does. */
function matched(
  { fixed, holes }: Form,
  text: string,
  start: number,
): { readonly end: number; readonly said: string } | undefined {
  let at = start;
  let said: string | undefined;
  for (let place = 0; place < holes.length; place++) {
    const before = fixed[place] ?? '';
    if (!text.startsWith(before, at)) return undefined;
    at += before.length;
    const hole = holes[place];
    const end = hole === 'number' ? endOfNumber(text, at) : endOfText(text, at);
    if (end === undefined) return undefined;
    if (hole !== 'number') {
      const value = textOf(text.slice(at, end));
      if (value === undefined) return undefined;
      if (hole === 'text') said = value;
    }
    at = end;
  }
  const last = fixed[holes.length] ?? '';
  if (said === undefined || !text.startsWith(last, at)) return undefined;
  return { end: at + last.length, said };
}

/** A number as JSON has it, without sign and fraction. */
function endOfNumber(text: string, start: number): number | undefined {
  let end = start;
  while (isDigit(text.charCodeAt(end))) end++;
  if (end === start || (end > start + 1 && text[start] === '0')) return undefined;
  return end;
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

const [quote, backslash, firstAllowed] = [0x22, 0x5c, 0x20];

/** The quotation mark behind what JSON may have between two of them; undefined where something else or nothing stands before it. */
function endOfText(text: string, start: number): number | undefined {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) return at;
    if (code < firstAllowed) return undefined;
    if (code === backslash && text.charCodeAt(++at) < firstAllowed) return undefined;
  }
  return undefined;
}

/** What stands between two quotation marks, read as JSON reads it; undefined where an escape is none. */
function textOf(inside: string): string | undefined {
  if (!inside.includes('\\')) return inside;
  const value = parseJson(`"${inside}"`);
  return is.text(value) ? value : undefined;
}

interface Told {
  readonly data: JsonObject;
  readonly name: string;
  readonly said: AddedText;
  readonly textIn: TextIn;
}

interface Found {
  readonly hole: Hole;
  readonly from: number;
  readonly to: number;
}

/** The form of an event by its raw text; undefined where it does not show for certain. */
function formOf(event: string, told: Told): Form | undefined {
  const { data, name, said } = told;
  if (said.text === probe) return undefined;
  const found = [
    textFound(event, said.text),
    ...changing.flatMap((member) => memberFound(event, member, data[member])),
  ];
  if (!found.every((one) => one !== undefined)) return undefined;
  const holes = found.toSorted((a, b) => a.from - b.from);
  const fixed = [...holes, undefined].map((hole, at) => copied(event.slice(holes[at - 1]?.to ?? 0, hole?.from)));
  const form: Form = { name, withText: said.withText, fixed, holes: holes.map(({ hole }) => hole) };
  return isCertain(form, told) ? form : undefined;
}

function textFound(event: string, text: string): Found | undefined {
  const inside = JSON.stringify(text).slice(1, -1);
  const at = event.indexOf(`"${inside}"`);
  // Where it stands twice, the next event will show which one it is.
  if (at < 0 || event.includes(`"${inside}"`, at + 1)) return undefined;
  return { hole: 'text', from: at + 1, to: at + 1 + inside.length };
}

/** No place for a member that is not there. */
function memberFound(event: string, member: string, value: JsonValue | undefined): readonly (Found | undefined)[] {
  if (value === undefined) return [];
  const key = new RegExp(`"${member}"[ \\t]*:[ \\t]*("?)`).exec(event);
  if (!key) return [undefined];
  const from = key.index + key[0].length;
  const isText = key[1] === '"';
  const to = isText ? endOfText(event, from) : endOfNumber(event, from);
  return [to === undefined ? undefined : { hole: isText ? 'plain' : 'number', from, to }];
}

/** What is put into the holes to see whether they are where they seem to be: nothing that any event has. */
const probe = 'a text in a hole, 7c1e';
const numberProbe = 918_273_645;

/** With other values in its holes, it is the same event with those values. */
function isCertain({ fixed, holes, name }: Form, { data, textIn }: Told): boolean {
  const filled = fixed.map((part, at) => part + filling(holes[at])).join('');
  const events: ServerEvent[] = [];
  createEventParser((event) => events.push(event)).read(filled);
  const [event, ...others] = events;
  if (!event || event.name !== name || others.length > 0) return false;
  const read = parseJson(event.data);
  if (!isJsonObject(read) || textIn(read, name)?.text !== probe) return false;
  return changing.every((member) => {
    const before = data[member];
    return read[member] === (is.text(before) ? probe : before === undefined ? undefined : numberProbe);
  });
}

function filling(hole: Hole | undefined): string {
  if (hole === undefined) return '';
  return hole === 'number' ? String(numberProbe) : probe;
}
