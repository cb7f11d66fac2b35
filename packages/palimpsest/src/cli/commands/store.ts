/** The commands that fill, keep and manage the store. */
import { type ArgumentRow, type CommandRow, formatName, modelOption, timeOptions, writerOptions } from './build.ts';

const session: ArgumentRow = ['<session>', 'id, beginning of an id, or title'];

const pinOptions = [modelOption('the session'), '--context-length', '--json', '--store'] as const;

const pinCommands: readonly CommandRow[] = [
  {
    name: 'pins',
    summary: 'list the pinned messages of a conversation',
    about: 'List the messages of a conversation that stay word for word in every later context, and what they take.',
    arguments: [session],
    options: pinOptions,
    examples: [['palimpsest sessions pins "Oven timer drift"']],
    run: async (call) => (await import('../run/pins.ts')).runSessionsPins(call),
  },
  {
    name: 'pin',
    summary: 'keep a message word for word, whatever is compressed',
    about:
      'Pin a message: what you or the assistant said in it stays word for word in every later context of the ' +
      'conversation. All pins together may have compression.pin_ratio of the threshold.',
    arguments: [session, ['[message]', 'id of the message, such as m12; default: your newest one']],
    options: pinOptions,
    examples: [['palimpsest sessions pin "Oven timer drift" m12'], ['palimpsest sessions pin 0193a2b4-c5d6']],
    isPersons: true,
    run: async (call) => (await import('../run/pins.ts')).runSessionsPin(call),
  },
  {
    name: 'unpin',
    summary: 'let go of a pinned message',
    about: 'Unpin a message. From the next compression on it is treated like all others.',
    arguments: [session, ['<message>', 'id of the message, such as m12']],
    options: pinOptions,
    examples: [['palimpsest sessions unpin "Oven timer drift" m12']],
    isPersons: true,
    run: async (call) => (await import('../run/pins.ts')).runSessionsUnpin(call),
  },
];

const deleteOptions = [
  ['--yes', 'delete without asking'],
  ['--dry-run', 'show what would be deleted, and delete nothing'],
  '--json',
  '--store',
] as const;

const sessionCommands: readonly CommandRow[] = [
  {
    name: 'list',
    summary: 'list conversations, most recently active first',
    about: 'List the conversations in the store, most recently active first. A compressed conversation is one row.',
    options: [
      ['--limit <n>', 'most conversations to show; default: 20'],
      '--source',
      '--project',
      ['--sides', 'include sub-agents and branches'],
      ...timeOptions('active'),
      '--json',
      '--store',
    ],
    examples: [
      ['palimpsest sessions list'],
      ['palimpsest sessions list --since 7d --project .'],
      ['palimpsest sessions list --source claude-code --limit 100 --json'],
    ],
    run: async (call) => (await import('../run/sessions.ts')).runSessionsList(call),
  },
  {
    name: 'show',
    summary: 'show one conversation: times, counts, usage, sessions, messages',
    about: 'Show one conversation: its source, times, counts, usage, sessions, and the first and last request.',
    arguments: [session],
    options: [
      ['--messages', 'show the messages that the model sees now, with credentials masked'],
      '--json',
      '--store',
    ],
    examples: [
      ['palimpsest sessions show "Oven timer drift"'],
      ['palimpsest sessions show 0193a2b4-c5d6 --messages | less'],
    ],
    run: async (call) => (await import('../run/sessions.ts')).runSessionsShow(call),
  },
  {
    name: 'title',
    summary: 'print or set the title of a conversation',
    about: 'Print or set the title of a conversation. Titles are unique: a title in use gets a number.',
    arguments: [session, ['[title]', 'the new title, at most 100 characters']],
    options: [['--clear', 'remove the title'], '--json', '--store'],
    examples: [
      ['palimpsest sessions title 0193a2b4-c5d6'],
      ['palimpsest sessions title 0193a2b4-c5d6 "Oven timer drift"'],
    ],
    run: async (call) => (await import('../run/sessions.ts')).runSessionsTitle(call),
  },
  {
    name: 'compress',
    summary: 'continue a conversation in a smaller session',
    about:
      'Compress a conversation in the store: its newest session ends, and a new session with the smaller context continues ' +
      'it. Both are kept. If anything fails, the conversation is unchanged.',
    arguments: [session],
    options: ['--target', '--focus', '--template', '--engine', '--json', ...writerOptions('the session'), '--store'],
    examples: [
      ['palimpsest sessions compress "Oven timer drift"'],
      ['palimpsest sessions compress 0193a2b4-c5d6 --summarizer openai/gpt-5-mini'],
      ['palimpsest sessions compress 0193a2b4-c5d6 --engine newest'],
    ],
    run: async (call) => (await import('../run/compress.ts')).runSessionsCompress(call),
  },
  ...pinCommands,
  {
    name: 'export',
    summary: 'write a conversation as a transcript in any format',
    about:
      'Write a whole conversation as a transcript, including everything that was compressed. An imported conversation ' +
      'comes back as it was read. Credentials are not masked.',
    arguments: [session],
    options: [
      ['--to <format>', 'output format; default: that of its source (see palimpsest formats)', { parse: formatName }],
      ['-o, --output <file>', 'file for the transcript; "-" or nothing for standard output'],
      '--force',
      ['--view', 'write only what the model sees now'],
      '--store',
    ],
    examples: [
      ['palimpsest sessions export "Oven timer drift" -o oven.jsonl'],
      ['palimpsest sessions export 0193a2b4-c5d6 --to openai-chat'],
      ['palimpsest sessions export 0193a2b4-c5d6 --view | palimpsest inspect'],
    ],
    run: async (call) => (await import('../run/sessions.ts')).runSessionsExport(call),
  },
  {
    name: 'delete',
    summary: 'delete conversations permanently',
    about:
      'Delete conversations permanently: all their sessions, those of their sub-agents, and every message that no other ' +
      'session contains. Asks first on a terminal; elsewhere --yes is required.',
    arguments: [['<session...>', 'ids, beginnings of ids, or titles']],
    options: deleteOptions,
    examples: [['palimpsest sessions delete 0193a2b4-c5d6'], ['palimpsest sessions delete 0193a2b4-c5d6 --dry-run']],
    isPersons: true,
    run: async (call) => (await import('../run/sessions-delete.ts')).runSessionsDelete(call),
  },
  {
    name: 'prune',
    summary: 'delete conversations that were last active before a time',
    about:
      'Delete every conversation that was last active before a time, permanently. Asks first on a terminal; elsewhere --yes is required.',
    options: [['--before <time>', 'last active before: 2026-01-31, 90d, 6mo, 1y'], '--source', ...deleteOptions],
    examples: [
      ['palimpsest sessions prune --before 1y --dry-run'],
      ['palimpsest sessions prune --before 2026-01-01 --source codex --yes'],
    ],
    isPersons: true,
    run: async (call) => (await import('../run/sessions-delete.ts')).runSessionsPrune(call),
  },
];

export const storeCommands: readonly CommandRow[] = [
  {
    name: 'import',
    summary: 'store the conversations of other tools',
    about:
      'Store the conversations of transcripts. Importing again adds only what is new, so you can repeat it as often as ' +
      'you like. Files that cannot be read are reported and skipped.',
    arguments: [['[path...]', 'transcripts, plain or gzip, and folders of them; "-" for standard input']],
    options: [
      ['--discover', 'find your own sessions on this machine: Claude Code, Codex CLI, pi, GitHub Copilot CLI'],
      ['--source <format>', 'only conversations of this source, such as codex', { parse: formatName }],
      ['--from <format>', 'format of every PATH; default: detected from the content', { parse: formatName }],
      ['--project <folder>', 'folder that the agent worked in; default: the one in the transcript'],
      ['--title <title>', 'title of the conversation; only for a file with one conversation'],
      ['--dry-run', 'show what would be imported, and import nothing'],
      '--json',
      '--store',
    ],
    examples: [
      ['palimpsest import --discover', 'everything on this machine'],
      ['palimpsest import session.jsonl'],
      ['palimpsest import logs/ more.json.gz'],
      ['palimpsest import --discover --source codex --dry-run'],
    ],
    run: async (call) => (await import('../run/import.ts')).runImport(call),
  },
  {
    name: 'sessions',
    summary: 'list, show, name, compress, export and delete conversations',
    about: 'Work with the conversations in the store. SESSION is an id, the beginning of an id, or a title.',
    examples: [
      ['palimpsest sessions list --since 7d'],
      ['palimpsest sessions show "Oven timer drift"'],
      ['palimpsest sessions export "Oven timer drift" -o oven.jsonl', 'everything that was said'],
    ],
    commands: sessionCommands,
  },
  {
    name: 'doctor',
    summary: 'check the store, and repair it',
    about:
      'Check the store: its file, pages, rows and search index, the views of sessions, and every message and ' +
      'saved output against its hash. Without --repair nothing is changed; messages are never changed. If the store was ' +
      'cut short or lost pages, --repair copies everything that can still be read to a new file and lists what is missing.',
    options: [
      [
        '--repair',
        'rebuild indexes, views, counts and file permissions; if messages are damaged, copy what can be read to a new file',
      ],
      '--json',
      '--store',
    ],
    examples: [['palimpsest doctor'], ['palimpsest doctor --repair'], ['palimpsest doctor --json', 'for programs']],
    run: async (call) => (await import('../run/store-care.ts')).runDoctor(call),
  },
  {
    name: 'backup',
    summary: 'copy the store and the memory files',
    about:
      'Copy the whole store to one new file, and the memory files to a folder beside it: copy.db and copy-memories. Other ' +
      'processes can keep writing; the copy is a consistent snapshot.',
    arguments: [['<file>', 'file to create']],
    options: ['--json', '--store'],
    examples: [['palimpsest backup ~/backups/palimpsest-2026-01-31.db']],
    run: async (call) => (await import('../run/backup.ts')).runBackup(call),
  },
  {
    name: 'restore',
    summary: 'restore the store and the memory files from a backup',
    about:
      'Restore the store from a backup, and the memory files from the folder beside it, if there is one. The backup is ' +
      'checked first and never changed. A store or memory with content is only replaced with --force; it is then kept ' +
      'under another name.',
    arguments: [['<file>', 'backup to restore']],
    options: [
      ['--force', 'replace a store or memory that has content; the old one is kept under another name'],
      '--json',
      '--store',
    ],
    examples: [
      ['palimpsest restore ~/backups/palimpsest-2026-01-31.db'],
      ['palimpsest restore palimpsest-2026-01-31.db --store elsewhere.db'],
    ],
    isPersons: true,
    run: async (call) => (await import('../run/backup.ts')).runRestore(call),
  },
];
