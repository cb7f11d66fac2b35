/** Another command of the program, run from within a conversation: what it prints comes back as text. */
import { exitCodes } from '../exit-codes.ts';
import type { Output, Terminal } from '../terminal.ts';

/** What a command printed, on both streams in their order, and how it ended. */
export interface CommandOutput {
  readonly text: string;
  readonly code: number;
}

/** Runs a command line as it would be typed, without the name of the program. `columns` is the room for its lines. */
export async function runCommand(args: readonly string[], terminal: Terminal, columns: number): Promise<CommandOutput> {
  let text = '';
  const output: Output = {
    isTTY: terminal.stdout.isTTY === true,
    columns,
    writableNeedDrain: false,
    write(piece) {
      text += typeof piece === 'string' ? piece : new TextDecoder().decode(piece);
      return true;
    },
    once: () => undefined,
  };
  const { runCommand: run } = terminal;
  if (!run) return { text: '', code: exitCodes.internal };
  const code = await run(args, { ...terminal, stdin: noInput, stdout: output, stderr: output });
  return { text: asTypedHere(text.replace(/\n+$/, '')), code };
}

/** What a command says to type next, as it is typed in a conversation. */
const asTypedHere = (text: string): string =>
  text.replaceAll(/\bpalimpsest (memory|approvals|usage|insights|search|status)(?= |$)/gm, '/$1');

/** Nobody answers: a command that would ask says what to type in its place. */
const noInput: Terminal['stdin'] = { isTTY: false, async *[Symbol.asyncIterator]() {} };
