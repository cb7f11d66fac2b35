/** `palimpsest completion`: its argument. */
import { Argument, type Command } from 'commander';
import { type Shell, shells } from '../run/completion-shells.ts';
import { type CommandOptions, examples } from './shared-options.ts';

export function completionCommand(program: Command, { terminal, finish }: CommandOptions): void {
  program
    .command('completion')
    .summary('print the script that completes commands in your shell')
    .description(
      'Print the script that completes commands, options, values and file names in your shell. Load it from the file ' +
        'that your shell reads when it starts.',
    )
    .addArgument(new Argument('<shell>', 'your shell').choices(shells))
    .addHelpText(
      'after',
      examples([
        ["echo 'source <(palimpsest completion bash)' >> ~/.bashrc", ''],
        ["echo 'source <(palimpsest completion zsh)' >> ~/.zshrc", ''],
        ['palimpsest completion fish > ~/.config/fish/completions/palimpsest.fish', ''],
      ]),
    )
    .action(async (shell: Shell) => {
      const { runCompletion } = await import('../run/completion.ts');
      finish(await runCompletion(shell, program, terminal));
    });
}
