/** Long pastes: one character in the draft, `[pasted 34 lines]` on the screen, the whole text when it is sent. */

/** By the character that stands for the text. */
export type PastedTexts = ReadonlyMap<string, string>;

/** The end of the private area that nobody else uses: no font has these, and typed ones are dropped. */
const first = 0x10f000;
const last = 0x10fffd;
const standIn = /[\u{10f000}-\u{10fffd}]/gu;

/** Beyond one of these, a paste would fill the screen. */
const mostLines = 10;
const mostCharacters = 1_000;

/** What a paste is in the draft, and the pastes with it. */
export function withPaste(pasted: PastedTexts, text: string): { readonly shown: string; readonly pasted: PastedTexts } {
  const plain = withoutStandIns(text);
  const isLong = linesOf(plain) > mostLines || plain.length > mostCharacters;
  const code = first + pasted.size;
  if (!isLong || code > last) return { shown: plain, pasted };
  const shown = String.fromCodePoint(code);
  return { shown, pasted: new Map(pasted).set(shown, plain) };
}

/** Text from elsewhere, which must not name a paste. */
export const withoutStandIns = (text: string): string => text.replaceAll(standIn, '');

/** The text as it is sent. */
export const expanded = (text: string, pasted: PastedTexts): string =>
  text.replaceAll(standIn, (character) => pasted.get(character) ?? '');

/** What stands on the screen; the spaces do not break. */
export function labelOf(text: string): string {
  const lines = linesOf(text);
  return `[pasted\u00a0${lines > 1 ? `${lines}\u00a0lines` : `${text.length}\u00a0characters`}]`;
}

const linesOf = (text: string): number => text.replace(/\n$/, '').split('\n').length;

/** The draft as it is shown, and which of its characters is where. */
export interface ShownDraft {
  readonly shown: string;
  /** The index in the shown text of each index of the draft, the end included. */
  readonly places: (index: number) => number;
  /** The index in the draft that is nearest before one of the shown text. */
  readonly indexAt: (place: number) => number;
}

const tab = '    ';

export function shownDraft(text: string, pasted: PastedTexts): ShownDraft {
  let shown = '';
  let done = 0;
  /** Where one character of the draft became several. */
  const stretched: {
    readonly index: number;
    readonly length: number;
    readonly place: number;
    readonly width: number;
  }[] = [];
  for (const match of text.matchAll(/[\t\u{10f000}-\u{10fffd}]/gu)) {
    const [character] = match;
    shown += text.slice(done, match.index);
    const label = character === '\t' ? tab : labelOf(pasted.get(character) ?? '');
    stretched.push({ index: match.index, length: character.length, place: shown.length, width: label.length });
    shown += label;
    done = match.index + character.length;
  }
  return {
    shown: shown + text.slice(done),
    places: (index) => {
      const before = stretched.findLast((one) => one.index + one.length <= index);
      return before === undefined ? index : before.place + before.width + index - before.index - before.length;
    },
    indexAt: (place) => {
      const before = stretched.findLast((one) => one.place <= place);
      if (before === undefined) return place;
      const inside = place < before.place + before.width;
      return inside ? before.index : before.index + before.length + place - before.place - before.width;
    },
  };
}
