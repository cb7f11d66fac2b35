/**
 * The conversation as passages, and where the words of a summary stand in it. One pass over the messages looks only
 * for the words that the summary has, so a long conversation costs time but no memory worth naming.
 */

import type { Message, ToolResultPart } from '../../transcript/message.ts';
import { redactedMessage } from '../../transcript/redact.ts';
import { resultText, toolCalls } from '../../transcript/text.ts';
import { personMessage, unwrapHandoff } from '../handoff-block.ts';
import { oneLine } from '../handoff-rows.ts';
import { linesOf } from '../ledger/lines.ts';
import { refAt } from '../record.ts';
import type { Ref } from '../ref.ts';
import { createTextSearch, type TextSearch } from './text-search.ts';
import { kinOf, wordsOf } from './words-of.ts';

/** Who said a passage. `host` is what a program wrote in the user's place, `summary` an earlier handoff. */
export type Speaker = 'person' | 'host' | 'agent' | 'call' | 'result' | 'system' | 'summary';

/** Passages by number, in the order in which they were said. */
export interface Source {
  /** How many messages and how many passages there are. */
  readonly messages: number;
  readonly passages: number;
  /** Numbers of the passages with a word, rising; empty for a word that nobody said. */
  passagesWith(word: string): readonly number[];
  /** The same, or where nobody said it those of persons and agents with a word of the same root. */
  placesOf(word: string): readonly number[];
  /** Passages that contain a text, case aside, rising. Looks at everything: for few texts. */
  textSearch(text: string): readonly number[];
  text(passage: number): string;
  messageOf(passage: number): number;
  refOf(passage: number): Ref;
  speakerOf(passage: number): Speaker;
  /** The passage and those around it in the same part, as one text. */
  around(passage: number, reach: number): string;
  /** Every word as it was written that stands in the place of a name: for finding what was meant by a wrong one. */
  readonly names: ReadonlySet<string>;
  /** What persons said, whole, by message. */
  readonly persons: ReadonlyMap<number, string>;
  /** Messages with a call that failed by a flag of its result, whatever its text says. */
  readonly failedCalls: ReadonlySet<number>;
  /** Every text that may hold a person's words: messages of the user, and answers that a tool brought from him. */
  readonly userTexts: readonly UserText[];
}

export interface UserText {
  readonly message: number;
  readonly text: string;
}

/** Longer lines are cut, so that "near" means near. */
const passageChars = 400;

/** A source in the making. */
interface Passages {
  readonly texts: string[];
  readonly messages: number[];
  readonly speakers: Speaker[];
  /** First passage of the part that each passage belongs to. */
  readonly parts: number[];
  /** True for a passage that goes on in the middle of a line. */
  readonly goesOn: boolean[];
}

/** The passages of a conversation, and those of them that have one of the wanted words. */
export function createSource(messages: readonly Message[], wanted: ReadonlySet<string>): Source {
  const passages: Passages = { texts: [], messages: [], speakers: [], parts: [], goesOn: [] };
  const persons = new Map<number, string>();
  const userTexts: UserText[] = [];
  const askingCalls = new Set<string>();
  const callers = new Map<string, number>();
  const failedCalls = new Set<number>();
  for (const [at, original] of messages.entries()) {
    const whole = redactedMessage(original);
    const earlier = unwrapHandoff(whole);
    const message = earlier ? { ...whole, parts: [...earlier.before, ...earlier.after] } : whole;
    if (earlier) addSummary(passages, message.parts.length > 0 ? earlier.body : textOf(whole), at);
    const person = personMessage(whole);
    if (person) persons.set(at, textOf(person));
    for (const { callId, name } of toolCalls(message)) {
      callers.set(callId, at);
      if (asksUser.test(name)) askingCalls.add(callId);
    }
    for (const part of message.parts) {
      if (part.type === 'toolResult' && part.isError === true) failedCalls.add(callers.get(part.callId) ?? at);
    }
    addMessage(passages, message, { at, isPerson: person !== undefined, askingCalls });
    for (const text of userTextsOf(message, askingCalls)) userTexts.push({ message: at, text });
  }
  const places = new Map<string, number[]>();
  const names = new Set<string>();
  for (const [number, text] of passages.texts.entries()) {
    wordsOf(text, (word, { start, end, isPiece }) => {
      if (wanted.has(word)) note(places, word, number);
      if (!isPiece && looksNamed.test(word)) names.add(text.slice(start, end));
    });
  }
  return sourceOver(passages, { wanted, places, names, persons, failedCalls, userTexts, size: messages.length });
}

/** Tools that ask a person something (a `Task` asks nobody): what they bring back are the person's words. */
const asksUser =
  /(?<![A-Za-z])ask|Ask(?![a-z])|[Qq]uestion|[Rr]equest_?[Uu]ser|[Uu]ser_?[Ii]nput|[Ee]licit|[Cc]larif|[Ff]ollow_?[Uu]p/;

function userTextsOf(message: Message, askingCalls: ReadonlySet<string>): readonly string[] {
  return message.parts.flatMap((part) => {
    if (part.type === 'text') return message.role === 'user' ? [part.text] : [];
    if (part.type === 'file') return message.role === 'user' && part.text !== undefined ? [part.text] : [];
    if (part.type !== 'toolResult') return [];
    return isUsersResult(part, askingCalls) ? [resultText(part)] : [];
  });
}

/** The user's answer to a question, or why he refuses a call. */
function isUsersResult(part: ToolResultPart, askingCalls: ReadonlySet<string>): boolean {
  if (askingCalls.has(part.callId)) return true;
  const text = resultText(part).slice(0, 600);
  return /^(?:The user|User)\b/.test(text) || /\bthe user (?:said|answered|provided|responded)\b/i.test(text);
}

/** A digit, or a sign inside: what could be a path, an identifier, a version or an id. */
const looksNamed = /\d|[a-z][/._:-][a-z]/;

function note(places: Map<string, number[]>, word: string, passage: number): void {
  const known = places.get(word);
  if (!known) places.set(word, [passage]);
  else if (known.at(-1) !== passage) known.push(passage);
}

interface Known {
  readonly wanted: ReadonlySet<string>;
  readonly places: ReadonlyMap<string, readonly number[]>;
  readonly names: ReadonlySet<string>;
  readonly persons: ReadonlyMap<number, string>;
  readonly failedCalls: ReadonlySet<number>;
  readonly userTexts: readonly UserText[];
  readonly size: number;
}

function sourceOver(passages: Passages, known: Known): Source {
  const { places, names, persons, failedCalls, userTexts, size } = known;
  const { texts, messages, speakers, parts } = passages;
  return {
    messages: size,
    passages: texts.length,
    names,
    persons,
    failedCalls,
    userTexts,
    passagesWith: (word) => places.get(word) ?? [],
    placesOf: placesOver(passages, known),
    textSearch: searchOver(passages, known),
    text: (passage) => texts[passage] ?? '',
    messageOf: (passage) => messages[passage] ?? -1,
    refOf: (passage) => refAt(messages[passage] ?? -1),
    speakerOf: (passage) => speakers[passage] ?? 'host',
    around(passage, reach) {
      const part = parts[passage];
      const near: string[] = [];
      for (let at = passage - reach; at <= passage + reach; at++) if (parts[at] === part) near.push(texts[at] ?? '');
      return near.join('\n');
    },
  };
}

/** Roots are looked for when the first word is missing: most texts have all of theirs. */
function placesOver({ texts, speakers }: Passages, { wanted, places }: Known): Source['placesOf'] {
  let akin: Map<string, number[]> | undefined;
  const find = (): Map<string, number[]> => {
    const roots = new Set([...wanted].flatMap((word) => kinOf(word) ?? []));
    const found = new Map<string, number[]>();
    for (const [number, text] of texts.entries()) {
      if (!talking.has(speakers[number] ?? 'host')) continue;
      wordsOf(text, (word) => {
        const root = kinOf(word);
        if (root !== undefined && roots.has(root)) note(found, root, number);
      });
    }
    return found;
  };
  return (word) => {
    const said = places.get(word);
    const root = said ? undefined : kinOf(word);
    if (root === undefined) return said ?? [];
    akin ??= find();
    return akin.get(root) ?? [];
  };
}

const talking: ReadonlySet<Speaker> = new Set(['person', 'host', 'agent']);

/** All passages as one text, made when it is first needed, and where each begins. */
interface WholeText {
  readonly text: string;
  readonly starts: readonly number[];
}

function wholeOf({ texts, goesOn }: Passages): WholeText {
  let length = 0;
  const starts: number[] = [];
  const pieces: string[] = [];
  for (const [at, text] of texts.entries()) {
    const piece = `${goesOn[at] ? '' : '\n'}${plainSpaces(text.toLowerCase())}`;
    starts.push(length);
    length += piece.length;
    pieces.push(piece);
  }
  return { text: pieces.join(''), starts };
}

const mostHits = 200;
/** Looking around more places is dearer than a search. */
const mostNear = 20;

/** Searches all passages, or only those around the rarest word of a text where its words are known. */
function searchOver(passages: Passages, known: Pick<Known, 'wanted' | 'places'>): Source['textSearch'] {
  let whole: (WholeText & { readonly search: TextSearch }) | undefined;
  const found = new Map<string, readonly number[]>();
  const search = (wanted: string): readonly number[] => {
    const near = passagesWithRarest(wanted, known);
    if (near?.length === 0) return near;
    whole ??= searchable(wholeOf(passages));
    return near && near.length <= mostNear ? foundNear(wanted, near, whole) : foundAnywhere(wanted, whole);
  };
  return (text) => {
    const wanted = plainSpaces(text.toLowerCase());
    const places = found.get(wanted) ?? search(wanted);
    found.set(wanted, places);
    return places;
  };
}

const searchable = (whole: WholeText): WholeText & { readonly search: TextSearch } => ({
  ...whole,
  search: createTextSearch(whole.text),
});

/** A word with a space on both sides stands as the same word in every text that the whole is part of. */
const innerWord = /(?<= )[a-z][a-z0-9]{1,40}(?= )/g;

/** The passages with the most seldom word within a text; undefined where no word of it is known. */
function passagesWithRarest(
  text: string,
  { wanted, places }: Pick<Known, 'wanted' | 'places'>,
): readonly number[] | undefined {
  let rarest: readonly number[] | undefined;
  for (const [name] of text.matchAll(innerWord)) {
    wordsOf(name, (word, { isPiece }) => {
      if (isPiece || !wanted.has(word)) return;
      const list = places.get(word) ?? [];
      if (rarest === undefined || list.length < rarest.length) rarest = list;
    });
    if (rarest?.length === 0) break;
  }
  return rarest;
}

function foundNear(wanted: string, near: readonly number[], { text, starts }: WholeText): readonly number[] {
  const found = new Set<number>();
  for (const passage of near) {
    const from = Math.max(0, (starts[passage] ?? 0) - wanted.length);
    const around = text.slice(from, (starts[passage + 1] ?? text.length) + wanted.length);
    for (let at = around.indexOf(wanted); at >= 0; at = around.indexOf(wanted, at + 1)) {
      let begins = passage;
      while (begins > 0 && (starts[begins] ?? 0) > from + at) begins--;
      while ((starts[begins + 1] ?? Number.POSITIVE_INFINITY) <= from + at) begins++;
      found.add(begins);
    }
  }
  return [...found].sort((a, b) => a - b);
}

function foundAnywhere(
  wanted: string,
  { search, starts }: WholeText & { readonly search: TextSearch },
): readonly number[] {
  const found: number[] = [];
  search.places(wanted, (at) => {
    const passage = passageAt(starts, at);
    found.push(passage);
    return found.length < mostHits ? starts[passage + 1] : undefined;
  });
  return found;
}

/** The last passage that begins at a place of the whole, or before it. */
function passageAt(starts: readonly number[], at: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Tabs and columns are told with single spaces. */
const plainSpaces = (text: string): string => text.replace(/[ \t\u00a0]+/g, ' ');

interface Where {
  readonly at: number;
  readonly isPerson: boolean;
  /** Ids of the calls that ask the user something. */
  readonly askingCalls: ReadonlySet<string>;
}

/** An earlier summary says nothing that anybody else said: what it claims was claimed of messages that may be there. */
function addSummary(passages: Passages, body: string, at: number): void {
  addText(passages, body, { at, speaker: 'summary', part: passages.texts.length });
}

/** With what the program that wrote it put around it. */
const textOf = ({ parts }: Message): string =>
  parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');

function addMessage(passages: Passages, message: Message, { at, isPerson, askingCalls }: Where): void {
  for (const part of message.parts) {
    const start = passages.texts.length;
    const add = (text: string, speaker: Speaker): void => addText(passages, text, { at, speaker, part: start });
    switch (part.type) {
      case 'text':
        add(part.text, textSpeaker(message, isPerson));
        break;
      case 'toolCall':
        add(part.name, 'call');
        linesOf({ role: 'assistant', parts: [part] }, (text) => add(text, 'call'));
        break;
      case 'toolResult':
        // What a tool brought back from the user are the user's words.
        if (isUsersResult(part, askingCalls)) add(resultText(part), 'host');
        else addResult(resultText(part), add);
        break;
      case 'file':
        add(part.text ?? part.name ?? '', textSpeaker(message, isPerson));
        break;
      case 'reasoning':
        add(part.text, 'agent');
        break;
      case 'image':
      case 'other':
        break;
    }
  }
}

interface Said {
  readonly at: number;
  readonly speaker: Speaker;
  /** Number of the first passage of the same part. */
  readonly part: number;
}

function addText(passages: Passages, text: string, { at, speaker, part }: Said): void {
  for (const { piece, goesOn } of piecesOf(text)) {
    passages.texts.push(piece);
    passages.goesOn.push(goesOn);
    passages.messages.push(at);
    passages.speakers.push(speaker);
    passages.parts.push(part);
  }
}

/** Results that came as one long line of JSON are read leaf by leaf, as the ledger reads them. */
function addResult(text: string, add: (text: string, speaker: Speaker) => void): void {
  if (!/^[{[]/.test(text) || text.slice(0, 400).includes('\n')) add(text, 'result');
  else {
    const part = { type: 'toolResult', callId: '', content: [{ type: 'text', text }] } as const;
    linesOf({ role: 'tool', parts: [part] }, (line) => add(line, 'result'));
  }
}

function textSpeaker({ role }: Message, isPerson: boolean): Speaker {
  if (role === 'assistant') return 'agent';
  if (role === 'system') return 'system';
  return isPerson ? 'person' : 'host';
}

function* piecesOf(text: string): Generator<{ readonly piece: string; readonly goesOn: boolean }> {
  for (const raw of text.split('\n')) {
    // As a handoff shows it: without what colours a line or hides in it.
    const line = oneLine(raw);
    if (line.trim() === '') continue;
    for (let from = 0; from < line.length; ) {
      const space = line.length - from <= passageChars ? -1 : lastSpace(line, from, from + passageChars);
      const to = line.length - from <= passageChars ? line.length : space > from ? space : from + passageChars;
      yield { piece: line.slice(from, to), goesOn: from > 0 };
      from = to;
    }
  }
}

/** The last space from one place to another; -1 where there is none. */
function lastSpace(line: string, from: number, to: number): number {
  const found = line.slice(from, to + 1).lastIndexOf(' ');
  return found < 0 ? -1 : from + found;
}
