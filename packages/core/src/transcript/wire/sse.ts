/** Server-sent events out of text that comes in pieces: https://html.spec.whatwg.org/multipage/server-sent-events.html. */

/** One event. */
export interface ServerEvent {
  /** Its `event:` line; empty where there is none. */
  readonly name: string;
  /** Its `data:` lines, joined by line feeds. */
  readonly data: string;
}

/** Takes the text of a stream apart. */
export interface EventParser {
  /** Tells of every event that is complete with this piece. The mark of byte order is the decoder's to remove. */
  read(text: string): void;
  /** Tells of an event that the end of the stream left without its empty line. */
  end(): void;
  /** UTF-16 units of the event that is not complete. */
  readonly waiting: number;
}

/** Who reads events of a known form without taking them apart. */
export interface EventRun {
  /** Takes events of that form from `start` on, where one begins; gives where the first other one does. */
  take(text: string, start: number): number;
  /** Is shown the whole text of an event that was just told of, with the line ends behind it. */
  see(event: string): void;
}

/**
 * A parser that tells of events with data; comments, `id` and `retry` say nothing about an answer. It departs from the standard in
 * one point: an event that the stream ends in is told of, since it often is the last report of usage and only its empty line is missing.
 * `waiting` is no getter: each object with a getter of its own has a form of its own, and all that it sees lives as long as that.
 */
export function createEventParser(tell: (event: ServerEvent) => void, run?: EventRun): EventParser {
  /** Pieces of the line that is not complete. */
  let pieces: string[] = [];
  let lines: string[] = [];
  let name = '';
  let [waitingInLines, waitingInPieces] = [0, 0];
  /** Set when a piece ended with a carriage return, whose line feed may begin the next one. */
  let isAfterReturn = false;

  const dispatch = (): void => {
    if (lines.length > 0) tell({ name, data: lines.length === 1 ? (lines[0] ?? '') : lines.join('\n') });
    lines = [];
    name = '';
    waitingInLines = 0;
  };
  const take = (line: string): void => {
    if (line === '') {
      dispatch();
      return;
    }
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    if (field !== 'data' && field !== 'event') return;
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'event') name = value;
    else lines.push(value);
    // With the line feed that joins it, so that empty lines count as well.
    waitingInLines += value.length + 1;
  };
  const close = (last: string): void => {
    const line = pieces.length === 0 ? last : pieces.join('') + last;
    pieces = [];
    waitingInPieces = 0;
    take(line);
  };

  const isBetween = (): boolean => waitingInLines + waitingInPieces === 0;

  const parser = {
    waiting: 0,
    read: (text: string) => {
      if (text === '') return;
      let start = isAfterReturn && text.startsWith('\n') ? 1 : 0;
      isAfterReturn = text.endsWith('\r');
      const { next } = endings(text);
      /** Where the event begins, if it does in this text. */
      let begin: number | undefined;
      for (;;) {
        if (run && isBetween()) {
          start = run.take(text, start);
          begin = start;
        }
        const end = next(start);
        if (end >= text.length) break;
        close(text.slice(start, end));
        start = text.startsWith('\r\n', end) ? end + 2 : end + 1;
        if (run && begin !== undefined && isBetween()) run.see(text.slice(begin, start));
      }
      if (start < text.length) pieces.push(text.slice(start));
      waitingInPieces += text.length - start;
      parser.waiting = waitingInLines + waitingInPieces;
    },
    end: () => {
      if (pieces.length > 0) close('');
      dispatch();
      parser.waiting = 0;
    },
  };
  return parser;
}

/** Finds the ends of lines. Each of the two characters is looked for once, and not at all where there is no more of it. */
function endings(text: string): { next(start: number): number } {
  let feed = -1;
  let carriage = -1;
  const seek = (found: number, character: string, start: number): number => {
    if (found >= start) return found;
    const at = text.indexOf(character, start);
    return at < 0 ? text.length : at;
  };
  return {
    next: (start) => {
      feed = seek(feed, '\n', start);
      carriage = seek(carriage, '\r', start);
      return Math.min(feed, carriage);
    },
  };
}
