/** Completion: what may stand where the cursor is. What is offered is the caller's; it is asked anew, and the old question called off, whenever the draft changes. */
import { clip, glyph, type Screen, widthOf } from './screen.ts';
import { paintedLine } from './spans.ts';
import { harmless } from './visible.ts';

/** Something that the draft may go on with. */
export interface Candidate {
  /** What is put into the draft. */
  readonly text: string;
  /** What is shown. @default the text */
  readonly label?: string;
  /** What it is, beside it. */
  readonly note?: string;
}

export interface Completion {
  /** The part of the draft that a candidate replaces begins here and ends at the cursor. */
  readonly start: number;
  /** Best first. */
  readonly candidates: readonly Candidate[];
}

/** Offers what may stand at the cursor; undefined for nothing. The signal fires as soon as the answer is not wanted. */
export type Complete = (question: CompletionQuestion) => Promise<Completion | undefined>;

export interface CompletionQuestion {
  /** The draft; a long paste in it is one character. */
  readonly text: string;
  readonly cursor: number;
  readonly signal: AbortSignal;
}

/** What is offered now. */
export interface Offer extends Completion {
  /** Where the replaced part ends. */
  readonly end: number;
  /** The candidate that is chosen; undefined while a person only looks. */
  readonly selected: number | undefined;
  /** True when the draft has changed since: it is shown until the new answer comes, and cannot be chosen from. */
  readonly isStale: boolean;
}

/** The next candidate, or the one before; around the end. */
export function stepped(offer: Offer, by: 1 | -1): Offer {
  const many = offer.candidates.length;
  const from = offer.selected ?? (by > 0 ? -1 : many);
  return { ...offer, selected: (from + by + many) % many };
}

/** True where candidates are offered without being asked for: a command at the start, a session after `/resume`, a file after `@`. */
export function isOfferedAt(text: string, cursor: number): boolean {
  const before = text.slice(0, cursor);
  return (before.length < 300 && /^\/\S*$|^\/resume [^\n]*$/.test(before)) || /(?:^|\s)@\S*$/.test(before.slice(-300));
}

/** Asks one question at a time. */
export interface Completer {
  readonly ask: (question: Omit<CompletionQuestion, 'signal'>) => void;
  readonly cancel: () => void;
}

export function completer(complete: Complete | undefined, onOffer: (offer: Offer | undefined) => void): Completer {
  let open: AbortController | undefined;
  const cancel = (): void => {
    open?.abort();
    open = undefined;
  };
  return {
    cancel,
    ask: ({ text, cursor }) => {
      cancel();
      if (!complete) return;
      const own = new AbortController();
      open = own;
      const settle = (found: Completion | undefined): void => {
        if (open !== own) return;
        open = undefined;
        const isSound = found !== undefined && found.candidates.length > 0 && found.start >= 0 && found.start <= cursor;
        onOffer(isSound ? { ...found, end: cursor, selected: undefined, isStale: false } : undefined);
      };
      // A completion that fails offers nothing: it is a convenience.
      Promise.resolve()
        .then(() => complete({ text, cursor, signal: own.signal }))
        .then(settle, () => settle(undefined));
    },
  };
}

const mostRows = 6;

/** The candidates around the chosen one, one a row. */
export function offerRows({ candidates, selected }: Offer, screen: Screen, room: number = mostRows): readonly string[] {
  const most = Math.min(room, mostRows);
  if (most < 1) return [];
  const first = Math.max(0, Math.min((selected ?? 0) - Math.floor(most / 2), candidates.length - most));
  const visible = candidates.slice(first, first + most);
  const labels = visible.map(({ text, label = text }) => harmless(label));
  const width = Math.min(Math.floor(screen.columns / 2), Math.max(...labels.map(widthOf)));
  return visible.map(({ note = '' }, at) => {
    const isSelected = first + at === selected;
    const mark = glyph(screen, '…', '~');
    const label = clip(labels[at] ?? '', note === '' ? screen.columns - 2 : width, mark);
    const room = screen.columns - 4 - width;
    const rest =
      note === '' ? '' : `${' '.repeat(Math.max(0, width - widthOf(label)))}  ${clip(harmless(note), room, mark)}`;
    return paintedLine(
      [
        isSelected ? `${glyph(screen, '›', '>')} ` : '  ',
        isSelected ? { text: label, style: ['bold', 'cyan'] } : label,
        { text: rest.trimEnd(), style: 'dim' },
      ],
      screen,
    );
  });
}
