/** Makes messages of what was typed, or noted by the program, while Claude Code worked, and delivered in mid-turn. */
import type { JsonObject } from '../../shared/json.ts';
import type { Part } from '../message.ts';
import { originOf } from '../origin.ts';
import { partsFromContent } from './claude-code-blocks.ts';
import {
  type Departed,
  deliveriesIn,
  type Enqueued,
  isNotLater,
  type Line,
  type QueueEvent,
  type Said,
} from './claude-code-departures.ts';
import { claudeCodeOrigin } from './claude-code-origin.ts';
import {
  addLine,
  type Conversation,
  type Draft,
  type DraftLine,
  isEmptyPlace,
  type Opening,
  reservePlace,
  startDraft,
  unkeep,
} from './drafts.ts';
import { asText, asTime, defined, omit } from './fields.ts';

/** Notes a `queue-operation`. Its record stays kept unless `settleQueue` makes a message of it. */
export function noteOperation(conversation: Conversation, events: QueueEvent[], line: Line): void {
  const { record } = line;
  const time = asTime(record.timestamp);
  const type = record.operation;
  if (type === 'enqueue') events.push(enqueued(line));
  if (type !== 'dequeue' && type !== 'popAll' && type !== 'remove') return;
  const place = type === 'remove' ? reservePlace(conversation, { role: 'user', about: defined({ time }) }) : undefined;
  events.push({ type, line, text: asText(record.content), time, ...(place ? { place } : {}) });
}

function enqueued(line: Line): Enqueued {
  // A text is missing where only an image was pasted: it has its turn in the queue all the same.
  const { parts, shape } = partsFromContent(line.record.content) ?? { parts: [] };
  const origin = claudeCodeOrigin(line.record, parts);
  const about = origin === undefined ? {} : { origin };
  const isFromPerson = originOf({ role: 'user', parts, ...about }) === 'person';
  return { type: 'enqueue', line, parts, shape, text: textOf(parts), origin, isFromPerson };
}

/** Notes a user record or an attachment that became a message. */
export function noteSaid(events: QueueEvent[], type: Said['type'], { role, about, parts }: Opening & SaidParts): void {
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
export function startInTime(conversation: Conversation, opening: Opening, line: DraftLine): Draft {
  const draft = startDraft(conversation, opening, line);
  const { drafts, compressions } = conversation;
  const first = compressions.at(-1) ?? 0;
  for (let at = drafts.length - 2; at >= first; at--) {
    const place = drafts[at];
    if (!place || !isEmptyPlace(place) || !isNotLater(opening.about.time, place.about.time)) break;
    drafts[at] = draft;
    drafts[at + 1] = place;
  }
  return draft;
}

/** Fills the places of the texts that were delivered and stand in no other record; their records are kept no longer. */
export function settleQueue(conversation: Conversation, events: readonly QueueEvent[]): void {
  const taken = new Set<number>();
  for (const { text, departed, place } of deliveriesIn(events)) {
    if (text.origin !== undefined) place.about = { ...place.about, origin: text.origin };
    const entry = defined({ shape: text.shape, record: omit(text.line.record, ['content']) });
    addLine(place, { source: text.line.source, parts: text.parts, entry });
    addLine(place, { source: departed.line.source, parts: [], entry: departureEntry(departed, text) });
    taken.add(text.line.source.span.line).add(departed.line.source.span.line);
  }
  if (taken.size > 0) unkeep(conversation, taken);
}

/** A text that both records hold is written to both, whatever became of it meanwhile. */
const departureEntry = ({ line, text }: Departed, { shape }: Enqueued): JsonObject =>
  text === undefined || shape !== 'text'
    ? { record: line.record }
    : { record: omit(line.record, ['content']), isNamed: true };
