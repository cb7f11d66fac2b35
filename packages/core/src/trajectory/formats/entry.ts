/** The port of a format of training data: what an element of its list says, and how a new one is written. */
import type { JsonObject, JsonValue } from '../../shared/json.ts';
import type { Message } from '../../transcript/message.ts';
import type { Speaker, TrajectoryFormat, Turn } from '../turn.ts';

/** What an element of the list says. */
export interface Entry {
  readonly speaker: Speaker;
  readonly text: string;
}

/** A piece of a human turn that is made: text of ours, or a turn as it stood in the record. */
export type Piece = string | Turn;

export interface EntryFormat {
  readonly format: TrajectoryFormat;
  /** What an element should be, for those that are not. */
  readonly expected: string;
  /** True where the list is of this format and of no other. */
  knows(list: readonly JsonValue[], record: JsonObject | readonly JsonValue[]): boolean;
  /** What an element says; undefined for one that is no turn. */
  read(value: JsonObject): Entry | undefined;
  /** The turns as messages, one each: what is read to write a summary. */
  messages(turns: readonly Turn[]): readonly Message[];
  /** The JSON of a human turn of these pieces, in the way in which the record writes its own. */
  human(pieces: readonly Piece[], like: readonly Turn[]): JsonObject;
  /** True for a turn that is written in the name of the person. */
  isPersons(turn: Turn): boolean;
  /** A turn with a text behind its own. */
  append(turn: Turn, text: string): JsonValue;
  /** What shortens the texts of a turn, as often as wanted; undefined where it has none. */
  clip(turn: Turn): Clip | undefined;
}

/** A turn with its long texts shortened; calls, thoughts and pictures stay. */
export type Clip = (shorten: (text: string) => string) => JsonObject;

/** What stands between two pieces of a turn. */
export const pieceBreak = '\n\n';
