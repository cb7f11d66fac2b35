/** Shortens turns: answers of tools to their evidence, pasted documents of the person to their ends and what was used of them. */
import { evidenceOf, type RatedText, rateText } from './evidence.ts';
import { entryFormatOf } from './formats/formats.ts';
import type { Names } from './names.ts';
import type { Trajectory } from './turn.ts';
import { nameWorth } from './worth.ts';
import type { ChangedTurn } from './write.ts';

/** How long a shortened text may be, in UTF-16 units, by the length that it had. */
export interface Shortening {
  readonly room: (length: number) => number;
  /** Share of it for the start, and for the end. */
  readonly ends?: number;
}

/** Shortens turns of one trajectory. */
export interface Shortener {
  /** The turn with its texts shortened; undefined where it has none, or none that is longer. */
  shorten(at: number, by: Shortening): ChangedTurn | undefined;
}

/** Each text is rated once, however often it is shortened. */
export function createShortener({ turns, format }: Trajectory, names: Names): Shortener {
  const { clip, read } = entryFormatOf(format);
  const known = new Map<number, Map<string, RatedText>>();
  const rated = (text: string, at: number): RatedText => {
    const own = known.get(at) ?? new Map<string, RatedText>();
    const found =
      own.get(text) ?? rateText(text, { namesIn: names.namesIn, worthOf: (name) => nameWorth(name, at, names) });
    known.set(at, own.set(text, found));
    return found;
  };
  return {
    shorten: (at, { room, ends = 0 }) => {
      const turn = turns[at];
      if (turn === undefined) return undefined;
      let isShorter = false;
      const short = (text: string): string => {
        const most = room(text.length);
        if (text.length <= most + leastSaved) return text;
        isShorter = true;
        return evidenceOf(rated(text, at), { room: most, ends });
      };
      // Rules beside the list are a text of the record.
      const value = turn.field === undefined ? clip(turn, short) : short(turn.text);
      if (value === undefined || !isShorter) return undefined;
      return { type: 'changed', at, value, text: typeof value === 'string' ? value : (read(value)?.text ?? '') };
    },
  };
}

/** A text is not shortened by less than what the marks of gaps take. */
const leastSaved = 80;
