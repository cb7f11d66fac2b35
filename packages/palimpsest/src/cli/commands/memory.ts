/** The commands over what is remembered. */
import type { MemoryKind } from '@palimpsest/core/store';
import type { ArgumentRow, CommandRow, OptionRow } from './build.ts';

/** Written out here: the help of a command loads no store. */
const kinds: readonly MemoryKind[] = ['identity', 'preference', 'fact', 'state', 'procedure'];

const project: OptionRow = ['--project <folder>', 'project that is meant; default: this folder'];
const everywhere = (what: string): OptionRow => ['--everywhere', what];
const force: OptionRow = [
  '--force',
  'keep it although the scan finds something in it; credentials are refused all the same',
];
const yes = (what: string): OptionRow => ['--yes', `${what}; needed where there is no terminal`];
const entry: ArgumentRow = ['<entry>', 'id such as e12, or a part of the text that no other entry has'];

/** An option that may come again: each word behind those before. */
const added = (word: string, before: unknown = []): readonly unknown[] => [
  ...(Array.isArray(before) ? before : []),
  word,
];

const writing: readonly CommandRow[] = [
  {
    name: 'add',
    summary: 'remember something',
    about:
      'Remember something: for this project, with --everywhere for all of them, or with --user about yourself. It is ' +
      'saved when this command says so. A text that could give an agent orders, or that holds a credential, is refused. ' +
      'Without a terminal it waits for your approval, unless --yes is given.',
    arguments: [['[text]', 'one or two sentences; "-" for standard input; may be left out with --key and --value']],
    options: [
      ['--user', 'it is about you, and holds in every project: USER.md'],
      everywhere('it holds in every project: MEMORY.md of your memory folder'),
      ['--kind <kind>', 'what it is; default: told by the text', { choices: kinds }],
      ['--key <name>', 'name of a fact with one value, such as "dev port": a new value replaces the old one'],
      ['--value <value>', 'the value, with --key'],
      ['--until <time>', 'until when it holds, such as 2026-12-31'],
      force,
      yes('you say so yourself'),
      project,
      '--json',
      '--store',
    ],
    examples: [
      ['palimpsest memory add "Tests run with npm test, never with yarn."'],
      ['palimpsest memory add --user "Answers in British English."'],
      ['palimpsest memory add --key "dev port" --value 5174'],
    ],
    run: async (call) => (await import('../run/memory-write.ts')).runMemoryAdd(call),
  },
  {
    name: 'replace',
    summary: 'put another text in place of an entry',
    about: 'Put another text in place of an entry. The old one stays in the history.',
    arguments: [entry, ['<text>', 'the whole new text; "-" for standard input']],
    options: [force, yes('you say so yourself'), project, '--json', '--store'],
    examples: [
      ['palimpsest memory replace e12 "Tests run with pnpm test."'],
      ['palimpsest memory replace "npm test" "Tests run with pnpm test."'],
    ],
    run: async (call) => (await import('../run/memory-write.ts')).runMemoryReplace(call),
  },
  {
    name: 'remove',
    summary: 'remember something no longer',
    about:
      'Remember something no longer. It stays in the history, and undo brings it back; forget deletes it for good.',
    arguments: [entry],
    options: [yes('you say so yourself'), project, '--json', '--store'],
    examples: [['palimpsest memory remove e12'], ['palimpsest memory remove "npm test"']],
    run: async (call) => (await import('../run/memory-write.ts')).runMemoryRemove(call),
  },
  {
    name: 'edit',
    summary: 'open a memory file in your editor',
    about:
      'Open a memory file in $VISUAL or $EDITOR, and say afterwards what was taken in. Entries stand between lines that ' +
      'hold § alone. You may also edit the file without this command: it is read again with every use.',
    arguments: [
      ['[which]', 'memory for the project, user for USER.md; default: memory', { choices: ['memory', 'user'] }],
    ],
    options: [everywhere('MEMORY.md that holds in every project'), project, '--json', '--store'],
    examples: [
      ['palimpsest memory edit'],
      ['palimpsest memory edit user'],
      ['EDITOR="code --wait" palimpsest memory edit --everywhere'],
    ],
    isPersons: true,
    run: async (call) => (await import('../run/memory-edit.ts')).runMemoryEdit(call),
  },
];

const looking: readonly CommandRow[] = [
  {
    name: 'show',
    summary: 'show what is remembered, and what waits for you',
    about:
      'Show what is remembered for this project, everywhere and about you: what each entry is, who said it and when. What ' +
      'waits for your approval comes first.',
    options: [
      everywhere('only what holds in every project'),
      ['--all', 'also what is no longer remembered, and what you rejected'],
      project,
      '--json',
      '--store',
    ],
    examples: [
      ['palimpsest memory show'],
      ['palimpsest memory show --project ~/code/app'],
      ['palimpsest memory show --all --json'],
    ],
    isDefault: true,
    run: async (call) => (await import('../run/memory-show.ts')).runMemoryShow(call),
  },
  {
    name: 'scan',
    summary: 'look for what must not be remembered',
    about:
      'Look for what must not be remembered: orders to the agent, ways out for secrets, credentials, hidden text. Without ' +
      'FILE in everything that is remembered or waits. Exit code 1 if something is found.',
    arguments: [['[file]', 'text to scan; "-" for standard input; default: the memory']],
    options: [project, '--json', '--store'],
    examples: [['palimpsest memory scan'], ['palimpsest memory scan notes.md'], ['pbpaste | palimpsest memory scan -']],
    run: async (call) => (await import('../run/memory-edit.ts')).runMemoryScan(call),
  },
  {
    name: 'history',
    summary: 'show what was changed, by whom and why',
    about:
      'Show what was changed in the memory, by whom and why, the newest act first; with ID only acts on one entry.',
    arguments: [['[id]', 'id of an entry, such as e12']],
    options: [['--limit <n>', 'most acts to show; default: 20'], project, '--json', '--store'],
    examples: [['palimpsest memory history'], ['palimpsest memory history e12']],
    run: async (call) => (await import('../run/memory-show.ts')).runMemoryActs(call),
  },
  {
    name: 'pending',
    summary: 'show what waits for your approval',
    about:
      'Show what waits for your approval: what an agent wants to remember although a tool, a page or a document said it, ' +
      'and what came without a person at a terminal. None of it is shown to a model before you approve it.',
    options: [project, '--json', '--store'],
    examples: [['palimpsest memory pending']],
    run: async (call) => (await import('../run/memory-show.ts')).runMemoryPending(call),
  },
];

const deciding: readonly CommandRow[] = [
  {
    name: 'approve',
    summary: 'remember what waits',
    about: 'Remember what waits, in exactly these words. From now on it counts as said by you.',
    arguments: [['<id...>', 'ids that memory pending shows']],
    options: [force, yes('you have read it'), project, '--json', '--store'],
    examples: [['palimpsest memory approve e7'], ['palimpsest memory approve e7 e8 e9']],
    isPersons: true,
    run: async (call) => (await import('../run/memory-decide.ts')).runMemoryApprove(call),
  },
  {
    name: 'reject',
    summary: 'keep what waits out of the memory',
    arguments: [['<id...>', 'ids that memory pending shows']],
    options: [['--reason <text>', 'why, for the history'], project, '--json', '--store'],
    examples: [['palimpsest memory reject e7'], ['palimpsest memory reject e7 --reason "That was last year."']],
    isPersons: true,
    run: async (call) => (await import('../run/memory-decide.ts')).runMemoryReject(call),
  },
  {
    name: 'undo',
    summary: 'take an act back',
    about:
      'Take an act back, in the files too: everything that it changed is again as before. Refused if a later act changed ' +
      'one of its entries.',
    arguments: [['<act>', 'id that memory history shows, such as a12']],
    options: [yes('you say so yourself'), project, '--json', '--store'],
    examples: [['palimpsest memory undo a12']],
    isPersons: true,
    run: async (call) => (await import('../run/memory-decide.ts')).runMemoryUndo(call),
  },
  {
    name: 'forget',
    summary: 'delete an entry for good, from the history too',
    about:
      'Delete an entry and its text for good: from the files, the store and the history. For what should never have been ' +
      'kept, such as a secret. Asks first on a terminal; elsewhere --yes is required.',
    arguments: [['<id>', 'id of an entry, such as e12']],
    options: [['--yes', 'delete without asking'], project, '--json', '--store'],
    examples: [['palimpsest memory forget e12'], ['palimpsest memory forget e12 --yes']],
    isPersons: true,
    run: async (call) => (await import('../run/memory-decide.ts')).runMemoryForget(call),
  },
  {
    name: 'curate',
    summary: 'merge duplicates, settle contradictions, retire what is over',
    about:
      'Put the memory of this project and of everywhere in order by rule: merge duplicates, keep one of two contradicting ' +
      'entries, retire what is over. A model, where one is configured, decides what the rules leave in doubt. Each act says ' +
      'why, and undo takes any one of them back.',
    options: [
      ['--dry-run', 'show what would be done, and do nothing'],
      project,
      ['--summarizer <provider/name>', 'model that decides what the rules leave in doubt'],
      '--base-url',
      '--no-summarizer',
      '--json',
      '--store',
    ],
    examples: [['palimpsest memory curate --dry-run'], ['palimpsest memory curate']],
    isPersons: true,
    run: async (call) => (await import('../run/memory-curate.ts')).runMemoryCurate(call),
  },
  {
    name: 'episodes',
    summary: 'show what each conversation was about',
    about:
      'Show what each conversation was about, in a few lines: what was wanted, done, found, decided and left open. An ' +
      'episode is written at each compression; --write writes those that are missing, for example after an import.',
    arguments: [['[query]', 'words of which at least one must occur']],
    options: [
      ['--since <time>', 'active at or after: 2026-01-31, 36h, 7d, today'],
      ['--project <folder>', 'only conversations in exactly this folder'],
      ['--limit <n>', 'most episodes to show; default: 20'],
      ['--write', 'first write the episodes of conversations that have none'],
      '--json',
      '--store',
    ],
    examples: [
      ['palimpsest memory episodes --since 7d'],
      ['palimpsest memory episodes "oven timer" --project .'],
      ['palimpsest memory episodes --write'],
    ],
    run: async (call) => (await import('../run/memory-curate.ts')).runMemoryEpisodes(call),
  },
];

const provider: readonly CommandRow[] = [
  {
    name: 'setup',
    summary: 'choose a memory provider and set it up',
    about:
      'Choose a memory provider, which works beside the built-in memory, and write memory.provider and its settings to ' +
      'your configuration file. On a terminal it asks; elsewhere --set answers. Keys are read from variables of the ' +
      'environment and not written, unless --save-key is given. Without NAME it lists the providers.',
    arguments: [['[name]', 'name of a provider that comes with Palimpsest, or of a plugin']],
    options: [
      [
        '--set <key=value>',
        'answer to a question; may be repeated; an empty value restores the default',
        { parse: added },
      ],
      [
        '--save-key',
        'write the key as plain text, which only you may read; --set api_key=- reads it from standard input',
      ],
      ['--remove', 'remove its settings again; without NAME those of the provider that is set'],
      '--json',
    ],
    examples: [
      ['palimpsest memory setup'],
      ['palimpsest memory setup mem0'],
      ['palimpsest memory setup hindsight --set base_url=http://localhost:8888'],
      ['palimpsest memory setup --remove'],
    ],
    isPersons: true,
    run: async (call) => (await import('../run/memory-setup.ts')).runMemorySetup(call),
  },
  {
    name: 'status',
    summary: 'check that the memory provider keeps what it is given',
    about:
      'Show which memory provider is set and whether its client is installed, and check that it works: a note with a ' +
      'marker is written, read back and removed. Exit code 1 if that fails.',
    options: ['--json'],
    examples: [['palimpsest memory status'], ['palimpsest memory status --json']],
    run: async (call) => (await import('../run/memory-status.ts')).runMemoryStatus(call),
  },
];

export const memoryCommands: readonly CommandRow[] = [
  {
    name: 'memory',
    summary: 'see, correct and approve what is remembered',
    about:
      'See, correct and approve what is remembered beyond conversations. It stands in files that you may edit at any ' +
      'moment: USER.md (about you), MEMORY.md (everywhere) and projects/NAME/MEMORY.md, in memory.folder of your ' +
      'configuration, by default in the folder memories beside the store. What holds for one project is never shown in ' +
      'another; the project is the folder in which the command is called.',
    examples: [
      ['palimpsest memory', 'what is remembered here'],
      ['palimpsest memory add "Tests run with npm test."'],
      ['palimpsest memory pending', 'what waits for you'],
    ],
    commands: [...looking.slice(0, 1), ...writing, ...looking.slice(1), ...deciding, ...provider],
  },
];
