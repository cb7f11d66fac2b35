/** The commands that count trajectories and write them in other formats; and what every command of them takes of the store. */
import { type CommandRow, type OptionRow, type SharedOption, timeOptions } from './build.ts';

const formatNames = ['sharegpt', 'openai-chat', 'anthropic'];

/** Records from the store in place of files, and which. */
export const sessionOptions: readonly (OptionRow | SharedOption)[] = [
  ['--from-sessions', 'take conversations of the store; INPUT is then the id or title of some of them'],
  ...timeOptions('active'),
  ['--source <names>', 'only conversations of these sources, such as claude-code,codex'],
  '--project',
  ['--model <text>', 'only conversations whose model has this in its name'],
  ['--title <text>', 'only conversations whose title has this in it'],
  ['--raw', 'leave credentials in what comes from the store; default: they are masked'],
  '--store',
];

/** What was typed before, and one more. */
export function added(word: string, before: unknown): readonly unknown[] {
  return [...(Array.isArray(before) ? before : []), word];
}

const inputArgument = [
  '[input...]',
  'files, folders, patterns such as "runs/*.jsonl"; "-" for standard input',
] as const;

const formatOption: OptionRow = [
  '--format <name>',
  'format of the records; default: found by each record',
  { choices: formatNames },
];

export const statsRow: CommandRow = {
  name: 'stats',
  summary: 'show how long trajectories are, and what is in them',
  about:
    'Count trajectories: how long they are, who says how much, which tools are called and how often they fail, and what is ' +
    'over a target. Nothing is written, and memory does not grow with the number of records.',
  arguments: [inputArgument],
  options: [
    [
      '--target-tokens <tokens>',
      'count what is over this number of tokens; may be repeated; default: 15250',
      { parse: added },
    ],
    ['--tokenizer <name>', 'o200k_base, cl100k_base or a model whose tokens are counted; default: o200k_base'],
    formatOption,
    ['--workers <n>', 'worker threads; default: one for each core'],
    ['--errors <file>', 'list every record that could not be read, one JSON object a line'],
    ['--force', 'replace the file of --errors'],
    ...sessionOptions,
    '--json',
  ],
  examples: [
    ['palimpsest trajectories stats runs.jsonl'],
    ['palimpsest trajectories stats runs/ --target-tokens 8k --target-tokens 16k --target-tokens 32k'],
    ['palimpsest trajectories stats --from-sessions --since 4w', 'conversations of the store'],
  ],
  run: async (call) => (await import('../run/trajectories-stats.ts')).runTrajectoriesStats(call),
};

export const convertRow: CommandRow = {
  name: 'convert',
  summary: 'write trajectories in another format',
  about:
    'Write finished conversations as ShareGPT, OpenAI or Anthropic records. Calls, thoughts and results that stand as markup in ' +
    'texts become what they are, and back. Files, order, packing and --resume are those of compress.',
  arguments: [inputArgument],
  options: [
    ['-o, --output <path>', 'file, or folder for several inputs'],
    ['--to <name>', 'format to write', { choices: formatNames }],
    [
      '--calls <layout>',
      'in ShareGPT: calls as markup in the text, or as turns of their own; default: markup',
      { choices: ['markup', 'turns'] },
    ],
    [
      '--reasoning <place>',
      'thoughts: keep them where the format has a place, as <think> in the text, or drop them; default: keep',
      { choices: ['keep', 'markup', 'drop'] },
    ],
    formatOption,
    '--force',
    ['--resume', 'go on with a run that was stopped'],
    ['--dry-run', 'convert everything, and write nothing'],
    ['--workers <n>', 'worker threads; default: one for each core'],
    ['--errors <file>', 'list every record that was not converted, one JSON object a line'],
    ...sessionOptions,
    '--json',
  ],
  examples: [
    ['palimpsest trajectories convert runs.jsonl -o chat.jsonl --to openai-chat'],
    ['palimpsest trajectories convert chat/ -o share/ --to sharegpt --calls turns', 'a whole folder'],
    ['palimpsest trajectories convert --from-sessions -o runs.jsonl --to anthropic', 'conversations of the store'],
  ],
  run: async (call) => (await import('../run/trajectories-convert.ts')).runTrajectoriesConvert(call),
};
