/** Trajectories to compress: invented conversations of an agent, the same for a seed. */

/** A ShareGPT record of so many turns after the request, each of about so many characters. */
export function shareGptRecord(id: number, turns: number, chars: number): string {
  const said = (turn: number): string => {
    let text = `${id}.${turn}:`;
    for (let i = 0; text.length < chars; i++)
      text += ` ${words[(id * 31 + turn * 17 + i * 7) % words.length]}${(id + i) % 97}`;
    return text;
  };
  const conversations = [
    { from: 'system', value: 'You mend ovens.' },
    { from: 'human', value: `Mend oven ${id}.` },
    ...Array.from({ length: turns }, (_, turn) => ({ from: turn % 2 === 0 ? 'gpt' : 'tool', value: said(turn) })),
  ];
  return JSON.stringify({ id: `oven-${id}`, conversations });
}

const words = ['timer', 'door', 'ledger', 'fuse', 'coil', 'seal', 'fan', 'probe', 'shelf', 'lamp', 'relay', 'crumb'];

export interface LinesOptions {
  readonly records: number;
  readonly turns?: number;
  readonly chars?: number;
  /** Every so many lines one is cut in its middle. */
  readonly brokenEvery?: number;
}

/** Lines of records; every third is short enough to stay as it is. */
export function shareGptLines({ records, turns = 24, chars = 240, brokenEvery = 0 }: LinesOptions): readonly string[] {
  return Array.from({ length: records }, (_, at) => {
    const line = at % 3 === 0 ? shareGptRecord(at, 2, 40) : shareGptRecord(at, turns, chars);
    return brokenEvery > 0 && at % brokenEvery === brokenEvery - 1 ? line.slice(0, 60) : line;
  });
}

/** Settings under which the long ones of these records are compressed, in many small batches. */
export const smallSettings: readonly string[] = [
  '--target-tokens',
  '1500',
  '--mode',
  'greedy',
  '--summary-tokens',
  '200',
  '--set',
  'processing.batch_kilobytes=4',
  '--set',
  'processing.checkpoint_seconds=0',
  '--workers',
  '1',
];

/** The same for the library. */
export const smallConfig = {
  compression: { targetMaxTokens: 1_500, mode: 'greedy', summaryTargetTokens: 200 },
  processing: { batchKilobytes: 4, checkpointSeconds: 0, numWorkers: 1 },
} as const;
