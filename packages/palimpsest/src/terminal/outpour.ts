/** Text on its way to the screen: what came is turned into rows in the order in which it came, a bounded amount a frame. */
import type { MarkdownStream } from './markdown/stream.ts';

export interface Outpour {
  readonly write: (text: string) => void;
  readonly endText: () => void;
  /** Lines for the scrollback, made when their turn comes. */
  readonly print: (lines: () => readonly string[]) => void;
  /** True while something waits. */
  readonly isWaiting: () => boolean;
  /** Rows to print now, of at most about so many characters of text. */
  readonly take: (characters: number) => readonly string[];
}

type Job =
  | { readonly type: 'text'; text: string }
  | { readonly type: 'end' }
  | { readonly type: 'lines'; readonly lines: () => readonly string[] };

const largestJob = 65_536;
/** What a printed line counts for. */
const charactersOfLine = 80;

export function outpour(markdown: MarkdownStream): Outpour {
  let jobs: Job[] = [];
  /** How much of the first job is done. */
  let done = 0;

  function takeText(text: string, most: number): { readonly rows: readonly string[]; readonly taken: number } {
    const piece = text.slice(done, done + most);
    done += piece.length;
    return { rows: markdown.write(piece), taken: piece.length };
  }

  return {
    write: (text) => {
      const last = jobs.at(-1);
      // A model sends a few letters at a time: read together, they cost as much as one.
      if (last?.type === 'text' && last.text.length < largestJob) last.text += text;
      else if (text !== '') jobs.push({ type: 'text', text });
    },
    endText: () => jobs.push({ type: 'end' }),
    print: (lines) => jobs.push({ type: 'lines', lines }),
    isWaiting: () => jobs.length > 0,
    take: (characters) => {
      const rows: string[] = [];
      let left = characters;
      let finished = 0;
      for (const job of jobs) {
        if (left <= 0) break;
        if (job.type === 'text') {
          const { rows: own, taken } = takeText(job.text, left);
          for (const row of own) rows.push(row);
          left -= taken;
          if (done < job.text.length) break;
          done = 0;
        } else {
          const own = job.type === 'end' ? markdown.end() : job.lines();
          for (const row of own) rows.push(row);
          left -= own.length * charactersOfLine;
        }
        finished += 1;
      }
      jobs = finished === jobs.length ? [] : jobs.slice(finished);
      return rows;
    },
  };
}
