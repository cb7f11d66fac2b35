/** The nouns of a trajectory: a finished conversation as one record of training data, read as turns over its own text. */
import type { JsonObject, JsonValue } from '../shared/json.ts';
import type { Span } from '../shared/json-spans.ts';

/** Who speaks in a turn, under the names of training data: the rules, the person, the model that learns, a tool. */
export type Speaker = 'system' | 'human' | 'gpt' | 'tool';

/** The formats of records of training data. */
export const trajectoryFormats = ['sharegpt', 'openai-chat', 'anthropic'] as const;

/** A format of records of training data. */
export type TrajectoryFormat = (typeof trajectoryFormats)[number];

/** One turn of a trajectory. */
export interface Turn {
  readonly speaker: Speaker;
  /** What is counted of it: all that a model would read, without the marks of a chat template. */
  readonly text: string;
  readonly value: JsonValue;
  /** Where it stands in the line. */
  readonly span: Span;
  /** Set for a system prompt that stands beside the list, in a field of the record. */
  readonly field?: string;
}

/** A record of training data, read. */
export interface Trajectory {
  readonly format: TrajectoryFormat;
  /** The text it was read from, without the line break. */
  readonly line: string;
  readonly record: JsonObject | readonly JsonValue[];
  /** The list of the turns, with its brackets. */
  readonly list: Span;
  readonly turns: readonly Turn[];
}
