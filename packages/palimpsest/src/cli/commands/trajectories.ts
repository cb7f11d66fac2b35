/** The commands that make training data of finished conversations. */
import type { CommandRow } from './build.ts';
import { added, convertRow, sessionOptions, statsRow } from './trajectory-tasks.ts';

const compressRow: CommandRow = {
  name: 'compress',
  summary: 'fit trajectories into a training window',
  about:
    'Compress finished conversations (ShareGPT, OpenAI or Anthropic records, one a line) until each fits a number of tokens. ' +
    'One INPUT file becomes one file; several, a folder or a pattern become a folder. What is read and written may be ' +
    'packed (.gz, .zst). A run that was stopped goes on with --resume.',
  arguments: [['[input...]', 'files, folders, patterns such as "runs/*.jsonl"; "-" for standard input']],
  options: [
    ['-o, --output <path>', 'file, or folder for several inputs'],
    '--force',
    ['--resume', 'go on with a run that was stopped'],
    ['--dry-run', 'count everything, and write nothing'],
    ['--config <file>', 'settings as YAML or JSON; palimpsest trajectories config prints all of them'],
    [
      '--set <key=value>',
      'one setting of that file, such as protected_turns.last_n_turns=6; may be repeated',
      { parse: added },
    ],
    ['--target-tokens <tokens>', 'tokens that a trajectory may have, such as 16k; default: 15250'],
    ['--summary-tokens <tokens>', 'tokens of a summary turn; default: 750'],
    ['--tokenizer <name>', 'o200k_base, cl100k_base or a model whose tokens are counted; default: o200k_base'],
    [
      '--mode <name>',
      'value: the spans that cost least; greedy: the first ones; default: value',
      { choices: ['value', 'greedy'] },
    ],
    [
      '--format <name>',
      'format of the records; default: found by each record, and sharegpt for those of the store',
      { choices: ['sharegpt', 'openai-chat', 'anthropic'] },
    ],
    [
      '--summarizer <provider/name>',
      'model that writes the summaries; default: none, they are written from extracted facts',
    ],
    '--base-url',
    '--no-summarizer',
    ['--max-cost <usd>', 'US dollars that the model may cost; its price must be known'],
    [
      '--on-cap <what>',
      'at --max-cost, stop: end the run, to go on later; ledger: write the rest without the model; default: stop',
      { choices: ['stop', 'ledger'] },
    ],
    ['--loss-mask', 'write loss_mask, and where each summary came from, into the records'],
    ['--sample-percent <percent>', 'take only so many of the records, above 0 and up to 100'],
    ['--seed <n>', 'decides which records the sample takes; default: 42'],
    ['--workers <n>', 'worker threads; default: one for each core'],
    ['--errors <file>', 'list every record that was not compressed, one JSON object a line'],
    ...sessionOptions,
    '--json',
  ],
  examples: [
    ['palimpsest trajectories compress runs.jsonl -o short.jsonl'],
    ['palimpsest trajectories compress runs/ -o short/ --target-tokens 16k', 'a whole folder'],
    ['palimpsest trajectories compress runs.jsonl.zst -o short.jsonl.zst --resume', 'go on after a crash'],
    ['palimpsest trajectories compress "runs/*.jsonl" -o short/ --dry-run --sample-percent 5'],
    ['palimpsest trajectories compress runs.jsonl -o short.jsonl --config trajectories.yaml'],
    [
      'palimpsest trajectories compress runs.jsonl -o short.jsonl --summarizer openai/gpt-5-mini --max-cost 20',
      'let a model write the summaries',
    ],
    ['palimpsest trajectories compress --from-sessions --source codex -o short.jsonl', 'conversations of the store'],
  ],
  run: async (call) => (await import('../run/trajectories-compress.ts')).runTrajectoriesCompress(call),
};

const configRow: CommandRow = {
  name: 'config',
  summary: 'print every setting with its default, as YAML',
  options: ['--json'],
  examples: [['palimpsest trajectories config > trajectories.yaml']],
  run: async (call) => (await import('../run/trajectories-config.ts')).runTrajectoriesConfig(call),
};

export const trajectoryCommands: readonly CommandRow[] = [
  {
    name: 'trajectories',
    summary: 'make training data of finished conversations',
    commands: [compressRow, statsRow, convertRow, configRow],
  },
];
