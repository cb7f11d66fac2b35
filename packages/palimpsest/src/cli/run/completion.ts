/** `palimpsest completion`: the script that completes the command line in a shell. */
import type { Command } from 'commander';
import { bashCompletion } from '../completion/bash.ts';
import { type CompletedCommand, commandTree } from '../completion/command-tree.ts';
import { fishCompletion } from '../completion/fish.ts';
import { zshCompletion } from '../completion/zsh.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { type Terminal, writePieces } from '../terminal.ts';

const scripts: Readonly<Record<string, (program: CompletedCommand) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

export async function runCompletion(shell: string, program: Command, terminal: Terminal): Promise<ExitCode> {
  await writePieces(terminal.stdout, [scripts[shell]?.(commandTree(program)) ?? '']);
  return exitCodes.fine;
}
