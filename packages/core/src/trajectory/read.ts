/** Reads a line of training data as turns. What each format calls its turns stands in `formats/`. */
import { PalimpsestError } from '../shared/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../shared/json.ts';
import { elementsAt, type Member, membersOf, type Span } from '../shared/json-spans.ts';
import type { EntryFormat } from './formats/entry.ts';
import { entryFormatOf, entryFormats } from './formats/formats.ts';
import type { Trajectory, TrajectoryFormat, Turn } from './turn.ts';

/** Under these names records keep their turns; the first that holds a list counts. */
const listNames = ['conversations', 'messages', 'conversation', 'items'] as const;

interface Found {
  readonly record: JsonObject | readonly JsonValue[];
  readonly list: readonly JsonValue[];
  /** Absent for a record that is a list itself. */
  readonly name?: string;
}

/**
 * Reads a record: an object with its turns under `conversations` or `messages`, or the bare list of them.
 *
 * @throws TRAJECTORY_BROKEN for a line that is no such record
 */
export function readTrajectory(given: string, format?: TrajectoryFormat): Trajectory {
  const line = given.trim();
  const found = recordIn(line);
  const reader = formatFor(found, format);
  const members = found.name === undefined ? [] : membersOf(line);
  const list = found.name === undefined ? { start: 0, end: line.length } : lastOf(members, found.name);
  const spans = elementsAt(line, list.start);
  const turns = found.list.map((value, at): Turn => {
    const entry = isJsonObject(value) ? reader.read(value) : undefined;
    const span = spans[at];
    if (entry === undefined || span === undefined) throw broken(`turn ${at + 1} as ${reader.expected}`, kindOf(value));
    return { ...entry, value, span };
  });
  return {
    format: reader.format,
    line,
    record: found.record,
    list,
    turns: [...systemBeside(found, members), ...turns],
  };
}

/** Only looks whether a line is a record with turns: nothing is counted or kept of it. @throws TRAJECTORY_BROKEN */
export function checkTrajectory(line: string, format?: TrajectoryFormat): { readonly turns: number } {
  const found = recordIn(line.trim());
  const reader = formatFor(found, format);
  const at = found.list.findIndex((value) => !isJsonObject(value) || reader.read(value) === undefined);
  if (at >= 0) throw broken(`turn ${at + 1} as ${reader.expected}`, kindOf(found.list[at] ?? null));
  return { turns: found.list.length + systemIn(found).length };
}

function recordIn(line: string): Found {
  const record = parseJson(line);
  if (record === undefined) throw broken('a line of JSON', line.trim() === '' ? 'an empty one' : 'something else');
  if (isList(record)) return { record, list: record };
  if (!isJsonObject(record)) throw broken('a record with a list of turns', kindOf(record));
  for (const name of listNames) {
    const list = record[name];
    if (isList(list)) return { record, list, name };
  }
  throw broken(`a record with a list of turns (${listNames.join(', ')})`, kindOf(record));
}

function formatFor({ record, list }: Found, format: TrajectoryFormat | undefined): EntryFormat {
  if (list.length === 0) throw broken('a list of turns', 'an empty one');
  if (format !== undefined) return entryFormatOf(format);
  const found = entryFormats.find(({ knows }) => knows(list, record));
  if (found) return found;
  throw broken('turns with from and value, or with role and content', kindOf(list[0] ?? null));
}

function systemIn({ record, list }: Found): readonly string[] {
  if (!isJsonObject(record)) return [];
  const { system } = record;
  const first = list[0];
  const leads = isJsonObject(first) && (first.from === 'system' || first.role === 'system');
  return leads || system === undefined || systemText(system) === '' ? [] : [systemText(system)];
}

/** A system prompt beside the list is the first turn. */
function systemBeside(found: Found, members: readonly Member[]): readonly Turn[] {
  const [text] = systemIn(found);
  if (text === undefined || !isJsonObject(found.record)) return [];
  const value = found.record.system ?? null;
  return [{ speaker: 'system', text, value, span: lastOf(members, 'system'), field: 'system' }];
}

/** Text, or a list of text blocks as Anthropic has it. */
function systemText(value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (!isList(value)) return '';
  return value.map((part) => (isJsonObject(part) && typeof part.text === 'string' ? part.text : '')).join('\n');
}

/** `JSON.parse` takes the last member of a name. */
function lastOf(members: readonly Member[], name: string): Span {
  const member = members.findLast((one) => one.name === name);
  return member ?? { start: 0, end: 0 };
}

const isList = (value: JsonValue | undefined): value is readonly JsonValue[] => Array.isArray(value);

/** What a value is, for messages: short, and never what is in it. */
function kindOf(value: JsonValue): string {
  if (isList(value)) return 'a list';
  if (!isJsonObject(value)) return value === null ? 'null' : `a ${typeof value}`;
  const names = Object.keys(value)
    .slice(0, 5)
    .map((name) => name.slice(0, 30));
  return names.length === 0 ? 'an empty object' : `an object with ${names.join(', ')}`;
}

const broken = (expected: string, came: string): PalimpsestError =>
  new PalimpsestError('TRAJECTORY_BROKEN', `expected ${expected}, got ${came}`);
