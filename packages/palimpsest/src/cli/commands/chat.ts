/** The command that holds a conversation. */
import type { CommandRow } from './build.ts';

export const chatCommands: readonly CommandRow[] = [
  {
    name: 'chat',
    summary: 'work with an agent that keeps everything and never runs out of window',
    about:
      'Work with an agent in the terminal. It reads and changes files and runs commands, and asks before it changes or runs ' +
      'anything. Everything that is said is kept, the window is managed, and a conversation can be resumed at any time. With -p, or with a ' +
      'text on standard input, it answers once.',
    options: [
      ['-p, --prompt <text>', 'ask once: the answer goes to standard output; standard input is added to the text'],
      [
        '--model <provider/name>',
        'model to work with; default: model.name, a provider with a key, or a server on this machine',
      ],
      ['--base-url <url>', 'base URL of the model; it must speak Chat Completions'],
      '--context-length',
      ['--resume [id|title]', 'go on with this conversation; without one, choose from a list'],
      ['--continue', 'go on with the newest conversation of this folder'],
      ['--project <folder>', 'folder to work in; default: this one'],
      ['--title <text>', 'name a new conversation'],
      [
        '--policy <name>',
        'what is asked before it is done; default: ask',
        { choices: ['ask', 'auto-edit', 'read-only'] },
      ],
      ['--yes', 'allow what would be asked, but for what is never allowed; for scripts in a sandbox'],
      ['--json', 'print each event as one line of JSON; with -p'],
      '--store',
    ],
    examples: [
      ['palimpsest chat', 'begin a conversation in this folder'],
      ['palimpsest chat --continue', 'go on with the newest one'],
      ['palimpsest chat --model anthropic/claude-sonnet-4-5'],
      ['palimpsest chat -p "What does this project do?"', 'ask once'],
      ['git diff | palimpsest chat -p "Review this." --policy read-only'],
    ],
    isPersons: true,
    run: async (call) => (await import('../run/chat.ts')).runChat(call),
  },
  {
    name: 'approvals',
    summary: 'show and take back what the agent may do without a question',
    about:
      'Show what you have allowed the agent of palimpsest chat to do in a project without a question, and take it back. What is ' +
      'allowed is kept in your data folder, never in the project.',
    examples: [['palimpsest approvals'], ['palimpsest approvals remove 2']],
    commands: [
      {
        name: 'list',
        isDefault: true,
        summary: 'list what is allowed in this project',
        options: [
          ['--project <folder>', 'project; default: this folder'],
          ['--everywhere', 'of all projects'],
          '--json',
        ],
        examples: [['palimpsest approvals list'], ['palimpsest approvals list --everywhere']],
        run: async (call) => (await import('../run/approvals.ts')).runApprovalsList(call),
      },
      {
        name: 'remove',
        isPersons: true,
        summary: 'ask again for what was allowed',
        arguments: [['[numbers...]', 'numbers of the list']],
        options: [['--project <folder>', 'project; default: this folder'], '--json'],
        examples: [['palimpsest approvals remove 2', 'ask again for the second of the list']],
        run: async (call) => (await import('../run/approvals.ts')).runApprovalsRemove(call),
      },
    ],
  },
];
