/** What a terminal sends for keys, text and pastes, read from characters as they arrive. */

/** A key that is no letter, or a letter with Ctrl or Alt. */
export interface Key {
  readonly type: 'key';
  /** `enter`, `tab`, `escape`, `backspace`, `delete`, `up`, `down`, `left`, `right`, `home`, `end`, …, or one small letter. */
  readonly name: string;
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
}

export type KeyEvent =
  | Key
  | { readonly type: 'text'; readonly text: string }
  /** What the terminal marks as pasted, as it came. */
  | { readonly type: 'paste'; readonly text: string }
  /** The terminal says that it speaks the keyboard protocol of kitty. */
  | { readonly type: 'protocol' };

export interface KeyReader {
  readonly read: (characters: string) => readonly KeyEvent[];
  /** True while something has begun that is not complete: a lone Esc, or a paste. */
  readonly isWaiting: () => boolean;
  readonly isPasting: () => boolean;
  /** What has begun is all there is: a lone Esc is the key, a paste without end ends. */
  readonly flush: () => readonly KeyEvent[];
}

const pasteStart = '\x1b[200~';
const pasteEnd = '\x1b[201~';

export function keyReader(): KeyReader {
  /** What is not read yet; of a paste, only what may be the start of its end. */
  let rest = '';
  let pasted: string[] | undefined;

  function readPaste(events: KeyEvent[]): boolean {
    const end = rest.indexOf(pasteEnd);
    const held = end < 0 ? partialEnd(rest) : 0;
    pasted?.push(end < 0 ? rest.slice(0, rest.length - held) : rest.slice(0, end));
    rest = end < 0 ? rest.slice(rest.length - held) : rest.slice(end + pasteEnd.length);
    if (end < 0) return false;
    events.push({ type: 'paste', text: pasted?.join('') ?? '' });
    pasted = undefined;
    return true;
  }

  function readOne(events: KeyEvent[]): boolean {
    if (pasted) return readPaste(events);
    if (rest.startsWith(pasteStart)) {
      pasted = [];
      rest = rest.slice(pasteStart.length);
      return true;
    }
    const read = oneEvent(rest);
    if (read === undefined) return false;
    rest = rest.slice(read.length);
    if (read.event) events.push(read.event);
    return true;
  }

  return {
    read: (characters) => {
      rest += characters;
      const events: KeyEvent[] = [];
      while (rest !== '' && readOne(events));
      return events;
    },
    isPasting: () => pasted !== undefined,
    isWaiting: () => rest !== '' || pasted !== undefined,
    flush: () => {
      const events: KeyEvent[] = [];
      if (pasted) {
        events.push({ type: 'paste', text: pasted.join('') + rest });
        pasted = undefined;
        rest = '';
      }
      // A sequence that never became complete: Esc, and then what follows as it is.
      while (rest !== '') {
        const read = oneEvent(rest) ?? { event: key('escape'), length: 1 };
        if (read.event) events.push(read.event);
        rest = rest.slice(read.length);
      }
      return events;
    },
  };
}

/** How many of the last characters may be the start of the end of a paste. */
function partialEnd(text: string): number {
  for (let length = Math.min(pasteEnd.length - 1, text.length); length > 0; length -= 1)
    if (pasteEnd.startsWith(text.slice(-length))) return length;
  return 0;
}

interface ReadEvent {
  /** Undefined for what is no business of ours. */
  readonly event: KeyEvent | undefined;
  readonly length: number;
}

const key = (name: string, { ctrl = false, alt = false, shift = false }: Partial<Key> = {}): Key => ({
  type: 'key',
  name,
  ctrl,
  alt,
  shift,
});

/** The event at the start of the characters; undefined while it is not complete. */
function oneEvent(characters: string): ReadEvent | undefined {
  if (characters.startsWith('\x1b')) return escapeSequence(characters);
  const [text] = /^[^\x00-\x1f\x7f]+/.exec(characters) ?? [];
  if (text !== undefined) return { event: { type: 'text', text }, length: text.length };
  return { event: controlKey(characters.charCodeAt(0)), length: 1 };
}

const controlNames: Readonly<Record<number, string>> = {
  8: 'backspace',
  9: 'tab',
  13: 'enter',
  27: 'escape',
  127: 'backspace',
};

/** Ctrl with a letter or one of `\ ] ^ _`. */
const controlKey = (code: number, alt = false): Key =>
  controlNames[code] !== undefined
    ? key(controlNames[code], { alt })
    : key(code === 0 ? 'space' : String.fromCharCode(code + 0x40).toLowerCase(), { ctrl: true, alt });

function escapeSequence(characters: string): ReadEvent | undefined {
  const [, second = '', third = ''] = characters;
  if (second === '') return undefined;
  // Older terminals send Esc twice for Alt with an arrow.
  if (second === '\x1b' && (third === '[' || third === 'O')) {
    const read = escapeSequence(characters.slice(1));
    return read && { event: withAlt(read.event), length: read.length + 1 };
  }
  if (second === '\x1b') return { event: key('escape'), length: 1 };
  if (second === '[') return csi(characters);
  if (second === 'O') return ss3(characters);
  if (']P_^'.includes(second)) return stringSequence(characters);
  if (second < ' ' || second === '\x7f') return { event: controlKey(second.charCodeAt(0), true), length: 2 };
  const letter = [...characters.slice(1, 3)][0] ?? second;
  return {
    event: key(letter.toLowerCase(), { alt: true, shift: letter !== letter.toLowerCase() }),
    length: 1 + letter.length,
  };
}

const withAlt = (event: KeyEvent | undefined): KeyEvent | undefined =>
  event?.type === 'key' ? { ...event, alt: true } : event;

/** Answers of a terminal to questions: they end with BEL or ST. Alt with `]` begins in the same way and has no end. */
function stringSequence(characters: string): ReadEvent | undefined {
  const [whole] = /^\x1b[\]P_^][^\x07\x1b]*(?:\x07|\x1b\\)/.exec(characters) ?? [];
  if (whole !== undefined) return { event: undefined, length: whole.length };
  const second = characters[1] ?? '';
  return characters.length < 3 || /^\x1b[\]P_^][\x20-\x7e]*\x1b?$/.test(characters)
    ? undefined
    : { event: key(second.toLowerCase(), { alt: true }), length: 2 };
}

const letterKeys: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  F: 'end',
  H: 'home',
  P: 'f1',
  Q: 'f2',
  R: 'f3',
  S: 'f4',
};

const numberKeys: Readonly<Record<number, string>> = {
  1: 'home',
  2: 'insert',
  3: 'delete',
  4: 'end',
  5: 'pageUp',
  6: 'pageDown',
  7: 'home',
  8: 'end',
};

const ss3 = (characters: string): ReadEvent | undefined => {
  const letter = characters[2];
  if (letter === undefined) return undefined;
  const name = letter === 'M' ? 'enter' : letterKeys[letter];
  return { event: name === undefined ? undefined : key(name), length: 3 };
};

/** Control sequences, ECMA-48 5.4: parameters, intermediate characters, a final one. */
function csi(characters: string): ReadEvent | undefined {
  // The console of Linux names its function keys like this.
  if (characters.startsWith('\x1b[[')) return characters.length < 4 ? undefined : { event: undefined, length: 4 };
  const [whole, parameters = '', final = ''] = /^\x1b\[([\x30-\x3f]*)[\x20-\x2f]*([\x40-\x7e])/.exec(characters) ?? [];
  if (whole !== undefined) return { event: csiEvent(parameters, final), length: whole.length };
  // Anything else than a sequence that goes on: Esc and `[` were typed.
  return /^\x1b\[[\x20-\x3f]*$/.test(characters) ? undefined : { event: key('[', { alt: true }), length: 2 };
}

function csiEvent(parameters: string, final: string): KeyEvent | undefined {
  if (final === 'u' && parameters.startsWith('?')) return { type: 'protocol' };
  if (/^[<=>?]/.test(parameters)) return undefined;
  const fields = parameters.split(';').map((field) => field.split(':').map(Number));
  const [[code = 1] = [], [modifiers = 1, action = 1] = [], [other = 0] = []] = fields;
  // Released, as kitty reports it.
  if (action === 3) return undefined;
  if (final === 'Z') return key('tab', { shift: true });
  if (final === 'u') return codedKey(code, modifiers, fields);
  // xterm's modifyOtherKeys: 27 ; modifiers ; code ~
  if (final === '~' && code === 27) return codedKey(other, modifiers, fields);
  const name = final === '~' ? numberKeys[code] : letterKeys[final];
  return name === undefined ? undefined : key(name, modifiersOf(modifiers));
}

/** The number is one more than the sum of 1 Shift, 2 Alt, 4 Ctrl, 8 Super, 32 Meta. */
const modifiersOf = (modifiers: number): Pick<Key, 'ctrl' | 'alt' | 'shift'> => {
  const bits = Math.max(0, modifiers - 1);
  return { shift: (bits & 1) !== 0, alt: (bits & 34) !== 0, ctrl: (bits & 4) !== 0 };
};

/** Keys of the number pad in kitty's protocol, which have codes in the private area of Unicode. */
const padKeys: Readonly<Record<number, string>> = {
  57414: 'enter',
  57417: 'left',
  57418: 'right',
  57419: 'up',
  57420: 'down',
  57421: 'pageUp',
  57422: 'pageDown',
  57423: 'home',
  57424: 'end',
  57426: 'delete',
};
const padText = '0123456789./*-+';

/** A key by its code point: kitty's `CSI code ; modifiers u`, with the text it types as a third field where there is one. */
function codedKey(code: number, modifiers: number, fields: readonly (readonly number[])[]): KeyEvent | undefined {
  const held = modifiersOf(modifiers);
  const named = controlNames[code] ?? padKeys[code];
  if (named !== undefined) return key(named, held);
  if (code >= 57399 && code <= 57413) return { type: 'text', text: padText[code - 57399] ?? '' };
  if ((code >= 57344 && code <= 63743) || code < 32 || code > 0x10ffff) return undefined;
  const character = String.fromCodePoint(code);
  if (held.ctrl || held.alt) return key(character === ' ' ? 'space' : character.toLowerCase(), held);
  const shifted = fields[0]?.[1];
  return {
    type: 'text',
    text: held.shift ? (shifted ? String.fromCodePoint(shifted) : character.toUpperCase()) : character,
  };
}
