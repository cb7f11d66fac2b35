/** `palimpsest vectors`: its commands and their options. */
import type { Command } from 'commander';
import { addStoreOption } from '../open-store.ts';
import type { VectorsFlags } from '../run/vectors.ts';
import { type CommandOptions, examples, jsonOption } from './shared-options.ts';

export function vectorsCommand(program: Command, options: CommandOptions): void {
  const vectors = program
    .command('vectors')
    .summary('find what was said in other words, with a model on this machine')
    .description(
      'Vectors let `palimpsest search --vectors` find what was said in other words. A small model makes them on this ' +
        'machine (English); its packages are optional, and the first build names the command that installs them.',
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
    .summary('build the vectors of all messages that have none')
    .description(
      'Build the vectors of all messages that have none yet. You can stop it at any time; the next build continues.',
    )
    .option('--cores <n>', 'processor cores to use; default: 1')
    .addOption(jsonOption());
  addStoreOption(command)
    .addHelpText(
      'after',
      examples([
        ['palimpsest vectors build', ''],
        ['palimpsest vectors build --cores 4', 'faster, while nothing else needs them'],
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
    .summary('show which vectors there are, and how many messages have none')
    .description('Which models have made vectors of the messages in the store, and how many they have not seen yet.')
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
    .argument('[model]', 'as `vectors status` names it; needed where there are several')
    .addOption(jsonOption());
  addStoreOption(command)
    .addHelpText('after', examples([['palimpsest vectors drop', '']]))
    .action(async (model: string | undefined) => {
      const { runVectorsDrop } = await import('../run/vectors.ts');
      finish(await runVectorsDrop(model, command.optsWithGlobals<VectorsFlags>(), terminal));
    });
}
