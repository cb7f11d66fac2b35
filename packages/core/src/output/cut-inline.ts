/** What becomes of a result that is too large and cannot be saved: its start and its end, and a word on what is lost. Pure. */
import { beforePair } from './preview.ts';
import { grouped, noun, oneLine } from './words.ts';

/** Why a text is cut, and how much of it may stay. */
export interface InlineCut {
  readonly toolName: string;
  /** Most characters of what is left, the words around it included. */
  readonly maxChars: number;
  /** Why it could not be saved: the code of the failure. */
  readonly reason: string;
}

/** The share of the room that the start gets. */
const startShare = 0.6;

/** The start and the end of a text; the text itself where it is short enough. One that was cut before is cut further. */
export function cutInline(text: string, cut: InlineCut): string {
  if (text.length <= cut.maxChars) return text;
  const { start, end, gone } = endsOf(text);
  const whole = start.length + gone + end.length;
  const around = `${header(whole, cut)}\n\n${mark(whole)}\n`.length;
  const room = Math.max(0, cut.maxChars - around);
  const keptStart = start.slice(0, beforePair(start, Math.floor(room * startShare)));
  const from = Math.max(0, end.length - (room - keptStart.length));
  const keptEnd = end.slice(beforePair(end, from) === from ? from : from + 1);
  const lost = whole - keptStart.length - keptEnd.length;
  return `${header(whole, cut)}\n${keptStart.toWellFormed()}\n${mark(lost)}\n${keptEnd.toWellFormed()}`;
}

const header = (whole: number, { toolName, reason }: InlineCut): string =>
  `[truncated: ${oneLine(toolName, 80) || 'tool'} | ${noun(whole, 'character')} | could not be saved (${reason}): what was ` +
  'cut is lost; run the tool again with a narrower question to see it]';

const mark = (lost: number): string => `[… ${grouped(lost)} characters were cut here …]`;

interface Ends {
  readonly start: string;
  readonly end: string;
  /** Characters between them that are lost already. */
  readonly gone: number;
}

/** What may be cut: both halves of a text, or what an earlier cut has left. */
function endsOf(text: string): Ends {
  const earlier = /^\[truncated: [^\n]*\]\n([\s\S]*)\n\[… ([\d,]{1,20}) characters were cut here …\]\n([\s\S]*)$/.exec(
    text,
  );
  if (!earlier) return { start: text, end: text, gone: -text.length };
  const [, start = '', gone = '', end = ''] = earlier;
  return { start, end, gone: Number(gone.replaceAll(',', '')) };
}
