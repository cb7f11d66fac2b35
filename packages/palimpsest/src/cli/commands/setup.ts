/** The commands that show usage and configuration, manage engines, and help. */
import { nearest } from '@palimpsest/core/settings';
import type { Command } from 'commander';
import { exitCodes } from '../exit-codes.ts';
import { type CommandRow, inputOptions, insightGroups, modelOption, shells, timeOptions } from './build.ts';

const pluginCommands: readonly CommandRow[] = [
  {
    name: 'list',
    isDefault: true,
    summary: 'list the engines, which one is active, and what is wrong with the others',
    about:
      'List the engines, which one is active, and what is wrong with the others. Only the active one runs. Exit code 1 if ' +
      'the requested engine is not the one that runs.',
    options: ['--json'],
    examples: [['palimpsest plugins']],
    run: async (call) => (await import('../run/plugins.ts')).runPluginsList(call),
  },
  {
    name: 'use',
    summary: 'make an engine the active one',
    about: 'Make an engine the active one: load it, then write context.engine to your configuration file.',
    arguments: [['<name>', 'name of an engine (see palimpsest plugins)']],
    options: [
      ['--project', 'write to palimpsest.yaml of this folder instead; it counts only if the project is trusted'],
      '--json',
    ],
    examples: [
      ['palimpsest plugins use newest'],
      ['palimpsest plugins use compressor', 'go back to the built-in engine'],
      ['palimpsest compress chat.json --engine newest', 'use an engine for one run only'],
    ],
    isPersons: true,
    run: async (call) => (await import('../run/plugins.ts')).runPluginsUse(call),
  },
  {
    name: 'check',
    summary: 'check that a plugin meets the contract of an engine',
    about:
      'Check that a plugin meets the contract of an engine, on made-up conversations. Its code runs in a worker, ' +
      'which is stopped if it hangs. Exit code 1 if a rule of the contract is broken.',
    arguments: [['<folder>', 'folder that contains plugin.json']],
    options: [['--timeout <seconds>', 'time limit for each rule; default: 20'], '--json'],
    examples: [['palimpsest plugins check ./newest'], ['palimpsest plugins check ./newest --json']],
    run: async (call) => (await import('../run/plugins.ts')).runPluginsCheck(call),
  },
  {
    name: 'trust',
    summary: "allow a project's plugins, packages and hook commands to run",
    about:
      "Allow a project's plugins, packages and hook commands to run, now and after they change. Writes " +
      'plugins.trusted_projects to your configuration file. Folders inside the project are not included.',
    arguments: [['[folder]', 'folder of the project; default: this folder']],
    options: [['--remove', 'stop trusting it'], '--json'],
    examples: [['palimpsest plugins trust'], ['palimpsest plugins trust ~/code/app --remove']],
    isPersons: true,
    run: async (call) => (await import('../run/plugins.ts')).runPluginsTrust(call),
  },
];

export const setupCommands: readonly CommandRow[] = [
  {
    name: 'usage',
    summary: 'show what a conversation used and cost',
    about:
      'Show what a conversation used and cost, over all its sessions and sub-agents: tokens by kind, list price, what the ' +
      'cache saved, and how full its context is. Unknown prices are marked.',
    arguments: [['[session]', 'id, beginning of an id, or title; default: the last active conversation']],
    options: ['--context-length', '--json', '--store'],
    examples: [
      ['palimpsest usage', 'the last active conversation'],
      ['palimpsest usage "Oven timer drift"'],
      ['palimpsest usage 0193a2b4-c5d6 --json'],
    ],
    run: async (call) => (await import('../run/usage.ts')).runUsage(call),
  },
  {
    name: 'insights',
    summary: 'show what all conversations used and cost over time',
    about:
      'Show what all conversations used and cost over time, by default in the last 30 days: list price, what the cache ' +
      'saved, models, tools, sources, days, the largest conversations. --html writes a page with charts that needs no ' +
      'network. A time in days, weeks, months or years starts at midnight.',
    options: [
      [
        '--by <group>',
        'show every row of one table; --html puts it first, --json adds it as `rows`',
        { choices: insightGroups },
      ],
      ['--html [file]', 'write an HTML page; default: palimpsest-insights.html; "-" for standard output'],
      '--force',
      '--json',
      ...timeOptions('calls made'),
      '--store',
    ],
    examples: [
      ['palimpsest insights'],
      ['palimpsest insights --since 1y --by project'],
      ['palimpsest insights --by tool --json'],
      ['palimpsest insights --since 2026-01 --until 2026-03 --html spring.html'],
    ],
    run: async (call) => (await import('../run/insights.ts')).runInsights(call),
  },
  {
    name: 'status',
    summary: 'show how full the window is, and when compression starts',
    about: 'Show when compression starts and how large each part may be; with FILE, also how full its window is.',
    arguments: [['[file]', 'transcript, plain or gzip; "-" for standard input']],
    options: ['--example', '--json', ...inputOptions, modelOption(), '--context-length'],
    examples: [
      ['palimpsest status', 'the sizes for a window of 200k tokens'],
      ['palimpsest status session.jsonl', 'with the share of its window'],
      ['palimpsest status --context-length 32k'],
    ],
    run: async (call) => (await import('../run/status.ts')).runStatus(call),
  },
  {
    name: 'config',
    summary: 'show the configuration',
    about: 'Show the configuration.',
    examples: [['palimpsest config show']],
    commands: [
      {
        name: 'show',
        summary: 'show every setting with its value and its origin',
        about:
          'Show every setting with its value and its origin, and the sizes that result. ' +
          'Settings come from palimpsest.yaml (.yml, .json) in this folder, then config.yaml in your configuration folder, ' +
          'and from PALIMPSEST_ variables, which take precedence.',
        options: [
          ['--changed', 'show only settings that differ from their defaults'],
          ['--model <name>', 'model whose window and threshold apply; default: any'],
          '--context-length',
          '--json',
        ],
        examples: [
          ['palimpsest config show'],
          ['palimpsest config show --context-length 1M', 'the sizes for that window'],
          ['PALIMPSEST_COMPRESSION_THRESHOLD=0.7 palimpsest config show --changed'],
        ],
        run: async (call) => (await import('../run/status.ts')).runConfigShow(call),
      },
    ],
  },
  {
    name: 'prompt',
    summary: 'show the system prompt of the agent',
    about: 'Show the system prompt of the agent.',
    examples: [['palimpsest prompt show']],
    commands: [
      {
        name: 'show',
        summary: 'show the system prompt, part by part, with its tokens',
        about:
          'Show the system prompt that the agent works with in this folder, part by part, with the tokens of each and the most ' +
          'that it may have: SOUL.md of your configuration folder, what is remembered, AGENTS.md and CLAUDE.md of the project, ' +
          'the day, the platform. What is cut, left out or doubted is told in notes.',
        options: [
          ['--text', 'print the very text'],
          ['--project <folder>', 'folder that is worked in; default: this folder'],
          ['--model <name>', 'model whose tokens are counted, and whose window applies'],
          '--context-length',
          '--json',
          '--store',
        ],
        examples: [
          ['palimpsest prompt show'],
          ['palimpsest prompt show --text'],
          ['palimpsest prompt show --context-length 8k', 'how it shrinks with the window'],
        ],
        run: async (call) => (await import('../run/prompt.ts')).runPromptShow(call),
      },
    ],
  },
  {
    name: 'plugins',
    summary: 'list, choose and check context engines',
    about: 'Manage context engines that others wrote. Exactly one engine is active: the one that context.engine names.',
    examples: [
      ['palimpsest plugins', 'list the engines'],
      ['palimpsest plugins check ./newest'],
      ['palimpsest plugins use newest'],
    ],
    commands: pluginCommands,
  },
  {
    name: 'formats',
    summary: 'list transcript formats',
    about: 'List the transcript formats, and whether Palimpsest can write them.',
    options: ['--json'],
    examples: [['palimpsest formats']],
    run: async (call) => (await import('../run/inspect.ts')).runFormats(call),
  },
  {
    name: 'completion',
    summary: 'print the script that completes commands in your shell',
    about:
      'Print the script that completes commands, options, values and file names in your shell. Load it from the file ' +
      'that your shell reads when it starts.',
    arguments: [['<shell>', 'your shell', { choices: shells }]],
    examples: [
      ["echo 'source <(palimpsest completion bash)' >> ~/.bashrc"],
      ["echo 'source <(palimpsest completion zsh)' >> ~/.zshrc"],
      ['palimpsest completion fish > ~/.config/fish/completions/palimpsest.fish'],
    ],
    run: async (call) => (await import('../completion.ts')).runCompletion(call),
  },
  {
    name: 'help',
    summary: 'show help for a command',
    arguments: [['[command...]', '']],
    run: async ({ words, program }) => {
      words.reduce(innerCommand, program).outputHelp();
      return exitCodes.fine;
    },
  },
];

/** `palimpsest help` is the same as `--help`, for commands inside commands too. */
function innerCommand(command: Command, name: string): Command {
  const names = command.commands.map((one) => one.name());
  const near = nearest(name, names);
  const hint = near === undefined ? '' : `\n(Did you mean ${near}?)`;
  return (
    command.commands.find((one) => one.name() === name) ??
    command.error(`error: unknown command '${name}'${hint}`, { code: 'commander.unknownCommand' })
  );
}
