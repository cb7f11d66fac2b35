/** `palimpsest compress`: its options. */
import { type Command, Option } from 'commander';
import type { CompressFlags } from '../run/compress.ts';
import type { Typed } from '../writer/writer-for.ts';
import {
  addInputOptions,
  addModelOptions,
  type CommandOptions,
  engineOption,
  examples,
  forceOption,
  formatName,
  jsonOption,
  templateOption,
} from './shared-options.ts';

export function compressCommand(program: Command, { terminal, finish }: CommandOptions): void {
  const command = program
    .command('compress')
    .summary('compress a conversation')
    .description(
      'Compress a conversation: old messages become one handoff, old tool results become one line each, and the newest ' +
        'messages stay as they are. The result goes to -o FILE, or to standard output if that is a pipe; the report ' +
        'goes to the other stream.',
    )
    .argument('[file]', 'transcript, plain or gzip; "-" or nothing for standard input')
    .option('-o, --output <file>', 'file for the compressed conversation; "-" for standard output')
    .addOption(forceOption())
    .option('--to <format>', 'output format; default: that of FILE (see palimpsest formats)', formatName)
    .option('--target <tokens>', 'target size in tokens, such as 20k; default: the configured budgets')
    .option('--focus <text>', 'topic that the handoff keeps in full detail')
    .addOption(templateOption())
    .addOption(engineOption())
    .option('--explain', 'show what happened to each message, and why')
    .option('--example', 'use the recorded session that comes with Palimpsest')
    .addOption(jsonOption());
  addWriterOptions(addInputOptions(command), 'FILE')
    .addHelpText(
      'after',
      examples([
        ['palimpsest compress --example', 'see it work'],
        ['palimpsest compress session.jsonl -o short.jsonl', 'write a file and print the report'],
        ['palimpsest compress chat.json --target 20k > short.json', 'write to a pipe'],
        ['palimpsest compress chat.json --explain', 'show what happened to each message'],
        ['palimpsest compress log.jsonl.gz --to openai-chat -o -', 'convert to another format'],
        ['palimpsest compress chat.json --engine newest', 'use another engine for this run'],
        ['palimpsest compress chat.json --summarizer openai/gpt-5-mini', 'let a model write the summary'],
        [
          'palimpsest compress chat.json --base-url http://localhost:8000/v1',
          'let a model on your own server write it',
        ],
      ]),
    )
    .action(async (file: string | undefined) => {
      const { runCompress } = await import('../run/compress.ts');
      finish(await runCompress(file, command.optsWithGlobals<Typed<CompressFlags>>(), terminal));
    });
}

/** Whose tokens are counted, and who writes the summary; `from` is the command's word for what names a model. */
export function addWriterOptions(command: Command, from: string): Command {
  return (
    addModelOptions(command, from)
      .option('--summarizer <provider/name>', 'model that writes the summary')
      .option('--base-url <url>', 'base URL of the summarizer; it must speak Chat Completions')
      .option('--summarizer-context-length <tokens>', 'context window of the summarizer in tokens, if it is not known')
      .option('--no-summarizer', 'use no summarizer, even if one is configured')
      // How the last one was written once.
      .addOption(new Option('--no-model').hideHelp())
  );
}
