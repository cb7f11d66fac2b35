/** The words of the project: one for each idea. This is the list of the words that are not ours, and where they may stand. */
import type { Finding, SourceFile } from './source-file.ts';

export interface BannedWord {
  readonly word: string;
  /** What we say instead. */
  readonly instead: string;
}

export interface WordException {
  readonly word: string;
  /** A start of a path, or an identifier. */
  readonly where: string;
  readonly reason: string;
}

const banned = (instead: string, words: string): readonly BannedWord[] =>
  words.split(' ').map((word) => ({ word, instead }));

export const bannedWords: readonly BannedWord[] = [
  ...banned('the name of its one subject', 'util utils helper helpers manager misc'),
  ...banned('message or part', 'block blocks item items chunk chunks'),
  ...banned('group', 'bundle bundles'),
  ...banned('turn or step', 'iteration iterations'),
  ...banned('transcript', 'history histories'),
  ...banned('session or conversation', 'thread threads chat chats'),
  ...banned('compression', 'compaction compactions compact'),
  ...banned('prune or truncate', 'evict evicted eviction'),
  ...banned('summary or handoff', 'digest digests'),
  ...banned('engine', 'strategy strategies'),
  ...banned('breakpoint', 'anchor anchors'),
  ...banned('spill', 'persist persisted offload offloaded'),
  ...banned('gateway or inspector', 'proxy proxies dashboard'),
];

const insteadOf = new Map(bannedWords.map(({ word, instead }) => [word, instead]));

/** Where such a word is the right one. */
export const wordExceptions: readonly WordException[] = [
  { word: '*', where: 'packages/core/src/transcript/wire/', reason: 'a provider is spoken to in its own words' },
  { word: '*', where: 'packages/core/src/transcript/logs/', reason: 'a log is read in its own words' },
  {
    word: 'block',
    where: 'packages/core/src/compression/',
    reason: 'the block that carries a summary; the verb for automatic passes',
  },
  ...['block', 'blocks'].flatMap((word) =>
    [
      'packages/core/src/prompt/',
      'packages/palimpsest/src/cli/run/prompt.ts',
      'packages/palimpsest/src/cli/system-prompt.ts',
    ].map((where) => ({
      word,
      where,
      reason: 'a part of a system prompt, as its readers call it; a message never is one',
    })),
  ),
  { word: 'block', where: 'PromptBlock', reason: 'a part of a system prompt; a message never is one' },
  { word: 'block', where: 'handoffBlock', reason: 'the block that carries a summary' },
  { word: 'chunk', where: 'chunk', reason: 'the bytes that a stream hands out; a message never is one' },
  { word: 'chunk', where: 'chunkEnd', reason: 'the bytes that a stream hands out; a message never is one' },
  { word: 'chunk', where: 'chunkSize', reason: 'the name of an option of zlib' },
  { word: 'chunks', where: 'chunks', reason: 'the bytes that a stream hands out; a message never is one' },
  ...[
    'packages/palimpsest/src/cli/chat/',
    'packages/palimpsest/src/cli/run/chat.ts',
    'packages/palimpsest/src/cli/commands/chat.ts',
    'chatCommands',
  ].map((where) => ({ word: 'chat', where, reason: 'the command `palimpsest chat`, and what is open while it runs' })),
  {
    word: 'chat',
    where: 'packages/core/src/compression/chat-engine.ts',
    reason: 'the name of the format: OpenAI chat completions',
  },
  { word: 'chat', where: 'createChatCompressor', reason: 'the name of the format: OpenAI chat completions' },
  { word: 'chat', where: 'fromOpenAiChat', reason: 'the name of the format: OpenAI chat completions' },
  { word: 'chat', where: 'toOpenAiChat', reason: 'the name of the format: OpenAI chat completions' },
  { word: 'chat', where: 'openAiChat', reason: 'the name of the format: OpenAI chat completions' },
  { word: 'chat', where: 'openaiChat', reason: 'the name of the format: OpenAI chat completions' },
  { word: 'proxy', where: 'Proxy', reason: 'the object of the language that stands for another one' },
  ...['proxies.ts', 'tunnel.ts', 'upstream.ts', 'server.ts']
    .map((name) => `packages/palimpsest/src/gateway/${name}`)
    .concat('packages/palimpsest/src/cli/run/serve.ts', 'packages/palimpsest/src/clients/no-proxy.ts')
    .flatMap((where) => ['proxy', 'proxies'].map((word) => ({ word, where, reason: 'a server of others on the way' }))),
  { word: 'threads', where: 'intraOpNumThreads', reason: 'an option of the ONNX runtime' },
  ...[
    'packages/core/src/memory/files/memory-tool.ts',
    'packages/palimpsest/src/memory-providers/services/holographic.ts',
    'packages/palimpsest/src/agent/tools/files/patch.ts',
  ].map((where) => ({ word: 'items', where, reason: 'a keyword of JSON Schema: what a list holds' })),
  ...[
    'packages/core/src/store/memory-store.ts',
    'packages/core/src/store/record/memory',
    'packages/core/src/memory/',
  ].map((where) => ({
    word: 'history',
    where,
    reason: 'every act that changed the memory; a transcript never is one',
  })),
  { word: 'compact', where: 'compact', reason: 'the name of a tool of other agents' },
];

/** Words of the list in names of files and in identifiers; what follows a dot belongs to somebody else. */
export function foreignWords(
  files: readonly SourceFile[],
  exceptions: readonly WordException[] = wordExceptions,
): readonly Finding[] {
  return files.flatMap((file) => {
    const allowed = (word: string, identifier: string): boolean =>
      exceptions.some(
        (exception) =>
          (exception.word === '*' || exception.word === word) &&
          (file.path.startsWith(exception.where) || exception.where === identifier),
      );
    const names = [{ text: file.path.replaceAll(/[/.]/g, '-'), line: 1 }, ...identifiersOf(file)];
    // The first use of each name is enough.
    const distinct = new Map(names.toReversed().map(({ text, line }) => [text, line]));
    return [...distinct].flatMap(([text, line]) =>
      wordsOf(text)
        .filter((word) => insteadOf.has(word) && !allowed(word, text))
        .map((word) => ({ path: file.path, line, message: `says "${word}" (${text}); we say ${insteadOf.get(word)}` })),
    );
  });
}

function identifiersOf(file: SourceFile): readonly { text: string; line: number }[] {
  return file.code.filter((token, i) => {
    const before = file.code[i - 1]?.text;
    return token.type === 'word' && before !== '.' && before !== '?.';
  });
}

/** `toolCallId` and `tool-call-id` → tool, call, id. */
const wordsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
