/** Asks the person at the terminal: before something goes for good, and for answers in lines. */
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

/** The lines of the standard input, one at a time; undefined behind the last one. */
export interface InputLines extends AsyncDisposable {
  next(): Promise<string | undefined>;
}

export function inputLines({ stdin }: Terminal): InputLines {
  const chunks = stdin[Symbol.asyncIterator]();
  const decoder = new TextDecoder();
  let text = '';
  const take = (end: number): string => {
    const line = text.slice(0, end).replace(/\r$/, '');
    text = text.slice(end + 1);
    return line;
  };
  return {
    next: async () => {
      for (;;) {
        const end = text.indexOf('\n');
        if (end >= 0) return take(end);
        if (text.length > mostLine) throw badOption(`expected an answer of at most ${mostLine} characters`);
        const { done, value } = await chunks.next();
        if (done) return text === '' ? undefined : take(text.length);
        text += typeof value === 'string' ? value : decoder.decode(value, { stream: true });
      }
    },
    [Symbol.asyncDispose]: async () => void (await chunks.return?.()),
  };
}

const mostLine = 10_000;
