/** Writes a record anew: what stays is copied as it was written, what is new is put between. */
import { isJsonObject, type JsonValue } from '../shared/json.ts';
import { type Edit, edited } from '../shared/json-patch.ts';
import { type Member, membersOf } from '../shared/json-spans.ts';
import type { Piece } from './formats/entry.ts';
import { entryFormatOf } from './formats/formats.ts';
import type { Trajectory, Turn } from './turn.ts';

/** A turn of the new record: one of the original, one that is shown with something changed, or one that is made of pieces. */
export type NewTurn =
  | { readonly type: 'kept'; readonly at: number }
  | ChangedTurn
  | { readonly type: 'made'; readonly pieces: readonly Piece[]; readonly text: string };

/** A turn of the original with something changed in it. */
export interface ChangedTurn {
  readonly type: 'changed';
  readonly at: number;
  readonly value: JsonValue;
  /** What is counted of it now. */
  readonly text: string;
}

/** A turn of the original with its texts shortened; undefined where it has none. */
export type ShortenTurn = (at: number, shorten: (text: string) => string) => ChangedTurn | undefined;

/** What is set beside the list; `undefined` takes a field away. */
export type NewFields = Readonly<Record<string, JsonValue | undefined>>;

/** The line of the new record; fields that are not named stay as they are. */
export function writeTrajectory(trajectory: Trajectory, turns: readonly NewTurn[], fields: NewFields): string {
  const { line, list } = trajectory;
  const encode = isAscii(line) ? escaped : (text: string) => text;
  const inList = turns.filter((turn) => turn.type === 'made' || trajectory.turns[turn.at]?.field === undefined);
  const texts = inList.map((turn) => textOf(trajectory, turn, encode));
  const edits: Edit[] = [{ ...list, text: `[${texts.join(gapOf(trajectory))}]` }];
  for (const turn of turns) {
    const field = turn.type === 'changed' ? trajectory.turns[turn.at] : undefined;
    if (turn.type === 'changed' && field?.field !== undefined)
      edits.push({ ...field.span, text: encode(JSON.stringify(turn.value)) });
  }
  edits.push(...fieldEdits(trajectory, fields, encode));
  return edited(line, edits);
}

function textOf({ line, turns, format }: Trajectory, turn: NewTurn, encode: (text: string) => string): string {
  if (turn.type === 'made') return encode(JSON.stringify(entryFormatOf(format).human(turn.pieces, turns)));
  if (turn.type === 'changed') return encode(JSON.stringify(turn.value));
  const { start, end } = turns[turn.at]?.span ?? { start: 0, end: 0 };
  return line.slice(start, end);
}

/** What stands between two turns of the record. */
function gapOf({ line, turns }: Trajectory): string {
  const [first, second] = turns.filter(({ field }) => field === undefined);
  return first && second ? line.slice(first.span.end, second.span.start) : ',';
}

/** A bare list has no place for fields. */
function fieldEdits(
  { line, record }: Trajectory,
  fields: NewFields,
  encode: (text: string) => string,
): readonly Edit[] {
  if (!isJsonObject(record)) return [];
  const members = membersOf(line);
  const behind = line.lastIndexOf('}');
  const added: string[] = [];
  const edits: Edit[] = [];
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    const member = members.findLast((one) => one.name === name);
    const text = encode(JSON.stringify(value));
    if (member) edits.push({ start: member.start, end: member.end, text });
    else added.push(`, ${JSON.stringify(name)}: ${text}`);
  }
  const isGone = ({ name }: Member): boolean => name in fields && fields[name] === undefined;
  for (const at of members.keys()) edits.push(...removal(members, at, isGone));
  const end = members.at(-1)?.end ?? behind;
  return added.length === 0 ? edits : [...edits, { start: end, end, text: added.join('') }];
}

/** A member that goes, with the comma before it; what goes at the start, with that behind it. */
function removal(members: readonly Member[], at: number, isGone: (member: Member) => boolean): readonly Edit[] {
  const [before, member, next] = [members[at - 1], members[at], members[at + 1]];
  if (!member || !isGone(member)) return [];
  if (before && !members.slice(0, at).every(isGone)) return [{ start: before.end, end: member.end, text: '' }];
  return [{ start: member.nameStart, end: next?.nameStart ?? member.end, text: '' }];
}

const isAscii = (text: string): boolean => /^[\t\x20-\x7e]*$/.test(text);

/** JSON in which all is ASCII, as many sets are written. */
const escaped = (text: string): string =>
  text.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** A turn that stands as it came. */
export const keptTurn = (at: number): NewTurn => ({ type: 'kept', at });

/** What a turn is counted by in the new record. */
export const newText = (turn: NewTurn, turns: readonly Turn[]): string =>
  turn.type === 'kept' ? (turns[turn.at]?.text ?? '') : turn.text;
