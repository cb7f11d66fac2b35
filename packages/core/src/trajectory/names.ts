/** The names in a text: words with a digit, a mark or a capital inside, such as paths, identifiers and numbers. */

/** Numbers in place of names, so that sets of them are small; one book for a trajectory. */
export interface NameBook {
  /** The names of a text, each once. */
  in(text: string): readonly number[];
  readonly size: number;
}

/** An empty book. */
export function createNameBook(): NameBook {
  const ids = new Map<string, number>();
  return {
    in: (text) => {
      const found = new Set<number>();
      eachName(text, (name) => {
        const id = ids.get(name) ?? ids.size;
        if (id === ids.size) ids.set(name, id);
        found.add(id);
      });
      return [...found];
    },
    get size() {
      return ids.size;
    },
  };
}

const [other, lower, upper, digit, mark] = [0, 1, 2, 3, 4];

/** What each ASCII unit is in a name; all else ends one. */
const kinds = Uint8Array.from({ length: 128 }, (_, unit) => {
  const sign = String.fromCharCode(unit);
  if (/[a-z]/.test(sign)) return lower;
  if (/[A-Z]/.test(sign)) return upper;
  if (/\d/.test(sign)) return digit;
  return /[_./:@#-]/.test(sign) ? mark : other;
});

const [shortest, longest] = [3, 120];

function eachName(text: string, hear: (name: string) => void): void {
  let start = -1;
  let isName = false;
  let before = other;
  for (let at = 0; at <= text.length; at++) {
    const unit = at < text.length ? text.charCodeAt(at) : 0;
    const kind = unit < 128 ? (kinds[unit] ?? other) : other;
    if (kind === other) {
      if (start >= 0 && isName) tell(text, start, at, hear);
      start = -1;
    } else if (start < 0) {
      if (kind !== mark) [start, isName] = [at, kind === digit];
    } else if (kind === digit || kind === mark || (kind === upper && before === lower)) isName = true;
    before = kind;
  }
}

/** Marks at the end belong to the sentence. */
function tell(text: string, start: number, end: number, hear: (name: string) => void): void {
  let to = end;
  while (to > start && kinds[text.charCodeAt(to - 1)] === mark) to--;
  const size = to - start;
  if (size >= shortest && size <= longest) hear(text.slice(start, to));
}
