/** The commands that make training data of finished conversations. */
import type { CommandRow, OptionRow } from './build.ts';
import { added, convertRow, sessionOptions, statsRow } from './trajectory-tasks.ts';

const queueOption: OptionRow = [
  '--queue <url>',
  'PostgreSQL database with the queue: postgres://user@host:5432/database',
];
const patienceOption: OptionRow = [
  '--patience-seconds <n>',
  'how long the database may be gone before the run stops; default: 30',
];

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
    ['--summary-tokens <tokens>', 'tokens of the summaries; default: 23 % of the target, in greedy mode 750 each'],
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
    [queueOption[0], 'share the work with other machines by a PostgreSQL database: postgres://user@host:5432/database'],
    ['--no-local', 'with --queue: leave all the work to other machines'],
    ['--in-flight <n>', 'with --queue: batches that are in it at a time; default: 64'],
    ['--lease-seconds <n>', 'with --queue: a worker that is silent for so long loses its batches; default: 60'],
    ['--retries <n>', 'with --queue: how often a batch is tried again; default: 4'],
    patienceOption,
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
    [
      'palimpsest trajectories compress runs/ -o short/ --queue postgres://me@db/work',
      'on all machines that work there',
    ],
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

const workRow: CommandRow = {
  name: 'work',
  summary: 'do the work of runs in a queue',
  about:
    'Take batches of trajectories from a queue and compress them, until you stop it. Runs are started with ' +
    'palimpsest trajectories compress --queue, on this machine or another.',
  options: [
    queueOption,
    ['--workers <n>', 'worker threads; default: one for each core'],
    ['--idle-seconds <n>', 'end after so long without work; default: never'],
    patienceOption,
    '--json',
  ],
  examples: [
    ['palimpsest trajectories work --queue postgres://me@db/work'],
    ['palimpsest trajectories work --queue postgres://me@db/work --idle-seconds 60', 'end when there is no more work'],
  ],
  run: async (call) => (await import('../run/trajectories-queue.ts')).runTrajectoriesWork(call),
};

const queueRow: CommandRow = {
  name: 'queue',
  summary: 'list the runs in a queue, or remove one',
  options: [queueOption, ['--clean <run>', 'remove a run with its batches'], patienceOption, '--json'],
  examples: [
    ['palimpsest trajectories queue --queue postgres://me@db/work'],
    ['palimpsest trajectories queue --queue postgres://me@db/work --clean 7f3a9c01'],
  ],
  run: async (call) => (await import('../run/trajectories-queue.ts')).runTrajectoriesQueue(call),
};

export const trajectoryCommands: readonly CommandRow[] = [
  {
    name: 'trajectories',
    summary: 'make training data of finished conversations',
    commands: [compressRow, statsRow, convertRow, workRow, queueRow, configRow],
  },
];
