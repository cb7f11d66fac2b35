/** Writes a record of training data in another format: through the messages of the project, valid where the format asks for it. */
import { type Repaired, repair } from '../compression/repair.ts';
import { PalimpsestError } from '../shared/errors.ts';
import type { JsonObject, JsonValue } from '../shared/json.ts';
import { anEnum, checkKnownOptions, type KnownOptions } from '../shared/options/known-options.ts';
import type { Extra, Message, Part } from '../transcript/message.ts';
import { toolResults } from '../transcript/text.ts';
import { toAnthropic } from '../transcript/wire/anthropic/messages.ts';
import { toOpenAiChat } from '../transcript/wire/chat/messages.ts';
import { attachmentMark } from '../transcript/wire/parts.ts';
import { fieldsOf, type RecordFields, toolsFor, type WrittenField } from './convert/fields.ts';
import { messagesOf, withCallsJoined } from './convert/read-messages.ts';
import { type CallLayout, writeShareGpt } from './convert/write-sharegpt.ts';
import { readTrajectory } from './read.ts';
import { type TrajectoryFormat, trajectoryFormats } from './turn.ts';

/** What becomes of what a model thought: it goes where the format has a place for it, into the text as `<think>`, or it is left out. */
export type ReasoningPlace = 'keep' | 'markup' | 'drop';

/** How a record is written. */
export interface TrajectoryLayout {
  readonly to: TrajectoryFormat;
  /** In ShareGPT: calls as markup in the text, or as turns of their own. @default 'markup' */
  readonly calls?: CallLayout;
  /** @default 'keep' */
  readonly reasoning?: ReasoningPlace;
}

/** How a record is converted. */
export interface ConvertTrajectoryOptions extends TrajectoryLayout {
  /** Of the record. @default found out by the record */
  readonly format?: TrajectoryFormat;
}

/** A record in another format. */
export interface ConvertedTrajectory {
  /** One line of JSON without the line break; the very text that was given where it was of that format. */
  readonly text: string;
  /** Names of what the format has no place for, each once: fields of the record, and `turn.NAME` for those of turns. */
  readonly leftOut: readonly string[];
  /** Changes that the format asked for, such as a result for a call that was never answered. */
  readonly repairs: number;
}

const layoutOptions: KnownOptions<TrajectoryLayout> = {
  to: { ...anEnum(trajectoryFormats), isNeeded: true },
  calls: anEnum(['markup', 'turns']),
  reasoning: anEnum(['keep', 'markup', 'drop']),
};

/**
 * Converts one line of training data.
 *
 * @throws TRAJECTORY_BROKEN for a line that is no record of turns, and for one in which nothing is said; BAD_OPTION
 *
 * @example
 * import { convertTrajectory } from '@palimpsest/core/trajectories';
 * const line = JSON.stringify({ conversations: [{ from: 'human', value: 'Move the ledgers.' }] });
 * convertTrajectory(line, { to: 'openai-chat' }).text; // {"messages":[{"role":"user","content":"Move the ledgers."}]}
 */
export function convertTrajectory(line: string, options: ConvertTrajectoryOptions): ConvertedTrajectory {
  checkKnownOptions<ConvertTrajectoryOptions>('convertTrajectory', options, {
    ...layoutOptions,
    format: anEnum(trajectoryFormats),
  });
  const { format, to, calls, reasoning } = options;
  const trajectory = readTrajectory(line, format);
  const isSame = trajectory.format === to && (calls === undefined || to !== 'sharegpt') && reasoning === undefined;
  if (isSame) return { text: trajectory.line, leftOut: [], repairs: 0 };
  return writeRecord(messagesOf(trajectory), fieldsOf(trajectory), options);
}

/** What stands in a record beside what was said. */
export interface TrajectoryRecordOptions extends TrajectoryLayout {
  /** @default {} */
  readonly fields?: JsonObject;
  /** Tool definitions of any provider. */
  readonly tools?: readonly JsonValue[];
}

/**
 * A record of training data of messages.
 *
 * @throws TRAJECTORY_BROKEN where nothing is said in the messages; BAD_OPTION
 *
 * @example
 * import { trajectoryRecord } from '@palimpsest/core/trajectories';
 * trajectoryRecord([{ role: 'user', parts: [{ type: 'text', text: 'Move the ledgers.' }] }], { to: 'sharegpt' });
 */
export function trajectoryRecord(messages: readonly Message[], options: TrajectoryRecordOptions): ConvertedTrajectory {
  checkKnownOptions<TrajectoryRecordOptions>('trajectoryRecord', options, {
    ...layoutOptions,
    fields: true,
    tools: true,
  });
  const { fields = {}, tools } = options;
  const written = Object.entries(fields).map(([name, value]): WrittenField => [name, JSON.stringify(value)]);
  return writeRecord(withCallsJoined(messages), { fields: written, tools, leftOut: [] }, options);
}

function writeRecord(
  messages: readonly Message[],
  { fields, tools, leftOut }: RecordFields,
  { to, calls = 'markup', reasoning = 'keep' }: TrajectoryLayout,
): ConvertedTrajectory {
  const left = new Set(leftOut);
  const plain = messages.map((message) => plainMessage(withThoughts(message, to, reasoning), to, left));
  const isStrict = to === 'anthropic';
  const { messages: valid, changes } =
    to === 'sharegpt' ? { messages: plain, changes: [] } : completed(plain, isStrict);
  const members = membersFor(valid, to, calls);
  const isSaid = members.some(([, value]) => Array.isArray(value) && value.length > 0);
  if (!isSaid)
    throw new PalimpsestError('TRAJECTORY_BROKEN', 'expected a conversation in which something is said, got none');
  const isTaken = (name: string): boolean => members.some(([one]) => one === name);
  const kept = fields.filter(([name]) => !isTaken(name));
  for (const [name] of fields) if (isTaken(name)) left.add(name);
  const all = [
    ...kept,
    ...(tools ? [['tools', toolsFor(to, tools)] as const] : []).map(jsonMember),
    ...members.map(jsonMember),
  ];
  const text = `{${all.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;
  return { text, leftOut: [...left].sort(), repairs: changes.length };
}

/** In the middle of a conversation a repair waits for results; behind the last turn of a record none comes. */
function completed(messages: readonly Message[], strictRoles: boolean): Repaired {
  const options = { unanswered: 'stub', strictRoles } as const;
  if (messages.at(-1)?.role !== 'tool') return repair(messages, options);
  const ended: Message = { role: 'assistant', parts: [{ type: 'text', text: '.' }] };
  const { messages: mended, changes } = repair([...messages, ended], options);
  return { messages: mended.slice(0, -1), changes };
}

const jsonMember = ([name, value]: readonly [string, JsonValue]): WrittenField => [name, JSON.stringify(value)];

/** What was said, under the names of a format. */
function membersFor(
  messages: readonly Message[],
  to: TrajectoryFormat,
  layout: CallLayout,
): readonly (readonly [string, JsonValue])[] {
  switch (to) {
    case 'sharegpt': {
      const { turns, images } = writeShareGpt(messages, { layout, fieldsOf: (message) => message.extra?.fields ?? {} });
      return [['conversations', turns], ...(images.length > 0 ? [['images', images] as const] : [])];
    }
    case 'openai-chat':
      return [['messages', toOpenAiChat(messages, elsewhere)]];
    case 'anthropic': {
      const { system, messages: turns } = toAnthropic(messages, elsewhere);
      return [...(system === undefined ? [] : [['system', system] as const]), ['messages', alternating(turns)]];
    }
  }
}

/** Results of tools are said by the user there: what the person says behind them is one turn with them. */
function alternating(turns: readonly JsonObject[]): readonly JsonObject[] {
  const joined: JsonObject[] = [];
  for (const turn of turns) {
    const last = joined.at(-1);
    if (last?.role === 'user' && turn.role === 'user')
      joined[joined.length - 1] = { ...last, content: [...partsIn(last), ...partsIn(turn)] };
    else joined.push(turn);
  }
  return joined;
}

function partsIn({ content }: JsonObject): readonly JsonValue[] {
  if (Array.isArray(content)) return content;
  return content === undefined ? [] : [{ type: 'text', text: content }];
}

/** What is written is of no provider that a writer knows: it takes nothing for its own that we do not mark so. */
const elsewhere = 'swe-agent';

// Messages, made ready for a format.

function withThoughts(message: Message, to: TrajectoryFormat, place: ReasoningPlace): Message {
  if (message.role !== 'assistant' || !message.parts.some(({ type }) => type === 'reasoning')) return message;
  const others = message.parts.filter(({ type }) => type !== 'reasoning');
  if (place === 'drop') return { ...message, parts: others };
  const thoughts = message.parts.flatMap((part) => (part.type === 'reasoning' && part.text !== '' ? [part.text] : []));
  // Chat has one place for all that was thought before an answer.
  if (place === 'keep' && to === 'openai-chat' && thoughts.length > 0)
    return { ...message, parts: [{ type: 'reasoning', text: thoughts.join('\n\n') }, ...others] };
  if (place === 'keep' || to === 'sharegpt') return message;
  const said = others.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const text = [...thoughts.map((thought) => `<think>\n${thought}\n</think>`), ...said].join('\n');
  const rest = others.filter(({ type }) => type !== 'text');
  return { ...message, parts: [...(text === '' ? [] : [{ type: 'text', text } as const]), ...rest] };
}

/** Fields of a turn that mean the same in the formats that have fields there. */
const turnFields: ReadonlySet<string> = new Set(['weight']);

/** The message without what only its own format can say; what is left out of it is told. */
function plainMessage(message: Message, to: TrajectoryFormat, left: Set<string>): Message {
  const { role, origin, parts, extra, name } = message;
  const kept: { [name: string]: JsonValue } = {};
  for (const [field, value] of Object.entries(extra?.fields ?? {})) {
    if (field === '#') continue;
    if (turnFields.has(field) && to !== 'anthropic') kept[field] = value;
    else left.add(`turn.${field}`);
  }
  if (name !== undefined) left.add('turn.name');
  if (to !== 'anthropic' && toolResults(message).some(({ isError }) => isError)) left.add('turn.is_error');
  const about = origin === undefined ? {} : { origin };
  return {
    role,
    ...about,
    parts: parts.flatMap((part) => plainPart(part, { role, to, left })),
    // The writer of chat takes what a model thought from its own messages alone.
    ...(to === 'openai-chat' && role === 'assistant' ? own(to, kept) : {}),
    ...(to === 'sharegpt' && Object.keys(kept).length > 0 ? own(to, kept) : {}),
  };
}

const own = (format: TrajectoryFormat, fields: JsonObject): { readonly extra: Extra } => ({
  extra: { format, fields },
});

interface PlainOptions {
  readonly role: Message['role'];
  readonly to: TrajectoryFormat;
  readonly left: Set<string>;
}

function plainPart({ extra: _, ...part }: Part, { role, to, left }: PlainOptions): readonly Part[] {
  switch (part.type) {
    case 'reasoning': {
      if (part.text === '' && !(to === 'anthropic' && part.encrypted !== undefined)) {
        left.add('turn.reasoning (encrypted)');
        return [];
      }
      return [to === 'anthropic' ? { ...part, ...own(to, {}) } : { type: 'reasoning', text: part.text }];
    }
    case 'toolResult':
      return [{ ...part, content: part.content.map(({ extra: _extra, ...one }) => one) }];
    case 'image':
    case 'file':
      // Providers take text alone from a model.
      return [role === 'assistant' ? { type: 'text', text: attachmentMark(part) } : part];
    case 'other': {
      if (role !== 'assistant') return [part];
      left.add('turn.other');
      return [];
    }
    case 'text':
    case 'toolCall':
      return [part];
  }
}
