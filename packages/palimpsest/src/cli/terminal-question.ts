/** Asks the person at the terminal before something goes for good. */
import { badOption } from './option-values.ts';
import { type Terminal, writeLines } from './terminal.ts';

/** True when a person at a terminal answers with yes. Throws `BAD_OPTION` where nobody can be asked; `loss` says what is at stake. */
export async function isAgreed(question: string, loss: string, terminal: Terminal): Promise<boolean> {
  if (!terminal.stderr.isTTY) throw badOption(`expected --yes: there is no terminal to ask on, and ${loss}`);
  terminal.stderr.write(`${question} [y/N] `);
  const answer = await firstLine(terminal);
  if (!answer.includes('\n')) await writeLines(terminal.stderr, ['']);
  return /^\s*y(?:es)?\s*$/i.test(answer);
}

async function firstLine({ stdin }: Terminal): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of stdin) {
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    if (text.includes('\n') || text.length > 100) break;
  }
  return text;
}
