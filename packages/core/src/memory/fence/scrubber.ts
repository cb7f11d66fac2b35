/** Takes the blocks of ours out of what a model says, before a person sees it. */
import { type FenceKind, fenceKinds } from './kinds.ts';
import { createOpeningReader, isBlank, isLineEnd, type Verdict } from './opening.ts';

/** What a model says, without the blocks of ours that it repeats. */
export interface Scrubber {
  /** The next piece of the text, cut anywhere. Returns what may be shown now: text that could still become a block is held back. */
  push(delta: string): string;
  /** Ends the text. Returns what was held back and is no block; what stands in a block without an end is gone. */
  flush(): string;
  /** Begins a text anew, as for the next turn. */
  reset(): void;
}

/**
 * A scrubber for one text that comes in pieces. A block opens at the start of a line, with nothing but its tag on it; mentions
 * inside a line, and code that shows such a tag, are text. However the text is cut, what is shown is the same. It takes linear
 * time, and holds no more than the longest tag.
 */
export function createScrubber(): Scrubber {
  let state = newState();
  return {
    push: (delta) => visible(state, delta),
    flush() {
      const { held } = state;
      state = newState();
      return held;
    },
    reset() {
      state = newState();
    },
  };
}

/** The text without the blocks of ours; the same text where it has none. */
export function scrub(text: string): string {
  if (!mayHoldFence.test(text)) return text;
  const scrubber = createScrubber();
  return scrubber.push(text) + scrubber.flush();
}

const mayHoldFence = new RegExp(`<[ \\t]*(?:${fenceKinds.map(({ name }) => name).join('|')})`, 'i');

/** The texts of a stream as one text without the blocks of ours. */
export function scrubbed(stream: ReadableStream<string>): ReadableStream<string> {
  const scrubber = createScrubber();
  const show = (text: string, controller: TransformStreamDefaultController<string>): void => {
    if (text !== '') controller.enqueue(text);
  };
  return stream.pipeThrough(
    new TransformStream<string, string>({
      transform: (delta, controller) => show(scrubber.push(delta), controller),
      flush: (controller) => show(scrubber.flush(), controller),
    }),
  );
}

interface State {
  /** What was seen of the line that is shown now. */
  line: 'start' | 'rest' | MarkRun;
  /** The mark of the code fence that is open. */
  code: Pick<MarkRun, 'char' | 'count'> | undefined;
  /** What could be an opening. */
  held: string;
  opening: ((char: string) => Verdict) | undefined;
  /** Inside a block: what finds its end. */
  ending: Ending | undefined;
}

const newState = (): State => ({ line: 'start', code: undefined, held: '', opening: undefined, ending: undefined });

function visible(state: State, delta: string): string {
  let shown = '';
  for (let at = 0; at < delta.length; ) {
    if (state.ending) {
      at = throughFence(state, delta, at);
    } else if (state.opening) {
      const char = delta.charAt(at);
      const verdict = state.opening(char);
      if (verdict === 'no') {
        shown += released(state);
        continue;
      }
      at++;
      if (verdict === 'more') state.held += char;
      else Object.assign(state, { held: '', opening: undefined, ending: endingOf(verdict) });
    } else {
      const end = throughText(state, delta, at);
      shown += delta.slice(at, end);
      at = end;
      if (at === delta.length) break;
      Object.assign(state, { held: '<', opening: createOpeningReader(state.code !== undefined) });
      at++;
    }
  }
  return shown;
}

/** What was held and is text. Behind the end of a line there is nothing in it but the beginning of words of ours. */
function released(state: State): string {
  const { held } = state;
  state.line = /[\r\n]$/.test(held) ? 'start' : 'rest';
  state.held = '';
  state.opening = undefined;
  return held;
}

/** Goes on to a `<` that stands at the start of a line, or to the end. */
function throughText(state: State, delta: string, from: number): number {
  for (let at = from; at < delta.length; at++) {
    if (state.line === 'rest') {
      lineEnd.lastIndex = at;
      at = lineEnd.exec(delta)?.index ?? delta.length;
      if (at < delta.length) state.line = 'start';
      continue;
    }
    const char = delta.charAt(at);
    if (isLineEnd(char)) endLine(state);
    else if (state.line !== 'start') goOn(state.line, char);
    else if (char === '<') return at;
    else if (char === '`' || char === '~')
      state.line = { char, count: 1, isOver: false, hasText: false, hasTick: false };
    else if (!isBlank(char)) state.line = 'rest';
  }
  return delta.length;
}

const lineEnd = /[\r\n]/g;

// Code fences, as Markdown has them: three marks or more at the start of a line, closed by as many with nothing behind them.

/** A line that begins with marks of code. */
interface MarkRun {
  readonly char: string;
  count: number;
  /** Something else came behind the marks. */
  isOver: boolean;
  hasText: boolean;
  /** Behind the marks, which makes it code inside a line. */
  hasTick: boolean;
}

function goOn(run: MarkRun, char: string): void {
  if (char === run.char && !run.isOver) {
    run.count++;
    return;
  }
  run.isOver = true;
  if (!isBlank(char)) run.hasText = true;
  if (char === '`') run.hasTick = true;
}

function endLine(state: State): void {
  const { line, code } = state;
  state.line = 'start';
  if (typeof line === 'string' || line.count < 3) return;
  const { char, count, hasText, hasTick } = line;
  if (!code) {
    if (char === '~' || !hasTick) state.code = { char, count };
  } else if (char === code.char && count >= code.count && !hasText) {
    state.code = undefined;
  }
}

/** How much of the end of a block was read. */
interface Ending {
  readonly name: string;
  /** Undefined outside a tag; then `<`, `</`, `</memory` and so on, without blanks. */
  read: string | undefined;
}

const endingOf = ({ name }: FenceKind): Ending => ({ name, read: undefined });

/** Goes on behind the end of the block, to the next character that could belong to it, or to the end. */
function throughFence(state: State, delta: string, at: number): number {
  const { ending } = state;
  if (ending?.read === undefined) {
    const start = delta.indexOf('<', at);
    if (start < 0) return delta.length;
    if (ending) ending.read = '<';
    return start + 1;
  }
  const char = delta.charAt(at);
  const whole = `</${ending.name}`;
  const isGap = ending.read === '<' || ending.read === '</' || ending.read === whole;
  if (isGap && (isBlank(char) || isLineEnd(char))) return at + 1;
  if (ending.read === whole && char === '>') {
    // What is shown stands at the start of a line still.
    state.ending = undefined;
    return at + 1;
  }
  const next = ending.read + char.toLowerCase();
  ending.read = whole.startsWith(next) ? next : undefined;
  return ending.read === undefined ? at : at + 1;
}
