/** docs/reference/cli.md: the help text of every command. */
import type { Command } from 'commander';
import { createProgram } from '../../packages/palimpsest/src/cli/cli.ts';
import type { Output, Terminal } from '../../packages/palimpsest/src/cli/terminal.ts';
import { page } from './markdown.ts';

/** Width of the help texts: they stand in code blocks. */
const columns = 100;

export function cliPage(): string {
  const written: string[] = [];
  const program = createProgram(collecting(written), () => {});
  const sections = allCommands(program).map(({ path, command }) => {
    written.length = 0;
    command.outputHelp();
    return `## ${path}\n\n\`\`\`text\n${written.join('').trim()}\n\`\`\``;
  });
  return page('The command line', 'The help of every command, as `--help` prints it.', ...sections);
}

function allCommands(command: Command, above = ''): readonly { path: string; command: Command }[] {
  const path = above ? `${above} ${command.name()}` : command.name();
  return [{ path, command }, ...command.commands.flatMap((sub) => allCommands(sub, path))];
}

/** A terminal that keeps what is printed. */
function collecting(written: string[]): Terminal {
  const stdout: Output = {
    columns,
    writableNeedDrain: false,
    write: (text) => written.push(String(text)) > 0,
    once: () => undefined,
  };
  const stdin = (async function* () {})();
  return { stdin, stdout, stderr: stdout, env: {}, cwd: '/', platform: 'linux', now: () => 0 };
}
