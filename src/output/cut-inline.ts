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

/** The start and the end of a text; the text itself where nothing would be won. */
export function cutInline(text: string, { toolName, maxChars, reason }: InlineCut): string {
  const room = Math.max(0, maxChars - wordsAround(text.length, { toolName, reason, cut: text.length }).length - 1);
  const start = beforePair(text, Math.floor(room * startShare));
  const end = text.length - (room - start);
  const from = beforePair(text, end) === end ? end : end + 1;
  if (from <= start) return text;
  const [before, mark] = parts(text.length, { toolName, reason, cut: from - start });
  const cut = `${before}\n${text.slice(0, start).toWellFormed()}\n${mark}\n${text.slice(from).toWellFormed()}`;
  return cut.length < text.length ? cut : text;
}

interface Around {
  readonly toolName: string;
  readonly reason: string;
  readonly cut: number;
}

const wordsAround = (whole: number, around: Around): string => `${parts(whole, around).join('\n')}\n`;

function parts(whole: number, { toolName, reason, cut }: Around): readonly [string, string] {
  const name = oneLine(toolName, 80) || 'tool';
  return [
    `[truncated: ${name} | ${noun(whole, 'character')} | could not be saved (${reason}): what was cut is lost; run the ` +
      'tool again with a narrower question to see it]',
    `[… ${grouped(cut)} characters were cut here …]`,
  ];
}
