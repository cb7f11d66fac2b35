/** Shortens turns: answers of tools to their evidence, pasted documents of the person to their ends and what was used of them. */
import { isJsonObject, type JsonValue } from '../shared/json.ts';
import { evidenceOf, type RatedText, rateText } from './evidence.ts';
import { entryFormatOf } from './formats/formats.ts';
import type { Trajectory, Turn } from './turn.ts';
import { type NameScope, nameWorth } from './worth.ts';
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
  shorten(at: number, by: Shortening): ShortTurn | undefined;
}

/** A turn that is shortened, and the names that it shows, each once. */
export interface ShortTurn extends ChangedTurn {
  readonly names: readonly number[];
}

/** A turn that was read: how its texts are shortened, and what is known of each. */
interface ReadTurn {
  readonly clip: ((shorten: (text: string) => string) => JsonValue) | undefined;
  readonly rated: Map<string, RatedText>;
  /** Names of texts that stay whole. */
  readonly names: Map<string, readonly number[]>;
}

/** Each text is read and rated once, however often it is shortened. */
export function createShortener({ turns, format }: Trajectory, scope: NameScope): Shortener {
  const { names } = scope;
  const { clip, read } = entryFormatOf(format);
  const known = new Map<number, ReadTurn>();
  const readTurn = (turn: Turn): ReadTurn => {
    // Rules beside the list are a text of the record.
    const clipTurn = turn.field === undefined ? clip(turn) : (short: (text: string) => string) => short(turn.text);
    return { clip: clipTurn, rated: new Map(), names: new Map() };
  };
  return {
    shorten: (at, { room, ends = 0 }) => {
      const turn = turns[at];
      if (turn === undefined) return undefined;
      const own = keptIn(known, at, () => readTurn(turn));
      const rating = { namesIn: names.namesIn, worthOf: (name: number) => nameWorth(name, at, scope) };
      const shown = new Set<number>();
      let isShorter = false;
      const short = (text: string): string => {
        const most = room(text.length);
        const isShort = text.length <= most + leastSaved;
        isShorter ||= !isShort;
        const made = isShort
          ? { text, names: keptIn(own.names, text, () => names.namesIn(text)) }
          : evidenceOf(
              keptIn(own.rated, text, () => rateText(text, rating)),
              { room: most, ends },
            );
        for (const name of made.names) shown.add(name);
        return made.text;
      };
      const value = own.clip?.(short);
      if (value === undefined || !isShorter) return undefined;
      const text = typeof value === 'string' ? value : isJsonObject(value) ? (read(value)?.text ?? '') : '';
      return { type: 'changed', at, value, text, names: [...shown] };
    },
  };
}

function keptIn<K, V>(known: Map<K, V>, key: K, make: () => V): V {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}

/** A text is not shortened by less than what the marks of gaps take. */
const leastSaved = 80;
