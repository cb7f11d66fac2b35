/** The commands that find and read what was said. */
import { type CommandRow, timeOptions } from './build.ts';

const outputId = 'id of a saved output, or at least its first four characters';

const outputCommands: readonly CommandRow[] = [
  {
    name: 'list',
    summary: 'list saved outputs, newest first',
    about: 'List the saved outputs of all conversations or of one, newest first.',
    options: ['--session', ['--limit <n>', 'most outputs to show; default: 20'], '--json', '--store'],
    examples: [
      ['palimpsest outputs list'],
      ['palimpsest outputs list --session "Oven timer drift"'],
      ['palimpsest outputs list --limit 500 --json'],
    ],
    run: async (call) => (await import('../run/outputs.ts')).runOutputsList(call),
  },
  {
    name: 'read',
    summary: 'read a saved output: all of it, some lines, or the lines around a match',
    about:
      'Read a saved output: all of it, some of its lines, or the lines around a line or a match. Recognised ' +
      'credentials are masked, which never moves a line; --raw prints every byte as it was saved.',
    arguments: [['<id>', outputId]],
    options: [
      ['--lines <a-b>', 'show these lines, counted from 1: 120-180, 120- (to the end) or 120'],
      ['--chars <a-b>', 'with one line in --lines: show only these characters of it'],
      ['--around <n>', 'show this line and the lines around it'],
      ['--match <text>', 'show the lines with every word of the text, and the lines around them'],
      ['--context <n>', 'lines on each side, with --around and --match; default: 5'],
      ['--limit <n>', 'most matches to show, with --match; default: 20'],
      ['--raw', 'print it as it was saved: nothing masked, no line numbers'],
      '--json',
      '--store',
    ],
    examples: [
      ['palimpsest outputs read 15f19c5dfa1550b2 | less', 'all of it'],
      ['palimpsest outputs read 15f19c5d --lines 120-180'],
      ['palimpsest outputs read 15f19c5d --around 2714', 'the lines around one that a search showed'],
      ['palimpsest outputs read 15f19c5d --match "missing symbol"'],
      ['palimpsest outputs read 15f19c5d --raw > build.log', 'byte for byte'],
    ],
    run: async (call) => (await import('../run/outputs-read.ts')).runOutputsRead(call),
  },
  {
    name: 'search',
    summary: 'find lines in saved outputs',
    about:
      'Find the lines of saved outputs with every word of QUERY. Words are also found inside longer words; upper and lower ' +
      'case do not matter. Without ID, all outputs are searched, newest first.',
    arguments: [
      ['<query>', 'words to search for; put several words in quotation marks'],
      ['[id]', outputId],
    ],
    options: ['--session', ['--limit <n>', 'most matches to show; default: 20'], '--json', '--store'],
    examples: [
      ['palimpsest outputs search ECONNREFUSED', 'search all outputs'],
      ['palimpsest outputs search "missing symbol" 15f19c5d', 'search one output'],
      ['palimpsest outputs search timeout --session "Oven timer drift" --json'],
    ],
    run: async (call) => (await import('../run/outputs.ts')).runOutputsSearch(call),
  },
];

const vectorCommands: readonly CommandRow[] = [
  {
    name: 'build',
    summary: 'build vectors for all messages that have none',
    about: 'Build vectors for all messages that have none yet. You can stop it at any time; the next build continues.',
    options: [['--cores <n>', 'processor cores to use; default: 1'], '--json', '--store'],
    examples: [['palimpsest vectors build'], ['palimpsest vectors build --cores 4', 'faster']],
    run: async (call) => (await import('../run/vectors.ts')).runVectorsBuild(call),
  },
  {
    name: 'status',
    summary: 'show which models built vectors, and how many messages are left',
    about: 'Show which models built vectors for the messages in the store, and how many messages are left.',
    options: ['--json', '--store'],
    examples: [['palimpsest vectors status']],
    run: async (call) => (await import('../run/vectors.ts')).runVectorsStatus(call),
  },
  {
    name: 'drop',
    summary: 'delete the vectors of a model; messages stay',
    about: 'Delete the vectors of a model. Messages stay, and you can build the vectors again.',
    arguments: [['[model]', 'name that `vectors status` shows; required if there are several']],
    options: ['--json', '--store'],
    examples: [['palimpsest vectors drop']],
    run: async (call) => (await import('../run/vectors.ts')).runVectorsDrop(call),
  },
];

export const recallCommands: readonly CommandRow[] = [
  {
    name: 'search',
    summary: 'search everything that was said',
    about:
      'Search everything that was said in the conversations of the store. QUERY can contain words, "phrases", AND, OR, NOT, ' +
      '-word and prefix*; any text is a valid query. Without QUERY, list the newest conversations.',
    arguments: [['[query...]', 'words to search for; put -- before a word that begins with a dash']],
    options: [
      ['--limit <n>', 'most conversations to show, at most 50; default: 5'],
      ['--role <roles>', 'only messages of these roles: user, assistant, tool, system'],
      ['--source <names>', 'only conversations of these sources, such as claude-code,codex'],
      '--project',
      '--session',
      ['--vectors', 'also find what was said in other words; needs `palimpsest vectors build`'],
      ...timeOptions('said'),
      ['--summarizer <provider/name>', 'model that writes a summary of what each conversation says about QUERY'],
      '--base-url',
      '--no-summarizer',
      // How these were written once.
      ['--model <provider/name>', '', { isHidden: true }],
      '--no-model',
      '--json',
      '--store',
    ],
    examples: [
      ['palimpsest search why did the deploy fail', 'conversations with any of the words, best first'],
      [`palimpsest search '"connection reset" AND deploy*'`, 'a phrase, and words with a prefix'],
      ['palimpsest search E4711 --since 2w --role tool', 'tool results of the last two weeks'],
      ['palimpsest search signing key --summarizer openai/gpt-5-mini', 'with a summary of each conversation'],
      ['palimpsest search', 'list the newest conversations'],
    ],
    run: async (call) => (await import('../run/search.ts')).runSearch(call),
  },
  {
    name: 'read',
    summary: 'read a message or a conversation in the store',
    about:
      'Read a message by the id that search shows, or the start and end of a conversation. ' +
      'Recognised credentials are masked; --raw prints every byte as stored.',
    arguments: [['<id>', 'id of a message, or id or title of a conversation; the beginning of an id is enough']],
    options: [
      ['--around <n>', 'also show this many messages before and after it, at most 200'],
      ['--raw', 'print the stored JSON, one line per message; its SHA-256 begins with the id of the message'],
      '--json',
      '--store',
    ],
    examples: [
      ['palimpsest read 4f2d806bfafaaca4', 'print a message'],
      ['palimpsest read 4f2d806bfafaaca4 --around 5', 'with five messages before and after it'],
      ['palimpsest read 4f2d806bfafaaca4 --raw > message.json', 'byte for byte'],
      ['palimpsest read 0193a2b4-c5d6', 'a conversation'],
    ],
    run: async (call) => (await import('../run/read.ts')).runRead(call),
  },
  {
    name: 'outputs',
    summary: 'list, read and search saved outputs: tool results that were too large',
    about:
      'Read tool results that were too large for their conversation and were saved whole. The model reads them with ' +
      'read_output and search_output. ID is the id in the notice that replaced the result, or its beginning.',
    examples: [
      ['palimpsest outputs list'],
      ['palimpsest outputs read 15f19c5d --around 2714'],
      ['palimpsest outputs search "missing symbol"'],
    ],
    commands: outputCommands,
  },
  {
    name: 'vectors',
    summary: 'build the vectors that find what was said in other words',
    about:
      'Vectors let `palimpsest search --vectors` find what was said in other words. A small model builds them on this ' +
      'machine, for English text. Its packages are optional: the first build prints the command that installs them.',
    examples: [['palimpsest vectors build'], ['palimpsest search --vectors which pets live there']],
    commands: vectorCommands,
  },
];
