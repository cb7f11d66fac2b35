/** The commands that read a conversation from a file. */
import { cacheLayouts } from '@palimpsest/core/settings';
import { type CommandRow, conversationOptions, formatName, inputOptions, modelOption, writerOptions } from './build.ts';

const transcript = 'transcript, plain or gzip; "-" or nothing for standard input';

export const conversationCommands: readonly CommandRow[] = [
  {
    name: 'compress',
    summary: 'compress a conversation',
    about:
      'Compress a conversation: old messages become one handoff, old tool results become one line each, and the newest ' +
      'messages stay as they are. The result goes to -o FILE, or to standard output if that is a pipe; the report ' +
      'goes to the other stream.',
    arguments: [['[file]', transcript]],
    options: [
      ['-o, --output <file>', 'file for the compressed conversation; "-" for standard output'],
      '--force',
      ['--to <format>', 'output format; default: that of FILE (see palimpsest formats)', { parse: formatName }],
      '--target',
      '--focus',
      '--template',
      '--engine',
      ['--explain', 'show what happened to each message, and why'],
      '--example',
      '--json',
      ...inputOptions,
      ...writerOptions('FILE'),
    ],
    examples: [
      ['palimpsest compress --example', 'see it work'],
      ['palimpsest compress session.jsonl -o short.jsonl', 'write a file and print the report'],
      ['palimpsest compress chat.json --target 20k > short.json', 'write to a pipe'],
      ['palimpsest compress chat.json --explain', 'show what happened to each message'],
      ['palimpsest compress log.jsonl.gz --to openai-chat -o -', 'convert to another format'],
      ['palimpsest compress chat.json --engine newest', 'use another engine for this run'],
      ['palimpsest compress chat.json --summarizer openai/gpt-5-mini', 'let a model write the summary'],
      ['palimpsest compress chat.json --base-url http://localhost:8000/v1', 'let a model on your own server write it'],
    ],
    run: async (call) => (await import('../run/compress.ts')).runCompress(call),
  },
  {
    name: 'inspect',
    summary: 'show what is in a transcript and where its tokens go',
    about: 'Show what is in a transcript: conversations, messages, tokens by role and tool, and problems.',
    arguments: [['[file]', transcript]],
    options: [
      ['--strict', 'exit with 1 if some provider would reject the messages, or if lines were skipped'],
      '--example',
      '--json',
      ...inputOptions,
      modelOption(),
      '--context-length',
    ],
    examples: [
      ['palimpsest inspect session.jsonl'],
      ['palimpsest inspect session.jsonl --context-length 200k', 'show how much of that window it fills'],
      ['palimpsest inspect chats.json --session 3 --json', 'for programs'],
    ],
    run: async (call) => (await import('../run/inspect.ts')).runInspect(call),
  },
  {
    name: 'expand',
    summary: 'show the original of a stub or of a line in a handoff',
    about:
      'Show the original of a stub or of a line in a handoff. FILE is the conversation before compression; refs ' +
      'number its messages from m1.',
    arguments: [
      ['[file]', 'transcript, plain or gzip; "-" for standard input; omit it with --example and --session'],
      ['[refs...]', 'm42, m40-m45, m3,m7'],
    ],
    options: [
      ['--raw', 'print the exact bytes of the records in FILE'],
      '--example',
      '--json',
      ...conversationOptions(
        'FILE',
        'conversation in FILE; default: the longest; without FILE, a conversation in the store, where refs count all its messages',
      ),
      '--since-last-compression',
      '--store',
    ],
    examples: [
      ['palimpsest expand session.jsonl m42', 'print a message'],
      ['palimpsest expand session.jsonl m40-m45', 'several'],
      ['palimpsest expand session.jsonl m42 --raw > record.json', 'byte for byte'],
      ['palimpsest expand --session "Oven timer drift" m42', 'print a message of a conversation in the store'],
      ['palimpsest expand --example m42'],
    ],
    run: async (call) => (await import('../run/read.ts')).runExpand(call),
  },
  {
    name: 'ledger',
    summary: 'show the facts of a conversation',
    about: 'Show the facts that are extracted from a conversation without a model, each with its message.',
    arguments: [['[file]', transcript]],
    options: [
      ['--budget <tokens>', 'print the handoff instead of the facts, with at most this many tokens'],
      ['--focus <text>', 'topic that the handoff keeps in full detail; facts about it come last in their section'],
      '--template',
      ['--all', 'show every request and fact; default: the newest of each section'],
      modelOption(),
      '--example',
      '--json',
      ...inputOptions,
    ],
    examples: [
      ['palimpsest ledger session.jsonl'],
      ['palimpsest ledger session.jsonl --budget 3k', 'print the handoff'],
      ['palimpsest ledger session.jsonl --json', 'for programs'],
    ],
    run: async (call) => (await import('../run/ledger.ts')).runLedger(call),
  },
  {
    name: 'simulate',
    summary: 'show what a conversation would have cost under different policies',
    about:
      'Replay a conversation call by call, with the cache rules and list prices of its model, and compare ' +
      'policies: when to compress, when to clear old tool results, or neither. Nothing is sent anywhere. Compressions ' +
      'are real, but made without a model.',
    arguments: [['[paths...]', 'transcripts and folders of them, plain or gzip; "-" or nothing for standard input']],
    options: [
      ['--policy <names>', 'policies to compare, separated by commas; default: all'],
      [
        '--model <names>',
        'models whose prices and cache rules apply, separated by commas; default: the one in the transcript',
      ],
      '--context-length',
      ['--ttl <time>', 'how long Anthropic caches text; default: model.cache_ttl', { choices: ['5m', '1h'] }],
      [
        '--layout <name>',
        'where cache breakpoints go, for providers that need them; default: turns',
        { choices: cacheLayouts },
      ],
      ['--summarizer <model>', 'model that would write the summaries; only its price counts'],
      '--example',
      '--json',
      ...inputOptions,
    ],
    examples: [
      ['palimpsest simulate --example --context-length 16k', 'see it work'],
      ['palimpsest simulate session.jsonl', 'with its own model and window'],
      ['palimpsest simulate ~/.claude/projects --context-length 200k', 'all conversations of a tool together'],
      ['palimpsest simulate session.jsonl --model claude-opus-4-8,gpt-5.5', 'compare two providers'],
      ['palimpsest simulate session.jsonl --policy planned,compress-75 --ttl 1h'],
      ['palimpsest simulate session.jsonl --layout system_and_3', 'with breakpoints as other agents place them'],
    ],
    run: async (call) => (await import('../run/simulate.ts')).runSimulate(call),
  },
  {
    name: 'verify',
    summary: 'check a summary against its conversation',
    about:
      'Check a summary from any source against its conversation, without a model: which claims the conversation does not ' +
      'support, which it contradicts, and which rules and open requests of the user are missing. With TRANSCRIPT alone, ' +
      'check the summaries in it, each against the messages before it.',
    usage: '[options] [SUMMARY] TRANSCRIPT',
    arguments: [
      ['[summary]', 'summary as text or Markdown, or a compressed conversation; "-" for standard input'],
      ['[transcript]', transcript],
    ],
    options: [
      ['--fix', 'print the summary with wrong claims corrected or removed and missing facts added'],
      ['-o, --output <file>', 'file for the corrected summary, with --fix; the report always goes to standard error'],
      '--force',
      ['--at <n|ref>', 'check against the messages before the n-th summary, or before message m42'],
      ['--example', 'use the recorded session that comes with Palimpsest as TRANSCRIPT'],
      '--json',
      ...conversationOptions('TRANSCRIPT'),
    ],
    examples: [
      ['palimpsest verify notes.md session.jsonl', 'check a summary'],
      ['palimpsest verify notes.md session.jsonl --fix > true.md', 'print it corrected'],
      ['palimpsest verify session.jsonl', "check the summaries in a coding agent's log"],
      ['palimpsest verify short.json session.jsonl', 'check the handoff in a compressed conversation'],
    ],
    run: async (call) => (await import('../run/verify.ts')).runVerify(call),
  },
];
