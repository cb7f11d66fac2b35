/** Runs one command line to its end: parse, act, report what went wrong, give the exit code. */
import { PalimpsestError } from '@palimpsest/core/settings';
import { Command, CommanderError } from 'commander';
import { packageVersion } from '../config/package.ts';
import { visible } from '../terminal/visible.ts';
import { addCommands, type CommandOptions, examplesText } from './commands/build.ts';
import { chatCommands } from './commands/chat.ts';
import { clientCommands } from './commands/clients.ts';
import { conversationCommands } from './commands/conversations.ts';
import { mcpCommands } from './commands/mcp.ts';
import { memoryCommands } from './commands/memory.ts';
import { recallCommands } from './commands/recall.ts';
import { serveCommands } from './commands/serve.ts';
import { setupCommands } from './commands/setup.ts';
import { storeCommands } from './commands/store.ts';
import { trajectoryCommands } from './commands/trajectories.ts';
import { type ExitCode, exitCodeHelp, exitCodeOf, exitCodes } from './exit-codes.ts';
import { stderrScreen, stdoutScreen, type Terminal, writeErrorLine, writeJson, writeLines } from './terminal.ts';

/** `args` are the words after the program's name. Never throws: every failure is an exit code with its explanation. */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  let code: number = exitCodes.fine;
  const program = createProgram({ ...terminal, runCommand: runCli }, (outcome) => {
    code = outcome;
  });
  try {
    if (args.length === 0) program.outputHelp();
    else await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    // Commander has already said what is wrong, or shown the help that was asked for.
    if (error instanceof CommanderError) return await usageError(error, args, terminal);
    await reportError(error, args, terminal);
    return exitCodeOf(error);
  }
}

async function usageError(error: CommanderError, args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  if (error.exitCode === 0) return exitCodes.fine;
  if (args.includes('--json')) {
    const message = error.message.replace(/^error: /, '');
    await writeJson(terminal, { error: { code: 'BAD_OPTION', message } });
  }
  return exitCodes.usage;
}

/** To a person on stderr; to a program that asked for `--json` also as the one JSON document on stdout. */
async function reportError(error: unknown, args: readonly string[], terminal: Terminal): Promise<void> {
  const isOurs = PalimpsestError.isInstance(error);
  const message = error instanceof Error ? error.message : String(error);
  if (args.includes('--json')) {
    const known = isOurs ? { code: error.code, message, evidence: error.evidence } : { code: 'INTERNAL', message };
    await writeJson(terminal, { error: known });
  }
  const inside = 'an error in Palimpsest itself; nothing was changed. Please report it with the lines below.';
  await writeErrorLine({ ...terminal, color: !args.includes('--no-color') }, isOurs ? message : inside);
  if (isOurs) return;
  await writeLines(terminal.stderr, [visible(error instanceof Error ? (error.stack ?? message) : message)]);
}

/** The whole command line. `finish` hears the exit code of the command that ran; parse errors throw `CommanderError`. */
export function createProgram(terminal: Terminal, finish: CommandOptions['finish']): Command {
  const program = new Command('palimpsest');
  program
    .description('Keeps everything an agent said or saw, and shows its model only what it needs now.')
    .version(packageVersion(), '-v, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .option('--no-color', 'print no colours; NO_COLOR and FORCE_COLOR work too')
    .option('--quiet', 'print only results and errors, no reports and no notes')
    .addHelpText('after', programHelp())
    .exitOverride()
    .showHelpAfterError('(--help shows the options of a command)')
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false, minWidthToWrap: 20 })
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
      outputError: (text, write) => write(text.replace(/^error: /, 'palimpsest: ')),
      getOutHelpWidth: () => stdoutScreen(terminal).columns,
      getErrHelpWidth: () => stderrScreen(terminal).columns,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
  const rows = [
    ...chatCommands,
    ...conversationCommands,
    ...storeCommands,
    ...recallCommands,
    ...memoryCommands,
    ...mcpCommands,
    ...trajectoryCommands,
    ...serveCommands,
    ...clientCommands,
    ...setupCommands,
  ];
  addCommands(program, rows, { terminal, finish });
  return program;
}

function programHelp(): string {
  const codes = exitCodeHelp.map(([code, meaning]) => `  ${String(code).padEnd(4)} ${meaning}`);
  return [
    examplesText([
      ['palimpsest chat', 'work with an agent in this folder'],
      ['palimpsest compress --example', 'see it work'],
      ['palimpsest compress session.jsonl -o short.jsonl'],
      ['palimpsest inspect session.jsonl'],
      ['palimpsest expand session.jsonl m42', 'the original behind a stub'],
      ['palimpsest verify notes.md session.jsonl', 'check a summary'],
    ]),
    '',
    'Exit codes:',
    ...codes,
  ].join('\n');
}
