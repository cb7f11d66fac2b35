/** What a trajectory is made of, in figures: for histograms of a set before it is fitted. */
import { toolCalls } from '../transcript/text.ts';
import { entryFormatOf } from './formats/formats.ts';
import { resolveOptions, type TrajectoryOptions } from './options.ts';
import { readTrajectory } from './read.ts';
import type { TrajectoryFormat } from './turn.ts';

/** One trajectory in figures. Tokens are those of the chosen tokenizer. */
export interface TrajectoryLineStats {
  readonly format: TrajectoryFormat;
  readonly tokens: number;
  readonly turns: number;
  readonly turnsBySpeaker: Readonly<Record<'system' | 'human' | 'gpt' | 'tool', number>>;
  readonly tokensBySpeaker: Readonly<Record<'system' | 'human' | 'gpt' | 'tool', number>>;
  /** How often each tool was called, by its name, the most called first. */
  readonly calls: ReadonlyMap<string, number>;
  /** True where the tokens are over the target. */
  readonly isOverTarget: boolean;
}

/**
 * Counts one line of training data.
 *
 * @throws TRAJECTORY_BROKEN for a line that is no record of turns, BAD_OPTION
 *
 * @example
 * import { tokenizerFor } from '@palimpsest/core';
 * import { trajectoryStats } from '@palimpsest/core/trajectories';
 * const line = JSON.stringify({ conversations: [{ from: 'human', value: 'Move the ledgers.' }] });
 * const { tokens, isOverTarget } = trajectoryStats(line, { tokenizer: await tokenizerFor('gpt-5') });
 */
export function trajectoryStats(
  line: string,
  given: Pick<TrajectoryOptions, 'tokenizer' | 'format' | 'targetTokens'>,
): TrajectoryLineStats {
  const { tokenizer, format, targetTokens } = resolveOptions('trajectoryStats', given);
  const trajectory = readTrajectory(line, format);
  const turnsBySpeaker = { system: 0, human: 0, gpt: 0, tool: 0 };
  const tokensBySpeaker = { system: 0, human: 0, gpt: 0, tool: 0 };
  for (const { speaker, text } of trajectory.turns) {
    turnsBySpeaker[speaker]++;
    tokensBySpeaker[speaker] += tokenizer.count(text);
  }
  const tokens = Object.values(tokensBySpeaker).reduce((sum, one) => sum + one, 0);
  const calls = new Map<string, number>();
  for (const message of entryFormatOf(trajectory.format).messages(trajectory.turns))
    for (const { name } of toolCalls(message)) calls.set(name, (calls.get(name) ?? 0) + 1);
  return {
    format: trajectory.format,
    tokens,
    turns: trajectory.turns.length,
    turnsBySpeaker,
    tokensBySpeaker,
    calls: new Map([...calls].toSorted(([, a], [, b]) => b - a)),
    isOverTarget: tokens > targetTokens,
  };
}
