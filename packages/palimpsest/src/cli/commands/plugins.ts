/** `palimpsest plugins`: its commands and their options. */
import type { Command } from 'commander';
import type { PluginsCheckFlags } from '../run/plugins-check.ts';
import type { PluginsListFlags } from '../run/plugins-list.ts';
import type { PluginsTrustFlags } from '../run/plugins-trust.ts';
import type { PluginsUseFlags } from '../run/plugins-use.ts';
import { type CommandOptions, examples, jsonOption } from './shared-options.ts';

export function pluginsCommand(program: Command, options: CommandOptions): void {
  const plugins = program
    .command('plugins')
    .summary('list, choose and check context engines')
    .description(
      'Manage context engines that others wrote. Exactly one engine is active: the one that context.engine names.',
    )
    .addHelpText(
      'after',
      examples([
        ['palimpsest plugins', 'list the engines'],
        ['palimpsest plugins check ./newest', ''],
        ['palimpsest plugins use newest', ''],
      ]),
    );
  for (const define of [listCommand, useCommand, checkCommand, trustCommand]) define(plugins, options);
}

function listCommand(plugins: Command, { terminal, finish }: CommandOptions): void {
  const command = plugins
    .command('list', { isDefault: true })
    .summary('list the engines, which one is active, and what is wrong with the others')
    .description(
      'List the engines, which one is active, and what is wrong with the others. Only the active one runs. Exit code 1 if ' +
        'the requested engine is not the one that runs.',
    )
    .addOption(jsonOption())
    .addHelpText('after', examples([['palimpsest plugins', '']]))
    .action(async () => {
      const { runPluginsList } = await import('../run/plugins-list.ts');
      finish(await runPluginsList(command.optsWithGlobals<PluginsListFlags>(), terminal));
    });
}

function useCommand(plugins: Command, { terminal, finish }: CommandOptions): void {
  const command = plugins
    .command('use')
    .summary('make an engine the active one')
    .description('Make an engine the active one: load it, then write context.engine to your configuration file.')
    .argument('<name>', 'name of an engine (see palimpsest plugins)')
    .option('--project', 'write to palimpsest.yaml of this folder instead; it counts only if the project is trusted')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      examples([
        ['palimpsest plugins use newest', ''],
        ['palimpsest plugins use compressor', 'go back to the built-in engine'],
        ['palimpsest compress chat.json --engine newest', 'use an engine for one run only'],
      ]),
    )
    .action(async (name: string) => {
      const { runPluginsUse } = await import('../run/plugins-use.ts');
      finish(await runPluginsUse(name, command.optsWithGlobals<PluginsUseFlags>(), terminal));
    });
}

function checkCommand(plugins: Command, { terminal, finish }: CommandOptions): void {
  const command = plugins
    .command('check')
    .summary('check that a plugin meets the contract of an engine')
    .description(
      'Check that a plugin meets the contract of an engine, on made-up conversations. Its code runs in a worker, ' +
        'which is stopped if it hangs. Exit code 1 if a rule of the contract is broken.',
    )
    .argument('<folder>', 'folder that contains plugin.json')
    .option('--timeout <seconds>', 'time limit for each rule; default: 20')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      examples([
        ['palimpsest plugins check ./newest', ''],
        ['palimpsest plugins check ./newest --json', ''],
      ]),
    )
    .action(async (folder: string) => {
      const { runPluginsCheck } = await import('../run/plugins-check.ts');
      finish(await runPluginsCheck(folder, command.optsWithGlobals<PluginsCheckFlags>(), terminal));
    });
}

function trustCommand(plugins: Command, { terminal, finish }: CommandOptions): void {
  const command = plugins
    .command('trust')
    .summary("allow a project's plugins, packages and hook commands to run")
    .description(
      "Allow a project's plugins, packages and hook commands to run, now and after they change. Writes " +
        'plugins.trusted_projects to your configuration file. Folders inside the project are not included.',
    )
    .argument('[folder]', 'folder of the project; default: this folder')
    .option('--remove', 'stop trusting it')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      examples([
        ['palimpsest plugins trust', ''],
        ['palimpsest plugins trust ~/code/app --remove', ''],
      ]),
    )
    .action(async (folder: string | undefined) => {
      const { runPluginsTrust } = await import('../run/plugins-trust.ts');
      finish(await runPluginsTrust(folder, command.optsWithGlobals<PluginsTrustFlags>(), terminal));
    });
}
