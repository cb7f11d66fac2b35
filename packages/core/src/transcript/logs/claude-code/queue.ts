/** Makes messages of what was typed, or noted by the program, while Claude Code worked, and delivered in mid-turn. */

import { defined } from '../../../shared/defined.ts';
import type { JsonObject } from '../../../shared/json.ts';
import type { Origin, Part } from '../../message.ts';
import { originOf } from '../../origin.ts';
import { asText, asTime, omit } from '../../wire/values.ts';
import * as log from '../log.ts';
import { claudeCodeOrigin, partsFromContent } from './content.ts';

/** Notes a `queue-operation`. Its record stays kept unless `settleQueue` makes a message of it. */
export function noteOperation(conversation: log.Conversation, events: QueueEvent[], line: log.Line): void {
  const { record } = line;
  const time = asTime(record.timestamp);
  const type = record.operation;
  if (type === 'enqueue') events.push(enqueued(line));
  if (type !== 'dequeue' && type !== 'popAll' && type !== 'remove') return;
  const place =
    type === 'remove' ? log.reservePlace(conversation, { role: 'user', about: defined({ time }) }) : undefined;
  events.push({ type, line, text: asText(record.content), time, ...(place ? { place } : {}) });
}

function enqueued(line: log.Line): Enqueued {
  // A text is missing where only an image was pasted: it has its turn in the queue all the same.
  const { parts, shape } = partsFromContent(line.record.content) ?? { parts: [] };
  const origin = claudeCodeOrigin(line.record, parts);
  const about = origin === undefined ? {} : { origin };
  const isFromPerson = originOf({ role: 'user', parts, ...about }) === 'person';
  return { type: 'enqueue', line, parts, shape, text: textOf(parts), origin, isFromPerson };
}

/** Notes a user record or an attachment that became a message. */
export function noteSaid(
  events: QueueEvent[],
  type: Said['type'],
  { role, about, parts }: log.Opening & SaidParts,
): void {
  const origin = originOf({ role, parts, ...(about.origin ? { origin: about.origin } : {}) });
  if (parts.some((part) => part.type === 'toolResult')) events.push({ type: 'results', time: about.time });
  else events.push({ type, text: textOf(parts), isFromPerson: origin === 'person' });
}

interface SaidParts {
  readonly parts: readonly Part[];
}

const textOf = (parts: readonly Part[]): string =>
  parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');

/**
 * Starts a message, before deliveries that are newer: the log often writes a `remove` some lines before the calls and
 * results that it came after.
 */
export function startInTime(conversation: log.Conversation, opening: log.Opening, line: log.DraftLine): log.Draft {
  const draft = log.startDraft(conversation, opening, line);
  const { drafts, compressions } = conversation;
  const first = compressions.at(-1) ?? 0;
  for (let at = drafts.length - 2; at >= first; at--) {
    const place = drafts[at];
    if (!place || !log.isEmptyPlace(place) || !isNotLater(opening.about.time, place.about.time)) break;
    drafts[at] = draft;
    drafts[at + 1] = place;
  }
  return draft;
}

/** Fills the places of the texts that were delivered and stand in no other record; their records are kept no longer. */
export function settleQueue(conversation: log.Conversation, events: readonly QueueEvent[]): void {
  const taken = new Set<number>();
  for (const { text, departed, place } of deliveriesIn(events)) {
    if (text.origin !== undefined) place.about = { ...place.about, origin: text.origin };
    const entry = defined({ shape: text.shape, record: omit(text.line.record, ['content']) });
    log.addLine(place, { source: text.line.source, parts: text.parts, entry });
    log.addLine(place, { source: departed.line.source, parts: [], entry: departureEntry(departed, text) });
    taken.add(text.line.source.span.line).add(departed.line.source.span.line);
  }
  if (taken.size > 0) log.unkeep(conversation, taken);
}

/** A text that both records hold is written to both, whatever became of it meanwhile. */
const departureEntry = ({ line, text }: Departed, { shape }: Enqueued): JsonObject =>
  text === undefined || shape !== 'text'
    ? { record: line.record }
    : { record: omit(line.record, ['content']), isNamed: true };

// Which of the texts that wait while Claude Code works reached the model, told from the records about its queue.
// `enqueue` holds a text. It leaves by `dequeue` (it becomes a prompt with a record of its own), by `popAll` (the
// person took it back) or by `remove`: mostly, the model got it in the middle of a turn. Newer versions then write a
// `queued_command` attachment; older ones (seen in 2.1.29 to 2.1.52) write nothing else, and the text of the `enqueue`
// is the message. Only newer versions say which text left. Otherwise the record that repeats it tells, and without one
// the order: a person's words go before those of the program, and the oldest first.

/** A text that was put into the queue. */
interface Enqueued {
  readonly type: 'enqueue';
  readonly line: log.Line;
  readonly parts: readonly Part[];
  readonly shape: string | undefined;
  readonly text: string;
  readonly origin: Origin | undefined;
  readonly isFromPerson: boolean;
}

/** A record that says that a text left the queue, or several. */
interface Departed {
  readonly type: 'dequeue' | 'popAll' | 'remove';
  readonly line: log.Line;
  /** The text that left, where the record names it. */
  readonly text: string | undefined;
  readonly time: string | undefined;
  /** Where the message stands if there is one; of a `remove` only. */
  readonly place?: log.Draft;
}

/** A message from outside the model. */
interface Said {
  readonly type: 'prompt' | 'attachment';
  readonly text: string;
  readonly isFromPerson: boolean;
}

/** A sign that the turn goes on. */
interface Worked {
  /** A new message of the model, or results for it. */
  readonly type: 'answer' | 'results';
  readonly time: string | undefined;
}

/** What happened to the queue and around it, in the order of the file. */
export type QueueEvent = Enqueued | Departed | Said | Worked;

/** A queued text that was delivered and stands in no other record. */
interface Delivery {
  readonly text: Enqueued;
  readonly departed: Departed;
  readonly place: log.Draft;
}

interface Waiting {
  readonly text: Enqueued;
  readonly at: number;
  /** Set when a prompt came past the queue: a person can do that only after the queue was lost with its process. */
  isStale: boolean;
}

interface Queue {
  readonly events: readonly QueueEvent[];
  readonly waiting: Waiting[];
  /** Where each queued text was said, as indexes of events. */
  readonly said: ReadonlyMap<string, readonly number[]>;
  /** Those of them that a departure was found by. */
  readonly claimed: Set<number>;
}

/** The deliveries in their order. */
function deliveriesIn(events: readonly QueueEvent[]): Delivery[] {
  const queue: Queue = { events, waiting: [], said: placesOfTexts(events), claimed: new Set() };
  const deliveries: Delivery[] = [];
  for (const [at, event] of events.entries()) {
    if (event.type === 'enqueue') queue.waiting.push({ text: event, at, isStale: false });
    else if (event.type === 'popAll') takeBack(queue, event.text);
    else if (event.type === 'dequeue' || event.type === 'remove') deliveries.push(...departure(queue, event, at));
    else if (event.type === 'prompt' && !queue.claimed.has(at)) unannounced(queue, event);
  }
  return deliveries;
}

function placesOfTexts(events: readonly QueueEvent[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [at, event] of events.entries()) {
    if (event.type === 'enqueue' && !places.has(event.text)) places.set(event.text, []);
    if (event.type === 'prompt' || event.type === 'attachment') places.get(event.text)?.push(at);
  }
  return places;
}

/** One record for each text that went back into the input field, or one for all of them; a program's texts stay. */
function takeBack({ waiting }: Queue, text: string | undefined): void {
  const named = waiting.findIndex((one) => one.text.text === text);
  if (named >= 0) waiting.splice(named, 1);
  else for (let at = waiting.length - 1; at >= 0; at--) if (waiting[at]?.text.isFromPerson) waiting.splice(at, 1);
}

/** Some of the program's texts become prompts without a `dequeue`. */
function unannounced({ waiting }: Queue, prompt: Said): void {
  const named = waiting.findIndex(({ text }) => text.text === prompt.text);
  if (named >= 0) waiting.splice(named, 1);
  else if (prompt.isFromPerson) for (const one of waiting) one.isStale = true;
}

function departure(queue: Queue, departed: Departed, at: number): Delivery[] {
  const { events, waiting, said, claimed } = queue;
  const until = nextAnswer(events, at, departed.time);
  // A prompt follows its operation; an attachment may also stand before it.
  const isRepetition = (index: number): boolean =>
    index < until &&
    !claimed.has(index) &&
    (events[index]?.type === 'prompt' ? index > at : departed.type === 'remove');
  const repetition = (one: Waiting): number | undefined =>
    said.get(one.text.text)?.find((index) => index > one.at && isRepetition(index));
  const left =
    departed.text !== undefined
      ? waiting.find((one) => one.text.text === departed.text)
      : (waiting.find((one) => repetition(one) !== undefined) ?? nextInTurn(waiting, departed.type));
  if (!left) return [];
  waiting.splice(waiting.indexOf(left), 1);
  const { text } = left;
  const repeatedAt = repetition(left);
  if (repeatedAt !== undefined) claimed.add(repeatedAt);
  if (repeatedAt !== undefined || !departed.place || text.text.trim() === '') return [];
  // At the end of a turn the program takes its own texts out without asking the model.
  if (!text.isFromPerson && !isAnswered(events, at, departed.time)) return [];
  return [{ text, departed, place: departed.place }];
}

/** The oldest of those that come first: in the middle of a turn commands, which begin with a slash, wait longest. */
function nextInTurn(waiting: readonly Waiting[], type: Departed['type']): Waiting | undefined {
  const rank = ({ text, isStale }: Waiting): number => {
    if (type === 'remove' && text.isFromPerson && text.text.trimStart().startsWith('/')) return 3;
    if (!text.isFromPerson) return 2;
    return isStale ? 1 : 0;
  };
  return waiting.toSorted((a, b) => rank(a) - rank(b))[0];
}

/** The next message of the model that came after an operation, which it may precede in the file. */
function nextAnswer(events: readonly QueueEvent[], at: number, time: string | undefined): number {
  let next = at + 1;
  while (next < events.length && !isAnswer(events[next], time)) next++;
  return next;
}

const isAnswer = (event: QueueEvent | undefined, time: string | undefined): boolean =>
  event?.type === 'answer' && !isNotLater(event.time, time);

/** True when the turn goes on after an operation. */
function isAnswered(events: readonly QueueEvent[], at: number, time: string | undefined): boolean {
  for (const event of events.slice(at + 1)) {
    if (event.type === 'results' || isAnswer(event, time)) return true;
    if (event.type === 'prompt') return false;
  }
  return false;
}

/** True when both times are known and the first is not the later one. */
const isNotLater = (time: string | undefined, than: string | undefined): boolean =>
  time !== undefined && than !== undefined && Date.parse(time) <= Date.parse(than);
