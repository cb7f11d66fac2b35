/**
 * Pictures and the like of which a record holds a list beside its turns, with a place for each mark in their texts, in order: what
 * goes with a turn goes from the list too, so that the marks that stay mean what they meant.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../shared/json.ts';
import type { Trajectory, Turn } from './turn.ts';
import type { NewTurn } from './write.ts';

/** The names of such lists, the marks in the texts, and what stands for a mark whose picture is gone. */
const kinds = [
  { name: 'images', mark: '<image>', word: '[image]' },
  { name: 'videos', mark: '<video>', word: '[video]' },
  { name: 'audios', mark: '<audio>', word: '[audio]' },
] as const;

/** What is known of the pictures of a record. A list that has not a place for each mark is left as it is. */
export interface Pictures {
  /** A summary has no picture. */
  withoutMarks(text: string): string;
  /** A turn that lost some of its marks loses all of them: nobody could tell which are left. */
  settled(turn: NewTurn): NewTurn;
  /** The lists for the new record. */
  fields(made: readonly NewTurn[]): JsonObject;
}

interface PictureList {
  readonly name: string;
  readonly mark: string;
  readonly word: string;
  readonly places: readonly JsonValue[];
  /** By turn: its marks, and those before it. */
  readonly counts: readonly number[];
  readonly starts: readonly number[];
}

/** Reads the lists of a record, and counts the marks of its turns. */
export function picturesOf({ record, turns }: Trajectory): Pictures {
  const lists = kinds.flatMap((kind) => listOf(kind, { record, turns }));
  const withoutMarks = (text: string): string =>
    lists.reduce((rest, { mark, word }) => rest.replaceAll(mark, word), text);
  const places = new Map(turns.map(({ span }, at) => [span.start, at]));
  const shownIn = (turn: NewTurn): readonly { readonly at: number; readonly text: string }[] => {
    if (turn.type === 'kept') return [{ at: turn.at, text: turns[turn.at]?.text ?? '' }];
    if (turn.type === 'changed') return [turn];
    return turn.pieces.flatMap((piece) =>
      typeof piece === 'string' ? [] : [{ at: places.get(piece.span.start) ?? -1, text: piece.text }],
    );
  };
  return {
    withoutMarks,
    settled: (turn) => {
      if (turn.type !== 'changed' || turns[turn.at]?.speaker === 'gpt') return turn;
      if (lists.every(({ mark, counts }) => marksIn(turn.text, mark) === counts[turn.at])) return turn;
      return { ...turn, value: mapTexts(turn.value, withoutMarks), text: withoutMarks(turn.text) };
    },
    fields: (made) => {
      const shown = made.flatMap(shownIn);
      const placesIn = ({ mark, places: all, counts, starts }: PictureList): readonly JsonValue[] =>
        shown.flatMap(({ at, text }) => {
          const [count = 0, start = 0] = [counts[at], starts[at]];
          return count > 0 && marksIn(text, mark) === count ? all.slice(start, start + count) : [];
        });
      return Object.fromEntries(lists.map((list) => [list.name, placesIn(list)]));
    },
  };
}

function listOf(
  kind: (typeof kinds)[number],
  { record, turns }: Pick<Trajectory, 'record' | 'turns'>,
): readonly PictureList[] {
  const places = isJsonObject(record) ? record[kind.name] : undefined;
  if (!Array.isArray(places) || places.length === 0) return [];
  const counts = turns.map((turn) => marksOf(turn, kind.mark));
  const starts: number[] = [];
  let all = 0;
  for (const count of counts) {
    starts.push(all);
    all += count;
  }
  return all === places.length ? [{ ...kind, places, counts, starts }] : [];
}

/** Models show no pictures: what one wrote is its text. */
const marksOf = ({ speaker, text }: Turn, mark: string): number => (speaker === 'gpt' ? 0 : marksIn(text, mark));

const marksIn = (text: string, mark: string): number => text.split(mark).length - 1;

function mapTexts(value: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof value === 'string') return change(value);
  if (isJsonObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapTexts(member, change)]));
  return Array.isArray(value) ? value.map((one: JsonValue) => mapTexts(one, change)) : value;
}
