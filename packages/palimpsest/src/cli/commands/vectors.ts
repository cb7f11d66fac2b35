/** `palimpsest vectors`: its commands and their options. */
import type { Command } from 'commander';
import { addStoreOption } from '../open-store.ts';
import type { VectorsFlags } from '../run/vectors.ts';
import { type CommandOptions, examples, jsonOption } from './shared-options.ts';

export function vectorsCommand(program: Command, options: CommandOptions): void {
  const vectors = program
    .command('vectors')
    .summary('build the vectors that find what was said in other words')
    .description(
      'Vectors let `palimpsest search --vectors` find what was said in other words. A small model builds them on this ' +
        'machine, for English text. Its packages are optional: the first build prints the command that installs them.',
    )
    .addHelpText(
      'after',
      examples([
        ['palimpsest vectors build', ''],
        ['palimpsest search --vectors which pets live there', ''],
      ]),
    );
  for (const define of [buildCommand, statusCommand, dropCommand]) define(vectors, options);
}

function buildCommand(vectors: Command, { terminal, finish }: CommandOptions): void {
  const command = vectors
    .command('build')
    .summary('build vectors for all messages that have none')
    .description(
      'Build vectors for all messages that have none yet. You can stop it at any time; the next build continues.',
    )
    .option('--cores <n>', 'processor cores to use; default: 1')
    .addOption(jsonOption());
  addStoreOption(command)
    .addHelpText(
      'after',
      examples([
        ['palimpsest vectors build', ''],
        ['palimpsest vectors build --cores 4', 'faster'],
      ]),
    )
    .action(async () => {
      const { runVectorsBuild } = await import('../run/vectors.ts');
      finish(await runVectorsBuild(command.optsWithGlobals<VectorsFlags>(), terminal));
    });
}

function statusCommand(vectors: Command, { terminal, finish }: CommandOptions): void {
  const command = vectors
    .command('status')
    .summary('show which models built vectors, and how many messages are left')
    .description('Show which models built vectors for the messages in the store, and how many messages are left.')
    .addOption(jsonOption());
  addStoreOption(command)
    .addHelpText('after', examples([['palimpsest vectors status', '']]))
    .action(async () => {
      const { runVectorsStatus } = await import('../run/vectors.ts');
      finish(await runVectorsStatus(command.optsWithGlobals<VectorsFlags>(), terminal));
    });
}

function dropCommand(vectors: Command, { terminal, finish }: CommandOptions): void {
  const command = vectors
    .command('drop')
    .summary('delete the vectors of a model; messages stay')
    .description('Delete the vectors of a model. Messages stay, and you can build the vectors again.')
    .argument('[model]', 'name that `vectors status` shows; required if there are several')
    .addOption(jsonOption());
  addStoreOption(command)
    .addHelpText('after', examples([['palimpsest vectors drop', '']]))
    .action(async (model: string | undefined) => {
      const { runVectorsDrop } = await import('../run/vectors.ts');
      finish(await runVectorsDrop(model, command.optsWithGlobals<VectorsFlags>(), terminal));
    });
}
