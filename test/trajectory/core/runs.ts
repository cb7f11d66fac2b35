/** Invented agent runs as records of training data, and what tests read of a result. */
import type { Tokenizer } from '../../../packages/core/src/index.ts';
import {
  compressTrajectory,
  type TrajectoryOptions,
  type TrajectoryResult,
} from '../../../packages/core/src/trajectories.ts';

/** Counts words, so that figures can be worked out by hand. */
export const words: Tokenizer = {
  name: 'words',
  exact: true,
  count: (text) => text.split(/\s+/).filter(Boolean).length,
};

export interface Entry {
  readonly from: string;
  readonly value: string;
}

/** So many words. */
export const filler = (count: number, word = 'word'): string => Array(count).fill(word).join(' ');

const call = (step: number): string =>
  `I look at part ${step} of the ledger.\n<tool_call>\n{"name": "terminal", "arguments": {"command": "cat src/part_${step}.ts"}}\n</tool_call>`;

const answer = (step: number, lines: number): string => {
  const rows = Array.from({ length: lines }, (_, row) => `line ${row} of the listing says nothing of interest`);
  rows[Math.floor(lines / 2)] = `export const ledgerOf${step} = openLedger('data/part_${step}.db');`;
  return `<tool_response>\n${rows.join('\n')}\n</tool_response>`;
};

/** A run of `steps` calls with long answers; each call but the first names what the answer before it showed. */
export function runOf(steps: number, lines = 60): readonly Entry[] {
  const turns: Entry[] = [
    { from: 'system', value: 'You are an agent with a terminal.' },
    { from: 'human', value: 'Move the ledgers to the new store, part by part.' },
  ];
  for (let step = 1; step <= steps; step++) {
    const before = step === 1 ? '' : `ledgerOf${step - 1} opens data/part_${step - 1}.db. `;
    turns.push({ from: 'gpt', value: `${before}${call(step)}` }, { from: 'tool', value: answer(step, lines) });
  }
  return [...turns, { from: 'gpt', value: 'All parts are moved.' }];
}

export const record = (conversations: readonly Entry[], fields: object = {}): string =>
  JSON.stringify({ conversations, ...fields });

export const compress = (line: string, options: Partial<TrajectoryOptions> = {}): Promise<TrajectoryResult> =>
  compressTrajectory(line, { tokenizer: words, ...options });

/** The turns of a result in ShareGPT. */
export const turnsIn = ({ text }: TrajectoryResult): readonly Entry[] =>
  (JSON.parse(text) as { conversations: Entry[] }).conversations;

export const isSummary = ({ value }: Entry): boolean => value.includes('[CONTEXT SUMMARY]:');

export const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
