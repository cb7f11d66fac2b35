/** Names and figures changed into ones that are false: unknown to the record, or, which is harder, known from elsewhere. */
import { type Dice, pick } from '../invented-texts.ts';
import { isFalseThere, othersLike } from './elsewhere.ts';
import type { Atom, TrueLine } from './lines.ts';
import type { SessionRecord } from './record.ts';

export interface OtherValue {
  readonly text: string;
  /** Set when the value occurs in the record, only not there. */
  readonly isHard: boolean;
}

/** What an atom can be exchanged for so that its line becomes false; undefined where nothing was found. */
export function otherValue(
  atom: Atom,
  { line, record, dice, wantsHard }: { line: TrueLine; record: SessionRecord; dice: Dice; wantsHard: boolean },
): OtherValue | undefined {
  const free = (): OtherValue | undefined => {
    for (let tries = 0; tries < 12; tries++) {
      const text = changed(atom, dice);
      if (text !== undefined && !isSame(text, atom.text) && !record.has(text)) return { text, isHard: false };
    }
    return undefined;
  };
  const known = (): OtherValue | undefined => {
    const near = atom.type === 'number' ? Array.from({ length: 6 }, () => changed(atom, dice) ?? '') : [];
    const likely = near.filter((text) => record.has(text));
    const candidates = likely.length > 0 && dice(3) > 0 ? likely : othersLike(atom, record);
    for (let tries = 0; tries < 12 && candidates.length > 0; tries++) {
      const text = pick(dice, candidates);
      if (text !== '' && !isSame(text, atom.text) && isFalseThere(text, { atom, line, record }))
        return { text, isHard: true };
    }
    return undefined;
  };
  // A small number is in every long record, so that there is only the hard way for it.
  return wantsHard ? (known() ?? free()) : (free() ?? (atom.type === 'number' ? known() : undefined));
}

/** `30` and `030` are the same number. */
const isSame = (a: string, b: string): boolean => a === b || (/^[\d.,]+$/.test(a) && Number(a) === Number(b));

function changed({ type, text }: Atom, dice: Dice): string | undefined {
  switch (type) {
    case 'path':
      return changedPath(text, dice);
    case 'number':
      return changedNumber(text, dice);
    case 'version':
      return changedDigits(text, dice);
    case 'id':
      return text.startsWith('#') ? `#${changedNumber(text.slice(1), dice)}` : changedHex(text, dice);
    case 'url':
      return changedUrl(text, dice);
    case 'identifier':
      return changedName(text, dice);
    case 'quote':
      return undefined;
  }
}

const words: readonly string[] = [
  'worker',
  'router',
  'client',
  'queue',
  'loader',
  'adapter',
  'session',
  'legacy',
  'shared',
  'common',
  'filter',
  'bridge',
  'cursor',
  'report',
];

const endings: Readonly<{ [ending: string]: readonly string[] }> = {
  ts: ['js', 'tsx', 'mts'],
  tsx: ['ts', 'jsx'],
  js: ['ts', 'mjs'],
  go: ['rs', 'mod'],
  py: ['rb', 'pyi'],
  md: ['txt', 'mdx'],
  json: ['yaml', 'jsonl'],
  yaml: ['yml', 'json'],
  yml: ['yaml', 'json'],
  sh: ['bash', 'py'],
};

function changedPath(path: string, dice: Dice): string {
  const segments = path.split('/');
  const file = segments.pop() ?? '';
  const dot = file.lastIndexOf('.');
  const [stem, ending] = dot > 0 ? [file.slice(0, dot), file.slice(dot + 1)] : [file, ''];
  const way = dice(segments.length > 0 ? 3 : 2);
  const others = endings[ending];
  if (way === 0 && others) return [...segments, `${stem}.${pick(dice, others)}`].join('/');
  const named = segments.map((segment, at) => ({ segment, at })).filter(({ segment }) => /^[\w-]{2,}$/.test(segment));
  if (way === 2 && named.length > 0) {
    const { at } = pick(dice, named.slice(-2));
    return [...segments.with(at, pick(dice, words)), file].join('/');
  }
  return [...segments, `${changedName(stem, dice)}${dot > 0 ? `.${ending}` : ''}`].join('/');
}

/** One piece of `readBackup`, `read_backup`, `--read-backup` or `READ_BACKUP` exchanged. */
function changedName(name: string, dice: Dice): string {
  const pieces = name.split(/([-_./]+|(?<=[a-z0-9])(?=[A-Z]))/);
  const spots = pieces.map((piece, at) => ({ piece, at })).filter(({ piece }) => /^[A-Za-z]{2,}/.test(piece));
  if (spots.length === 0) return `${name}-${pick(dice, words)}`;
  const { piece, at } = pick(dice, spots);
  return pieces.with(at, inCaseOf(piece, pick(dice, words))).join('');
}

function inCaseOf(model: string, word: string): string {
  if (/^[A-Z0-9]{2,}$/.test(model)) return word.toUpperCase();
  return /^[A-Z]/.test(model) ? `${word[0]?.toUpperCase() ?? ''}${word.slice(1)}` : word;
}

/** Off by one, one digit changed, a digit more, or two digits the other way round. */
function changedNumber(text: string, dice: Dice): string {
  const plain = text.replaceAll(',', '');
  const value = Number(plain);
  switch (dice(4)) {
    case 0:
      return plain.includes('.')
        ? changedDigits(text, dice)
        : String(dice(2) === 0 || value === 0 ? value + 1 : value - 1);
    case 1:
      return plain.includes('.') ? String(Number((value * 10).toFixed(4))) : `${plain}0`;
    case 2:
      return plain.length > 1 && plain.at(-1) !== plain.at(-2) && /\d\d$/.test(plain)
        ? `${plain.slice(0, -2)}${plain.at(-1)}${plain.at(-2)}`
        : String(value + 2 + dice(5));
    default:
      return changedDigits(text, dice);
  }
}

/** One digit exchanged; the first never becomes 0. */
function changedDigits(text: string, dice: Dice): string {
  const { index } = pick(dice, [...text.matchAll(/\d/g)]);
  const digit = (Number(text[index]) + 1 + dice(8)) % 10;
  return text.slice(0, index) + (index === 0 && digit === 0 ? 5 : digit) + text.slice(index + 1);
}

function changedHex(text: string, dice: Dice): string {
  const at = dice(text.length);
  const hex = '0123456789abcdef';
  const old = hex.indexOf(text[at] ?? '');
  return old === -1 ? text : text.slice(0, at) + hex[(old + 1 + dice(14)) % 16] + text.slice(at + 1);
}

function changedUrl(url: string, dice: Dice): string {
  const start = url.indexOf('/', 'https://'.length) + 1;
  if (start <= 'https://'.length || start >= url.length) return url.replace('://', '://www2.');
  const path = url.slice(start);
  const segments = path.split('/');
  const at = segments.length - 1 - dice(Math.min(2, segments.length));
  const segment = segments[at] ?? '';
  const other = /^\d+$/.test(segment) ? changedNumber(segment, dice) : changedName(segment, dice);
  return url.slice(0, start) + segments.with(at, other).join('/');
}
