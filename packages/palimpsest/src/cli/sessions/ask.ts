/** Asks before something is deleted. */
import { PalimpsestError } from '@palimpsest/core';
import { type Terminal, writeLines } from '../terminal.ts';

export interface AskFlags {
  /** Whoever says so beforehand is not asked. */
  readonly yes?: boolean;
}

/**
 * True when a person at a terminal answers with yes. Throws `BAD_OPTION` where nobody can be asked and `--yes` was not
 * given.
 */
export async function isAgreed(question: string, flags: AskFlags, terminal: Terminal): Promise<boolean> {
  if (flags.yes) return true;
  if (!terminal.stderr.isTTY) {
    throw new PalimpsestError(
      'BAD_OPTION',
      'expected --yes: there is no terminal to ask on, and deleted conversations cannot be restored',
    );
  }
  terminal.stderr.write(`${question} [y/N] `);
  const answer = await firstLine(terminal);
  if (!answer.includes('\n')) await writeLines(terminal.stderr, ['']);
  return /^\s*y(?:es)?\s*$/i.test(answer);
}

/** Nobody needs more than this to say yes. */
const mostCharacters = 100;

async function firstLine({ stdin }: Terminal): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of stdin) {
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    if (text.includes('\n') || text.length > mostCharacters) break;
  }
  return text;
}
