/** The marks inside one line of Markdown: code, emphasis, links. One pass forward, linear in the line. */
import type { Style } from '../screen.ts';
import type { Mark, StyledText } from '../spans.ts';

interface InlineOptions {
  /**
   * True while the line is still being written. Then a mark that is open counts as one that will be closed, and what may
   * become a mark with the next letter is not shown yet: so nothing on the screen changes twice.
   */
  readonly isOpen: boolean;
  /** Over the whole line. */
  readonly styles?: readonly Style[];
}

/** The text as it is shown, and the styles over it. Tags stay text. */
export function inline(line: string, { isOpen, styles = [] }: InlineOptions): StyledText {
  const source = isOpen ? line.replace(/(?:[*_~`\\]+|&#?\w{0,7})$/, '') : line;
  const parts = partsOf(source, isOpen);
  matchPairs(parts, isOpen);
  return joined(parts, styles);
}

/** Text in its own styles, or a mark of emphasis that waits for its other half. */
type InlinePart =
  | { readonly type: 'text'; readonly text: string; readonly styles: readonly Style[] }
  | {
      readonly type: 'mark';
      readonly text: string;
      readonly canOpen: boolean;
      readonly canClose: boolean;
      role: 'text' | 'open' | 'close';
    };

/** What a reader of a place in the line gives back: the parts there, and where the rest begins. */
interface ReadParts {
  readonly parts: readonly InlinePart[];
  readonly end: number;
}

function partsOf(source: string, isOpen: boolean): readonly InlinePart[] {
  const parts: InlinePart[] = [];
  let at = 0;
  while (at < source.length) {
    special.lastIndex = at;
    const next = special.exec(source)?.index ?? source.length;
    if (next > at) parts.push(textPart(source.slice(at, next)));
    if (next === source.length) break;
    const read = readAt(source, next, isOpen);
    if (read === undefined) return parts;
    parts.push(...read.parts);
    at = read.end;
  }
  return parts;
}

const special = /[\\`*_~[!<&]|https?:\/\//g;

const textPart = (text: string, styles: readonly Style[] = []): InlinePart => ({ type: 'text', text, styles });

/** Undefined where the rest of an open line has to wait. */
function readAt(source: string, at: number, isOpen: boolean): ReadParts | undefined {
  switch (source[at]) {
    case '\\':
      return escaped(source, at);
    case '`':
      return code(source, at, isOpen);
    case '[':
    case '!':
      return link(source, at, isOpen);
    case '<':
      return autolink(source, at);
    case '&':
      return entity(source, at);
    case 'h':
      return bareUrl(source, at);
    default:
      return emphasis(source, at);
  }
}

const literal = (source: string, at: number, length = 1): ReadParts => ({
  parts: [textPart(source.slice(at, at + length))],
  end: at + length,
});

const escaped = (source: string, at: number): ReadParts =>
  /[!-/:-@[-`{-~]/.test(source[at + 1] ?? '')
    ? { parts: [textPart(source[at + 1] ?? '')], end: at + 2 }
    : literal(source, at);

function code(source: string, at: number, isOpen: boolean): ReadParts {
  const fence = runAt(source, at);
  const from = at + fence.length;
  let close = source.indexOf(fence, from);
  // A longer run of backticks does not close this one.
  while (close >= 0 && runAt(source, close).length !== fence.length)
    close = source.indexOf(fence, close + runAt(source, close).length);
  if (close < 0 && !isOpen) return literal(source, at, fence.length);
  const end = close < 0 ? source.length : close;
  const inner = source.slice(from, end);
  const text = /^ .*[^ ].* $/.test(inner) ? inner.slice(1, -1) : inner;
  return { parts: [textPart(text, ['cyan'])], end: close < 0 ? end : end + fence.length };
}

function runAt(source: string, at: number): string {
  let end = at + 1;
  while (source[end] === source[at]) end += 1;
  return source.slice(at, end);
}

/** No link is longer; what looks like the start of a longer one is text. */
const longestLink = 2_000;

const wholeLink =
  /^!?\[((?:[^[\]\\]|\\.|\[[^[\]]{0,200}\]){0,500})\]\(\s*<?([^\s()<>]*(?:\([^\s()]*\)[^\s()<>]*){0,9})>?(?:\s+"[^"]*")?\s*\)/u;
const startOfLink = /^!?(?:\[[^\]]{0,200}(?:\](?:\([^)]*)?)?)?$/;

function link(source: string, at: number, isOpen: boolean): ReadParts | undefined {
  const rest = source.slice(at, at + longestLink);
  const [whole, label = '', target = ''] = wholeLink.exec(rest) ?? [];
  if (whole !== undefined && target !== '') {
    const shown = label.replaceAll(/[*_`]+/g, '') || target;
    const parts = [textPart(shown, ['underline'])];
    if (shown !== target) parts.push(textPart(` (${target})`, ['dim']));
    return { parts, end: at + whole.length };
  }
  if (isOpen && startOfLink.test(rest)) return undefined;
  return literal(source, at);
}

function autolink(source: string, at: number): ReadParts {
  const [whole, target] = /^<((?:https?|mailto):[^\s<>]{1,2000})>/.exec(source.slice(at, at + longestLink)) ?? [];
  return whole === undefined || target === undefined
    ? literal(source, at)
    : { parts: [textPart(target, ['underline'])], end: at + whole.length };
}

/** An address is shown as it stands, so that it can be copied: the underscores in it are no emphasis. */
function bareUrl(source: string, at: number): ReadParts {
  const [url = ''] = /^https?:\/\/[^\s*<>`\])]*/.exec(source.slice(at, at + longestLink)) ?? [];
  return literal(source, at, url.length);
}

const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': '\u00a0',
};

function entity(source: string, at: number): ReadParts {
  const [name = ''] = /^&#?\w{1,6};/.exec(source.slice(at, at + 8)) ?? [];
  const meant = entities[name];
  return meant === undefined ? literal(source, at) : { parts: [textPart(meant)], end: at + name.length };
}

/** Runs of `*`, `_` and `~`; a run of three is bold and italic. */
function emphasis(source: string, at: number): ReadParts {
  const run = runAt(source, at);
  const end = at + run.length;
  if (run.length > 3 || (run[0] === '~' && run.length !== 2)) return literal(source, at, run.length);
  const [before = ' ', after = ' '] = [source[at - 1], source[end]];
  // Inside a word, `_` belongs to a name.
  const isWordMark = run[0] === '_';
  const canOpen = !/\s/.test(after) && !(isWordMark && /[\p{L}\p{N}]/u.test(before));
  const canClose = !/\s/.test(before) && !(isWordMark && /[\p{L}\p{N}]/u.test(after));
  const marks = run.length === 3 ? [run.slice(0, 2), run.slice(0, 1)] : [run];
  return { parts: marks.map((text) => ({ type: 'mark', text, canOpen, canClose, role: 'text' })), end };
}

/** Gives each mark its role: a half without the other is text, but in an open line, which may still bring it. */
function matchPairs(parts: readonly InlinePart[], isOpen: boolean): void {
  const opened = new Map<string, Extract<InlinePart, { type: 'mark' }>>();
  for (const part of parts) {
    if (part.type === 'text') continue;
    const open = opened.get(part.text);
    if (open && part.canClose) {
      open.role = 'open';
      part.role = 'close';
      opened.delete(part.text);
    } else if (!open && part.canOpen) opened.set(part.text, part);
  }
  if (isOpen) for (const part of opened.values()) part.role = 'open';
}

const styleOfMark = (mark: string): Style => (mark === '~~' ? 'strikethrough' : mark.length === 2 ? 'bold' : 'italic');

function joined(parts: readonly InlinePart[], base: readonly Style[]): StyledText {
  let text = '';
  const marks: Mark[] = [];
  const on = new Set<Style>(base);
  for (const part of parts) {
    if (part.type === 'mark' && part.role !== 'text') {
      const style = styleOfMark(part.text);
      if (part.role === 'open') on.add(style);
      else if (!base.includes(style)) on.delete(style);
      continue;
    }
    const styles = part.type === 'text' ? [...on, ...part.styles] : [...on];
    const start = text.length;
    text += part.text;
    if (styles.length > 0 && part.text !== '') marks.push({ start, end: text.length, styles });
  }
  return { text, marks };
}
